"""The screen: opened by the first video driver that works, or found out not to be there; and turned, where it hangs so.

Drivers are tried in the order Wayland, X11, kmsdrm, each only where its surroundings exist; ``SDL_VIDEODRIVER``
overrides that. Without a desktop a Pi 5 has a card of its own for each kind of plug, and their numbers change from one
start to the next: cards that a screen is plugged into are tried first, each by SDL's hint (since SDL 2.24; its issue
13705). Nothing else of the project is needed for it, so that there can be a picture before all of it is loaded.
Source: hardware/PLATFORM.md, "Systems".
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pygame

TITLE: Final = "En Garde"
SIZE: Final = (1280, 720)
"""Of a window, on a screen that is as large."""
CARD_HINT: Final = "SDL_KMSDRM_DEVICE_INDEX"
NO_SCREEN: Final = ("dummy", "offscreen", "")
"""Drivers SDL falls back to without a screen."""


def drivers_to_try(environ: Mapping[str, str], has_dri: bool, platform: str) -> tuple[str, ...]:
    """Video drivers worth trying, best first; an empty name lets SDL choose (outside Linux)."""
    if environ.get("SDL_VIDEODRIVER"):
        return (environ["SDL_VIDEODRIVER"],)
    if not platform.startswith("linux"):
        return ("",)
    found = {"wayland": "WAYLAND_DISPLAY" in environ, "x11": "DISPLAY" in environ, "kmsdrm": has_dri}
    return tuple(driver for driver, there in found.items() if there)


def screen_drivers() -> tuple[str, ...]:
    """The drivers worth trying on this machine as it is now, best first."""
    has_dri = any(Path("/dev/dri").glob("card*")) if Path("/dev/dri").is_dir() else False
    return drivers_to_try(os.environ, has_dri and is_connected(), sys.platform)


def is_connected(connectors: Path = Path("/sys/class/drm")) -> bool:
    """Whether a screen is plugged in and switched on, as the kernel's connectors tell; where none tells, it may be."""
    told = []
    for connector in connectors.glob("card*-*/status"):
        try:
            told.append(connector.read_text(encoding="ascii").strip())
        except (OSError, UnicodeDecodeError):
            continue
    return not told or any(status != "disconnected" for status in told)


def plugged_cards(drm: Path = Path("/sys/class/drm")) -> dict[str, str]:
    """The plugs that a screen is plugged into, such as ``HDMI-A-1``, by the number of their card in /dev/dri."""
    found: dict[str, str] = {}
    for status in sorted(drm.glob("card*-*/status")):
        card, _, plug = status.parent.name.partition("-")
        try:
            if status.read_text(encoding="ascii", errors="replace").strip() == "connected":
                found.setdefault(card.removeprefix("card"), plug)
        except OSError:  # unplugged while it was looked at
            continue
    return found


def driver_told() -> str:
    """The driver of the open screen, with card and plug where it was told which."""
    driver, card = str(pygame.display.get_driver()), os.environ.get(CARD_HINT)
    if card is None or driver.lower() != "kmsdrm":
        return driver
    plug = plugged_cards().get(card)
    return f"{driver}, card{card}" + (f", {plug}" if plug else "")


def _ways(driver: str) -> Iterator[dict[str, str]]:
    """The environments in which this driver is tried, one after the other."""
    chosen = {"SDL_VIDEODRIVER": driver} if driver else {}
    cards = plugged_cards() if driver == "kmsdrm" else {}
    if os.environ.get(CARD_HINT) not in cards:  # none was told, or the screen has been plugged in elsewhere
        for card in cards:
            yield {**chosen, CARD_HINT: card}
    yield chosen


def open_surface(size: tuple[int, int], title: str, *, fullscreen: bool) -> pygame.Surface | None:
    """What is drawn on, on the first driver that works, or None where there is no screen.

    One that is open already is given again, covering the whole screen or not as it is asked for now.
    """
    before = os.environ.get("SDL_VIDEODRIVER")
    there = pygame.display.get_surface() if pygame.display.get_init() else None
    if there is not None and _shows(there, fullscreen=fullscreen):
        pygame.display.set_caption(title)
        return there
    for driver, way in [(name, way) for name in screen_drivers() for way in _ways(name)]:
        surface = _try_driver(way, size, fullscreen or driver == "kmsdrm")
        if surface is not None:
            pygame.display.set_caption(title)
            pygame.display.set_allow_screensaver(False)
            if fullscreen or driver == "kmsdrm":
                _hide_cursor()
            return surface
    if before is None:
        os.environ.pop("SDL_VIDEODRIVER", None)
    else:
        os.environ["SDL_VIDEODRIVER"] = before
    return None


def _shows(surface: pygame.Surface, *, fullscreen: bool) -> bool:
    driver = pygame.display.get_driver().lower()
    whole = bool(surface.get_flags() & pygame.FULLSCREEN)
    return driver not in NO_SCREEN and (whole == fullscreen or driver == "kmsdrm")


