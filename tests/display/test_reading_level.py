"""Lessons are for nine-year-olds: no sentence is too long to be kept in mind, and some words are left out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final

import pytest

from display.i18n import GLOSSARY, LANGUAGES, LOCALES, words


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
