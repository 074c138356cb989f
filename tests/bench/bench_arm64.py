"""Instructions that a frame and a start cost on a Raspberry Pi's processor. ``arm64_in_debian.sh`` runs this.

``frames`` makes the pictures on this machine, ``looks`` and ``start`` run emulated and leave marks in the counter of
``arm64_count.c``, ``table`` prints what was counted. Instructions depend neither on the load nor on this machine's
speed; the time a Pi takes for them depends on its caches and its memory too, and is an estimate.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

MARK: Final = 0x45470000
BEGIN, END, RESET, DUMP = 1, 2, 0xFFFE, 0xFFFF
TABLE_FILE: Final = Path(__file__).parents[2] / "hardware" / "table.toml"
WARM_UP: Final = 31  # frames of a table that the eyes see for the first time: told apart
FPS: Final = {"film": 5.0, "match": 10.0, "match-720": 10.0}
SMALL: Final = (1280, 720)

MODELS: Final = {
    "Raspberry Pi 5, 2.4 GHz": (2400, 1.5, 2.3),
    "Raspberry Pi 4, 1.8 GHz": (1800, 0.8, 1.3),
    "Raspberry Pi 4 of before 2021, 1.5 GHz": (1500, 0.8, 1.3),
    "Raspberry Pi 3 B+, 1.4 GHz": (1400, 0.45, 0.7),
    "Raspberry Pi Zero 2 W, 1 GHz": (1000, 0.45, 0.7),
}
"""Clock in MHz, and our guess of the least and the most instructions a tick on Cortex-A76, A72 and A53.

Nobody measured it: an A53 begins at most two at once, in their order, an A72 reads three; memory takes its share.
"""
ESTIMATED_FPS: Final = 10  # what the camera is asked for
START_FRAMES: Final = 40


def mark(label: int) -> None:
    """Leaves a mark: asks for the process group of a process that cannot exist."""
    try:
        os.getpgid(MARK + label)
    except ProcessLookupError:
        return
    raise SystemExit(f"expected no process {MARK + label}, found one")


def make_frames(out: Path, film: Path | None, most: int) -> None:
    """``film.npy`` and ``match.npy``, (frames, height, width) luminance, and folders of the first pictures."""
    import numpy as np

    from vision.camera.files import ImageFolder

    def keep(name: str, pictures: Any) -> None:
        kept = [np.asarray(y, np.uint8) for y in itertools.islice(pictures, most)]
        np.save(out / f"{name}.npy", np.stack(kept))
        folder = out / name
        folder.mkdir(exist_ok=True)
        for index, y in enumerate(kept[:START_FRAMES]):
            header = f"P5 {y.shape[1]} {y.shape[0]} 255\n".encode()
            (folder / f"{index:03}.pgm").write_bytes(header + y.tobytes())

    out.mkdir(parents=True, exist_ok=True)
    if film is not None and not (out / "film.npy").exists():
        made = out / "film-pictures"
        subprocess.run([sys.executable, film / "make_film.py", made], check=True, stdout=subprocess.DEVNULL)
        keep("film", (frame.y for frame in iter(ImageFolder(made, FPS["film"]).read, None)))
        subprocess.run(["rm", "-r", made], check=True)
    for name in ("match", "match-720"):
        if (out / f"{name}.npy").exists():
            continue
        import bench_vision

        from vision.printed.table import load_table

        bench_vision.TICK_S = 1 / FPS[name]
        table = load_table(TABLE_FILE)
        if name == "match-720":
            table = replace(table, camera=table.camera._replace(width=SMALL[0], height=SMALL[1]))
        keep(name, (shot.frame.y for shot in bench_vision.match_shots(table, "typical", 1, 1)))


def looks(file: Path, most: int, around: list[str], blocks: bool, out: Path) -> None:
    """Eyes that look at every frame, with a mark before and after each; what the frames showed goes to ``out``."""
    import cv2
    import numpy as np

    from vision.eyes import Eyes
    from vision.frame import Frame
    from vision.printed.table import load_table

    cv2.setNumThreads(1)
    for number, name in enumerate(around):
        _mark_around(name, 10 + 2 * number)
    pictures = np.load(file, mmap_mode="r")[: most or None]
    eyes, fps = Eyes(load_table(TABLE_FILE)), FPS[file.stem]
    hands = list[bool]()
    for index, picture in enumerate(pictures):
        frame = Frame(index, index / fps, np.array(picture))
        if index == WARM_UP and blocks:
            mark(RESET)
        mark(BEGIN)
        look = eyes.look(frame)
        mark(END)
        hands.append(look.arm is not None or look.table.why is not None)
    if blocks:
        mark(DUMP)
        out.with_suffix(".maps").write_text(Path("/proc/self/maps").read_text())
    out.write_text(json.dumps({"hands": hands, "around": around, "made of": _made_of()}))


def start(folder: Path, out: Path) -> None:
    """``engarde play`` on a folder of pictures, until its eyes say for the first time that the table stands."""
    import multiprocessing.spawn

    executable = os.environ.get("COUNTED_PYTHON")
    if executable and not os.environ.get("ALONE"):  # the readers' processes count too
        multiprocessing.spawn.set_executable(executable)
    from firmware.cli.main import main

    sys.argv[0] = "engarde"
    import vision.eyes
    from engine.table.observation import Sight

    look = vision.eyes.Eyes.look
    seen = 0

    def marked(eyes: Any, frame: Any) -> Any:
        nonlocal seen
        if not seen:
            mark(BEGIN)
        seen += 1
        found = look(eyes, frame)
        if found.table.sight is Sight.STEADY:
            mark(END)
            out.write_text(json.dumps({"frames": seen, "made of": _made_of()}))
            os._exit(0)
        return found

    vision.eyes.Eyes.look = marked  # type: ignore[method-assign, assignment]
    raise SystemExit(
        main(["play", "--camera", str(folder), "--headless", "--scorebook", str(out.with_suffix(".book"))])
    )


def _mark_around(name: str, label: int) -> None:
    """Has ``module:function`` leave a mark before and after each call."""
    import importlib

    module, _, path = name.partition(":")
    owner: Any = importlib.import_module(module)
    *owners, last = path.split(".")
    for each in owners:
        owner = getattr(owner, each)
    function = getattr(owner, last)

    def marked(*args: Any, **options: Any) -> Any:
        mark(label)
        try:
            return function(*args, **options)
        finally:
            mark(label + 1)

    setattr(owner, last, marked)


def _made_of() -> str:
    """The libraries that count: versions, and which BLAS is loaded."""
    import cv2
    import numpy

    loaded = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/" in line}
    blas = sorted(os.path.realpath(name) for name in loaded if "blas" in os.path.basename(name).lower())
    named = "openblas" if any("openblas" in name for name in blas) else "reference BLAS" if blas else "no BLAS"
    python = ".".join(map(str, sys.version_info[:2]))
    return f"Python {python}, OpenCV {cv2.__version__}, NumPy {numpy.__version__}, {named}"


class Counted(NamedTuple):
    """Instructions of one run's frames in order, and of the functions that were asked about."""

    frames: list[int]
    around: dict[int, tuple[int, int]]
    first_mark: int


