"""What pointer, finger and keys do at the played table: scenes of deeds in ``pointing.txt``, and what is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

import pygame
import pytest

from display.draw.canvas import Canvas
from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT, LARGE
from display.tabletop.drawing import Pointed, Sprites, draw_top
from display.tabletop.model import Arm, Fan, LyingCard, PointerDeed
from display.tabletop.places import (
    FOOT_SHARE,
    Places,
    covers,
    fan_boxes,
    figure_box,
    handle_mm,
    pile_box,
    places,
    space_box,
)
from display.tabletop.pointing import Pointing
from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.possible_turns import Lead
from tests.display.tabletop.conftest import FIVE, LYING, ONE, PICTURES, SIZE, THREE, VIEW
from tests.scenes import Scene, played, scenes

POINTING: Final = Path(__file__).with_name("pointing.txt")
AT: Places = places(SIZE, 36, PICTURES, with_panel=False)


LED: Final = replace(VIEW, leads={THREE: Lead((2, 8)), ONE: Lead(strikes=True)}, player=Side.WHITE, act="End turn")
VIEWS: Final = {
    "plain": VIEW,
    "settled": replace(VIEW, settled=(FIVE,)),
    "hidden": replace(VIEW, fans=(Fan(Side.WHITE, (THREE,), hidden=True),), ask="Anna", offer="Show"),
    "led": LED,
    "unlit": replace(LED, leads={}),
    "steps": replace(LED, steps=(5,)),
    "deal": replace(VIEW, to_deal=2, slots_mm=((152.0, -224.0),)),
}


class AtTable(Scene):
    """A table somebody points at: what comes of a command are deeds, and what is pointed at now."""

    def __init__(self) -> None:
        self.do_table("plain")

    def do_table(self, name: str) -> None:
        self.deeds: list[PointerDeed] = []
        self.pointing = Pointing(self.deeds.append)
        self.pointing.view, self.pointing.places = VIEWS[name], AT
        self.taken, self.before = True, self.pointing.pointed

    def does(self, line: str) -> Iterator[str]:
        self.deeds.clear()
        yield from super().does(line)
        if not self.taken:
            yield "left to the game"
        yield from (f"{type(deed).__name__}: {values(deed)}" for deed in self.deeds)
        before, self.before = self.before, self.pointing.pointed
        for field in fields(Pointed):
            if (now := getattr(self.before, field.name)) != getattr(before, field.name):
                yield f"{field.name} {values(now)}"

    def take(self, kind: int, **more: Any) -> None:
        self.taken = self.pointing.take(pygame.event.Event(kind, **more), SIZE)

    def mouse(self, kind: int, where: Sequence[str], *, touch: bool = False) -> None:
        self.take(kind, pos=at(where), button=1, touch=touch)

    def do_down(self, *where: str) -> None:
        self.mouse(pygame.MOUSEBUTTONDOWN, where)

    def do_move(self, *where: str) -> None:
        self.mouse(pygame.MOUSEMOTION, where)

    def do_up(self, *where: str) -> None:
        self.mouse(pygame.MOUSEBUTTONUP, where)

    def do_tap(self, *where: str) -> None:
        self.do_down(*where)
        self.do_up(*where)

    def do_echo(self, *where: str) -> None:
        """The mouse event that SDL makes of a touch."""
        self.mouse(pygame.MOUSEBUTTONDOWN, where, touch=True)

    def do_finger(self, kind: str, number: str, *where: str) -> None:
        x, y = at(where)
        self.take(getattr(pygame, f"FINGER{kind}"), finger_id=int(number), x=x / SIZE[0], y=y / SIZE[1])

    def do_wheel(self, notches: str) -> None:
        self.take(pygame.MOUSEWHEEL, x=0, y=int(notches))

    def do_key(self, name: str) -> None:
        self.take(pygame.KEYDOWN, key=getattr(pygame, f"K_{name}"))


def values(value: object) -> str:
    """A deed's values, or one that is pointed at, lengths in whole millimetres."""
    match value:
        case float():
            return str(round(value))
        case Card() | int() | str() | None:
            return str(value)
        case Side():
            return value.value
        case tuple():
            return f"({' '.join(map(values, value))})"
    assert is_dataclass(value)
    return " ".join(f"{each.name}={values(getattr(value, each.name))}" for each in fields(value))


