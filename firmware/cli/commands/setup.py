"""``engarde setup``: the first start: Wi-Fi, the camera's aim, the table measured, by a page for the phone."""

from __future__ import annotations

import argparse
import os
import socket
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from display.i18n import words
from display.screens.camera import CameraPicture
from display.view import EyesView, WatchView
from display.window import Window, WindowRequest
from engine.table.observation import Sight
from engine.table.presses import Button
from firmware.cli.commands.declared import option, part
from firmware.cli.commands.options import (
    add_camera_arguments,
    as_the_match_has,
    camera_wanted,
    play_after,
    say,
    then_play,
)
from firmware.cli.first_start.answers import FirstStart, Site
from firmware.cli.first_start.mark import StartMark, mark_path
from firmware.cli.first_start.table import TableEye
from firmware.cli.first_start.wifi import HOTSPOT_ADDRESS, Hotspot, Outcome, Wifi
from firmware.cli.sitting.cameras import open_with_table, setup_of
from firmware.core.clock import SystemClock
from firmware.core.config import load_config, own_table_path, saved_path, scorebook_path
from firmware.core.errors import EngardeError
from firmware.extras.simulation.camera import untouched_table
from firmware.table.camera.camera import CameraKind, CameraWanted
from firmware.table.camera.live_camera import PacedSource
from firmware.table.panel.buttons import GestureKind
from firmware.table.panel.devices import Panel, open_panel
from firmware.table.readers.guard import guard_beside
from firmware.table.service.watchdog import Notifier
from firmware.ui.screen.screens import window_as_set
from firmware.web.address import Port, own_address
from vision.camera.sources import Source, SourceError
from vision.printed.tags import qr_rows

_TICK_S: Final = 0.1
_LOOK_S: Final = 3.0
_LEAVES: Final = frozenset((WindowRequest.LEAVE, WindowRequest.QUIT, WindowRequest.MENU))
_WIDE: Final = 1280
_HIGH: Final = 576
_QUIET: Final = 4
_PAPER: Final = 255
_ASKING_S: Final = 6.0  # long enough to read the question and answer it


