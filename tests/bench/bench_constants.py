"""Which of the eyes' numbers does nothing notice? ``PYTHONPATH=. python tests/bench/bench_constants.py``.

Each number in the rooms of `vision/` that read is halved and doubled, alone, and the cases of its room are told again
(``eyes_cases.py``). Printed for each: the case that noticed first, what it told before and after, and whether that is
better or worse. ``--write`` puts the rows into `vision/NUMBERS.md`, those of files that were not tried as they stand.

A number is varied where it is defined, before anything is imported, so that what is derived from it follows. Each try
is a process of its own with a deadline: some make the eyes look for ever.
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.machinery import SourceFileLoader
from itertools import groupby
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import cv2
from eyes_cases import CASES, SAME, Told
from eyes_numbers import NOTHING, NUMBERS, READ, Number, Row, all_numbers, names_of, rows

DEADLINE, DEADLINE_S = 6.0, 30.0
"""A case that takes so many times as long as it takes today, and so much more, hangs."""
COUNTED: Final = 1000
"""Whole numbers below are counts, which differ by one; those above, and all others, are measures."""

HEAD: Final = """# Numbers of the eyes

{count} numbers of the rooms of `vision/` that read were each halved and doubled, alone (whole numbers by one at least),
and the cases of their rooms told again: piles near, far and in hard light, cameras that start, a board that is knocked,
cards at rest, hands, lamps, glare, blur, dark. No case noticed either: **{unnoticed} of {count}, {share:.0%}** (96 of
108 once); but one of both: {half} more. A row names the first case that told something else, what, and from what to
what; counts differ by one, measures by {same:.0%}. What is derived from another number, as `2 * SURE`, is none of its
own. `tests/bench/bench_constants.py` does it again, file by file; `tests/vision/test_numbers.py` holds that all numbers
of `board/` and `marks/` have their row, and that those without one say beside them where they come from.
"""


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


class Known(NamedTuple):
    """A case: what it showed, what it tells with the numbers as they are, and how long that took."""

    case: int
    shown: Any
    told: Told
    took_s: float


def tell_all(number: Number | None, value: object, known: Sequence[Known], tell: Any) -> None:
    """Tells what each case tells of what was shown, or with which error it ended."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("vision", "tests", "eyes_cases")]:
        del sys.modules[name]
    if number is not None:
        vary(number, value)
    for each in known:
        try:
            tell.send(import_module("eyes_cases").CASES[each.case].told(each.shown))
        except Exception as error:
            tell.send({f"-{type(error).__name__}": 1.0})


def apart(number: Number | None, value: object, known: Sequence[Known]) -> Iterator[tuple[Known, Told]]:
    """Each case and what it tells, in a process of its own, which ends when nobody asks further."""
    forked = multiprocessing.get_context("fork")
    hear, tell = forked.Pipe(duplex=False)
    process = forked.Process(target=tell_all, args=(number, value, known, tell))
    process.start()
    tell.close()
    try:
        for each in known:
            in_time = hear.poll(DEADLINE_S + DEADLINE * each.took_s)
            yield each, dict(hear.recv()) if in_time else {"-no end": 1.0}
    except EOFError:
        yield each, {"-a crash": 1.0}
    finally:
        process.kill()
        process.join()


def known_of(case: int) -> Known:
    """What a case shows and tells with the numbers as they are."""
    shown, began = CASES[case].shown(), time.monotonic()
    ((_, told),) = apart(None, None, [Known(case, shown, {}, 60.0)])
    return Known(case, shown, told, time.monotonic() - began)


def noticed(number: Number, value: object, known: Sequence[Known]) -> str:
    """What the first case that notices tells otherwise with that value, the worst of it; ``NOTHING`` if none does."""
    for each, after in apart(number, value, known):
        found = []
        for what in {**each.told, **after}:
            was, now = each.told.get(what, 0.0), after.get(what, 0.0)
            if what not in after and len(after) == 1:
                continue  # it ended with an error, which is told
            counts = float(was).is_integer() and float(now).is_integer() and max(was, now) < COUNTED
            if abs(now - was) > (0.5 if counts else SAME * max(abs(was), abs(now))):
                word = {"+": "better" if now > was else "worse", "-": "better" if now < was else "worse"}.get(what[0])
                share = abs(now - was) / max(abs(was), abs(now))
                said = f"{CASES[each.case].name}: {what[1:]} {was:.4g} to {now:.4g}, {word or 'other'}"
                found.append((word != "worse", -share, said))
        if found:
            return min(found)[2]
    return NOTHING


def tried(number: Number, known: Sequence[Known]) -> Row:
    """A number halved and doubled, each shown to the cases of its room until one notices."""
    module = import_module("vision." + number.file.removesuffix(".py").replace("/", "."))
    today = getattr(module, number.name)
    asked = [each for each in known if number.file.startswith(CASES[each.case].rooms)]
    halved, doubled = (noticed(number, times(today, factor), asked) for factor in (0.5, 2.0))
    return Row(number.file, number.name, shortly(today), halved, doubled)


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


def written(found: Sequence[Row]) -> str:
    """The document."""
    misses = [sum(said == NOTHING for said in (row.halved, row.doubled)) for row in found]
    shares = {"unnoticed": misses.count(2), "half": misses.count(1), "share": misses.count(2) / len(found)}
    text = HEAD.format(count=len(found), same=SAME, **shares)
    for file, group in groupby(sorted(found, key=lambda row: row.file), key=lambda row: row.file):
        text += f"\n### `{file}`\n\n| number | is | halved | doubled |\n|---|---|---|---|\n"
        text += "".join(f"| `{row.name}` | {row.value} | {row.halved} | {row.doubled} |\n" for row in group)
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", nargs="+", default=READ, help="only files of vision/ whose names begin so")
    parser.add_argument("--jobs", type=int, default=2, help="numbers tried at a time (default 2)")
    parser.add_argument("--write", action="store_true", help="keep the rows in vision/NUMBERS.md")
    given = parser.parse_args()
    cv2.setNumThreads(1)  # what is forked has no other threads to wait for
    standing = [number for number in all_numbers() if number.file.startswith(READ)]
    chosen = [number for number in standing if number.file.startswith(tuple(given.files))]
    asked = [n for n, case in enumerate(CASES) if any(number.file.startswith(case.rooms) for number in chosen)]
    known, found = [known_of(case) for case in asked], list[Row]()
    with ThreadPoolExecutor(given.jobs) as pool:
        for row in pool.map(lambda number: tried(number, known), chosen):
            found.append(row)
            print(*row, sep=" | ", flush=True)
    unnoticed = sum(row.halved == row.doubled == NOTHING for row in found)
    print(f"{len(found)} numbers, of which nothing notices {unnoticed}")
    if given.write:
        names, ours = ({(each.file, each.name) for each in some} for some in (standing, found))
        kept = [row for row in rows() if (row.file, row.name) in names - ours]
        NUMBERS.write_text(written([*kept, *found]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
