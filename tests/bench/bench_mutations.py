"""Would the tests notice? Puts small faults into `engine/` and `firmware/table/loop/`, and runs their tests. A script.

Each fault (see mutate.py) is put into a scratch copy of the project, alone, and the tests that matter for its file are
run on it: those of its own folder first, the file's namesake before the others; where these pass, all others that need
the file, however far round, and answer at once; and last what is marked slow in its own folder and where the file is
imported. A fault is caught when a test fails or hangs. Prints every one that was not, as
`file:line: before -> after`, and the share that was caught, without those that change nothing (`same_after_all.py`
lists them, each with its reason). Exit status 1 below the aim.

Why no kept library: mutmut switches mutants inside functions, so that it has none of the tables and values of modules
and classes, which is where half of these rules are, and cannot be run beside xdist; cosmic-ray runs one command for all
mutants, which for every one of them would be the whole suite, or a sitting of writing out which tests are for which
file. Choosing the tests by what imports what is most of the work here, and neither does it.

Faults are drawn at random (`--seed`), so that one sample can be compared with the next. Files that programs wrote
(puzzles, what the bots have learned) are left out.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import NamedTuple

from mutate import Mutant, mutants
from same_after_all import SAME

ROOT = Path(__file__).parents[2]
FOLDERS = ("engine", "firmware/table/loop")
"""Stands in the docstring of every module that a program wrote, wherever it is kept."""
COPIED = ("engine", "vision", "display", "firmware", "hardware", "tests", "pyproject.toml", "README.md", "FORMATS.md")
AIM = 0.9
HUNG = 5.0
"""A run that takes so many times as long as without a fault, and ten seconds more, hangs."""
MEMORY_BYTES = 4 << 30

# A failing property is not made smaller, which takes longer than all the rest, and tries the same examples each time.
CONFTEST = """
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "mutants", phases=[Phase.explicit, Phase.generate], database=None, derandomize=True,
    suppress_health_check=list(HealthCheck), deadline=None,
)
settings.load_profile("mutants")
"""


class Place(NamedTuple):
    """A fault and the file it is put into, named from the root."""

    file: str
    mutant: Mutant

    def __str__(self) -> str:
        return f"{self.file}:{self.mutant.line}: {self.mutant.change}"

    @property
    def key(self) -> tuple[str, str, str]:
        """How it is known wherever its line stands: the file, what the line says, the change."""
        return self.file, self.mutant.line_text, self.mutant.change

    @property
    def reason(self) -> str | None:
        """Why it changes nothing, where that is known."""
        return SAME.get(self.key)


class Scratch:
    """A copy of the project in which one file at a time is wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / name)
        (folder / "conftest.py").write_text(CONFTEST)
        self._changes = 0
        self._usual_s: dict[tuple[bool, tuple[str, ...]], float] = {}

    def write(self, file: str, source: bytes) -> None:
        """Bytecode is known by its source's size and second: each change gets a second of its own."""
        self._changes += 1
        path = self.folder / file
        path.write_bytes(source)
        os.utime(path, (self._changes, self._changes))

    def passes(self, tests: tuple[str, ...], limit_s: float | None, *, slow: bool) -> bool:
        """Whether these test files pass, and do so within this time: what answers at once in them, or what is slow."""
        chosen = ["-m", "slow" if slow else "not slow", "-x", "-q"]
        without = [word for plugin in ("cacheprovider", "xdist", "benchmark") for word in ("-p", f"no:{plugin}")]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *chosen, *without, *tests],
                cwd=self.folder,
                env={**environment, "PYTHONPATH": "", "PYTHONHASHSEED": "0"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=limit_s,
                preexec_fn=_with_little_memory,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode in (0, 5)  # 5: none of them is chosen

    def limit_s(self, tests: tuple[str, ...], *, slow: bool) -> float:
        """When a run of these has to be over. Raises RuntimeError where they fail without any fault."""
        if (slow, tests) not in self._usual_s:
            began = time.monotonic()
            if not self.passes(tests, None, slow=slow):
                raise RuntimeError(f"these tests fail without any fault; cure them first: {' '.join(tests)}")
            self._usual_s[slow, tests] = time.monotonic() - began
        return 10.0 + HUNG * self._usual_s[slow, tests]

    def notices(self, place: Place) -> bool:
        """Whether any test does."""
        source = (self.folder / place.file).read_bytes()  # the project may be worked on meanwhile
        near, far = chosen_tests(place.file)
        slow = tuple(test for test in (*near, *far) if test in near or place.file in needed_by(test))
        for tests, is_slow in ((near, False), (far, False), (slow, True)):
            if not tests:
                continue
            limit_s = self.limit_s(tests, slow=is_slow)
            self.write(place.file, place.mutant.put_into(source))
            try:
                if not self.passes(tests, limit_s, slow=is_slow):
                    return True
            finally:
                self.write(place.file, source)
        return False


def _with_little_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


@cache
def needed_by(file: str) -> frozenset[str]:
    """The project's modules that a file imports, by their files."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            path = f"{name.replace('.', '/')}.py"
            if (ROOT / path).is_file():
                found.add(path)
    return frozenset(found)


@cache
def behind(file: str) -> frozenset[str]:
    """All that a file needs, however far round."""
    found: set[str] = set()
    left = [file]
    while left:
        new = needed_by(left.pop()) - found
        found |= new
        left += new
    return frozenset(found)


@cache
def chosen_tests(file: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The test files for a source file: those to run at once, and those to run where these pass."""
    package = file.split("/")[0]
    folders = ("engine", "golden", "perft") if package == "engine" else ("firmware", "golden")
    everything = sorted(
        str(path.relative_to(ROOT)) for name in folders for path in (ROOT / "tests" / name).rglob("test_*.py")
    )
    room = f"tests/{Path(file).parent}"
    stem = Path(file).stem.rstrip("s")
    near = [test for test in everything if str(Path(test).parent) == room]
    near += [test for test in everything if test not in near and stem in Path(test).stem]
    near.sort(
        key=lambda test: (
            str(Path(test).parent) != room,
            stem not in Path(test).stem,
            file not in needed_by(test),
            test,
        )
    )
    far = [test for test in everything if test not in near and (file in behind(test) or "golden" in test)]
    return tuple(near), tuple(far)


def candidates(files: Sequence[str]) -> list[Place]:
    """Every fault of these files or folders, or of all."""
    paths = sorted(
        {path for name in files for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))}
    )
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return [Place(name, mutant) for name, text in texts.items() for mutant in mutants(text)]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="which sample is drawn")
    parser.add_argument("--count", type=int, default=60, help="how many faults are tried; 0 for all")
    parser.add_argument(
        "--files", nargs="+", default=list(FOLDERS), metavar="FILE", help="files or folders of the project"
    )
    parser.add_argument("--jobs", type=int, default=1, help="how many are tried at a time")
    args = parser.parse_args()
    places = candidates(args.files)
    if args.count and args.count < len(places):
        places = Random(args.seed).sample(places, args.count)
    began = time.monotonic()
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(args.jobs) as pool:
        free: SimpleQueue[Scratch] = SimpleQueue()
        for number in range(args.jobs):
            (folder := Path(name) / str(number)).mkdir()
            free.put(Scratch(folder))

        def tried(place: Place) -> tuple[Place, str]:
            if place.reason is not None:
                return place, "same"
            scratch = free.get()
            try:
                return place, "caught" if scratch.notices(place) else "survived"
            finally:
                free.put(scratch)

        for place, outcome in pool.map(tried, sorted(places)):
            tally[outcome] += 1
            if outcome != "caught":
                print(f"{outcome}: {place}" + (f" ({place.reason})" if place.reason else ""), flush=True)
    judged = tally["caught"] + tally["survived"]
    share = tally["caught"] / judged if judged else 1.0
    print(
        f"{judged} faults, {tally['caught']} caught ({share:.1%}; aim {AIM:.0%}), {tally['survived']} survived, "
        f"{tally['same']} change nothing; {time.monotonic() - began:.0f} s"
    )
    return 0 if share >= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