def _add_shared(parser: argparse.ArgumentParser) -> None:
    """The options that the match after it has too."""
    add_camera_arguments(parser)
    parser.add_argument("--headless", action="store_true", help="without a window: the address is printed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The camera to aim and the page's port; ``then_play`` are the options of the match that comes after it."""

    camera: CameraWanted = part(_add_shared, lambda args: camera_wanted(as_the_match_has(args, _add_shared)))
    headless: bool = part(lambda _: None, lambda args: as_the_match_has(args, _add_shared).headless)
    port: int = option("the page's (%(default)s)", default=Port.SETUP)
    then_play: tuple[str, ...] | None = then_play("the service")

    def do(self) -> int:
        """Serve the page until the players want to play, or leave by the screen or a button; 0 then."""
        return play_after(lambda: _set_up(self), self.then_play, "The game begins without a first start.")


def _set_up(wish: Setup) -> int:
    clock, config, notifier, mark = SystemClock(), load_config(), Notifier(os.environ), StartMark(mark_path())
    with ExitStack() as held:
        if wish.then_play is None:
            held.callback(notifier.close)
        else:
            mark.begin()
        panel = open_panel(config.panel, clock.now_s)
        held.callback(panel.close)
        window = None if wish.headless else window_as_set(config)
        if window is not None:
            held.callback(window.close)
        wifi = Wifi()
        opened = wifi.open_hotspot() if wifi.is_there and not wifi.connected else Outcome()
        eye, problem = _eye(wish.camera, held)
        config = replace(config, camera=wish.camera.spec.name)  # what the checks name
        first = FirstStart(config, saved_path(), own_table_path(), wifi, eye, panel, problem, mark=mark)
        site = held.enter_context(closing(Site(first, port=wish.port)))
        if trouble := first.wifi_told(opened):
            say(trouble)
        notifier.tell("READY=1", "STATUS=First start")
        _wait(first, site, wifi, window, panel, notifier, opened)
        wifi.close_hotspot()
    return 0


def _eye(wanted: CameraWanted, held: ExitStack) -> tuple[TableEye | None, str]:
    """The camera, and why there is none."""
    try:
        if wanted.spec.kind is CameraKind.SYNTHETIC:  # it waits for the camera, as a real one does, with nobody playing
            table = setup_of(wanted).table
            source: Source = PacedSource(untouched_table(table, wanted.seed))
        else:
            camera, setup = open_with_table(wanted)
            source, table = camera.source, setup.table
    except (SourceError, EngardeError, ValueError, OSError) as error:
        return None, str(error)
    run = held.enter_context(closing(guard_beside(scorebook_path(None), say)))
    return held.enter_context(closing(TableEye(source, table, run))), ""


def _wait(
    first: FirstStart, site: Site, wifi: Wifi, window: Window | None, panel: Panel, notifier: Notifier, opened: Outcome
) -> None:
    """Until all is done, or somebody ends it at the window or the panel, for now or for good."""
    shown: tuple[object, ...] = ()
    asked_s = float("-inf")
    clock, looked_s = SystemClock(), float("-inf")
    page = ""
    while not first.done.wait(_TICK_S):
        now_s = clock.now_s()
        if now_s - looked_s >= _LOOK_S:
            looked_s = now_s
            before, page = page, address(site.port, site.login.code, wifi.hotspot)
            if page != before:
                say(f"The first start's page is at {page}")
            notifier.tell("WATCHDOG=1")
        gestures = panel.buttons.gestures(now_s)
        requests = () if window is None else window.poll()
        # A press is soon made by accident, and this is for good: a button is held, and the window asks once more.
        held = any(button is Button.WHITE and gesture.kind is GestureKind.HOLD for button, gesture in gestures)
        asking = now_s - asked_s < _ASKING_S
        if held or (asking and WindowRequest.UNDO in requests):
            return first.forgo()
        if requests:
            asking = WindowRequest.UNDO in requests
            asked_s = now_s if asking else float("-inf")
        if _LEAVES.intersection(requests) or any(button is Button.MENU for button, _ in gestures):
            return first.leave()
        if window is None:
            continue
        # With a cable, or a network joined since, the reason why there was none is of no use.
        wanted = (first.language, page, wifi.hotspot, "" if own_address() else first.wifi_told(opened))
        if (*wanted, asking) != shown:
            window.show_watch(*first_screen(*wanted, asking=asking))
            shown = (*wanted, asking)
    return None


def address(port: int, code: str, hotspot: Hotspot | None) -> str:
    """The page's address for a phone in the same network."""
    host = HOTSPOT_ADDRESS if hotspot is not None else own_address() or f"{socket.gethostname()}.local"
    return f"http://{host}:{port}/#{code}"


def codes_picture(texts: tuple[str, ...]) -> CameraPicture:
    """These texts as QR codes beside each other."""
    picture = np.full((_HIGH, _WIDE), _PAPER, np.uint8)
    for number, text in enumerate(texts):
        code = np.pad(np.where(qr_rows(text), 0, _PAPER).astype(np.uint8), _QUIET, constant_values=_PAPER)
        scale = min(_HIGH, _WIDE // len(texts)) // code.shape[0]
        large = np.kron(code, np.ones((scale, scale), np.uint8))
        top = (_HIGH - large.shape[0]) // 2
        left = round((number + 0.5) * _WIDE / len(texts)) - large.shape[1] // 2
        picture[top : top + large.shape[0], left : left + large.shape[1]] = large
    return CameraPicture(np.repeat(picture[:, :, None], 3, axis=2).tobytes(), _WIDE, _HIGH)


def first_screen(
    language: str, page: str, hotspot: Hotspot | None, trouble: str = "", *, asking: bool = False
) -> tuple[WatchView, CameraPicture]:
    """The screen of the first start: with a network of its own two codes, the network's first.

    ``trouble`` says why there is no network at all.
    Its two buttons are the requests ``menu`` and ``undo``; ``asking``: whether never to measure was meant.
    """
    say = words(language).say
    lines = [say("setup.scan")]
    texts: tuple[str, ...] = (page,)
    if hotspot is not None:
        lines = [say("setup.scan_both", name=hotspot.name, password=hotspot.password)]
        texts = (hotspot.code, page)
    eyes = EyesView(Sight.BLIND if trouble else Sight.STEADY, None, trouble or say("setup.welcome"))
    forgo = say("setup.really" if asking else "setup.play_never")
    buttons = (("menu", say("setup.play_now")), ("undo", forgo))
    view = WatchView(
        eyes, lines[0], say("setup.address", address=page), say("setup.forgo"), say("setup.leave"), buttons
    )
    return view, codes_picture(texts)
