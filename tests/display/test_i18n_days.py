"""A day of the calendar and a number with a decimal, as each language writes them."""

from __future__ import annotations

from datetime import date

import pytest

from display.i18n import LANGUAGES, words

WRITTEN = {"en": "Nov 2, 2026", "de": "02.11.2026", "fr": "2 nov. 2026", "nl": "2 nov 2026"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_is_written_as_the_language_writes_it(language: str) -> None:
    assert words(language).day(date(2026, 11, 2)) == WRITTEN[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_is_written_as_the_language_writes_it(language: str) -> None:
    assert words(language).decimal(7.44) == ("7.4" if language == "en" else "7,4")
    assert words(language).decimal(0.0) == ("0.0" if language == "en" else "0,0")
    assert words(language).percent(30) == ("30%" if language in ("en", "nl") else "30\u00a0%")
    assert words(language).decimal(0.314, 2) == ("0.31" if language == "en" else "0,31")
