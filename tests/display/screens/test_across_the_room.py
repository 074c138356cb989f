"""What happened is told from across the room: by the mean colour of what is drawn, which is all the eye has there."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from display.draw.parts import draw_parts
from display.draw.pictures import new_surface
from display.draw.theme import LOOKS
from display.i18n import LANGUAGES
from display.screens.camera import CameraPicture
from display.tabletop.hands import Hands
from display.tabletop.places import space_box
from display.words.present import present
from tests.display.draw.test_theme import APART, SIGHTS, distance
from tests.display.drawn import draw_table
from tests.display.showcase import situations
from tests.display.tabletop.conftest import PICTURES, VIEW

STATES = {
    "accepted": "advance",
    "attack": "attack_direct",
    "refused": "wrong_distance",
    "asked": "give_up",
    "won": "stuck",
    "paused": "paused",
}
FOOT_PX = 90
"""At the foot of the screen, of 720 lines: within the band, however low it is."""


def drawn(name: str, look: str, language: str, *, paused: bool = False) -> pygame.Surface:
    surface = new_surface(1280, 720)
    shown = situations()[name]
    draw_table(surface, present(replace(shown, language=language, paused=paused or shown.paused)), theme=LOOKS[look])
    return surface


def mean(surface: pygame.Surface, box: pygame.Rect) -> tuple[int, int, int]:
    red, green, blue, _ = pygame.transform.average_color(surface, box)
    return red, green, blue


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_bands_are_told_apart_by_their_mean_colour(look: str, language: str) -> None:
    foot = pygame.Rect(0, 720 - FOOT_PX, 1280, FOOT_PX)
    colours = {state: mean(drawn(name, look, language), foot) for state, name in STATES.items()}
    for sight in SIGHTS:
        near = {
            (one, other): distance(colours[one], colours[other], sight)
            for one, other in combinations(colours, 2)
            if distance(colours[one], colours[other], sight) < APART
        }
        assert near == {}, sight


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", ["round", "advance", "attack_direct", "setup", "stuck", "no_match"])
def test_a_paused_match_looks_otherwise_all_over(look: str, name: str) -> None:
    stage = pygame.Rect(0, 110, 1280, 270)
    going, held = (mean(drawn(name, look, "en", paused=paused), stage) for paused in (False, True))
    assert min(distance(going, held, sight) for sight in SIGHTS) > 2 * APART


@pytest.mark.parametrize("look", ["parchment", "clear-large"])
def test_a_paused_table_is_dark_but_for_the_button_that_goes_on(look: str) -> None:
    theme, drawn_by = LOOKS[look], {}
    for name in ("advance", "paused"):
        hands, surface = Hands(PICTURES, lambda deed: None), new_surface(1280, 720)
        hands.view = VIEW
        draw_parts(surface, hands.parts((1280, 720), 80, present(situations()[name]), theme), theme)
        drawn_by[name] = surface
    assert hands.places is not None
    button, cloth = hands.places.act, pygame.Rect(*hands.places.picture.topleft, 250, 300)
    going, held = (mean(drawn_by[name], cloth) for name in ("advance", "paused"))
    assert all(dark < 0.6 * light for dark, light in zip(held, going, strict=True))
    assert tuple(drawn_by["paused"].get_at((button.left + 20, button.centery - 12)))[:3] == theme.gold


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("beige", [(222, 211, 187), (213, 202, 179)])
def test_a_lit_space_of_the_played_table_is_told_from_the_piste(look: str, beige: tuple[int, int, int]) -> None:
    """It was a pale gold on beige, the colours of two spaces of the printed board."""
    ground = CameraPicture(bytes(reversed(beige)) * (240 * 114), 240, 114)
    view = present(situations()["advance"])
    seen: list[tuple[int, int, int]] = []
    for lit in ((), (5,)):
        hands, surface = Hands(replace(PICTURES, ground=ground), lambda deed: None), new_surface(1280, 720)
        hands.view = replace(VIEW, distance=0)
        shown = replace(view, piste=replace(view.piste, lit=lit, distance=0))
        draw_parts(surface, hands.parts((1280, 720), 80, shown, LOOKS[look]), LOOKS[look])
        assert hands.places is not None
        seen.append(mean(surface, space_box(hands.places, 5)))
    assert min(distance(seen[0], seen[1], sight) for sight in SIGHTS) > 2 * APART
