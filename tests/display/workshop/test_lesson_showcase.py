"""Lessons, puzzles, the companion and registering on the screen: every one fits, and says what it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from display.draw.pictures import new_surface
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES, words
from display.words.present import present
from engine.companion.backs import CardShown
from engine.companion.companion import CompanionWish
from engine.lessons.lesson import StepStage
from engine.rules.track import Side
from tests.display.drawn import draw_table
from tests.display.lesson_showcase import lesson_situations

Check = Callable[..., None]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", [PARCHMENT, LARGE], ids=lambda theme: theme.name)
def test_every_text_fits_on_the_smallest_screen(check_texts: Check, language: str, theme: Theme) -> None:
    for name, situation in lesson_situations(language).items():
        surface = new_surface(800, 480)
        check_texts(draw_table(surface, present(situation), theme=theme), surface.get_rect(), name)


def test_every_stage_and_everything_asked_for_is_among_them() -> None:
    names = set(lesson_situations("en"))
    assert {f"lesson_{stage.value}" for stage in StepStage} <= names
    assert {f"register_{said.value}" for said in CardShown} <= names
    silent = {CompanionWish.NOTHING, CompanionWish.GATHER, CompanionWish.YIELD}
    assert {f"companion_{wish.value}" for wish in set(CompanionWish) - silent} <= names


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_puzzle_is_called_one_and_a_lesson_a_lesson(language: str) -> None:
    say, shown = words(language), lesson_situations(language)
    for name, key in (("lesson_setup", "tag"), ("puzzle_easy_setup", "puzzle_tag")):
        verdict = shown[name].helped.verdict
        assert verdict is not None
        assert verdict.tag == say.say(f"lessons.said.{key}")


def test_nothing_is_to_be_taken_away_before_a_card_was_shown() -> None:
    shown = lesson_situations("en")
    first, later = shown["register_waiting"].helped.verdict, shown["register_agrees"].helped.verdict
    assert first is not None
    assert later is not None
    assert (first.headline, first.hint) == ("Lay a card face up in the play area.", "")
    assert later.hint == "Take it away and lay the next card face up."


def test_what_is_to_be_set_up_is_what_the_words_ask_for_and_not_yet_done() -> None:
    shown = lesson_situations("en")
    for name in ("lesson_setup", "lesson_not_yet", "lesson_back", "puzzle_easy_setup", "puzzle_hard_setup"):
        situation = shown[name]
        assert situation.state is not None
        assert situation.table.observation is not None
        asked = {remedy.side: remedy.space for remedy in situation.table.remedies if remedy.side and remedy.space}
        assert asked == {side: situation.state.spaces[side] for side in Side}, name
        for side, space in asked.items():
            figure = situation.table.observation.figures[side]
            assert figure.space != space, name
