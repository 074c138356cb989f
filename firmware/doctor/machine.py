"""The Raspberry Pi itself: model, power, heat, disk. Source: vcgencmd's documentation; hardware/PLATFORM.md."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.doctor.findings import Finding, failed, passed, warned

WARM_C: Final = 70.0
HOT_C: Final = 80.0  # from here a Pi slows down by itself
TIGHT_MB: Final = 500
FULL_MB: Final = 50

_LOW_VOLTAGE: Final = 0
_THROTTLED: Final = (1, 2, 3)
_SINCE_START: Final = 16  # each bit's place further up says that it was so at some time


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What the machine says of itself; None for what it cannot say.

    ``throttled`` holds the bits of ``vcgencmd get_throttled``; ``free_mb`` is the room where the scorebook lies,
    ``forgets``: what is written there is gone at the next start.
    """

    model: str | None
    throttled: int | None
    temperature_c: float | None
    free_mb: int | None
    forgets: bool = False


def machine_findings(facts: MachineFacts) -> Iterator[Finding]:
    """Model, power, throttling, temperature, disk."""
    yield _model(facts.model)
    yield from _throttling(facts)
    if facts.temperature_c is not None:
        yield _temperature(facts.temperature_c)
    yield _disk(facts)


def _model(model: str | None) -> Finding:
    expected = "a Raspberry Pi 4 or 5"
    if model is None or "Raspberry Pi" not in model:
        found = model or "another computer"
        return warned("model", found, expected, "Play here without panel and Pi camera, or take a Raspberry Pi.")
    if re.search(r"Raspberry Pi (4|5|400|500|Compute Module [45])\b", model):
        return passed("model", model, expected)
    return warned("model", model, expected, "It may be too slow; take a Raspberry Pi 4 or 5 if the screen lags.")


def _throttling(facts: MachineFacts) -> Iterator[Finding]:
    bits = facts.throttled
    if bits is None:
        if facts.model is not None and "Raspberry Pi" in facts.model:
            cure = "Join the group video, and install raspi-utils with apt."
            yield warned("power", "vcgencmd does not answer", "vcgencmd get_throttled", cure)
        return
    supply = "Take the official power supply and a short cable; unplug what draws from the Pi."
    if bits >> _LOW_VOLTAGE & 1:
        yield failed("power", "too low a voltage now", "5 V all the time", supply)
    elif bits >> (_LOW_VOLTAGE + _SINCE_START) & 1:
        yield warned("power", "too low a voltage since the last start", "5 V all the time", supply)
    else:
        yield passed("power", "enough voltage since the last start", "5 V all the time")
    cool = "Give it a heat sink or a fan, and air; then see to the power supply."
    if any(bits >> bit & 1 for bit in _THROTTLED):
        yield failed("throttling", f"slowed down now (0x{bits:x})", "full speed", cool)
    elif any(bits >> (bit + _SINCE_START) & 1 for bit in _THROTTLED):
        yield warned("throttling", f"slowed down since the last start (0x{bits:x})", "full speed", cool)
    else:
        yield passed("throttling", "never slowed down since the last start", "full speed")


def _temperature(celsius: float) -> Finding:
    found, expected = f"{celsius:.0f} °C", f"under {WARM_C:.0f} °C"
    cure = "Give it a heat sink or a fan, and do not close its case."
    if celsius >= HOT_C:
        return failed("temperature", found, expected, cure)
    return warned("temperature", found, expected, cure) if celsius >= WARM_C else passed("temperature", found, expected)


def _disk(facts: MachineFacts) -> Finding:
    expected = f"{TIGHT_MB} MB free where the scorebook lies"
    if facts.free_mb is None:
        return failed("disk", "the folder of the scorebook cannot be reached", expected, "Name another: --scorebook.")
    found = f"{facts.free_mb} MB free"
    if facts.free_mb < FULL_MB:
        return failed("disk", found, expected, "Delete what is not needed, or take a larger card.")
    if facts.forgets:
        cure = "Switch the read-only overlay off (raspi-config), or keep the scorebook on a stick: ENGARDE_SCOREBOOK."
        return warned("disk", f"{found}, all of it forgotten at the next start", "a disk that keeps what it has", cure)
    if facts.free_mb < TIGHT_MB:
        return warned("disk", found, expected, "Delete what is not needed, or take a larger card.")
    return passed("disk", found, expected)


Ask = Callable[[list[str]], str | None]
"""Runs a program and gives what it printed, None where it is not there or fails."""


def ask_program(words: list[str]) -> str | None:
    """What the program printed; None where there is no such program, it fails, or it takes too long."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def gather_machine(scorebook: Path, ask: Ask = ask_program, root: Path = Path("/")) -> MachineFacts:
    """The facts of this machine; ``root`` stands before /proc and /sys in tests."""
    said = ask(["vcgencmd", "get_throttled"])
    bits = re.search(r"0x([0-9a-fA-F]+)", said or "")
    degrees = _text(root / "sys/class/thermal/thermal_zone0/temp")
    folder = next((each for each in (scorebook.parent, *scorebook.parents) if each.is_dir()), None)
    return MachineFacts(
        model=_text(root / "proc/device-tree/model"),
        throttled=int(bits[1], 16) if bits else None,
        temperature_c=int(degrees) / 1000 if degrees and degrees.isdecimal() else None,
        free_mb=shutil.disk_usage(folder).free // 1_000_000 if folder is not None else None,
        forgets=folder is not None and _forgets(folder.resolve(), _text(root / "proc/mounts") or ""),
    )


def _forgets(folder: Path, mounts: str) -> bool:
    """Whether the mount that holds this folder is an overlay or lives in memory."""
    kinds = {Path(words[1]): words[2] for line in mounts.splitlines() if len(words := line.split()) > 2}
    holding = next((kinds[each] for each in (folder, *folder.parents) if each in kinds), "")
    return holding in ("overlay", "tmpfs")


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ") or None
    except OSError:
        return None
