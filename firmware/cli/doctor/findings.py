"""A finding: what was looked at, what was found, what was expected, and the cure. Each check has its own number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from display.i18n import words


class CheckResult(Enum):
    """``warn``: the game goes on, something is less well than it could be. ``fail``: a part of it cannot work."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"


CHECKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "1-1": "model",
        "1-2": "power",
        "1-3": "throttling",
        "1-4": "temperature",
        "1-5": "disk",
        "2-1": "system",
        "2-2": "programs",
        "2-3": "screen",
        "2-4": "sound",
        "2-5": "service",
        "3-1": "camera seen",
        "3-2": "camera bright",
        "3-3": "camera sharp",
        "3-4": "board found",
        "3-5": "spaces in view",
        "4-1": "pin table",
        "4-2": "pins",
        "4-3": "lamps seen",
        "4-4": "buttons pressed",
        "4-5": "buzzer heard",
        "5-1": "languages",
        "5-2": "settings",
        "5-3": "table file",
        "5-4": "scorebook",
        "5-5": "readers",
    }
)
"""Every check by its number: the group and the place in it, each from 1 to 5, so that lamps can tell it."""

_NUMBERS: Final = {name: number for number, name in CHECKS.items()}


Say = Callable[..., str]
"""Gives a sentence of the catalogue ``doctor`` by key and facts: findings are made in their reader's language."""
ENGLISH: Final[Say] = words("en").say


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's outcome in words. ``cure`` is empty exactly when it passed.

    ``part`` names one of several findings of the same check. ``by``: commands, files or options with which a helper
    does that at a terminal; no screen of players names them.
    """

    name: str
    verdict: CheckResult
    found: str
    expected: str
    cure: str = ""
    by: str = ""
    part: str = ""

    @property
    def number(self) -> str:
        """The check's number, such as ``3-2``."""
        return _NUMBERS[self.name]

    @property
    def helpers_cure(self) -> str:
        """The cure for whoever sits at a terminal."""
        return f"{self.cure} [{self.by}]" if self.by else self.cure

    def to_json(self) -> dict[str, str | bool]:
        return {
            "id": self.part or self.name.replace(" ", "_"),
            "ok": self.verdict is CheckResult.PASS,
            "number": self.number,
            "name": self.name,
            "verdict": self.verdict.value,
            "found": self.found,
            "expected": self.expected,
            "cure": self.helpers_cure,
        }


def passed(name: str, found: str, expected: str) -> Finding:
    """A check that found what it should."""
    return Finding(name, CheckResult.PASS, found, expected)


def warned(name: str, found: str, expected: str, cure: str, by: str = "") -> Finding:
    """A check that found something to put right."""
    return Finding(name, CheckResult.WARN, found, expected, cure, by)


def failed(name: str, found: str, expected: str, cure: str, by: str = "") -> Finding:
    """A check that found what keeps a part from working."""
    return Finding(name, CheckResult.FAIL, found, expected, cure, by)


def worst(findings: Iterable[Finding]) -> CheckResult:
    """The worst verdict among them; pass where there are none."""
    order = list(CheckResult)
    return max((finding.verdict for finding in findings), key=order.index, default=CheckResult.PASS)
