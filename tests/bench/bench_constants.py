"""How far may the eyes' numbers be from what they are? ``PYTHONPATH=. python tests/bench/bench_constants.py``.

Each number that stands by itself in a room of `vision/` that reads is made smaller and larger, alone, and the same
frames are read again: made troubles of `bench_why.py`, and hard light with hands. Printed for each: the least and the
largest value tried with which the same was agreed on in every frame, and the clip that noticed the next one beyond. A
number that nothing notices is held by none of these frames: that is said as well, and proves nothing else. ``--write``
puts the rows into `vision/NUMBERS.md`, those of files that were not tried as they stand there.

A number is varied where it is defined, before anything is imported, so that what is derived from it follows. Each try
is a process of its own with a deadline: some make the eyes look for ever.
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import SourceFileLoader
from itertools import groupby
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import cv2
from eyes_numbers import NUMBERS, READ, ROOT, Number, Row, all_numbers, names_of, rows
from hard_table import FRAME_S, story
from why_cases import KINDS
from why_worlds import Simulated

from vision.frame import Picture
from vision.synthetic import PRESETS, Renderer, camera_variant

FPS: Final = 10.0
TROUBLES: Final = ("hand", "glare_new", "defocus")
STORY_FRAMES: Final = 36
FACTORS: Final = ((0.5, 0.8), (2.0, 1.25))
"""Tried one after the other, downwards and upwards, until nobody notices one."""
TO_WHY: Final = ("glare_new", "defocus")
"""Shown for the numbers that name a trouble's reason; the other clips for all others."""
DEADLINE: Final = 6.0
"""A try that takes so many times as long as the frames take as they are read today, and ten seconds more, hangs."""

HEAD: Final = """# Numbers of the eyes that nobody measured alone

Most numbers say beside them where they come from: a measurement, the print, geometry. The ones below were chosen. What
they are worth is told by trying others: each was made smaller and larger, alone (times {factors}; whole
numbers by one at least), and the same {frames} frames of one simulated table were read again: for the numbers of `why/`
a new card that burns and a lens out of focus (`tests/bench/bench_why.py`), for the others a hand and hard light.
Between *from* and *to* the same was agreed on in every frame. Beyond, the clip named noticed; where none is named,
nothing did, which tells only that these frames do not ask for that number. `tests/bench/bench_constants.py` does it
again; `tests/vision/test_numbers.py` holds that every number stands here or has its reason beside it, and lies between
what was tried.
"""

Told = tuple[Any, ...]
Readings = dict[str, list[Told]]


class Clip(NamedTuple):
    """Frames of one table, and their times in seconds."""

    name: str
    frames: list[tuple[float, Picture]]


def clips(seed: int) -> list[Clip]:
    """The same frames for the same seed."""
    made = []
    for kind in TROUBLES:
        world = Simulated(seed)
        frames = []
        for index, step in enumerate(KINDS[kind](world, random.Random(f"{kind} {seed}")).steps):
            y = world.picture(step.state, index)
            frames.append((index / FPS, y if step.spoil is None else step.spoil(y, index)))
        made.append(Clip(kind, frames))
    table = Simulated(seed).table
    renderer = Renderer(table, camera_variant(table, seed, 1.0), PRESETS["hard"], seed)
    scenes = story(table, seed)
    hard = [(index * FRAME_S, renderer.render(next(scenes), index, index * FRAME_S).y) for index in range(STORY_FRAMES)]
    return [*made, Clip("hard light", hard)]


def readings(clip: Clip, table_file: Path) -> list[Told]:
    """What is agreed on in each frame: no millimetres, which may differ where nobody is told anything else."""
    eyes = import_module("vision.eyes").Eyes(import_module("vision.printed.table").load_table(table_file))
    frame = import_module("vision.frame").Frame
    told = []
    for index, (t_s, y) in enumerate(clip.frames):
        look = eyes.look(frame(index, t_s, y))
        seen = look.table
        told.append(
            (
                *(seen.sight.value, seen.why and seen.why.value, seen.why_side and seen.why_side.value),
                *(seen.figures.white.space, seen.figures.black.space, look.arm is not None),
                *(sorted(str(card.card) for card in seen.cards), sorted(map(str, seen.glimpsed)), len(seen.unread)),
            )
        )
    return told


