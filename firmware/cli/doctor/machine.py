"""The Raspberry Pi itself: model, memory, power, heat, disk and card.

Sources: vcgencmd's documentation; the kernel's documentation of proc, ext4 and mmc; hardware/PLATFORM.md.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.cli.doctor.findings import Check, CheckResult, Finding, Say, joined
from firmware.table.panel.devices import pi_model

WARM_C: Final = 70.0
HOT_C: Final = 80.0  # from here a Pi slows down by itself
TIGHT_MB: Final = 500
FULL_MB: Final = 50
LITTLE_MEMORY_MB: Final = 200
WORN_PERCENT: Final = 80

_LOW_VOLTAGE: Final = 0
_THROTTLED: Final = (1, 2, 3)
_SINCE_START: Final = 16  # each bit's place further up says that it was so at some time


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """Facts of the machine; None where it does not tell.

    ``throttled`` holds the bits of ``vcgencmd get_throttled``; ``free_mb`` is the room where the scorebook lies,
    ``forgets``: what is written there is gone at the next start. ``memory_mb`` is what there is and what of it can be
    had now. ``card_errors`` counts what the file system found wrong since it was last checked, ``closed``: the system
    has closed that disk for writing, ``worn_percent`` is what the disk says of its own wear, which most cards do not.
    """

    model: str | None
    throttled: int | None
    temperature_c: float | None
    free_mb: int | None
    forgets: bool = False
    memory_mb: tuple[int, int] | None = None
    card_errors: int | None = None
    closed: bool = False
    worn_percent: int | None = None


POWER_BY: Final = "vcgencmd get_throttled does not answer: group video, apt install raspi-utils"
OVERLAY_BY: Final = "raspi-config; ENGARDE_SCOREBOOK"


def machine_findings(facts: MachineFacts) -> Iterator[Finding]:
    """Model, power, throttling, temperature, disk."""
    yield _model(facts)
    power, bits = Check("power"), facts.throttled
    if bits is not None:
        yield _since_start(power, bits, (_LOW_VOLTAGE,), ("low", "was_low"), "supply")
        slowed = Check("throttling")
        yield _since_start(slowed, bits, _THROTTLED, ("slowed", "was_slowed"), "cool")
    elif facts.model is not None and "Raspberry Pi" in facts.model:
        power = Check("power", expected="ask")
        yield power.warned(power("unknown"), power("no_answer"), POWER_BY)
    if facts.temperature_c is not None:
        heat = Check("temperature", degrees=f"{WARM_C:.0f}")
        found, cool = heat("found", degrees=f"{facts.temperature_c:.0f}"), heat("cool")
        if facts.temperature_c >= HOT_C:
            yield heat.failed(found, cool)
        else:
            yield heat.warned(found, cool) if facts.temperature_c >= WARM_C else heat.passed(found)
    yield _disk(facts)


def _model(facts: MachineFacts) -> Finding:
    model = Check("model", least=LITTLE_MEMORY_MB)
    found, spare = facts.model or model("other"), None
    if facts.memory_mb is not None:
        whole, spare = facts.memory_mb
        found = model("memory", model=found, spare=spare, whole=whole)
    if facts.model is None or "Raspberry Pi" not in facts.model:
        return model.warned(found, model("no_pi"))
    if not re.search(r"Raspberry Pi (4|5|400|500|Compute Module [45])\b", facts.model):
        return model.warned(found, model("slow"))
    if spare is not None and spare < LITTLE_MEMORY_MB:
        return model.warned(found, model("little"))
    return model.passed(found)


def _since_start(check: Check, bits: int, places: Sequence[int], keys: tuple[str, str], cure: str) -> Finding:
    """A check of bits of vcgencmd that say how it is now, and others that say how it was since the start."""
    if any(bits >> place & 1 for place in places):
        return check.failed(check(keys[0], bits=f"0x{bits:x}"), check(cure))
    if any(bits >> (place + _SINCE_START) & 1 for place in places):
        return check.warned(check(keys[1], bits=f"0x{bits:x}"), check(cure))
    return check.passed(check("good"))


def _disk(facts: MachineFacts) -> Finding:
    disk, free = Check("disk", least=TIGHT_MB), facts.free_mb
    if free is None:
        return disk.failed(disk("unreached"), disk("another"), "--scorebook")
    sick = [disk("closed")] if facts.closed else []
    if facts.card_errors:
        sick.append(disk("errors", count=facts.card_errors))
    if facts.worn_percent is not None and facts.worn_percent >= WORN_PERCENT:
        sick.append(disk("worn", percent=facts.worn_percent))
    if sick:
        tells = disk.failed if facts.closed else disk.warned
        return tells(disk("free_sick", free=free, sick=joined(", ", *sick)), disk("copy"), "engarde book backup")
    found = disk("free", free=free)
    if free < FULL_MB:
        return disk.failed(found, disk("room"))
    if facts.forgets:
        return Check("disk", expected="keeps").warned(disk("forgets", free=free), disk("overlay"), OVERLAY_BY)
    if free < TIGHT_MB:
        return disk.warned(found, disk("room"))
    return disk.passed(found if facts.card_errors is None else disk("free_well", free=free))


def machine_lines(facts: MachineFacts, say: Say) -> tuple[str, ...]:
    """Power, heat, memory and card in lines that players understand, as far as the machine tells."""
    bad = {finding.name for finding in machine_findings(facts) if finding.verdict is not CheckResult.PASS}

    def how(check: str) -> str:
        return say("menu.machine_bad" if check in bad else "menu.machine_well")

    lines = []
    if facts.throttled is not None:
        lines.append(say("menu.machine_power", what=how("power")))
    if facts.temperature_c is not None:
        lines.append(say("menu.machine_heat", degrees=round(facts.temperature_c), what=how("temperature")))
    if facts.memory_mb is not None:
        lines.append(say("menu.machine_memory", free=facts.memory_mb[1]))
    if facts.free_mb is not None:
        lines.append(say("menu.machine_card", free=facts.free_mb, what=how("disk")))
    return (*lines, say("menu.machine_forgets")) if facts.forgets else tuple(lines)


Ask = Callable[[list[str]], str | None]
"""Runs a program and gives what it printed, None where it is not there or fails."""


def ask_program(words: list[str]) -> str | None:
    """The program's output; None where it is missing, fails or takes too long."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def gather_machine(scorebook: Path, ask: Ask = ask_program, root: Path = Path("/")) -> MachineFacts:
    """The facts of this machine; ``root`` stands before /proc and /sys in tests."""
    said = ask(["vcgencmd", "get_throttled"])
    bits = re.search(r"0x([0-9a-fA-F]+)", said or "")
    degrees = text_in(root / "sys/class/thermal/thermal_zone0/temp")
    folder = next((each for each in (scorebook.parent, *scorebook.parents) if each.is_dir()), None)
    mounts = text_in(root / "proc/mounts") or ""
    kind, flags = _mount(folder.resolve(), mounts) if folder is not None else ("", "")
    return MachineFacts(
        model=pi_model(root) or None,
        throttled=int(bits[1], 16) if bits else None,
        temperature_c=int(degrees) / 1000 if degrees and degrees.isdecimal() else None,
        free_mb=shutil.disk_usage(folder).free // 1_000_000 if folder is not None else None,
        forgets=kind in ("overlay", "tmpfs"),
        memory_mb=_memory(text_in(root / "proc/meminfo") or ""),
        card_errors=_card_errors(root / "sys/fs/ext4"),
        closed="ro" in flags.split(","),
        worn_percent=_worn(root / "sys/block"),
    )


