"""How the machine is, in a few lines that players understand, and every check for their screens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from display.words.sentences import with_capital
from firmware.cli.doctor.findings import CheckResult, Finding, Say
from firmware.cli.doctor.machine import MachineFacts, machine_findings
from firmware.ui.menu.machine import CheckLine


def machine_lines(facts: MachineFacts, say: Say) -> tuple[str, ...]:
    """Power, heat, memory and card, as far as the machine tells; ``say`` gives a sentence by key and facts."""
    return tuple(_lines(facts, say))


def _lines(facts: MachineFacts, say: Say) -> Iterator[str]:
    found = {finding.name: finding for finding in machine_findings(facts)}

    def how(finding: Finding | None) -> str:
        return say(
            "menu.machine_bad"
            if finding is not None and finding.verdict is not CheckResult.PASS
            else "menu.machine_well"
        )

    if facts.throttled is not None:
        yield say("menu.machine_power", what=how(found.get("power")))
    if facts.temperature_c is not None:
        yield say("menu.machine_heat", degrees=round(facts.temperature_c), what=how(found.get("temperature")))
    if facts.memory_mb is not None:
        yield say("menu.machine_memory", free=facts.memory_mb[1])
    if facts.free_mb is not None:
        yield say("menu.machine_card", free=facts.free_mb, what=how(found.get("disk")))
    if facts.forgets:
        yield say("menu.machine_forgets")


def check_lines(findings: Iterable[Finding], say: Say) -> tuple[CheckLine, ...]:
    """Every check for a page of its own, its heading and verdict in the words of ``say``; findings bring their own."""
    return tuple(
        CheckLine(
            each.number,
            heading_of(each, say),
            say(f"checks.{each.verdict.value}"),
            _told(each, say),
            well=each.verdict is CheckResult.PASS,
        )
        for each in findings
    )


def _told(finding: Finding, say: Say) -> tuple[str, ...]:
    found = say("checks.found", text=finding.found)
    told = with_capital(say(f"checks.{finding.verdict.value}"))
    verdict = f"{told} ({finding.number})"  # whoever helps asks for the number
    if finding.verdict is CheckResult.PASS:
        return verdict, found
    more = {"expected": finding.expected, "cure": finding.cure}
    return (verdict, found, *(say(f"checks.{name}", text=text) for name, text in more.items()))


def heading_of(finding: Finding, say: Say) -> str:
    """What the check looked at, in the words of ``say``."""
    heading = say(f"checks.of.{finding.name.replace(' ', '_')}")
    return f"{heading}, {finding.part}" if finding.part else heading
