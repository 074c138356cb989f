"""What a screen says of the players: once, and of each under one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from display.i18n import LANGUAGES, words
from display.view import Situation
from display.words.present import present
from display.words.sentences import capital
from engine.players.bots.strengths import RIVALS
from engine.rules.track import BySide


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_gave_up_is_said_once(shown: Mapping[str, Situation], language: str) -> None:
    """The verdict says so, or how it ended: over the fencers it stood again, and was spoken again."""
    for name, detail in (("touch", False), ("stuck", False), ("match_over", True)):
        view = present(replace(shown[name], language=language))
        assert view.ending is not None
        assert view.ending.decided_by == ""
        assert bool(view.verdict.detail) is detail
    proven = present(replace(shown["touch_proven"], language=language))
    assert proven.ending is not None
    assert proven.ending.decided_by
    would_have_parried = capital(words(language), "working.parry", value=5, count=3)
    assert proven.ending.steps == (would_have_parried, proven.ending.decided_by)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_has_one_name_in_the_line_of_the_players_and_in_every_sentence(
    shown: Mapping[str, Situation], language: str
) -> None:
    for rival in RIVALS:
        view = present(replace(shown["advance"], language=language, names=BySide(rival, "Ben")))
        assert view.match.names.white in view.verdict.headline
        assert view.match.names.white == words(language).say(f"hands.level.{RIVALS[rival]}")
