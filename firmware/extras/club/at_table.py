"""A table's place in its club: it asks the called pair, keeps its time, and tells the club of the match.

The hall calls the next pair as soon as a match is over. The end of that stays on the screen all the same, until a
button is pressed or it has been there long enough to be read: the press that ended the match is often made twice, and
says nothing. Both buttons begin the match of the pair that is called.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Annotated, Final

from display.view import Situation
from display.words.club import Call, called
from engine.competition.bouts import EXTRA_S, Tie
from engine.record.corrections import Correction, Setting
from engine.record.course import Course, CourseStep
from engine.rules.events import Limit, MatchEvent, RevealEvent, TimeEvent, TurnEvent, YieldEvent, event_to_json
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.strict.text import Bounds, MalformedError, json_of
from engine.strict.values import Length, Range, plain, read
from engine.table.desk import Desk
from engine.table.presses import Button, Press
from firmware.core.config import data_folder
from firmware.core.io.files import write_state
from firmware.extras.club.card import read_card
from firmware.extras.club.messages import NO_HANDICAP, ClubError, NextCall
from firmware.extras.club.publisher import Publisher
from firmware.extras.club.wall import RESULT_S
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.requests import Begin, Enter
from firmware.table.loop.watched import Part
from firmware.table.service.extras import ExtraMatch, Joined
from vision.look import Look

HANDICAP: Final = "begins with a handicap"
"""Why the score is put right at the beginning, as the journal has it."""
MIN_RESULT_S: Final = 2.0
"""A button pressed sooner after the end was pressed for the match."""
_BETWEEN: Final = (None, Phase.SETUP, Phase.MATCH_OVER)


class Called(Helper):
    """Asks, and begins the match. ``confirmed`` is told the bout and the names once both have pressed."""

    part: Final = Part.CLUB

    def __init__(
        self,
        confirmed: Callable[[str, BySide[str]], None],
        make_room: Callable[[], None] = lambda: None,
        lot: Callable[[], Side] = lambda: secrets.choice(list(Side)),
    ) -> None:
        """``make_room`` has what else is shown between matches leave the screen; ``lot`` draws who has priority."""
        super().__init__()
        self._confirmed, self._make_room, self._lot = confirmed, make_room, lot
        self._heard: NextCall | None = None
        self._asks = False
        self._ahead = NO_HANDICAP
        self._said: NextCall | None = None
        self._call: Call | None = None
        self._here: set[Side] = set()
        self._refused: tuple[str, int] | None = None
        self._begun: tuple[str, int] | None = None
        self._rules = DEFAULT_RULES.name
        self._between = self._played = False
        self._now_s = 0.0
        self._ended_s: float | None = None

    def on_next(self, said: NextCall | None) -> None:
        """Note the hall's call, from another thread: one value is put in the place of another."""
        self._said = said

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """While the question stands the presses are answers to it."""
        self._listen()
        self._now_s = now_s
        if self._call is None or not self._between:
            return presses
        if self._shows_result():
            return self._hear_at_the_end(presses)
        left: list[Press] = []
        for press in presses:
            if press.button is Button.UNDO:
                self._refused = _named(self._said)
                self._forget()
                return tuple(left)
            if press.button.side is None:
                left.append(press)
                continue
            self._here.add(press.button.side)
            if len(self._here) == 2:
                self._begin(self._call)
                return ()
        return tuple(left)

    def _hear_at_the_end(self, presses: tuple[Press, ...]) -> tuple[Press, ...]:
        """A button makes room for the next pair. To take back and the menu are what they always are."""
        others = tuple(press for press in presses if press.button in (Button.UNDO, Button.MENU))
        if len(others) < len(presses) and self._shown_s() >= MIN_RESULT_S:
            self._ended_s = None
        return others

    def _shown_s(self) -> float:
        return 0.0 if self._ended_s is None else self._now_s - self._ended_s

    def _shows_result(self) -> bool:
        """Whether a match ended here just now, and people are to read how."""
        return self._ended_s is not None and self._shown_s() < RESULT_S

    def _follow(self, state: PublicState | None) -> None:
        """Note when a match that was played here comes to its end; one taken up after it is read already."""
        if state is None or state.phase is not Phase.MATCH_OVER:
            self._played, self._ended_s = state is not None and state.round > 0, None
        elif self._played:
            self._played, self._ended_s = False, self._now_s

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The question, between matches only."""
        state = desk.state
        self._follow(state)
        self._between = (None if state is None else state.phase) in _BETWEEN and (
            state is None or state.phase is Phase.MATCH_OVER or state.round == 0
        )
        if state is not None:
            self._rules = state.rules.name
            if self._ahead != NO_HANDICAP and state.phase is Phase.TURN:  # there is a round to begin with it now
                self._asked.append(Enter(Correction((Setting(score=self._ahead),), HANDICAP)))
                self._ahead = NO_HANDICAP
        if self._call is None or not self._between or situation.helped.panel is not None:
            self._asks = False
            return situation
        if self._shows_result():
            return replace(situation, next_pair=self._call.names)
        if not self._asks:
            self._make_room()
        self._asks = True
        return called(self._before(situation, self._call), self._call, self._here)

    def _before(self, situation: Situation, call: Call) -> Situation:
        """The table before that match: these two have not fenced what the last pair did."""
        state, _ = judge(None, MatchEvent(self._rules, points=call.points, limit=call.limit))
        assert state is not None
        return replace(situation, state=state._replace(score=call.ahead), ruling=None, revealed=None)

    def _listen(self) -> None:
        said, named = self._said, _named(self._said)
        if said is not None and self._played and named == self._begun:
            self._refused = named  # taken back at its end, it is called again while it is played
        elif named != self._refused:
            self._refused = None  # whom the hall calls after that, it calls anew: a bout may be fenced again
        if said is None or named == self._refused:
            self._forget()
        elif said != self._heard:
            self._heard, self._call, self._here = said, self._drawn(said), set()

    def _drawn(self, said: NextCall) -> Call:
        """The call with how long it is and the lot drawn: before the match, and once for each."""
        limit = None
        if said.time_s is not None:
            extra_s = EXTRA_S if said.tie is Tie.EXTRA else 0
            limit = Limit(said.time_s, extra_s, None if said.tie is Tie.TOUCH else self._lot())
        return Call(said.names, said.points, said.handicap, limit)

    def _forget(self) -> None:
        self._heard, self._call, self._here = None, None, set()

    def _begin(self, call: Call) -> None:
        assert self._heard is not None
        self._confirmed(self._heard.bout, call.names)
        opening = MatchEvent(self._rules, points=call.points, limit=call.limit)
        self._asked.append(Begin(opening, call.names))
        self._ahead = call.ahead
        self._refused = self._begun = _named(self._heard)  # it is played now: the hall calls the next one
        self._forget()


def _named(said: NextCall | None) -> tuple[str, int] | None:
    """Which match is called: its bout, and its number in that."""
    return None if said is None else (said.bout, said.match)


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
    return any(isinstance(step.entry, TimeEvent) for step in course.steps)


def join(match: ExtraMatch) -> Joined:
    """The helpers of a table that has joined a club; none where its card cannot be used, which is said.

    Raises ClubError and OSError for a card that was named with the command.
    """
    if match.card is None:
        return (), ()
    try:
        card = read_card(match.card)
        calls: list[Called] = []
        outbox = data_folder() / f"club-{card.table}.sqlite"
        publisher = Publisher(card, outbox, match.people, match.say, lambda said: calls[0].on_next(said))
    except (ClubError, OSError) as error:
        if match.is_named:
            raise
        match.say(f"The club is not told of this game: {error}")
        return (), ()
    calls.append(Called(publisher.confirmed, match.make_room))
    publisher.start()
    clock = Timekeeper(data_folder() / "clock.json", match.people)
    match.held.enter_context(closing(publisher))
    match.watch.there(Part.BROKER, lambda: publisher.up)
    match.say(f"This is table {card.table} of the club {card.club}.")
    return (calls[0], clock, publisher), ()
