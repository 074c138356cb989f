"""The doctor's checks beside a game."""

from __future__ import annotations

import threading
from typing import Any

from firmware.cli.doctor.findings import CheckResult, Finding
from firmware.cli.sitting.checks import TableDoctor
from tests.waiting import HANG_S, until


class Doctor(TableDoctor):
    """One whose findings say how often it has looked; the first time it waits until it may."""

    def __init__(self) -> None:
        super().__init__(None, lambda: True, lambda: self.at_s)  # type: ignore[arg-type]
        self.at_s, self.may_go, self.made = 100.0, threading.Event(), 0

    def findings(self, frame: Any, look: Any) -> tuple[Finding, ...]:
        self.may_go.wait(HANG_S)
        self.made += 1
        return (Finding("power", CheckResult.PASS, f"look {self.made}", "5 V"),)

    def lines(self, language: str = "en") -> tuple[str, ...]:
        nothing: Any = None
        return tuple(line for check in self.checks(nothing, nothing, language) for line in check.lines)

    def found(self, language: str = "en") -> tuple[str, ...]:
        assert until(lambda: self.lines(language))
        return self.lines(language)
