"""The course of a match: the same as ``judge`` without corrections; with them, judged again as far as it holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.record.corrections import (
    Correction,
    CorrectionError,
    Insert,
    Remove,
    Replace,
    Setting,
    Won,
    correction_from_json,
    correction_to_json,
)
from engine.record.course import Course, JournalEntry, follow
from engine.record.notation import parse_move, parse_record, print_record, record_of_steps, replay
from engine.record.retelling import finished_round, retell
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import EventError, Limit, MatchEvent, RoundEvent, TimeEvent, UndoEvent, YieldEvent
from engine.rules.messages import message
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Phase, Reason, Result
from engine.rules.track import BySide, Side
from tests.engine.conftest import random_match, record_of
from tests.matches import course_of, turn
from tests.scenes import ChangingScene, match_facts, played, scenes

SCENES = Path(__file__).with_name("courses.txt")


class CourseScene(ChangingScene):
    """A match of events and corrections. ``replace 1 4 23 3c``: turn 1 laid a 3c, and the fencers stood on 4 and 23."""

    def __init__(self) -> None:
        self.course: Course | None = None
        self.why_not = ""

    def facts(self) -> Iterator[tuple[str, object]]:
        yield "not done", self.why_not
        yield from match_facts(self.course)
        if self.course is not None:
            state = self.course.state
            yield "pile and hands", f"{state.pile}, {state.hands.white} {state.hands.black}"
            attack = state.attack
            yield "attack", attack and f"{attack.kind.value}, {attack.count} of {attack.value}"
            yield "why", [each.ruling.code.value for each in self.course.fallen if each.ruling and each.ruling.code]

    def enter(self, entry: JournalEntry) -> None:
        before, self.why_not = self.course, ""
        try:
            self.course, ruling = follow(before, entry)
        except CorrectionError as error:
            self.why_not = str(error)
        else:
            self.why_not = "" if ruling.ok else message(ruling)
        assert not self.why_not or self.course is before

    def do_match(self, rules: str = "ferti-advanced", points: str = "5", limit_s: str = "") -> None:
        self.enter(MatchEvent(rules, Side.WHITE, int(points), Limit(int(limit_s)) if limit_s else None))

    def do_round(self) -> None:
        self.enter(RoundEvent())

    def do_yield(self) -> None:
        self.enter(YieldEvent())

    def do_undo(self) -> None:
        self.enter(UndoEvent())

    def do_time(self, how: str = "") -> None:
        """Time is up; the lot has fallen on this side, or the match may be drawn."""
        self.enter(TimeEvent(drawn=True) if how == "drawn" else TimeEvent(Side(how) if how else None))

    def do_play(self, white: str, black: str, *cards: str) -> None:
        self.enter(turn(" ".join(cards), int(white), int(black)))

    def do_correct(self, *words: str) -> None:
        self.enter(Correction(tuple(map(change, filter(None, " ".join(words).split("; "))))))


def change(text: str) -> Insert | Remove | Replace | Setting:
    """A change as a scene has it."""
    if text.startswith("!"):
        setting = Setting() if text == "!" else parse_move(text)
        assert isinstance(setting, Setting)
        return setting
    word, number, *laid = text.split()
    if word == "remove":
        return Remove(int(number))
    white, black, *cards = laid
    event = turn(" ".join(cards), int(white), int(black))
    return Replace(int(number), event) if word == "replace" else Insert(int(number), event)


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_the_match_goes_as_written(scene: str, request: pytest.FixtureRequest) -> None:
    assert played(SCENES, scene, CourseScene(), request) == scene


OPENING = (MatchEvent("ferti-advanced"), RoundEvent())
FOUR_TURNS = (*OPENING, turn("3a", 4, 23), turn("4a", 4, 19), turn("5a", 9, 19), turn("5b", 9, 14))
"""White 4, Black 19, White 9, Black 14; White to act at a distance of five."""


def corrected(course: Course, *changes: Any, why: str = "misread") -> Course:
    after, ruling = follow(course, Correction(changes, why))
    assert ruling.ok
    assert isinstance(after, Course)
    return after


@pytest.mark.parametrize(("rules", "seed"), [(rules, seed) for rules in RULE_SETS for seed in range(3)])
def test_without_corrections_a_course_is_what_judge_says(rules: str, seed: int) -> None:
    rng = Random(seed)
    state, course = None, None
    for event, _, _ in random_match(rules, Random(seed), points=3):
        for each in (event, UndoEvent(), event) if rng.random() < 0.2 else (event,):
            state, ruling = judge(state, each)
            course, followed = follow(course, each)
            assert followed == ruling
            if state is not None:
                assert course is not None
                assert course.state == state
                assert (course.state.previous is None) == (state.previous is None)
    assert course is not None
    assert [step.state.phase for step in course.steps][-1] is Phase.MATCH_OVER


EXAMPLES = (
    Correction((Replace(2, turn("3a 3b", 4, 23)), Insert(0, YieldEvent())), 'a "misreading"\n'),
    Correction((Remove(1), Setting(BySide(3, 9), BySide(0, 2), (CARD_BY_NAME["5e"],)))),
    Correction((Setting(score=BySide(0, 2)), Setting(won=Won.NOBODY)), "agreed"),
)


@pytest.mark.parametrize("correction", EXAMPLES)
def test_a_correction_goes_through_json_and_back(correction: Correction) -> None:
    assert correction_from_json(correction_to_json(correction)) == correction


@pytest.mark.parametrize(
    "obj",
    [
        None,
        {"event": "turn"},
        {"event": "correct", "changes": []},
        {"event": "correct", "changes": [{"change": "sing"}]},
        {"event": "correct", "changes": [{"change": "remove", "turn": True}]},
        {"event": "correct", "changes": [{"change": "replace", "turn": 1, "event": {"event": "round"}}]},
        {"event": "correct", "changes": [{"change": "set", "figures": {"white": 1}}]},
        {"event": "correct", "changes": [{"change": "set", "cards": ["9z"]}]},
        {"event": "correct", "changes": [{"change": "set", "won": "anna"}]},
        {"event": "correct", "changes": [3], "why": 5},
    ],
)
def test_anything_else_is_no_correction(obj: Any) -> None:
    with pytest.raises(EventError):
        correction_from_json(obj)


def test_the_record_of_a_corrected_match_replays_to_where_it_stands() -> None:
    changes = (Replace(1, turn("3c", 4, 23)), Setting(BySide(8, 15), BySide(2, 1)))
    entries = (*FOUR_TURNS, Correction(changes, "misread"), turn("5e", 13, 15), YieldEvent())
    course = course_of(*entries)
    record = record_of(entries)
    assert record == record_of_steps(course.steps)
    text = print_record(record, ["Corrected: the card was 3c\nnot 3a"])
    assert "\n; Corrected: the card was 3c not 3a\n" in text
    assert "!8/15,2-1" in text
    replayed = list(replay(parse_record(text)))
    assert replayed[-1][1] == course.state
    assert course.state.score == BySide(3, 1)


def test_a_drawn_round_is_said_too_and_nothing_is_told_of_it() -> None:
    course = corrected(course_of(*OPENING), Setting(won=Won.NOBODY), why="said")
    assert course.state.result == Result(None, Reason.DRAW)
    assert all(page.moments == () for page in retell(finished_round(course)))
