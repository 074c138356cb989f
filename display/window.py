"""The window: opens where there is a screen, shows pictures, and turns keys, mouse and fingers into plain values.

It decides nothing: what a request means is the loop's business.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

import pygame

from display.draw.animation import Animator
from display.draw.canvas import Canvas
from display.draw.parts import Painter, Part
from display.draw.screen import SIZE, TITLE, TurnedScreen, driver_told, is_connected, open_surface, tap_place
from display.draw.theme import DEFAULT, Theme
from display.i18n import words
from display.menu.model import Key, Menu, Page
from display.screens.camera import CameraPicture
from display.screens.compose import (
    BUTTONS,
    DEMO_BUTTONS,
    RETELL_BUTTONS,
    REVIEW_BUTTONS,
    Arrangement,
    Layout,
    button_parts,
    composed_parts,
    layout,
)
from display.screens.menu import DrawnMenu, Target, menu_on
from display.screens.qr import ScanCode
from display.screens.salle import draw_still
from display.screens.watch import watch_buttons, watch_parts
from display.view import ViewModel, WatchView

if TYPE_CHECKING:  # a real table does without hands on a screen, and starts sooner
    from display.tabletop.hands import Hands


class WindowRequest(Enum):
    """What somebody asked for at the window."""

    WHITE = "white"
    BLACK = "black"
    ACT = "act"
    UNDO = "undo"
    CAMERA = "camera"
    REVIEW = "review"
    BACK = "back"
    LIVE = "live"
    FORWARD = "forward"
    RETELL = "retell"
    LANGUAGE = "language"
    MENU = "menu"
    LEAVE = "leave"
    MANUAL = "manual"
    PLAIN = "plain"
    QUIT = "quit"


KEYS: Final[Mapping[int, WindowRequest]] = {
    pygame.K_LEFT: WindowRequest.WHITE,
    pygame.K_a: WindowRequest.WHITE,
    pygame.K_RIGHT: WindowRequest.BLACK,
    pygame.K_l: WindowRequest.BLACK,
    pygame.K_SPACE: WindowRequest.ACT,
    pygame.K_RETURN: WindowRequest.ACT,
    pygame.K_u: WindowRequest.UNDO,
    pygame.K_BACKSPACE: WindowRequest.UNDO,
    pygame.K_c: WindowRequest.CAMERA,
    pygame.K_r: WindowRequest.REVIEW,
    pygame.K_PAGEUP: WindowRequest.BACK,
    pygame.K_COMMA: WindowRequest.BACK,
    pygame.K_PAGEDOWN: WindowRequest.FORWARD,
    pygame.K_PERIOD: WindowRequest.FORWARD,
    pygame.K_e: WindowRequest.RETELL,
    pygame.K_F2: WindowRequest.LANGUAGE,
    pygame.K_t: WindowRequest.LANGUAGE,
    pygame.K_m: WindowRequest.MENU,
    pygame.K_h: WindowRequest.MANUAL,
    pygame.K_F1: WindowRequest.MENU,
    pygame.K_ESCAPE: WindowRequest.LEAVE,
    pygame.K_q: WindowRequest.LEAVE,
}
LEAF_KEYS: Final = {pygame.K_PAGEUP: -1, pygame.K_PAGEDOWN: 1}
"""Keys that turn the leaves of a panel, while it has more than one."""
MENU_KEYS: Final[Mapping[int, Key]] = {
    pygame.K_UP: Key.UP,
    pygame.K_DOWN: Key.DOWN,
    pygame.K_LEFT: Key.LESS,
    pygame.K_RIGHT: Key.MORE,
    pygame.K_RETURN: Key.CHOOSE,
    pygame.K_KP_ENTER: Key.CHOOSE,
    pygame.K_SPACE: Key.CHOOSE,
    pygame.K_ESCAPE: Key.BACK,
    pygame.K_BACKSPACE: Key.BACK,
}
"""Keys while the menu is open; where a text is written, letters and backspace write."""
DIGITS: Final = frozenset("12345")
"""Keys of cards, on whichever page there are any."""


def open_window(
    size: tuple[int, int] = SIZE,
    title: str = TITLE,
    *,
    fullscreen: bool = False,
    theme: Theme = DEFAULT,
    rotate: int = 0,
) -> Window | None:
    """A window on the first driver that works, or None where there is no screen. A still that is shown goes on.

    ``rotate`` turns its picture by so many degrees clockwise: 0, 90, 180 or 270.
    """
    surface = open_surface(size, title, fullscreen=fullscreen)
    if surface is None:
        return None
    window = Window(surface, theme, fullscreen=fullscreen)
    window.rotate(rotate)
    return window


def waiting_window(*, fullscreen: bool = False, theme: Theme = DEFAULT, rotate: int = 0) -> Window:
    """A window for a screen that may come later: nothing is drawn and asked for until ``reopen`` finds one."""
    window = Window(pygame.Surface(SIZE), theme, fullscreen=fullscreen)
    window.rotate(rotate)
    return window


COVERED: Final = tuple(
    getattr(pygame, name)
    for name in ("VIDEOEXPOSE", "VIDEORESIZE", "WINDOWEXPOSED", "WINDOWSIZECHANGED", "WINDOWRESTORED")
    if hasattr(pygame, name)
)
"""Events after which nothing that was drawn can be relied on."""
CAMERA_S: Final = 0.08
"""The camera's picture is drawn no more often than this: it shows what lies there, not a film."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What was shown last at the table, so that a move can go on between two frames of the camera."""

    view: ViewModel
    camera: CameraPicture | None
    now_s: float
    at_s: float


