"""A finding: what was looked at, found and expected, and the cure; told as text, as JSON, in a report, in the menu.

Findings know no language: each printer tells them in that of its reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from display.i18n import words
from display.words.sentences import with_capital
from firmware.ui.menu.machine import CheckLine


class CheckResult(Enum):
    """``warn``: the game goes on, something is less well than it could be. ``fail``: a part of it cannot work."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"


_GROUPS: Final = (
    ("model", "power", "throttling", "temperature", "disk"),
    ("system", "programs", "screen", "sound", "service"),
    ("camera seen", "camera bright", "camera sharp", "board found", "spaces in view"),
    ("pin table", "pins", "lamps seen", "buttons pressed", "buzzer heard"),
    ("languages", "settings", "table file", "scorebook", "readers"),
)
CHECKS: Final[Mapping[str, str]] = MappingProxyType(
    {f"{group}-{place}": name for group, names in enumerate(_GROUPS, 1) for place, name in enumerate(names, 1)}
)
"""Every check by its number: the group and the place in it, each from 1 to 5, so that lamps can tell it."""
_NUMBERS: Final = {name: number for number, name in CHECKS.items()}

Say = Callable[..., str]
"""Gives a sentence of a language's catalogue by key and facts."""
ENGLISH: Final[Say] = words("en").say

Text = str | Callable[[Say], str]
"""Words that every language has alike, such as a path, or what gives them in the language of their reader."""


def told(text: Text, say: Say) -> str:
    """The text in the words of ``say``."""
    return text(say) if callable(text) else text


def sentence(key: str, **facts: object) -> Text:
    """A sentence of the catalogue; facts may be texts themselves."""
    return lambda say: say(key, **{name: fact(say) if callable(fact) else fact for name, fact in facts.items()})


def joined(between: str, *texts: Text) -> Text:
    """These texts as one."""
    return lambda say: between.join(told(text, say) for text in texts)


@dataclass(frozen=True, slots=True)
class Program:
    """A library or program: its version and where it lies, or the ``problem`` that keeps it from being used."""

    version: str = ""
    path: str = ""
    problem: str = ""


class ToldFinding(NamedTuple):
    """A finding in the words of one language. ``helpers_cure`` has the commands, for a helper at a terminal."""

    verdict: CheckResult
    heading: str
    found: str
    expected: str
    cure: str
    helpers_cure: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's outcome. ``cure`` is empty exactly when it passed.

    ``part`` names one of several findings of the same check. ``by``: commands, files or options with which a helper
    does that at a terminal; no screen of players names them.
    """

    name: str
    verdict: CheckResult
    found: Text
    expected: Text
    cure: Text = ""
    by: str = ""
    part: str = ""

    @property
    def number(self) -> str:
        """The check's number, such as ``3-2``."""
        return _NUMBERS[self.name]

    def told(self, say: Say = ENGLISH) -> ToldFinding:
        """The finding in the words of ``say``."""
        heading = say(f"checks.of.{self.name.replace(' ', '_')}")
        cure = told(self.cure, say)
        return ToldFinding(
            verdict=self.verdict,
            heading=f"{heading}, {self.part}" if self.part else heading,
            found=told(self.found, say),
            expected=told(self.expected, say),
            cure=cure,
            helpers_cure=f"{cure} [{self.by}]" if self.by else cure,
        )

    def to_json(self) -> dict[str, str | bool]:
        english = self.told()
        return {
            "id": self.part or self.name.replace(" ", "_"),
            "ok": self.verdict is CheckResult.PASS,
            "number": self.number,
            "name": self.name,
            "verdict": self.verdict.value,
            "found": english.found,
            "expected": english.expected,
            "cure": english.helpers_cure,
        }


class Check:
    """Makes the finding of one check, whose sentences are ``doctor.TOPIC.KEY``.

    ``expected`` is the key of one of them, with these ``facts``, unless ``wanted`` says it; ``topic`` is the check's
    name where it is not given.
    """

    def __init__(
        self, name: str, topic: str = "", part: str = "", expected: str = "expected", wanted: str = "", **facts: object
    ) -> None:
        self._name, self._part = name, part
        self._topic = topic or name.replace(" ", "_")
        self._expected = wanted or self(expected, **facts)

    def __call__(self, key: str, **facts: object) -> Text:
        """A sentence of this check."""
        return sentence(f"doctor.{self._topic}.{key}", **facts)

    def passed(self, found: Text) -> Finding:
        """It found what it should."""
        return Finding(self._name, CheckResult.PASS, found, self._expected, part=self._part)

    def warned(self, found: Text, cure: Text, by: str = "") -> Finding:
        """It found something to put right."""
        return Finding(self._name, CheckResult.WARN, found, self._expected, cure, by, self._part)

    def failed(self, found: Text, cure: Text, by: str = "") -> Finding:
        """It found what keeps a part from working."""
        return Finding(self._name, CheckResult.FAIL, found, self._expected, cure, by, self._part)


def quoted(text: Text) -> Text:
    """A sentence of the program, which is English, as the reader's language quotes it."""
    return sentence("doctor.said", said=text)


def worst(findings: Iterable[Finding]) -> CheckResult:
    """The worst verdict among them; pass where there are none."""
    order = list(CheckResult)
    return max((finding.verdict for finding in findings), key=order.index, default=CheckResult.PASS)


def report_text(findings: Sequence[Finding], say: Say = ENGLISH) -> str:
    """A line for each finding, two more with what was expected and the cure where it did not pass."""
    marks = {verdict: say(f"doctor.told.{verdict.value}") for verdict in CheckResult}
    wide = max(map(len, marks.values()))
    lines = []
    for finding in findings:
        here = finding.told(say)
        line = say("aloud.told", what=here.heading, told=here.found)
        lines.append(f"{finding.number}  {marks[finding.verdict]:<{wide}}  {line}")
        if finding.verdict is not CheckResult.PASS:
            more = {"expected": here.expected, "cure": here.helpers_cure}
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
    named = ", ".join(f"{finding.told(say).heading} ({finding.number})" for finding in which)
    return say(f"doctor.told.{how}", bad=len(which), checks=len(findings), named=named)


def report_json(findings: Sequence[Finding], programs: Mapping[str, Program]) -> dict[str, object]:
    """``verdict``, the ``findings``, and ``programs`` with version, path and problem."""
    return {
        "verdict": worst(findings).value,
        "findings": [finding.to_json() for finding in findings],
        "programs": {name: asdict(program) for name, program in programs.items()},
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


def check_lines(findings: Iterable[Finding], say: Say) -> tuple[CheckLine, ...]:
    """Every check for a page of its own in the menu, its heading and verdict in the words of ``say``."""
    lines = []
    for each in findings:
        verdict, well, here = say(f"checks.{each.verdict.value}"), each.verdict is CheckResult.PASS, each.told(say)
        # A helper asks for the number.
        told = [f"{with_capital(verdict)} ({each.number})", say("checks.found", text=here.found)]
        if not well:
            told += [say("checks.expected", text=here.expected), say("checks.cure", text=here.cure)]
        lines.append(CheckLine(each.number, here.heading, verdict, tuple(told), well=well))
    return tuple(lines)
