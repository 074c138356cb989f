"""A day of the calendar, as each language writes it."""

from __future__ import annotations

from datetime import date

import pytest

from display.i18n import LANGUAGES, words

WRITTEN = {"en": "Nov 2, 2026", "de": "02.11.2026", "fr": "2 nov. 2026", "nl": "2 nov 2026"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_is_written_as_the_language_writes_it(language: str) -> None:
    assert words(language).day(date(2026, 11, 2)) == WRITTEN[language]
