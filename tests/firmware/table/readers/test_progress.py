"""A process hangs when it loops or sleeps, and never because others have the processor."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.table.readers.progress import SAMPLE_EVERY_S, Limits, Progress, Sample, sample_of

LIMITS = Limits(cpu_s=1.0, asleep_s=0.5, wait_s=3.0)
BEFORE = Sample(runnable=False, cpu_s=7.0, faults=100)
STAT = "{pid} ({name}) {state} 1 1 1 0 -1 4194304 {minor} 0 {major} 0 {user} {system} 0 0 20 0 1 0 100 1 1\n"


def begun() -> Progress:
    return Progress(LIMITS, BEFORE, BEFORE)


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, 0.01), st.integers(0, 3)), max_size=80))
def test_it_hangs_by_its_own_work_or_sleep_alone(steps: list[tuple[bool, float, int]]) -> None:
    progress, sample, asleep = begun(), BEFORE, 0
    for runnable, cpu_s, faults in steps:
        moved = (cpu_s, faults) != (0.0, 0) and (sample.cpu_s + cpu_s, faults) != (sample.cpu_s, 0)
        sample = Sample(runnable, sample.cpu_s + cpu_s, sample.faults + faults)
        progress = progress.after(sample)
        asleep = 0 if runnable or moved else asleep + 1
        expected = sample.cpu_s - BEFORE.cpu_s > LIMITS.cpu_s or asleep * SAMPLE_EVERY_S > LIMITS.asleep_s + 1e-9
        if abs(asleep * SAMPLE_EVERY_S - LIMITS.asleep_s) > 1e-9:
            assert bool(progress.hung) is expected


@given(st.integers(1, 100_000))
def test_one_that_only_waits_for_its_turn_never_hangs(samples: int) -> None:
    progress = begun()
    for _ in range(min(samples, 2_000)):
        progress = progress.after(Sample(True, BEFORE.cpu_s, BEFORE.faults))
    assert progress.hung == ""


def test_one_that_loops_hangs_once_its_work_is_used_up() -> None:
    assert begun().after(Sample(True, BEFORE.cpu_s + 0.99, 100)).hung == ""
    assert "of work" in begun().after(Sample(True, BEFORE.cpu_s + 1.01, 100)).hung


@pytest.mark.parametrize("name", ["readers", "odd) R 9 (name", "with space"])
def test_the_kernels_line_is_read_whatever_the_process_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / "42").mkdir()
    line = STAT.format(pid=42, name=name, state="S", minor=5, major=2, user=300, system=50)
    (tmp_path / "42" / "stat").write_text(line, encoding="ascii")
    tick_s = 1.0 / os.sysconf("SC_CLK_TCK")
    sample = sample_of(42, tmp_path)
    assert (sample.runnable, round(sample.cpu_s / tick_s), sample.faults) == (False, 350, 7)


def test_this_process_is_at_work() -> None:
    before = sample_of(os.getpid())
    until_s = time.process_time() + 0.05
    while time.process_time() < until_s:
        pass
    after = sample_of(os.getpid())
    assert after.runnable
    assert after.cpu_s > before.cpu_s


def test_a_process_that_is_gone_is_told() -> None:
    with pytest.raises(OSError, match="No such file"):
        sample_of(2**22 + 1)