def vary(number: Number, value: object) -> None:
    """Everything of `vision/` that is imported from now on has this value there."""
    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if not loader.path.endswith(f"/vision/{number.file}"):
            return usual(loader, fullname)
        tree = ast.parse(Path(loader.path).read_text(encoding="utf-8"))
        place = next(place for place, node in enumerate(tree.body) if number.name in names_of(node))
        then = ast.parse(f"{number.name} = {value!r}").body[0]
        tree.body.insert(place + 1, ast.copy_location(then, tree.body[place]))
        return compile(ast.fix_missing_locations(tree), loader.path, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def noticed(number: Number | None, value: object, shown: Sequence[Clip], known: Readings, tell: Any) -> None:
    """Tells in which clip something else is agreed on, with "" for none; without a number, all that is agreed on."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "vision"]:
        del sys.modules[name]
    if number is not None:
        vary(number, value)
    told = {}
    for clip in shown:
        try:
            told[clip.name] = readings(clip, ROOT / "hardware" / "table.toml")
        except Exception as error:
            tell.send(f"{clip.name}: {type(error).__name__}")
            return
        if number is not None and told[clip.name] != known[clip.name]:
            tell.send(clip.name)
            return
    tell.send("" if number is not None else told)


def apart(deadline_s: float | None, *task: Any) -> Any:
    """The same in a process of its own."""
    forked = multiprocessing.get_context("fork")
    hear, tell = forked.Pipe(duplex=False)
    process = forked.Process(target=noticed, args=(*task, tell))
    process.start()
    tell.close()
    try:
        return hear.recv() if hear.poll(deadline_s) else "no end"
    except EOFError:
        return "a crash"
    finally:
        process.kill()
        process.join()


def tried(number: Number, shown: Sequence[Clip], known: Readings, deadline_s: float) -> Row:
    """A number made smaller and larger until nobody notices."""
    module = import_module("vision." + number.file.removesuffix(".py").replace("/", "."))
    today = getattr(module, number.name)
    ends, who = [today, today], ["", ""]
    watched = [clip for clip in shown if (clip.name in TO_WHY) == number.file.startswith("why")]
    for way, factors in enumerate(FACTORS):
        for factor in factors:
            value = times(today, factor)
            if value == ends[way]:
                continue
            noticer = apart(deadline_s, number, value, watched, known)
            if not noticer:
                ends[way] = value
                break
            who[way] = noticer
    return Row(number.file, number.name, shortly(today), shortly(ends[0]), shortly(ends[1]), *who)


def times(today: Any, factor: float) -> Any:
    """A number or several, so many times: whole ones stay whole, and differ by one at least."""
    if isinstance(today, tuple):
        return tuple(times(part, factor) for part in today)
    if isinstance(today, int):
        return min(round(today * factor), today - 1) if factor < 1 else max(round(today * factor), today + 1)
    return float(f"{today * factor:.6g}")


def shortly(value: Any) -> str:
    """A number in few digits."""
    return "(" + ", ".join(map(shortly, value)) + ")" if isinstance(value, tuple) else f"{value:.6g}"


def written(found: Sequence[Row], frames: int) -> str:
    """The document."""
    factors = ", ".join(f"{factor:g}" for factor in sorted(sum(FACTORS, ())))
    text = HEAD.format(factors=factors, frames=frames)
    for file, group in groupby(sorted(found, key=lambda row: row.file), key=lambda row: row.file):
        text += f"\n### `{file}`\n\n| number | is | from | to | who noticed less, more |\n|---|---|---|---|---|\n"
        text += "".join(
            f"| `{row.name}` | {row.value} | {row.least} | {row.most} | {row.below or '-'}, {row.above or '-'} |\n"
            for row in group
        )
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=3, help="which table and clips (default 3)")
    parser.add_argument("--files", nargs="+", default=[""], help="only files of vision/ whose names begin so")
    parser.add_argument("--all", action="store_true", help="those with their reason beside them too")
    parser.add_argument("--write", action="store_true", help="keep the rows in vision/NUMBERS.md")
    given = parser.parse_args()
    cv2.setNumThreads(1)  # what is forked has no other threads to wait for
    shown = clips(given.seed)
    frames = sum(len(clip.frames) for clip in shown)
    began = time.monotonic()
    known = apart(None, None, None, shown, {})
    once_s = time.monotonic() - began
    print(f"{frames} frames, read in {once_s:.1f} s", flush=True)
    chosen = [
        number
        for number in all_numbers()
        if (given.all or not number.said)
        and number.file.startswith(READ)
        and number.file.startswith(tuple(given.files))
    ]
    found = []
    for number in chosen:
        found.append(tried(number, shown, known, 10.0 + DEADLINE * once_s))
        print(" ".join(found[-1]), flush=True)
    if given.write:
        standing = {(number.file, number.name) for number in all_numbers() if not number.said}
        ours = {(row.file, row.name) for row in found}
        kept = [row for row in rows() if (row.file, row.name) in standing - ours]
        NUMBERS.write_text(written([*kept, *found], frames), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
