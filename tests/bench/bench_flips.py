"""Single flipped bits in a scorebook: is a change in any stored value found, and what is saved of it? Run as a script.

Each flip is read as the program reads: a book that opens without a word must hold just what it held. Then it is opened
to be written in, which rescues it and takes from the newest copy beside it what was changed, and what came of it is
counted. A flip in bytes that nobody reads, free space between rows for instance, changes no value; that is neither
found nor silent.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from bench_scorebook import match_events

from engine.record.answers import ruling_to_json
from engine.record.course import Course, follow
from engine.rules.track import BySide
from firmware.book.scorebook.book import MatchRow, Row, open_scorebook, read_scorebook
from firmware.book.scorebook.copies import copies_of
from firmware.book.scorebook.file import ScorebookError

Values = dict[str, list[tuple[Any, ...]]]
TABLES = ("matches", "events")


def filled(path: Path, matches: int) -> None:
    """A book of so many whole matches between five people."""
    rng = random.Random(1)
    with open_scorebook(path) as book:
        for number in range(matches):
            white, black = rng.sample(("Ana", "Bo", "Chloë", "Émile", "Łukasz"), 2)
            course: Course | None = None
            rows = []
            for seq, event in enumerate(match_events(rng), 1):
                course, ruling = follow(course, event)
                at_s = seq * 7.3 + rng.random()
                rows.append(Row(seq, event, ruling_to_json(ruling), round(at_s, 3), 1.7e9 + 1e4 * number + at_s))
            book.add_all([(MatchRow(0, BySide(white, black), "play", None, 1.7e9 + 1e4 * number), rows)])


def values(connection: sqlite3.Connection) -> Values:
    """Every stored value."""
    return {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES}


def flip(content: bytes, bit: int) -> bytes:
    """These bytes with one bit the other way round."""
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def told(path: Path, expected: Values) -> str:
    """What opening the book to read says of it: a kind of fate."""
    try:
        book = read_scorebook(path)
        assert book is not None
        with book:
            return "no value changed" if values(book.connection) == expected else "SILENT"
    except ScorebookError as error:
        return "found" if "is damaged" in str(error) else f"found, refused: {str(error).partition('sqlite')[2][:70]}"


def cured(path: Path, expected: Values) -> str:
    """What opening the book to write in it makes of it."""
    try:
        with open_scorebook(path) as book:
            now = values(book.connection)
            if now == expected:
                return "whole again" if book.salvaged else "whole"
            if book.salvaged is None:
                return "CHANGED WITHOUT A WORD"
            lost = len(expected["events"]) - len(now["events"])
            changed = len(book.salvaged.changed)
            return f"told: {'some' if lost else 'no'} events lost, {'some' if changed else 'none'} named as changed"
    except ScorebookError:
        return "refused"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=1000, help="(default: %(default)s)")
    parser.add_argument("--matches", type=int, default=30, help="in the book (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the flips (default: %(default)s)")
    args = parser.parse_args()
    began = time.perf_counter()
    found: Counter[str] = Counter()
    cures: Counter[str] = Counter()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory(prefix="engarde-flips-") as there:
        path = Path(there) / "whole.sqlite"
        filled(path, args.matches)
        whole = path.read_bytes()
        with closing(sqlite3.connect(path)) as connection:
            expected = values(connection)
        with open_scorebook(path, alone=True):
            pass
        copies = copies_of(path)
        print(f"a book of {args.matches} matches, {len(expected['events'])} events, {len(whole)} bytes")
        for number in range(args.flips):
            folder = Path(there) / str(number)
            folder.mkdir()
            damaged = folder / "book.sqlite"
            bit = rng.randrange(8 * len(whole))
            damaged.write_bytes(flip(whole, bit))
            for copy in copies:  # as every table keeps by itself
                shutil.copy(copy, folder / copy.name.replace("whole", "book"))
            fate = told(damaged, expected)
            cure = cured(damaged, expected)
            if fate == "SILENT" or "WITHOUT" in cure:
                print(f"bit {bit % 8} of byte {bit // 8}: {fate}; {cure}")
            found[fate] += 1
            cures[cure] += 1
            for each in folder.iterdir():
                each.unlink()
    for name, counts in (("read", found), ("opened to write in", cures)):
        print(f"{name}:")
        for what, count in counts.most_common():
            print(f"{count:7} {what}")
    print(f"{time.perf_counter() - began:.0f} s")
    return 1 if found["SILENT"] or cures["CHANGED WITHOUT A WORD"] else 0


if __name__ == "__main__":
    sys.exit(main())
