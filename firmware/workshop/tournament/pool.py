"""Plays the matches of a tournament, in several processes where there are several cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Sequence
from contextlib import closing
from multiprocessing.pool import Pool
from typing import Final

from firmware.workshop.tournament.matches import Fixture, FixtureResult, play_fixture

CHUNK: Final = 2
"""Matches handed to a process at a time: a tournament that is stopped loses no more than these of each."""


def cores() -> int:
    """How many processes can work at once on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_all(fixtures: Sequence[Fixture], jobs: int) -> Generator[FixtureResult, None, None]:
    """The matches as they end, in any order. What each brings is the same whatever ``jobs`` is.

    Closing the iterator ends the processes. Raises what ``play_fixture`` raises.
    """
    jobs = min(jobs, len(fixtures))
    if jobs <= 1:
        yield from map(play_fixture, fixtures)
        return
    # Started anew rather than forked: a copy of a process with threads, as pygame's has, may hang.
    with closing(_started(jobs)) as pool:
        try:
            yield from pool.imap_unordered(play_fixture, fixtures, CHUNK)
        finally:
            pool.terminate()


def _started(jobs: int) -> Pool:
    """Processes to which Ctrl-C means nothing from their first moment: they inherit it, and the parent ends them."""
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return multiprocessing.get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, ours)
