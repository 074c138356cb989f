"""How long the interpreter itself holds up a match: a companion's, with window, menu and web view open.

    .venv/bin/python tests/bench/bench_pauses.py

A whole match against the companion on rendered frames, once with garbage left to Python and once tidied between frames.
Prints how long the collections took and the worst of them, and how many fell into a frame's work. The exit status is 1
where those of one frame took more than 50 ms, tidied.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pygame

from display.menu.model import Key
from display.view import NO_NAMES
from display.window import Window
from engine.companion.companion import LEVELS, name_of
from engine.players.bots.strengths import STRENGTHS
from engine.rules.events import MatchEvent
from engine.rules.track import Side
from firmware.camera.setup import TABLE_FILE, table_of
from firmware.config import DEFAULTS, load_config
from firmware.loop.moment import Audience, Moment, People
from firmware.loop.tidy import Tidy
from firmware.menu.choices import Choices
from firmware.menu.machine import Household
from firmware.menu.table_menu import TableMenu
from firmware.scorebook.book import open_scorebook
from firmware.screen.screens import WindowAudience
from firmware.simulation.companion_match import CompanionMatch
from firmware.simulation.match import MatchPlan
from firmware.web.ports import LOOPBACK
from firmware.web.server import Scoreboard, WebServer
from vision.synthetic.disturbances import TYPICAL

_MENU_EVERY, _MENU_FOR = 60, 4


class Pauses:
    """Every collection: how long it took, and of which generation."""

    def __init__(self) -> None:
        self.found: list[tuple[float, int]] = []
        self._began_s = 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began_s = time.perf_counter()
        else:
            self.found.append((time.perf_counter() - self._began_s, info["generation"]))


class MenuNowAndThen:
    """Opens the menu every now and then, goes down a line a frame, and closes it. The match goes on under it."""

    def __init__(self, menu: TableMenu) -> None:
        self._menu, self._frames = menu, 0

    def attend(self, moment: Moment) -> None:
        self._frames += 1
        self._menu.attend(moment)
        place = self._frames % _MENU_EVERY
        if place == 0:
            self._menu.open()
        elif place <= _MENU_FOR and self._menu.menu is not None:
            self._menu.key(Key.BACK if place == _MENU_FOR else Key.DOWN)


@contextmanager
def phones(url: str, count: int) -> Iterator[None]:
    """So many follow the score until this ends."""

    def follow() -> None:
        try:
            with urllib.request.urlopen(f"{url}events", timeout=60) as answer:
                while answer.readline():
                    pass
        except OSError:
            return

    for _ in range(count):
        threading.Thread(target=follow, daemon=True).start()
    yield


def one(seed: int, strength: str, frames: int, tidied: bool) -> None:
    """One match, and its line."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    table, people = table_of(TABLE_FILE), People(NO_NAMES.put(Side.BLACK, name_of(strength)), "en")
    pauses = Pauses()
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="engarde-pauses-")))
        book = held.enter_context(open_scorebook(folder / "book.sqlite"))
        pygame.display.init()
        window = Window(pygame.display.set_mode((1280, 720)))
        held.callback(window.close)
        nothing: Any = lambda *given: None  # noqa: E731
        household = Household(book, folder / "menu.toml", apply=nothing, test=nothing, lamps=False, sound=lambda: False)
        menu = TableMenu(Choices(people, household, load_config(DEFAULTS)))
        scoreboard = Scoreboard()
        server = held.enter_context(closing(WebServer(scoreboard, LOOPBACK, 0)))
        held.enter_context(phones(server.url, 3))
        plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 2), seed, 0.2, TYPICAL)
        audience: list[Audience] = [scoreboard, MenuNowAndThen(menu)]
        given = (Side.BLACK, strength, STRENGTHS, (WindowAudience(window, None, people, menu=menu),))
        match = CompanionMatch(plan, table, book.begin(people.names, mode="demo", seed=seed), audience, people, *given)
        held.callback(match.companion.close)
        if tidied:
            match.loop.audience = (*match.loop.audience, held.enter_context(closing(Tidy())))
        gc.callbacks.append(pauses)
        worst_frame_s = 0.0
        while match.loop.frames < frames:
            before = len(pauses.found)
            if match.loop.advance() is None:
                break
            worst_frame_s = max(worst_frame_s, sum(took_s for took_s, _ in pauses.found[before:]))
        gc.callbacks.remove(pauses)
    took_ms = sorted(1000 * took_s for took_s, _ in pauses.found)
    full_ms = [1000 * took_s for took_s, generation in pauses.found if generation == 2]
    print(
        f"{'tidied' if tidied else 'as Python does it':18} {match.loop.frames} frames, {match.turns} turns: "
        f"{len(took_ms)} collections, {sum(took_ms):.0f} ms in all, worst {took_ms[-1]:.1f} ms; {len(full_ms)} of all "
        f"objects, worst {max(full_ms, default=0.0):.1f} ms; in one frame at worst {1000 * worst_frame_s:.1f} ms; "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB",
        flush=True,
    )
    if tidied and 1000 * worst_frame_s > MOST_MS:
        sys.exit(1)


MOST_MS = 50.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", choices=LEVELS, default="maestro")
    parser.add_argument("--frames", type=int, default=100_000, help="at most so many")
    given = parser.parse_args()
    status = 0
    for tidied in (False, True):  # each in a process of its own
        run = get_context("spawn").Process(target=one, args=(given.seed, given.strength, given.frames, tidied))
        run.start()
        run.join()
        status = status or int(run.exitcode != 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
