"""Shows moments of a match, and frames that are watched: in a window, or as pictures on disk if there is no screen."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Final

import cv2

from display.draw.fonts import family
from display.draw.pictures import new_surface, png_of
from display.draw.screen import screen_drivers
from display.draw.theme import DEFAULT, Theme
from display.i18n import next_language
from display.menu.asking import leaving_page
from display.menu.model import Act, Goto, Key, Line, Menu, Page
from display.screens.camera import CameraPicture
from display.screens.compose import compose
from display.screens.menu import MenuPart, Target
from display.window import Window, WindowRequest, open_window, waiting_window
from display.words.watching import Watched, watch_view
from engine.rules.track import BySide
from engine.table.presses import Button
from firmware.core.config import Config
from firmware.core.io.files import write_whole
from firmware.table.loop.guard import Guard
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.requests import Stop
from firmware.table.loop.watched import Part
from firmware.table.panel.buttons import TakesPresses
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.asking import heard
from firmware.ui.screen.recall import Recall
from vision.frame import Frame
from vision.look import Look
from vision.overlay import draw_recognised

PICTURE_SIZE_PX: Final = (1600, 720)
CAMERA_WIDTH_PX: Final = 1152
DEMO_KEEP_S: Final = 300.0
DEMO_KEEP_MB: Final = 64.0
SEEN_S: Final = 0.5
"""At the menu the camera's picture is drawn anew after so long."""
_PAGES: Final = {WindowRequest.MENU: None, WindowRequest.MANUAL: Goto.MANUAL, WindowRequest.PLAIN: Goto.PLAIN}
_STEPS: Final = {WindowRequest.BACK: -1, WindowRequest.FORWARD: 1}
_BUTTONS: Final = {
    WindowRequest.WHITE: Button.WHITE,
    WindowRequest.BLACK: Button.BLACK,
    WindowRequest.ACT: Button.ACT,
    WindowRequest.UNDO: Button.UNDO,
}


