"""``first_minutes.py``: the first two minutes of a newcomer, from ``make demo`` to the first touch, as a film.

Somebody taps *Play now* and plays, by pointer alone, in a window without a screen (``SDL_VIDEODRIVER=dummy``), with the
real renderer, the real eyes and the table's own pace. Measured: seconds from the window's first picture to the first
card that lies on the table, the taps until then, and the taps of each turn (a card or fencer that is dragged is one).
``--out DIR`` gets ``first_minutes.mp4`` and a picture each two seconds; ``--language`` is the system's.
``--moving FILE`` makes the moving picture of the README instead: small, only every tenth picture of the window, those
that show nothing new left out, and the second turn is played wrongly first and put right. Seconds mean
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
from random import Random
from typing import Any, Final

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import cv2
import numpy as np
import pygame
from PIL import Image

from display.menu.model import Act
from display.view import Tone
from engine.players.players import GreedyBot
from engine.rules.legal import GiveUp, turn_event
from engine.rules.state import Phase, PlayerView
from engine.rules.track import Side
from firmware.cli.commands import demo
from firmware.cli.main import main
from firmware.ui.screen import screens
from tests.firmware.extras.hands.conftest import Script, TriedWindow

SIZE: Final = (1280, 720)
FILM_FPS: Final = 10
STILLS_S: Final = 2.0
MAX_S: Final = 600.0
PATIENCE: Final = 4000
MOVING_SIZE: Final = (800, 450)
MOVING_STEP: Final = 10
"""Of so many pictures of the window one is kept in the moving picture."""
MOVING_MS: Final = 200
LAST_MS: Final = 4000
NEW_LEVELS: Final = 1.0
"""A picture that differs less than this from the one before, as a mean of brightness levels, shows nothing new."""


class Filmed(TriedWindow):
    """A window whose pictures become a film, at the pace at which they are shown."""

    def __init__(self, plays: Any, out: Path | None, *, moving: bool = False) -> None:
        pygame.display.init()
        super().__init__(SIZE, plays)
        self.person.patience = PATIENCE
        self.began_s = time.monotonic()
        self._out, self._frames, self._stills = out, 0, 0
        self._film: Any = None
        self.gathered: list[Any] | None = [] if moving else None
        self._pictures = 0
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
        self._pictures += 1
        if self.gathered is not None and self._pictures % MOVING_STEP == 0:
            self._keep_moving(self.gathered)
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

    def _keep_moving(self, kept: list[Any]) -> None:
        """Keep this picture where it shows something new."""
        small = pygame.transform.smoothscale(self.surface, MOVING_SIZE)
        pixels = np.swapaxes(pygame.surfarray.array3d(small), 0, 1)
        if not kept or np.abs(kept[-1].astype(int) - pixels).mean() > NEW_LEVELS:
            kept.append(pixels)

    def close(self) -> None:
        if self._film is not None:
            self._film.release()
            self._film = None
        super().close()


class Newcomer:
    """Plays to the first touch, and notes what it took. ``taps`` count what goes down, on a mouse or a key."""

    def __init__(self, *, errs: bool = False) -> None:
        self.errs = errs
        self.taps = 0
        self.to_first_card: tuple[float, int] | None = None
        self.turns: list[int] = []
        self.touched_s: float | None = None

    def plays(self, me: Any) -> Script:
        window = me.window
        really = me._mouse

        def mouse(kind: int, at: tuple[float, float]) -> None:
            self.taps += kind == pygame.MOUSEBUTTONDOWN
            really(kind, at)

        me._mouse = mouse
        yield from me.wait(1)
        yield from me.choose(Act("now"))
        yield from me.until(lambda view: view.phase is Phase.TURN)
        while window.age_s < MAX_S and self.touched_s is None:
            before, lay = self.taps, len(me.hands.view.cards)
            mine = me.state.to_act is not None and bool(me.cards) and not me.offered
            if mine and self.errs and self.turns:
                yield from self.errs_first(me)
                self.errs = False
            else:
                yield from me.play_one()
            if mine and self.taps > before:
                self.turns.append(self.taps - before)
                if self.to_first_card is None and len(me.hands.view.cards) > lay:
                    self.to_first_card = window.age_s, before + 1
            if sum(points for _, points in me.state.score.items()) > 0:
                self.touched_s = window.age_s
        yield from me.wait(5)

    def errs_first(self, me: Any) -> Script:
        """A turn played one space too short: the referee says so and shows the right space, and there it goes on."""
        state = me.state
        wanted = GreedyBot().choose(PlayerView(state, Side.WHITE, me.cards), Random(1))
        assert not isinstance(wanted, GiveUp)
        chosen = turn_event(state, wanted)
        for card in chosen.cards:
            yield from me.lay(card, *me.free_place())
        yield from me.move(Side.WHITE, chosen.spaces[Side.WHITE] - 1)
        yield from me.wait(6)
        yield from me.press(Side.WHITE)
        yield from me.until(lambda view: view.verdict.tone is Tone.REFUSED)
        yield from me.wait(12)
        yield from me.move(Side.WHITE, chosen.spaces[Side.WHITE])
        yield from me.wait(6)
        yield from me.press(Side.WHITE)
        yield from me.until_after(state)


def write_moving(pictures: list[Any], path: Path) -> None:
    """The moving picture, which begins anew at its end."""
    first, *more = [Image.fromarray(each) for each in pictures]
    lasting = [MOVING_MS] * len(more) + [LAST_MS]
    first.save(path, save_all=True, append_images=more, duration=lasting, loop=0, quality=60, method=6)


def run(language: str, out: Path | None, moving: Path | None = None) -> Newcomer:
    """The first minutes, once."""
    somebody = Newcomer(errs=moving is not None)
    windows: list[Filmed] = []

    def opens(**_: Any) -> Filmed:
        windows.append(Filmed(somebody.plays, out, moving=moving is not None))
        return windows[-1]

    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        os.environ["LC_ALL"] = language
        for module in (screens, demo):
            module.open_window = opens  # type: ignore[attr-defined]
        main(["demo", "--seed", "1", "--scorebook", str(Path(folder) / "book.sqlite")])
    if moving is not None:
        write_moving([picture for window in windows for picture in window.gathered or ()], moving)
    return somebody


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--language", default="en_GB.UTF-8")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--moving", type=Path)
    given = parser.parse_args()
    found = run(given.language, given.out, given.moving)
    print(f"at a load of {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors:")
    if found.to_first_card is not None:
        seconds, taps = found.to_first_card
        print(f"first own card after {seconds:.1f} s and {taps} taps")
    if found.turns:
        print(f"{len(found.turns)} turns, {sum(found.turns) / len(found.turns):.1f} taps a turn: {found.turns}")
    print("no touch" if found.touched_s is None else f"first touch after {found.touched_s:.1f} s")
    sys.exit(found.touched_s is None)
