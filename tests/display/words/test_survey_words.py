"""What ``engarde watch --survey`` says: a sentence for each way in which cards can lie."""

from __future__ import annotations

import pytest

from display.i18n import LANGUAGES, words
from vision.printed.arrangements import ARRANGEMENTS, Laid


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_has_its_sentence(language: str) -> None:
    ways = {way.value for way in Laid} | {
        f"{each.laid.value}_alone" for each in ARRANGEMENTS if each.held and not each.cards
    }
    assert len({words(language).say(f"survey.{way}", cards="3b", held="2a") for way in ways}) == len(ways)
