"""A program that is killed at any moment: every event it had acknowledged is in the book, and no half one."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from engine.events import RoundEvent, UndoEvent
from engine.referee import judge
from engine.state import Phase
from firmware.scorebook import open_scorebook

WRITER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from engine.events import MatchEvent, RoundEvent, UndoEvent
    from engine.referee import judge
    from engine.track import BySide
    from firmware.scorebook import open_scorebook

    with open_scorebook(Path(sys.argv[1])) as book:
        journal = book.begin(BySide("Ana", "Bo"), mode="play")
        state, number = None, 0
        while True:
            event = MatchEvent("ferti-classic") if number == 0 else RoundEvent() if number % 2 else UndoEvent()
            state, ruling = judge(state, event)
            journal.append(event, ruling, 0.0)
            number += 1
            print(number, flush=True)
""")


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_moment_every_shown_event_is_there_and_no_half_one(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "book.sqlite"
    rng = random.Random(seed)
    for times in range(1, 4):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            first = writer.stdout.readline()
            time.sleep(rng.random() * 0.15)
            writer.kill()
            shown = max(int(line) for line in (first, *writer.stdout) if line.endswith("\n"))
        with open_scorebook(path) as book:
            assert book.notice == ""
            matches = book.matches()
            assert len(matches) == times
            played = book.replay(matches[-1].id)
            assert played.problem == ""
            assert shown <= len(played.rows) <= shown + 1
            assert played.state is not None
            event = RoundEvent() if played.state.phase is Phase.SETUP else UndoEvent()
            book.resume(played).append(event, judge(played.state, event)[1], 0.0)
            assert len(book.replay(played.match.id).rows) == len(played.rows) + 1
