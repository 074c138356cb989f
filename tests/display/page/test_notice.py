"""A page of one sentence: whole, in its language, and asking anew only where that helps."""

from __future__ import annotations

import pytest

from display.i18n import LANGUAGES
from display.page.page import notice_page


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_a_whole_page(language: str) -> None:
    page = notice_page(language, "1 < 2 & 3")
    assert page.startswith(f'<!DOCTYPE html>\n<html lang="{language}">')
    assert '<p class="result">1 &lt; 2 &amp; 3</p>' in page
    assert "refresh" not in page
    assert '<meta http-equiv="refresh" content="5"/>' in notice_page(language, "Soon.", 5)
