"""An evening of matches in virtual time: does the program grow? Run it as a script.

    .venv/bin/python tests/bench/bench_soak.py --hours 1

The real ``engarde play`` with its loop, menu, scorebook, lamps and web view referees one match after the other, three
phones following, on observations of a table (no camera, no window), garbage collected as the program does it. Prints
memory, descriptors and threads every ten minutes of play; the exit status is 1 where the memory at the end is more than
2 % above that after ten minutes, or anything else grew.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "faults"))

from fault_run import Enough, Run

from firmware.cli.sitting.cameras import TableWish
from firmware.cli.sitting.sitting import Sitting
from firmware.table.loop.tidy import Tidy

_EVERY_S = 600.0
_MOST = 1.02


class Sample(NamedTuple):
    """How the process stands at a time of play."""

    virtual_s: float
    memory_mb: float
    descriptors: int
    threads: int


class Soak(Run):
    """Nothing fails; what the process takes is looked at every ten minutes."""

    def __init__(self, folder: Path, seed: int, hours: float) -> None:
        super().__init__(seed, 1, folder, share=0.0)
        self._ends_s = 3600.0 * hours
        self._tidy: Tidy | None = None
        self.samples: list[Sample] = []

    def _sitting(self, wish: TableWish) -> Sitting:
        """With what collects garbage in every match."""
        if self._tidy is None:
            self._tidy = Tidy()
        return replace(super()._sitting(wish), tidy=self._tidy)

    def tick(self) -> None:
        self.report.ticks += 1
        if self.world.now_s >= _EVERY_S * (len(self.samples) + 1):
            if not self.samples:
                self._crowd()
                self._hang_up()
            self.samples.append(_now(self.world.now_s))
            print(
                "{:6.0f} s of play  {:7.2f} MB  {} descriptors  {} threads".format(*self.samples[-1])
                + f"  {self.checker.matches} matches, {self.checker.accepted} entries",
                file=sys.__stdout__,  # the program's own is listened to
                flush=True,
            )
        if self.world.now_s >= self._ends_s:
            raise Enough


def _now(virtual_s: float) -> Sample:
    with open("/proc/self/smaps_rollup", encoding="ascii") as stream:
        # What it has written itself: pages of libraries are its own or not as other programs come and go.
        own_kb = sum(int(line.split()[1]) for line in stream if line.startswith("Anonymous:"))
    return Sample(virtual_s, own_kb / 1024, len(os.listdir("/proc/self/fd")), threading.active_count())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=1.0, help="of play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=4)
    given = parser.parse_args()
    began_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="engarde-soak-") as folder:
        soak = Soak(Path(folder), given.seed, given.hours)
        report = soak.go()
    first, last = soak.samples[0], soak.samples[-1]
    grown = last.memory_mb / first.memory_mb
    print(
        f"{report.ticks} steps in {time.perf_counter() - began_s:.0f} s: {100 * (grown - 1):+.1f} % memory from "
        f"{first.virtual_s:.0f} s to {last.virtual_s:.0f} s of play. {report.broken}"
    )
    whole = grown <= _MOST and last.descriptors <= first.descriptors and last.threads <= first.threads
    return 0 if whole and not report.broken else 1


if __name__ == "__main__":
    sys.exit(main())
