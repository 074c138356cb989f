"""All matches of the scorebook and what follows from them, judged beside the game: a whole book takes seconds."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.players.bots.strengths import OwnLevel
from firmware.errors import EngardeError
from firmware.scorebook.book import read_scorebook
from firmware.scores.history import Summary, levels_of
from firmware.scores.players import House, house
from firmware.scores.summaries import read_summaries

SOON_S: Final = 0.02
"""Whoever asks first waits so long for a book that is read at once, and nobody sees a page fill."""


@dataclass(frozen=True, slots=True)
class Known:
    """Every match in the book's order, everybody who fenced in them, and the strength of bot that suits each."""

    summaries: tuple[Summary, ...]
    house: House
    levels: Mapping[str, OwnLevel]


class Matches:
    """What is known of the matches of this book. ``modes``: where those were played that count for its people."""

    def __init__(self, book: Path, modes: tuple[str, ...]) -> None:
        self._book = book
        self._modes = modes
        self._known = Known((), house((), modes=modes), {})
        self._stale = True
        self._work: threading.Thread | None = None

    def look_again(self) -> None:
        """There may be other matches now: they are read when next somebody asks."""
        self._stale = True

    @property
    def known(self) -> Known:
        """As far as it is read by now: what was known before until all that is new is judged."""
        if self._stale and not self.reading:
            self._stale = False
            self._work = threading.Thread(target=self._read, name="matches", daemon=True)
            self._work.start()
            self._work.join(SOON_S)
        return self._known

    @property
    def reading(self) -> bool:
        """Whether the book is being read."""
        return self._work is not None and self._work.is_alive()

    def _read(self) -> None:
        """With a connection of its own. A book that cannot be read now tells nothing new; its own door says why."""
        with suppress(EngardeError, OSError):
            book = read_scorebook(self._book)
            if book is None:
                return
            with book:
                summaries, _ = read_summaries(book)
            names = dict.fromkeys(name for each in summaries for _, name in each.match.names.items())
            self._known = Known(summaries, house(summaries, modes=self._modes), levels_of(names, summaries))