def at(where: Sequence[str]) -> tuple[int, int]:
    """The pixel of a place: ``mm`` or ``px``, a card of the hand, a space, a fencer, a handle, the pile, the button."""
    kind, *numbers = where
    x, y = (*map(float, numbers), 0.0, 0.0)[:2]
    (first, second), fan = fan_boxes(AT, (2,))[0], fan_boxes(AT, (1,))[0][0]
    place: tuple[float, float] = {
        "px": (x, y),
        "mm": AT.px(x, y),
        "hand": ((second if x == 2 else first).centerx, first.top + 10),
        "fan": (fan.centerx + x, fan.centery),
        "space": space_box(AT, max(1, int(x))).center,
        "own": figure_box(AT, *VIEW.figures.white).center,
        "opponent": figure_box(AT, *VIEW.figures.black).center,
        "handle": AT.px(*handle_mm(LYING)),
        "pile": pile_box(AT).center,
        "act": AT.act.center,
    }[kind]
    return round(place[0]), round(place[1])


@pytest.mark.parametrize("scene", scenes(POINTING))
def test_what_is_pointed_at_becomes_deeds(scene: str, request: pytest.FixtureRequest) -> None:
    assert played(POINTING, scene, AtTable(), request) == scene


def test_nothing_is_taken_before_anything_was_drawn() -> None:
    assert not Pointing(lambda deed: None).take(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_1), SIZE)


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 720), (1920, 1080)])
def test_everything_has_its_place_on_every_screen(size: tuple[int, int]) -> None:
    for with_panel, theme in product((False, True), (DEFAULT, LARGE)):
        foot_px = round(size[1] * FOOT_SHARE[theme.large_print])
        at = places(size, foot_px, PICTURES, with_panel=with_panel, print_scale=theme.print_scale)
        for x_mm, y_mm in ((-45.0, 45.0), (661.0, 0.0), (68.0, -226.0), (548.0, -60.0)):
            x, y = at.px(x_mm, y_mm)
            assert at.picture.collidepoint(x, y)
            assert not at.fan.collidepoint(x, y)
            assert at.mm((x, y)) == pytest.approx((x_mm, y_mm))
        for counts in ((5,), (5, 5)):
            for row in fan_boxes(at, counts):
                assert all(at.fan.contains(box) for box in row), "no card of a hand is cut"
                assert not any(at.act.colliderect(box) for box in row)
        assert at.picture.contains(at.act)


def test_a_place_lies_on_a_turned_card_or_beside_it() -> None:
    card = replace(LYING, turn_deg=90.0)
    assert covers(card, 300.0 + 40.0, -150.0)
    assert not covers(card, 300.0, -150.0 + 40.0)
    assert handle_mm(LYING)[1] > LYING.y_mm + 44.0


def test_only_what_is_held_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.init()
    surface, sprites = new_surface(*SIZE), Sprites(PICTURES)
    drawn: list[str] = []
    lays: Callable[..., Any] = Sprites.ground

    def noted(self: Sprites, at: Places) -> pygame.Surface:
        drawn.append("ground")
        surface: pygame.Surface = lays(self, at)
        return surface

    monkeypatch.setattr(Sprites, "ground", noted)
    arm = Arm(Side.BLACK, 300.0, -200.0, LyingCard(THREE, 300.0, -160.0, 10.0))
    view = replace(VIEW, arms=(arm,), slots_mm=((152.0, -224.0),), hint="Drag", distance=21)
    canvas = Canvas(surface, DEFAULT)
    for x_mm in (200.0, 220.0, 240.0):
        draw_top(canvas, sprites, AT, view, Pointed(card=LyingCard(FIVE, x_mm, -150.0, 0.0)))
    assert drawn == ["ground"]
    draw_top(canvas, sprites, AT, replace(view, pile=8), Pointed(figure=(Side.WHITE, 100.0, 0.0)))
    draw_top(canvas, sprites, AT, view, Pointed(chosen=LYING, lifted=THREE))
    assert drawn == ["ground"] * 3
    assert [text.text for text in canvas.texts if text.text == "Drag"]
