"""What reading a film costs beside the plain way: ``python tests/bench/bench_film.py FOLDER [FOLDER…]``.

Each folder holds a film's frames, as ``engarde play --camera`` takes them. Our eyes look at every frame; every so many
frames the yardstick of `bench_vision.py` (the whole frame: grey, zbar on everything, ArUco with its default settings)
reads the same one, so that both are timed in one run, whatever else the machine does. Frames are unpacked outside the
clock. Thread CPU milliseconds on one core: the ratio is what counts. Exit status 1 below an aim.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: waiting for a second thread would count as work

import cv2
import numpy as np
from bench_vision import Yardstick

from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.printed.table import load_table

TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"
AIM_TIMES = 25.0
AIM_HANDS_MS = 12.0
AIM_WORST_MS = 50.0


def pictures(folder: Path) -> Iterator[Picture]:
    """The film's frames in colour, (height, width, 3), in their order."""
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in (".jpg", ".png"))
    if not files:
        raise SystemExit(f"{folder}: expected frames of a film (.jpg, .png), found none; make it first")
    for file in files:
        bgr = cv2.imread(str(file), cv2.IMREAD_COLOR)
        if bgr is None:
            raise SystemExit(f"{file}: expected a picture, found none; make the film anew")
        yield np.asarray(bgr, dtype=np.uint8)


def one_film(folder: Path, table_file: Path, fps: float, every: int, most: int) -> bool:
    """Prints what a film costs both ways; whether every aim is met."""
    table = load_table(table_file)
    eyes, yardstick = Eyes(table), Yardstick(table)
    plain_ms, calm_ms, hands_ms, first_ms = list[float](), list[float](), list[float](), 0.0
    cards = [0, 0]
    for index, bgr in enumerate(pictures(folder)):
        if index and index == most:
            break
        y = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        began_s = time.thread_time()
        look = eyes.look(Frame(index, index / fps, y))
        spent_ms = (time.thread_time() - began_s) * 1000
        if index == 0:
            first_ms = spent_ms
        else:
            (hands_ms if look.arm is not None or look.table.why is not None else calm_ms).append(spent_ms)
        if index % every == every // 2:
            began_s = time.thread_time()
            _, codes = yardstick.read(bgr)
            plain_ms.append((time.thread_time() - began_s) * 1000)
            cards[0] += len(codes)
            cards[1] += len(look.seen.cards)
    ours_ms = [first_ms, *calm_ms, *hands_ms]
    if not plain_ms:
        raise SystemExit(f"{folder}: expected at least {every} frames to compare both ways in, found {len(ours_ms)}")
    plain, ours, hands = (statistics.fmean(spent) if spent else 0.0 for spent in (plain_ms, ours_ms, hands_ms))
    worst = max([*calm_ms, *hands_ms], default=0.0)
    print(f"{folder}: {len(ours_ms)} frames; ms a frame of one core's time")
    print(
        f"  {'plain: full frame, zbar and default ArUco':44}{plain:8.1f}   (median {statistics.median(plain_ms):.1f})"
    )
    print(f"  {'our eyes':44}{ours:8.1f}   {plain / ours:6.1f} times cheaper")
    print(
        f"  {f'  not steady ({len(hands_ms)})':44}{hands:8.1f}   {plain / hands if hands else 0.0:6.1f} times cheaper"
    )
    print(f"  first frame {first_ms:.1f}, worst of the others {worst:.1f}")
    print(f"  codes read in the frames compared: plain {cards[0]}, our cards {cards[1]}")
    met = {
        f"{AIM_TIMES:.0f} times cheaper": plain >= AIM_TIMES * ours,
        f"{AIM_HANDS_MS:.0f} ms while not steady": hands <= AIM_HANDS_MS,
        f"no frame over {AIM_WORST_MS:.0f} ms": max(first_ms, worst) <= AIM_WORST_MS,
    }
    print("  aims: " + ", ".join(f"{aim} {'met' if good else 'MISSED'}" for aim, good in met.items()))
    return all(met.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="the frames of a film each")
    parser.add_argument("--table", type=Path, default=TABLE_FILE, help="the film's own table file")
    parser.add_argument("--fps", type=float, default=5.0, help="the film's clock (default 5)")
    parser.add_argument("--every", type=int, default=20, help="the plain way reads every Nth frame (default 20)")
    parser.add_argument("--most", type=int, default=0, help="so many frames at most (default all)")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    results = [one_film(folder, given.table, given.fps, given.every, given.most) for folder in given.folders]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
