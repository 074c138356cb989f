"""The cost of refereeing on this machine: a simulated match in real time, through the same eyes and loop.

The pictures are rendered here, which a real camera spares: what that takes is measured and left out. Temperatures are
therefore a little higher than at the table. CPU time is that of the game and of its readers' process.
"""

from __future__ import annotations

import os
import random
import re
import resource
import statistics
import time
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from display.view import NO_NAMES
from engine.players.players import Bot, GreedyBot
from engine.record.course import JournalEntry
from engine.rules.events import MatchEvent
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.rulings import Ruling
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from firmware.cli.doctor.machine import gather_machine
from firmware.extras.simulation.actors import Shown, Tick
from firmware.extras.simulation.camera import TICK_S, simulated_table
from firmware.extras.simulation.director import Director
from firmware.table.camera.meanwhile import PacedSource
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.readers.guard import Guard
from vision.eyes import Eyes
from vision.frame import Frame
from vision.printed.table import Table
from vision.synthetic.disturbances import TYPICAL
from vision.synthetic.scene import Scene

COLUMNS = (
    *("machine", "memory", "version", "minutes", "core", "a frame", "verdict"),
    *("memory used", "temperature", "slowed down"),
)
"""Columns of the table in ``hardware/performance.md``."""


@dataclass(frozen=True, slots=True)
class BenchFacts:
    """``core_percent``: how much of one core refereeing takes at ``frames_a_second``.

    ``frame_ms`` and ``verdict_s`` are the middle one and the one that one of a hundred is above, None where there were
    none; a verdict counts from the table at rest and the button pressed. ``used_mb`` is the most there was, all
    processes together. ``temperature_c``: at the beginning and at the end; ``throttled``: vcgencmd's bits; None for
    what the machine does not tell.
    """

    model: str
    memory_mb: int | None
    minutes: float
    frames: int
    frames_a_second: float
    core_percent: float
    frame_ms: tuple[float, float] | None
    verdict_s: tuple[float, float] | None
    verdicts: int
    used_mb: int
    temperature_c: tuple[float | None, float | None]
    throttled: int | None


def bench_json(facts: BenchFacts, version: str) -> dict[str, object]:
    """All of it by name; pairs as objects."""

    def pair(values: tuple[float, float] | None) -> dict[str, float] | None:
        return None if values is None else {"median": values[0], "p99": values[1]}

    told = asdict(facts)
    start, end = facts.temperature_c
    told |= {"frame_ms": pair(facts.frame_ms), "verdict_s": pair(facts.verdict_s)}
    return {"version": version, "machine": told.pop("model"), **told, "temperature_c": {"start": start, "end": end}}


def bench_text(facts: BenchFacts, version: str) -> str:
    """A few sentences, and the line to paste."""
    lines = [
        f"{facts.model}, engarde {version}: a simulated match of {facts.minutes:g} minutes, {facts.frames} pictures.",
        f"Refereeing takes {facts.core_percent:g} % of one core at {facts.frames_a_second:g} pictures a second.",
    ]
    if facts.frame_ms is not None:
        lines.append(f"A picture takes {_pair(facts.frame_ms, 'ms')}.")
    if facts.verdict_s is not None:
        lines.append(
            f"A verdict comes {_pair(facts.verdict_s, 's')} after the table is at rest and the button pressed "
            f"({facts.verdicts} of them)."
        )
    lines.append(f"Memory: {facts.used_mb} MB at most. {_heat(facts)}")
    lines += ["", "To paste into hardware/performance.md:", bench_row(facts, version)]
    return "\n".join(lines)


def bench_row(facts: BenchFacts, version: str) -> str:
    end = facts.temperature_c[1]
    slowed = "unknown" if facts.throttled is None else "no" if facts.throttled == 0 else f"yes, 0x{facts.throttled:x}"
    cells = (
        facts.model,
        "" if facts.memory_mb is None else f"{facts.memory_mb} MB",
        version,
        f"{facts.minutes:g}",
        f"{facts.core_percent:g} %",
        "" if facts.frame_ms is None else f"{facts.frame_ms[0]:g} / {facts.frame_ms[1]:g} ms",
        "" if facts.verdict_s is None else f"{facts.verdict_s[0]:g} / {facts.verdict_s[1]:g} s",
        f"{facts.used_mb} MB",
        "unknown" if end is None else f"{end:.0f} °C",
        slowed,
    )
    return "| " + " | ".join(cells) + " |"


def _pair(values: tuple[float, float], unit: str) -> str:
    return f"{values[0]:g} {unit} (one of a hundred more than {values[1]:g})"


def _heat(facts: BenchFacts) -> str:
    start, end = facts.temperature_c
    if end is None:
        return "The machine does not tell its temperature."
    before = "" if start is None else f", {start:.0f} °C at the beginning"
    if facts.throttled is None:
        return f"{end:.0f} °C at the end{before}."
    slowed = "it was never slowed down" if facts.throttled == 0 else "it was slowed down or short of voltage"
    return f"{end:.0f} °C at the end{before}; {slowed}."


_POINTS: Final = 99  # no match is won before the time is over
_SETTLE_S: Final = 1.0
_SEED: Final = 1


