"""Every screen as it looked when somebody last looked at it: a small picture of each, compared colour by colour.

After a change that is meant, ``pytest tests/display/test_golden.py --snapshot-update`` draws the two sheets anew. They
are so small that what another version of a font or of a library does to edges is no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pygame
import pytest

from display.draw.animation import Animator
from display.draw.parts import draw_parts
from display.draw.pictures import new_surface, png_of
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.screens.compose import Arrangement, compose
from display.tabletop.hands import Hands
from display.tabletop.model import Arm, Fan, LyingCard, TopView
from display.view import ViewModel
from display.words.present import present
from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from engine.table.possible_turns import Lead
from tests.display.contact_sheet import DrawScreen, other_screens, table_screens
from tests.display.drawn import SIZE
from tests.display.showcase import situations
from tests.display.tabletop.conftest import FIVE, ONE, PICTURES, THREE, VIEW

LANGUAGE: Final = "de"
SMALL: Final = (40, 24)
COLUMNS: Final = 20
NEAR: Final = 8
"""Colours differ by no more, of 255, where only edges do."""
MOMENTS: Final = (
    ("advance", "round"),
    ("attack_direct", "advance"),
    ("touch", "attack_direct"),
    ("match_over", "score"),
)
"""What is staged, and from where it came."""
PLAYED: Final = {
    "plain": replace(VIEW, hint="Karte hierher ziehen", distance=21),
    "led": replace(
        VIEW,
        player=Side.WHITE,
        leads={THREE: Lead((2, 8), parries=True), ONE: Lead((3,))},
        answers=True,
        act="Zug beenden",
    ),
    "asked": replace(VIEW, ask="Anna, nimm", offer="Zeigen", slots_mm=((152.0, -224.0), (230.0, -224.0)), to_deal=2),
    "two": replace(VIEW, fans=(*VIEW.fans, Fan(Side.BLACK, (FIVE,), hidden=True)), discards=(ONE, THREE), pile=4),
    "arm": replace(VIEW, arms=(Arm(Side.BLACK, 300.0, -200.0, LyingCard(THREE, 300.0, -160.0, 10.0)),)),
    "ended": replace(VIEW, ended=BySide((THREE,), (ONE, Card(2, "c")))),
}


def screens() -> Iterator[tuple[str, DrawScreen]]:
    """All there are, moves and victories at some moments, and the played table."""
    yield from {**table_screens(LANGUAGE), **other_screens(LANGUAGE)}.items()
    views = {name: present(replace(each, language=LANGUAGE)) for name, each in situations().items()}
    for now, before in MOMENTS:
        for passed_s in (0.1, 0.3, 0.6, 2.5):
            yield f"{now} after {passed_s} s", staged(views[before], views[now], passed_s)
    for name in ("advance", "attack_direct", "parry_advance", "wrong_distance", "paused", "touch", "more_cards"):
        for table, view in PLAYED.items():
            yield f"{name} played {table}", at_table(views[name], view)


def staged(before: ViewModel, now: ViewModel, passed_s: float) -> DrawScreen:
    animator = Animator()
    animator.step(before, 0.0)
    animator.step(replace(now, serial=9), 1.0)
    view, progress = animator.step(replace(now, serial=9, verdict_age_s=passed_s), 1.0 + passed_s)
    return lambda surface, theme: compose(
        surface, view, arrangement=Arrangement.TABLE, progress=progress, with_buttons=True, theme=theme
    )


def at_table(view: ViewModel, table: TopView) -> DrawScreen:
    hands = Hands(PICTURES, lambda deed: None)
    hands.view = table
    return lambda surface, theme: draw_parts(surface, hands.parts(SIZE, 38, view, theme), theme)


@pytest.mark.slow
@pytest.mark.parametrize("theme", [PARCHMENT, LARGE], ids=lambda theme: theme.name)
def test_every_screen_looks_as_it_did(theme: Theme, request: pytest.FixtureRequest) -> None:
    every = dict(screens())
    sheet = pygame.Surface((SMALL[0] * COLUMNS, SMALL[1] * -(-len(every) // COLUMNS)), 0, 32)
    for number, draw in enumerate(every.values()):
        surface = new_surface(*SIZE)
        draw(surface, theme)
        small = pygame.transform.smoothscale(surface, SMALL)
        sheet.blit(small, (number % COLUMNS * SMALL[0], number // COLUMNS * SMALL[1]))
    file = Path(__file__).with_name(f"golden-{theme.name}.png")
    if request.config.getoption("update_snapshots"):
        file.write_bytes(png_of(sheet))
    kept = pygame.image.load(file)
    assert kept.get_size() == sheet.get_size(), "there are more screens or fewer: draw the sheets anew"
    same = pygame.mask.from_threshold(sheet, (0, 0, 0), (NEAR, NEAR, NEAR, 255), kept)
    same.invert()
    names = list(every)
    found = (box.clip(sheet.get_rect()) for box in same.get_bounding_rects())
    assert {names[box.centery // SMALL[1] * COLUMNS + box.centerx // SMALL[0]] for box in found} == set()
