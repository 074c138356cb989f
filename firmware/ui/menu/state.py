"""State that the pages of the menu share: match, people, devices, choices, requests to the loop."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from display.i18n import Words, words
from display.menu.asking import FRIENDLY, chosen_name
from display.menu.model import Act, Deed, Menu, Pick, leave, stay
from display.menu.settings import Setting
from display.view import NO_NAMES
from display.words.sentences import words_for
from display.words.verdicts import step_text
from engine.companion.companion import name_of
from engine.players.bots.strengths import RIVALS, rival_name
from engine.puzzles.puzzle import Attempt, Puzzle
from engine.record.corrections import Change
from engine.record.course import Course, JournalEntry
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, TurnEvent, UndoEvent
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, EndTurn
from firmware.book.scorebook.copies import number_of
from firmware.core.clock import day_number
from firmware.core.config import Config
from firmware.core.names import person_key
from firmware.table.loop.moment import People
from firmware.table.loop.requests import MENU, PAUSE, Begin, EndTurns, Enter, Hold, Release, Request, Stop
from firmware.ui.coach.coach import Coach, Mode
from firmware.ui.companion.opponents import companion_in, strength_of
from firmware.ui.lessons.lost_rounds import LostRounds, last_of
from firmware.ui.lessons.progress import Bookmark, Progress, Pupil, next_lesson
from firmware.ui.lessons.solving import Solving, warm_up
from firmware.ui.lessons.teacher import Teacher
from firmware.ui.menu.errand import Errand, Making
from firmware.ui.menu.machine import CheckLine, Household
from firmware.ui.menu.past import Past
from firmware.ui.menu.people import Home, Renaming
from vision.frame import Frame
from vision.look import Look

Then: TypeAlias = Path | Literal["setup", "register"] | None
"""What to go on with once the game has been closed: a copy of the book, the first start, or nothing."""


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn of this round that can be corrected: its number in the record, what it did in words, and its cards."""

    number: int
    text: str
    cards: tuple[Card, ...] = ()


