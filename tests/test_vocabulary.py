"""One word is one thing, and one thing has one word: in the names of what the code says in public."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("engine", "vision", "display", "firmware")
_CLASS: Final = re.compile(r"^class ([A-Z]\w*)", re.MULTILINE)
_ALIAS: Final = re.compile(r"^([A-Z]\w*[a-z]\w*)(?:: TypeAlias)? = (?!TypeVar|ParamSpec)(.*)", re.MULTILINE)


def test_no_two_classes_share_a_name() -> None:
    """Nor does what is merely called so, like ``Floats``, unless it is the same: who meets a name knows the thing."""
    classes: dict[str, list[str]] = defaultdict(list)
    aliases: dict[str, set[str]] = defaultdict(set)
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
        for name in _CLASS.findall(text):
            classes[name].append(place)
        for name, what in _ALIAS.findall(text):
            aliases[name].add(what)
    assert len(classes) > 700
    assert len(aliases) > 80
    shared = {name: [*places, *aliases.get(name, ())] for name, places in classes.items()}
    assert {name: places for name, places in shared.items() if len(places) > 1} == {}
    assert {name: what for name, what in aliases.items() if len(what) > 1} == {}


NOT_SAID: Final = (
    (r"partner", "companion", ""),
    (r"\bbouts?\b", "practice round", r"lessons?\b|hands/|simulation/"),
    (r"\breplay", "retelling", r"coach|retelling"),
    (r"\b[Hh]elp\b", "hints", r"engine/chances/|display/words/(hints|coach|advice)|firmware/coach/coach"),
    (r"\blearners?\b", "pupil", r"lessons/|display/|firmware/menu/"),
    (r"\b([Tt]utor(ial)?|[Tt]rainer|[Mm]entor)\b", "teacher", ""),
    (r"\b([Uu]mpire|[Aa]rbiter)\b", "referee", ""),
    (r"\b([Pp]rotocol|[Tt]ranscript|[Ll]ogbook)\b", "record", r"engine/record/"),
    (r"\bplayback\b", "replay", ""),
    (r"\b[Ss]core book\b|\b[Ss]core-book\b", "scorebook", ""),
)
"""Words with the one that is said instead, and in which paths of code and catalogues; in all of them, where empty."""


@cache
def _ours() -> dict[str, str]:
    """Every file of code, settings and documents by its path. Of catalogues the keys: glossaries hold what they say."""
    texts = {}
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.*")):
        if path.suffix in (".py", ".toml", ".md") and path.name != "glossary.toml":
            place, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            keys = place.startswith("display/locales/")
            texts[place] = "\n".join(line.partition("=")[0] for line in text.splitlines()) if keys else text
    return texts


@pytest.mark.parametrize(
    ("word", "instead", "where"), NOT_SAID, ids=[f"{each[1]}, {number}" for number, each in enumerate(NOT_SAID)]
)
def test_a_thing_has_one_word(word: str, instead: str, where: str) -> None:
    assert not re.search(word, instead)
    looked = {place: text for place, text in _ours().items() if re.search(where, place)}
    assert len(looked) > 3
    assert [f"{place}: {said[0]}" for place, text in looked.items() for said in re.finditer(word, text)] == []


def test_the_words_of_the_readme_are_those_of_the_code() -> None:
    """Each stands in one row, and something is called by it: a file, a class, a function or a field."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("### Words")[2]
    rows = re.findall(r"^\| ([a-z][a-z, ]*) \| ", section, re.MULTILINE)
    terms = [term for row in rows if row != "word" for term in row.split(", ")]
    assert len(terms) == len(set(terms)) > 30
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    named = {part for path in paths for part in re.split(r"[/_.]", path.relative_to(ROOT).as_posix())}
    for path in paths:
        for name in re.findall(r"^ *(?:class|def) (\w+)|^ +(\w+): ", path.read_text(encoding="utf-8"), re.MULTILINE):
            named |= set(re.findall(r"[A-Z]?[a-z]+", "".join(name)))
    named = {name.lower() for name in named}
    assert [term for term in terms if term not in named] == []