def _mount(folder: Path, mounts: str) -> tuple[str, str]:
    """The kind and the flags of the mount that holds this folder, empty where that is not known."""
    found = {Path(words[1]): (words[2], words[3]) for line in mounts.splitlines() if len(words := line.split()) > 3}
    return next((found[each] for each in (folder, *folder.parents) if each in found), ("", ""))


def _memory(meminfo: str) -> tuple[int, int] | None:
    """Total and available memory in MB. Source: proc(5), /proc/meminfo, whose kB are 1024 bytes."""
    of = dict(re.findall(r"^(MemTotal|MemAvailable):\s+(\d+) kB", meminfo, re.MULTILINE))
    if len(of) < 2:
        return None
    return int(of["MemTotal"]) // 1024, int(of["MemAvailable"]) // 1024


def _card_errors(ext4: Path) -> int | None:
    """Errors of all mounted ext4 since their last check. Source: the kernel's sysfs-fs-ext4."""
    counts = [text_in(path) or "" for path in sorted(ext4.glob("*/errors_count"))]
    return sum(int(count) for count in counts if count.isdecimal()) if counts else None


def _worn(block: Path) -> int | None:
    """The wear that an eMMC tells, 0x01 for up to 10 %. Source: the kernel's documentation of mmc devices."""
    said = [text_in(path) or "" for path in sorted(block.glob("mmcblk*/device/life_time"))]
    steps = [int(step, 16) for each in said for step in each.split() if re.fullmatch(r"0x[0-9a-fA-F]+", step)]
    return 10 * max(steps) if any(steps) else None


def text_in(path: Path) -> str | None:
    """What the kernel tells in this file; None where it is empty or cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ") or None
    except OSError:
        return None
