"""What the band says that comes next: kindly while a turn is under way, and only what can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from display.i18n import LANGUAGES, words
from display.view import Situation, Tone
from display.words.present import present
from display.words.sentences import refusal


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_that_is_begun_is_not_scolded(shown: Mapping[str, Situation], language: str) -> None:
    for name in ("not_yet", "going", "figure", "answer", "parried", "other", "wild"):
        begun = shown[f"open_{name}"]
        verdict = present(replace(begun, language=language)).verdict
        assert verdict.tone is Tone.PREVIEW
        assert begun.table.open_turn is not None
        assert refusal(words(language), begun.table.open_turn.ruling) not in f"{verdict.headline} {verdict.detail}"
