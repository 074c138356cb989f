"""The doctor's checks beside a game."""

from __future__ import annotations

import threading
import time

from firmware.doctor.findings import Finding, passed
from firmware.sitting.checks import STALE_S, Checks


def test_checks_hold_nobody_up_and_are_made_anew_for_who_comes_back() -> None:
    now_s, may_go, made = [100.0], threading.Event(), []

    def examine() -> tuple[Finding, ...]:
        may_go.wait(10.0)
        made.append(1)
        return (passed("power", f"look {len(made)}", "5 V"),)

    checks = Checks(lambda: now_s[0])

    def lines() -> tuple[str, ...]:
        return tuple(line for check in checks.of(examine, "en") for line in check.lines)

    def found() -> tuple[str, ...]:
        until = time.monotonic() + 10.0
        while not lines() and time.monotonic() < until:
            time.sleep(0.005)
        return lines()

    assert lines() == ()
    assert lines() == ()
    assert made == []
    may_go.set()
    assert found() == ("1-2: all right", "Found: look 1")
    now_s[0] += STALE_S
    assert lines() == ("1-2: all right", "Found: look 1")
    now_s[0] += STALE_S + 0.1
    assert lines() == ()
    assert found() == ("1-2: all right", "Found: look 2")
    assert checks.of(examine, "de")[0].heading == "Stromversorgung"
