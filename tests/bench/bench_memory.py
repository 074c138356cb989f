"""What the program takes in memory while it referees a real camera, and where it goes. Run it as a script.

    .venv/bin/python tests/bench/bench_memory.py --seconds 120

A match is rendered to files first, by a process of its own. Then ``engarde play --camera 0 --web`` runs with a window,
and OpenCV's camera gives those pictures, five a second, as a driver would. Prints the share of memory of the program
and of the processes its readers have (each page counted once), the largest of it, and what the program says it keeps.
The exit status is 1 where it was more than 250 MB.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np
import pygame

from display.window import Window
from firmware.camera.setup import TABLE_FILE, table_of
from firmware.commands import play as play_command
from firmware.simulation.camera import unwatched_table

_MOST_MB = 250.0
_FPS = 5.0


def render(folder: Path, frames: int, seed: int) -> None:
    """So many frames of a match, one file each."""
    camera = unwatched_table(table_of(TABLE_FILE), seed)
    for number in range(frames):
        frame = camera.read()
        if frame is None:
            return
        np.save(folder / f"{number:04d}.npy", frame.bgr())


class Playback:
    """As much of ``cv2.VideoCapture`` as a camera needs: the files over and over, with a little noise of its own."""

    def __init__(self, folder: Path) -> None:
        self._files, self._next, self._due_s = sorted(folder.glob("*.npy")), 0, time.monotonic()
        self._noise = np.random.default_rng(1)

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, what: int, value: float) -> None:
        """It is what it is."""

    def read(self) -> tuple[bool, Any]:
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s = max(self._due_s + 1 / _FPS, time.monotonic())
        picture = np.load(self._files[self._next % len(self._files)])
        self._next += 1
        picture[0, :64] = self._noise.integers(0, 256, (64, 3), np.uint8)
        return True, picture

    def release(self) -> None:
        """Nothing to let go of."""


def processes(pid: int) -> Iterator[int]:
    """This process and all that came of it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            yield from processes(int(child))


def share_mb(pid: int) -> float:
    """The memory of a process; what several share counts in parts."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as stream:
        return sum(int(line.split()[1]) for line in stream if line.startswith("Pss:")) / 1024


def referee(folder: Path, seconds: float) -> None:
    """Run the program for so long; prints what it takes every ten seconds."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", ENGARDE_DECKS=str(folder / "decks"))
    pygame.display.init()
    print(f"what is loaded before anything is opened  {share_mb(os.getpid()):6.1f} MB", flush=True)
    peak = 0.0

    def watch() -> None:
        nonlocal peak
        each: list[float] = []
        ends_s = time.monotonic() + seconds
        next_s = time.monotonic() + 10.0
        while time.monotonic() < ends_s:
            time.sleep(0.5)
            with suppress(OSError):  # one of them has just ended
                each = [share_mb(pid) for pid in processes(os.getpid())]
            peak = max(peak, sum(each))
            if time.monotonic() >= next_s:
                next_s += 10.0
                parts = " + ".join(f"{mb:.1f}" for mb in each)
                print(f"{time.monotonic() - ends_s + seconds:5.0f} s  {sum(each):6.1f} MB: {parts}", flush=True)
        os.kill(os.getpid(), signal.SIGINT)

    parser = argparse.ArgumentParser()
    play_command.add_arguments(parser)
    config = folder / "config.toml"
    config.write_text("", encoding="utf-8")
    own = ["--camera", "0", "--config", str(config), "--scorebook", str(folder / "book.sqlite"), "--web", "0"]
    args = parser.parse_args([*own, "--rules", "ferti-advanced", "--end-turn", "auto"])
    threading.Thread(target=watch, daemon=True).start()
    window = Window(pygame.display.set_mode((1280, 720)))
    with (
        mock.patch.object(cv2, "VideoCapture", return_value=Playback(folder)),
        mock.patch("firmware.sitting.sitting.open_window", return_value=window),
    ):
        play_command.run(args)
    print(f"at most {peak:.1f} MB")
    sys.exit(peak > _MOST_MB)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="of refereeing (default: %(default)s)")
    parser.add_argument("--frames", type=int, default=150, help="rendered, and shown over and over (%(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="engarde-memory-") as name:
        folder = Path(name)
        for target, args in ((render, (folder, given.frames, 1)), (referee, (folder, given.seconds))):
            run = get_context("spawn").Process(target=target, args=args)
            run.start()
            run.join()
    return int(run.exitcode != 0)


if __name__ == "__main__":
    sys.exit(main())
