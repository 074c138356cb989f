"""What the program takes in memory while it referees a real camera, and where it goes. Run it as a script.

    .venv/bin/python tests/bench/bench_memory.py --seconds 120
    .venv/bin/python tests/bench/bench_memory.py --seconds 3660 --speed 4

A match is rendered to files first, by a process of its own. Then ``engarde play --camera 0 --web`` runs with a window,
begun by a script as the installed command is (its readers' processes load that script, too), and OpenCV's camera gives
those pictures, five a second, as a driver would; ``--speed`` times as many, in a second that counts for as many.

Prints the memory of the program and of all that came of it: each page of files counted once, what several have written
in parts (the kernel's proportional shares, but that no other program takes a share of it), descriptors and threads; at
the end the largest of it, what the program's own consists of, and the pictures it keeps. With ``--seconds 3660``,
whether it grew from the tenth minute to the sixtieth. The exit status is 1 where it was more than 250 MB, or where it
grew by 2 %, a descriptor or a thread.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import cv2
import numpy as np
import pygame

from display.window import Window
from firmware.camera.setup import TABLE_FILE, table_of
from firmware.simulation.camera import unwatched_table
from vision.camera.sources import Pace

_MOST_MB = 250.0
_FPS = 5.0
_SAMPLED_S, _TOLD_S = 0.5, 10.0
_TEN_MINUTES_S, _HOUR_S, _MINUTE_S, _MOST_GROWN = 600.0, 3600.0, 60.0, 1.02
_MAPPING = re.compile(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)")
_LIBRARIES = ("cv2", "numpy", "pygame", "zxing", "zbar", "cryptography", "python")

_BEGINS = """
import sys
from firmware.cli import main

if __name__ == "__main__":
    from pathlib import Path

    sys.path.append({here!r})
    from bench_memory import referee

    sys.exit(referee(main, Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])))
"""


class Sample(NamedTuple):
    """What the program and its readers take at a time: what each has written, and the pages of files all have."""

    at_s: float
    each_mb: tuple[float, ...]
    files_mb: float
    descriptors: int
    threads: int

    @property
    def mb(self) -> float:
        """All of it."""
        return sum(self.each_mb) + self.files_mb

    def __str__(self) -> str:
        parts = " + ".join(f"{mb:.1f}" for mb in self.each_mb)
        also = f"{self.descriptors} descriptors  {self.threads} threads"
        return f"{self.at_s:5.0f} s  {self.mb:6.1f} MB: {parts}, libraries {self.files_mb:.1f}  {also}"


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

    def __init__(self, folder: Path, speed: float) -> None:
        self._files, self._next, self._due_s = sorted(folder.glob("*.npy")), 0, time.monotonic()
        self._interval_s = 1 / (_FPS * speed)
        self._noise = np.random.default_rng(1)

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, what: int, value: float) -> None:
        """It is what it is."""

    def grab(self) -> bool:
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s = max(self._due_s + self._interval_s, time.monotonic())
        return True

    def retrieve(self) -> tuple[bool, Any]:
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


def sample(pid: int, at_s: float) -> Sample:
    """The program of this process now. Of a file there are as many pages as whichever process has most of it."""
    files_kb: Counter[str] = Counter()
    each_mb = []
    for one in processes(pid):
        own_kb, of_files_kb = 0, Counter[str]()
        name = ""
        with open(f"/proc/{one}/smaps", encoding="utf-8") as stream:
            for line in stream:
                key, _, value = line.partition(":")
                if mapping := _MAPPING.match(line):
                    name = mapping[1]
                elif key == "Rss" and name.startswith("/"):
                    of_files_kb[name] += int(value.split()[0])
                elif key == "Anonymous" and name.startswith("/"):
                    of_files_kb[name] -= int(value.split()[0])
        with open(f"/proc/{one}/smaps_rollup", encoding="ascii") as stream:
            own_kb = sum(int(line.split()[1]) for line in stream if line.startswith("Pss_Anon:"))
        each_mb.append(own_kb / 1024)
        files_kb |= of_files_kb
    threads = len(os.listdir(f"/proc/{pid}/task"))
    return Sample(at_s, tuple(each_mb), files_kb.total() / 1024, len(os.listdir(f"/proc/{pid}/fd")), threads)


def mappings_mb(pid: int) -> Counter[str]:
    """The share of memory of a process by what it is: its libraries, and what it has written itself."""
    found: Counter[str] = Counter()
    name = ""
    with open(f"/proc/{pid}/smaps", encoding="utf-8") as stream:
        for line in stream:
            if mapping := _MAPPING.match(line):
                path = mapping[1]
                library = next((each for each in _LIBRARIES if each in path), "other files")
                name = f"library {library}" if path.startswith("/") else path or "large pieces"
            elif line.startswith("Pss:"):
                found[name] += int(line.split()[1])
    return Counter({name: kb / 1024 for name, kb in found.items()})


def pictures_mb() -> Counter[str]:
    """Arrays and surfaces of more than 100 kB that something in the program holds, by their sizes."""
    gc.unfreeze()  # what is set aside is held as well
    held = {id(each): each for one in gc.get_objects() for each in gc.get_referents(one)}
    found: Counter[str] = Counter()
    for each in held.values():
        if isinstance(each, np.ndarray) and each.base is None and each.nbytes > 100_000:
            found[f"array {each.shape} {each.dtype}"] += each.nbytes
        elif isinstance(each, pygame.Surface) and each.get_parent() is None:
            found[f"surface {each.get_size()}"] += each.get_width() * each.get_height() * each.get_bytesize()
        elif isinstance(each, bytes | bytearray) and len(each) > 100_000:
            found["bytes"] += len(each)
    return Counter({name: size / 2**20 for name, size in found.items()})


def grown(samples: list[Sample]) -> bool:
    """Whether an hour took more than ten minutes did; a minute's median stands for each. Prints both."""
    ten, hour = (
        [each for each in samples if at_s <= each.at_s < at_s + _MINUTE_S] for at_s in (_TEN_MINUTES_S, _HOUR_S)
    )
    if not ten or not hour:
        return False
    before, after = (statistics.median(each.mb for each in some) for some in (ten, hour))
    descriptors = [statistics.median(each.descriptors for each in some) for some in (ten, hour)]
    threads = [statistics.median(each.threads for each in some) for some in (ten, hour)]
    print(
        f"after ten minutes {before:.1f} MB, after an hour {after:.1f} MB ({100 * (after / before - 1):+.1f} %), "
        f"descriptors {descriptors[0]:g}, {descriptors[1]:g}, threads {threads[0]:g}, {threads[1]:g}"
    )
    return after > _MOST_GROWN * before or descriptors[1] > descriptors[0] or threads[1] > threads[0]


