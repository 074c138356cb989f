"""What the screen costs in a typical second of play: ``python tests/bench/bench_display.py [--size 1280x720]``.

A second has ten frames of the camera, every one a new picture, and one move, which the screen shows at up to thirty
pictures a second while it lasts; nothing else changes. Two ways, side by side: everything drawn in every picture, and
only what changed (the window's own way). A quiet second, in which people think, is measured beside it. Prints
milliseconds a picture, how many pictures and parts were drawn, and the ratio, which is what counts. Needs no screen.

``--against DIR`` holds the window's own way beside that of another checkout with an environment of its own, which takes
turns with this one: processor time of the best of several turns, and the ratio. What else the machine does hits both.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from display.draw.animation import Animator
from display.draw.parts import Painter, draw_parts
from display.draw.staging import LONGEST_S
from display.draw.theme import DEFAULT, LOOKS, Theme
from display.screens.camera import CameraPicture
from display.screens.compose import Arrangement, composed_parts, layout
from display.view import ViewModel
from display.words.present import present
from display.workshop.showcase import situations

FRAMES = 10
PICTURES = 30
SECONDS = 10
CAMERA_PX = (1152, 648)
HERE = Path(__file__).resolve().parents[2]
TURNS = 5


@dataclass(frozen=True)
class Asked:
    """One picture that is asked for."""

    view: ViewModel
    camera: CameraPicture
    progress: float


def second(views: tuple[ViewModel, ViewModel], cameras: list[CameraPicture], *, moves: bool) -> Iterator[Asked]:
    """The pictures of a second: one a frame, and more while a move is shown, which begins at the third frame."""
    animator = Animator()
    animator.step(views[0], 0.0)
    for number in range(PICTURES):
        now_s = number / PICTURES
        frame = number * FRAMES // PICTURES
        comes = number % (PICTURES // FRAMES) == 0
        view = views[1] if moves and frame >= 2 else views[0]
        moved, progress = animator.step(view, now_s)
        if comes or animator.moving or progress < 1.0:
            yield Asked(moved, cameras[frame], progress)


def noise(seed: int) -> CameraPicture:
    """A picture that differs from the others."""
    row = bytes((seed * 37 + column * 11) % 256 for column in range(CAMERA_PX[0] * 3))
    return CameraPicture(row * CAMERA_PX[1], *CAMERA_PX)


def measured(
    surface: pygame.Surface, asked: list[list[Asked]], theme: Theme, arrangement: Arrangement, *, changed_only: bool
) -> tuple[list[float], int, int]:
    """Milliseconds of the processor for every picture asked for, and how many pictures and parts were drawn."""
    places = layout(surface.get_size(), arrangement, with_buttons=True, theme=theme)
    painter, times_ms, drawn, drawn_parts = Painter(), [], 0, 0
    warm = composed_parts(places, asked[0][0].view, asked[0][0].camera, 1.0, theme)
    painter.paint(surface, warm, theme)
    for each in asked[0]:  # what is drawn for the first time in a match is kept: a second of hundreds is measured
        painter.paint(surface, composed_parts(places, each.view, each.camera, each.progress, theme), theme)
    for pictures in asked:
        for each in pictures:
            began_s = time.process_time()
            parts = composed_parts(places, each.view, each.camera, each.progress, theme)
            if changed_only:
                changed = painter.paint(surface, parts, theme)
            else:
                draw_parts(surface, parts, theme)
                changed = parts
            if len(changed) == len(parts):
                pygame.display.flip()
            elif changed:
                pygame.display.update([part.box for part in changed])
            times_ms.append((time.process_time() - began_s) * 1000)
            drawn += bool(changed)
            drawn_parts += len(changed)
    return times_ms, drawn, drawn_parts


def kinds() -> dict[str, tuple[list[list[Asked]], Arrangement]]:
    """The seconds of each kind, with what the window shows."""
    shown = situations()
    # The verdict, the pile and the lamps change with the move, as they do in a match.
    views = (present(shown["round"]), present(shown["advance"]))
    quiet = (replace(views[1]), views[1])
    cameras = [noise(seed) for seed in range(FRAMES)]

    def seconds(pair: tuple[ViewModel, ViewModel], *, moves: bool) -> list[list[Asked]]:
        return [list(second(pair, cameras, moves=moves)) for _ in range(SECONDS)]

    return {
        "a second with a move": (seconds(views, moves=True), Arrangement.BOTH),
        "a second of thinking": (seconds(quiet, moves=False), Arrangement.BOTH),
        "a move, no camera shown": (seconds(views, moves=True), Arrangement.TABLE),
        "thinking, no camera shown": (seconds(quiet, moves=False), Arrangement.TABLE),
    }


def costs(surface: pygame.Surface, theme: Theme) -> dict[str, float]:
    """Milliseconds of the processor that the window's own way takes for a second of each kind."""
    found = {}
    for name, (seconds, arrangement) in kinds().items():
        times_ms, _, _ = measured(surface, seconds, theme, arrangement, changed_only=True)
        found[name] = sum(times_ms) / SECONDS
    return found


