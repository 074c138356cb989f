"""Rounds lost with a mistake in them: each mistake becomes a puzzle of the player's own, due as a missed one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from engine.puzzles.puzzle import Puzzle
from engine.record.retelling import finished_rounds
from engine.review.own_puzzle import own_puzzle
from engine.review.review import mistakes
from firmware.book.scorebook.book import Played, read_scorebook
from firmware.book.scorebook.schema import AT_A_TABLE, SIMULATED
from firmware.core.clock import calendar, day_number
from firmware.core.errors import EngardeError
from firmware.ui.companion.opponents import is_a_bot
from firmware.ui.lessons.progress import OWN, Progress, RecallGrade, called, load_schedule, theme_key

LAST_MATCHES: Final = 3
"""Of a book that was never looked through, so many matches are."""


class Lost(NamedTuple):
    """A mistake in a round that was lost by it or with it: whose, as a puzzle, and the day it was made."""

    name: str
    puzzle: Puzzle
    day: int


def keep_mistake(progress: Progress, lost: Lost) -> None:
    """Keep it for the player who made it; its theme is due as missed on that day, unless met since."""
    new = lost.puzzle not in progress.of(lost.name).own
    progress.kept(lost.name, lost.puzzle)
    before = progress.of(lost.name).memory.get(key := theme_key(lost.puzzle.theme))
    if new and (before is None or before.last_day < lost.day):
        progress.met((lost.name,), key, RecallGrade.MISSED, lost.day)


def lost_in(played: Played) -> Iterator[Lost]:
    """Each turn of a player in a lost round that was worse than another by what the player could know.

    A match of an unknown day counts as one of today.
    """
    began = calendar(played.match.wall_s)
    day = began.toordinal() if began is not None else day_number()
    for steps in finished_rounds(played.course):
        result = steps[-1].state.result
        if result is None or result.winner is None or is_a_bot(played.match.names[result.winner.other]):
            continue
        for place, better in mistakes(steps):
            puzzle = own_puzzle(steps, place, better, OWN) if better.side is result.winner.other else None
            if puzzle is not None:
                yield Lost(played.match.names[better.side], called(puzzle), day)


def last_of(book: Path, last: int) -> tuple[Played, ...]:
    """The last matches of a scorebook file, none if there is no file. Raises ScorebookError."""
    opened = read_scorebook(book)
    if opened is None:
        return ()
    with opened:
        return tuple(opened.replay_all(last=last))


class LostRounds:
    """Looks through new matches of a book in a thread: a proof takes up to half a second.

    ``read``, called there, gives the last matches. ``take`` keeps what was found, on the thread of its caller.
    """

    def __init__(self, progress: Progress, read: Callable[[int], Sequence[Played]]) -> None:
        self._progress = progress
        self._read = read
        self._thread: threading.Thread | None = None
        self._found: list[Lost] = []
        self._looked: int | None = None

    def look(self) -> None:
        """Begin, unless the thread is at work."""
        if self._thread is not None:
            return
        self._looked = None
        seen = self._progress.looked
        self._thread = threading.Thread(target=self._work, args=(seen,), name="lost rounds", daemon=True)
        self._thread.start()

    def take(self) -> None:
        """Keep what was found, once everything was looked at; until then nothing happens."""
        if self._thread is None or self._thread.is_alive():
            return
        self._thread = None
        found, self._found = self._found, []
        with self._progress.at_once():
            for each in found:
                keep_mistake(self._progress, each)
            if self._looked is not None:
                self._progress.looked_at(self._looked)

    def wait(self) -> None:
        """Wait until it is done and kept."""
        if self._thread is not None:
            self._thread.join()
        self.take()

    def _work(self, seen: int) -> None:
        """Look through the matches after number ``seen``; a book that cannot be read now is looked at another time."""
        try:
            last = [each for each in self._read(LAST_MATCHES) if each.finished]
        except (EngardeError, OSError):
            return
        newest = max((each.match.id for each in last), default=0)
        # A book that was put back from a copy begins to count again.
        seen = seen if seen <= newest else 0
        new = [each for each in last if each.match.id > seen and each.match.mode in (*AT_A_TABLE, SIMULATED)]
        for match in new:
            self._found += lost_in(match)
        if self._found:
            load_schedule()
        if new:
            self._looked = newest
