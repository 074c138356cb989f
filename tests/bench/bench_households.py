"""Whole sittings in households drawn at random, every ruling held against what was played.

    PYTHONPATH=. .venv/bin/python tests/bench/bench_households.py --seeds 20
    PYTHONPATH=. .venv/bin/python tests/bench/bench_households.py --seeds 1 --first 17 --out pictures  # one again
    PYTHONPATH=. .venv/bin/python tests/bench/bench_households.py --renderer traced --egrender DIR --films DIR

Each seed is a household of its own: its camera, lens, lamps, table, cards, labels, markers, figures, hands, and what
befalls it (tests/bench/households). Its bots play a round (``--points``) with the button and by themselves in turn. A
line a sitting says what became of its turns, and one for each that was not ruled as it was played: what was played,
what was said, and in what the agreed table differed. Asked about counts as well what is only shown on the screen when
nobody presses. Such a turn is then entered by hand, as people can, so that each counts for itself. The exit status is
1 when anything was ruled wrongly.

``photo`` is the photographs' renderer (`photo/`), ``synthetic`` the product's own. ``traced`` has a path tracer
that lies elsewhere (``--egrender``, the folder that holds its package and its ``venv``) make a film of each household's
first turns, some minutes each; it is kept in ``--films`` and only looked at when it is there already.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: as the product has it

from households.tally import Fate, Tally

GOAL = "of 1,000 turns 990 ruled as played without anybody's help, 10 asked about, none wrong"
FILMS = str(Path(tempfile.gettempdir()) / "engarde-households")
Task = tuple[str, int, str, int, int, str | None, str | None, str]


def one(task: Task) -> tuple[Tally, str]:
    """The tally of one sitting, and what household it was in."""
    import cv2
    from households.household import household
    from households.photo_world import PhotoWorld, tops
    from households.sitting import Sitting
    from households.synthetic_world import SyntheticWorld
    from households.traced import FilmSitting, TracedWorld, trace

    from engine.table.desk import EndTurn

    cv2.setNumThreads(1)
    renderer, seed, end_turn, points, turns, out, egrender, films = task
    home = household(seed, tops())
    save = Path(out) / renderer if out else None
    try:
        if renderer == "traced":
            film = TracedWorld(trace(home, Path(egrender or ""), Path(films)))
            return FilmSitting(home, film, EndTurn(end_turn), save).run(), str(home)
        world = PhotoWorld(home) if renderer == "photo" else SyntheticWorld(home)
        sitting = Sitting(home, world, EndTurn(end_turn), points=points, most_turns=turns, save=save)
        return sitting.run(), str(home)
    except Exception:
        return Tally(broken=[f"seed {seed} {renderer}: {traceback.format_exc()}"]), str(home)


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    renderers = ("photo", "synthetic") if given.renderer == "both" else (given.renderer,)
    for seed in range(given.first, given.first + given.seeds):
        ways = {"both": ("button", "auto"), "turns": (("button", "auto")[seed % 2],)}
        for renderer in renderers:
            for way in ways.get(given.end_turn, (given.end_turn,)):
                yield renderer, seed, way, given.points, given.turns, given.out, given.egrender, given.films


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="how many households (default 10)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--renderer", choices=("photo", "synthetic", "both", "traced"), default="photo")
    parser.add_argument(
        "--end-turn",
        choices=("button", "auto", "turns", "both"),
        default="turns",
        help="what ends a turn; turns: seeds take turns (default), both: each seed twice",
    )
    parser.add_argument("--points", type=int, default=1, help="points that win a match (default 1: one round)")
    parser.add_argument("--turns", type=int, default=14, help="turns after which people stop (default 14)")
    parser.add_argument("--out", metavar="DIR", help="keeps the picture of each happening that was not ruled right")
    parser.add_argument("--egrender", metavar="DIR", help="where the path tracer is, for --renderer traced")
    parser.add_argument("--films", metavar="DIR", default=FILMS, help="keeps what was traced (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    given = parser.parse_args()
    if given.renderer == "traced" and given.egrender is None:
        parser.error("--renderer traced needs --egrender, the folder of the path tracer")
    total = Tally()
    began = time.monotonic()
    todo = list(tasks(given))
    with ProcessPoolExecutor(given.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for task, (tally, home) in zip(todo, pool.map(one, todo), strict=True):
            total.add(tally)
            print(f"seed {task[1]} {task[0]} {task[2]}: {tally.line()} ({tally.frames} frames, {tally.took_s:.0f} s)")
            if any(each.fate is not Fate.RIGHT for _, each in tally.happenings) or tally.broken:
                print(f"    {home}")
            for _, each in tally.happenings:
                if each.fate is not Fate.RIGHT:
                    print(f"    {each}")
            for line in tally.broken:
                print(f"    BROKEN: {line}")
            sys.stdout.flush()
    print(f"\n{given.seeds} seeds, {total.frames} frames, {time.monotonic() - began:.0f} s\n    {total.line()}")
    for cause, count in total.causes().most_common():
        print(f"    {count:4} {cause}")
    print(f"aim: {GOAL}")
    wrong = any(each.fate is Fate.WRONG for _, each in total.happenings)
    return 1 if wrong or total.broken else 0


if __name__ == "__main__":
    sys.exit(main())
