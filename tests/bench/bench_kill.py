"""Kills the program as often as one likes and says what was found. Run it as a script.

Each life takes up the match that the last one left, plays on through the real loop and the real scorebook, and is
killed with SIGKILL at a random moment; then every event it had shown has to be in the book, whole, and the match has to
go on.
In memory by default, where a kill falls into a write more often; ``--on-disk`` takes the folder of temporary files.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def load_test() -> ModuleType:
    """The test of the same, which is no module one could import by name."""
    path = Path(__file__).parents[1] / "firmware" / "book" / "scorebook" / "test_book_kill.py"
    spec = spec_from_file_location("kill_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=600, help="how many lives (default: %(default)s)")
    parser.add_argument("--books", type=int, default=4, help="how many books they are spread over (%(default)s)")
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--on-disk", action="store_true", help="where every write waits for the disk")
    args = parser.parse_args()
    test = load_test()
    total: Counter[str] = Counter()
    began_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="engarde-kill-") as there:
        for number in range(args.books):
            folder = Path(there) / str(number)
            folder.mkdir()
            kills = args.kills // args.books
            if args.on_disk:
                total += test.kill_often(folder / "book.sqlite", kills, args.seed + number)
            else:
                with test.memory_folder(folder) as memory:
                    total += test.kill_often(memory / "book.sqlite", kills, args.seed + number)
    print(f"{time.perf_counter() - began_s:.0f} s, and every event that was shown was there after every kill.")
    for name, count in sorted(total.items()):
        print(f"{count:8}  {name.replace('_', ' ')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
