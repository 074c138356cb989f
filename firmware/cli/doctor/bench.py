"""The cost of refereeing on this machine: a simulated match in real time, through the same eyes and loop.

The pictures are rendered here, which a real camera spares: what that takes is measured and left out. Temperatures are
therefore a little higher than at the table. CPU time is that of the game and of its readers' process.
"""

from __future__ import annotations

import importlib.metadata
import os
import random
import re
import resource
import statistics
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from display.view import NO_NAMES
from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from firmware.cli.doctor.machine import gather_machine, text_in
from firmware.extras.simulation.actors import Shown, Tick
from firmware.extras.simulation.camera import TICK_S, simulated_table
from firmware.extras.simulation.director import Director
from firmware.table.camera.live_camera import PacedSource
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, NoJournal, People
from firmware.table.readers.guard import Guard
from vision.eyes import Eyes
from vision.frame import Frame
from vision.printed.table import Table
from vision.synthetic.camera import TYPICAL
from vision.synthetic.scene import Scene

COLUMNS = (
    *("machine", "memory", "version", "minutes", "core", "a frame", "verdict"),
    *("memory used", "temperature", "slowed down"),
)
"""Columns of the table in ``hardware/performance.md``."""


def bench_text(facts: Mapping[str, Any]) -> str:
    """What ``bench`` measured in a few sentences, and the line to paste."""
    lines = [
        f"{facts['machine']}, engarde {facts['version']}: a simulated match of {facts['minutes']:g} minutes, "
        f"{facts['frames']} pictures.",
        f"Refereeing takes {facts['core_percent']:g} % of one core at {facts['frames_a_second']:g} pictures a second.",
    ]
    if facts["frame_ms"] is not None:
        lines.append(f"A picture takes {_pair(facts['frame_ms'], 'ms')}.")
    if facts["verdict_s"] is not None:
        lines.append(
            f"A verdict comes {_pair(facts['verdict_s'], 's')} after the table is at rest and the button pressed "
            f"({facts['verdicts']} of them)."
        )
    lines.append(f"Memory: {facts['used_mb']} MB at most. {_heat(facts)}")
    lines += ["", "To paste into hardware/performance.md:", bench_row(facts)]
    return "\n".join(lines)


def bench_row(facts: Mapping[str, Any]) -> str:
    end, throttled = facts["temperature_c"]["end"], facts["throttled"]
    cells = (
        facts["machine"],
        "" if facts["memory_mb"] is None else f"{facts['memory_mb']} MB",
        facts["version"],
        f"{facts['minutes']:g}",
        f"{facts['core_percent']:g} %",
        "" if facts["frame_ms"] is None else f"{facts['frame_ms']['median']:g} / {facts['frame_ms']['p99']:g} ms",
        "" if facts["verdict_s"] is None else f"{facts['verdict_s']['median']:g} / {facts['verdict_s']['p99']:g} s",
        f"{facts['used_mb']} MB",
        "unknown" if end is None else f"{end:.0f} °C",
        "unknown" if throttled is None else "no" if throttled == 0 else f"yes, 0x{throttled:x}",
    )
    return "| " + " | ".join(cells) + " |"


def _pair(values: Mapping[str, float], unit: str) -> str:
    return f"{values['median']:g} {unit} (one of a hundred more than {values['p99']:g})"


def _heat(facts: Mapping[str, Any]) -> str:
    start, end = facts["temperature_c"]["start"], facts["temperature_c"]["end"]
    if end is None:
        return "The machine does not tell its temperature."
    before = "" if start is None else f", {start:.0f} °C at the beginning"
    if facts["throttled"] is None:
        return f"{end:.0f} °C at the end{before}."
    slowed = "it was never slowed down" if facts["throttled"] == 0 else "it was slowed down or short of voltage"
    return f"{end:.0f} °C at the end{before}; {slowed}."


_POINTS: Final = 99  # no match is won before the time is over
_SETTLE_S: Final = 1.0
_SEED: Final = 1


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


def bench(table: Table, minutes: float, book: Path) -> dict[str, Any]:
    """Referee for so many minutes and say what it took, as ``schemas/bench.json`` has it.

    ``core_percent`` is how much of one core refereeing takes at ``frames_a_second``; a verdict counts from the table at
    rest and the button pressed; ``used_mb`` is the most there was, all processes together. ``throttled`` are vcgencmd's
    bits. None for what there was none of, or what the machine does not tell.
    """
    before = gather_machine(book)
    match = MatchEvent(DEFAULT_RULES.name, Side.WHITE, _POINTS)
    at_table = _Bench(table, match, 60 * minutes)
    with closing(Guard()) as guard:
        eyes = Eyes(table, run=guard)
        settings = Settings(settle_s=_SETTLE_S, middle_x_mm=table.play_area.middle[0])
        people = People(NO_NAMES, "en")
        loop = Loop(at_table, eyes, at_table.table, NoJournal(), (at_table,), settings, people, mode="bench")
        loop.open(match)
        cpu_s, wall_s, others_s = time.process_time(), time.monotonic(), _others()[0]
        loop.run()
        wall_s = time.monotonic() - wall_s
        others_now_s, others_mb = _others()
        busy_s = time.process_time() - cpu_s - at_table.rendering_s + others_now_s - others_s
    after = gather_machine(book)
    return {
        "version": importlib.metadata.version("engarde-companion"),
        "machine": before.model or _processor() or "another computer",
        "memory_mb": None if before.memory_mb is None else before.memory_mb[0],
        "minutes": round(wall_s / 60, 2),
        "frames": loop.frames,
        "frames_a_second": round(1 / TICK_S, 1),
        "core_percent": round(100 * busy_s / wall_s, 1),
        "frame_ms": _spread([1000 * each for each in at_table.frames_s]),
        "verdict_s": _spread(at_table.verdicts_s),
        "verdicts": len(at_table.verdicts_s),
        "used_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 + others_mb,
        "temperature_c": {"start": before.temperature_c, "end": after.temperature_c},
        "throttled": after.throttled,
    }


def _processor(root: Path = Path("/")) -> str:
    """The processor's name, for a machine without a model's name; empty where /proc has none."""
    text = text_in(root / "proc/cpuinfo") or ""
    named = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return " ".join(named[1].replace("|", " ").split()) if named else ""


def _spread(values: list[float]) -> dict[str, float] | None:
    """The middle one, and the one that only one of a hundred is above; None where there are none."""
    if not values:
        return None
    ordered = sorted(values)
    highest = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return {"median": round(statistics.median(ordered), 2), "p99": round(highest, 2)}


def _others(proc: Path = Path("/proc")) -> tuple[float, int]:
    """The CPU time and the most memory, in MB, of the processes that this one began, and of those that they began.

    Time of theirs that have ended counts; memory that they share is counted for each. Source: proc(5).
    """
    found = {path.name: (text_in(path / "stat") or "").rpartition(")")[2].split() for path in proc.glob("[0-9]*")}
    of, ticks, kilobytes = {str(os.getpid())}, 0, 0
    while of:
        of = {pid for pid, facts in found.items() if facts and facts[1] in of}
        for pid in of:
            ticks += sum(map(int, found[pid][11:15]))
            most = re.search(r"^VmHWM:\s+(\d+)", text_in(proc / pid / "status") or "", re.MULTILINE)
            kilobytes += int(most[1]) if most else 0
    return ticks / os.sysconf("SC_CLK_TCK"), kilobytes // 1024