def drawn_picture(frame: Frame, look: Look) -> CameraPicture | None:
    """A frame with everything recognised drawn on it, without words; None if the camera is gone."""
    if frame.y.size == 0:
        return None
    drawn = draw_recognised(frame.bgr(), look, caption="")
    height_px = round(drawn.shape[0] * CAMERA_WIDTH_PX / drawn.shape[1])
    small = cv2.resize(drawn, (CAMERA_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
    return CameraPicture(small.tobytes(), CAMERA_WIDTH_PX, height_px)


def draw_moment(moment: Moment, path: Path, theme: Theme = DEFAULT) -> None:
    """The whole picture of a moment as PNG: table screen, lamps, camera. Raises OSError."""
    surface = new_surface(*PICTURE_SIZE_PX)
    compose(surface, moment.view, drawn_picture(moment.frame, moment.look), theme=theme)
    write_whole(path, png_of(surface))


def window_as_set(config: Config, *, waits: bool = False) -> Window | None:
    """The window as the settings have it; where there is no screen None, or one that ``waits`` for it."""
    opened = open_window(fullscreen=config.fullscreen, theme=config.look, rotate=config.rotate)
    if opened is None and waits:
        return waiting_window(fullscreen=config.fullscreen, theme=config.look, rotate=config.rotate)
    return opened


def screen_notice(window: Window | None, *, pictures: bool) -> str:
    """The driver of the screen, or where verdicts go without one."""
    if window is not None and window.alive:
        cure = "make (on a Pi sh firmware/install.sh) brings it"
        letters = "" if family() else f" Letters are pygame's own, as font-source-sans-pro is missing: {cure}."
        return f"The screen is driven by {window.driver}.{letters}"
    tried = [driver or "what SDL chooses" for driver in screen_drivers()]
    why = f"tried {', '.join(tried)}" if tried else "no Wayland, no X11, no /dev/dri"
    return f"There is no screen here ({why}): verdicts are printed" + (" and pictures written." if pictures else ".")


class WindowAudience(Helper):
    """Shows every moment in a window, posts what is pressed there, and asks to stop when it is closed."""

    part: Final = Part.SCREEN
    in_loop: Final = True  # SDL wants it

    def __init__(
        self,
        window: Window,
        presses: TakesPresses | None,
        people: People,
        recall: Recall | None = None,
        menu: TableMenu | None = None,
        guard: Guard | None = None,
    ) -> None:
        """``presses`` None: nobody's buttons are pressed at this window, as at a simulated table.

        ``recall`` None: with a demo's limits. ``menu`` is drawn over everything while it is open.
        """
        super().__init__()
        self._menu = menu
        self._guard = Guard() if guard is None else guard
        self._window = window
        self._presses = presses
        self._people = people
        self._recall = Recall(DEMO_KEEP_S, DEMO_KEEP_MB) if recall is None else recall
        self._seen: CameraPicture | None = None
        self._seen_s = -SEEN_S
        self._leaving: Menu | None = None

    def anew(self) -> None:
        """The match as it is now, without menu, question or a look back."""
        super().anew()
        self._leaving, self._seen = None, None
        self._recall.end()
        if self._menu is not None:
            self._menu.anew()

    def attend(self, moment: Moment) -> None:
        """Draw this moment, then take what was asked for meanwhile."""
        # As large as the camera's picture: drawn only where it is shown.
        draw = cache(lambda: drawn_picture(moment.frame, moment.look))
        self._recall.keep(moment, draw)
        if not self._window.alive:
            return
        if self._leaving is not None:
            self._ask_to_leave(self._leaving)
            return
        menu = self._menu
        page = None if menu is None else self._guard.call(menu, "page", lambda: menu.page, None)
        if menu is not None and page is not None:
            if page.camera and moment.frame.t_s - self._seen_s >= SEEN_S:
                self._seen, self._seen_s = draw(), moment.frame.t_s
            self._at_the_menu(menu, page)
            return
        earlier = self._recall.picture(moment.frame.t_s, self._people.language)
        if earlier is not None:
            self._window.show_review(moment.view, earlier)
        else:
            troubled = moment.view.trouble is not None and self._window.is_due  # it is shown on the picture
            troubled = troubled and not self._window.at_table
            if troubled or self._window.wants_camera or moment.frame.y.size == 0:
                self._seen = draw()
            self._window.has_menu = self._menu is not None
            self._window.show(moment.view, self._seen, moment.frame.t_s)
        for request in self._window.poll():
            if request is WindowRequest.QUIT:
                self._asked.append(Stop())
            elif request is WindowRequest.LEAVE:
                self._leaving = Menu()
            elif request in (WindowRequest.REVIEW, WindowRequest.LIVE):
                self._recall.toggle()
            elif request in _STEPS:
                self._recall.step(_STEPS[request])
            elif request is WindowRequest.LANGUAGE:
                self._people.speak_next()
            elif request is WindowRequest.RETELL:
                if menu is not None:
                    self._guard.call(menu, "retell", menu.now.retell, None)
            elif request in _PAGES:
                if menu is not None:
                    self._guard.call(menu, "open_at", partial(menu.open_at, _PAGES[request]), None)
            elif self._presses is not None and request in _BUTTONS:
                self._presses.post(_BUTTONS[request])

    def _ask_to_leave(self, asking: Menu) -> None:
        """Draw the quit confirmation and do what is answered. The game goes on meanwhile."""
        page = leaving_page(self._people.language)
        self._window.show_menu(page, asking, self._people.language)
        after: Menu | None = asking
        for asked in self._window.poll_menu(writing=False):
            chosen: Line | None = Act("quit") if asked is WindowRequest.QUIT else None
            if chosen is None and after is not None:
                after, chosen = heard(after, asked, page)
            if chosen == Act("quit"):
                self._asked.append(Stop())
            after = None if chosen is not None else after
        self._leaving = after

    def _at_the_menu(self, menu: TableMenu, page: Page) -> None:
        if menu.menu is not None:
            self._window.show_menu(page, menu.menu, self._people.language, self._seen if page.camera else None)
        for asked in self._window.poll_menu(writing=menu.writing):
            if asked is WindowRequest.QUIT:
                self._asked.append(Stop())
            else:
                self._guard.call(menu, "key", partial(_tell_menu, menu, asked), None)


def _tell_menu(menu: TableMenu, asked: object) -> None:
    if isinstance(asked, Key):
        menu.key(asked)
    elif isinstance(asked, str):
        menu.write(asked)
    elif isinstance(asked, Target) and asked.part is MenuPart.BACK:
        menu.key(Key.BACK)
    elif isinstance(asked, Target) and asked.part is MenuPart.ROW:
        menu.tap(asked.number)
    elif isinstance(asked, Target):
        menu.adjust(asked.number, Key.LESS if asked.part is MenuPart.LESS else Key.MORE)


_REDRAWN_EVERY_S: Final = 0.05
_FPS_OVER_FRAMES: Final = 20


class WatchWindow:
    """Shows frame after frame. Space pauses and goes on, the right arrow shows the next frame, T changes the language.

    ``ended`` once it was closed.
    """

    def __init__(
        self,
        window: Window,
        language: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``clock`` and ``sleep`` stand in for time in tests."""
        self._window = window
        self._language = language
        self._clock, self._sleep = clock, sleep
        self._times: deque[float] = deque(maxlen=_FPS_OVER_FRAMES)
        self._paused = False
        self.ended = False

    def show(self, frame: Frame, look: Look) -> None:
        """Draw this frame, and stay with it while paused."""
        self._times.append(self._clock())
        picture = drawn_picture(frame, look)
        self._draw(frame, look, picture)
        stays = self._asked()
        while stays and not self.ended:
            self._draw(frame, look, picture)
            self._sleep(_REDRAWN_EVERY_S)
            stays = self._asked()

    def _asked(self) -> bool:
        """Take what was asked for; whether this frame is to stay."""
        next_frame = False
        for request in self._window.poll():
            if request in (WindowRequest.QUIT, WindowRequest.LEAVE):
                self.ended = True
            elif request is WindowRequest.LANGUAGE:
                self._language = next_language(self._language)
            elif request is WindowRequest.ACT:
                self._paused = not self._paused
                self._times.clear()
            elif request in (WindowRequest.BLACK, WindowRequest.FORWARD):
                self._paused = next_frame = True
        return self._paused and not next_frame

    def _draw(self, frame: Frame, look: Look, picture: CameraPicture | None) -> None:
        calibration = look.calibration
        watched = Watched(
            look.table,
            BySide(look.seen.white, look.seen.black),
            look.seen.cards,
            None if calibration is None else (calibration.rms_px, calibration.rms_mm),
            self._fps(),
            frame.t_s,
            self._paused,
            look.mirrored,
        )
        self._window.show_watch(watch_view(watched, self._language), picture)

    def _fps(self) -> float | None:
        if self._paused or len(self._times) < 2 or self._times[-1] <= self._times[0]:
            return None
        return (len(self._times) - 1) / (self._times[-1] - self._times[0])
