"""Lessons taken by ear: what is read aloud is all that is said on the screen, and the transcript is kept.

The pupils make mistakes; whoever only listens hears what to set up, which cards to take, what to do, what was wrong
with it and what to put back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES
from display.words.sentences import words_for
from engine.lessons.lesson import StepStage, Telling
from engine.rules.track import BySide, Side
from firmware.table.loop.moment import Moment
from firmware.table.sound.voice import SETTLED_S, Reader, ended

pytestmark = pytest.mark.slow

KEPT = Path(__file__).with_name("spoken_lessons.txt")
TAKEN = ("first", "parry", "indirect", "curious")
MAX_WORDS = 115


class Ear:
    """What is heard of a class, and what its screen said long enough to be read."""

    def __init__(self, room: Any) -> None:
        self._room = room
        self._reader = Reader()
        self.transcript: list[str] = []
        self.heard: list[tuple[float, str]] = []
        self.stood: dict[tuple[str, ...], float] = {}
        self.told: list[tuple[float, Telling]] = []
        attend = room.attend

        def hears(moment: Moment) -> None:
            attend(moment)
            self._hear(moment)

        room.attend = hears

    def _hear(self, moment: Moment) -> None:
        view, now_s = moment.view, moment.frame.t_s
        said = self._reader.news(view.heard.aloud, now_s, view.heard.aloud_page)
        if said:
            self.transcript.append(said)
            self.heard.append((now_s, said))
        if not self.told or self.told[-1][1] is not self._room.teacher.shown:
            self.told.append((now_s, self._room.teacher.shown))


def taken(lesson_with: Callable[..., Any], lesson: str, mistakes: float = 0.5, language: str = "en") -> Ear:
    room = lesson_with(lesson, mistakes, seed=3, language=language)
    ear = Ear(room)
    room.run()
    return ear


def test_whole_lessons_are_heard_and_their_transcript_is_kept(lesson_with: Callable[..., Any]) -> None:
    heard = []
    for lesson in TAKEN:
        ear = taken(lesson_with, lesson)
        heard += [f"== {lesson}", *ear.transcript]
        said = " ".join(ear.transcript)
        for (began_s, told), (until_s, _) in zip(ear.told, ear.told[1:], strict=False):
            if until_s - began_s <= 2 * SETTLED_S or told.lesson.id != lesson:
                continue  # gone before it can be read
            if told.stage is StepStage.SETUP:
                spaces = told.state.spaces
                assert re.search(rf"\b{spaces.white}\b.*\b{spaces.black}\b", said)
                for side, hand in told.hands.items():
                    name = {Side.WHITE: "Ana", Side.BLACK: "Ben"}[side]
                    cards = ", ".join(map(str, hand))
                    assert not hand or re.search(rf"{name}[^.]*: {cards}", said), (name, cards)
            if told.stage in (StepStage.DO, StepStage.ASK) and not told.answer:
                assert ended(_sentence(told, "do")) in said
            if told.answer:
                assert ended(_say(told.spoken)) in said
    assert "\n".join(heard) + "\n" == KEPT.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_few_words_come_before_the_first_touch(lesson_with: Callable[..., Any], language: str) -> None:
    """In the first minute somebody touches somebody: 100 words take 45 s to be read aloud, as the bench measures."""
    ear = taken(lesson_with, "first", 0.0, language)
    touched_s = next(at_s for at_s, told in ear.told if told.stage is StepStage.WHY)
    before = " ".join(said for at_s, said in ear.heard if at_s < touched_s)
    assert 60 < len(before.split()) <= MAX_WORDS
    say = words_for(language, BySide("Ana", "Ben"))
    assert say.say("lessons.first.goal") in before, "the aim, and how many touches win, come first"


def _sentence(told: Telling, part: str) -> str:
    return _say(f"lessons.{told.lesson.id}.{told.step.id}.{part}")


def _say(key: str) -> str:
    return words_for("en", BySide("Ana", "Ben")).say(key)
