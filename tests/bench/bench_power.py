"""What a scorebook is worth after the power went, on a card that keeps its word and on one that lies. Run as a script.

    .venv/bin/python tests/bench/bench_power.py --cuts 1000

A preloaded library (``written_in_order.c``, built with cc) writes down every write of SQLite's in its order. From that
the card's content at any moment is made anew. An honest card holds whatever was synced, and any part of the rest; one
that lies has lost any of its last writes, synced or not, as if fsync did nothing. Then the book is opened as the
program opens it. The exit status is 1 where an honest card lost an event that was acknowledged, or where any book held
a row that was never written and nothing was said.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from bench_scorebook import match_events

from engine.record.course import follow
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook

HERE: Final = Path(__file__).parent
IN_THE_CARD: Final = 12
"""As many writes as a lying card may have lost: about two of the book's transactions."""


class Done(NamedTuple):
    """One step of the writer: kind W, T, U or S, and what it was done to."""

    kind: str
    path: str
    at: int
    data: bytes


def play(folder: Path, matches: int) -> None:
    """Fill a book, and say after each event that it was acknowledged."""
    rng = random.Random(1)
    acknowledged = os.open(folder / "acknowledged", os.O_CREAT | os.O_WRONLY)
    with open_scorebook(folder / "book.sqlite") as book:
        for _ in range(matches):
            journal, course = book.begin(BySide("Ana", "Bo"), mode="play"), None
            for event in match_events(rng):
                course, ruling = follow(course, event)
                journal.append(event, ruling, 1.0)
                os.write(acknowledged, json.dumps([journal.match_id, journal.seq]).encode() + b"\n")


def steps_in(log: Path) -> Iterator[Done]:
    content, at = log.read_bytes(), 0
    while at < len(content):
        kind, length, offset, size = struct.unpack_from("=cIQI", content, at)
        at += 17
        path = content[at : at + length].decode()
        yield Done(kind.decode(), path, offset, content[at + length : at + length + size])
        at += length + size


def survives(steps: list[Done], cut: int, *, lies: bool, rng: random.Random) -> list[Done]:
    """What the card holds of the first ``cut`` steps."""
    kept = []
    for place, step in enumerate(steps[:cut]):
        where = os.path.dirname(step.path) if step.kind == "U" else step.path
        if lies:
            safe = place < cut - IN_THE_CARD
        else:
            safe = any(later.kind == "S" and later.path == where for later in steps[place + 1 : cut])
        if safe or rng.random() < 0.5:
            kept.append(step)
    return kept


def make(folder: Path, steps: list[Done]) -> Path:
    files: dict[str, bytearray] = {}
    for step in steps:
        name = os.path.basename(step.path)
        if step.kind == "U":
            files.pop(name, None)
        elif step.kind == "T":
            content = files.setdefault(name, bytearray())
            del content[step.at :]
            content.extend(bytes(step.at - len(content)))
        elif step.kind == "W":
            content = files.setdefault(name, bytearray())
            content.extend(bytes(max(0, step.at + len(step.data) - len(content))))
            content[step.at : step.at + len(step.data)] = step.data
    for name, content in files.items():
        if name.startswith("book.sqlite"):
            (folder / name).write_bytes(content)
    return folder / "book.sqlite"


Rows = dict[tuple[int, int], str]


def rows_of(path: Path) -> tuple[Rows, bool]:
    """Every event of the book, and whether anything was said in opening it."""
    with open_scorebook(path) as book:
        found = book.connection.execute("SELECT match_id, seq, event FROM events").fetchall()
        return {(match, seq): event for match, seq, event in found}, bool(book.notice)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=300, help="of each card (default: %(default)s)")
    parser.add_argument("--matches", type=int, default=3, help="played (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the cuts (default: %(default)s)")
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.play is not None:
        play(given.play, given.matches)
        return 0
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="engarde-power-") as there:
        root = Path(there)
        (root / "played").mkdir()
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", str(root / "noted.so"), str(HERE / "written_in_order.c"), "-ldl"],
            check=True,
        )
        noted = {"LD_PRELOAD": str(root / "noted.so"), "WRITTEN_UNDER": str(root / "played")}
        subprocess.run(
            [sys.executable, __file__, "--play", str(root / "played"), "--matches", str(given.matches)],
            env={**os.environ, **noted, "WRITTEN_LOG": str(root / "log")},
            check=True,
        )
        steps = list(steps_in(root / "log"))
        truth, _ = rows_of(root / "played" / "book.sqlite")
        print(f"{len(truth)} events in {len(steps)} steps, {sum(step.kind == 'S' for step in steps)} of them syncs")
        for lies in (False, True):
            rng = random.Random(given.seed)
            fates: Counter[str] = Counter()
            most: Counter[str] = Counter()
            for number in range(given.cuts):
                folder = root / f"{lies}-{number}"
                folder.mkdir()
                cut = rng.randrange(1, len(steps) + 1)
                path = make(folder, survives(steps, cut, lies=lies, rng=rng))
                said = [json.loads(s.data) for s in steps[:cut] if s.kind == "W" and s.path.endswith("acknowledged")]
                found, told = rows_of(path)
                lost = sum(tuple(place) not in found for place in said)
                false = [place for place, event in found.items() if truth.get(place) != event]
                fate = f"{'told' if told else 'nothing said'}, {'events lost' if lost else 'nothing lost'}"
                fates[fate] += 1
                most[fate] = max(most[fate], lost)
                if (false and not told) or (lost and not lies):
                    wrong += 1
                    print(f"cut {number} at step {cut}: {lost} acknowledged events lost, {len(false)} never written")
            print(f"a card that {'lies' if lies else 'keeps its word'}:")
            for fate, count in fates.most_common():
                print(f"{count:7} {fate}, at most {most[fate]} of those that were acknowledged")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
