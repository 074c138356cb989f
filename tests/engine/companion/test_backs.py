"""Registering a deck: two sides shown in one place are one card, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.companion.backs import TURNED_WITHIN_S, CardShown, DeckBacks, Registration, look_at
from engine.rules.cards import DECK, Card
from engine.rules.track import BySide
from engine.table.observation import BackReading, CardReading, FigureReading, Sight, TableObservation

FIGURES = BySide(FigureReading(1), FigureReading(23))
A3, B4 = Card(3, "a"), Card(4, "b")


def seen(t_s: float, *lying: CardReading | BackReading) -> TableObservation:
    cards = tuple(one for one in lying if isinstance(one, CardReading))
    backs = tuple(one for one in lying if isinstance(one, BackReading))
    return TableObservation(t_s, 0.0, FIGURES, cards, Sight.STEADY, backs=backs)


def face(card: Card, x_mm: float = 300.0) -> CardReading:
    return CardReading(card, x_mm, -160.0, 0.0)


def back(token: str, x_mm: float = 300.0) -> BackReading:
    return BackReading(token, x_mm, -160.0, 0.0)


def show(registration: Registration, card: Card, token: str, t_s: float = 0.0) -> Registration:
    for look in (seen(t_s, face(card)), seen(t_s + 1, back(token)), seen(t_s + 2)):
        registration = look_at(registration, look)
    return registration


def test_a_card_shown_from_both_sides_is_known() -> None:
    registration = look_at(Registration(DeckBacks("A")), seen(0.0, face(A3)))
    assert (registration.said, registration.card) == (CardShown.TURN_OVER, A3)
    registration = look_at(registration, seen(1.0, back("AAAAAA", 350.0)))
    assert (registration.said, registration.card, registration.count) == (CardShown.REGISTERED, A3, 1)
    assert registration.backs.tokens == {A3: "AAAAAA"}
    assert registration.backs.card_of("AAAAAA") == A3
    assert look_at(registration, seen(1.2, back("AAAAAA"))) == registration, "it lies there still"
    assert look_at(registration, seen(2.0)).said is CardShown.REGISTERED, "what was said stands until the next card"


@pytest.mark.parametrize("kept", [True, False])
def test_checking_changes_nothing(kept: bool) -> None:
    backs = DeckBacks("A").with_back(A3, "AAAAAA") if kept else DeckBacks("A")
    registration = Registration(backs, checking=True)
    assert show(registration, A3, "AAAAAA").said is (CardShown.AGREES if kept else CardShown.NOT_KNOWN)
    assert show(registration, A3, "CCCCCC").said is (CardShown.DIFFERS if kept else CardShown.NOT_KNOWN)
    assert show(registration, B4, "AAAAAA").other == (A3 if kept else None)
    assert show(registration, A3, "CCCCCC").backs == backs


def test_one_card_at_a_time() -> None:
    for look in (seen(0.0, face(A3), face(B4)), seen(0.0, back("AAAAAA"), back("CCCCCC"))):
        assert look_at(Registration(DeckBacks("A")), look).said is CardShown.ONE_AT_A_TIME
    turned = look_at(Registration(DeckBacks("A")), seen(0.0, face(A3), face(B4)))
    assert look_at(turned, seen(1.0, back("AAAAAA"))).said is CardShown.FACE_FIRST


def test_a_covered_card_is_not_shown() -> None:
    covered = replace(face(B4), covered=True)
    assert look_at(Registration(DeckBacks("A")), seen(0.0, covered, face(A3))).card == A3


def test_a_deck_of_its_own() -> None:
    backs = DeckBacks("A").with_back(A3, "AAAAAA")
    with pytest.raises(ValueError, match="was shown as that of 3a, so it cannot be that of 4b"):
        backs.with_back(B4, "AAAAAA")
    assert backs.without((A3, B4)) == DeckBacks("A")
    assert len(backs.missing) == 24
    assert not backs.complete


@given(st.lists(st.tuples(st.sampled_from(DECK[:6]), st.sampled_from(["AAAAAA", "CCCCCC", "DDDDDD"])), max_size=12))
def test_whatever_is_shown_no_two_cards_have_one_back(pairs: list[tuple[Card, str]]) -> None:
    registration = Registration(DeckBacks("A"))
    for number, (card, token) in enumerate(pairs):
        registration = show(registration, card, token, 10.0 * number)
        tokens = list(registration.backs.tokens.values())
        assert len(set(tokens)) == len(tokens)
        if registration.said is not CardShown.BACK_TAKEN:
            assert registration.backs.tokens[card] == token
    assert registration.count == len(pairs)


def test_while_a_card_is_turned_over_there_may_be_nothing_to_see_for_a_while() -> None:
    registration = look_at(Registration(DeckBacks("A")), seen(10.0, face(A3)))
    for t_s in (10.5, 11.0, 10.0 + TURNED_WITHIN_S):
        registration = look_at(registration, seen(t_s))
        assert registration.said is CardShown.TURN_OVER
    known = look_at(registration, seen(10.0 + TURNED_WITHIN_S, back("AAAAAA")))
    assert (known.said, known.card) == (CardShown.REGISTERED, A3)
    late = look_at(registration, seen(10.1 + TURNED_WITHIN_S))
    assert late.said is CardShown.WAITING
    assert look_at(late, seen(10.2 + TURNED_WITHIN_S, back("AAAAAA"))).said is CardShown.FACE_FIRST
