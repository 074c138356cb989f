"""The menu beside the loop: shows its pages, hands what is chosen to the page it stands on, and holds the game."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from display.menu.lines import Goto, Line, Open
from display.menu.model import Menu, Page
from engine.record.corrections import Setting
from engine.record.course import Course
from engine.rules.events import TurnEvent
from engine.rules.state import Phase
from engine.table.desk import Desk
from engine.table.observation import TableObservation
from engine.table.presses import Button
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.requests import KEEPER, MENU, PAUSE, Compare, Hold, Release
from firmware.ui.menu import pages
from firmware.ui.menu.page import MenuPage
from firmware.ui.menu.pages.keeper import filled_in, wants_to_choose
from firmware.ui.menu.state import MenuState

for _module in iter_modules(pages.__path__):
    import_module(f"{pages.__name__}.{_module.name}")  # a page is there by being defined in a module of this folder
PAGES: Final = tuple(MenuPage.every)


class Choices(Helper):
    """Does what the players choose in the menu; what only the loop can do is asked of it."""

    def __init__(self, now: MenuState) -> None:
        super().__init__()
        self.now, self._asked = now, now.asked
        self._pages = {each.id: each(self.now) for each in PAGES}
        self._shown: MenuPage | None = None

    def page(self, menu: Menu) -> Page:
        """The page that is shown."""
        place, now = menu.here.page, self.now
        shown = self._pages[place.page]
        if self._shown is not None and self._shown is not shown:
            self._shown.left()
        self._shown = shown
        now.look_again()
        made = shown.shown(now.say, menu, place)
        told = "" if made.board is not None else now.answer or shown.told(now.language)
        return replace(made, lines=(*made.lines, told)) if told else made

    def opens_by_itself(self, moment: Moment) -> Open | None:
        """The page that opens by itself at this moment of the match; None if none does."""
        return next((Open(each.id) for each in self._pages.values() if each.is_due(moment)), None)

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """Take the match as it stands now; called before presses are heard."""
        self.now.desk = desk
        return seen

    def attend(self, moment: Moment) -> None:
        """Take the match and the table as they stand now; called before the menu is drawn."""
        self.now.desk, self.now.look, self.now.frame = moment.desk, moment.look, moment.frame

    @property
    def is_over(self) -> bool:
        """Whether a match is over, and nothing follows it yet."""
        state = self.now.state
        return state is not None and state.phase is Phase.MATCH_OVER

    def opened(self) -> None:
        """The menu was opened. Nothing is judged while it is open; known names are looked up anew."""
        self.now.told, self.now.named_before = "", None
        self.now.known = self.now.machine.known_names()
        if self.now.puzzling is not None:
            self.now.puzzling.opened()
        self._asked.append(Hold(MENU))

    def chooses_turn(self, button: Button) -> bool:
        """Whether this button asks to enter a turn by hand that the eyes cannot see, see ``by_hand_offer``."""
        return not self.now.paused and wants_to_choose(self.now.desk, button)

    def turn_to_choose(self) -> dict[Line, object]:
        """What the eyes know of that turn already, as chosen values of the page it is entered on."""
        return filled_in(self.now.desk)

    def showing(self, page: Open | None, *, unseen: bool = True) -> None:
        """This page is shown now; None: the menu was left. The pages that keep the score do not pause the game.

        When one of those is left, the table is compared with what was entered, if it was entered ``unseen``.
        """
        keeps = page in (Goto.MANUAL, Goto.PLAIN)
        if self.now.entered and not keeps:
            self._asked += [Compare()] if unseen else []
            self.now.entered = False
        if self.now.puzzling is not None:
            self.now.puzzling.showing(page)
        self._asked += [Hold(KEEPER) if keeps else Release(KEEPER)]
        self._asked += [Release(MENU) if keeps or page is None else Hold(MENU)]

    @property
    def by_hand_page(self) -> Open | None:
        """The page to keep this match on: rounds only if nothing else was kept so far; None in a lesson."""
        course = self.now.course
        if course is None or self.now.teaching:
            return None
        return Goto.PLAIN if kept_plainly(course) else Goto.MANUAL

    def anew(self) -> None:
        """The menu is closed, even if a page failed: the game goes on."""
        self._asked[:] = [Release(MENU), Release(KEEPER), Release(PAUSE)]
        self.now.paused, self.now.told, self.now.entered = False, "", False
        self.now.past.look_again()

    def choose(self, key: Line, menu: Menu) -> Menu | None:
        """Do what the chosen line stands for. Returns the menu as it is then, None when it is left."""
        self.now.told = ""
        self.now.errand.leave()
        return self._pages[menu.here.page.page].chosen(key, menu)


def kept_plainly(course: Course) -> bool:
    """Whether only rounds and points of this match have been recorded so far, and no turns."""
    entries = [step.entry for step in course.steps]
    won = any(isinstance(entry, Setting) and entry.won is not None for entry in entries)
    return won and not any(isinstance(entry, TurnEvent) for entry in entries)
