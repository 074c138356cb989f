"""What an opponent's turns tell of his hand: read off the record as they were made, and weighed by Bayes' rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.players.bots import beliefs
from engine.players.bots.beliefs import WHIM, OpponentTurn, deals, opponents_turns
from engine.players.bots.kinds import PlayStyle, kinds
from engine.players.bots.options import PACKED, hand_of, packed
from engine.players.bots.sparring import Stand, can_do
from engine.rules.cards import HAND_SIZE
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.legal import Play
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import AttackKind, FullState, Phase, PlayerView, PublicState, room_behind
from engine.rules.track import Side
from tests.matches import match_of

RULES = "ferti-advanced"
KINDS = kinds(RULES)


class Seen(NamedTuple):
    """A table with somebody to act, and every turn of this round so far, with who made it."""

    table: FullState
    turns: tuple[tuple[Side, OpponentTurn], ...]


def watched(seeds: range) -> Iterator[Seen]:
    """Every table of matches of two rounds played at random."""
    for seed in seeds:
        turns: list[tuple[Side, OpponentTurn]] = []
        for event, _, state, before, after in match_of(MatchEvent(RULES, points=10**6), Random(seed)):
            if state.round > 2:
                break
            if before is None or after is None or (side := before.public.to_act) is None:
                turns = []
                continue
            yield Seen(before, tuple(turns))
            if isinstance(event, TurnEvent):
                turns.append((side, as_past(before, after, event)))


def as_past(before: FullState, after: FullState, event: TurnEvent) -> OpponentTurn:
    """The turn as whoever watched it would write it down, from the table before it and after."""
    there, then = before.public, after.public
    side = there.to_act
    assert side is not None
    waiting = there.attack
    number = 0 if waiting is None else waiting.count + (5 if waiting.kind is AttackKind.INDIRECT else 0)
    made = 0 if then.attack is None or then.attack.by is not side else then.attack.count
    move = there.distance - then.distance
    parried = 0 if waiting is None else len(event.cards) - made - (move != 0)
    unplayed = [
        sum(card.value == value for card in (*before.hands.white, *before.hands.black)) for value in range(1, 6)
    ]
    for card in before.pile:
        unplayed[card.value - 1] += 1
    stand = Stand(0, there.distance, room_behind(there.spaces, side), number, len(before.pile))
    laid = tuple(card.value - 1 for card in event.cards)
    return OpponentTurn(stand, Play(parried, move, made), laid, len(before.pile) - len(after.pile), packed(unplayed))


def test_the_record_tells_the_opponents_turns_as_they_were_made() -> None:
    """The latest first and as many as were asked for: of this round alone, and nobody else's."""
    longest = attacks = 0
    for table, turns in watched(range(12)):
        side = table.public.to_act
        assert side is not None
        his = [past for whose, past in reversed(turns) if whose is not side]
        for most in (0, 1, 2, 9):
            assert opponents_turns(table.view(side), most) == his[:most]
        longest = max(longest, len(his))
        attacks += sum(past.stand.attack > HAND_SIZE for past in his)
    assert longest > 4
    assert attacks > 5, "answers to indirect attacks are among them"


def test_the_record_ends_where_it_no_longer_goes_on_turn_by_turn() -> None:
    """Figures set by hand leave the same player to act: nobody's turn, and what came before is not looked for."""
    seen = next(each for each in watched(range(1)) if len(each.turns) > 3)
    public = seen.table.public
    side, before = public.to_act, public.previous
    assert side is not None
    assert before is not None
    assert opponents_turns(seen.table.view(side), 9)

    def told(previous: PublicState | None) -> list[OpponentTurn]:
        changed = public._replace(previous=previous)
        return opponents_turns(PlayerView(changed, side, seen.table.hands[side]), 9)

    assert told(None) == []
    assert told(before._replace(to_act=side)) == []
    assert told(before._replace(to_act=None)) == []
    assert told(before._replace(round=before.round - 1)) == []
    assert told(before._replace(phase=Phase.REVEAL)) == []
    over = PlayerView(public._replace(phase=Phase.ROUND_OVER), side, seen.table.hands[side])
    assert opponents_turns(over, 9) == []