def counted(marks: Path) -> Counted:
    """What lies between the marks of a run. ``around`` has, for each label, calls and instructions after warm-up."""
    frames, around, began = list[int](), dict[int, tuple[int, int]](), dict[int, int]()
    lines = [tuple(map(int, line.split())) for line in marks.read_text().splitlines()]
    for label, count in lines:
        if label == END:
            frames.append(count - began[BEGIN])
        elif label > END and label % 2:
            calls, sum_so_far = around.get(label - 1, (0, 0))
            if len(frames) >= WARM_UP:
                around[label - 1] = calls + 1, sum_so_far + count - began[label - 1]
        else:
            began[label] = count
    return Counted(frames, around, lines[0][1])


def print_table(folder: Path, top: int, root: Path) -> None:
    """A row for every run in ``folder``: NAME.marks beside NAME.json."""
    print("| frames | mean | with a hand | median | p95 | worst | first |", "|---|---|---|---|---|---|---|", sep="\n")
    notes, costs = list[str](), dict[str, list[float]]()
    for marks in sorted(folder.glob("*.marks")):
        told = json.loads(marks.with_suffix(".json").read_text())
        run = counted(marks)
        if "hands" not in told:
            end = run.first_mark + sum(run.frames)
            costs[marks.stem] = [end / 1e6]
            notes.append(
                f"{marks.stem}: {end / 1e9:.2f} thousand million to the first table, {run.first_mark / 1e9:.2f} of "
                f"them before the first of {told['frames']} frames ({told['made of']})"
            )
            continue
        after = [count / 1e6 for count in run.frames[WARM_UP:]]
        hands = [count for count, hand in zip(after, told["hands"][WARM_UP:], strict=True) if hand]
        figures = [
            statistics.fmean(after),
            statistics.fmean(hands) if hands else 0.0,
            statistics.median(after),
            sorted(after)[round(0.95 * (len(after) - 1))],
            max(after),
            run.frames[0] / 1e6,
        ]
        print(
            f"| {marks.stem} ({WARM_UP}-{len(run.frames) - 1}) | "
            + " | ".join(f"{each:.1f}" for each in figures)
            + " |"
        )
        costs[marks.stem] = [figures[0] * ESTIMATED_FPS, max(after)]
        worst = WARM_UP + after.index(max(after))
        warming = max(run.frames[1:WARM_UP]) / 1e6
        notes.append(
            f"{marks.stem}: {told['made of']}; worst is frame {worst}; worst of frames 1-{WARM_UP - 1} {warming:.1f}"
        )
        for number, name in enumerate(told["around"]):
            calls, spent = run.around.get(10 + 2 * number, (0, 0))
            notes.append(f"  {name}: {calls} calls, {spent / 1e6 / len(after):.2f} a frame")
        if top and (blocks := marks.with_suffix(".blocks")).exists():
            notes += hottest(blocks, marks.with_suffix(".maps"), root, top, len(after))
    print("\nMillions of arm64 instructions a frame.", *notes, "", *estimates(costs), sep="\n")


