"""What the screen costs in a typical second of play: ``python tests/bench/bench_display.py [--size 1280x720]``.

A second has ten frames of the camera, every one a new picture, and one move, which the screen shows at up to thirty
pictures a second while it lasts; nothing else changes. Two ways, side by side: everything drawn in every picture, and
only what changed (the window's own way). A quiet second, in which people think, is measured beside it. Prints
milliseconds a picture, how many pictures and parts were drawn, and the ratio, which is what counts. Needs no screen.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

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
    """Milliseconds of every picture asked for, and how many pictures and parts were drawn."""
    places = layout(surface.get_size(), arrangement, with_buttons=True, theme=theme)
    painter, times_ms, drawn, drawn_parts = Painter(), [], 0, 0
    warm = composed_parts(places, asked[0][0].view, asked[0][0].camera, 1.0, theme)
    painter.paint(surface, warm, theme)
    for pictures in asked:
        for each in pictures:
            began_s = time.perf_counter()
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
            times_ms.append((time.perf_counter() - began_s) * 1000)
            drawn += bool(changed)
            drawn_parts += len(changed)
    return times_ms, drawn, drawn_parts


def main() -> int:
    """Measure both ways and print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", default="1280x720", help="%(default)s")
    parser.add_argument("--theme", choices=tuple(LOOKS), default=DEFAULT.name, help="%(default)s")
    asked = parser.parse_args()
    width, height = (int(part) for part in asked.size.split("x"))
    pygame.display.init()
    surface = pygame.display.set_mode((width, height))
    shown = situations()
    # The verdict, the pile and the lamps change with the move, as they do in a match.
    views = (present(shown["round"]), present(shown["advance"]))
    quiet = (replace(views[1]), views[1])
    cameras = [noise(seed) for seed in range(FRAMES)]
    print(f"{width}x{height}, {SECONDS} seconds of each kind, {FRAMES} frames a second, a move takes {LONGEST_S} s")
    kinds = (
        ("a second with a move", views, True, Arrangement.BOTH),
        ("a second of thinking", quiet, False, Arrangement.BOTH),
        ("a move, no camera shown", views, True, Arrangement.TABLE),
        ("thinking, no camera shown", quiet, False, Arrangement.TABLE),
    )
    for name, pair, moves, arrangement in kinds:
        seconds = [list(second(pair, cameras, moves=moves)) for _ in range(SECONDS)]
        ways = {}
        for way in ("everything", "what changed"):
            only = way == "what changed"
            theme = LOOKS[asked.theme]
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
    raise SystemExit(main())