@pytest.mark.slow
def test_hands_are_as_likely_as_bayes_says() -> None:
    """With few cards unseen every lie can be tried: each hand, held by each kind, has its exact share."""
    compared = 0
    for table, turns in watched(range(40)):
        side = table.public.to_act
        assert side is not None
        his = [past for whose, past in reversed(turns) if whose is not side][: beliefs.LOOK_BACK]
        if table.public.pile != 1 or len(his) < beliefs.LOOK_BACK:
            continue
        view = table.view(side)
        exact = exact_chances(view, his)
        found = Counter((deal.hand, deal.kind) for deal in deals(view, KINDS, 3000, Random(1)))
        assert set(found) <= set(exact)
        for lie, chance in exact.items():
            assert found[lie] / 3000 == pytest.approx(chance, abs=0.035)
        compared += len(exact) > 2
        if compared == 6:
            return
    pytest.fail("too few of such tables were met")


def test_more_is_drawn_than_used_so_that_weighing_can_choose() -> None:
    """Half of the layouts drawn are used where something is known of him: hardly any of them twice."""
    seen = next(each for each in watched(range(1)) if len(each.turns) == 3)
    side = seen.table.public.to_act
    assert side is not None
    found = deals(seen.table.view(side), KINDS, 200, Random(1))
    assert len(found) == 200
    assert len({(deal.hand, tuple(deal.pile)) for deal in found}) > 140
    alone = PlayerView(seen.table.public._replace(previous=None), side, seen.table.hands[side])
    assert len(deals(alone, KINDS, 200, Random(1))) == 200


def test_a_corrected_record_tells_nothing_of_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where he laid more than he can have held, no hand is likelier than another, and the turns before are left."""
    seen = next(each for each in watched(range(1)) if len(each.turns) == 3)
    side, (_, turn) = seen.table.public.to_act, seen.turns[0]
    assert side is not None
    corrected = turn._replace(laid=(0, 1, 2), drawn=1)
    monkeypatch.setattr(beliefs, "opponents_turns", lambda view, most: [corrected, turn])

    class Nobody:
        def chances(self, *_: object) -> None:
            pytest.fail("nobody holds more than a hand")

    nobody: Any = Nobody()
    assert len(deals(seen.table.view(side), [nobody], 50, Random(1))) == 50


def exact_chances(view: PlayerView, his: list[OpponentTurn]) -> dict[tuple[int, PlayStyle], float]:
    """Every hand he may hold and every kind he may be, with the chance of both together: all orders in which the cards
    may have come to him count alike."""
    unseen = [card.value - 1 for card in unseen_cards(view.public, view.hand)]
    weights: defaultdict[tuple[int, PlayStyle], float] = defaultdict(float)
    known: dict[tuple[Any, ...], float] = {}
    for last in range(len(unseen)):
        held = [*unseen[:last], *unseen[last + 1 :]]
        for kind in KINDS:
            weights[hand_of(held), kind] += likelihood(held, his, kind, known)
    total = sum(weights.values())
    return {lie: weight / total for lie, weight in weights.items()}


def likelihood(held: list[int], his: list[OpponentTurn], kind: PlayStyle, known: dict[tuple[Any, ...], float]) -> float:
    """The chance of these turns of one of this kind who holds these cards after them, mean over the orders in which
    they came.

    ``known`` keeps what was worked out before.
    """
    if not his:
        return 1.0
    turn, key = his[0], (kind, len(his), *sorted(held))
    if key not in known:
        orders, total = set(permutations(held)), 0.0
        for order in orders:
            before = [*order[turn.drawn :], *turn.laid]
            hand = hand_of(before)
            stand = turn.stand._replace(hand=hand)
            plays = [option.play for option in can_do(stand, RULE_SETS[RULES])]
            odds = dict(zip(plays, kind.chances(stand, turn.unplayed - PACKED[hand]), strict=True))
            total += (WHIM + odds.get(turn.play, 0.0)) * likelihood(before, his[1:], kind, known)
        known[key] = total / len(orders)
    return known[key]
