"""Whether a process works, waits for its turn, or hangs: told by the work it does, not by the clock on the wall.

A machine that is busy gives a process little of its time: that process is as good as ever, and is waited for. One that
has used more of the processor than its question can take loops; one that sleeps without being given anything is stuck.
Source: proc(5), /proc/PID/stat.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

SAMPLE_EVERY_S: Final = 0.05
"""How often a process that has not answered is looked at; the kernel counts its work in hundredths of a second."""
_TICK_S: Final = 1.0 / os.sysconf("SC_CLK_TCK")
_RUNNABLE: Final = "R"


@dataclass(frozen=True, slots=True)
class Sample:
    """A process as the kernel sees it: whether it can run, its processor time, and how often it fetched memory."""

    runnable: bool
    cpu_s: float
    faults: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one question: processor time, and sleep; ``wait_s`` is how long to wait for a busy machine."""

    cpu_s: float
    asleep_s: float
    wait_s: float


@dataclass(frozen=True, slots=True)
class Progress:
    """The work of a process for one question so far. ``first`` is the sample from before it was asked."""

    limits: Limits
    first: Sample
    last: Sample
    asleep_s: float = 0.0

    @property
    def cpu_s(self) -> float:
        """The processor time that the question has taken."""
        return self.last.cpu_s - self.first.cpu_s

    def after(self, sample: Sample) -> Progress:
        """The progress at the next sample, ``SAMPLE_EVERY_S`` later.

        Only that much counts as sleep, however much later it was: whoever samples may have waited for its turn, too.
        """
        same = (sample.cpu_s, sample.faults) == (self.last.cpu_s, self.last.faults)
        idle = same and not sample.runnable
        return replace(self, last=sample, asleep_s=self.asleep_s + SAMPLE_EVERY_S if idle else 0.0)

    @property
    def hung(self) -> str:
        """Why it will give no answer any more, empty while it may."""
        if self.cpu_s > self.limits.cpu_s:
            return f"no answer after {self.cpu_s:.2g} s of work"
        if self.asleep_s > self.limits.asleep_s:
            return f"asleep for {self.asleep_s:.2g} s without an answer"
        return ""


def sample_of(pid: int, proc: Path = Path("/proc")) -> Sample:
    """The process as the kernel sees it now. Raises OSError where there is none."""
    # The name in brackets may hold anything; state, faults and times are counted from behind it.
    fields = (proc / str(pid) / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    state, minor, major, user, system = fields[0], fields[7], fields[9], fields[11], fields[12]
    return Sample(state == _RUNNABLE, (int(user) + int(system)) * _TICK_S, int(minor) + int(major))
