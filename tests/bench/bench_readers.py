"""Releases of zxing-cpp side by side: what they read of the same pictures, and what that costs. Run it as a script.

    pip install --no-deps --target FOLDER zxing-cpp==3.1.1
    python tests/bench/bench_readers.py --with FOLDER [--with ANOTHER]

The pictures are those that the eyes themselves ask a reader about, in the simulated table at its hardest and in the
photograph-like clips. Each release runs in a process of its own; every picture goes to each of them in turn, in another
order each time. Printed are, for either kind of picture, how many codes each release read and the milliseconds of its
thread's processor time for a picture, the best of so many tries, and that as a ratio to the release that is installed.
One that does not come back within five seconds is told, and asked no more.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import multiprocessing
import os
import random
import sys
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final
from unittest import mock

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: as the product has it

import cv2
import numpy as np
from hard_table import watch_story
from photo.clips import CLIPS

from vision.frame import Picture
from vision.marks import foreign
from vision.printed.table import load_table
from vision.synthetic import PRESETS

TABLE_FILE: Final = Path(__file__).parents[2] / "hardware" / "table.toml"
DEADLINE_S: Final = 5.0

Asked = list[tuple[Picture, bool]]


def asked_in(runs: Any) -> Asked:
    """Every picture that ``runs`` has zxing-cpp asked about, and whether plainly."""
    asked: Asked = []

    def keeping(y: Picture, plain: bool) -> Any:
        asked.append((np.ascontiguousarray(y).copy(), plain))
        return foreign.zxing(y, plain)

    with mock.patch.object(foreign, "FUNCTIONS", {**foreign.FUNCTIONS, foreign.ZXING: keeping}):
        runs()
    return asked


def answers(link: Connection, folder: str, tries: int) -> None:
    """One release in its process: says which it is, then how many codes are in a picture, and the milliseconds."""
    if folder:
        sys.path.insert(0, folder)
    where = [folder] if folder else sys.path
    link.send(next(iter(importlib.metadata.distributions(name="zxing-cpp", path=where))).version)
    while (asked := link.recv()) is not None:
        best_ms, read = float("inf"), 0
        for _ in range(tries):
            began_s = time.thread_time()
            texts, _ = foreign.zxing(*asked)
            best_ms, read = min(best_ms, 1000 * (time.thread_time() - began_s)), len(texts)
        link.send((read, best_ms))


@dataclass
class Release:
    """One release that is asked; ``read`` and ``ms`` are of each picture."""

    link: Connection
    process: Any
    version: str
    read: list[int] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    hung: bool = False

    def ask(self, asked: tuple[Picture, bool]) -> None:
        if self.hung:
            return
        self.link.send(asked)
        if not self.link.poll(DEADLINE_S):
            self.hung = True
            self.process.kill()
            print(f"{self.version} did not come back from picture {len(self.ms)}", flush=True)
            return
        read, ms = self.link.recv()
        self.read.append(read)
        self.ms.append(ms)


def begun(folder: str, tries: int) -> Release:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=answers, args=(theirs, folder, tries), daemon=True)
    process.start()
    return Release(ours, process, ours.recv())


def compare(name: str, asked: Asked, folders: list[str], tries: int) -> None:
    """Print what each release makes of these pictures."""
    releases = [begun(folder, tries) for folder in ("", *folders)]
    order = random.Random(1)
    for each in asked:
        for release in order.sample(releases, len(releases)):
            release.ask(each)
    print(f"{name}: {len(asked)} pictures")
    if not asked:
        return
    own = np.array(releases[0].ms)
    for release in releases:
        ms = np.array(release.ms)
        ratio = ms.sum() / own[: len(ms)].sum()
        median = float(np.median(ms / own[: len(ms)]))
        print(
            f"  {release.version:8} read {sum(release.read):5}   {ms.mean():6.2f} ms a picture, {ratio:.2f} of the "
            f"installed one's (median of the pictures' ratios {median:.2f}, slowest picture {ms.max():.0f} ms)",
            flush=True,
        )
        if not release.hung:
            release.link.send(None)
        release.process.join(DEADLINE_S)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="folders", action="append", default=[], help="a folder with another release")
    parser.add_argument("--hard", type=int, default=3, help="hard stories of 60 frames (default %(default)s)")
    parser.add_argument(
        "--photo", type=int, default=1, help="seeds of every photograph-like clip (default %(default)s)"
    )
    parser.add_argument("--clips", default=",".join(CLIPS), help="only these clips")
    parser.add_argument("--tries", type=int, default=3, help="how often each picture is read (default %(default)s)")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    table = load_table(TABLE_FILE)

    def hard() -> None:
        for seed in range(1, given.hard + 1):
            watch_story(table, PRESETS["hard"], seed, 60, lambda *_: None)

    def photo() -> None:
        for seed in range(given.photo):
            for name in given.clips.split(","):
                CLIPS[name](seed, None, wide=False)

    for name, runs in (("hard crops", hard), ("photograph-like clips", photo)):
        compare(name, asked_in(runs), given.folders, given.tries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
