"""A soak of the scorebook: many matches event by event, with memory, file size and times. Run it as a script.

Compares the one way to keep events with the plain one (SQLite's defaults, one commit at the end of each match), which
would lose a match to a power cut: what safety costs. The times of a disk are this machine's and nobody else's.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

from engine.players.players import RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.record.course import Course, follow
from engine.rules.events import Event, MatchEvent, RoundEvent, event_to_json
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.copies import back_up
from firmware.book.scorebook.page_reader import rows
from firmware.book.scorebook.salvage import salvage

NAMES = BySide("Ana", "Bo")


def match_events(rng: random.Random) -> list[Event]:
    """A whole match to five points."""
    events: list[Event] = [MatchEvent("ferti-advanced")]
    state, _ = judge(None, events[0])
    assert state is not None
    while state.phase is not Phase.MATCH_OVER:
        full = start_round(state, rng)
        events.append(RoundEvent())
        while full.public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            side = full.public.to_act
            event = (
                reveal(full) if side is None else choice_event(full.public, RandomBot().choose(full.view(side), rng))
            )
            full, _ = play(full, event)
            events.append(event)
        state = full.public
    return events


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def soak(path: Path, matches: int) -> tuple[int, list[float]]:
    """Keep so many matches event by event; how many events, and the time each took in milliseconds."""
    rng = random.Random(1)
    events, times_ms = 0, []
    with open_scorebook(path, alone=True) as book:
        for number in range(1, matches + 1):
            journal = book.begin(NAMES, mode="play")
            course: Course | None = None
            for event in match_events(rng):
                course, ruling = follow(course, event)
                began = time.perf_counter()
                journal.append(event, ruling, 0.0)
                times_ms.append((time.perf_counter() - began) * 1000)
                events += 1
            if number in (1, 10, 100) or number % max(1, matches // 10) == 0:
                size_kb = path.stat().st_size / 1024
                print(
                    f"{number:6} matches {events:8} events {size_kb:9.0f} KiB {size_kb * 1024 / events:6.0f} bytes each"
                    f" {memory_mb():7.1f} MB at most {statistics.median(times_ms[-500:]):7.2f} ms an event"
                )
    return events, times_ms


def plainly(path: Path, matches: int) -> float:
    """The same rows with SQLite as it comes and one commit a match: milliseconds an event."""
    rng = random.Random(1)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE events (match_id, seq, event)")
    spent_s, events = 0.0, 0
    for number in range(matches):
        played = match_events(rng)
        began = time.perf_counter()
        for seq, event in enumerate(played):
            text = json.dumps(event_to_json(event))
            connection.execute("INSERT INTO events VALUES (?, ?, ?)", (number, seq, text))
        connection.commit()
        spent_s += time.perf_counter() - began
        events += len(played)
    connection.close()
    return spent_s * 1000 / events


def timed(what: str, began: float) -> float:
    print(f"{(time.perf_counter() - began) * 1000:9.0f} ms  {what}")
    return time.perf_counter()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="(default: %(default)s)")
    parser.add_argument("--folder", type=Path, help="where to write (default: the folder of temporary files)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="engarde-soak-", dir=args.folder) as there:
        path = Path(there) / "book.sqlite"
        events, times_ms = soak(path, args.matches)
        times_ms.sort()
        share = min(args.matches, 50)
        plain_ms = plainly(Path(there) / "plain.sqlite", share)
        safe_ms = statistics.mean(times_ms)
        print(
            f"an event: {safe_ms:.2f} ms (median {statistics.median(times_ms):.2f}, 99 of 100 under "
            f"{times_ms[int(len(times_ms) * 0.99)]:.2f}); a commit a match: {plain_ms:.3f} ms, "
            f"{safe_ms / plain_ms:.0f} times less"
        )
        began = time.perf_counter()
        open_scorebook(path).close()
        began = timed("to open and check the book", began)
        with open_scorebook(path) as book:
            began = time.perf_counter()
            assert book.unfinished() is None
            began = timed("to find the match to take up", began)
            assert sum(len(played.rows) for played in book.replay_all()) == events
            began = timed("to judge every match again", began)
        folder = Path(there) / "stick"
        folder.mkdir()
        began = time.perf_counter()
        back_up(path, folder)
        began = timed("to back it up, checked", began)
        content = path.read_bytes()
        found = sum(len(row) == 8 for row in rows(content))
        began = timed(f"to read {found} rows from its bytes alone", began)
        path.write_bytes(bytes(4096) + content[4096:])
        saved = salvage(path)
        timed(f"to recover {saved.matches} matches with {saved.events} events of a book without its first page", began)
        assert saved.events == events
    print(f"{memory_mb():.1f} MB of memory at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