class Window:
    """An open window. ``arrangement`` is what it shows; CAMERA requests change it here and are reported too.

    At first that is the table alone. While there is something to scan, or something to be done without a camera, the
    lamps' and the camera's places are there for that.

    ``animator`` stages moves and victories, while it is on; ``codes`` gives those to be scanned at a view.
    ``hands``: people play at the table that is shown, with pointer and keys; None at any other.

    ``has_menu``: there is a menu to be opened, so that it has a button; else the language has it.
    ``buttons`` are those along its foot; without any, as when only the camera is watched, every tap is ACT that is not
    at a button of what is watched. Only what
    changed is drawn: ``drawn`` counts the pictures that showed anything new, ``drawn_parts`` their parts.
    """

    def __init__(
        self,
        surface: pygame.Surface,
        theme: Theme = DEFAULT,
        clock_s: Callable[[], float] = time.monotonic,
        *,
        fullscreen: bool = False,
    ) -> None:
        """``clock_s`` is the time that passes between two calls of ``show``."""
        self._screen = TurnedScreen(surface)
        self._fullscreen = fullscreen
        self.theme = theme
        self.arrangement = Arrangement.TABLE
        self.driver = driver_told() if self.alive else ""
        self.has_menu = True
        self.has_panel = False
        self.hands: Hands | None = None
        self.codes: Callable[[ViewModel], tuple[ScanCode, ...]] = lambda _: ()
        self.buttons: Sequence[str] = BUTTONS
        self.drawn = 0
        self.drawn_parts = 0
        self._clock_s = clock_s
        self.animator = Animator()
        self._painter = Painter()
        self._menu: DrawnMenu | None = None
        self._shown: _Shown | None = None
        self._camera: CameraPicture | None = None
        self._camera_s: float | None = None
        self._waiting: list[pygame.event.Event] = []
        self._offers = False
        self._coded = False
        self._watched: Mapping[str, pygame.Rect] = {}

    @property
    def surface(self) -> pygame.Surface:
        """What is drawn on now, upright."""
        return self._screen.surface

    def rotate(self, degrees: int) -> None:
        """Turn the picture by so many degrees clockwise from now on, for a screen that hangs turned."""
        if degrees != self._screen.degrees:
            self._screen.degrees = degrees
            self._painter.forget()

    def poll(self) -> tuple[WindowRequest, ...]:
        """Everything asked for since the last call, in order."""
        asked = [self._request(event) for event in self._events()]
        requests = tuple(request for request in asked if request is not None)
        for request in requests:
            if request is WindowRequest.CAMERA and self.hands is not None:
                self.hands.shown = not self.hands.shown
                self.hands.leave()
            elif request is WindowRequest.CAMERA:
                self.arrangement = self.arrangement.next
        return requests

    def poll_menu(self, *, writing: bool) -> tuple[WindowRequest | Key | Target | str, ...]:
        """Everything done at the menu that is shown: keys, places touched, and letters where a text is ``writing``."""
        asked: list[WindowRequest | Key | Target | str] = []
        for event in self._events():
            if event.type == pygame.QUIT:
                asked.append(WindowRequest.QUIT)
            elif event.type == pygame.KEYDOWN:
                letters = event.unicode if event.unicode.isprintable() and (writing or event.unicode in DIGITS) else ""
                key = Key.RUB_OUT if writing and event.key == pygame.K_BACKSPACE else MENU_KEYS.get(event.key)
                if letters or key is not None:
                    asked.append(letters or key or "")
            else:
                place = tap_place(event, self.surface.get_size())
                target = self._menu.at(place) if place is not None and self._menu is not None else None
                if target is not None:
                    asked.append(target)
        return tuple(asked)

    def show_menu(self, page: Page, menu: Menu, language: str, camera: CameraPicture | None = None) -> None:
        """Draws the menu over everything and puts it on the screen."""
        box = self.surface.get_rect()
        if self.hands is not None:
            self.hands.leave()

        turned = self.animator.leaf(page.board or page.past, self._clock_s())

        def draw(canvas: Canvas) -> None:
            self._menu = menu_on(canvas, page, menu, language, panel=self.has_panel, camera=camera, turned=turned)

        self._paint([Part("menu", box, (page, menu, language, camera, turned), draw)])

    def show_still(self, language: str) -> None:
        """Draws two fencers and "one moment", for as long as there is nothing else to be seen."""
        box, told = self.surface.get_rect(), words(language).say("welcome.moment")
        self._paint([Part("still", box, (told,), lambda canvas: draw_still(canvas, TITLE, told))])

    def show(self, view: ViewModel, camera: CameraPicture | None, now_s: float) -> None:
        """Draws the moment and puts it on the screen; ``now_s`` moves the fencers along."""
        names = RETELL_BUTTONS if view.can_retell else BUTTONS if self.has_menu else DEMO_BUTTONS
        if self.at_table and self.hands is not None:  # the one button is beside the hand
            both = self.hands.view.both or view.retold
            names = tuple(name for name in names if name != "act" and (both or name not in ("white", "black")))
        self.buttons = names
        moved, progress = self.animator.step(view, now_s)
        self._offers = bool(view.offered) and self.has_menu and not self.at_table
        if self.hands is not None and self.hands.shown:
            self._paint(
                self._played_parts(
                    self.hands,
                    replace(
                        view,
                        panel=moved.panel,
                        piste=replace(view.piste, joy_s=moved.piste.joy_s, moments=moved.piste.moments),
                    ),
                )
            )
        else:
            codes = self.codes(moved)
            self._coded = bool(codes)
            self._paint(composed_parts(self.places, moved, camera, progress, self.theme, codes))
        at_s = self._clock_s()
        if camera is not self._camera:
            self._camera, self._camera_s = camera, at_s
        self._shown = _Shown(view, camera, now_s, at_s)

    @property
    def at_table(self) -> bool:
        """Whether the table that people play at is shown, and no picture of the camera."""
        return self.hands is not None and self.hands.shown

    @property
    def wants_camera(self) -> bool:
        """Whether ``show`` would draw another picture of the camera now: it has a place, and the last one was seen."""
        if self.at_table:
            return False
        return self.arrangement is not Arrangement.TABLE and self.is_due

    @property
    def is_due(self) -> bool:
        """Whether the last picture of the camera was seen long enough for another one to be drawn."""
        return self._camera_s is None or self._clock_s() - self._camera_s >= CAMERA_S

    @property
    def moving(self) -> bool:
        """Whether a move is being shown, or hands may act, so that something new may be drawn before the next frame."""
        return self._shown is not None and self.alive and (self.at_table or self.animator.moving)

    def go_on(self) -> None:
        """Draws a move a little further, while the camera's next frame is waited for."""
        shown = self._shown
        if shown is not None and self.alive:
            if self.hands is not None:
                self._waiting = [*self._events()]
            self.show(shown.view, shown.camera, self._now_s(shown))

    def show_review(self, view: ViewModel, camera: CameraPicture) -> None:
        """Draws an earlier picture over the whole window, with the buttons to go through such pictures."""
        self.buttons, self._offers = REVIEW_BUTTONS, False
        self._paint(composed_parts(self._places(Arrangement.CAMERA), view, camera, 1.0, self.theme))

    def show_watch(self, view: WatchView, camera: CameraPicture | None) -> None:
        """Draws what the camera sees and the words under it, without a game."""
        self.buttons = ()
        box = self.surface.get_rect()
        self._watched = watch_buttons(box, view, self.theme)
        self._paint(watch_parts(box, view, camera, self.theme))

    @property
    def alive(self) -> bool:
        """Whether what is drawn still reaches a screen."""
        return bool(pygame.display.get_init()) and pygame.display.get_surface() is not None

    @property
    def has_screen(self) -> bool:
        """Whether a screen is there for what is drawn; where the console is drawn on, it is let go of when it goes."""
        if self.alive and self.driver.lower().startswith("kmsdrm") and not is_connected():
            self.close()
        return self.alive

    def reopen(self) -> bool:
        """Open it on the first driver that works now; whether there is a screen."""
        if open_surface(SIZE, TITLE, fullscreen=self._fullscreen) is None:
            return False
        self.driver = driver_told()
        self._painter.forget()
        return True

    def close(self) -> None:
        """Takes the window away."""
        pygame.display.quit()
        self._screen = TurnedScreen(pygame.Surface(SIZE), self._screen.degrees)

    def _now_s(self, shown: _Shown) -> float:
        return shown.now_s + self._clock_s() - shown.at_s

    @property
    def places(self) -> Layout:
        """Where everything is that is shown now."""
        wanted = self._offers or self._coded
        beside = wanted and self.arrangement is Arrangement.TABLE and not self.at_table
        return self._places(Arrangement.BOTH if beside else self.arrangement)

    def _places(self, arrangement: Arrangement) -> Layout:
        size, names, theme = self.surface.get_size(), self.buttons, self.theme
        share = self.hands.foot_share(theme) if self.at_table and self.hands is not None else 0.0
        return layout(
            size, arrangement, with_buttons=True, names=names, theme=theme, offers=self._offers, foot_share=share
        )

    def _played_parts(self, hands: Hands, view: ViewModel) -> tuple[Part, ...]:
        places = self.places
        foot_px = max((box.height for box in places.buttons.values()), default=0)
        return (*hands.parts(self.surface.get_size(), foot_px, view, self.theme), *button_parts(places, view))

    def _paint(self, parts: Sequence[Part]) -> None:
        """Draws what changed and puts just that on the screen; nothing at all where nothing did."""
        self._shown = None
        if not self.alive:
            return
        surface = self.surface
        changed = self._painter.paint(surface, parts, self.theme)
        if not changed:
            return
        self.drawn += 1
        self.drawn_parts += len(changed)
        self._screen.show(None if len(changed) == len(parts) else [part.box for part in changed])

    def _events(self) -> list[pygame.event.Event]:
        """What happened since the last call; a window that was covered or resized is drawn anew."""
        if not self.alive:
            return []
        events = self._waiting + [self._screen.event(event) for event in pygame.event.get()]
        self._waiting = []
        if any(event.type in COVERED for event in events):
            self._painter.forget()
        hands, size = self.hands, self.surface.get_size()
        events = [event for event in events if not self._turns_leaf(event)]
        if hands is None or self._shown is None:
            return events
        return [event for event in events if not hands.take(event, size)]

    def _turns_leaf(self, event: pygame.event.Event) -> bool:
        """Whether this turned a leaf of the panel, where not all of it has room: a tap at its left half turns back."""
        turns = self._painter.turns
        if not turns:
            return False
        by = LEAF_KEYS.get(event.key) if event.type == pygame.KEYDOWN else None
        place = tap_place(event, self.surface.get_size())
        touched = [box for box in turns if place is not None and box.collidepoint(place)]
        if touched and place is not None:
            by = 1 if place[0] >= touched[0].centerx else -1
        if by is None:
            return False
        self.animator.turn(by)
        return True

    def _request(self, event: pygame.event.Event) -> WindowRequest | None:
        if event.type == pygame.QUIT:
            return WindowRequest.QUIT
        if event.type == pygame.KEYDOWN:
            return KEYS.get(event.key)
        place = tap_place(event, self.surface.get_size())
        return None if place is None else self._tapped(place)

    def _tapped(self, place: tuple[int, int]) -> WindowRequest | None:
        """The button at this place; a tap anywhere else ends the turn, or looking back."""
        if not self.buttons:
            named = (name for name, box in self._watched.items() if box.collidepoint(place))
            return WindowRequest(next(named, WindowRequest.ACT.value))
        places = self.places
        for name, box in (*places.buttons.items(), *places.offers.items()):
            if box.collidepoint(place):
                return WindowRequest(name)
        if self.buttons is REVIEW_BUTTONS:
            return WindowRequest.LIVE
        return None if self.at_table else WindowRequest.ACT
