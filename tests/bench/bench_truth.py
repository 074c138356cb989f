"""Whole matches at the simulated table, every verdict held against the simulated truth.

    .venv/bin/python tests/bench/bench_truth.py --seeds 20

Prints a line a match and the totals: turns, frames, mistakes made and caught by kind, verdicts that were wrong, presses
that were never answered. The exit status is 1 when any verdict was wrong or a match did not end. The presets take
turns over the seeds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from engine.record.course import JournalEntry
from engine.rules.events import MatchEvent
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.extras.simulation.actors import StuckMatchError
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.loop.moment import People
from vision.printed.table import load_table
from vision.synthetic.camera import PRESETS

TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"


@dataclass
class Counts:
    """What one match, or all of them, came to."""

    turns: int = 0
    frames: int = 0
    made: Counter[str] = field(default_factory=Counter)
    caught: int = 0
    unanswered: int = 0
    wrong: list[str] = field(default_factory=list)
    took_s: float = 0.0
    ended: int = 0
    score: str = ""

    def add(self, other: Counts) -> None:
        self.turns += other.turns
        self.frames += other.frames
        self.made += other.made
        self.caught += other.caught
        self.unanswered += other.unanswered
        self.wrong += other.wrong
        self.took_s += other.took_s
        self.ended += other.ended

    def line(self) -> str:
        made = sum(self.made.values())
        per_frame_ms = 1000 * self.took_s / max(1, self.frames)
        return (
            f"{self.turns:5} turns {self.frames:6} frames {made:4} mistakes {self.caught:4} caught "
            f"{self.unanswered:3} unanswered {len(self.wrong):3} wrong  {per_frame_ms:5.0f} ms a frame  {self.score}"
        )


class NoJournal:
    """Keeps nothing: what is measured here is seeing and judging."""

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        pass


def one_match(seed: int, mistakes: float, strength: str, points: int) -> Counts:
    rules = sorted(RULE_SETS)[seed % len(RULE_SETS)]
    plan = MatchPlan(MatchEvent(rules, Side.WHITE, points), seed, mistakes, PRESETS[strength])
    people = People(BySide("White", "Black"), "en")
    match = SimulatedMatch(plan, load_table(TABLE_FILE), NoJournal(), (), people)
    began_s = time.perf_counter()
    stuck = ""
    try:
        match.loop.run()
    except StuckMatchError as error:
        stuck = f"  STUCK: {error}"
    report = match.report()
    tally = report.tally
    ended = report.state.phase is Phase.MATCH_OVER and report.agrees
    wrong = [f"seed {seed}: said {each.said}; true is {each.true}" for each in tally.wrong]
    score = f"{report.state.score.white}:{report.state.score.black} {rules}{'' if ended else '  DID NOT END'}{stuck}"
    made = Counter({kind.value: count for kind, count in tally.mistakes.items()})
    took_s = time.perf_counter() - began_s
    return Counts(report.turns, report.frames, made, tally.caught, tally.unanswered, wrong, took_s, int(ended), score)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="how many matches (default 20)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--mistakes", type=float, default=0.15, help="chance of a misplay a turn (default 0.15)")
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical", help="of every disturbance")
    parser.add_argument("--points", type=int, default=5, help="points that win a match (default 5)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.seeds)
    total = Counts()
    with ProcessPoolExecutor(given.jobs) as pool:
        runs = [pool.submit(one_match, seed, given.mistakes, given.strength, given.points) for seed in seeds]
        for seed, run in zip(seeds, runs, strict=True):
            counts = run.result()
            total.add(counts)
            print(f"seed {seed:4}: {counts.line()}", flush=True)
            for wrong in counts.wrong:
                print(f"    {wrong}", flush=True)
    print(f"\n{given.strength}, {given.seeds} matches, {total.ended} ended with the true score\n    {total.line()}")
    for kind, count in sorted(total.made.items()):
        print(f"    {count:4} times somebody {kind}")
    return 0 if not total.wrong and total.ended == given.seeds else 1


if __name__ == "__main__":
    sys.exit(main())