def compared(checkouts: dict[str, Path], size: str, theme: str) -> None:
    """Print what each checkout takes, and by how much this one takes more or less."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in checkouts}
    for _ in range(TURNS):
        for name, checkout in checkouts.items():
            python = str(checkout / ".venv" / "bin" / "python")
            words = [python, str(Path(__file__).resolve()), "--json", "--size", size, "--theme", theme]
            around = {**os.environ, "PYTHONPATH": str(checkout)}
            told = subprocess.run(words, cwd=checkout, env=around, capture_output=True, text=True, check=True)
            found[name].append(json.loads(told.stdout.splitlines()[-1]))
    print(f"{size}, best of {TURNS} turns each, load {os.getloadavg()[0]:.1f}: ms of the processor a second")
    for kind in found["here"][0]:
        here, there = (min(turn[kind] for turn in found[name]) for name in ("here", "there"))
        print(f"  {kind:<26} here {here:6.1f}, there {there:6.1f}: {here / max(there, 1e-9):.2f} times")


def main() -> int:
    """Measure both ways, or both checkouts, and print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", default="1280x720", help="%(default)s")
    parser.add_argument("--theme", choices=tuple(LOOKS), default=DEFAULT.name, help="%(default)s")
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout with its own .venv")
    parser.add_argument("--json", action="store_true", help="only the window's own way, as one line of JSON")
    asked = parser.parse_args()
    if asked.against is not None:
        compared({"here": HERE, "there": asked.against.resolve()}, asked.size, asked.theme)
        return 0
    width, height = (int(part) for part in asked.size.split("x"))
    pygame.display.init()
    surface = pygame.display.set_mode((width, height))
    theme = LOOKS[asked.theme]
    if asked.json:
        print(json.dumps(costs(surface, theme)))
        return 0
    print(f"{width}x{height}, {SECONDS} seconds of each kind, {FRAMES} frames a second, a move takes {LONGEST_S} s")
    for name, (seconds, arrangement) in kinds().items():
        ways = {}
        for way in ("everything", "what changed"):
            only = way == "what changed"
            ways[way] = measured(surface, seconds, theme, arrangement, changed_only=only)
        for way, (times_ms, drawn, drawn_parts) in ways.items():
            print(
                f"  {name:<26}{way:<14}{statistics.mean(times_ms):7.2f} ms a picture "
                f"(worst {max(times_ms):6.2f}), {sum(times_ms) / SECONDS:6.1f} ms a second; "
                f"drawn {drawn / SECONDS:.1f} of {len(times_ms) / SECONDS:.1f} pictures, "
                f"{drawn_parts / SECONDS:.1f} parts"
            )
        ratio = sum(ways["everything"][0]) / max(1e-9, sum(ways["what changed"][0]))
        print(f"  {'':<26}{ratio:.1f} times less")
    pygame.display.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