def referee(run: Callable[[list[str]], int], folder: Path, seconds: float, speed: float) -> int:
    """Have ``run``, the program's own ``main``, referee for so long; then tell what it holds."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", ENGARDE_DECKS=str(folder / "decks"))
    pygame.display.init()

    def end(*_: object) -> None:
        for title, parts_mb in (("the program's own", mappings_mb(os.getpid())), ("of it held", pictures_mb())):
            told = "; ".join(f"{name} {mb:.1f}" for name, mb in parts_mb.most_common(9))
            print(f"{title}, {parts_mb.total():.1f} MB: {told}", flush=True)
        raise KeyboardInterrupt

    config = folder / "config.toml"
    config.write_text("", encoding="utf-8")
    own = ["--camera", "0", "--config", str(config), "--scorebook", str(folder / "book.sqlite"), "--web", "0"]
    signal.signal(signal.SIGALRM, end)  # a thread for it would have a heap of its own
    signal.setitimer(signal.ITIMER_REAL, seconds)
    window = Window(pygame.display.set_mode((1280, 720)))
    with (
        mock.patch.object(cv2, "VideoCapture", return_value=Playback(folder, speed)),
        mock.patch.object(Pace, "takes", return_value=True),  # a fast camera stands for time that flies
        mock.patch("firmware.screen.screens.open_window", return_value=window),
    ):
        return run(["play", *own, "--rules", "ferti-advanced", "--end-turn", "auto"])


def watched(folder: Path, seconds: float, speed: float) -> list[Sample]:
    """What the program takes while it referees for so long, twice a second; every ten seconds one is printed."""
    begins = folder / "engarde.py"
    begins.write_text(_BEGINS.format(here=str(Path(__file__).parent)), encoding="utf-8")
    program = subprocess.Popen([sys.executable, begins, str(folder), str(seconds), str(speed)])
    samples: list[Sample] = []
    began_s = next_s = time.monotonic()
    while program.poll() is None:
        time.sleep(_SAMPLED_S)
        with suppress(OSError):  # one of them has just ended
            samples.append(sample(program.pid, speed * (time.monotonic() - began_s)))
            if time.monotonic() >= next_s:
                next_s += _TOLD_S
                print(samples[-1], flush=True)
    return samples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="of refereeing (default: %(default)s)")
    parser.add_argument("--frames", type=int, default=150, help="rendered, and shown over and over (%(default)s)")
    parser.add_argument("--speed", type=float, default=1.0, help="times as fast as a camera (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="engarde-memory-") as name:
        folder = Path(name)
        rendering = get_context("spawn").Process(target=render, args=(folder, given.frames, 1))
        rendering.start()
        rendering.join()
        samples = watched(folder, given.seconds / given.speed, given.speed)
    samples = [each for each in samples if each.at_s < given.seconds]  # then it was busy telling what it holds
    peak = max(samples, key=lambda each: each.mb)
    print(f"at most {peak}")
    return int(grown(samples) or peak.mb > _MOST_MB)


if __name__ == "__main__":
    sys.exit(main())