class _NoJournal:
    """Nothing of this is kept."""

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        """Forget it."""


class _Bench:
    """A simulated match of two bots until the time is over: its players, its camera and what its loop takes.

    A verdict counts from the table at rest to being told.
    """

    def __init__(self, table: Table, match: MatchEvent, until_s: float) -> None:
        bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
        self._director = Director(table, match, bots, random.Random(_SEED), tick_s=TICK_S)
        self._until_s = until_s
        self.table = simulated_table(table, self, TYPICAL, _SEED)
        self._source = PacedSource(self.table)
        self.rendering_s = 0.0
        self.frames_s: list[float] = []
        self.verdicts_s: list[float] = []
        self._began_s = self._rested_s = 0.0
        self._pressed_s: float | None = None
        self._before: Scene | None = None

    def tick(self, now_s: float, shown: Shown | None) -> Tick | None:
        if now_s >= self._until_s:
            return None
        tick = self._director.tick(now_s, shown)
        if tick is not None:
            if tick.scene != self._before:
                self._rested_s, self._before = now_s, tick.scene
            if tick.presses:
                self._pressed_s = now_s
        return tick

    def read(self) -> Frame | None:
        """The next frame, at the speed of life; waiting for it takes no CPU time."""
        before_s = time.process_time()
        frame = self._source.read()
        self.rendering_s += time.process_time() - before_s
        self._began_s = time.monotonic()
        return frame

    def close(self) -> None:
        self._source.close()

    def attend(self, moment: Moment) -> None:
        took_s = time.monotonic() - self._began_s
        self.frames_s.append(took_s)
        if self._pressed_s is not None and any(entry.ruling.ok for entry in moment.entries):
            self.verdicts_s.append(moment.frame.t_s - max(self._pressed_s, self._rested_s) + took_s)
            self._pressed_s = None
        self.table.attend(moment)


def bench(table: Table, minutes: float, book: Path) -> BenchFacts:
    """Referee for so many minutes and say what it took."""
    before = gather_machine(book)
    match = MatchEvent(DEFAULT_RULES.name, Side.WHITE, _POINTS)
    at_table = _Bench(table, match, 60 * minutes)
    with closing(Guard()) as guard:
        eyes = Eyes(table, run=guard)
        settings = Settings(settle_s=_SETTLE_S, middle_x_mm=table.play_area.middle[0])
        people = People(NO_NAMES, "en")
        loop = Loop(at_table, eyes, at_table.table, _NoJournal(), (at_table,), settings, people, mode="bench")
        loop.open(match)
        cpu_s, wall_s, others_s = time.process_time(), time.monotonic(), _others_s()
        loop.run()
        wall_s = time.monotonic() - wall_s
        busy_s = time.process_time() - cpu_s - at_table.rendering_s + _others_s() - others_s
        memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 + _others_mb()
    after = gather_machine(book)
    return BenchFacts(
        model=before.model or _processor() or "another computer",
        memory_mb=None if before.memory_mb is None else before.memory_mb[0],
        minutes=round(wall_s / 60, 2),
        frames=loop.frames,
        frames_a_second=round(1 / TICK_S, 1),
        core_percent=round(100 * busy_s / wall_s, 1),
        frame_ms=_spread([1000 * each for each in at_table.frames_s]),
        verdict_s=_spread(at_table.verdicts_s),
        verdicts=len(at_table.verdicts_s),
        used_mb=memory_mb,
        temperature_c=(before.temperature_c, after.temperature_c),
        throttled=after.throttled,
    )


def _processor(root: Path = Path("/")) -> str:
    """The processor's name, for a machine without a model's name; empty where /proc has none."""
    try:
        text = (root / "proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    named = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return " ".join(named[1].replace("|", " ").split()) if named else ""


def _spread(values: list[float]) -> tuple[float, float] | None:
    """The middle one, and the one that only one of a hundred is above; None where there are none."""
    if not values:
        return None
    ordered = sorted(values)
    return round(statistics.median(ordered), 2), round(ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], 2)


def _others(proc: Path = Path("/proc")) -> list[Path]:
    """The processes that this one began, and those that they began. Source: proc(5), /proc/pid/stat."""
    children: dict[int, list[int]] = {}
    for path in proc.glob("[0-9]*"):
        words = _stat(path)
        if words:
            children.setdefault(int(words[1]), []).append(int(path.name))
    found, of = [], [os.getpid()]
    while of:
        began = children.get(of.pop(), [])
        found += [proc / f"{pid}" for pid in began]
        of += began
    return found


def _stat(path: Path) -> list[str]:
    """The fields of a process after its name, which may hold anything; empty when it has just ended."""
    try:
        return (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _others_s() -> float:
    """The CPU time of those processes so far, and of theirs that have ended."""
    ticks = sum(int(word) for path in _others() for word in _stat(path)[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def _others_mb() -> int:
    """The most memory that those processes ever had; what they share is counted for each."""
    kilobytes = 0
    for path in _others():
        try:
            lines = (path / "status").read_text().splitlines()
        except OSError:  # it has just ended
            continue
        kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return kilobytes // 1024
