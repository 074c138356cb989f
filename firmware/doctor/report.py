"""Findings as text, as JSON, and as a report to send to a helper, in which nobody is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from firmware.doctor.findings import CheckResult, Finding, worst
from firmware.doctor.system import Program

_MARKS = {CheckResult.PASS: "pass", CheckResult.WARN: "WARN", CheckResult.FAIL: "FAIL"}


def report_text(findings: Sequence[Finding]) -> str:
    """A line for each finding, two more with what was expected and the cure where it did not pass."""
    lines = []
    for finding in findings:
        lines.append(f"{finding.number}  {_MARKS[finding.verdict]}  {finding.name}: {finding.found}")
        if finding.verdict is not CheckResult.PASS:
            lines += [f"           expected: {finding.expected}", f"           cure: {finding.cure}"]
    lines.append(summary(findings))
    return "\n".join(lines)


def summary(findings: Sequence[Finding]) -> str:
    """How it stands, in one sentence."""
    failing = [finding for finding in findings if finding.verdict is CheckResult.FAIL]
    warning = [finding for finding in findings if finding.verdict is CheckResult.WARN]
    if failing:
        blind = next((finding for finding in failing if finding.name == "camera seen"), None)
        start = "No match can be played here, there is no camera; " if blind is not None else ""
        return f"{start}{len(failing)} of {len(findings)} checks failed: {_named(failing)}."
    if warning:
        return f"The game can be played; {len(warning)} of {len(findings)} checks warn: {_named(warning)}."
    return f"All {len(findings)} checks passed."


def _named(findings: Iterable[Finding]) -> str:
    return ", ".join(f"{finding.name} ({finding.number})" for finding in findings)


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
    """Everything a helper needs: title, findings, programs with versions and paths."""
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
