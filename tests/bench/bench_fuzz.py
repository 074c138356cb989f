"""Looks for bytes that a parser answers otherwise than it should: ``python tests/bench/bench_fuzz.py [--seconds 60]``.

Each target of ``fuzz_targets.py`` gets so many seconds in a process of its own, beginning with what lies in its folder
under ``corpus/``. With atheris installed (``pip install atheris``; it is no part of the project's lock, since it has no
wheel for a Raspberry Pi) bytes that reach new code are kept and changed further; without it Hypothesis changes the
corpus blindly. ``--keep`` puts what atheris found worth keeping into the corpus, merged to the least that reaches as
much. What fails is written to ``corpus/NAME/found-…``: mend it, and leave the file, which ``test_formats.py`` tries
from then on. More than 600 MB or 10 s for one input is a failure too. Exit status 1 if anything was found.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

MAX_MB = 600
MAX_S = 10
LONGEST = 16384
TOLD = ("stat::number_of_executed_units", "stat::peak_rss", "tried")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default 60)")
    parser.add_argument("--target", action="append", help="only this one; may be given more than once")
    parser.add_argument("--keep", action="store_true", help="add what reached new code to the corpus")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    guided = importlib.util.find_spec("atheris") is not None
    if given.one is not None:
        return _guided(given.one, given.seconds) if guided else _blind(given.one, given.seconds)
    from fuzz_targets import CORPUS, TARGETS

    print("guided by coverage (atheris)" if guided else "without guidance (Hypothesis): atheris is not installed")
    found = 0
    for name in given.target or TARGETS:
        folder = CORPUS / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as grown:
            arguments = [sys.executable, __file__, "--one", name, "--seconds", str(given.seconds)]
            ended = subprocess.run(
                arguments, env={**os.environ, "ENGARDE_FUZZ_GROWN": grown}, capture_output=True, text=True, check=False
            )
            if given.keep and guided:
                _keep(name, Path(grown), folder)
        lines = (ended.stdout + ended.stderr).splitlines()
        told = [line for line in lines if line.startswith(TOLD)]
        print(f"{name:12} exit status {ended.returncode}  {'  '.join(told)}", flush=True)
        if ended.returncode != 0:
            found += 1
            print("\n".join(lines[-30:]))
    return 1 if found else 0


def _guided(name: str, seconds: int) -> int:
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["engine", "vision", "firmware", "json", "tomllib"]):
        from fuzz_targets import CORPUS, TARGETS
    arguments = [
        sys.argv[0],
        f"-max_total_time={seconds}",
        f"-rss_limit_mb={MAX_MB}",
        f"-timeout={MAX_S}",
        f"-max_len={LONGEST}",
        "-print_final_stats=1",
        f"-artifact_prefix={CORPUS / name}/found-",
        os.environ["ENGARDE_FUZZ_GROWN"],
        str(CORPUS / name),
    ]
    atheris.Setup(arguments, TARGETS[name])
    atheris.Fuzz()
    return 0


def _blind(name: str, seconds: int) -> int:
    from fuzz_targets import CORPUS, TARGETS
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    seeds = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())] or [b""]
    ends_s, tried = time.monotonic() + seconds, 0

    @settings(max_examples=2000, deadline=MAX_S * 1000, database=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(seeds), st.integers(0, 2**32 - 1), st.binary(max_size=64))
    def one(seed: bytes, how: int, new: bytes) -> None:
        nonlocal tried
        if time.monotonic() >= ends_s:
            return
        tried += 1
        data = _changed(seed, seeds, new, random.Random(how))
        try:
            TARGETS[name](data)
        except BaseException:
            (CORPUS / name / f"found-{hashlib.sha256(data).hexdigest()[:16]}").write_bytes(data)
            raise

    while time.monotonic() < ends_s:
        try:
            one()
        except BaseException:
            traceback.print_exc()
            return 1
    print(f"tried {tried}")
    return 0


def _changed(data: bytes, seeds: list[bytes], new: bytes, rng: random.Random) -> bytes:
    """The bytes with a few places changed, cut out, doubled, or replaced by something new or from another seed."""
    changed = bytearray(data)
    for _ in range(rng.randint(0, 4)):
        at = rng.randint(0, len(changed))
        end = min(len(changed), at + rng.choice((1, 2, 8, 64)))
        other = rng.choice(seeds)
        start = rng.randint(0, len(other))
        twice, one = bytes(changed[at:end]) * 2, bytes([rng.randrange(256)])
        changed[at:end] = rng.choice((b"", new, twice, other[start : start + 32], one))
    return bytes(changed[:LONGEST])


def _keep(name: str, grown: Path, folder: Path) -> None:
    """The smallest of what reached new code, beside what is there."""
    for path in sorted(grown.iterdir(), key=lambda path: path.stat().st_size)[:40]:
        data = path.read_bytes()
        (folder / f"seed-{hashlib.sha256(data).hexdigest()[:16]}").write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
