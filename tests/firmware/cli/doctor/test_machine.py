"""What the doctor says of the machine: model, memory, power, heat, disk and card."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.cli.doctor.findings import CheckResult, Finding
from firmware.cli.doctor.machine import MachineFacts, gather_machine, machine_findings

PASS, WARN, FAIL = CheckResult.PASS, CheckResult.WARN, CheckResult.FAIL


def _findings(facts: MachineFacts) -> dict[str, Finding]:
    """By name; a cure is named exactly where there is something to cure."""
    found = {finding.name: finding for finding in machine_findings(facts)}
    assert all(bool(finding.cure) is (finding.verdict is not PASS) for finding in found.values())
    return found


PI = MachineFacts("Raspberry Pi 4 Model B Rev 1.4", 0, 51.0, 20_000)


@pytest.mark.parametrize(
    ("facts", "check", "verdict"),
    [
        (PI, "model", PASS),
        (replace(PI, model="Raspberry Pi 5 Model B Rev 1.0"), "model", PASS),
        (replace(PI, model="Raspberry Pi 3 Model B Plus Rev 1.3"), "model", WARN),
        (replace(PI, model=None), "model", WARN),
        (PI, "power", PASS),
        (replace(PI, throttled=0x1), "power", FAIL),
        (replace(PI, throttled=0x10000), "power", WARN),
        (replace(PI, throttled=0x50005), "power", FAIL),
        (replace(PI, throttled=None), "power", WARN),
        (PI, "throttling", PASS),
        (replace(PI, throttled=0x4), "throttling", FAIL),
        (replace(PI, throttled=0x40000), "throttling", WARN),
        (replace(PI, throttled=0x80000), "throttling", WARN),
        (PI, "temperature", PASS),
        (replace(PI, temperature_c=70.0), "temperature", WARN),
        (replace(PI, temperature_c=80.0), "temperature", FAIL),
        (PI, "disk", PASS),
        (replace(PI, free_mb=400), "disk", WARN),
        (replace(PI, free_mb=10), "disk", FAIL),
        (replace(PI, free_mb=None), "disk", FAIL),
        (replace(PI, forgets=True), "disk", WARN),
        (replace(PI, card_errors=0), "disk", PASS),
        (replace(PI, card_errors=3), "disk", WARN),
        (replace(PI, closed=True), "disk", FAIL),
        (replace(PI, worn_percent=70), "disk", PASS),
        (replace(PI, worn_percent=80), "disk", WARN),
        (replace(PI, memory_mb=(1800, 900)), "model", PASS),
        (replace(PI, memory_mb=(1800, 150)), "model", WARN),
    ],
)
def test_the_machine(facts: MachineFacts, check: str, verdict: CheckResult) -> None:
    assert _findings(facts)[check].verdict is verdict


def test_the_machine_is_asked_where_its_kernel_says_it(tmp_path: Path) -> None:
    for name, text in {
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "proc/mounts": f"/dev/root / ext4 rw 0 0\noverlay {tmp_path} overlay ro,noatime 0 0\n",
        "proc/meminfo": "MemTotal:        2048000 kB\nMemFree: 1 kB\nMemAvailable:    1024000 kB\n",
        "sys/fs/ext4/mmcblk0p2/errors_count": "2\n",
        "sys/fs/ext4/sda1/errors_count": "1\n",
        "sys/block/mmcblk0/device/life_time": "0x02 0x09\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    facts = gather_machine(tmp_path / "not" / "yet" / "book", lambda words: "throttled=0x50000\n", tmp_path)
    assert facts == MachineFacts(
        "Raspberry Pi 5 Model B Rev 1.0",
        0x50000,
        48.312,
        facts.free_mb,
        forgets=True,
        memory_mb=(2000, 1000),
        card_errors=3,
        closed=True,
        worn_percent=90,
    )
    assert facts.free_mb
    silent = gather_machine(tmp_path / "book", lambda words: None, tmp_path / "nothing")
    assert (silent.model, silent.throttled, silent.temperature_c, silent.forgets) == (None, None, None, False)
    assert (silent.memory_mb, silent.card_errors, silent.closed, silent.worn_percent) == (None, None, False, None)


def test_a_sick_card_and_little_memory_are_said_in_words() -> None:
    sick = replace(PI, card_errors=3, worn_percent=90, memory_mb=(1800, 150))
    found = _findings(sick)
    assert found["disk"].found == "20000 MB free, 3 errors found on the card’s file system, 90 % worn"
    assert found["disk"].cure.startswith("Copy the scorebook to a stick now")
    assert found["model"].found.endswith("150 of 1800 MB of memory to spare")
