"""One word for one thing: catalogues keep to the glossary of their language, lessons to words that children know."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

from display.i18n import GLOSSARY, LANGUAGES, LOCALES, words

EVERYWHERE = {"fencer", "space", "piste", "draw_pile", "discard_pile", "cards_in_hand", "turn", "round", "match"}
EVERYWHERE |= {"retreat", "parry", "touch", "undo", "button", "record", "scorebook", "hints", "retelling", "opponent"}
"""What every language has a word for."""
LESSONS = ("lessons.", "exercises.", "counting.")
"""With what the keys begin that speak to somebody who learns."""


@cache
def glossary(language: str) -> dict[str, Any]:
    return tomllib.loads((LOCALES / language / GLOSSARY).read_text(encoding="utf-8"))


def terms(language: str) -> dict[str, dict[str, Any]]:
    return {name: term for name, term in glossary(language).items() if isinstance(term, dict)}


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Every text of the catalogue, in quotes, so that a pattern can ask for a whole one."""
    for key, entry in words(language).entries.items():
        for text in entry.forms.values():
            yield key, f'"{STAND_IN.sub("{_}", text)}"'


STAND_IN = re.compile(r"\{\w+\}")
"""A placeholder: patterns call each ``{_}``, so that its name is no word."""


def broken(language: str, told: Iterator[tuple[str, str]]) -> list[str]:
    """Where a text says what the glossary does not want said."""
    rules = [
        (name, pattern, term.get("except", ())) for name, term in terms(language).items() for pattern in term["not"]
    ]
    address = glossary(language)["not_address"]
    in_lessons = glossary(language).get("not_address_in_lessons", address)
    return [
        f"{key}: {name} {found[0]!r} in {text}"
        for key, text in told
        for name, pattern, free in (
            *rules,
            *(("address", pattern, ()) for pattern in (in_lessons if key.startswith(LESSONS) else address)),
        )
        if key not in free and (found := re.search(pattern, text, re.IGNORECASE))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_keeps_to_the_glossary(language: str) -> None:
    assert broken(language, sentences(language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_glossary_says_what_is_said(language: str) -> None:
    """Each term stands in some sentence, each exception is one, and nothing is there but what is asked for."""
    told = list(sentences(language))
    said = [text for entry in words(language).entries.values() for text in entry.forms.values()]
    assert set(terms(language)) >= EVERYWHERE
    assert glossary(language)["address"].endswith(".")
    for name, term in terms(language).items():
        assert set(term) <= {"say", "not", "why", "except"}, name
        assert any(re.search(term["say"], text) for text in said), (name, term["say"])
        idle = [
            key
            for key in term.get("except", ())
            if not any(
                key == each and re.search(pattern, text, re.IGNORECASE)
                for each, text in told
                for pattern in term["not"]
            )
        ]
        assert idle == [], f"{name}: these need no exception"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Both lay your hands face up"),
        ("en", "{_} to act"),
        ("en", "All cards off the pile"),
        ("de", "{_} zieht {_} vor"),
        ("de", "Baut den Tisch auf"),
        ("de", "mit {_} Karten vom Wert {_} parieren"),
        ("fr", "Posez vos mains faces visibles"),
        ("fr", "{_} : appuie sur ton bouton"),
        ("fr", "Vous êtes attaqué : parez"),
        ("nl", "{_} nadert {_}"),
        ("nl", "pareer met een {_}, of trek terug"),
        ("nl", "Leg beide handen open neer"),
    ],
)
def test_what_is_not_to_be_said_is_found_out(language: str, text: str) -> None:
    assert broken(language, iter([("made.up", text)])) != []


def test_a_french_lesson_says_tu_and_everything_else_vous() -> None:
    for key, right, wrong in (
        ("lessons.made.up", "Pose tes trois cartes", "Posez vos trois cartes"),
        ("made.up", "Posez vos trois cartes", "Pose tes trois cartes"),
    ):
        assert broken("fr", iter([(key, right)])) == []
        assert broken("fr", iter([(key, wrong)])) != []


def lessons(language: str) -> Iterator[tuple[str, str]]:
    """What the lessons say at the table, without titles and the menu's lines."""
    for key, sentence in words(language).entries.items():
        if key.startswith("lessons.") and not key.startswith("lessons.menu.") and not key.endswith(".title"):
            for form in sentence.forms.values():
                yield key, form


MAX_WORDS: Final = 25


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_a_lesson_is_too_long_to_be_kept_in_mind(language: str) -> None:
    told = (re.sub(r"\{\w+\}", "5", text) for _, text in lessons(language))
    sentences = (sentence for text in told for sentence in re.split(r"[.!?]+", text))
    assert [each for each in sentences if len(re.findall(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*|\d+", each)) > MAX_WORDS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_no_child_says_are_left_out(language: str) -> None:
    patterns = tomllib.loads((LOCALES / language / GLOSSARY).read_text(encoding="utf-8"))["not_in_lessons"]
    assert len(patterns) >= 8
    said = [
        f"{key}: {found[0]}"
        for key, told in lessons(language)
        for pattern in patterns
        if (found := re.search(pattern, told, re.IGNORECASE))
    ]
    assert said == []
