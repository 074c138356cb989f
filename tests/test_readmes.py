"""The players' part of the README in four languages: the same commands, the words of screen and glossary."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from display.i18n import GLOSSARY, LANGUAGES, LOCALES, words

ROOT: Final = Path(__file__).parents[1]
CODE: Final = re.compile(r"```.*?```|`[^`\n]+`|\]\([^)]*\)", re.DOTALL)
QUOTED: Final = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)|^- \*\*([^*]+)\*\*", re.MULTILINE)
NAMES: Final = {"En Garde"}


def readme(language: str) -> str:
    """What players are told: in English a part of the whole, in the others all there is."""
    if language == "en":
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        return text[text.index("## For players") : text.index("## For builders")]
    return (ROOT / f"README.{language}.md").read_text(encoding="utf-8")


def commands(language: str) -> set[str]:
    return {each for each in CODE.findall(readme(language)) if each.startswith("`")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_commands_and_sections_in_every_language(language: str) -> None:
    levels = [line.split()[0] for line in readme(language).splitlines() if line.startswith("##")]
    assert levels == ["##", "###", "###", "###"]
    assert commands(language) == commands("en")
    others = {"README.md" if other == "en" else f"README.{other}.md" for other in LANGUAGES if other != language}
    assert {each for each in others if f"({each})" in readme(language)} == others


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_says_stands_on_the_screen_stands_there(language: str) -> None:
    shown = {entry.other for entry in words(language).entries.values()}
    quoted = {" ".join((first or second).split()) for first, second in QUOTED.findall(readme(language))} - NAMES
    assert len(quoted) > 9
    assert quoted - shown == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_keeps_to_the_glossary(language: str) -> None:
    glossary = tomllib.loads((LOCALES / language / GLOSSARY).read_text(encoding="utf-8"))
    text = " ".join(CODE.sub(" ", readme(language)).split())
    rules = {name: term["not"] for name, term in glossary.items() if isinstance(term, dict)}
    rules["address"] = glossary["not_address"]
    wrong = {
        name: found[0]
        for name, patterns in rules.items()
        for pattern in patterns
        if (found := re.search(pattern, text, re.IGNORECASE))
    }
    assert wrong == {}
