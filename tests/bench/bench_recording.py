"""What recording costs beside the eyes, with it and without it in one run: ``python tests/bench/bench_recording.py``.

Games of bots at the simulated table are looked at twice: as the camera gives the frames, and through a recorder that
keeps each frame before it is looked at. People think before each turn as in ``bench_vision.py``; ``--hurried`` leaves
that out. Printed are the CPU milliseconds a frame of the loop's thread, the file's size and what two hours of it come
to, and how often the agreed table differed. At last the file is looked at again: every look must be the same as the
first time. Exit status 1 where it is not, or where two hours take more than 2 GB. Compared is with the
eyes alone, without judging, drawing and waiting for the camera, so shares of the time are larger than those of the real
loop. By the clock it means something on an idle machine only.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import bench_vision
import cv2

from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.observation import TableObservation, Why
from firmware.extras.simulation.camera import TICK_S, simulated_table
from firmware.extras.simulation.director import Director
from firmware.table.camera.recorded import RecordedCamera, header_of
from firmware.table.camera.setup import TABLE_FILE, Setup, table_of
from firmware.table.recording.recorder import Recorder
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look
from vision.printed.table import Table
from vision.synthetic.camera import PRESETS

TWO_HOURS_S = 7200
BEGINNING_FRAMES = 10  # the whole picture, some times over, until it is known where the table is
MAX_GB = 2.0


class OneByOne:
    """A source that gives what was put into it last."""

    def __init__(self) -> None:
        self.frame: Frame | None = None

    def read(self) -> Frame | None:
        return self.frame

    def close(self) -> None:
        pass


@dataclass
class Cost:
    """Milliseconds of the loop's thread, frame by frame."""

    plain: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)
    keeping: list[float] = field(default_factory=list)
    differ: int = 0


def hurried(table: Table, strength: str, seed: int) -> Iterator[Frame]:
    """A match of bots who never think: hands are over the table in every second frame."""
    bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
    director = Director(
        table, MatchEvent("ferti-advanced", Side.WHITE), bots, random.Random(seed), tick_s=TICK_S, watched=False
    )
    camera = simulated_table(table, director, PRESETS[strength], seed)
    while (frame := camera.read()) is not None:
        yield frame


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=400, help="frames of a match (default 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical")
    parser.add_argument("--fps", type=float, default=10.0, help="of the camera (default 10)")
    parser.add_argument("--hurried", action="store_true", help="nobody thinks before a turn")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    bench_vision.TICK_S = 1 / given.fps
    table = table_of(TABLE_FILE)
    if given.hurried:
        frames = hurried(table, given.strength, given.seed)
    else:
        frames = (shot.frame for shot in bench_vision.match_shots(table, given.strength, given.seed, 5))
    shown = list(islice(frames, given.frames))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.engarde"
        cost, seen, begun_bytes, pack_ms = record(table, iter(shown), path)
        size, (same, read_ms) = path.stat().st_size, again(table, path, seen)
    count, hands = len(seen), sum(look.table.why is Why.HAND for look in seen) / len(seen)
    print(
        f"{given.strength}, {count} frames of a match, a hand over {hands:.0%} of them; ms a frame of one core's time"
    )
    plain, kept, keeping = (statistics.fmean(part) for part in (cost.plain, cost.kept, cost.keeping))
    print(f"  eyes alone                     {plain:6.1f}   worst {max(cost.plain):.1f}")
    print(f"  eyes and recording             {kept:6.1f}   worst {max(cost.kept):.1f}   {kept / plain - 1:+.0%}")
    print(f"    of it choosing what to keep  {keeping:6.1f}   worst {max(cost.keeping):.1f}")
    print(f"  packing and writing, aside     {pack_ms:6.1f}")
    print(f"  reading it back                {read_ms:6.1f}")
    a_frame = (size - begun_bytes) / (count - BEGINNING_FRAMES)
    evening_gb = (begun_bytes + a_frame * TWO_HOURS_S * given.fps) / 1e9
    print(
        f"  {size / 1e6:.1f} MB, of which the first {BEGINNING_FRAMES} frames {begun_bytes / 1e6:.1f}, then "
        f"{a_frame / 1000:.1f} kB a frame"
    )
    print(f"  two hours at {given.fps:g} frames a second: {evening_gb:.2f} GB")
    print(f"  frames whose agreed table differs from the one without recording: {cost.differ} of {count}")
    print(f"  looks from the file that are the same: {same} of {count}")
    good = same == count and evening_gb <= MAX_GB
    return 0 if good else 1


def record(table: Table, frames: Iterator[Frame], path: Path) -> tuple[Cost, list[Look], int, float]:
    """Look at these both ways. Also what the eyes saw, the bytes of the first frames, and ms a frame of the writer."""
    recorder = Recorder(path, header_of(Setup(table, TABLE_FILE.read_text())), 1e6, print)
    given, cost, seen = OneByOne(), Cost(), []
    source, plain_eyes, eyes = recorder.source(given), Eyes(table), Eyes(table)
    begun_bytes, process_s, loop_s = 0, time.process_time(), time.thread_time()
    for frame in frames:
        given.frame = Frame(frame.index, frame.t_s, frame.y)
        began_s = time.thread_time()
        plain = plain_eyes.look(given.frame)
        cost.plain.append((time.thread_time() - began_s) * 1000)
        began_s = time.thread_time()
        kept = source.read()
        assert kept is not None
        cost.keeping.append((time.thread_time() - began_s) * 1000)
        look = eyes.look(kept)
        recorder.look(look)
        cost.kept.append((time.thread_time() - began_s) * 1000)
        cost.differ += _agreed(look.table) != _agreed(plain.table)
        seen.append(look)
        if len(seen) == BEGINNING_FRAMES:
            time.sleep(1.0)  # until they are written
            begun_bytes = path.stat().st_size
    recorder.close()
    aside_s = time.process_time() - process_s - (time.thread_time() - loop_s)
    return cost, seen, begun_bytes, aside_s * 1000 / len(seen)


def again(table: Table, path: Path, seen: list[Look]) -> tuple[int, float]:
    """How many looks at the file are those that were had before, and ms a frame for reading it."""
    camera, eyes, same, spent_s = RecordedCamera(path), Eyes(table), 0, 0.0
    for before in seen:
        began_s = time.thread_time()
        frame = camera.read()
        spent_s += time.thread_time() - began_s
        assert frame is not None
        look = eyes.look(frame)
        same += look.seen == before.seen and look.table == before.table
    camera.close()
    return same, spent_s * 1000 / len(seen)


def _agreed(table: TableObservation) -> object:
    spaces = (table.figures.white.space, table.figures.black.space)
    return spaces, sorted(reading.card for reading in table.cards)


if __name__ == "__main__":
    sys.exit(main())
