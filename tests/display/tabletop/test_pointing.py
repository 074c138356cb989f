"""What pointer, finger and keys do at the played table: deeds, and what is drawn meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pygame
import pytest

from display.draw.canvas import Canvas
from display.draw.parts import draw_parts
from display.draw.picture import new_surface
from display.draw.theme import DEFAULT, LARGE, LOOKS, Theme
from display.i18n import LANGUAGES
from display.screens.camera import CameraPicture
from display.tabletop.drawing import Pointed, Sprites, draw_top, offer_box, pile_box
from display.tabletop.hands import Hands
from display.tabletop.model import Arm, Fan, Held, Laid, LetGo, LyingCard, Offered, PointerDeed, Put, Taken, TopView
from display.tabletop.pictures import Cutout, TablePictures
from display.tabletop.places import Places, covers, fan_boxes, handle_mm, places
from display.tabletop.pointing import WHEEL_DEG, Pointing
from display.view import Situation, ViewModel
from display.words.hands import Said, deal_to_companion, how_to_play, pass_the_screen, show_hands
from display.words.present import present
from display.workshop.coach_showcase import coach_situations
from display.workshop.contact_sheet import SIZES
from display.workshop.lesson_showcase import lesson_situations
from engine.rules.cards import DECK, Card
from engine.rules.track import BySide, Side

SIZE = (800, 480)
BADGE_PX = 30
"""A figure so tall on a screen of 480 fills its field."""
THREE, FIVE = Card(3, "b"), Card(5, "c")
LYING = LyingCard(FIVE, 300.0, -150.0, 0.0)
VIEW = TopView(
    cards=(LYING,), fans=(Fan(Side.WHITE, (THREE, Card(1, "a"))),), figures=BySide((28.0, 0.0), (616.0, 0.0)), pile=9
)


def cutout(width: int, height: int) -> Cutout:
    return Cutout(bytes((120, 60, 30, 255)) * (width * height), width, height, (width / 2, height / 2))


PICTURES = TablePictures(
    ground=CameraPicture(bytes((90, 60, 40)) * (240 * 114), 240, 114),
    scale=0.2,
    squash=0.866,
    origin_px=(58.0, 40.0),
    cards=dict.fromkeys(DECK, cutout(19, 26)),
    back=cutout(19, 26),
    card_scale=0.3,
    figures=BySide(cutout(10, 20), cutout(10, 20)),
    arms=BySide(cutout(20, 40), cutout(20, 40)),
)
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


def test_a_card_is_dragged_out_of_the_hand_and_laid_where_it_is_let_go() -> None:
    table = Table()
    assert table.down(in_hand())
    assert table.move(AT.px(200.0, -120.0))
    held = table.deeds[-1]
    assert isinstance(held, Held)
    assert held.card == THREE
    assert (held.x_mm, held.y_mm) == pytest.approx((200.0, -120.0), abs=1.0)
    assert table.pointing.pointed.card is not None
    assert table.up(AT.px(210.0, -130.0))
    [laid] = table.done
    assert isinstance(laid, Laid)
    assert (laid.card, laid.turn_deg) == (THREE, 0.0)
    assert (laid.x_mm, laid.y_mm) == pytest.approx((210.0, -130.0), abs=1.0)
    assert not table.pointing.holding


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


def test_a_hand_on_the_bare_table_covers_it_until_it_is_taken_away() -> None:
    table = Table()
    assert table.down(AT.px(450.0, -150.0))
    held = table.deeds[-1]
    assert isinstance(held, Held)
    assert held.x_mm == pytest.approx(450.0, abs=1.0)
    assert held.card is None
    assert held.figure is None
    assert table.up(AT.px(450.0, -150.0))
    assert table.done == []
    assert isinstance(table.deeds[-1], LetGo)


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
    table.down(offer_box(AT, hidden).center)
    table.key(pygame.K_SPACE)
    assert table.deeds == [Offered(), Offered()]
    assert not table.key(pygame.K_1)
    box = fan_boxes(AT, (1,))[0][0]
    assert not table.down((box.centerx + 300, box.centery))
    assert not table.pointing.holding


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
    for with_panel in (False, True):
        at = places(size, round(size[1] * 0.075), PICTURES, with_panel=with_panel)
        for x_mm, y_mm in ((-45.0, 45.0), (661.0, 0.0), (68.0, -260.0), (548.0, -60.0)):
            x, y = at.px(x_mm, y_mm)
            assert at.picture.collidepoint(x, y)
            assert not at.fan.collidepoint(x, y)
            assert at.mm((x, y)) == pytest.approx((x_mm, y_mm))
        for row in fan_boxes(at, (5, 5)):
            assert all(at.fan.contains(box) for box in row)


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", LOOKS.values(), ids=LOOKS)
def test_what_is_said_at_the_table_fits(language: str, theme: Theme, shown: Mapping[str, Situation]) -> None:
    hands = Hands(PICTURES, lambda deed: None)
    asked = pass_the_screen(language, BySide("Annegret", "Jean-Baptiste"), Side.BLACK)
    surface = new_surface(*SIZE)
    for name in ("advance", "must_answer", "more_cards", "blind"):
        view = present(replace(shown[name], language=language))
        for said in (asked, how_to_play(language), deal_to_companion(language, 3), show_hands(language)):
            hands.view = replace(VIEW, ask=said.ask, offer=said.offer, hint=said.hint)
            drawn = draw_parts(surface, hands.parts(SIZE, 50 if theme.large_print else 36, view, theme), theme)
            assert [text.text for text in drawn if text.cut] == []


def written(view: ViewModel, said: Said, size: tuple[int, int], theme: Theme) -> dict[str, int]:
    """How large each text at the table is, on whichever leaf of its panel; the smallest of those alike."""
    hands = Hands(PICTURES, lambda deed: None)
    hands.view = replace(VIEW, ask=said.ask, offer=said.offer, hint=said.hint, slots_mm=((152.0, -224.0),))
    found: dict[str, int] = {}
    for turned in range(1 if view.panel is None else len(view.panel.lines) + 1):
        shown = view if view.panel is None else replace(view, panel=replace(view.panel, turned=turned))
        foot_px = round(size[1] * (0.105 if theme.large_print else 0.075))
        surface = new_surface(*size)
        for text in draw_parts(surface, hands.parts(size, foot_px, shown, theme), theme):
            assert not text.cut, text
            found[text.text] = min(text.size_px, found.get(text.text, text.size_px))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_at_the_table_too_all_is_larger_in_large_print_and_nothing_left_out(
    language: str, size: tuple[int, int], shown: Mapping[str, Situation]
) -> None:
    """Names, score, verdict, what hands are to do, and the words beside the table were as small as in usual print."""
    asked = pass_the_screen(language, BySide("Annegret", "Jean-Baptiste"), Side.BLACK)
    told = {name: replace(shown[name], language=language) for name in ("advance", "must_answer", "stuck", "give_up")}
    told |= {**coach_situations(language), **lesson_situations(language)}
    for said in (asked, how_to_play(language)):
        for name, situation in told.items():
            view = present(situation)
            usual, large = (written(view, said, size, theme) for theme in (DEFAULT, LARGE))
            for text, before_px in usual.items():
                assert text in large, (name, text)
                filled = text.isdigit() and before_px >= BADGE_PX * size[1] / 480  # as high as its field
                assert large[text] > before_px or filled, (name, text, before_px, large[text])


def test_pictures_stand_under_the_words_beside_the_table() -> None:
    """Beside them there was room for a word in a line, and under them nothing."""
    for theme in (DEFAULT, LARGE):
        view = present(lesson_situations("de")["companion_otherwise"])
        assert view.panel is not None
        assert view.panel.slots
        at = places(SIZE, 36, PICTURES, with_panel=True, print_scale=theme.print_scale)
        hands = Hands(PICTURES, lambda deed: None)
        hands.view = VIEW
        drawn = draw_parts(new_surface(*SIZE), hands.parts(SIZE, 36, view, theme), theme)
        lines = [text.rect for text in drawn if text.text in {line.text for line in view.panel.lines}]
        numbers = [text.rect for text in drawn if text.text in "12345" and at.panel.contains(text.rect)]
        assert lines
        assert len(numbers) == 5
        assert max(line.bottom for line in lines) <= min(number.top for number in numbers)
        assert max(line.width for line in lines) > at.panel.width * 0.6
