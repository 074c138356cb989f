"""``bench_hands.py``: whole matches at the table that people play at, with the real eyes, and how smooth it is.

A match to one point against the fencer, one against a second person and one against the companion, each played by
pointer alone; how often a card that is dragged is drawn anew, and how long that takes, in windows of three sizes.
Run from the project's folder with PYTHONPATH=. (the hands are those of the tests).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame

from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.cli import main
from firmware.commands import demo
from firmware.hands import opened
from firmware.screen import screens
from tests.firmware.hands.conftest import Plays, Script, TriedWindow, Unpaced

SIZES: Final = ((800, 480), (1280, 720), (1920, 1080))
DRAGGED_S: Final = 8.0


class Dragging(TriedWindow):
    """Moves the pointer before every picture of its own, and notes when each was drawn and how long that took."""

    def __init__(self, size: tuple[int, int], plays: Plays) -> None:
        pygame.display.init()
        super().__init__(size, plays)
        self.drags = False
        self.at_s: list[float] = []
        self.took_s: list[float] = []

    def go_on(self) -> None:
        if self.drags:
            angle = len(self.at_s) * 0.21
            at = self.person.px(308.0 + 120.0 * (angle % 2 - 1), -150.0 + 40.0 * (angle % 1 - 0.5))
            self.person._mouse(pygame.MOUSEMOTION, at)
        before, began_s = self.drawn, time.perf_counter()
        super().go_on()
        if self.drags and self.drawn > before:
            self.at_s.append(time.perf_counter())
            self.took_s.append(time.perf_counter() - began_s)


def opens_for(make: Any) -> None:
    def opens(**_: Any) -> TriedWindow:
        window: TriedWindow = make()
        return window

    for module in (screens, demo):
        setattr(module, "open_window", opens)  # noqa: B010


def play(*options: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "config.toml"
        settings.write_text("")
        own = ["--scorebook", str(Path(folder) / "book.sqlite"), "--config", str(settings), "--starter", "white"]
        return main(["play", "--camera", "synthetic", *own, *options])


def smoothness() -> None:
    for size in SIZES:

        def person(me: Any) -> Script:
            yield from me.until(lambda view: view.phase is Phase.TURN)
            yield from me.wait(2)
            me._mouse(pygame.MOUSEBUTTONDOWN, me.in_hand(me.cards[0]))
            me.window.drags = True
            until_s = time.monotonic() + DRAGGED_S
            while time.monotonic() < until_s:
                yield
            me.window.drags = False

        window = Dragging(size, person)
        opens_for(lambda window=window: window)
        play("--against", "novice", "--seed", "3")
        times = window.at_s
        gaps = sorted(1000 * (after - before) for before, after in pairwise(times))
        rate = (len(times) - 1) / (times[-1] - times[0])
        drawn = 1000 * median(window.took_s)
        worst = gaps[round(0.95 * (len(gaps) - 1))]
        print(
            f"{size[0]}x{size[1]}: {rate:.1f} pictures a second while dragging, 95 in 100 within {worst:.0f} ms; "
            f"one takes {drawn:.1f} ms"
        )


def matches(seed: int) -> int:
    setattr(opened, "PacedSource", Unpaced)  # noqa: B010 - nobody waits for the clock on the wall
    failed = 0
    games = {
        "fencer": (("--against", "fencer", "--white", "Anna"), (Side.WHITE,)),
        "maestro": (("--against", "maestro", "--white", "Anna"), (Side.WHITE,)),
        "person": (("--white", "Anna", "--black", "Ben"), (Side.WHITE, Side.BLACK)),
    }
    for name, (options, sides) in games.items():
        ended: list[str] = []

        def person(me: Any, sides: tuple[Side, ...] = sides, ended: list[str] = ended) -> Script:
            yield from me.play_match(*sides)
            ended.append(f"{me.state.score.white}:{me.state.score.black} after {me.state.round} rounds")

        pygame.display.init()
        opens_for(lambda plays=person: TriedWindow((1280, 720), plays))
        began_s = time.monotonic()
        status = play(*options, "--points", "1", "--seed", str(seed))
        failed += status != 0 or not ended
        print(f"{name}: {ended[0] if ended else 'not ended'}, {time.monotonic() - began_s:.0f} s")
    return failed


def bench() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", action="store_true", help="only the matches")
    parser.add_argument("--smooth", action="store_true", help="only how smooth it is")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not given.matches:
        smoothness()
    return 0 if given.smooth else matches(given.seed)


if __name__ == "__main__":
    sys.exit(bench())
