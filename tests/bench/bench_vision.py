"""What reading the table costs, both ways side by side: ``python tests/bench/bench_vision.py``.

A whole match at the simulated table is read by the yardstick (the whole frame: grey, zbar on everything, ArUco with its
default settings) and by our eyes. Frames come five a second and are rendered outside the clock. People think before
each turn: 4 s as a median, 2 to 9 s nine times in ten (log-normal, 30 s at most), and shuffle and deal for 20 s before
each round; hands are over the table in about every sixth frame.

Thread CPU milliseconds on one core; the ratio is what counts. Also printed: what each way reads in the same frames
without a hand, and after how many frames a change of the table or a hand is noticed. Exit status 1 below an aim.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: waiting for a second thread would count as work

import cv2
import numpy as np

from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.observation import Sight, TableObservation
from firmware.extras.simulation.director import Director
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.printed.table import Table, load_table
from vision.printed.tags import aruco_dictionary, parse_payload
from vision.synthetic import PRESETS, Renderer, Scene, camera_variant

TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"
TICK_S = 0.2
THINKING_S = 4.0
DEALING_S = 20.0
AIM_TIMES = 50.0
AIM_HANDS_MS = 12.0
AIM_FRAMES = 3


@dataclass(frozen=True)
class Shot:
    """One frame and the scene it shows."""

    frame: Frame
    scene: Scene


def match_shots(table: Table, preset: str, seed: int, points: int) -> Iterator[Shot]:
    """A match of two bots who take their time."""
    bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
    match = MatchEvent("ferti-advanced", Side.WHITE, points)
    director = Director(table, match, bots, random.Random(seed), tick_s=TICK_S, watched=False)
    renderer = Renderer(table, camera_variant(table, seed), PRESETS[preset], seed)
    pauses = random.Random(f"pauses {seed}")
    state, scene, index = director.state, None, 0
    while (tick := director.tick(index * TICK_S, None)) is not None:
        if director.state is not state and scene is not None:
            dealt = director.state.round != state.round
            pause_s = DEALING_S if dealt else min(30.0, pauses.lognormvariate(math.log(THINKING_S), 0.6))
            for _ in range(round(pause_s / TICK_S)):
                yield Shot(renderer.render(scene, index, index * TICK_S), scene)
                index += 1
        state, scene = director.state, tick.scene
        yield Shot(renderer.render(scene, index, index * TICK_S), scene)
        index += 1


class Yardstick:
    """The full-frame way, and what it reads: marker ids and card payloads."""

    def __init__(self, table: Table) -> None:
        from pyzbar import pyzbar

        self._zbar = pyzbar
        words = aruco_dictionary(table.dictionary)
        self._markers = cv2.aruco.ArucoDetector(words, cv2.aruco.DetectorParameters())

    def read(self, bgr: Picture) -> tuple[set[int], set[str]]:
        grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
        codes = {code.data.decode("ascii", "replace") for code in self._zbar.decode(grey)}
        _, ids, _ = self._markers.detectMarkers(grey)
        return (set() if ids is None else {int(number) for number in np.ravel(ids)}), codes


class Notice:
    """After how many frames a change is noticed: the eyes are no longer steady, or show something else."""

    def __init__(self) -> None:
        self.frames: list[int] = []
        self._scene: Scene | None = None
        self._steady: TableObservation | None = None
        self._since: int | None = None

    def look(self, index: int, scene: Scene, table: TableObservation) -> None:
        if self._since is None and self._steady is not None and scene != self._scene:
            self._since = index
        self._scene = scene
        if self._since is not None and self._steady is not None and _shows_else(table, self._steady):
            self.frames.append(index - self._since + 1)
            self._since = None
        self._steady = table if table.sight is Sight.STEADY else self._steady if self._since is not None else None


def _shows_else(table: TableObservation, before: TableObservation) -> bool:
    return table.sight is not Sight.STEADY or _stands(table) != _stands(before)


def _stands(table: TableObservation) -> tuple[object, ...]:
    return tuple(card.card for card in table.cards), table.figures.white.space, table.figures.black.space


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=5, help="points that win the match (default 5)")
    parser.add_argument("--every", type=int, default=25, help="the yardstick reads every Nth frame (default 25)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    table = load_table(TABLE_FILE)
    yardstick, eyes = Yardstick(table), Eyes(table)
    old_ms: list[float] = []
    ours_ms: dict[str, list[float]] = {"hands in view": [], "nobody moves": []}
    read = {"yardstick cards": 0, "our cards": 0, "yardstick tags": 0, "our tags": 0}
    notice = Notice()
    for index, shot in enumerate(match_shots(table, given.strength, given.seed, given.points)):
        began_s = time.thread_time()
        look = eyes.look(shot.frame)
        spent_ms = (time.thread_time() - began_s) * 1000
        ours_ms["hands in view" if shot.scene.hands else "nobody moves"].append(spent_ms)
        notice.look(index, shot.scene, look.table)
        if index % given.every == 0:
            bgr = np.asarray(cv2.cvtColor(shot.frame.y, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
            began_s = time.thread_time()
            ids, codes = yardstick.read(bgr)
            old_ms.append((time.thread_time() - began_s) * 1000)
            if not shot.scene.hands:
                cards = {parsed[1] for code in codes if (parsed := parse_payload(code)) is not None}
                read["yardstick cards"] += len(cards)
                read["our cards"] += len(look.seen.cards)
                read["yardstick tags"] += len(ids & {table.fencer_ids.white, table.fencer_ids.black})
                read["our tags"] += len(look.detections.tags)
    return 0 if _report(old_ms, ours_ms, read, notice.frames, given.strength) else 1


def _report(
    old_ms: list[float], ours_ms: dict[str, list[float]], read: dict[str, int], noticed: list[int], strength: str
) -> bool:
    """Prints it; whether every aim is met."""
    every_ms = [spent for spents in ours_ms.values() for spent in spents]
    yardstick_ms = statistics.fmean(old_ms)
    print(f"{strength}, {len(every_ms)} frames of a match; ms a frame of one core's time")
    print(f"  {'full frame, zbar and default ArUco':38}{yardstick_ms:8.1f}")
    rows = [("our eyes, all frames", every_ms), *((f"  {name}", spents) for name, spents in ours_ms.items())]
    for name, spents in rows:
        if spents:
            mean_ms, worst_ms = statistics.fmean(spents), max(spents)
            share = f"{yardstick_ms / mean_ms:6.1f} times cheaper"
            print(f"  {name + f' ({len(spents)})':38}{mean_ms:8.1f}   {share}, worst {worst_ms:.1f}")
    print("  read in the same frames without hands: " + ", ".join(f"{name} {count}" for name, count in read.items()))
    counts = ", ".join(f"{noticed.count(number)} in frame {number}" for number in sorted(set(noticed)))
    print(f"  changes noticed: {counts or 'none'}")
    met = {
        f"{AIM_TIMES:.0f} times cheaper": yardstick_ms >= AIM_TIMES * statistics.fmean(every_ms),
        f"{AIM_HANDS_MS:.0f} ms with hands": statistics.fmean(ours_ms["hands in view"] or [0.0]) <= AIM_HANDS_MS,
        "no less read": read["our cards"] >= read["yardstick cards"] and read["our tags"] >= read["yardstick tags"],
        f"noticed within {AIM_FRAMES} frames": max(noticed, default=0) <= AIM_FRAMES,
    }
    print("  aims: " + ", ".join(f"{aim} {'met' if good else 'MISSED'}" for aim, good in met.items()))
    return all(met.values())


if __name__ == "__main__":
    sys.exit(main())
