"""A table's place in its club: who asks the called pair, keeps its time, and tells the club of the match."""

from __future__ import annotations

import contextlib
import hashlib
import json
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Annotated, Final

from display.view import Situation
from engine.record.course import Course, CourseStep
from engine.rules.events import (
    Limit,
    MatchEvent,
    RevealEvent,
    TimeEvent,
    TurnEvent,
    YieldEvent,
    event_to_json,
)
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.strict.text import Bounds, MalformedError, json_of
from engine.strict.values import Length, Range, plain, read
from engine.table.desk import Desk
from firmware.core.config import data_folder
from firmware.core.io.files import write_state
from firmware.extras.club.called import Called
from firmware.extras.club.card import read_card
from firmware.extras.club.publisher import Publisher
from firmware.extras.club.topics import ClubError
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.requests import Enter
from firmware.table.loop.watched import Part
from firmware.table.service.extras import ExtraMatch, Joined
from vision.look import Look

MAX_FRAME_S: Final = 2.0
"""A camera that was away longer stopped the clock."""


@dataclass(frozen=True, slots=True)
class Used:
    """Time used by a match until so many events."""

    match: Annotated[str, Length(64, 64)]
    events: Annotated[int, Range(0, 10**9)]
    used_s: Annotated[float, Range(0, 1e9)]


class Timekeeper(Helper):
    """Asks for the event when time is up. What was used is kept in ``path``, so that a power cut gives none back."""

    part: Final = Part.CLUB

    def __init__(self, path: Path, people: People) -> None:
        super().__init__()
        self._path, self._people = path, people
        self._opening: CourseStep | None = None
        self._used_s = 0.0
        self._last_s: float | None = None
        self._runs = self._stands = False

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """With what is left, while a match with a limit is played."""
        course, limit = desk.course, _limit(desk)
        self._stands = situation.paused or situation.devices.aim is not None  # not where turns are entered by hand
        if limit is None or course is None or course.state.phase is Phase.MATCH_OVER:
            return situation
        self._follow(course)
        left_s = _allowed_s(limit, course)
        return situation if left_s is None else replace(situation, clock_s=max(0, ceil(left_s - self._used_s)))

    def attend(self, moment: Moment) -> None:
        """Count what was played, and say so when it is enough."""
        course, limit, now_s = moment.desk.course, _limit(moment.desk), moment.frame.t_s
        passed_s = 0.0 if self._last_s is None or not self._runs else now_s - self._last_s
        self._last_s, self._runs = now_s, False
        if course is None or limit is None:
            return
        self._follow(course)
        self._used_s += min(max(0.0, passed_s), MAX_FRAME_S)
        self._runs = course.state.to_act is not None and not self._stands and moment.desk.comparing is None
        fell = [entry for entry in moment.entries if entry.ruling.ok]
        if not fell:
            return
        self._keep(course)
        allowed_s = _allowed_s(limit, course)
        ended = isinstance(fell[-1].event, TurnEvent | YieldEvent | RevealEvent)
        if not ended or allowed_s is None or self._used_s < allowed_s:
            return
        event = TimeEvent(limit.priority if _called(course) or not limit.extra_s else None, limit.drawn)
        if judge(course.state, event)[1].ok:  # else an attack waits, or hands are to be shown: at the end of that
            self._asked.append(Enter(event))

    def _follow(self, course: Course) -> None:
        """Begin anew with another match; one that was cut off goes on with what was used of it."""
        if course.steps[0] is self._opening:
            return
        self._opening = course.steps[0]
        self._used_s = self._kept(course)

    def _name(self, course: Course) -> str:
        """A digest that stands for this match, so that no names are kept here."""
        opening = course.steps[0].entry
        assert isinstance(opening, MatchEvent)
        told = [event_to_json(opening), self._people.names.white, self._people.names.black]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def _kept(self, course: Course) -> float:
        if len(course.steps) == 1:
            return 0.0
        try:
            kept = read(Used, json_of(self._path.read_bytes(), Bounds(4096, 2)))
        except (OSError, MalformedError):
            return 0.0
        return kept.used_s if kept.match == self._name(course) and kept.events <= len(course.steps) else 0.0

    def _keep(self, course: Course) -> None:
        """A disk that is full costs no more than the time after a power cut."""
        kept = plain(Used, Used(self._name(course), len(course.steps), round(self._used_s, 1)))
        with contextlib.suppress(OSError):
            write_state(self._path, json.dumps(kept, ensure_ascii=False))


def _limit(desk: Desk) -> Limit | None:
    opening = desk.course.steps[0].entry if desk.course is not None else None
    return opening.limit if isinstance(opening, MatchEvent) else None


def _allowed_s(limit: Limit, course: Course) -> float | None:
    """How much may be played as the match stands; None where one more touch decides, however long it takes."""
    if not _called(course):
        return float(limit.time_s)
    return float(limit.time_s + limit.extra_s) if limit.extra_s else None


def _called(course: Course) -> bool:
    """Whether time was called in this match."""
    return any(isinstance(step.entry, TimeEvent) for step in course.steps)


ALONE: Final[Joined] = (), ()


def join(match: ExtraMatch) -> Joined:
    """The helpers of a table that has joined a club; none where its card cannot be used, which is said.

    Raises ClubError and OSError for a card that was named with the command.
    """
    if match.card is None:
        return ALONE
    try:
        card = read_card(match.card)
        calls: list[Called] = []
        outbox = data_folder() / f"club-{card.table}.sqlite"
        publisher = Publisher(card, outbox, match.people, match.say, lambda said: calls[0].on_next(said))
    except (ClubError, OSError) as error:
        if match.is_named:
            raise
        match.say(f"The club is not told of this game: {error}")
        return ALONE
    calls.append(Called(publisher.confirmed, match.make_room))
    publisher.start()
    clock = Timekeeper(data_folder() / "clock.json", match.people)
    match.held.enter_context(closing(publisher))
    match.watch.there(Part.BROKER, lambda: publisher.up)
    match.say(f"This is table {card.table} of the club {card.club}.")
    return (calls[0], clock, publisher), ()
