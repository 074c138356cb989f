"""The menu between the buttons and the game: while it is open it takes every press, else it hands them on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from display.menu.board import Board
from display.menu.lines import Do, Goto, Line, Open
from display.menu.model import Key, Menu, MenuPlace, Page, step, tap, write
from display.menu.reading import menu_aloud
from display.view import Situation
from display.words.aloud import hand_aloud, standing
from display.words.sentences import words_for
from engine.table.desk import Desk
from engine.table.observation import Sight, TableObservation
from engine.table.presses import Button, Press
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.requests import Request
from firmware.table.loop.watched import Part
from firmware.ui.menu.choices import Choices
from firmware.ui.menu.page import opened_at
from vision.look import Look

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
"""So long a camera has to be gone before the players are offered to go on without it."""


@dataclass(slots=True)
class _Camera:
    """What is known of the camera: since when it is gone, and whether it ever was there.

    ``offered``: this match was opened to be kept by hand already, and whoever left that wants it so. ``untouched``:
    nobody has done anything there yet.
    """

    was_there: bool = False
    gone_s: float | None = None
    missing: bool = False
    offered: bool = False
    untouched: bool = False

    @property
    def opens_by_itself(self) -> bool:
        """Whether there is nobody to wait for: no camera has been there since the start."""
        return self.missing and not self.was_there and not self.offered


class TableMenu(Helper):
    """Hears the presses that are the menu's, and does what is chosen. ``menu`` is None while it is closed.

    Where there is no screen to show it (``shown``), its button is the pause, and after a match any press begins another
    like it.
    """

    part: Final = Part.MENU

    def __init__(self, choices: Choices, *, shown: Callable[[], bool] = lambda: True) -> None:
        super().__init__()
        self.choices = choices
        self._shown = shown
        self.menu: Menu | None = None
        self._camera = _Camera()
        self._once = False
        self._secret, self._warned = "", False
        self._deaf_until_s = 0.0

    def asks(self) -> tuple[Request, ...]:
        """What was chosen."""
        return self.choices.asks()

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """The match to choose from."""
        return self.choices.sift(seen, desk)

    def attend(self, moment: Moment) -> None:
        """The match and the table to choose from; whether there is a camera."""
        self.choices.attend(moment)
        now_s = moment.frame.t_s
        if moment.frame.y.size:
            self._camera.was_there = True
            self._camera.gone_s = None
            if self._camera.untouched and self.menu is not None:  # the eyes are back, and nobody did their work
                self.menu = None
                self.choices.showing(None)
            self._camera.untouched = False
        elif self._camera.gone_s is None:
            self._camera.gone_s = now_s
        if self.choices.now.waits_for_a_match:
            self._camera.offered = False
        self._camera.missing = self._camera.gone_s is not None and now_s - self._camera.gone_s >= GONE_S
        waits = self.choices.now.waits_for_a_match or self.choices.by_hand_page is None
        asked = self.choices.opens_by_itself(moment)
        if asked is not None and self._shown() and self.menu is None:
            self.open()
            self.menu = opened_at(asked)
        if self._shown() and self._camera.opens_by_itself and self.menu is None and not waits:
            self._camera.offered = self._camera.untouched = True
            self.keep_by_hand()

    def anew(self) -> None:
        """Closed, whatever failed."""
        self.menu, self._camera = None, _Camera(was_there=True)
        self._secret, self._warned, self._once = "", False, False
        self.choices.anew()

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """Without a camera, with the offer to go on by hand; the menu, while it is open, to be read aloud."""
        page = self.page
        if self.menu is not None and page is not None:
            told = self._aloud(situation, look, desk, self.menu, page)
            return replace(
                situation,
                helped=replace(situation.helped, aloud=told, aloud_page=page.title),
            )
        return (
            replace(
                situation,
                devices=replace(situation.devices, no_camera=True),
                table=replace(situation.table, comparing=None),
            )
            if self._offers
            else situation
        )

    def _aloud(self, situation: Situation, look: Look, desk: Desk, menu: Menu, page: Page) -> tuple[str, ...]:
        """The page, and where the match stands on the first one; on that of a hand, the cards that are shown."""
        say = words_for(situation.language, situation.names)
        told = menu_aloud(say, menu, page, self.choices.now.told)
        if menu.here.page == Goto.HAND:
            played = desk.state.played if desk.state is not None else ()
            hand = hand_aloud(say, look.table, played)
            self._secret = say.say("menu.hand_there") if hand else ""
            if self._warned and not hand:
                self._warned, self.choices.now.told = False, ""
            return (*told, hand if look.table.sight is Sight.STEADY else "")
        self._secret, self._warned = "", False
        return (*standing(say, situation), *told) if menu.here.page == Goto.MAIN else told

    @property
    def _offers(self) -> bool:
        """Whether the players are offered to go on without a camera: a match goes on, and it is gone."""
        return self._shown() and self._camera.missing and self.menu is None and self.choices.by_hand_page is not None

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """What was pressed and is the game's."""
        passed = []
        for press in presses:
            if self.menu is not None:
                if now_s >= self._deaf_until_s:
                    self.key(KEYS[press.button])
            elif press.button is Button.MENU and self._shown():
                self.open()
            elif self.choices.now.paused:
                self.choices.now.pause(on=False)
            elif self.choices.now.waits_for_a_match and press.button is not Button.UNDO:
                self.open_start()
                self._deaf_until_s = now_s + STRAY_S if self.choices.is_over and self._shown() else 0.0
                if not self._shown():
                    self._begin_unseen()
                    break  # a press that bounced, or one more of the same mind: one match is begun
            elif press.button is Button.MENU:
                self.choices.now.pause(on=True)
            elif self._offers and press.button is not Button.UNDO:
                self.keep_by_hand()
                self._camera.untouched = self.menu is not None  # it was meant for the eyes, should they be back
            elif self._shown() and self.choices.chooses_turn(press.button):
                self.keep_by_hand(self.choices.turn_to_choose())
            else:
                passed.append(press)
        return tuple(passed)

    def open(self) -> None:
        """Open it on its first page."""
        if self.menu is None:
            self.choices.opened()
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
            over = Goto.OVER if self.choices.is_over else Goto.HOME
            self.menu = replace(self.menu, path=(MenuPlace(over if self._shown() else Goto.START),))

    def give_way(self) -> None:
        """Leave the page where a match begins: somebody else asks which one it is to be."""
        if self.menu is not None and self.menu.here.page in (Goto.HOME, Goto.OVER, Goto.START):
            self.menu = None
            self.choices.showing(None)

    def keep_by_hand(self, known: Mapping[Line, object] | None = None, page: Open | None = None) -> None:
        """Open it where turns are entered by hand, or points only, with what is ``known`` of the turn filled in."""
        there = self.choices.by_hand_page
        page = there if page is None or there is None else page
        if page is None:
            if self.choices.now.waits_for_a_match:
                self.open_start()
            return
        self.open()
        if self.menu is not None:
            self._once = known is not None
            self.menu = replace(self.menu, path=(*self.menu.path, MenuPlace(page)), values=known or {})
            self.choices.showing(page)

    def _begin_unseen(self) -> None:
        """Begin as the start page stands, and be closed in any case: nobody could see what it answers."""
        self.key(Key.CHOOSE)
        if self.menu is not None:
            self.menu = None
            self.choices.showing(None)

    def retell(self) -> None:
        """Tell the last round again, as its key asks."""
        self.choices.now.retell()

    @property
    def page(self) -> Page | None:
        """The page that is shown, None while it is closed."""
        if self.menu is None:
            return None
        return self.choices.page(self.menu)

    @property
    def is_private(self) -> bool:
        """Whether a hand is held out to the camera for one player alone."""
        return self.menu is not None and self.menu.here.page == Goto.HAND

    def key(self, key: Key) -> None:
        """A key, or a button of the panel."""
        menu, page = self.menu, self.page
        if menu is not None and page is not None and not self._keeps_secret(menu):
            self._done(*step(menu, key, page))

    def _keeps_secret(self, menu: Menu) -> bool:
        """Whether the page of a hand stays, because its cards are still in view: off it they would be told to all.

        That is said once; whoever chooses again leaves all the same.
        """
        if menu.here.page != Goto.HAND or not self._secret or self._warned:
            return False
        self._warned, self.choices.now.told = True, self._secret
        return True

    def tap(self, number: int) -> None:
        """A finger on a line."""
        menu, page = self.menu, self.page
        if menu is not None and page is not None and not self._keeps_secret(menu):
            self._done(*tap(menu, number, page))

    def adjust(self, number: int, key: Key) -> None:
        """A finger on one of the arrows beside a line's value."""
        if self.menu is not None:
            here = replace(self.menu.here, at=number)
            self.menu = replace(self.menu, path=(*self.menu.path[:-1], here), adjusting=False)
            self.key(key)

    def write(self, letters: str) -> None:
        """Letters typed on a keyboard; heard only where a text is written."""
        page = self.page
        if page is not None and page.board is not None:
            for letter in letters:
                self._lay(letter, page.board)
        elif self.menu is not None and page is not None and self.writing:
            # Who has a keyboard ends with Enter: the last line is the one that takes what was written.
            here = replace(self.menu.here, at=len(page.items) - 1)
            self.menu = replace(write(self.menu, letters), path=(*self.menu.path[:-1], here))

    def _lay(self, letter: str, board: Board) -> None:
        """A card named on the keyboard; of several alike in a hand, the first that does not lie yet."""
        page = self.page
        alike = [item.key for item in page.items if item.text == letter] if page is not None else []
        if alike:
            lie = (*board.named, *(board.owed if board.hands else ())).count(int(letter))
            self._done(self.menu, alike[min(lie, len(alike) - 1)])

    @property
    def writing(self) -> bool:
        """Whether a text is being written."""
        return self.menu is not None and self.menu.here.page.page == Goto.WRITE.page

    def _done(self, menu: Menu | None, key: Line | None) -> None:
        if menu is not None and self.menu is not None and menu.here.page != self.menu.here.page:
            self.choices.now.told = ""  # it answered what was chosen on the page before
        self._camera.untouched = False
        before = self.menu.here.page if self.menu is not None else None
        self.menu = self.choices.choose(key, menu) if menu is not None and key is not None else menu
        if self._once and key is Do.TURN:
            self.menu = None  # the eyes go on with the next turn
        after = self.menu.here.page if self.menu is not None else None
        if after != before or after is None:
            self.choices.showing(after, unseen=not self._once)
