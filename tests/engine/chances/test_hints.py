"""Hints for both players: exact, and the same whatever the hidden cards are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from engine.chances.advice import options
from engine.chances.hints import PublicHints, Reach, public_hints, reach_of, steps_of
from engine.chances.odds import attacks
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import play, start_round
from engine.rules.cards import DECK
from engine.rules.legal import counts_of, legal_plays
from engine.rules.rulesets import BRETTSPIELNETZ, FERTI_ADVANCED, FERTI_CLASSIC
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide, Side

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch, Position, RandomMatch

PRESETS = (FERTI_CLASSIC, FERTI_ADVANCED, BRETTSPIELNETZ)


def _hints(state: PublicState) -> PublicHints:
    told = public_hints(state)
    assert told is not None
    return told


def swapped(full: FullState, keeps: Side | None, rng: Random) -> FullState:
    """The same table with all cards dealt anew that ``keeps`` (None: the public) does not see."""
    kept = full.hands[keeps] if keeps is not None else ()
    hidden = [card for card in DECK if card not in full.public.played and card not in kept]
    rng.shuffle(hidden)
    hands = full.hands
    for side in Side:
        if side is not keeps:
            size = len(full.hands[side])
            hands = hands.put(side, tuple(hidden[:size]))
            hidden = hidden[size:]
    return FullState(full.public, hands, tuple(hidden))


def tables(random_match: RandomMatch, seed: int) -> Iterator[FullState]:
    """The tables of a random match at which somebody is to act."""
    rules = PRESETS[seed % 3].name
    for _, before, _ in random_match(rules, Random(seed), points=1):
        if before is not None and before.public.to_act is not None:
            yield before


@pytest.mark.parametrize("seed", range(9))
def test_nothing_changes_when_hidden_cards_are_swapped(random_match: RandomMatch, seed: int) -> None:
    """Neither for both players nor for one who lays his own hand open: also not what can be said a turn later."""
    rng = Random(seed)
    for full in tables(random_match, seed):
        side = full.public.to_act
        other = swapped(full, side, rng)
        assert side is not None
        assert options(other.view(side)) == options(full.view(side))
        free = swapped(full, None, rng)
        assert public_hints(free.public) == public_hints(full.public)
        # The turn he makes can be made whatever the other holds, and leaves everybody as wise as before.
        event = choice_event(full.public, GreedyBot().choose(full.view(side), Random(1)))
        after, after_other = play(full, event)[0], play(other, event)[0]
        assert public_hints(after_other.public) == public_hints(after.public)


@pytest.mark.parametrize("attack", ["", "direct 4 2", "indirect 4 1", "indirect 4 2"])
@pytest.mark.parametrize("unseen", ["1122344455", "444433", "1111555554"])
def test_chances_are_those_of_dealing_every_hand(position: Position, attack: str, unseen: str) -> None:
    table = position(2, 6, unseen, attack=attack, hands=(3, 2))
    told = public_hints(table.state)
    hidden = [card for card in DECK if card not in table.state.played]
    hands = [counts_of(hand) for hand in combinations(hidden, 3)]

    def share(holds: Callable[..., Any]) -> Fraction:
        return Fraction(sum(map(holds, hands)), len(hands))

    if not attack:
        assert told is not None
        assert told.defence is None
        assert told.attack == share(lambda counts: attacks(counts, 4, indirect=True))
        return
    kind, value, count = attack.split()
    assert told is not None
    defence = told.defence
    assert told.attack is None
    assert defence is not None
    assert defence.parry == share(lambda counts: counts[int(value) - 1] >= int(count))
    assert defence.unseen == unseen.count(value)
    if kind == "direct":
        assert (defence.retreat, defence.answer) == (None, defence.parry)
    else:
        # White stands on 2: one space behind him.
        assert defence.retreat == share(lambda counts: counts[0] > 0)
        # As the referee would have it: any hand with a legal way out, a parry without a turn after it included.
        assert defence.answer == share(
            lambda counts: counts[int(value) - 1] >= int(count) or bool(legal_plays(table.state, counts))
        )


def test_a_retreat_is_none_where_there_is_no_space_behind(position: Position) -> None:
    table = position(1, 5, attack="indirect 4 1")
    defence = _hints(table.state).defence
    assert defence is not None
    assert defence.retreat is None


@pytest.mark.parametrize(
    ("distance", "classic", "advanced"),
    [
        (1, Reach.DIRECT, Reach.DIRECT),
        (5, Reach.DIRECT, Reach.DIRECT),
        (6, Reach.AWAY, Reach.INDIRECT),
        (10, Reach.AWAY, Reach.INDIRECT),
        (11, Reach.AWAY, Reach.AWAY),
        (22, Reach.AWAY, Reach.AWAY),
    ],
)
def test_what_a_distance_means(distance: int, classic: Reach, advanced: Reach) -> None:
    assert reach_of(distance, FERTI_CLASSIC) is classic
    assert reach_of(distance, FERTI_ADVANCED) is reach_of(distance, BRETTSPIELNETZ) is advanced


def test_a_distance_means_what_hands_can_do() -> None:
    """Against trying every pair of cards."""
    for distance in range(1, 23):
        for indirect, rules in ((False, FERTI_CLASSIC), (True, FERTI_ADVANCED)):
            hands = [counts_of(pair) for pair in combinations(DECK, 2)]
            possible = any(attacks(counts, distance, indirect) for counts in hands)
            assert possible is (reach_of(distance, rules) is not Reach.AWAY)
    assert steps_of(8) == ((3, 5), (4, 4), (5, 3))
    assert steps_of(2) == ((1, 1),)
    assert steps_of(11) == ()


def test_what_else_is_told(new_match: NewMatch, position: Position) -> None:
    table = new_match()
    told = public_hints(table.state)
    assert told is not None
    assert (told.side, told.distance, told.closing, told.unseen, told.few) == (
        Side.WHITE,
        22,
        (),
        (5, 5, 5, 5, 5),
        False,
    )
    assert told.attack == 0
    assert _hints(position(4, 12).state).closing == (3, 4, 5)
    assert _hints(position(4, 8).state).closing == ()
    assert _hints(position(4, 12, "1111122222333").state).few
    last = position(4, 8, "11223344", attack="direct 4 1", phase=Phase.FINAL, hands=(4, 4))
    defence = _hints(last.state).defence
    assert defence is not None
    assert defence.last
    assert not _hints(last.state).few
    over = new_match()
    over.give_up()
    assert public_hints(over.state) is None


def test_it_knows_no_more_than_the_opening_does(new_match: NewMatch) -> None:
    full = start_round(new_match().state._replace(phase=Phase.SETUP, round=0), Random(3))
    assert _hints(full.public).unseen == (5, 5, 5, 5, 5)
    assert BySide(5, 5) == full.public.hands
