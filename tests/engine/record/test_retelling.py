"""A round told again: nothing is claimed of a hand that the cards laid and shown do not prove."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.players.simulation import play
from engine.record.corrections import Correction, Setting
from engine.record.course import Course, follow
from engine.record.retelling import Highlight, HighlightKind, _Seen, finished_round, retell
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.legal import counts_of
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState
from engine.rules.track import BySide, Side
from tests.engine.conftest import random_match
from tests.matches import course_of, turn


def played(*events: Any) -> Course:
    return course_of(MatchEvent("ferti-advanced"), RoundEvent(), *events)


def kinds(course: Course) -> list[list[Any] | list[HighlightKind]]:
    return [[moment.kind for moment in page.moments] for page in retell(finished_round(course))]


def moment(course: Course, kind: HighlightKind) -> Highlight:
    (found,) = [each for page in retell(finished_round(course)) for each in page.moments if each.kind is kind]
    return found


@pytest.mark.parametrize("seed", range(40))
def test_nothing_told_changes_with_the_cards_nobody_saw(seed: int) -> None:
    """The cards that were never laid or shown are dealt otherwise: the same is told, and holds there.

    Played anew on the other table, so that the referee and whatever else sees it has its chance to tell them apart.
    """
    rng = Random(seed)
    events = [*random_match(sorted(RULE_SETS)[seed % 3], Random(seed), points=1)]
    first = max(number for number, (event, _, _) in enumerate(events) if isinstance(event, RoundEvent)) + 1
    match, last_round = [event for event, _, _ in events[:first]], events[first:]
    deal = last_round[0][1]
    shown = {card for event, _, _ in last_round for card in _shown(event)}
    assert deal is not None
    hidden = [card for card in (*deal.hands.white, *deal.hands.black, *deal.pile) if card not in shown]
    other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def dealt(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(other.get(card, card) for card in cards)

    full, hands = FullState(deal.public, deal.hands.map(dealt), dealt(deal.pile)), []
    true_course = course_of(*(event for event, _, _ in events))
    course: Course | None = course_of(*match)
    for event, _, after in last_round:
        hands.append(full.hands)
        full, ruling = play(full, event)
        assert ruling.ok
        course, _ = follow(course, event)
        assert course is not None
        assert full.public == course.state == after
    steps = finished_round(course)
    assert retell(steps) == retell(finished_round(true_course))
    seen = _Seen(steps)
    for place, there in enumerate(hands):
        for side in Side:
            for value in range(1, 6):
                count = sum(card.value == value for card in there[side])
                assert seen.held(place, side, value) <= count <= seen.at_most(place, side, value)
    for there, page in zip(hands, retell(steps), strict=True):
        for proven in (each for each in page.moments if each.kind is HighlightKind.TOUCH_PROVEN):
            assert proven.side is not None
            own, their = (counts_of(there[side])[proven.value - 1] for side in (proven.side, proven.side.other))
            assert own >= proven.count > their


def _shown(event: Event) -> tuple[Card, ...]:
    if isinstance(event, RevealEvent):
        return (*event.white, *event.black)
    assert isinstance(event, TurnEvent | YieldEvent)
    return event.cards


@pytest.mark.slow
def test_proofs_are_found_in_real_rounds() -> None:
    """What is certain is said often enough to be worth it."""
    found = dict.fromkeys(HighlightKind, 0)
    for seed in range(150):
        course = None
        for event, _, _ in random_match("ferti-advanced", Random(seed), points=1):
            course, _ = follow(course, event)
        for page in retell(finished_round(course)):
            for told in page.moments:
                found[told.kind] += 1
    assert not [kind for kind, count in found.items() if count == 0]


OPENING = (turn("4a", 5, 23), turn("4b", 5, 19), turn("4c", 9, 19), turn("5a", 9, 14))
"""White on 9 to act, Black on 14: five spaces."""


def test_a_card_spent_is_named_with_its_turn() -> None:
    course = played(*OPENING, turn("5b", 9, 14), YieldEvent(()))
    told = moment(course, HighlightKind.PARRY_SPENT)
    assert (told.side, told.value, told.count, told.turn) == (Side.BLACK, 5, 1, 4)


def test_an_indirect_attack_could_have_been_retreated_from() -> None:
    course = played(*OPENING[:3], turn("5a 5b 5c", 9, 14), YieldEvent(()))
    told = moment(course, HighlightKind.RETREAT_IF)
    assert (told.side, told.value) == (Side.WHITE, 5)
    assert HighlightKind.NO_RETREAT not in kinds(course)[-1]


def test_as_many_as_are_needed_are_enough_to_prove_a_touch() -> None:
    """No five was played before: White had three of them for certain, and Black two at most."""
    before = (turn("4a", 5, 23), turn("4b", 5, 19), turn("4c", 9, 19), turn("3a", 9, 16), turn("1a", 8, 16))
    after = (turn("3b", 8, 13), turn("1b", 7, 13), turn("1c", 7, 12), turn("5a 5b 5c 5d", 7, 12))
    told = moment(played(*before, *after), HighlightKind.TOUCH_PROVEN)
    assert (told.side, told.value, told.count) == (Side.WHITE, 5, 3)


def test_nothing_is_proven_across_a_correction() -> None:
    course, _ = follow(played(*OPENING), Correction((Setting(figures=BySide(9, 13)),)))
    course, ruling = follow(course, turn("4d 4e", 9, 13))
    assert ruling.ok
    course, _ = follow(course, YieldEvent(()))
    assert course is not None
    seen = _Seen(finished_round(course))
    assert seen.held(0, Side.WHITE, 4) == 1  # the one he laid himself, and nothing beyond the correction
    assert seen.held(5, Side.WHITE, 4) == 2
    correction = next(place for place, step in enumerate(seen.steps) if isinstance(step.entry, Setting))
    assert seen.held(correction, Side.WHITE, 4) == 0
    assert retell(finished_round(course))[4].moments == ()
