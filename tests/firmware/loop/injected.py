"""A simulated match with parts that fail in the middle of it: every class that the loop may call, found in the code."""

from __future__ import annotations

import importlib
import pkgutil
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

import firmware
from engine.players.players import GreedyBot
from engine.record.course import JournalEntry
from engine.rules.events import MatchEvent
from engine.rules.rulings import Ruling
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.presses import Press
from firmware.loop.guard import Guard
from firmware.loop.loop import Loop
from firmware.loop.moment import Helper, Moment, People
from firmware.readers.progress import Limits
from firmware.simulation.director import Director, Shown
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import Table

TICK_S: Final = 0.2
SHORT: Final = Limits(cpu_s=10.0, asleep_s=0.2, wait_s=0.0)
"""What hangs here sleeps for ever: nobody has to wait long to be sure."""
CALLED: Final = ("asks", "sift", "hear", "advise", "attend", "anew")
"""What the loop and its guard call of a part."""
NONSENSE: Final[tuple[object, ...]] = (None, 7, "nonsense", object(), (None,), [])


class InjectedError(Exception):
    """What fails here."""


def parts() -> list[type]:
    """Every class of the program that attends the loop, but those of benches, doctors and simulated players."""
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(firmware.__path__, "firmware."):
        if ".workshop" in module.name or module.name.endswith("__main__"):
            continue
        for each in vars(importlib.import_module(module.name)).values():
            if isinstance(each, type) and each.__module__ == module.name and callable(getattr(each, "attend", None)):
                found[each.__qualname__] = each
    without = ("Helper", "Audience")
    return [each for name, each in sorted(found.items()) if name not in without and not getattr(each, "vital", False)]


class Match:
    """A match of two bots before eyes that see everything, with these parts beside it."""

    def __init__(self, table: Table, eyes: Any, guard: Guard, members: Sequence[Any], points: int = 1) -> None:
        match = MatchEvent("ferti-advanced", Side.WHITE, points)
        bots: Any = BySide(GreedyBot(), GreedyBot())
        self.director = Director(table, match, bots, random.Random(3), tick_s=TICK_S)
        self.table, self.run, self.back_areas, self.back_tokens = table, None, (), ()
        self._eyes, self._frames = eyes, 0
        self._shown: Shown | None = None
        self._tick: Any = None
        self.kept: list[tuple[JournalEntry, Ruling, float]] = []
        self.told: list[str] = []
        helpers = [each for each in members if isinstance(each, Helper)]
        audience = [each for each in members if not isinstance(each, Helper)]
        myself: Any = self
        people = People(BySide("Ana", "Bo"), "en")
        given = (myself, myself, myself, myself, (*audience, myself), Settings(settle_s=1.0), people, helpers)
        self.loop = Loop(*given, mode="play", guard=guard)
        self.loop.open(match)

    vital = True

    def play(self, frames: int) -> None:
        """So many moments of it."""
        for _ in range(frames):
            assert self.loop.advance() is not None

    def read(self) -> Frame | None:
        t_s = round(self._frames * TICK_S, 6)
        self._tick = self.director.tick(t_s, self._shown)
        self._frames += 1
        return None if self._tick is None else Frame(self._frames, t_s, np.zeros((4, 4), np.uint8))

    def look(self, frame: Frame) -> Look:
        return Look(Seen(), self._eyes.look(self._tick.scene, frame.t_s), Drawn(), None, self.table)

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None:
        pass

    def due(self, now_s: float) -> tuple[Press, ...]:
        presses: tuple[Press, ...] = self._tick.presses
        return presses

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        self.kept.append((entry, ruling, t_s))

    def attend(self, moment: Moment) -> None:
        self._shown = Shown.of(moment.desk, moment.view)
        self.told.append(moment.view.eyes.text)

    def close(self) -> None:
        pass


@dataclass
class Fault:
    """Fails from the ``after``-th call on, ``times`` times."""

    kind: str
    after: int = 10
    times: int = 3
    hits: int = 0
    _calls: int = 0
    _never: threading.Event = field(default_factory=threading.Event)

    def instead(self, does: Callable[..., Any]) -> Callable[..., Any]:
        """This method, which fails so."""

        def failing(*given: Any, **named: Any) -> Any:
            self._calls += 1
            if self._calls <= self.after or self.hits >= self.times:
                return does(*given, **named)
            self.hits += 1
            if self.kind == "hangs":
                self._never.wait()
            if self.kind == "raises":
                raise InjectedError(f"call {self._calls}")
            return NONSENSE[self.hits % len(NONSENSE)]

        return failing

    def let_go(self) -> None:
        """End what hangs."""
        self._never.set()


def stand_in(part: type, doing: str, fault: Fault) -> Any:
    """One of this class as the loop meets it, whose other methods do what those of any helper do."""
    base = Helper if issubclass(part, Helper) else object
    silent = {name: getattr(Helper, name) for name in CALLED if base is Helper}
    if base is object:
        silent = {"attend": lambda self, moment: None, "anew": lambda self: None}
    members = {**silent, "__init__": lambda self: setattr(self, "_asked", []), "__module__": part.__module__}
    made = type(part.__name__, (part,), members)()
    setattr(made, doing, fault.instead(getattr(made, doing)))
    return made
