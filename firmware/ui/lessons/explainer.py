"""Explains a rule of the later lessons in a match, the first time that it happens to somebody who takes the lessons."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from display.view import Situation
from display.words.lessons import occasion_panel
from display.words.sentences import words_for
from engine.lessons.occasions import Occasion, occasions
from engine.rules.state import PublicState
from engine.table.desk import Desk
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.watched import Part
from firmware.ui.companion.opponents import is_a_person
from firmware.ui.lessons.progress import Progress
from vision.look import Look


class Explainer(Helper):
    """Shows one sentence beside the game until the next event, and keeps what was shown.

    Only for people who take lessons and have not learned the one about the rule.
    """

    part: Final = Part.TEACHER

    def __init__(self, people: People, progress: Progress) -> None:
        super().__init__()
        self._people = people
        self._progress = progress
        self._met: tuple[Occasion, PublicState] | None = None
        self._shown = False

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """Add the explanation, unless another helper uses the panel."""
        if self._met is None or situation.helped.panel is not None or situation.paused or situation.mode != "play":
            return situation
        occasion, state = self._met
        if desk.state is not state:
            return situation
        self._shown = True
        say = words_for(situation.language, situation.names)
        return replace(situation, helped=replace(situation.helped, panel=occasion_panel(say, occasion, state)))

    def attend(self, moment: Moment) -> None:
        """Keep what was shown, and look for a rule that the last event is the first example of."""
        if self._shown and self._met is not None and self._is_new(self._met[0]):
            self._progress.explained(self._learners(), self._met[0])
        self._shown = False
        for entry in moment.entries:
            if entry.ruling.ok:
                self._met = None
            if entry.ruling.ok and entry.state is not None:
                new = (occasion for occasion in occasions(entry.ruling, entry.state) if self._is_new(occasion))
                self._met = next(((occasion, entry.state) for occasion in new), None)

    def anew(self) -> None:
        """Forget the explanation."""
        super().anew()
        self._met = None

    def _learners(self) -> tuple[str, ...]:
        people = (name for _, name in self._people.names.items() if is_a_person(name))
        return tuple(name for name in people if self._progress.of(name).lessons)

    def _is_new(self, occasion: Occasion) -> bool:
        pupils = [self._progress.of(name) for name in self._learners()]
        return any(occasion.lesson not in each.lessons and occasion.value not in each.explained for each in pupils)