def estimates(costs: dict[str, list[float]]) -> list[str]:
    """What each model would take, by guess: the share of a core, seconds for the worst picture and for a start."""
    lines = [f"| by our guess, {ESTIMATED_FPS} a second | {' | '.join(costs)} |", "|---" * (len(costs) + 1) + "|"]
    for model, (mhz, slow, fast) in MODELS.items():
        cells = list[str]()
        for spent in costs.values():
            low, high = (spent[-1] / (mhz * rate) for rate in (fast, slow))
            if len(spent) == 1:
                cells.append(f"{low:.1f}-{high:.1f} s")
            else:
                share = "-".join(f"{100 * spent[0] / (mhz * rate):.0f}" for rate in (fast, slow))
                cells.append(f"{share} %, worst {low:.2f}-{high:.2f} s")
        lines.append(f"| {model} | {' | '.join(cells)} |")
    return lines


class Functions(NamedTuple):
    """A library's functions by where they begin in it."""

    starts: list[int]
    names: list[str]


def functions(library: Path) -> Functions:
    """The functions that a library names, as ``readelf`` of binutils lists them; static ones have no name."""
    said = subprocess.run(["readelf", "-W", "--dyn-syms", library], capture_output=True, text=True, check=False).stdout
    rows = (line.split() for line in said.splitlines())
    found = sorted({(int(row[1], 16), row[7]) for row in rows if len(row) > 7 and row[3] == "FUNC" and row[6] != "UND"})
    return Functions([place for place, _ in found], [name for _, name in found])


def hottest(blocks: Path, maps: Path, root: Path, top: int, frames: int) -> list[str]:
    """The libraries, and the functions in them, with the most instructions a frame after warm-up."""
    ranges = list[tuple[int, int, int, str]]()
    for line in maps.read_text().splitlines():
        row = line.split()
        if len(row) > 5 and row[5].startswith("/"):
            low, high = (int(each, 16) for each in row[0].split("-"))
            ranges.append((low, high, int(row[2], 16), row[5]))
    ranges.sort()
    lows = [each[0] for each in ranges]
    known = dict[str, Functions]()
    libraries, named = Counter[str](), Counter[str]()
    for line in blocks.read_text().splitlines():
        address, instructions, runs = (int(each, base) for each, base in zip(line.split(), (16, 10, 10), strict=True))
        spent = instructions * runs
        at = bisect.bisect_right(lows, address) - 1
        if at < 0 or address >= ranges[at][1]:
            libraries["elsewhere"] += spent
            continue
        low, _, offset, library = ranges[at]
        base = os.path.basename(library)
        libraries[base] += spent
        if library not in known:
            known[library] = functions(root / library.lstrip("/"))
        starts, names = known[library]
        before = bisect.bisect_right(starts, address - low + offset) - 1
        named[f"{base}: {names[before] if before >= 0 else '?'}"] += spent
    lines = list[str]()
    for title, counts in ("by library", libraries), ("by the function named before", named):
        whole = counts.total()
        lines.append(f"  {title}, millions a frame:")
        lines += [
            f"    {spent / 1e6 / frames:8.2f} {100 * spent / whole:5.1f} %  {name}"
            for name, spent in counts.most_common(top)
        ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["frames", "looks", "start", "table"])
    parser.add_argument(
        "path", type=Path, help="frames, table: the folder; looks: the .npy; start: the folder of pictures"
    )
    parser.add_argument("--out", type=Path, default=Path("run.json"), help="looks, start: what was seen")
    parser.add_argument("--film", type=Path, help="frames: a film's folder, with its make_film.py")
    parser.add_argument("--most", type=int, default=0, help="so many frames")
    parser.add_argument("--around", action="append", default=[], metavar="MODULE:FUNCTION", help="count this apart")
    parser.add_argument("--blocks", action="store_true", help="looks: write which blocks of code ran after warm-up")
    parser.add_argument("--top", type=int, default=0, help="table: so many libraries and functions")
    parser.add_argument("--root", type=Path, default=Path("/"), help="table: where the emulated system lies")
    given = parser.parse_args()
    if given.what == "frames":
        make_frames(given.path, given.film, given.most)
    elif given.what == "looks":
        looks(given.path, given.most, given.around, given.blocks, given.out)
    elif given.what == "start":
        start(given.path, given.out)
    else:
        print_table(given.path, given.top, given.root)


if __name__ == "__main__":
    main()
