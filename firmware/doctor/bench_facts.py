"""What ``engarde doctor --bench`` found, as words, as JSON, and as a line to paste into ``hardware/performance.md``."""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = (
    *("machine", "memory", "version", "minutes", "core", "a frame", "verdict"),
    *("memory used", "temperature", "slowed down"),
)
"""Of the table in ``hardware/performance.md``."""


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

    start, end = facts.temperature_c
    return {
        "version": version,
        "machine": facts.model,
        "memory_mb": facts.memory_mb,
        "minutes": facts.minutes,
        "frames": facts.frames,
        "frames_a_second": facts.frames_a_second,
        "core_percent": facts.core_percent,
        "frame_ms": pair(facts.frame_ms),
        "verdict_s": pair(facts.verdict_s),
        "verdicts": facts.verdicts,
        "used_mb": facts.used_mb,
        "temperature_c": {"start": start, "end": end},
        "throttled": facts.throttled,
    }


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
    """The line of the table."""
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
