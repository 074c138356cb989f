"""What recording costs the real loop, with it and without it in one run. Run it as a script.

    .venv/bin/python tests/bench/bench_recording_loop.py [--strength hard] [--fps 5]

``engarde play`` is put together twice as at a real table: a webcam's frames through all that waits for them, the eyes,
the referee, a scorebook on disk, the menu, lamps, and a screen of 800 by 480 that draws what it would show; one of
the two records. The webcam gives the frames of a match of bots at the simulated table, in colour, one every so many
milliseconds and none sooner; people think before each turn as in ``bench_vision.py``. The two take turns, so many
frames each, so that what else the machine does meets both alike.

Printed are milliseconds a frame: of the loop's own thread; by the clock from when the camera gave a frame until all was
done with it; and of every thread of the program. Exit status 1 where recording costs the loop's thread, or the time by
the clock, more than a quarter. By the clock it means something on an idle machine only.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: waiting for a second thread would count as work
os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}

import bench_vision
import cv2
import numpy as np
import pygame

from display.window import Window
from firmware.camera.camera import CameraWanted, OpenCamera
from firmware.camera.fresh_camera import FreshCamera
from firmware.camera.live_camera import LiveCamera
from firmware.camera.setup import TABLE_FILE, Setup, table_of
from firmware.commands import play as command
from firmware.loop.loop import Loop
from firmware.panel.buttons import LivePresses
from firmware.sitting.cameras import setup_of
from firmware.sitting.sitting import open_sitting
from vision.camera.webcam import WebCamera
from vision.frame import Picture
from vision.synthetic.disturbances import PRESETS

MOST_COST: Final = 0.25
STRETCH_FRAMES: Final = 25
_LEFT_OUT: Final = 2  # of each stretch: the first frame had waited while the other loop was at work
_SCREEN: Final = (800, 480)


class Driver:
    """What OpenCV would open: a picture every so often, waited for as a driver waits for its sensor."""

    def __init__(self, pictures: list[Picture], interval_s: float) -> None:
        self._pictures, self._interval_s = pictures, interval_s
        self._due_s = 0.0
        self.given_s: list[float] = []

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, *given: Any) -> bool:
        return True

    def release(self) -> None:
        pass

    def grab(self) -> bool:
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        return True

    def retrieve(self) -> tuple[bool, Picture | None]:
        grey = self._pictures[len(self.given_s) % len(self._pictures)]
        image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
        self.given_s.append(time.monotonic())
        self._due_s = self.given_s[-1] + self._interval_s
        return True, image


@dataclass
class Spent:
    """Milliseconds of each frame; of the program those of a frame of each stretch."""

    thread_ms: list[float] = field(default_factory=list)
    clock_ms: list[float] = field(default_factory=list)
    program_ms: list[float] = field(default_factory=list)
    verdicts: int = 0


def put_together(folder: Path, driver: Driver, record: bool, held: ExitStack) -> Loop:
    """The loop of ``engarde play`` with this webcam, as it stands before it runs."""
    folder.mkdir()
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    given = ["--camera", "0", "--rules", "ferti-advanced", "--white", "Anna", "--black", "Ben", "--end-turn", "auto"]
    given += ["--scorebook", str(folder / "book.sqlite")]
    given += ["--record", str(folder / "evening.engarde")] if record else []
    wish = command.play_wish(parser.parse_args(given))

    def opens(wanted: CameraWanted) -> tuple[OpenCamera, Setup]:
        setup = setup_of(wanted)
        size = (setup.table.camera.width, setup.table.camera.height)
        webcam = WebCamera(0, size, open_capture=lambda device: driver)
        return OpenCamera(LiveCamera("0", lambda: FreshCamera(webcam)), LivePresses(), live=True), setup

    loops: list[Loop] = []
    run, Loop.run = Loop.run, lambda loop: loops.append(loop)  # type: ignore[method-assign,assignment]
    try:
        window = Window(pygame.display.set_mode(_SCREEN))
        command.play(wish, open_sitting(wish.table, held, lambda sentence: None, opens, window), held)
    finally:
        Loop.run = run  # type: ignore[method-assign]
    return loops[0]


def stretch(loop: Loop, driver: Driver, spent: Spent, frames: int) -> None:
    """So many frames of this loop."""
    program_s = 0.0
    for number in range(frames):
        if number == _LEFT_OUT:
            program_s = time.process_time()
        began_s = time.thread_time()
        moment = loop.advance()
        done_s, thread_s = time.monotonic(), time.thread_time() - began_s
        assert moment is not None
        spent.verdicts += len(moment.entries)
        if number < _LEFT_OUT or not moment.frame.y.size:
            continue
        spent.thread_ms.append(1000 * thread_s)
        spent.clock_ms.append(1000 * (done_s - driver.given_s[moment.frame.index]))
    spent.program_ms.append(1000 * (time.process_time() - program_s) / (frames - _LEFT_OUT))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=400, help="of each loop (default 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical")
    parser.add_argument("--fps", type=float, default=10.0, help="of the camera (default 10)")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    bench_vision.TICK_S = 1 / given.fps
    shots = bench_vision.match_shots(table_of(TABLE_FILE), given.strength, given.seed, 5)
    pictures = [shot.frame.y for shot in islice(shots, given.frames)]
    spent = {record: Spent() for record in (False, True)}
    pygame.display.init()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as held:
        drivers = {record: Driver(pictures, 1 / given.fps) for record in spent}
        loops = {record: put_together(Path(folder) / str(record), drivers[record], record, held) for record in spent}
        for _ in range(given.frames // STRETCH_FRAMES):
            for record, loop in loops.items():
                stretch(loop, drivers[record], spent[record], STRETCH_FRAMES)
    plain, recorded = spent[False], spent[True]
    print(
        f"{given.strength}, {given.fps:g} frames a second, {len(plain.thread_ms)} and {len(recorded.thread_ms)} "
        f"frames, {plain.verdicts} and {recorded.verdicts} verdicts; ms a frame"
    )
    costs = []
    for what, without, with_it in (
        ("the loop's own thread", plain.thread_ms, recorded.thread_ms),
        ("by the clock, from the camera's giving it", plain.clock_ms, recorded.clock_ms),
        ("every thread of the program", plain.program_ms, recorded.program_ms),
    ):
        cost = statistics.fmean(with_it) / statistics.fmean(without) - 1
        middle = statistics.median(with_it) / statistics.median(without) - 1
        print(
            f"  {what:42} {statistics.fmean(without):6.2f}   recording {statistics.fmean(with_it):6.2f}   {cost:+.0%}"
            f"   (median {statistics.median(without):.2f}, {statistics.median(with_it):.2f}, {middle:+.0%})"
        )
        costs.append(cost)
    return 0 if max(costs[:2]) <= MOST_COST else 1


if __name__ == "__main__":
    sys.exit(main())
