"""What players read, in four languages: the same commands and sections, the words of screen and glossary.

Every command that a document tells to type is one that the program takes.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Final

import pytest

from display.i18n import GLOSSARY, LANGUAGES, LOCALES, words
from firmware.cli.main import parse

ROOT: Final = Path(__file__).parents[1]
CODE: Final = re.compile(r"```.*?```|`[^`\n]+`|\]\([^)]*\)", re.DOTALL)
QUOTED: Final = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)|^- \*\*([^*]+)\*\*", re.MULTILINE)
NAMES: Final = {"En Garde"}


DOCUMENTS: Final = ("README", "PLAYING")
FOR_PLAYERS: Final = pytest.mark.parametrize(
    ("document", "language"), [(document, language) for document in DOCUMENTS for language in LANGUAGES]
)
MAX_LINES: Final = 120


def name_of(document: str, language: str) -> str:
    return f"{document}.md" if language == "en" else f"{document}.{language}.md"


def told(document: str, language: str) -> str:
    return (ROOT / name_of(document, language)).read_text(encoding="utf-8")


def commands(document: str, language: str) -> set[str]:
    return {each for each in CODE.findall(told(document, language)) if each.startswith("`")}


@FOR_PLAYERS
def test_the_same_commands_and_sections_in_every_language(document: str, language: str) -> None:
    def levels(language: str) -> list[str]:
        return [line.split()[0] for line in told(document, language).splitlines() if line.startswith("#")]

    assert levels(language) == levels("en")
    assert commands(document, language) == commands(document, "en")
    others = {name_of(document, other) for other in LANGUAGES if other != language}
    assert {each for each in others if f"({each})" in told(document, language)} == others


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_readme_is_one_screen(language: str) -> None:
    assert len(told("README", language).splitlines()) <= MAX_LINES


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_says_stands_on_the_screen_stands_there(language: str) -> None:
    shown = {entry.other for entry in words(language).entries.values()}
    text = told("PLAYING", language)
    quoted = {" ".join((first or second).split()) for first, second in QUOTED.findall(text)} - NAMES
    assert len(quoted) > 9
    assert quoted - shown == set()


TYPED: Final = re.compile(r"^(?:\.venv/bin/)?engarde (\w+(?= |$)[^#`]*)")
A_NUMBER: Final = re.compile(r"\bNO?\b")


def typed() -> list[tuple[str, str]]:
    """Every command of ours that a document tells to type, with the document's name."""
    found = []
    for path in (
        *(each for each in ROOT.glob("*.md") if each.name != "CHANGELOG.md"),
        ROOT / "firmware" / "COMMANDS.md",
        *(ROOT / "hardware").glob("*.md"),
    ):
        text = path.read_text(encoding="utf-8")
        lines = [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
        inline = [
            " ".join(each.split()) for each in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        ]
        found += [(path.name, match[1].strip()) for each in (*lines, *inline) if (match := TYPED.match(each))]
    return found


@pytest.mark.slow
def test_every_command_that_is_told_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence that only names a command leaves out what has to follow it."""
    wrong = []
    for where, line in typed():
        try:
            parse(shlex.split(A_NUMBER.sub("1", line)))
        except SystemExit:
            said = capsys.readouterr().err
            if said and not re.search(r"required|expected (?:one|at least one) argument", said):
                wrong.append(f"{where}: engarde {line}: {said.splitlines()[-1]}")
    assert not wrong, "\n".join(wrong)
    assert len(typed()) > 60


@FOR_PLAYERS
def test_it_keeps_to_the_glossary(document: str, language: str) -> None:
    glossary = tomllib.loads((LOCALES / language / GLOSSARY).read_text(encoding="utf-8"))
    text = " ".join(CODE.sub(" ", told(document, language)).split())
    rules = {name: term["not"] for name, term in glossary.items() if isinstance(term, dict)}
    rules["address"] = glossary["not_address"]
    wrong = {
        name: found[0]
        for name, patterns in rules.items()
        for pattern in patterns
        if (found := re.search(pattern, text, re.IGNORECASE))
    }
    assert wrong == {}
