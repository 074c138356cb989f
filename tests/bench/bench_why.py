"""Is the true reason named when the table cannot be seen? ``python tests/bench/bench_why.py --seeds 5``.

Of every kind of trouble some clips are made, by seed, on the simulated and on the photograph-like table in turn, and,
with ``--stills DIR``, on pictures rendered elsewhere. A clip counts when four of five frames asked about name the
true reason. Frames that are steady with a wrong table are counted apart; the exit status is 1 when there is one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from why_cases import ALONE, KINDS, Clip
from why_worlds import Photographed, Simulated, State, Still, World

from engine.table.observation import Sight
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look

FPS = 10.0
NAMED = 0.8


@dataclass
class Outcome:
    """What became of one clip. ``named`` None: nothing was to be named, as all was read all the same."""

    kind: str
    of: str
    named: bool | None
    steady_wrong: list[str] = field(default_factory=list)
    back: bool = True
    whys: Counter[str] = field(default_factory=Counter)


def world_of(of: str) -> World:
    """``simulated 3``, ``photographed 3`` or ``still FILE``."""
    kind, _, rest = of.partition(" ")
    if kind == "still":
        return Still(Path(rest), 1)
    return Simulated(int(rest)) if kind == "simulated" else Photographed(int(rest))


def one(task: tuple[str, str]) -> Outcome:
    """Shows one clip to fresh eyes."""
    import cv2

    cv2.setNumThreads(1)
    kind, of = task
    world = world_of(of)
    clip = KINDS[kind](world, random.Random(f"{kind} {of.rpartition('/')[2]}"))
    eyes = Eyes(world.table)
    outcome = Outcome(kind, of, None)
    asked: list[tuple[Look, State]] = []
    look = None
    for index, step in enumerate(clip.steps):
        y = world.picture(step.state, index)
        if step.spoil is not None:
            y = step.spoil(y, index)
        look = eyes.look(Frame(index, index / FPS, y))
        if look.table.sight is Sight.STEADY and not is_right(look, step.state):
            outcome.steady_wrong.append(f"{index}: {told(look)}")
        if step.asked:
            asked.append((look, step.state))
    assert look is not None
    outcome.back = look.table.sight is Sight.STEADY and is_right(look, clip.steps[-1].state)
    outcome.named = is_named(clip, asked)
    outcome.whys = Counter(str(look.table.why.value if look.table.why else None) for look, _ in asked)
    return outcome


def is_named(clip: Clip, asked: list[tuple[Look, State]]) -> bool | None:
    """Whether the reason was told; None where nothing kept anything from being seen."""
    if clip.harmless:
        asked = [(look, state) for look, state in asked if look.table.why in clip.whys or not sees_all(look, state)]
        if not asked:
            return None
    elif clip.brief:
        asked = [(look, state) for look, state in asked if look.table.sight is not Sight.STEADY]
    right = sum(look.table.why in clip.whys for look, _ in asked)
    return right > 0 and right >= NAMED * len(asked)


def is_right(look: Look, state: State) -> bool:
    """Whether the agreed table is what is there. A fencer taken away may still be believed."""
    figures = look.table.figures
    return (
        {str(card.card) for card in look.table.cards} == {card.name for card in state.cards}
        and figures.white.space == state.white
        and figures.black.space == state.black
    )


def sees_all(look: Look, state: State) -> bool:
    """Whether this frame alone shows all of it."""
    seen = look.seen
    return (
        {str(card) for card in seen.cards} == {card.name for card in state.cards}
        and (seen.white, seen.black) == (state.white, state.black)
        and look.table.why is None
    )


def told(look: Look) -> str:
    """The agreed table in a few words."""
    figures = look.table.figures
    return f"{figures.white.space} {figures.black.space} {' '.join(str(card.card) for card in look.table.cards)}"


def tasks_of(kinds: Iterable[str], first: int, seeds: int, stills: Path | None) -> list[tuple[str, str]]:
    """Every kind with every seed, the tables taking turns; every picture with every kind that needs no hand."""
    worlds = ("simulated", "photographed")
    tasks = [(kind, f"{worlds[seed % 2]} {seed}") for seed in range(first, first + seeds) for kind in kinds]
    if stills is not None:
        tasks += [
            (kind, f"still {file}") for file in sorted(stills.glob("*.gt.json")) for kind in kinds if kind in ALONE
        ]
    return tasks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="clips of each kind (default 5)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="which (default all)")
    parser.add_argument("--stills", type=Path, help="a folder of pictures with their truth")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    given = parser.parse_args()
    kinds = given.kinds.split(",")
    tasks = tasks_of(kinds, given.first, given.seeds, given.stills)
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(given.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for outcome in pool.map(one, tasks):
            outcomes.append(outcome)
            for wrong in outcome.steady_wrong[:3]:
                print(f"{outcome.kind} {outcome.of}: STEADY and wrong at {wrong}", flush=True)
            if outcome.named is False:
                print(f"{outcome.kind} {outcome.of}: named {dict(outcome.whys)}", flush=True)
            if not outcome.back:
                print(f"{outcome.kind} {outcome.of}: not steady and right at the end", flush=True)
    print(f"{'':16}{'named':>12}{'harmless':>10}{'steady and wrong':>18}{'back':>8}")
    for kind in [*kinds, "all"]:
        those = [outcome for outcome in outcomes if kind in (outcome.kind, "all")]
        due = [outcome for outcome in those if outcome.named is not None]
        named, amiss = sum(bool(outcome.named) for outcome in due), sum(len(o.steady_wrong) for o in those)
        back = sum(outcome.back for outcome in those)
        print(f"{kind:16}{named:6} /{len(due):4}{len(those) - len(due):10}{amiss:18}{back:8}")
    return 1 if any(outcome.steady_wrong for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
