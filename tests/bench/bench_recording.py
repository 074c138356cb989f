"""What recording costs, with it and without it in one run: ``python tests/bench/bench_recording.py``.

A stretch of a match at the simulated table is rendered once and looked at twice: as the camera gives it, and through a
recorder. Printed are the loop's own CPU milliseconds a frame, those of the thread that packs and writes, the size of
the file, and how often the agreed table differed between the two.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import cv2

from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.observation import TableObservation
from firmware.camera.recorded import RecordedCamera, header_of
from firmware.camera.setup import TABLE_FILE, Setup, table_of
from firmware.recording.recorder import Recorder
from firmware.simulation.camera import TICK_S, simulated_table
from firmware.simulation.director import Director
from vision.eyes import Eyes
from vision.frame import Frame
from vision.printed.table import Table
from vision.synthetic.disturbances import PRESETS


class Given:
    """Frames that were rendered before."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = iter(frames)

    def read(self) -> Frame | None:
        return next(self._frames, None)

    def close(self) -> None:
        pass


def rendered(table: Table, strength: str, seed: int, count: int) -> list[Frame]:
    bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
    director = Director(
        table, MatchEvent("ferti-advanced", Side.WHITE), bots, random.Random(seed), tick_s=TICK_S, watched=False
    )
    camera = simulated_table(table, director, PRESETS[strength], seed)
    frames: list[Frame] = []
    while len(frames) < count and (frame := camera.read()) is not None:
        frames.append(Frame(frame.index, frame.t_s, frame.y))
    return frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=200, help="frames of a match (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    table = table_of(TABLE_FILE)
    frames = rendered(table, given.strength, given.seed, given.frames)
    eyes = Eyes(table)
    plain_ms, agreed = [], []
    for frame in frames:
        began_s = time.thread_time()
        look = eyes.look(frame)
        plain_ms.append((time.thread_time() - began_s) * 1000)
        agreed.append(look.table)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.rec"
        recorder = Recorder(path, header_of(Setup(table, TABLE_FILE.read_text())), 1e6, print)
        source, eyes = recorder.source(Given(frames)), Eyes(table)
        kept_ms, keep_ms, differ = [], [], 0
        process_s, loop_s = time.process_time(), time.thread_time()
        for before in agreed:
            began_s = time.thread_time()
            kept = source.read()
            assert kept is not None
            keep_ms.append((time.thread_time() - began_s) * 1000)
            look = eyes.look(kept)
            recorder.look(look)
            kept_ms.append((time.thread_time() - began_s) * 1000)
            differ += _agreed(look.table) != _agreed(before)
        recorder.close()
        spent_s = time.process_time() - process_s
        writer_ms = (spent_s - (time.thread_time() - loop_s)) * 1000 / len(frames)
        size = path.stat().st_size
        camera, began_s = RecordedCamera(path), time.thread_time()
        while camera.read() is not None:
            pass
        read_ms = (time.thread_time() - began_s) * 1000 / len(frames)
        camera.close()
    print(
        f"{given.strength}, {len(frames)} frames of a match at {1 / TICK_S:g} a second; ms a frame of one core's time"
    )
    print(f"  eyes alone                     {statistics.fmean(plain_ms):6.1f}   worst {max(plain_ms):.1f}")
    print(f"  eyes and recording             {statistics.fmean(kept_ms):6.1f}   worst {max(kept_ms):.1f}")
    print(f"    of it choosing what to keep  {statistics.fmean(keep_ms):6.1f}   worst {max(keep_ms):.1f}")
    print(f"  packing and writing, aside     {writer_ms:6.1f}")
    print(f"  reading it back                {read_ms:6.1f}")
    kb = size / len(frames) / 1000
    print(f"  {size / 1e6:.1f} MB, {kb:.0f} kB a frame: {kb * 0.3:.0f} MB a minute at 5 a second, {kb * 0.6:.0f} at 10")
    print(f"  frames whose agreed table differs: {differ} of {len(frames)}")


def _agreed(table: TableObservation) -> object:
    spaces = (table.figures.white.space, table.figures.black.space)
    return spaces, sorted(reading.card for reading in table.cards)


if __name__ == "__main__":
    main()
