"""Findings as text, as JSON, and as a report to send to a helper, in which nobody is named."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from firmware.cli.doctor.findings import ENGLISH, CheckResult, Finding, Say, worst
from firmware.cli.doctor.libraries import Program
from firmware.cli.doctor.words import heading_of


def report_text(findings: Sequence[Finding], say: Say = ENGLISH) -> str:
    """A line for each finding, two more with what was expected and the cure where it did not pass.

    ``say`` is that of the language which the findings were made in.
    """
    marks = {verdict: say(f"doctor.told.{verdict.value}") for verdict in CheckResult}
    wide = max(map(len, marks.values()))
    lines = []
    for finding in findings:
        told = say("aloud.told", what=heading_of(finding, say), told=finding.found)
        lines.append(f"{finding.number}  {marks[finding.verdict]:<{wide}}  {told}")
        if finding.verdict is not CheckResult.PASS:
            more = {"expected": finding.expected, "cure": finding.helpers_cure}
            indent = " " * (len(finding.number) + wide + 4)
            lines += [f"{indent}{say(f'checks.{name}', text=text)}" for name, text in more.items()]
    lines.append(summary(findings, say))
    return "\n".join(lines)


def summary(findings: Sequence[Finding], say: Say = ENGLISH) -> str:
    """How it stands, in one sentence, or two: without a camera nothing can be played."""
    failing = [finding for finding in findings if finding.verdict is CheckResult.FAIL]
    warning = [finding for finding in findings if finding.verdict is CheckResult.WARN]
    if failing:
        blind = any(finding.name == "camera seen" for finding in failing)
        start = f"{say('doctor.told.no_camera')} " if blind else ""
        return start + _counted("failed", failing, findings, say)
    if warning:
        return _counted("warned", warning, findings, say)
    return say("doctor.told.passed", checks=len(findings))


def _counted(how: str, which: Sequence[Finding], findings: Sequence[Finding], say: Say) -> str:
    named = ", ".join(f"{heading_of(finding, say)} ({finding.number})" for finding in which)
    return say(f"doctor.told.{how}", bad=len(which), checks=len(findings), named=named)


def report_json(findings: Sequence[Finding], programs: Mapping[str, Program]) -> dict[str, object]:
    """``verdict``, the ``findings``, and ``programs`` with version, path and problem."""
    return {
        "verdict": worst(findings).value,
        "findings": [finding.to_json() for finding in findings],
        "programs": {
            name: {"version": program.version, "path": program.path, "problem": program.problem}
            for name, program in programs.items()
        },
    }


def report_file(findings: Sequence[Finding], programs: Mapping[str, Program], title: str) -> str:
    """Everything a helper needs, in English: title, findings, programs with versions and paths."""
    lines = [title, "", report_text(findings), "", "Programs"]
    for name, program in programs.items():
        lines.append(f"{name:<14}{program.version or 'none':<14}{program.problem or program.path}")
    return "\n".join(lines) + "\n"


def without_names(text: str, names: Mapping[str, str]) -> str:
    """The text with every name taken out: each key, wherever it stands as a whole word, becomes its value.

    Long ones first, so that a home's path goes as a whole before the user's name in it. One letter is no name.
    """
    for name in sorted(names, key=len, reverse=True):
        if len(name.strip()) > 1:
            put = names[name].replace("\\", r"\\")
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", put, text, flags=re.IGNORECASE)
    return text
