"""Simulated tables that fence what the hall calls them to, all in one thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from engine.rules.track import BySide
from firmware.club.card import JoinCard
from firmware.club.publisher import Publisher
from firmware.club.shape import NextCall
from firmware.club.simulated import SimulatedStep, judged_match, shown_step, told_step
from firmware.loop.moment import People

_IDLE_S: Final = 0.02
_REST_STEPS: Final = 6
"""Between two matches, so that the end of one can be read on the wall."""


class DemoTable:
    """One table: bots confirm the call after a moment's rest and fence it, an event at each ``step``."""

    def __init__(self, card: JoinCard, folder: Path, seed: str) -> None:
        self.table, self._began_s = card.table, time.monotonic()
        self._said: NextCall | None = None
        self._done = ""
        self._rng = Random(f"{seed}:{card.table}")
        people = People(BySide("White", "Black"), "en")
        self.publisher = Publisher(card, folder / f"outbox-{card.table}.sqlite", people, on_next=self._on_next)
        self._match: Iterator[SimulatedStep] | None = None
        self._names = people.names
        self._bout = ""
        self._verdicts = self._rest = 0
        self.events = 0

    def _on_next(self, said: NextCall | None) -> None:
        self._said = said

    def step(self) -> bool:
        """Tell the next event; False where nothing is being fenced."""
        if self._rest:
            self._rest -= 1
            return False
        if self._match is None and not self._begin():
            return False
        assert self._match is not None
        step = next(self._match, None)
        if step is None:
            self._match, self._rest = None, _REST_STEPS
            return False
        self._verdicts += 1
        self.events += 1
        shown = shown_step(step, self._names, self._verdicts)
        t_s = time.monotonic() - self._began_s
        self.publisher.tell(told_step(step, self._names, self._bout, t_s), shown)
        return True

    def _begin(self) -> bool:
        said = self._said
        if said is None:
            self._done = ""  # what is called after that is called anew
            return False
        key = f"{said.bout} {said.match}"
        if key == self._done:
            return False
        self._done, self._bout, self._names = key, said.bout, said.names
        self.publisher.confirmed(said.bout, said.names)
        self._match = judged_match(self._rng, points=said.points, ahead=said.handicap)
        return True


class SimulatedTables:
    """Many of them, each telling an event every ``pace_s``, until ``close``."""

    def __init__(self, cards: list[JoinCard], folder: Path, seed: str, pace_s: float) -> None:
        self.tables = [DemoTable(card, folder, seed) for card in cards]
        self._pace_s = pace_s
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tables", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        due = [time.monotonic() + self._pace_s * at / len(self.tables) for at in range(len(self.tables))]
        while not self._closing.is_set():
            now = time.monotonic()
            for at, table in enumerate(self.tables):
                if now >= due[at]:
                    table.step()
                    due[at] = max(due[at] + self._pace_s, now)
            self._closing.wait(max(0.001, min(min(due) - time.monotonic(), _IDLE_S)))

    def close(self) -> None:
        """Stop fencing, and part from the broker."""
        self._closing.set()
        self._thread.join()
        closing = [threading.Thread(target=table.publisher.close) for table in self.tables]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()


def until(holds: Callable[[], object], wait_s: float) -> bool:
    """Wait for it; whether it came."""
    end = time.monotonic() + wait_s
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(_IDLE_S)
    return bool(holds())
