"""Nothing a player reads is small: every text of every screen and page, at 720 lines, in four languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from display.draw.canvas import NOTE, DrawnText
from display.draw.parts import draw_parts
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES
from display.screens.compose import Arrangement, compose
from display.tabletop.hands import Hands
from display.tabletop.places import FOOT_SHARE
from display.words.present import present
from display.words.sentences import hand_words
from tests.display.drawn import draw_menu
from tests.display.menu_showcase import shown_pages
from tests.display.print_sizes import CAMERA, every_situation, unpainted
from tests.display.tabletop.conftest import PICTURES, VIEW

pytestmark = pytest.mark.slow

SIZE = (1280, 720)
MIN_PX = NOTE * SIZE[1] / 480
"""A usual note, for which the font is asked for 18 pixels.

Figures that fill their field, as those in lamps and on small cards, are pictures: their size is that of the ink.
"""


def screens(language: str, theme: Theme) -> Iterator[tuple[str, list[DrawnText]]]:
    """Every situation as the camera's screen and as the played table show it, with their buttons."""
    for name, situation in every_situation(language).items():
        view = present(situation)
        surface = unpainted(*SIZE)
        for arrangement in (Arrangement.TABLE, Arrangement.BOTH) if language == "de" else (Arrangement.BOTH,):
            yield (
                f"{name} {arrangement}",
                compose(surface, view, CAMERA, arrangement=arrangement, with_buttons=True, theme=theme),
            )
        hands = Hands(PICTURES, lambda deed: None)
        said = hand_words(language, hint="hint")
        hands.view = replace(VIEW, ask=said.ask, offer=said.offer, hint=said.hint, slots_mm=((152.0, -224.0),))
        foot_px = round(SIZE[1] * FOOT_SHARE[theme.large_print])
        yield f"{name} played", draw_parts(surface, hands.parts(SIZE, foot_px, view, theme), theme)


def pages(language: str, theme: Theme) -> Iterator[tuple[str, list[DrawnText]]]:
    for each in shown_pages(language):
        drawn = draw_menu(unpainted(*SIZE), each.page, each.menu, language, theme)
        yield each.name, list(drawn.texts)


@pytest.mark.parametrize(
    ("language", "theme"), [*((language, PARCHMENT) for language in LANGUAGES), ("de", LARGE)]
)  # in large print nothing is smaller: test_print_sizes.py
def test_nothing_is_written_smaller_than_a_note(language: str, theme: Theme) -> None:
    small = {
        (name, text.text, text.size_px)
        for told in (screens, pages)
        for name, texts in told(language, theme)
        for text in texts
        if not text.text.isdigit() and text.size_px < MIN_PX
    }
    assert not small
