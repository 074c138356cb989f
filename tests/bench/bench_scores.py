"""How long everybody's history takes from a book of many matches: judged anew, and with the results kept. A script.

Makes a book of random bots' matches in a folder of its own. CPU time of one core. Both ways have to say the same; exit
status 1 if they do not, or if keeping does not pay.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from engine.players.players import RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide, Side
from firmware.scorebook.book import MatchJournal, Scorebook, open_scorebook
from firmware.scores.export import matches_csv, scores_json
from firmware.scores.history import summarise
from firmware.scores.players import house
from firmware.scores.summaries import cache_file, read_summaries
from firmware.scores.telling import overview
from firmware.scores.terminal import Terminal

PEOPLE = ("Ana", "Bo", "Cem", "Dee", "Eve")
T = TypeVar("T")


def fill(book: Scorebook, matches: int, rng: Random) -> None:
    """Whole matches to five points of two random people."""
    book._connection.execute("PRAGMA synchronous = OFF")
    for _ in range(matches):
        journal = book.begin(BySide(*rng.sample(PEOPLE, 2)), mode="play")
        event: Event = MatchEvent(rng.choice(sorted(RULE_SETS)), rng.choice(list(Side)))
        state, ruling = judge(None, event)
        journal.append(event, ruling, 0.0)
        while state is not None and state.phase is not Phase.MATCH_OVER:
            full = start_round(state, rng)
            journal.append(RoundEvent(), judge(state, RoundEvent())[1], 0.0)
            state = play_round(journal, full, rng)


def play_round(journal: MatchJournal, full: FullState, rng: Random) -> PublicState:
    while full.public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
        side = full.public.to_act
        event = reveal(full) if side is None else choice_event(full.public, RandomBot().choose(full.view(side), rng))
        full, ruling = play(full, event)
        journal.append(event, ruling, 0.0)
    return full.public


def timed(name: str, work: Callable[[], T]) -> tuple[T, float]:
    begun = time.process_time()
    result = work()
    took_s = time.process_time() - begun
    print(f"{name:<44} {took_s * 1000:8.0f} ms")
    return result, took_s


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        path = Path(folder) / "book.sqlite"
        with open_scorebook(path) as book:
            fill(book, matches, Random(1))
            print(f"{matches} matches, a book of {path.stat().st_size / 1e6:.1f} MB")
            plain, plain_s = timed(
                "judged again, nothing kept", lambda: tuple(summarise(played) for played in book.replay_all())
            )
            (first, _), _ = timed("the first time, then kept", lambda: read_summaries(book))
            (kept, _), kept_s = timed("every other time", lambda: read_summaries(book))
            print(f"ratio {plain_s / kept_s:.1f}; kept: {cache_file(path).stat().st_size / 1e3:.0f} kB")
        whole, _ = timed("everybody's history, ratings, all presets", lambda: house(kept))
        timed("tables", lambda: overview(Terminal(120), whole, 20))
        timed("JSON of all", lambda: scores_json(str(path), whole, None, None))
        timed("CSV of all", lambda: matches_csv(whole.summaries))
    return 0 if plain == first == kept and kept_s < plain_s else 1


if __name__ == "__main__":
    sys.exit(main())
