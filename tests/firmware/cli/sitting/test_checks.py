"""The doctor's checks beside a game."""

from __future__ import annotations

import threading

from firmware.cli.doctor.findings import CheckResult, Finding
from firmware.cli.sitting.checks import STALE_S, Checks
from tests.waiting import HANG_S, until


def test_checks_hold_nobody_up_and_are_made_anew_for_who_comes_back() -> None:
    now_s, may_go, made = [100.0], threading.Event(), []

    def examine() -> tuple[Finding, ...]:
        may_go.wait(HANG_S)
        made.append(1)
        return (Finding("power", CheckResult.PASS, f"look {len(made)}", "5 V"),)

    checks = Checks(lambda: now_s[0])

    def lines(language: str = "en") -> tuple[str, ...]:
        return tuple(line for check in checks.of(examine, language) for line in check.lines)

    def found(language: str = "en") -> tuple[str, ...]:
        assert until(lambda: lines(language))
        return lines(language)

    assert lines() == ()
    assert lines() == ()
    assert made == []
    may_go.set()
    assert found() == ("All right (1-2)", "Found: look 1")
    now_s[0] += STALE_S
    assert lines() == ("All right (1-2)", "Found: look 1")
    now_s[0] += STALE_S + 0.1
    assert lines() == ()
    assert found() == ("All right (1-2)", "Found: look 2")
    assert lines("de") == (), "findings are sentences: another language has its own made"
    assert found("de") == ("In Ordnung (1-2)", "Gefunden: look 3")


def test_a_language_chosen_while_checks_are_made_gets_its_own() -> None:
    may_go, made = threading.Event(), []

    def examine_in(language: str) -> tuple[Finding, ...]:
        may_go.wait(HANG_S)
        made.append(language)
        return (Finding("power", CheckResult.PASS, language, "5 V"),)

    checks = Checks(lambda: 100.0)
    assert checks.of(lambda: examine_in("en"), "en") == ()
    assert checks.of(lambda: examine_in("de"), "de") == ()
    may_go.set()
    assert until(lambda: checks.of(lambda: examine_in("de"), "de"))
    assert made == ["en", "de"]
    assert checks.of(lambda: examine_in("de"), "de")[0].lines == ("In Ordnung (1-2)", "Gefunden: de")