class MenuState:
    """Read by the pages when they are shown; changed when a line of theirs is chosen.

    ``told`` answers the last choice. ``lesson`` is given, ``wanted`` done, once the game has ended; ``left``: the
    lessons are over. ``entered``: the shown page entered something by hand.
    """

    def __init__(
        self,
        people: People,
        machine: Household,
        config: Config,
        coach: Coach | None = None,
        progress: Progress | None = None,
        teacher: Teacher | None = None,
        *,
        can_set_up: bool = False,
        seated: bool = False,
    ) -> None:
        """``progress`` of those who learn here; None: there are no lessons now. ``teacher`` gives lessons now.

        ``can_set_up``: the first start can be opened again from here. ``seated``: people sit at a simulated table.
        """
        self.people, self.machine, self.coach, self.progress, self.teacher = people, machine, coach, progress, teacher
        self.config = replace(config, language=people.language)
        self.asked: list[Request] = []
        """What the loop is to do before the next look."""
        self.ask = self.asked.append
        self.can_set_up, self.seated = can_set_up, seated
        self.desk = Desk()
        self.frame: Frame | None = None
        self.look: Look | None = None
        self.known: tuple[str, ...] = ()
        self.told, self.paused, self.entered, self.left = "", False, False, False
        self.named_before: Change | None = None
        """A correction by which later turns fall: they have been named, and it is made if it is chosen once more."""
        self.take_name: Callable[[Menu], Menu | None] | None = None
        """Takes the name that is written, instead of the page where a match begins."""
        self.lesson: Bookmark | None = None
        self.wanted: Then = None
        self.errand, self.sheets, self.home = Errand(), Making(machine, "menu.sheet_made"), Home(machine, people)
        self.past, self.renaming = Past(machine, progress), Renaming(machine, people, progress)
        self.solving = self.lost = None
        if progress is not None:
            self.solving, self.lost = Solving(progress), LostRounds(progress, partial(last_of, machine.book.path))

    # the match
    @property
    def language(self) -> str:
        return self.people.language

    @property
    def names(self) -> BySide[str]:
        return self.people.names

    @property
    def course(self) -> Course | None:
        return self.desk.course

    @property
    def state(self) -> PublicState | None:
        return self.desk.state

    @property
    def is_playing(self) -> bool:
        """Whether a match goes on."""
        return self.state is not None and self.state.phase is not Phase.MATCH_OVER

    @property
    def waits_for_a_match(self) -> bool:
        """True before and after a match, when a press leads to a new one. Not in a lesson."""
        return not self.is_playing and not self.teaching

    @property
    def say(self) -> Words:
        """The words of the language."""
        return words(self.language)

    @property
    def named(self) -> Words:
        """The words for those who play here, for pages on which their own match goes on."""
        return words_for(self.language, self.names)

    @property
    def last(self) -> str:
        """The last turn or event in words; empty for none."""
        course = self.course
        return step_text(self.named, course.steps[-1]) if course is not None and len(course.steps) > 1 else ""

    @property
    def turns(self) -> tuple[TurnLine, ...]:
        """The turns of the round that is played, turn 1 first."""
        return tuple(
            TurnLine(number, step_text(self.named, step), step.entry.cards if isinstance(step.entry, TurnEvent) else ())
            for number, step in enumerate(self.course.round_steps if self.course is not None else (), start=1)
        )

    @property
    def rules(self) -> str:
        return self.state.rules.name if self.state is not None else self.config.rules

    @property
    def points(self) -> int:
        return self.course.steps[0].state.points if self.course is not None else self.config.points

    @property
    def against(self) -> str | None:
        """Black's player: the companion's level, a bot's name, None for a person."""
        if self.seated and self.names.black in RIVALS:
            return self.names.black
        if self.seated and self.names == NO_NAMES:
            return rival_name(FRIENDLY)  # somebody alone has just sat down
        plays = companion_in(self.names)
        return plays[1] if plays is not None and plays[0] is Side.BLACK else None

    @property
    def coach_offers(self) -> dict[Act, Deed]:
        """The coach's lines at this moment, in a match."""
        if self.coach is None:
            return {}
        offers = {do: leave(work) for do, work in self.coach.offers.items()}
        return {**offers, Act("retell"): leave(self.retell)} if self.coach.can_retell else offers

    @property
    def open_match(self) -> dict[Act, Deed]:
        """The coach's line where a match begins."""
        return {} if self.coach is None else {Act("begin_open"): partial(self.begin, hands_open=True)}

    @property
    def answer(self) -> str:
        """The answer to the last choice, or a report on work beside the game."""
        return self.told or self.errand.told(self.language) or self.machine.stick_told(self.language)

    # lessons and puzzles
    @property
    def pupils(self) -> dict[Side, Pupil]:
        """Progress of both players; empty if nobody learns here."""
        progress = self.progress
        return {} if progress is None else {side: progress.of(name) for side, name in self.names.items()}

    @property
    def next_lesson(self) -> str:
        """The lesson to go on with; empty where nobody learns."""
        return "" if self.progress is None else next_lesson(self.progress, self.names).lesson

    @property
    def kept(self) -> Progress:
        """The file of progress, for pages that exist only where somebody learns."""
        assert self.progress is not None
        return self.progress

    @property
    def cards_of_round(self) -> tuple[Card, ...]:
        """The cards played in the round that has just ended; none while one goes on."""
        return self.state.played if self.state is not None and self.state.result is not None else ()

    @property
    def teaching(self) -> bool:
        """Whether a lesson is being given."""
        return self.teacher is not None

    @property
    def puzzling_at_table(self) -> bool:
        """Whether a puzzle is set up on the board."""
        return self.teacher is not None and self.teacher.told.puzzle is not None

    @property
    def day(self) -> int:
        return day_number()

    @property
    def warm_up(self) -> int:
        """Number of positions due in the warm-up."""
        return len(warm_up(self.pupils.values(), self.day))

    @property
    def own(self) -> tuple[tuple[str, Puzzle], ...]:
        """Puzzles made of the players' own mistakes, the newest first, each with the name of whoever made it."""
        return tuple((self.names[side], each) for side, pupil in self.pupils.items() for each in reversed(pupil.own))

    def attempt_at(self, puzzle: Puzzle) -> Attempt:
        """The attempt at this puzzle."""
        assert self.solving is not None
        return self.solving.attempt(puzzle)

    # the scorebook and the machine
    @property
    def checks(self) -> tuple[CheckLine, ...]:
        """Every check of the machine; none while they are being made."""
        if self.frame is None or self.look is None:
            return ()
        return self.machine.checks(self.frame, self.look, self.language)

    @property
    def backups(self) -> tuple[str, ...]:
        """The copies of the book, by name."""
        say = self.say
        return tuple(
            say.say("menu.own_copy", number=number_of(path))
            if stick is None
            else say.say("menu.copy", where=stick.name, number=number_of(path))
            for stick, path in self.machine.backups()
        )

    # what is done from several pages
    def opened(self) -> None:
        """The menu was opened: names are looked up anew, and mistakes in new matches are looked for beside the game."""
        self.told, self.named_before = "", None
        self.known = self.machine.known_names()
        if self.lost is not None:
            self.lost.look()
        self.ask(Hold(MENU))

    def answered(self, work: Callable[[str], str]) -> Deed:
        """The deed that does this, and answers with what it says in the players' language."""

        def done() -> None:
            self.told = work(self.language)

        return stay(done)

    def begin_errand(self, work: Callable[[str], str]) -> None:
        """Have this done beside the game; what it says in the players' language answers, if that comes soon."""
        self.told = self.errand.do(partial(work, self.language), lambda: self.say.say("menu.no_copy"))

    def print_sheet(self, sheet: str, players: Iterable[str] = ()) -> None:
        """Have this sheet put onto the newest stick; the names of these players are on it."""
        asked = ["--only", sheet, "--language", self.language, *(f"--player={name}" for name in players)]
        self.sheets.begin(f"{sheet}-a4.pdf", lambda stick: ["print", "--out", str(stick), *asked])

    def pause(self, *, on: bool) -> None:
        """Nothing is judged until the pause is over."""
        self.paused = on
        self.ask(Hold(PAUSE) if on else Release(PAUSE))

    def undo(self) -> None:
        """Take back what was done last in the match."""
        self.ask(Enter(UndoEvent()))

    def stop(self, then: Then = None) -> None:
        """Close the game, and go on with this."""
        self.wanted = then
        self.ask(Stop())

    def enter(self, entries: tuple[JournalEntry, ...]) -> None:
        """Enter what was tapped into the record of the match."""
        for entry in entries:
            self.ask(Enter(entry))
        self.entered = self.entered or bool(entries)

    def leave_lessons(self) -> None:
        """Go back to the game."""
        self.left = True
        self.stop()

    def lesson_at(self, lesson: str) -> Deed:
        """The deed that gives this lesson."""
        return leave(lambda: self.learn(Bookmark(lesson)))

    def learn(self, at: Bookmark) -> None:
        """Give this lesson, for which the game makes way."""
        if self.teacher is not None:
            self.teacher.go_to(at)
            return
        self.lesson = at
        self.pause(on=False)
        self.ask(Stop())

    def learn_on(self) -> None:
        """Give the lesson to go on with."""
        if self.progress is not None:
            self.learn(next_lesson(self.progress, self.names))

    def retell(self) -> None:
        """Tell the last finished round again, where there is a coach and such a round; a pause ends with it."""
        if self.coach is not None and self.coach.can_retell:
            self.pause(on=False)
            self.coach.retell()

    def begin(self, menu: Menu, *, hands_open: bool = False) -> Menu | None:
        """Begin a match as chosen on the start page and last time. The menu stays if both have the same name.

        ``hands_open``: both are asked whether to play with open hands.
        """
        names = BySide(*(chosen_name(menu, side, self.names[side]) for side in Side))
        against = menu.chosen(Pick.AGAINST, self.against)
        if against is not None:
            names = names.put(Side.BLACK, against if against in RIVALS else name_of(against))
        elif names.black in RIVALS or strength_of(names.black) is not None:
            names = names.put(Side.BLACK, NO_NAMES.black)  # it played last time, and a person does now
        if person_key(names.white) == person_key(names.black):
            self.told = self.say.say("menu.same_name")
            return menu
        starter = menu.chosen(Pick.STARTER, self.config.starter)
        side = random.Random().choice(list(Side)) if starter == "lot" else Side(starter)
        rules, points = menu.chosen(Pick.RULES, self.rules), menu.chosen(Pick.POINTS, self.points)
        self.ask(Begin(MatchEvent(rules, side, points), names))
        self.pause(on=False)
        if hands_open and self.coach is not None:
            self.coach.propose_next(Mode.OPEN)
        return None

    def set(self, setting: Setting, value: Any) -> None:
        """Put a setting in force at once, and keep it."""
        self.config = replace(self.config, **{setting.name: value})
        if setting.name == "language":
            self.people.language = value
        elif setting.name == "end_turn":
            self.ask(EndTurns(EndTurn(value)))
        kept = self.machine.set(setting, value)
        self.told = self.say.say("menu.not_kept") if not kept else ""
