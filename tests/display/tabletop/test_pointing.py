"""What pointer, finger and keys do at the played table: deeds, and what is drawn meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pygame
import pytest

from display.draw.canvas import Canvas
from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT, LARGE
from display.tabletop.drawing import Pointed, Sprites, draw_top
from display.tabletop.model import (
    Acted,
    Arm,
    Fan,
    Held,
    Laid,
    LetGo,
    LyingCard,
    Played,
    PointerDeed,
    Put,
    Taken,
    TopView,
)
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
from display.tabletop.pointing import WHEEL_DEG, Pointing
from engine.rules.track import Side
from engine.table.possible_turns import Lead
from tests.display.tabletop.conftest import FIVE, LYING, ONE, PICTURES, SIZE, THREE, VIEW

AT: Places = places(SIZE, 36, PICTURES, with_panel=False)


class Table:
    """A table somebody points at, and the deeds that came of it."""

    def __init__(self, view: TopView = VIEW) -> None:
        self.deeds: list[PointerDeed] = []
        self.pointing = Pointing(self.deeds.append)
        self.pointing.view, self.pointing.places = view, AT

    def mouse(self, kind: int, at: tuple[float, float], **more: Any) -> bool:
        pos = round(at[0]), round(at[1])
        return self.pointing.take(pygame.event.Event(kind, pos=pos, button=1, touch=False, **more), SIZE)

    def down(self, at: tuple[float, float]) -> bool:
        return self.mouse(pygame.MOUSEBUTTONDOWN, at)

    def move(self, at: tuple[float, float]) -> bool:
        return self.mouse(pygame.MOUSEMOTION, at)

    def up(self, at: tuple[float, float]) -> bool:
        return self.mouse(pygame.MOUSEBUTTONUP, at)

    def key(self, key: int) -> bool:
        return self.pointing.take(pygame.event.Event(pygame.KEYDOWN, key=key), SIZE)

    @property
    def done(self) -> list[PointerDeed]:
        """All but where the hand was meanwhile."""
        return [deed for deed in self.deeds if not isinstance(deed, Held | LetGo)]


def in_hand(number: int = 0) -> tuple[int, int]:
    box = fan_boxes(AT, (2,))[0][number]
    return box.centerx, box.top + 10


def test_a_card_let_go_over_the_hand_stays_in_it() -> None:
    table = Table()
    table.down(in_hand())
    table.move(AT.px(200.0, -120.0))
    table.up(in_hand(1))
    assert table.done == []
    assert isinstance(table.deeds[-1], LetGo)


def test_a_lying_card_is_taken_back_moved_or_just_chosen() -> None:
    table = Table()
    at = AT.px(310.0, -160.0)
    table.down(at)
    table.up((at[0] + 2, at[1]))
    assert table.deeds == [LetGo()]
    assert table.pointing.pointed.chosen == LYING
    table.down(at)
    table.move(AT.px(400.0, -160.0))
    table.up(AT.px(400.0, -160.0))
    [moved] = table.done
    assert isinstance(moved, Laid)
    assert moved.x_mm == pytest.approx(390.0, abs=2.0), "it is held where it was gripped"
    table.down(at)
    table.move(in_hand())
    table.up(in_hand())
    assert table.done[1:] == [Taken(FIVE)]


def test_the_wheel_turns_what_is_held_and_the_handle_what_was_chosen() -> None:
    table = Table()
    table.down(in_hand())
    table.pointing.take(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-2), SIZE)
    table.key(pygame.K_COMMA)
    table.move(AT.px(200.0, -120.0))
    table.up(AT.px(200.0, -120.0))
    [laid] = table.done
    assert isinstance(laid, Laid)
    assert laid.turn_deg == -WHEEL_DEG
    table.deeds.clear()
    at = AT.px(300.0, -150.0)
    table.down(at)
    table.up(at)
    table.down(AT.px(*handle_mm(LYING)))
    table.move(AT.px(300.0 - 60.0, -150.0))
    table.up(AT.px(300.0 - 60.0, -150.0))
    [turned] = table.done
    assert isinstance(turned, Laid)
    assert turned.turn_deg == pytest.approx(90.0, abs=2.0)
    assert (turned.x_mm, turned.y_mm) == (300.0, -150.0)


def test_a_card_of_a_turn_that_was_ruled_on_has_no_handle() -> None:
    table = Table(replace(VIEW, settled=(FIVE,)))
    at = AT.px(300.0, -150.0)
    table.down(at)
    table.up(at)
    assert table.pointing.pointed.chosen is None


def test_a_fencer_is_dragged_along_the_piste() -> None:
    table = Table()
    table.down(AT.px(28.0, 8.0))
    table.move(AT.px(84.0, 8.0))
    assert table.pointing.pointed.figure is not None
    table.up(AT.px(84.0, 8.0))
    [put] = table.done
    assert isinstance(put, Put)
    assert put.side is Side.WHITE
    assert (put.x_mm, put.y_mm) == pytest.approx((84.0, 0.0), abs=2.0)


def test_one_finger_holds_and_a_second_one_does_nothing() -> None:
    table = Table()

    def finger(kind: int, at: tuple[float, float], number: int) -> bool:
        event = pygame.event.Event(kind, finger_id=number, x=at[0] / SIZE[0], y=at[1] / SIZE[1])
        return table.pointing.take(event, SIZE)

    assert finger(pygame.FINGERDOWN, in_hand(), 3)
    assert not finger(pygame.FINGERMOTION, (5, 5), 4)
    finger(pygame.FINGERMOTION, AT.px(200.0, -120.0), 3)
    assert not finger(pygame.FINGERUP, (5, 5), 4)
    assert finger(pygame.FINGERUP, AT.px(200.0, -120.0), 3)
    assert len(table.done) == 1
    echo = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=in_hand(), button=1, touch=True)
    assert not table.pointing.take(echo, SIZE)


def test_what_is_hidden_cannot_be_taken_and_what_is_offered_can() -> None:
    hidden = replace(VIEW, fans=(Fan(Side.WHITE, (THREE,), hidden=True),), ask="Anna", offer="Show")
    table = Table(hidden)
    table.down(AT.act.center)
    table.key(pygame.K_SPACE)
    assert table.deeds == [Acted(), Acted()]
    assert not table.key(pygame.K_1)
    box = fan_boxes(AT, (1,))[0][0]
    assert not table.down((box.centerx - 150, box.centery))
    assert not table.pointing.holding


LEADS = {THREE: Lead((2, 8)), ONE: Lead(strikes=True)}
LED = replace(VIEW, leads=LEADS, player=Side.WHITE, act="End turn")
OPPONENT = figure_box(AT, *VIEW.figures.black).center


def test_where_nothing_is_lit_because_it_is_the_question_a_tap_on_the_opponent_lays_the_card() -> None:
    table = Table(replace(LED, leads={}))
    for number, card in enumerate((THREE, ONE)):
        table.down(in_hand(number))
        table.up(in_hand(number))
        assert table.pointing.pointed.lit == ()
        table.down(OPPONENT)
        table.up(OPPONENT)
        assert table.done == [Played(card, None)]
        table.deeds.clear()


def test_a_card_that_is_dragged_to_where_it_leads_is_played_there() -> None:
    table = Table(LED)
    for number, card, at, target in ((0, THREE, space_box(AT, 2).center, 2), (1, ONE, OPPONENT, None)):
        table.down(in_hand(number))
        table.move((at[0] - 20, at[1]))
        assert table.pointing.pointed.lit == LED.targets(card)
        table.move(at)
        table.up(at)
        assert table.done == [Played(card, target)]
        table.deeds.clear()


def test_keys_pick_a_card_up_choose_where_to_and_play_it() -> None:
    table = Table(LED)
    assert table.key(pygame.K_1)
    assert (table.pointing.pointed.picked, table.pointing.pointed.aimed) == (THREE, 8)
    assert table.key(pygame.K_LEFT)
    assert table.pointing.pointed.aimed == 2
    assert table.key(pygame.K_RETURN)
    table.key(pygame.K_2)
    table.key(pygame.K_SPACE)
    assert table.done == [Played(THREE, 2), Played(ONE, None)]
    table.key(pygame.K_1)
    table.key(pygame.K_ESCAPE)
    assert table.pointing.pointed.picked is None
    assert len(table.done) == 2


def test_a_second_tap_lays_a_picked_card_down_again_and_one_on_the_cloth_lays_it_there() -> None:
    table = Table(LED)
    for _ in range(2):
        table.down(in_hand())
        table.up(in_hand())
    assert table.pointing.pointed.picked is None
    table.down(in_hand())
    table.up(in_hand())
    table.down(AT.px(400.0, -200.0))
    [laid] = table.done
    assert isinstance(laid, Laid)
    assert (laid.card, round(laid.x_mm)) == (THREE, 400)


def test_a_fencer_is_tapped_and_then_his_space() -> None:
    table = Table(replace(LED, steps=(5,)))
    at = figure_box(AT, *VIEW.figures.white).center
    table.down(at)
    table.up(at)
    assert table.pointing.pointed.lit == (5,)
    table.down(space_box(AT, 5).center)
    assert table.done == [Put(Side.WHITE, 112.0, 0.0)]


def test_a_tap_on_a_space_that_laid_cards_light_moves_the_fencer_there_at_once() -> None:
    table = Table(replace(LED, steps=(5,)))
    for space in (7, 5):
        table.down(space_box(AT, space).center)
        table.up(space_box(AT, space).center)
    assert table.done == [Put(Side.WHITE, 112.0, 0.0)]


def test_keys_are_shown_to_whoever_uses_them() -> None:
    table = Table(LED)
    assert not table.pointing.pointed.by_keys
    table.key(pygame.K_1)
    assert table.pointing.pointed.by_keys
    table.down(AT.px(400.0, -200.0))
    assert not table.pointing.pointed.by_keys


def test_the_companions_next_card_comes_from_the_pile_unseen() -> None:
    table = Table(replace(VIEW, to_deal=2, slots_mm=((152.0, -224.0),)))
    table.down(pile_box(AT).center)
    assert table.pointing.pointed.back
    held = table.deeds[-1]
    assert isinstance(held, Held)
    assert held.card is None
    table.move(AT.px(152.0, -200.0))
    table.up(AT.px(152.0, -200.0))
    [dealt] = table.done
    assert isinstance(dealt, Laid)
    assert dealt.card is None


def test_keys_that_are_not_the_tables_are_left_to_the_game() -> None:
    table = Table()
    for key in (pygame.K_a, pygame.K_SPACE, pygame.K_m, pygame.K_LEFT, pygame.K_9, pygame.K_COMMA):
        assert not table.key(key)
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
