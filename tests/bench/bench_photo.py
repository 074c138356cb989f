"""Photograph-like clips before the eyes, held against the truth: ``python tests/bench/bench_photo.py --seeds 10``.

The pictures come from ``photo/``, a renderer that shares nothing with the simulated table. Every finding is
printed with its clip and seed; ``--out DIR`` keeps the picture it was made on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: as the product has it

import numpy as np
from photo.clips import CLIPS
from photo.session import Tally


def one(task: tuple[str, int, str | None, bool]) -> tuple[str, int, Tally | None, float, str]:
    import cv2

    cv2.setNumThreads(1)
    name, seed, out, wide = task
    began = time.process_time()
    try:
        session = CLIPS[name](seed, Path(out) if out else None, wide=wide)
        return name, seed, session.tally, time.process_time() - began, ""
    except Exception as error:
        import traceback

        return (
            name,
            seed,
            None,
            time.process_time() - began,
            f"{type(error).__name__}: {error}\n{traceback.format_exc()}",
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--clips", default=",".join(CLIPS))
    parser.add_argument("--out")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--wide", action="store_true", help="a 102 degree lens")
    args = parser.parse_args()
    tasks = [
        (name, seed, args.out, args.wide)
        for seed in range(args.first, args.first + args.seeds)
        for name in args.clips.split(",")
    ]
    kinds: dict[str, int] = {}
    frames = plain = read = 0
    errors: list[float] = []
    with ProcessPoolExecutor(args.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for name, seed, tally, spent, crash in pool.map(one, tasks):
            if tally is None:
                print(f"{name} seed {seed}: CRASH {crash}", flush=True)
                kinds["crash"] = kinds.get("crash", 0) + 1
                continue
            frames, plain, read = frames + tally.frames, plain + tally.plain, read + tally.read
            errors += tally.errors_mm
            print(
                f"{name} seed {seed}: {tally.frames} frames, {spent:.0f} s, cards {tally.read}/{tally.plain}",
                flush=True,
            )
            for finding in tally.findings:
                kinds[finding.kind] = kinds.get(finding.kind, 0) + 1
                print(f"    {finding.kind} at {finding.frame}: {finding.text}", flush=True)
    far = np.percentile(errors, 95) if errors else float("nan")
    worst = max(errors, default=float("nan"))
    print(
        f"{frames} frames, cards in plain sight read {read}/{plain}, "
        f"fencers off by {far:.2f} mm (95 %), {worst:.2f} at worst"
    )
    print("findings:", kinds or "none")
    return 1 if kinds.get("wrong_card", 0) + kinds.get("wrong_space", 0) + kinds.get("crash", 0) else 0


if __name__ == "__main__":
    sys.exit(main())
