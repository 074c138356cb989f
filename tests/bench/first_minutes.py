"""``first_minutes.py``: the first two minutes of a newcomer, from ``make demo`` to the first touch, as a film.

Somebody taps *Play now* and plays, by pointer alone, in a window without a screen (``SDL_VIDEODRIVER=dummy``), with the
real renderer, the real eyes and the table's own pace. Measured: seconds from the window's first picture to the first
card that lies on the table, the taps until then, and the taps of each turn (a card or fencer that is dragged is one).
``--out DIR`` gets ``first_minutes.mp4`` and a picture each two seconds; ``--language`` is the system's. Seconds mean
something on an idle machine only, taps anywhere. Exit status 1 where the first touch was not reached. Run from the
project's folder with PYTHONPATH=. (the hands are those of the tests).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import cv2
import numpy as np
import pygame

from display.menu.lines import Wanted
from engine.rules.state import Phase
from firmware.cli import main
from firmware.commands import demo
from firmware.screen import screens
from tests.firmware.hands.conftest import Script, TriedWindow

SIZE: Final = (1280, 720)
FILM_FPS: Final = 10
STILLS_S: Final = 2.0
LONGEST_S: Final = 600.0
PATIENCE: Final = 4000


class Filmed(TriedWindow):
    """A window whose pictures become a film, at the pace at which they are shown."""

    def __init__(self, plays: Any, out: Path | None) -> None:
        pygame.display.init()
        super().__init__(SIZE, plays)
        self.person.patience = PATIENCE
        self.began_s = time.monotonic()
        self._out, self._frames, self._stills = out, 0, 0
        self._film: Any = None
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            self._film = cv2.VideoWriter(
                str(out / "first_minutes.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), FILM_FPS, SIZE
            )

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.began_s

    def show(self, *shown: Any) -> None:
        super().show(*shown)
        self._keep()

    def show_menu(self, *shown: Any) -> None:
        super().show_menu(*shown)
        self._keep()

    def _keep(self) -> None:
        """Put the picture into the film as often as its time has come, and among the stills."""
        if self._out is None:
            return
        due = int(self.age_s * FILM_FPS) - self._frames
        if due > 0:
            pixels = np.swapaxes(pygame.surfarray.array3d(self.surface), 0, 1)
            for _ in range(min(due, FILM_FPS)):
                self._film.write(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
            self._frames += due
        if self.age_s >= self._stills * STILLS_S:
            pygame.image.save(self.surface, self._out / f"at-{round(self.age_s):03}-s.png")
            self._stills = int(self.age_s / STILLS_S) + 1

    def close(self) -> None:
        if self._film is not None:
            self._film.release()
            self._film = None
        super().close()


class Newcomer:
    """Plays to the first touch, and notes what it took. ``taps`` count what goes down, on a mouse or a key."""

    def __init__(self) -> None:
        self.taps = 0
        self.to_first_card: tuple[float, int] | None = None
        self.turns: list[int] = []
        self.touched = False

    def plays(self, me: Any) -> Script:
        window = me.window
        really = me._mouse

        def mouse(kind: int, at: tuple[float, float]) -> None:
            self.taps += kind == pygame.MOUSEBUTTONDOWN
            really(kind, at)

        me._mouse = mouse
        yield from me.wait(1)
        yield from me.choose(Wanted.NOW)
        yield from me.until(lambda view: view.phase is Phase.TURN)
        while window.age_s < LONGEST_S and not self.touched:
            before, lay = self.taps, len(me.hands.view.cards)
            mine = me.state.to_act is not None and bool(me.cards) and not me.offered
            yield from me.play_one()
            if mine and self.taps > before:
                self.turns.append(self.taps - before)
                if self.to_first_card is None and len(me.hands.view.cards) > lay:
                    self.to_first_card = window.age_s, before + 1
            self.touched = sum(points for _, points in me.state.score.items()) > 0
        yield from me.wait(5)


def run(language: str, out: Path | None) -> Newcomer:
    """The first minutes, once."""
    somebody = Newcomer()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        os.environ["LC_ALL"] = language
        for module in (screens, demo):
            module.open_window = lambda **_: Filmed(somebody.plays, out)  # type: ignore[attr-defined]
        main(["demo", "--seed", "1", "--scorebook", str(Path(folder) / "book.sqlite")])
    return somebody


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--language", default="en_GB.UTF-8")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found = run(given.language, given.out)
    if found.to_first_card is not None:
        seconds, taps = found.to_first_card
        print(f"first own card after {seconds:.1f} s and {taps} taps")
    if found.turns:
        print(f"{len(found.turns)} turns, {sum(found.turns) / len(found.turns):.1f} taps a turn: {found.turns}")
    print("first touch reached" if found.touched else "no touch")
    sys.exit(0 if found.touched else 1)
