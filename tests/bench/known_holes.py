"""Known security holes of every locked version, as the Open Source Vulnerabilities database has them. Before a release:

    .venv/bin/python tests/bench/known_holes.py

A network is needed: api.osv.dev is asked once for all versions of requirements.lock, and nothing else is sent. Exit
status 1 where any version has a hole, each named with its page; 2 where the database could not be asked.
"""

from __future__ import annotations

import argparse
import json
import re
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.strict.text import MalformedError, json_of
from engine.strict.values import read

LOCK: Final = Path(__file__).parents[2] / "requirements.lock"
ADDRESS: Final = "https://api.osv.dev/v1/querybatch"
PAGE: Final = "https://osv.dev/vulnerability/"


@dataclass(frozen=True, slots=True)
class Hole:
    """One entry of the database."""

    id: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of one version."""

    vulns: tuple[Hole, ...] = ()


@dataclass(frozen=True, slots=True)
class Answers:
    """An answer for each version, in the order in which they were asked. Source: osv.dev's API, version 1."""

    results: tuple[Answer, ...]


def locked(text: str) -> list[tuple[str, str]]:
    """Every library of a lock with its version."""
    return re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.MULTILINE)


def asked(libraries: list[tuple[str, str]]) -> bytes:
    """The question about all of these."""
    queries = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version.partition(".post")[0]}
        for name, version in libraries
    ]
    return json.dumps({"queries": queries}).encode()


def holes(libraries: list[tuple[str, str]], answer: bytes) -> list[str]:
    """A sentence for each known hole. Raises MalformedError for an answer to another question."""
    results = read(Answers, json_of(answer), others=True).results
    if len(results) != len(libraries):
        raise MalformedError(f"expected {len(libraries)} answers, found {len(results)}")
    pairs = zip(libraries, results, strict=True)
    return [f"{name} {version}: {PAGE}{hole.id}" for (name, version), each in pairs for hole in each.vulns]


def main() -> int:
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args()
    libraries = locked(LOCK.read_text(encoding="utf-8"))
    question = urllib.request.Request(ADDRESS, asked(libraries), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(question, timeout=60) as stream:
            found = holes(libraries, stream.read())
    except (OSError, MalformedError) as error:
        print(f"{ADDRESS} could not be asked: {error}")
        return 2
    print(*found, sep="\n" if found else "")
    print(f"{len(libraries)} locked versions, {len(found)} known holes")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
