"""Readers of pictures on a machine that is busy with something else: which are called hung that are not?

    .venv/bin/python tests/bench/bench_load.py --load 30 --seconds 3600

Runs so many endless loops beside the readers, and asks these about whole pictures and small ones as a game does. Prints
how many answers came, how many looks went on without one, and who was called hung: by the work they did, and by the
clock on the wall, which counted 0.75 s until version 1.0. Exit status 1 where any was called hung by its work.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from contextlib import closing
from typing import Final

import cv2
import numpy as np

from firmware.table.readers.guard import Guard, Mishap
from vision.frame import Picture
from vision.marks.foreign import ARUCO, THOROUGH, ZBAR, ZXING
from vision.printed.tags import qr_bits

OLD_DEADLINE_S: Final = 0.75
DICTIONARY: Final = "DICT_APRILTAG_36h11"
QUESTIONS: Final = ((ZXING, (True,)), (ZXING, (False,)), (ZBAR, ()), (ARUCO, (DICTIONARY, THOROUGH)))


def busy_for_ever() -> None:
    """Use the processor and nothing else."""
    while True:
        pass


def whole_picture(seed: int) -> Picture:
    """A picture of 2304 x 1296 px with a card's code, a marker and the noise of a dim room."""
    y = np.random.default_rng(seed).normal(120, 18, (1296, 2304)).clip(0, 255).astype(np.uint8)
    y = np.asarray(cv2.GaussianBlur(y, (0, 0), 1.5), dtype=np.uint8)
    code = np.where(qr_bits("EG1:A:3B").repeat(6, 0).repeat(6, 1), 20, 230)
    y[400:700, 600:900] = 230
    y[450 : 450 + len(code), 650 : 650 + len(code)] = code
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), 4, 120)
    y[400:700, 1200:1500] = 230
    y[480:600, 1280:1400] = marker
    return y


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--load", type=int, default=15 * (os.cpu_count() or 1), help="endless loops beside it")
    arguments.add_argument("--seconds", type=float, default=60.0)
    wanted = arguments.parse_args()
    whole = [whole_picture(seed) for seed in range(3)]
    pictures = [shown for y in whole for shown in (y, np.ascontiguousarray(y[380:720, 580:920]))]
    told: list[Mishap] = []
    loops = [multiprocessing.Process(target=busy_for_ever, daemon=True) for _ in range(wanted.load)]
    counts: Counter[str] = Counter()
    slowest_s = 0.0
    with closing(Guard(told.append)) as guard:
        for loop in loops:
            loop.start()
        end_s = time.monotonic() + wanted.seconds
        while time.monotonic() < end_s:
            for picture in pictures:
                for name, how in QUESTIONS:
                    before, began_s = len(told), time.monotonic()
                    answer = guard(name, picture, *how)
                    took_s = time.monotonic() - began_s
                    slowest_s = max(slowest_s, took_s)
                    counts["asked"] += 1
                    counts["answered"] += answer is not None
                    counts["without an answer"] += answer is None and len(told) == before
                    counts["hung by the wall"] += took_s > OLD_DEADLINE_S
        for loop in loops:
            loop.kill()
    counts["hung by their work"] = len(told)
    print(f"load {wanted.load} on {os.cpu_count()} cores, {wanted.seconds:g} s: slowest answer {slowest_s:.2f} s")
    for what in ("asked", "answered", "without an answer", "hung by the wall", "hung by their work"):
        print(f"{what:>20} {counts[what]:6}")
    for mishap in told:
        print(f"  {mishap.reader}: {mishap.fate.value} ({mishap.said})")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
