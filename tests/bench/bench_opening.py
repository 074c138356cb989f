"""How long until the first picture and the first table: ``python tests/bench/bench_opening.py [--against DIR]``.

Starts the program at the simulated table in a window, as somebody does who types the command, and notes by the clock
when anything first reached the screen and when the table with its first frame did, from when the process was begun.
Several starts one after the other, of which the best says what the program needs and the middle one what the machine
made of it; processor time is printed beside. ``--against`` is another checkout with an environment of its own, which
takes turns with this one. Needs a screen: ``xvfb-run -a`` before it gives it one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
WITHIN_S = 120

CHILD = """
import os, sys, time
began = float(sys.argv[1])
sys.argv = ["engarde", *sys.argv[2:]]
import pygame
seen = []
def note():
    frame, kind = sys._getframe(2), "picture"
    while frame is not None:
        if frame.f_code.co_name == "show" and frame.f_globals.get("__name__") == "display.window":
            kind = "table"
        frame = frame.f_back
    if kind not in seen:
        seen.append(kind)
        print("SHOWN", kind, time.monotonic() - began, time.process_time(), flush=True)
    if kind == "table":
        os._exit(0)
def noted(shows):
    def shown(*given):
        shows(*given)
        note()
    return shown
pygame.display.flip = noted(pygame.display.flip)
pygame.display.update = noted(pygame.display.update)
from firmware.cli import main
sys.exit(main())
"""
"""Runs in the process that is measured: what the program imports first is imported here, and nothing more."""


@dataclass(frozen=True)
class Opening:
    """Seconds from the start of the process by the clock, and of the processor."""

    picture: tuple[float, float]
    table: tuple[float, float]


def opened(checkout: Path, words: list[str], home: Path) -> Opening:
    """One start. Raises SystemExit where no table was shown."""
    surroundings = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": str(checkout),
        "PYTHONPYCACHEPREFIX": str(home / "compiled"),
    }
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, too
    python = str(checkout / ".venv" / "bin" / "python")
    began_s = time.monotonic()
    done = subprocess.run(
        [python, "-c", CHILD, str(began_s), *words],
        cwd=checkout,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    shown = {line.split()[1]: line.split()[2:] for line in done.stdout.splitlines() if line.startswith("SHOWN")}
    if set(shown) != {"picture", "table"}:
        raise SystemExit(f"expected a picture and a table, found {sorted(shown)}: {done.stdout[-500:]}{done.stderr}")
    first, second = ((float(shown[kind][0]), float(shown[kind][1])) for kind in ("picture", "table"))
    return Opening(first, second)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--starts", type=int, default=7, help="%(default)s")
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout with its own .venv")
    asked = parser.parse_args()
    words = ["play", "--camera", "synthetic", "--against", "master", "--new"]
    checkouts = {"here": HERE} | ({"there": asked.against.resolve()} if asked.against else {})
    found: dict[str, list[Opening]] = {name: [] for name in checkouts}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(asked.starts + 1):
            for name, checkout in checkouts.items():
                found[name].append(opened(checkout, words, Path(folder) / name))
    load = os.getloadavg()[0]
    print(
        f"{asked.starts} starts each after one that fills the caches, load {load:.1f}; seconds by the clock (processor)"
    )
    for name, starts in found.items():
        for kind in ("picture", "table"):
            times = [getattr(each, kind) for each in starts[1:]]
            clock, processor = [each[0] for each in times], [each[1] for each in times]
            print(
                f"  {name:<6} first {kind:<8} best {min(clock):.2f} ({min(processor):.2f}), "
                f"middle {statistics.median(clock):.2f} ({statistics.median(processor):.2f})"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
