"""What loading the program costs, by room: ``python tests/bench/bench_imports.py [--with CHECKOUT]``.

Each start is a process of its own with numpy, OpenCV and pygame loaded before; where another checkout is named, both
start in turn. Printed are, for each room, the milliseconds of processor time of its own modules without what these
load, the least of so many starts, and how much of all that the making of dataclasses takes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[2]
ROWS: Final = 24

# Runs in each start. What a module loads itself is taken off its own time.
START: Final = """
import collections, dataclasses, importlib, importlib._bootstrap as bootstrap, json, sys, time
import numpy, cv2, pygame
own, inner, made = collections.Counter(), [0], [0]
load, make = bootstrap._load_unlocked, dataclasses._process_class
def loading(spec):
    began = time.process_time_ns()
    inner.append(0)
    try:
        return load(spec)
    finally:
        spent = time.process_time_ns() - began
        own[spec.name] += spent - inner.pop()
        inner[-1] += spent
def making(*given, **named):
    began = time.process_time_ns()
    try:
        return make(*given, **named)
    finally:
        made[0] += time.process_time_ns() - began
bootstrap._load_unlocked, dataclasses._process_class = loading, making
importlib.import_module(sys.argv[1])
rooms = collections.Counter()
for name, spent in own.items():
    first, second = (*name.split("."), "")[:2]
    rooms[f"{first}.{second}" if first in ("engine", "vision", "display", "firmware") else "others"] += spent
print("\\n" + json.dumps({"all": sum(own.values()), "of it dataclasses": made[0], **rooms}))
"""


def start(checkout: Path, module: str, bytecode: str) -> dict[str, int]:
    """Nanoseconds by room of one start of this checkout's module."""
    own = {"PYTHONPATH": str(checkout), "PYTHONPYCACHEPREFIX": bytecode, "OPENBLAS_NUM_THREADS": "1"}
    environment = {**os.environ, **own, "SDL_VIDEODRIVER": "dummy", "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, "-c", START, module], env=environment, cwd=checkout, check=True, capture_output=True, text=True
    )
    spent: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="other", type=Path, help="another checkout, compared in the same run")
    parser.add_argument("--module", default="firmware.commands.play", help="default %(default)s")
    parser.add_argument("--starts", type=int, default=5, help="of each (default %(default)s)")
    given = parser.parse_args()
    checkouts = [ROOT, *([given.other.resolve()] if given.other else [])]
    least: list[dict[str, int]] = [{} for _ in checkouts]
    with TemporaryDirectory() as bytecode:
        for number in range(given.starts + 1):
            for checkout, best in zip(checkouts, least, strict=True):
                for room, spent in start(checkout, given.module, bytecode).items():
                    if number:  # the first one writes its byte code
                        best[room] = min(spent, best.get(room, spent))
    rooms = sorted(
        {room for best in least for room in best}, key=lambda room: -max(best.get(room, 0) for best in least)
    )
    print(f"{given.module}: ms of processor time, {' beside '.join(map(str, checkouts))}")
    for room in rooms[:ROWS]:
        print(f"  {room:24}" + "".join(f"{best.get(room, 0) / 1e6:10.1f}" for best in least))
    return 0


if __name__ == "__main__":
    sys.exit(main())
