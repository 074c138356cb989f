"""What is said while a camera is turned until it sees the board: complete, and short enough for its strip."""

from __future__ import annotations

import pytest

from display.i18n import LANGUAGES, words
from display.view import DeviceSituation, Situation
from display.words.trouble import aim_text, aim_verdict, aim_view
from engine.table.observation import Aim, CameraTurn

AIMS = [Aim(0, 4), Aim(0, 4, mirrored=True), Aim(3, 4), *(Aim(2, 4, turn) for turn in CameraTurn)]
LONGEST = 90


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_turn_of_the_camera_has_its_own_short_words(language: str) -> None:
    say = words(language)
    told = set()
    for aim in AIMS:
        situation = Situation(None, language=language, devices=DeviceSituation(aim=aim))
        seen, verdict = aim_view(say, situation), aim_verdict(say, situation)
        assert seen is not None
        assert verdict is not None
        assert seen.cure == verdict.headline == aim_text(say, aim)
        assert str(aim.seen) in seen.text
        assert len(seen.cure) <= LONGEST
        told.add(seen.cure)
    assert len(told) == len(AIMS)


def test_nothing_is_said_while_nobody_aims() -> None:
    situation = Situation(None)
    assert aim_view(words("en"), situation) is None
    assert aim_verdict(words("en"), situation) is None
