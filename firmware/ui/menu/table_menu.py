"""The menu between the buttons and the game: while it is open it takes every press, else it hands them on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from display.menu.model import Act, Goto, Key, Line, Menu, MenuPlace, Open, Page, step, tap, write
from display.menu.reading import menu_aloud
from display.view import Situation
from display.words.aloud import hand_aloud, standing
from display.words.sentences import words_for
from engine.record.corrections import Setting
from engine.record.course import Course
from engine.rules.events import TurnEvent
from engine.rules.state import Phase
from engine.table.desk import Desk
from engine.table.observation import Sight, TableObservation
from engine.table.presses import Button, Press
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.requests import KEEPER, MENU, PAUSE, Compare, Hold, Release
from firmware.table.loop.watched import Part
from firmware.ui.menu import pages
from firmware.ui.menu.page import MenuPage, opened_at
from firmware.ui.menu.pages.keeper import filled_in, wants_to_choose
from firmware.ui.menu.state import MenuState
from vision.look import Look

for _module in iter_modules(pages.__path__):
    import_module(f"{pages.__name__}.{_module.name}")  # a page is there by being defined in a module of this folder
PAGES: Final = tuple(MenuPage.every)

KEYS: Final = {
    Button.WHITE: Key.UP,
    Button.BLACK: Key.DOWN,
    Button.MENU: Key.CHOOSE,
    Button.ACT: Key.CHOOSE,
    Button.UNDO: Key.BACK,
}
"""What the four buttons do while the menu is open."""
STRAY_S: Final = 1.0
"""For so long after a press has left the result no other one chooses: a double press begins no match."""
GONE_S: Final = 2.0
"""A camera is missing once it has been gone for so long: the players may go on without it."""


@dataclass(slots=True)
class _Camera:
    """Whether the camera is there, and since when it is gone.

    ``offered``: this match was opened by itself to be kept by hand. ``untouched``: nobody has done anything there yet.
    """

    was_there: bool = False
    gone_s: float | None = None
    missing: bool = False
    offered: bool = False
    untouched: bool = False


class TableMenu(Helper):
    """Hears the menu's presses, shows its pages, hands what is chosen to the page, and holds the game meanwhile.

    ``menu`` is None while it is closed. Without a screen that shows it (``shown``), its button is the pause, and after
    a match any press begins another like it.
    """

    part: Final = Part.MENU

    def __init__(self, now: MenuState, *, shown: Callable[[], bool] = lambda: True) -> None:
        super().__init__()
        self.now, self._asked = now, now.asked
        self.menu: Menu | None = None
        self._shown = shown
        self._pages = {each.id: each(now) for each in PAGES}
        self._page: MenuPage | None = None
        self._camera = _Camera()
        self._once = False
        self._secret, self._warned = "", False
        self._deaf_until_s = 0.0

    # what the loop asks
    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """Take the match as it stands now; called before presses are heard."""
        self.now.desk = desk
        return seen

    def attend(self, moment: Moment) -> None:
        """Take the match and the table as they stand now, and open what opens by itself."""
        now, camera, now_s = self.now, self._camera, moment.frame.t_s
        now.desk, now.look, now.frame = moment.desk, moment.look, moment.frame
        if moment.frame.y.size:
            if camera.untouched and self.menu is not None:  # the eyes are back, and nobody did their work
                self._close()
            camera.was_there, camera.gone_s, camera.untouched = True, None, False
        elif camera.gone_s is None:
            camera.gone_s = now_s
        camera.missing = camera.gone_s is not None and now_s - camera.gone_s >= GONE_S
        camera.offered = camera.offered and not now.waits_for_a_match
        due = next((Open(each.id) for each in self._pages.values() if each.is_due(moment)), None)
        if not self._shown() or self.menu is not None:
            return
        if due is not None:
            self.open()
            self.menu = opened_at(due)
        elif camera.missing and not (camera.was_there or camera.offered or now.waits_for_a_match):
            camera.offered = camera.untouched = self.by_hand_page is not None
            if camera.offered:
                self.keep_by_hand()

    def anew(self) -> None:
        """Close the menu, even if a page failed: the game goes on."""
        self.menu, self._camera = None, _Camera(was_there=True)
        self._secret, self._warned, self._once = "", False, False
        self._asked[:] = [Release(MENU), Release(KEEPER), Release(PAUSE)]
        self.now.paused, self.now.told, self.now.entered = False, "", False
        self.now.past.look_again()

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """Add the open page, to be read aloud; without a camera, the offer to go on by hand."""
        page = self.page
        if self.menu is not None and page is not None:
            told = self._aloud(situation, look, desk, self.menu, page)
            return replace(situation, helped=replace(situation.helped, aloud=told, aloud_page=page.title))
        if not self._offers:
            return situation
        devices, table = replace(situation.devices, no_camera=True), replace(situation.table, comparing=None)
        return replace(situation, devices=devices, table=table)

    def _aloud(self, situation: Situation, look: Look, desk: Desk, menu: Menu, page: Page) -> tuple[str, ...]:
        """The page, and where the match stands on the first one; on that of a hand, the cards that are shown."""
        say = words_for(situation.language, situation.names)
        told = menu_aloud(say, menu, page, self.now.told)
        if menu.here.page == Goto.HAND:
            played = desk.state.played if desk.state is not None else ()
            hand = hand_aloud(say, look.table, played)
            self._secret = say.say("menu.hand_there") if hand else ""
            if self._warned and not hand:
                self._warned, self.now.told = False, ""
            return (*told, hand if look.table.sight is Sight.STEADY else "")
        self._secret, self._warned = "", False
        return (*standing(say, situation), *told) if menu.here.page == Goto.MAIN else told

    @property
    def _offers(self) -> bool:
        """Whether the players are offered to go on without a camera: a match goes on, and it is gone."""
        return self._shown() and self._camera.missing and self.menu is None and self.by_hand_page is not None

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """Take the presses that are the menu's; the others are returned."""
        passed, now = [], self.now
        for press in presses:
            button = press.button
            if self.menu is not None:
                if now_s >= self._deaf_until_s:
                    self.key(KEYS[button])
            elif button is Button.MENU and self._shown():
                self.open()
            elif now.paused:
                now.pause(on=False)
            elif now.coach is not None and now.coach.retells:
                passed.append(press)
            elif now.waits_for_a_match and (self._shown() or button is not Button.UNDO):
                self.open_start()
                self._deaf_until_s = now_s + STRAY_S if self.is_over and self._shown() else 0.0
                if not self._shown():  # begin as the start page stands; nobody could see what it answers
                    self.key(Key.CHOOSE)
                    if self.menu is not None:
                        self._close()
                    break  # a press that bounced, or one more of the same mind: one match is begun
            elif button is Button.MENU:
                now.pause(on=True)
            elif self._offers and button is not Button.UNDO:
                self.keep_by_hand()
                self._camera.untouched = self.menu is not None  # it was meant for the eyes, should they be back
            elif self._shown() and wants_to_choose(now.desk, button):  # a turn that the eyes cannot see
                self.keep_by_hand(filled_in(now.desk))
            else:
                passed.append(press)
        return tuple(passed)

    # opened and closed
    def open(self) -> None:
        """Open it on its first page. Nothing is judged while it is open; known names are looked up anew."""
        if self.menu is None:
            self.now.opened()
            self.menu, self._once = Menu(), False

    def open_at(self, page: Open | None) -> None:
        """Open it where the window asks for: by hand, points only, or None for its first page."""
        if page is None:
            self.open()
        elif self.menu is None:
            self.keep_by_hand(page=page)

    def open_start(self) -> None:
        """Open it where a match begins: with one press more it does, as it did last time."""
        self.open()
        if self.menu is not None:
            over = Goto.OVER if self.is_over else Goto.HOME
            self.menu = replace(self.menu, path=(MenuPlace(over if self._shown() else Goto.START),))

    def give_way(self) -> None:
        """Leave the page where a match begins: somebody else asks which one it is to be."""
        if self.menu is not None and self.menu.here.page in (Goto.HOME, Goto.OVER, Goto.START):
            self._close()

    def keep_by_hand(self, known: Mapping[Line, object] | None = None, page: Open | None = None) -> None:
        """Open it where turns are entered by hand, or points only, with what is ``known`` of the turn filled in."""
        there = self.by_hand_page
        page = there if page is None or there is None else page
        if page is None:
            if self.now.waits_for_a_match:
                self.open_start()
            return
        self.open()
        if self.menu is not None:
            self._once = known is not None
            self.menu = replace(self.menu, path=(*self.menu.path, MenuPlace(page)), values=known or {})
            self._showing(page)

    def _close(self) -> None:
        self.menu = None
        self._showing(None)

    def _showing(self, page: Open | None, *, unseen: bool = True) -> None:
        """Hold the game as this page needs it; None: the menu was left. The pages that keep the score do not pause it.

        When one of those is left, the table is compared with what was entered, if it was entered ``unseen``.
        """
        keeps = page in (Goto.MANUAL, Goto.PLAIN)
        if self.now.entered and not keeps:
            self._asked += [Compare()] if unseen else []
            self.now.entered = False
        if page is not None:
            self._pages[page.page].entered(page)
        self._asked += [Hold(KEEPER) if keeps else Release(KEEPER)]
        self._asked += [Release(MENU) if keeps or page is None else Hold(MENU)]

    @property
    def is_over(self) -> bool:
        """Whether a match is over, and nothing follows it yet."""
        state = self.now.state
        return state is not None and state.phase is Phase.MATCH_OVER

    @property
    def by_hand_page(self) -> Open | None:
        """The page to keep this match on: rounds only if nothing else was kept so far; None in a lesson."""
        course = self.now.course
        if course is None or self.now.teaching:
            return None
        return Goto.PLAIN if kept_plainly(course) else Goto.MANUAL

    # what is shown, and what is done there
    @property
    def page(self) -> Page | None:
        """The page that is shown, None while it is closed."""
        return None if self.menu is None else self.page_of(self.menu)

    def page_of(self, menu: Menu) -> Page:
        """The page that this menu shows, with what answers the last choice."""
        place, now = menu.here.page, self.now
        shown = self._pages[place.page]
        if self._page is not None and self._page is not shown:
            self._page.left()
        self._page = shown
        if now.lost is not None:
            now.lost.take()
        made = shown.shown(now.say, menu, place)
        told = "" if made.board is not None else now.answer or shown.told(now.language)
        return replace(made, lines=(*made.lines, told)) if told else made

    def choose(self, key: Line, menu: Menu) -> Menu | None:
        """Do what the chosen line stands for. Returns the menu as it is then, None when it is left."""
        does = next((item.does for item in self.page_of(menu).items if item.key == key), None)
        self.now.told = ""
        self.now.errand.leave()
        return menu if does is None else does(menu)

    @property
    def is_private(self) -> bool:
        """Whether a hand is held out to the camera for one player alone."""
        return self.menu is not None and self.menu.here.page == Goto.HAND

    def key(self, key: Key) -> None:
        """A key, or a button of the panel."""
        menu, page = self.menu, self.page
        if menu is not None and page is not None and not self._keeps_secret(menu):
            self._done(*step(menu, key, page))

    def tap(self, number: int) -> None:
        """A finger on a line."""
        menu, page = self.menu, self.page
        if menu is not None and page is not None and not self._keeps_secret(menu):
            self._done(*tap(menu, number, page))

    def _keeps_secret(self, menu: Menu) -> bool:
        """True if the page of a hand stays because its cards are still in view: elsewhere they would be told to all.

        That is said once; choosing again leaves all the same.
        """
        if menu.here.page != Goto.HAND or not self._secret or self._warned:
            return False
        self._warned, self.now.told = True, self._secret
        return True

    def adjust(self, number: int, key: Key) -> None:
        """A finger on one of the arrows beside a line's value."""
        if self.menu is not None:
            self.menu = replace(self.menu.at_line(number), adjusting=False)
            self.key(key)

    def write(self, letters: str) -> None:
        """Letters typed on a keyboard; heard only where a text is written or cards are tapped."""
        page = self.page
        if page is not None and page.board is not None:
            for letter in letters:
                self._lay(letter)
        elif self.menu is not None and page is not None and self.writing:
            # Who has a keyboard ends with Enter: the last line is the one that takes what was written.
            self.menu = write(self.menu, letters).at_line(len(page.items) - 1)

    def _lay(self, letter: str) -> None:
        """A card named on the keyboard; of several alike in a hand, the first that does not lie yet."""
        page = self.page
        alike = [item.key for item in page.items if item.text == letter] if page is not None else []
        if page is not None and page.board is not None and alike:
            lie = (*page.board.named, *(page.board.owed if page.board.hands else ())).count(int(letter))
            self._done(self.menu, alike[min(lie, len(alike) - 1)])

    @property
    def writing(self) -> bool:
        """Whether a text is being written."""
        return self.menu is not None and self.menu.here.page.page == Goto.WRITE.page

    def _done(self, menu: Menu | None, key: Line | None) -> None:
        before = self.menu.here.page if self.menu is not None else None
        if menu is not None and menu.here.page != before:
            self.now.told = ""  # it answered what was chosen on the page before
        self._camera.untouched = False
        self.menu = self.choose(key, menu) if menu is not None and key is not None else menu
        if self._once and key == Act("turn"):
            self.menu = None  # the eyes go on with the next turn
        after = self.menu.here.page if self.menu is not None else None
        if after != before or after is None:
            self._showing(after, unseen=not self._once)


def kept_plainly(course: Course) -> bool:
    """Whether only rounds and points of this match have been recorded so far, and no turns."""
    entries = [step.entry for step in course.steps]
    won = any(isinstance(entry, Setting) and entry.won is not None for entry in entries)
    return won and not any(isinstance(entry, TurnEvent) for entry in entries)
