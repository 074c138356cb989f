"""Files that somebody made on purpose, through the real commands: what they cost. Run it as a script.

    .venv/bin/python tests/bench/bench_hostile.py

Every kind of file is made in a folder of its own and given to the program as its user would. Printed are, for each, the
exit status, the seconds, those of a processor's time, the most memory of all of its processes together (in proportion
where they share it), and the last line it said. The exit status is 1 where one took more than 10 s or 600 MB, ended
otherwise than with status 0, 1 or 2, spoke of what should not have happened, or printed an escape; 0 is allowed where a
file is rightly let be. With ``--busy`` those 10 s are a processor's: on a machine that has other things to do.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hostile_files import KINDS, Kind

MAX_S, MAX_MB = 10.0, 600.0
GIVEN_UP_S = 60.0
ENGARDE = (sys.executable, "-m", "firmware")
FORBIDDEN = ("should not have happened", "Traceback", "\x1b", "\x9b")


@dataclass(frozen=True)
class Outcome:
    """What one command came to."""

    status: int
    seconds: float
    processor_s: float
    most_mb: float
    said: str


def run(kind: Kind, folder: Path) -> Outcome:
    """Make the file and give it to its command; whoever does not end is ended."""
    home = folder / "home"
    home.mkdir()
    arguments = kind.made(folder)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("ENGARDE", "XDG"))}
    environ |= {"HOME": str(home), "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(Path(__file__).parents[2])}
    environ |= {"ENGARDE_SCOREBOOK": str(home / "book.sqlite"), **kind.environ(folder)}
    said = folder / "said.txt"
    began_s, before_s = time.monotonic(), _processor_s()
    with said.open("wb") as file:
        process = subprocess.Popen(
            [*ENGARDE, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environ,
            start_new_session=True,
        )
        most_mb = 0.0
        while process.poll() is None:
            most_mb = max(most_mb, sum(_mb(pid) for pid in _of_session(process.pid)))
            if time.monotonic() - began_s > GIVEN_UP_S:
                break
            time.sleep(0.04)
        seconds = time.monotonic() - began_s
        for pid in _of_session(process.pid):
            os.kill(pid, signal.SIGKILL)
        status = process.wait()
    return Outcome(
        status, seconds, _processor_s() - before_s, most_mb, said.read_bytes()[:200_000].decode(errors="replace")
    )


def _processor_s() -> float:
    """What all that was run and waited for took of a processor, up to now."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _of_session(session: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.getsid(int(entry.name)) == session:
                    yield int(entry.name)
            except OSError:
                continue


def _mb(pid: int) -> float:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def wrong_with(kind: Kind, outcome: Outcome, *, busy: bool) -> str:
    """What is not as promised; empty where all is well."""
    allowed = (0, 1, 2) if kind.may_pass else (1, 2)
    found = []
    if (outcome.processor_s if busy else outcome.seconds) > MAX_S or outcome.seconds > GIVEN_UP_S:
        found.append("too slow")
    if outcome.most_mb > MAX_MB:
        found.append("too much memory")
    if outcome.status not in allowed:
        found.append(f"status {outcome.status}")
    found += [f"said {word!r}" for word in FORBIDDEN if word in outcome.said]
    if outcome.status in (1, 2) and not outcome.said.strip():
        found.append("said nothing")
    return ", ".join(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="kinds whose name contains this")
    parser.add_argument("--busy", action="store_true", help="count a processor's time, not that of the clock")
    given = parser.parse_args()
    bad, worst_s, worst_mb = 0, (0.0, ""), (0.0, "")
    chosen = [kind for kind in KINDS if given.only in kind.name]
    for kind in chosen:
        with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
            outcome = run(kind, Path(folder))
        wrong = wrong_with(kind, outcome, busy=given.busy)
        bad += bool(wrong)
        worst_s, worst_mb = (
            max(worst_s, (outcome.processor_s if given.busy else outcome.seconds, kind.name)),
            max(worst_mb, (outcome.most_mb, kind.name)),
        )
        lines = [line for line in outcome.said.splitlines() if line.strip()]
        last = lines[-1] if lines else ""
        print(
            f"{'BAD ' if wrong else 'ok  '}{kind.name:44} {outcome.status:3} {outcome.seconds:5.1f} s "
            f"{outcome.processor_s:5.1f} s {outcome.most_mb:5.0f} MB {len(lines):3} lines  {last[:150]!r}  {wrong}",
            flush=True,
        )
    print(
        f"{len(chosen)} kinds, {bad} not as promised; slowest {worst_s[0]:.1f} s ({worst_s[1]}), "
        f"most memory {worst_mb[0]:.0f} MB ({worst_mb[1]})"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
