"""Whole matches of one person against the companion on rendered frames, held against the simulated truth.

    .venv/bin/python tests/bench/bench_companion.py --seeds 8

The person does what the screen asks and slips on purpose: another slot's card, another space, a slot left empty. Prints
a line a match: turns, frames, slips made and noticed, wrong verdicts, and what a frame cost the eyes with and without
looking for backs. The exit status is 1 when a verdict was wrong, a slip unnoticed or a match did not end.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from display.view import NO_NAMES
from engine.companion.companion import name_of
from engine.players.bots.strengths import STRENGTHS
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.loop.moment import Moment, People
from firmware.recording.replay import NoJournal
from firmware.simulation.actors import StuckMatchError
from firmware.simulation.companion_match import CompanionMatch
from firmware.simulation.match import MatchPlan
from vision.eyes import Eyes
from vision.printed.table import load_table
from vision.reading.backs import slot_areas
from vision.synthetic.disturbances import PRESETS

TABLE = load_table(Path(__file__).parents[2] / "hardware" / "table.toml")


@dataclass
class Costs:
    """Looks at every frame again, asked for backs and not, one after the other in the same run."""

    asked: Eyes = field(default_factory=lambda: Eyes(TABLE))
    not_asked: Eyes = field(default_factory=lambda: Eyes(TABLE))
    asked_ms: float = 0.0
    not_asked_ms: float = 0.0
    frames: int = 0

    def attend(self, moment: Moment) -> None:
        """Both looks, in turns which is first."""
        self.frames += 1
        first = self.frames % 2
        for number in (first, 1 - first):
            eyes = (self.asked, self.not_asked)[number]
            begun = time.thread_time()
            eyes.look(moment.frame)
            spent_ms = 1000 * (time.thread_time() - begun)
            if number:
                self.not_asked_ms += spent_ms
            else:
                self.asked_ms += spent_ms


def one(seed: int, side: Side, strength: str, preset: str) -> bool:
    """Play one match and print its line; whether all was right."""
    costs = Costs()
    costs.asked.watch_backs(slot_areas(TABLE))
    people = People(NO_NAMES.put(side, name_of(strength)), "en")
    plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 1), seed, 0.4, PRESETS[preset])
    match = CompanionMatch(plan, TABLE, NoJournal(), [costs], people, side, strength, STRENGTHS)
    stuck = ""
    try:
        match.loop.run()
    except StuckMatchError as error:
        stuck = f"  stuck: {error}"
    report, director = match.report(), match.director
    slips, noticed = sum(director.slips.values()), sum(director.noticed.values())
    good = not stuck and report.agrees and not report.tally.wrong and slips == noticed
    good = good and report.state.phase is Phase.MATCH_OVER
    print(
        f"seed {seed}  {side.value:5} {strength:7} {preset:8}  {report.turns:3} turns  {report.frames:4} frames  "
        f"{noticed} of {slips} slips noticed  {len(report.tally.wrong)} wrong  "
        f"{costs.asked_ms / costs.frames:.2f} ms a frame with backs, {costs.not_asked_ms / costs.frames:.2f} without"
        f"{stuck}",
        flush=True,
    )
    return good


def main() -> int:
    """All seeds; sides, strengths and presets take turns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=8)
    args = parser.parse_args()
    presets, strengths = list(PRESETS), list(STRENGTHS)
    results = [
        one(seed, list(Side)[seed % 2], strengths[seed % len(strengths)], presets[seed % len(presets)])
        for seed in range(1, args.seeds + 1)
    ]
    print(f"{sum(results)} of {len(results)} matches were right from first to last")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
