"""What the screen shows without words, read from the pixels that were drawn: whose turn it is, lamps, fencers, spaces.

In the usual look and in large print. A mark is looked for by its colour; where it is and whose it is, is what is held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import pygame
import pytest

from display.draw.canvas import Canvas
from display.draw.pictures import new_surface
from display.draw.theme import CLEAR, LARGE, PARCHMENT, Colour, Theme
from display.lamps import LAMPS, lamp_state
from display.screens import distance, duel, table
from display.screens.areas import Track, areas, track
from display.screens.lamps import draw_lamps
from display.view import FencerView, PanelView, Pose, Situation, ViewModel
from display.words.present import present
from engine.rules.track import BySide, Side
from tests.display.drawn import draw_table

SIZES = ((800, 480), (1280, 720), (819, 666))
LOOKS = (PARCHMENT, LARGE)
DARK = dict.fromkeys(LAMPS, False)


class Spot(NamedTuple):
    """Pixels of one colour that hang together: their bounds, and how much of the bounds they fill."""

    rect: pygame.Rect
    share: float


def bounds(mask: pygame.mask.Mask) -> list[pygame.Rect]:
    """Of each of its pieces; pygame itself says that these were numbers."""
    return mask.get_bounding_rects()


def spots(surface: pygame.Surface, colour: Colour, box: pygame.Rect, least_px: int, near: int = 1) -> list[Spot]:
    """All of this colour (parts less than ``near`` off) in the box with at least so many pixels, from left to right."""
    mask = pygame.mask.from_threshold(surface.subsurface(box), colour, (near, near, near))
    found = []
    for piece in mask.connected_components(least_px):
        (rect,) = bounds(piece)
        found.append(Spot(rect.move(box.topleft), piece.count() / (rect.width * rect.height)))
    return sorted(found, key=lambda spot: spot.rect.centerx)


def drawn(view: ViewModel, size: tuple[int, int], theme: Theme) -> pygame.Surface:
    surface = new_surface(*size)
    draw_table(surface, view, theme=theme)
    return surface


def head(size: tuple[int, int], theme: Theme) -> pygame.Rect:
    return areas(pygame.Rect(0, 0, *size), theme.print_scale).header


def piste(size: tuple[int, int], theme: Theme, view: ViewModel) -> Track:
    places = areas(pygame.Rect(0, 0, *size), theme.print_scale, near=duel.is_near(view, theme.print_scale))
    return duel.duel_track(places, view) or track(places.stage, places.unit_px, theme.print_scale)


@pytest.fixture(scope="module")
def waiting(shown: Mapping[str, Situation]) -> ViewModel:
    """Nobody is to act, so that nothing in the head but a pip has the colour of one."""
    return replace(
        present(shown["advance"]),
        piste=replace(present(shown["advance"]).piste, to_act=None),
        match=replace(present(shown["advance"]).match, starter=None),
    )


@pytest.mark.parametrize("theme", LOOKS, ids=lambda theme: theme.name)
@pytest.mark.parametrize("acts", list(Side))
def test_whose_turn_it_is_is_seen_under_his_name_alone(waiting: ViewModel, theme: Theme, acts: Side) -> None:
    surface = drawn(
        replace(waiting, piste=replace(waiting.piste, to_act=acts), match=replace(waiting.match, score=BySide(0, 0))),
        SIZES[1],
        theme,
    )
    box = head(SIZES[1], theme)
    foot = pygame.Rect(box.left, box.bottom - 3, box.width, 3)
    (rule,) = spots(surface, theme.gold, foot, 100)
    assert (rule.rect.left == box.left, rule.rect.right == box.right) == (acts is Side.WHITE, acts is Side.BLACK)
    assert rule.rect.width < box.width / 2


LAMP_SIZES = ((312, 300), (499, 440), (240, 200))


def changed(one: pygame.Surface, other: pygame.Surface) -> pygame.Rect:
    """The bounds of all pixels in which two pictures differ notably."""
    mask = pygame.mask.from_threshold(one, (0, 0, 0), (24, 24, 24, 255), other)
    mask.invert()
    rects = bounds(mask)
    assert rects
    return rects[0].unionall(rects[1:])


def lamp_picture(size: tuple[int, int], theme: Theme, *lit: str) -> pygame.Surface:
    surface = pygame.Surface(size)
    draw_lamps(surface, {**DARK, **dict.fromkeys(lit, True)}, surface.get_rect(), theme)
    return surface


@pytest.mark.slow
@pytest.mark.parametrize("theme", [PARCHMENT, CLEAR, LARGE], ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", LAMP_SIZES)
def test_every_lamp_has_its_own_place(size: tuple[int, int], theme: Theme) -> None:
    dark = lamp_picture(size, theme)
    place = {name: changed(dark, lamp_picture(size, theme, name)) for name in LAMPS}
    middle = size[0] / 2
    assert len({rect.center for rect in place.values()}) == len(LAMPS)
    for name, rect in place.items():
        if "left" in name:
            mirrored = place[name.replace("left", "right")]
            assert rect.centerx < middle < mirrored.centerx, name
            assert abs(rect.centerx + mirrored.centerx - size[0]) <= 3, name
            assert abs(rect.centery - mirrored.centery) <= 1, name
    for row in ("distance", "score_left"):
        across = [place[f"{row}_{number}"].centerx for number in range(1, 6)]
        assert across == sorted(set(across)), row
    outward = [place[f"score_right_{number}"].centerx for number in range(1, 6)]
    assert outward == sorted(set(outward), reverse=True)
    assert abs(place["refused"].centerx - middle) <= 2
    assert abs(place["alive"].centerx - middle) <= 2


@pytest.mark.parametrize("theme", [PARCHMENT, CLEAR, LARGE], ids=lambda theme: theme.name)
def test_a_lamp_shines_in_its_own_colour(theme: Theme) -> None:
    glass = theme.lamps
    own = {
        "touch_left": glass.touch.white,
        "touch_right": glass.touch.black,
        "attack_left": glass.attack,
        "attack_right": glass.attack,
        "refused": glass.refused,
        "turn_left": glass.plain,
        "turn_right": glass.plain,
        "score_left_2": glass.touch.white,
        "score_right_5": glass.touch.black,
        "distance_4": glass.plain,
        "alive": glass.plain,
    }
    size = LAMP_SIZES[1]
    dark = lamp_picture(size, theme)
    for name, colour in own.items():
        lit = lamp_picture(size, theme, name)
        box = changed(dark, lit)
        assert count(lit, colour, box) > count(dark, colour, box) + 10, name
        others = {each for each in own.values() if each != colour}
        assert all(count(lit, other, box) <= count(dark, other, box) + 3 for other in others), name


def count(surface: pygame.Surface, colour: Colour, box: pygame.Rect, near: int = 6) -> int:
    return pygame.mask.from_threshold(surface.subsurface(box), colour, (near, near, near)).count()


def standing(view: ViewModel, white: int, black: int) -> ViewModel:
    """Both fencers on guard on these spaces, at rest."""
    fencers = BySide(white, black).map(lambda space: FencerView(space, None, Pose.GUARD, False))
    return replace(view, piste=replace(view.piste, fencers=fencers, before_spaces=None, distance=black - white))


def test_a_touch_bursts_at_the_one_who_was_hit(waiting: ViewModel) -> None:
    view = standing(waiting, 6, 15)
    where = piste(SIZES[1], PARCHMENT, view)
    spared = drawn(view, SIZES[1], PARCHMENT)
    for side, fencer in view.piste.fencers.items():
        hit = drawn(
            replace(
                view, piste=replace(view.piste, fencers=view.piste.fencers.put(side, replace(fencer, pose=Pose.HIT)))
            ),
            SIZES[1],
            PARCHMENT,
        )
        bodies = {}
        for other in Side:
            box = pygame.Rect(0, 0, round(5 * where.pitch_px), round(4 * where.pitch_px))
            box.midbottom = round(where.x_of(view.piste.fencers[other].space)), where.box.top
            bodies[other] = count(hit, PARCHMENT.attack, box) - count(spared, PARCHMENT.attack, box)
        assert [other for other in Side if bodies[other] > 40] == [side]


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside words"])
def test_the_distance_is_true_for_what_it_is_drawn_over_or_not_drawn(
    shown: Mapping[str, Situation], monkeypatch: pytest.MonkeyPatch, beside: bool
) -> None:
    """A figure that stands where it does not belong: no line between it and the other, and no number over one."""
    numbers: list[int] = []
    lines: list[float] = []

    def noted(canvas: Canvas, number: int, box: pygame.Rect, *_: object, **__: object) -> pygame.Rect:
        numbers.append(number)
        return box

    monkeypatch.setattr(Canvas, "number", noted)
    for module, line in ((table, "bridge"), (distance, "bridge"), (duel, "span")):
        monkeypatch.setattr(module, line, lambda _, ends_px, *__: lines.extend(ends_px))
    view = present(
        replace(
            shown["advance"], helped=replace(shown["advance"].helped, panel=PanelView("Help", ()) if beside else None)
        )
    )
    white, black = view.piste.fencers.white, view.piste.fencers.black
    drawn(view, (800, 480), PARCHMENT)
    assert view.piste.distance == black.space - white.space
    assert view.piste.distance in numbers
    assert len(lines) == 2
    numbers.clear()
    lines.clear()
    misplaced = FencerView(black.space - 1, black.space, Pose.GUARD, pending=True)
    drawn(replace(view, piste=replace(view.piste, fencers=BySide(white, misplaced))), (800, 480), PARCHMENT)
    assert not {view.piste.distance, view.piste.distance - 1} & set(numbers)
    assert not lines
    if beside:  # a question's words take the whole width, where no number would tell what a line means
        drawn(replace(view, panel=PanelView("Help", (), asks=True)), (800, 480), PARCHMENT)
        assert view.piste.distance not in numbers
        assert not lines


def test_every_lamp_has_a_state_always(shown: Mapping[str, Situation]) -> None:
    for situation in shown.values():
        assert tuple(present(situation).lamps) == tuple(LAMPS)
    assert len(LAMPS) == 23


def test_more_than_five_points_show_five(shown: Mapping[str, Situation]) -> None:
    state = shown["round"].state
    assert state is not None
    lamps = lamp_state(state._replace(score=BySide(7, 0), points=9), amber=False)
    assert [lamps[f"score_left_{number}"] for number in range(1, 6)] == [True] * 5
    assert tuple(lamps) == tuple(LAMPS)
