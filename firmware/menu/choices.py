"""What the menu shows of the match and the machine, and what each choice does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from display.draw.portraits import PORTRAITS
from display.i18n import Words, words
from display.menu.asking import FRIENDLY
from display.menu.checks import CheckLine
from display.menu.context import MenuContext, TurnLine
from display.menu.lines import Act, Do, Goto, Line, Of, Open, Where, kind_of
from display.menu.model import Menu, Page
from display.menu.naming import chosen_name
from display.menu.pages import page_of
from display.menu.settings import MENU_SETTINGS, Setting
from display.view import NO_NAMES
from display.words.sentences import words_for
from display.words.told import step_text
from engine.players.bots.strengths import RIVALS, rival_name
from engine.record.course import CourseStep
from engine.rules.cards import Card
from engine.rules.events import TurnEvent, UndoEvent
from engine.rules.state import Phase
from engine.rules.track import Side
from engine.table.desk import Desk, EndTurn
from engine.table.observation import TableObservation
from engine.table.presses import Button
from firmware.coach.agreement import Mode
from firmware.coach.coach import OFFERS, Coach
from firmware.companion.opponents import companion_in
from firmware.config import Config
from firmware.lessons.progress import Bookmark, Progress, lessons_to_choose, next_lesson
from firmware.loop.moment import Helper, Moment, People, there
from firmware.loop.requests import KEEPER, MENU, PAUSE, Compare, EndTurns, Enter, Hold, LookAfresh, Release, Stop
from firmware.menu.beginning import match_chosen
from firmware.menu.by_hand import at_what_follows, filled_in, kept_plainly, tapped, wants_to_choose
from firmware.menu.correcting import Correcting, change_chosen
from firmware.menu.errand import Errand
from firmware.menu.home import Home
from firmware.menu.machine import Household
from firmware.menu.naming import asked_for_picture, named
from firmware.menu.page import MenuPage
from firmware.menu.past import Past
from firmware.menu.playing import CountingPage, ExercisesPage
from firmware.menu.printing import Printing, taught
from firmware.menu.puzzling import Puzzling
from firmware.menu.renaming import Renaming, is_of_these_pages
from firmware.menu.who import WHO, WhoPage
from firmware.scorebook.copies import number_of
from firmware.scorebook.rolling import number_of_copy
from vision.frame import Frame
from vision.look import Look

_ASKED: Final = {asked: mode for mode, (asked, _) in OFFERS.items()}
_ENDED: Final = {ended: mode for mode, (_, ended) in OFFERS.items()}

Then: TypeAlias = Path | Literal[Do.SET_UP, Do.REGISTER] | None
"""What to go on with once the game has been closed: a copy of the book, the first start, or nothing."""


class Choices(Helper):
    """Does what was chosen, and asks the loop for the rest. ``told`` answers it; ``paused`` holds the game."""

    def __init__(
        self,
        people: People,
        machine: Household,
        config: Config,
        coach: Coach | None = None,
        progress: Progress | None = None,
        *,
        can_set_up: bool = False,
        seated: bool = False,
    ) -> None:
        """``progress`` of those who learn here; None: there are no lessons now. ``seated``: people sit at a simulated
        table, at which bots play too."""
        super().__init__()
        self.progress = progress
        self.lesson: Bookmark | None = None
        """The lesson to give, once the game has made way for it."""
        self._people = people
        self._desk = Desk()
        self._frame: Frame | None = None
        self._look: Look | None = None
        self._machine, self._past = machine, Past(machine, progress)
        self._home = Home(machine)
        self._printing = Printing(machine)
        self._errand = Errand()
        self._renaming = Renaming(machine, people, progress)
        self._puzzling = None if progress is None else Puzzling(progress, people, machine.last_played)
        self._config = replace(config, language=people.language)
        self._coach = coach
        self._known: tuple[str, ...] = ()
        self.paused = False
        self.told = ""
        self._entered = False
        self._correcting = Correcting(people)
        self._can_set_up = can_set_up
        self.wanted: Then = None
        self._seated = seated
        self._who = WhoPage(machine, people, progress) if seated and progress is not None else None
        counting = None if progress is None else CountingPage(people, progress, self._cards_of_round)
        exercises = None if progress is None else ExercisesPage(people, progress)
        self._pages: dict[str, MenuPage] = {each.id: each for each in there(self._who, exercises, counting)}

    def page(self, menu: Menu) -> Page:
        """The page that is shown."""
        place = menu.here.page
        if isinstance(place, Open):
            made = self._pages[place.page].shown(words(self._people.language), menu, place)
            return replace(made, lines=(*made.lines, self.told)) if self.told else made
        return page_of(menu, self.context(place))

    def opens_by_itself(self, moment: Moment) -> Open | None:
        """The page that is shown now without being asked for; None for none."""
        return WHO if self._who is not None and self._who.is_due(moment) else None

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """The match to choose from, as it is when presses are heard."""
        self._desk = desk
        return seen

    def attend(self, moment: Moment) -> None:
        """The match and the table to choose from, as they are when the menu is drawn."""
        self._desk, self._look, self._frame = moment.desk, moment.look, moment.frame

    def _cards_of_round(self) -> tuple[Card, ...]:
        """The cards played in the round that has just ended; none while one goes on."""
        state = self._desk.state
        return state.played if state is not None and state.result is not None else ()

    @property
    def waits_for_a_match(self) -> bool:
        """Whether there is no match, or it is over: a press can only mean another."""
        state = self._desk.state
        return state is None or state.phase is Phase.MATCH_OVER

    @property
    def is_over(self) -> bool:
        """Whether a match is over, and nothing follows it yet."""
        state = self._desk.state
        return state is not None and state.phase is Phase.MATCH_OVER

    def opened(self) -> None:
        """The menu was opened: nothing is judged while it is, and names are looked up anew."""
        self.told = ""
        self._correcting = Correcting(self._people)
        self._known = self._machine.known_names()
        if self._puzzling is not None:
            self._puzzling.opened()
        self._asked.append(Hold(MENU))

    def chooses_turn(self, button: Button) -> bool:
        """Whether this button asks for a turn to be chosen that the eyes cannot see, see ``by_hand_offer``."""
        return not self.paused and wants_to_choose(self._desk, button)

    def turn_to_choose(self) -> dict[Line, object]:
        """The menu is opened for that: what is known already, as values of its page."""
        return filled_in(self._desk)

    def showing(self, page: Where | None, *, unseen: bool = True) -> None:
        """This page is shown now, None where the menu was left. Who keeps the score by hand does not pause the game.

        What was entered there is compared with the table, where it was entered ``unseen``.
        """
        keeps = page in (Goto.MANUAL, Goto.PLAIN)
        if self._entered and not keeps:
            self._asked += [Compare()] if unseen else []
            self._entered = False
        if self._puzzling is not None:
            self._puzzling.showing(page)
        self._asked += [Hold(KEEPER) if keeps else Release(KEEPER)]
        self._asked += [Release(MENU) if keeps or page is None else Hold(MENU)]

    @property
    def by_hand_page(self) -> Goto | None:
        """Where this match is kept by hand: turn by turn, or as before; None where there is none."""
        course = self._desk.course
        if course is None:
            return None
        return Goto.PLAIN if kept_plainly(course) else Goto.MANUAL

    def anew(self) -> None:
        """The menu is closed, whatever failed there, and holds the game no longer."""
        self._asked[:] = [Release(MENU), Release(KEEPER), Release(PAUSE)]
        self.paused, self.told, self._entered = False, "", False
        self._past.look_again()

    def pause(self, *, on: bool) -> None:
        """Nothing is judged until the pause is over."""
        self.paused = on
        self._asked.append(Hold(PAUSE) if on else Release(PAUSE))

    def context(self, page: Where) -> MenuContext:
        """What this page is made from; what only other pages show is left out."""
        course, language, people = self._desk.course, self._people.language, self._people.names
        say = words_for(language, self._people.names)
        state, past = self._desk.state, self._past.facts(page, language)
        last = step_text(say, course.steps[-1]) if course is not None and len(course.steps) > 1 else ""
        turns = tuple(
            TurnLine(number, step_text(say, step), step.entry.cards if isinstance(step.entry, TurnEvent) else ())
            for number, step in enumerate(self._steps, start=1)
        )
        lessons, next_one, puzzles = (
            lessons_to_choose(self.progress, self._people.names) if self.progress is not None else ((), "", ())
        )
        return MenuContext(
            language,
            state,
            names=self._people.names,
            known=self._known,
            portraits={name: self._people.picture_of(name) for name in (*self._known, people.white, people.black)},
            last=last,
            paused=self.paused,
            turns=turns,
            rules=state.rules.name if state is not None else self._config.rules,
            starter=self._config.starter,
            points=course.steps[0].state.points if course is not None else self._config.points,
            settings={row.name: getattr(self._config, row.name) for row in MENU_SETTINGS},
            history=self._machine.history(language) if page in (Goto.HISTORY, Goto.ELSEWHERE) else (),
            health=self._machine.health(self._look, language) if page is Goto.HEALTH else (),
            checks=self._checks(page, language),
            sight=self._machine.sight(self._look, language) if page is Goto.SIGHT else (),
            backups=self._copies(say) if page is Goto.CARE or kind_of(page) is Goto.RESTORE else (),
            told=self.told
            or self._errand.told(language)
            or past.pop("told", "")
            or self._printed(page, language)
            or self._machine.stick_told(language),
            coach=self._coach.offers if self._coach is not None else (),
            lessons=lessons,
            next_lesson=next_one,
            puzzles=puzzles,
            against=self._against,
            levels=self._machine.levels() if page is Goto.START else {},
            can_set_up=self._can_set_up,
            can_focus=self._machine.can_focus,
            number=self._machine.number if page is Goto.OVER else 0,
            seated=self._seated,
            **(self._puzzling.facts(page) if self._puzzling is not None else {}),
            **past,
            **self._renaming.facts(page),
            **self._home.facts(page, self._people),
        )

    def _printed(self, page: Where, language: str) -> str:
        """What comes of a sheet, on the pages that have one."""
        if page in (Goto.SETTINGS, Goto.LEARN):
            return self._printing.told(language)
        self._printing.leave()
        return ""

    def _checks(self, page: Where, language: str) -> tuple[CheckLine, ...]:
        if kind_of(page) not in (Goto.CHECKS, Goto.CHECK) or self._frame is None or self._look is None:
            return ()
        return self._machine.checks(self._frame, self._look, language)

    @property
    def _against(self) -> str | None:
        """Who plays Black: the companion's level, a bot by its name, None for a person."""
        black = self._people.names.black
        if self._seated and black in RIVALS:
            return black
        if self._seated and self._people.names == NO_NAMES:
            return rival_name(FRIENDLY)  # somebody alone has just sat down
        plays = companion_in(self._people.names)
        return plays[1] if plays is not None and plays[0] is Side.BLACK else None

    def choose(self, key: Line, menu: Menu) -> Menu | None:
        """Do what was chosen; the menu as it is then, None when it is left."""
        self.told = ""
        self._errand.leave()
        language, people = self._people.language, self._people.names
        place = menu.here.page
        if isinstance(place, Open) and isinstance(key, Act | Of):
            return self._pages[place.page].chosen(key, menu)
        match key:
            case Do.CLOSE | Do.PAUSE | Do.RESUME | Do.UNDO | Do.QUIT | Do.SET_UP | Do.REGISTER:
                self._at_the_table(key)
                return None
            case Do() if key in _ASKED or key in _ENDED or key is Do.RETELL:
                self._ask_coach(key)
                return None
            case Do.LEARN_ON if self.progress is not None:
                self._learn(next_lesson(self.progress, people))
                return None
            case Of(Do.LESSON, str(lesson)) if self.progress is not None:
                self._learn(Bookmark(lesson))
                return None
            case Of() if is_of_these_pages(key):
                after = self._renaming.chosen(key, menu, playing=not self.waits_for_a_match)
                self.told = self._renaming.told
                self._past.look_again()
                return after
            case Of(Do.TAKE_NAME, Side() as side):
                back, self._known, self.told = named(menu, side, self._known, words(language))
                if self._who is not None and back.here.page == WHO and not self.told:
                    return self._who.named(back)
                return back if self.progress is None else asked_for_picture(back, side, self._people)
            case Of(Do.TAKE_FACE, Side() as side, int(number)) if self.progress is not None:
                name = chosen_name(menu, side, people[side])
                self.progress.pictured(name, tuple(PORTRAITS)[number])
                return replace(menu, path=menu.path[:-1])
            case Setting():
                self._set(key, menu.values[key])
            case Of() if self._past.chosen(key, language):
                return self._on_a_line(menu)
            case Do.TEST:
                self.told = self._machine.test(language)
            case Do.CALIBRATE:
                self._asked.append(LookAfresh())
            case Do.FOCUS:
                self.told = self._machine.focus(language)
            case Do.PRINT_BACKS:
                self._printing.begin(key, (), language)
            case Do.CERTIFICATE if self.progress is not None:
                self._printing.begin(key, taught(self.progress, people), language)
            case Do.TABLES:
                self._machine.house()  # it is read by the thread that opened the book
                self.told = self._aside(self._machine.tables)
            case Do.BACK_UP:
                self.told = self._aside(self._machine.back_up)
            case Do.SHUT_DOWN:
                self.told = self._aside(self._machine.shut_down)
            case Of(Do.BRING_BACK, int(copy)):
                return self._bring_back(menu, copy)
            case _:
                page = self._tapped(key, menu)
                if page is not None:
                    return page
                return None if self._changes_match(key, menu) else menu
        return menu

    def _aside(self, work: Callable[[str], str]) -> str:
        """What this work says in the players' language, if that comes soon."""
        language = self._people.language
        return self._errand.do(partial(work, language), lambda: words(language).say("menu.no_copy"))

    def _on_a_line(self, menu: Menu) -> Menu:
        """The menu with a line chosen that is there: a page has fewer while something is made of its match."""
        last = len(self.page(menu).items) - 1
        here = replace(menu.here, at=max(0, min(menu.here.at, last)))
        return replace(menu, path=(*menu.path[:-1], here))

    def _tapped(self, key: Line, menu: Menu) -> Menu | None:
        """A tap at a puzzle, or of whoever keeps the score by hand: the page stays; None for any other line."""
        course = self._desk.course
        lying = [reading.card for reading in self._look.table.cards] if self._look is not None else []
        here = self.context(menu.here.page)
        done = None if self._puzzling is None else self._puzzling.tapped(key, menu, here)
        if done is None and course is not None:
            done = tapped(key, menu, course, lying, words_for(self._people.language, self._people.names))
        if done is None:
            return None
        self.told = done.told
        self._asked += [Enter(entry) for entry in done.entries]
        self._entered = self._entered or bool(done.entries)
        return at_what_follows(done.menu, self.page(done.menu))

    def _changes_match(self, key: Line, menu: Menu) -> bool:
        """Begin, correct or go on with the match as was chosen. Whether the menu is left with that."""
        match key:
            case Do.BEGIN:
                return self._begin(menu)
            case Do.BEGIN_OPEN:
                return self._begin_open(menu)
            case Do.SET_FIGURES | Do.SET_SCORE | Of(Do.REPLACE | Do.REMOVE, int()):
                return self._correct(key, menu)
        return False

    def _learn(self, lesson: Bookmark) -> None:
        """Make way for this lesson."""
        self.lesson = lesson
        self.pause(on=False)
        self._asked.append(Stop())

    def _ask_coach(self, do: Do) -> None:
        """What only both may want is asked; a round is told again, something ended, at once."""
        if do is Do.RETELL:
            self.retell()
        elif self._coach is not None and do in _ASKED:
            self._coach.propose(_ASKED[do])
        elif self._coach is not None:
            self._coach.end(_ENDED[do])

    def retell(self) -> None:
        """Tell the last finished round again, where there is a coach and such a round; a pause ends with it."""
        if self._coach is not None and self._coach.can_retell:
            self.pause(on=False)
            self._coach.retell()

    def _begin_open(self, menu: Menu) -> bool:
        """A match that asks both whether their hands shall lie open."""
        begun = self._begin(menu)
        if begun and self._coach is not None:
            self._coach.propose_next(Mode.OPEN)
        return begun

    def _copies(self, say: Words) -> tuple[str, ...]:
        return tuple(
            say.say("menu.own_copy", number=number_of_copy(path))
            if stick is None
            else say.say("menu.copy", where=stick.name, number=number_of(path))
            for stick, path in self._machine.backups()
        )

    def _bring_back(self, menu: Menu, number: int) -> Menu | None:
        """Go on with a copy of the book; one that is damaged, or on a stick that was pulled out, changes nothing."""
        found = self._machine.backups()
        if number >= len(found) or not self._machine.whole(found[number][1]):
            self.told = words(self._people.language).say("menu.bad_copy")
            return menu
        self.wanted = found[number][1]
        self._asked.append(Stop())
        return None

    def _at_the_table(self, do: Do) -> None:
        if do is Do.UNDO:
            self._asked.append(Enter(UndoEvent()))
        elif do in (Do.QUIT, Do.SET_UP, Do.REGISTER):
            self.wanted = do if do is Do.SET_UP or do is Do.REGISTER else None
            self._asked.append(Stop())
        elif do is not Do.CLOSE:
            self.pause(on=do is Do.PAUSE)

    def _begin(self, menu: Menu) -> bool:
        begin = match_chosen(menu, self.context(Goto.START))
        if begin is None:
            self.told = words(self._people.language).say("menu.same_name")
            return False
        self._asked.append(begin)
        self.pause(on=False)
        return True

    def _correct(self, key: Line, menu: Menu) -> bool:
        """Have the match corrected as was chosen; where that cannot be, say why and stay."""
        course = self._desk.course
        assert course is not None
        change = change_chosen(key, menu, course)
        if change is None:
            return True
        correction, why_not = self._correcting.of(change, course)
        if correction is None:
            self.told = why_not
            return False
        self._asked.append(Enter(correction))
        return True

    def _set(self, setting: Setting, value: Any) -> None:
        """A setting: in force at once, and kept."""
        self._config = replace(self._config, **{setting.name: value})
        if setting.name == "language":
            self._people.language = value
        elif setting.name == "end_turn":
            self._asked.append(EndTurns(EndTurn(value)))
        kept = self._machine.set(setting, value)
        self.told = words(self._people.language).say("menu.not_kept") if not kept else ""

    @property
    def _steps(self) -> tuple[CourseStep, ...]:
        """The turns of the round that is played, turn 1 first."""
        course = self._desk.course
        return course.round_steps if course is not None else ()