def _try_driver(way: Mapping[str, str], size: tuple[int, int], fullscreen: bool) -> pygame.Surface | None:
    """What is drawn on in this environment, which stays in force; None where it gives no screen."""
    os.environ.update(way)
    try:
        pygame.display.init()
        if pygame.display.get_driver().lower() in NO_SCREEN:
            raise pygame.error("there is no screen")
        if fullscreen:
            return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        screen = pygame.display.Info()
        return pygame.display.set_mode(no_larger(size, (screen.current_w, screen.current_h)), pygame.RESIZABLE)
    except pygame.error:
        pygame.display.quit()
        if CARD_HINT in way:  # what is tried next is told of no card
            del os.environ[CARD_HINT]
        return None


def no_larger(size: tuple[int, int], screen: tuple[int, int]) -> tuple[int, int]:
    """The window's size on a screen of this size, which is not positive where nobody knows it: nothing is cut off."""
    width, height = (min(wanted, there) if there > 0 else wanted for wanted, there in zip(size, screen, strict=True))
    return width, height


def _hide_cursor() -> None:
    """A transparent cursor: hiding it altogether stops touch under some compositors."""
    pygame.mouse.set_cursor((8, 8), (0, 0), (0,) * 8, (0,) * 8)


WHOLE_ONLY: Final = pygame.OPENGL | pygame.SCALED
"""Surfaces that reach the screen only as a whole."""
_PLACES: Final = frozenset({pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION})
_TOUCHES: Final = frozenset({pygame.FINGERDOWN, pygame.FINGERUP, pygame.FINGERMOTION})


class TurnedScreen:
    """The open screen, whose picture is turned by ``degrees``: 0, 90, 180 or 270."""

    def __init__(self, surface: pygame.Surface, degrees: int = 0) -> None:
        """``surface`` is what is drawn on while no screen is open."""
        self.degrees = degrees
        self._before = surface
        self._canvas: pygame.Surface | None = None

    @property
    def surface(self) -> pygame.Surface:
        """What is drawn on now, upright: the screen itself where it hangs straight."""
        screen = self._screen
        if not self.degrees:
            return screen
        size = screen.get_size() if self.degrees == 180 else screen.get_size()[::-1]
        if self._canvas is None or self._canvas.get_size() != size:
            self._canvas = pygame.Surface(size, 0, screen)
        return self._canvas

    def show(self, boxes: Iterable[pygame.Rect] | None = None) -> None:
        """Put these parts of ``surface`` on the screen; None: all of it."""
        screen, drawn = self._screen, self.surface
        changed = [drawn.get_rect()] if boxes is None else [*boxes]
        if self.degrees:
            size = drawn.get_size()
            turned = ((pygame.transform.rotate(drawn.subsurface(box), -self.degrees), box) for box in changed)
            changed = [screen.blit(part, self._on_screen(box, size)) for part, box in turned]
        if boxes is None or screen.get_flags() & WHOLE_ONLY:
            pygame.display.flip()
        else:
            pygame.display.update(changed)

    def event(self, event: pygame.event.Event) -> pygame.event.Event:
        """This event with its place on ``surface``: where a person sees what was touched."""
        if not self.degrees or event.type not in _PLACES | _TOUCHES:
            return event
        told = dict(event.dict)
        if event.type in _TOUCHES:
            told["x"], told["y"] = self._upright(event.x, event.y, 1.0, 1.0)
            told["dx"], told["dy"] = self._moved(event.dx, event.dy)
        else:
            width, height = self._screen.get_size()
            x, y = event.pos
            told["pos"] = self._upright(x, y, width - 1, height - 1)
            if "rel" in told:
                told["rel"] = self._moved(*event.rel)
        return pygame.event.Event(event.type, told)

    @property
    def _screen(self) -> pygame.Surface:
        self._before = pygame.display.get_surface() or self._before
        return self._before

    def _on_screen(self, box: pygame.Rect, size: tuple[int, int]) -> tuple[int, int]:
        """The top left corner on the screen of a part of a picture of this size."""
        width, height = size
        match self.degrees:
            case 90:
                return height - box.bottom, box.left
            case 180:
                return width - box.right, height - box.bottom
            case _:
                return box.top, width - box.right

    def _upright(self, x: float, y: float, right: float, bottom: float) -> tuple[float, float]:
        """A place on the screen, whose last column and row are these, as one on ``surface``."""
        match self.degrees:
            case 90:
                return y, right - x
            case 180:
                return right - x, bottom - y
            case _:
                return bottom - y, x

    def _moved(self, x: float, y: float) -> tuple[float, float]:
        return self._upright(x, y, 0, 0)


def tap_place(event: pygame.event.Event, size: Sequence[int]) -> tuple[int, int] | None:
    """Where a finger or the left mouse button went down, in pixels; None for any other event.

    SDL makes a mouse event of every touch too; those are left out, so that no tap counts twice.
    """
    if event.type == pygame.FINGERDOWN:
        return int(event.x * size[0]), int(event.y * size[1])
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and not getattr(event, "touch", False):
        return int(event.pos[0]), int(event.pos[1])
    return None
