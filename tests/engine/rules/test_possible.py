"""Hidden hands as sets of possibilities, and the exact odds over them, against dealing every hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chances.odds import at_least, can_answer, can_attack, chance, opponent_hand
from engine.rules.cards import DECK, Card
from engine.rules.legal import Counts, counts_of, legal_plays
from engine.rules.possible import HiddenHand, goes_on, hidden_hand, missing_cards, unseen_cards
from engine.rules.state import PlayerView
from engine.rules.track import BySide, Side

if TYPE_CHECKING:
    from tests.engine.conftest import Cards, NewMatch, Position, RandomMatch

few = st.integers(0, 3)
small_decks = st.tuples(few, few, few, few, few)


@given(small_decks, st.integers(0, 5))
def test_every_possible_hand_and_its_ways(unseen: Counts, size: int) -> None:
    """Against dealing each set of single cards."""
    cards = [Card(value, letter) for value in range(1, 6) for letter in "abcde"[: unseen[value - 1]]]
    dealt = Counter(counts_of(hand) for hand in combinations(cards, size))
    hidden = HiddenHand(unseen, size)
    assert dict(hidden.hands()) == dict(dealt)
    assert sum(dealt.values()) == hidden.ways()
    for value in range(1, 6):
        held = [hand[value - 1] for hand in dealt]
        if held:
            assert (hidden.least(value), hidden.most(value)) == (min(held), max(held))


def test_what_is_known_of_a_hand(new_match: NewMatch, cards: Cards) -> None:
    table = new_match()
    table.turn("3a", 3)
    hand = cards("1a 1b 1c 1d 1e")
    assert len(unseen_cards(table.state)) == 24
    mine = hidden_hand(table.state, Side.BLACK, hand)
    assert (mine.unseen, mine.size) == ((0, 5, 4, 5, 5), 5)
    assert mine.most(1) == 0
    assert hidden_hand(table.state, Side.BLACK).most(1) == 5


def test_the_deck_adds_up_or_names_the_cards(position: Position, cards: Cards) -> None:
    table = position(6, 12, "11223344555")
    table.turn("1e", 1)
    white, black = cards("5e 5d 2d 2e 1d"), cards("5c 3d 3e 4d 4e")
    assert missing_cards(table.state, BySide(white, black)) == ()
    assert missing_cards(table.state, BySide(white[1:], black)) == cards("5e")
    assert missing_cards(table.state, BySide((*white, Card.parse("1e")), black)) == ()


def views(random_match: RandomMatch, seeds: range) -> Iterator[PlayerView]:
    """Positions of random matches, with the player to act looking on."""
    for seed in seeds:
        rules = ("ferti-classic", "ferti-advanced", "brettspielnetz")[seed % 3]
        for _, before, _ in random_match(rules, Random(seed), points=1):
            if before is not None and before.public.to_act is not None:
                yield before.view(before.public.to_act)


def dealt_chance(view: PlayerView, holds: Callable[..., Any]) -> Fraction:
    """The chance by dealing every set of unseen cards to the opponent."""
    seen = {*view.public.played, *view.hand}
    unseen = [card for card in DECK if card not in seen]
    hands = list(combinations(unseen, view.public.hands[view.side.other]))
    return Fraction(sum(holds([card.value for card in hand]) for hand in hands), len(hands))


def can_attack_naively(values: list[int], distance: int, indirect: bool) -> bool:
    if distance in values:
        return True
    return indirect and any(
        step != place and values[step] + values[place] == distance
        for step in range(len(values))
        for place in range(len(values))
    )


def test_odds_are_those_of_dealing_every_hand(random_match: RandomMatch) -> None:
    late = [view for view in views(random_match, range(6)) if view.public.pile <= 4][::3]
    assert len(late) > 8
    for view in late:
        public, opponent = view.public, view.side.other
        room = public.spaces.white - 1 if opponent is Side.WHITE else 23 - public.spaces.black
        indirect = public.rules.indirect_attacks
        distance = public.distance
        for count in (1, 2, 3):
            parried = can_answer(view, 3, count, indirect=False)
            assert parried == dealt_chance(view, lambda values, n=count: values.count(3) >= n)
            assert can_answer(view, 3, count, indirect=True) == dealt_chance(
                view, lambda values, n=count, room=room: values.count(3) >= n or any(v <= room for v in values)
            )
        assert can_attack(view, distance) == dealt_chance(
            view, lambda values, d=distance, i=indirect: can_attack_naively(values, d, i)
        )


def _at_least(value: int, count: int, counts: Counts) -> bool:
    return counts[value - 1] >= count


@pytest.mark.slow
def test_the_two_ways_to_count_agree(random_match: RandomMatch) -> None:
    for view in views(random_match, range(3)):
        hand = opponent_hand(view)
        for value in range(1, 6):
            for count in range(6):
                by_hands = chance(hand, partial(_at_least, value, count))
                assert by_hands == at_least(hand.unseen[value - 1], sum(hand.unseen), hand.size, count)
        assert 0 <= can_attack(view, view.public.distance) <= 1


def test_an_attack_has_the_chance_of_a_legal_attack(new_match: NewMatch, cards: Cards) -> None:
    """At distance 7 an attack is indirect: the chance is that of a legal play that attacks."""
    table = new_match()
    for names in ("5a", "5b", "5c"):
        table.turn(names, 5)
    hand = cards("1a 1b 2a 2b 3a")
    view = PlayerView(table.state, Side.BLACK, hand)
    after = table.state._replace(to_act=Side.WHITE)
    attacking = chance(opponent_hand(view), lambda counts: any(play.attack for play in legal_plays(after, counts)))
    assert table.state.distance == 7
    assert can_attack(view, 7) == attacking


def test_a_parry_is_an_answer_even_if_no_turn_can_follow(position: Position) -> None:
    attacked = position(6, 9, attack="direct 3 2").state
    just_enough: Counts = (0, 0, 2, 0, 0)
    assert legal_plays(attacked, just_enough) == ()
    assert goes_on(attacked, just_enough)
    assert not goes_on(attacked, (0, 0, 1, 2, 2))
    assert goes_on(position(6, 9).state, (0, 0, 1, 0, 0))
    assert not goes_on(position(1, 3).state, (0, 0, 1, 1, 1))
