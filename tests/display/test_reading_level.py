"""Lessons are for nine-year-olds: how hard their sentences are by each language's own formula, and words left out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import mean
from typing import Final

import pytest

from display.i18n import GLOSSARY, LANGUAGES, LOCALES, words

ONE_SOUND: Final = {
    "en": r"[aeiouy]+",
    "de": r"aa|ee|oo|ie|ei|ai|au|eu|äu|[aeiouyäöü]",
    "fr": r"eau|ou|oi|au|ai|ei|eu|œu|ui|ie|io|ia|ée|[aeiouyàâäéèêëîïôöùûüœ]",
    "nl": r"aai|ooi|oei|eeu|ieu|aa|ee|oo|uu|ie|oe|eu|ui|ij|ei|ou|au|[aeiouyëïéèöü]",
}
"""What is one syllable's vowel, however many letters write it."""
SILENT: Final = {"en": r"(?<=[^l])e$|(?<=[^td])ed$", "fr": r"(?<=[^aeiouyéèêœ])(e|es|ent)$"}


@dataclass(frozen=True)
class Text:
    """Sentences of a language, as lists of words."""

    language: str
    sentences: list[list[str]]

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence]

    @property
    def sentence_length(self) -> float:
        return len(self.words) / len(self.sentences)

    @property
    def syllables(self) -> list[int]:
        return [syllables(word, self.language) for word in self.words]

    def share(self, counts: Callable[[str], bool]) -> float:
        """How many words of a hundred this is true of."""
        return 100 * mean(counts(word) for word in self.words)


def syllables(word: str, language: str) -> int:
    """How many syllables a word has, by its vowels; a number counts as one."""
    spoken = word.lower().replace("qu", "k")
    if language in SILENT and len(re.findall(ONE_SOUND[language], spoken)) > 1:
        spoken = re.sub(SILENT[language], "", spoken)
    return max(1, len(re.findall(ONE_SOUND[language], spoken)))


def lessons(language: str) -> Iterator[tuple[str, str]]:
    """What the lessons say at the table, without titles and the menu's lines."""
    for key, sentence in words(language).entries.items():
        if key.startswith("lessons.") and not key.startswith("lessons.menu.") and not key.endswith(".title"):
            for form in sentence.forms.values():
                yield key, form


def text_of(language: str) -> Text:
    found = []
    for _, told in lessons(language):
        for sentence in re.split(r"[.!?]+", re.sub(r"\{\w+\}", "5", told)):
            spoken = re.findall(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*|\d+", sentence)
            if spoken:
                found.append(spoken)
    return Text(language, found)


def flesch_kincaid(text: Text) -> float:
    """The American school grade. Source: Kincaid and others, 1975."""
    return 0.39 * text.sentence_length + 11.8 * mean(text.syllables) - 15.59


def wiener_sachtext(text: Text) -> float:
    """The German school grade, first formula. Source: Bamberger and Vanecek, 1984."""
    long, short = (
        text.share(lambda word: syllables(word, "de") >= 3),
        text.share(lambda word: syllables(word, "de") == 1),
    )
    letters = text.share(lambda word: len(word) > 6)
    return 0.1935 * long + 0.1672 * text.sentence_length + 0.1297 * letters - 0.0327 * short - 0.875


def kandel_moles(text: Text) -> float:
    """How easy French is to read, to 100; from 80 on it is easy. Source: Kandel and Moles, 1958."""
    return 207.0 - 1.015 * text.sentence_length - 73.6 * mean(text.syllables)


def douma(text: Text) -> float:
    """How easy Dutch is to read, to 100; from 80 on it is easy. Source: Douma, 1960."""
    return 206.84 - 0.93 * text.sentence_length - 77.0 * mean(text.syllables)


GRADE: Final = 4.0
"""A nine-year-old is in the fourth year at school, or has just begun it."""
EASY: Final = 80.0
MAX_WORDS: Final = 25


def test_the_lessons_are_easy_enough_for_a_nine_year_old() -> None:
    assert flesch_kincaid(text_of("en")) <= GRADE
    assert wiener_sachtext(text_of("de")) <= GRADE
    assert kandel_moles(text_of("fr")) >= EASY
    assert douma(text_of("nl")) >= EASY


def test_the_formulas_tell_hard_from_easy() -> None:
    hard = {
        "en": "Notwithstanding the aforementioned regulation comparison of positions necessarily determines victory",
        "de": "Unbeschadet der vorgenannten Bestimmungen entscheidet die Vergleichung der Ausgangspositionen endgültig",
        "fr": "Nonobstant les dispositions susmentionnées la comparaison des positions détermine la victoire",
        "nl": "Onverminderd voornoemde bepalingen beslist de vergelijking van uitgangsposities noodzakelijkerwijs",
    }
    texts = {language: Text(language, [told.split()]) for language, told in hard.items()}
    assert flesch_kincaid(texts["en"]) > 12
    assert wiener_sachtext(texts["de"]) > 12
    assert kandel_moles(texts["fr"]) < 40
    assert douma(texts["nl"]) < 40


@pytest.mark.parametrize(
    ("language", "word", "count"),
    [
        *[("en", "distance", 2), ("en", "fencer", 2), ("en", "card", 1), ("en", "opponent", 3), ("en", "space", 1)],
        *[("de", "Entfernung", 3), ("de", "Karte", 2), ("de", "zurück", 2), ("de", "Weiß", 1), ("de", "Zweien", 2)],
        *[("fr", "carte", 1), ("fr", "escrimeur", 3), ("fr", "avancez", 3), ("fr", "tour", 1), ("fr", "attaque", 2)],
        *[("nl", "schermer", 2), ("nl", "kaart", 1), ("nl", "vooruit", 2), ("nl", "vakje", 2), ("nl", "tweeën", 2)],
    ],
)
def test_syllables_are_counted_as_they_are_spoken(language: str, word: str, count: int) -> None:
    assert syllables(word, language) == count


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_a_lesson_is_too_long_to_be_kept_in_mind(language: str) -> None:
    long = [sentence for sentence in text_of(language).sentences if len(sentence) > MAX_WORDS]
    assert long == []


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
