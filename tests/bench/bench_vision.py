"""What reading the table costs, both ways side by side: ``python tests/bench/bench_vision.py``.

A stretch of a match at the simulated table is rendered once and then read by the yardstick (the whole frame: grey,
zbar on everything, ArUco with its default settings) and by our eyes. Thread CPU milliseconds on one core; the ratio
is what counts. It also counts what each way reads of what lies in plain sight, and the frames from a change on the
table to the first frame that shows it.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from engine.events import MatchEvent
from engine.players import GreedyBot
from engine.track import BySide, Side
from firmware.simulation.director import Director
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.synthetic import PRESETS, Renderer, Scene, camera_variant
from vision.table import Table, load_table
from vision.tags import aruco_dictionary, parse_payload

TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"
TICK_S = 0.2


@dataclass(frozen=True)
class Shot:
    """One frame and the scene it shows."""

    frame: Frame
    scene: Scene


def match_shots(table: Table, preset: str, seed: int, count: int) -> Iterator[Shot]:
    """The first frames of a match of two bots."""
    bots = BySide(GreedyBot(), GreedyBot())
    match = MatchEvent("ferti-advanced", Side.WHITE)
    director = Director(table, match, bots, random.Random(seed), tick_s=TICK_S, watched=False)
    renderer = Renderer(table, camera_variant(table, seed), PRESETS[preset], seed)
    for index in range(count):
        tick = director.tick(index * TICK_S, None)
        if tick is None:
            return
        yield Shot(renderer.render(tick.scene, index, index * TICK_S), tick.scene)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=300, help="frames of a match (default 300)")
    parser.add_argument("--every", type=int, default=10, help="the yardstick reads every Nth frame (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    table = load_table(TABLE_FILE)
    yardstick, eyes = Yardstick(table), Eyes(table)
    old_ms: list[float] = []
    ours_ms: dict[str, list[float]] = {"hands in view": [], "nobody moves": []}
    read = {"yardstick cards": 0, "our cards": 0, "yardstick tags": 0, "our tags": 0}
    late: list[int] = []
    changed_at: int | None = None
    before: tuple[object, ...] = ()
    for index, shot in enumerate(match_shots(table, given.strength, given.seed, given.frames)):
        began_s = time.thread_time()
        look = eyes.look(shot.frame)
        spent_ms = (time.thread_time() - began_s) * 1000
        ours_ms["hands in view" if shot.scene.hands else "nobody moves"].append(spent_ms)
        lies: tuple[object, ...] = (shot.scene.cards, shot.scene.white, shot.scene.black)
        if lies != before:
            before, changed_at = lies, index
        tops = max(shot.scene.cards, key=lambda card: card.level, default=None)
        seen_now = tops is None or tops.card in look.seen.cards
        if changed_at is not None and not shot.scene.hands and seen_now and look.seen.white and look.seen.black:
            late.append(index - changed_at)
            changed_at = None
        elif shot.scene.hands and changed_at is not None:
            changed_at = index + 1  # while a hand hides it, nobody can see it
        if index % given.every == 0:
            bgr = np.asarray(cv2.cvtColor(shot.frame.y, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
            began_s = time.thread_time()
            ids, codes = yardstick.read(bgr)
            old_ms.append((time.thread_time() - began_s) * 1000)
            cards = {parsed[1] for code in codes if (parsed := parse_payload(code)) is not None}
            read["yardstick cards"] += len(cards)
            read["our cards"] += len(look.seen.cards)
            read["yardstick tags"] += len(ids & {table.fencer_ids.white, table.fencer_ids.black})
            read["our tags"] += len(look.detections.tags)
    _report(old_ms, ours_ms, read, late, given.strength)


def _report(
    old_ms: list[float], ours_ms: dict[str, list[float]], read: dict[str, int], late: list[int], strength: str
) -> None:
    every_ms = [spent for spents in ours_ms.values() for spent in spents]
    yardstick_ms = statistics.fmean(old_ms)
    print(f"{strength}, {len(every_ms)} frames of a match; ms a frame of one core's time")
    print(f"  {'full frame, zbar and default ArUco':38}{yardstick_ms:8.1f}")
    rows = [("our eyes, all frames", every_ms), *((f"  {name}", spents) for name, spents in ours_ms.items())]
    for name, spents in rows:
        if spents:
            mean_ms, worst_ms = statistics.fmean(spents), max(spents)
            share = f"{yardstick_ms / mean_ms:6.1f} times cheaper"
            print(f"  {name:38}{mean_ms:8.1f}   {share}, worst {worst_ms:.1f}")
    print("  read in the same frames: " + ", ".join(f"{name} {count}" for name, count in read.items()))
    if late:
        print(
            f"  changes seen at once {late.count(0)}, one frame later {late.count(1)}, later {sum(n > 1 for n in late)}"
        )


if __name__ == "__main__":
    main()
