"""What is read at the played table: all of it fits, and all is larger in large print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import pygame
import pytest

from display.draw.animation import Animator
from display.draw.canvas import BODY, Canvas, DrawnText, line_height
from display.draw.leaves import sentences
from display.draw.parts import draw_parts
from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT, LARGE, Theme
from display.i18n import LANGUAGES
from display.screens.ending import CLOSE_UP_S, SCORE_S
from display.tabletop.bar import draw_act, draw_hint
from display.tabletop.hands import Hands
from display.tabletop.model import Arm, Fan, LyingCard
from display.tabletop.places import FOOT_SHARE, Cutout, fan_boxes, places
from display.view import Situation, ViewModel
from display.window import Window
from display.words.present import present
from display.words.sentences import Said, hand_words
from engine.rules.cards import DECK, Card
from engine.rules.track import BySide, Side
from engine.table.possible_turns import Lead
from tests.display.coach_showcase import coach_situations
from tests.display.contact_sheet import SIZES
from tests.display.drawn import LANGUAGE_SIZES, MAX_LEAVES, PRINTS, SMALLEST
from tests.display.lesson_showcase import lesson_situations
from tests.display.tabletop.conftest import ONE, PICTURES, SIZE, THREE, VIEW

BADGE_PX = 30
"""A figure so tall on a screen of 480 fills its field."""


def test_a_bot_is_not_told_what_to_do(shown: Mapping[str, Situation]) -> None:
    """ "Press your button" stood there while the bot laid its cards."""
    hands, view = Hands(PICTURES, lambda deed: None), present(shown["advance"])
    for waits in (False, True):
        hands.view = replace(VIEW, waits=waits)
        drawn = draw_parts(new_surface(*SIZE), hands.parts(SIZE, 36, view, DEFAULT), DEFAULT)
        assert any(view.verdict.hint in text.text for text in drawn) is not waits
        assert any(view.verdict.headline in text.text for text in drawn)


def written(view: ViewModel, said: Said, size: tuple[int, int], theme: Theme) -> dict[str, int]:
    """How large each text at the table is, on whichever leaf of its panel; the smallest of those alike."""
    hands = Hands(PICTURES, lambda deed: None)
    hands.view = replace(VIEW, ask=said.ask, offer=said.offer, hint=said.hint, slots_mm=((152.0, -224.0),))
    found: dict[str, int] = {}
    leaves: list[Sequence[DrawnText]] = []
    for turned in range(1 if view.panel is None else MAX_LEAVES):
        shown = view if view.panel is None else replace(view, panel=replace(view.panel, turned=turned))
        foot_px = round(size[1] * FOOT_SHARE[theme.large_print])
        surface = new_surface(*size)
        texts = draw_parts(surface, hands.parts(size, foot_px, shown, theme), theme)
        if texts in leaves:  # only the first has the texts of the piste, which stays as it is
            break
        leaves.append(texts)
        for text in texts:
            assert not text.cut, text
            found[text.text] = min(text.size_px, found.get(text.text, text.size_px))
    return found


def smallest_part(text: str, found: Mapping[str, int]) -> int:
    """How large a text is, or the smallest of its sentences on whichever leaf; 0 where one of them is missing."""
    if text in found:
        return found[text]
    parts = ([size for drawn, size in found.items() if sentence in drawn] for sentence in sentences(text))
    return min(min(sizes, default=0) for sizes in parts)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_at_the_table_too_all_is_larger_in_large_print_and_nothing_left_out(
    language: str, size: tuple[int, int], shown: Mapping[str, Situation]
) -> None:
    """Names, score, verdict, what hands are to do, and the words beside the table were as small as in usual print.

    Lessons, which say most, on the smallest screen.
    """
    asked = hand_words(language, "take", "show", name="Jean-Baptiste")
    few = {name: replace(shown[name], language=language) for name in ("advance", "must_answer", "stuck", "give_up")}
    lessons = lesson_situations(language) if size == SMALLEST else {}
    told = {**few, **coach_situations(language), **lessons}
    for said, situations in ((asked, told), (hand_words(language, hint="hint"), few)):
        for name, situation in situations.items():
            view = present(situation)
            usual, large = (written(view, said, size, theme) for theme in (DEFAULT, LARGE))
            for text, before_px in usual.items():
                now_px = smallest_part(text, large)
                assert now_px, (name, text)
                filled = text.isdigit() and before_px >= BADGE_PX * size[1] / 480  # as high as its field
                assert now_px > before_px or filled, (name, text, before_px, now_px)


CARD_RGB, FIGURE_RGB = (255, 0, 255), (0, 255, 255)


def seen_boxes(rgb: tuple[int, int, int], surface: pygame.Surface) -> list[pygame.Rect]:
    """Where this colour is in the picture, from the left."""
    found = pygame.mask.from_threshold(surface, rgb, (60, 60, 60, 255)).get_bounding_rects()
    return sorted((box for box in found if box.width > 2), key=lambda box: box.left)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("panel", ["", "lesson_do"])
def test_no_number_on_the_table_is_smaller_in_large_print(
    size: tuple[int, int], panel: str, shown: Mapping[str, Situation]
) -> None:
    """Cards on the table and in hand, and the spaces between the fencers: they were a fifth smaller."""
    card, figure = (Cutout(bytes((*rgb, 255)) * (19 * 26), 19, 26, (9.5, 13.0)) for rgb in (CARD_RGB, FIGURE_RGB))
    pictures = replace(PICTURES, cards=dict.fromkeys(DECK, card), figures=BySide(figure, figure))
    view = present(lesson_situations("en")[panel] if panel else shown["advance"])
    wide, tall, held_px, piste_px = [], [], [], []
    for theme in (DEFAULT, LARGE):
        hands = Hands(pictures, lambda deed: None)
        hands.view = replace(VIEW, fans=(replace(VIEW.fans[0], cards=(THREE,)),))
        foot_px = round(size[1] * FOOT_SHARE[theme.large_print])
        surface = new_surface(*size)
        draw_parts(surface, hands.parts(size, foot_px, view, theme), theme)
        lying, held = sorted(seen_boxes(CARD_RGB, surface), key=lambda box: box.top)
        white, black = seen_boxes(FIGURE_RGB, surface)
        wide.append(lying.width)
        tall.append(lying.height)
        held_px.append(held.width)
        piste_px.append(black.centerx - white.centerx)
        assert held.height >= held.width * 26 / 19 - 1, "no card of the hand is cut"
    for usual, large in (wide, tall, held_px, piste_px):
        assert large >= usual


@pytest.mark.parametrize("theme", [DEFAULT, LARGE])
def test_what_the_table_asks_for_covers_neither_cards_nor_button(theme: Theme, shown: Mapping[str, Situation]) -> None:
    for size, name in product(SIZES, ("advance", "wrong_distance", "attack_direct")):
        hands = Hands(PICTURES, lambda deed: None)
        said = hand_words("de", "nothing_to_take_back")
        hands.view = replace(VIEW, ask=said.ask)
        parts = hands.parts(size, round(size[1] * 0.1), present(replace(shown[name], language="de")), theme)
        drawn, at = draw_parts(new_surface(*size), parts, theme), hands.places
        assert at is not None
        assert at.picture.contains(at.act)
        (asked,) = (text for text in drawn if said.ask in text.text)
        assert at.band.contains(asked.rect)
        assert not asked.cut


@pytest.mark.parametrize("theme", [DEFAULT, LARGE])
@pytest.mark.parametrize("name", ["touch", "more_cards", "match_over", "draw"])
def test_the_sheet_over_the_table_does_not_say_again_what_the_bar_says(
    name: str, theme: Theme, shown: Mapping[str, Situation]
) -> None:
    view = replace(present(shown[name]), verdict_age_s=99.0)
    assert view.ending is not None
    hands = Hands(PICTURES, lambda deed: None)
    hands.view = replace(VIEW, ended=BySide((THREE,), (ONE,)))
    texts = [text.text for text in draw_parts(new_surface(*SIZE), hands.parts(SIZE, 50, view, theme), theme)]
    said = (*view.ending.steps, view.ending.because, view.verdict.headline)
    assert {line: sum(line in text for text in texts) for line in said} == dict.fromkeys(said, 1)


@pytest.mark.parametrize("theme", [DEFAULT, LARGE])
def test_cards_that_parry_stand_out_from_those_that_retreat(theme: Theme, shown: Mapping[str, Situation]) -> None:
    """Attacked indirectly every card of the hand can retreat, and all of them rose alike."""
    card = Cutout(bytes((*CARD_RGB, 255)) * (19 * 26), 19, 26, (9.5, 13.0))
    pictures = replace(PICTURES, cards=dict.fromkeys(DECK, card))
    tops = {}
    cases: dict[str, Mapping[Card, Lead]] = {
        "no answer": {},
        "retreats": {ONE: Lead((3,)), THREE: Lead((1,))},
        "parries": {ONE: Lead((3,)), THREE: Lead((1,), parries=True)},
    }
    for name, leads in cases.items():
        hands = Hands(pictures, lambda deed: None)
        hands.view = replace(VIEW, cards=(), player=Side.WHITE, answers=bool(leads), leads=leads)
        surface = new_surface(*SIZE)
        draw_parts(surface, hands.parts(SIZE, 36, present(shown["attack_indirect"]), theme), theme)
        tops[name] = tuple(box.top for box in seen_boxes(CARD_RGB, surface))
    (low, _), (half, also), (parries, retreats) = tops.values()
    assert half == also == retreats
    assert parries < retreats < low
    assert retreats - parries >= low - retreats - 1


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_that_have_no_room_under_large_words_have_a_leaf_of_their_own(language: str) -> None:
    view = present(lesson_situations(language)["lesson_hints"])
    assert view.panel is not None
    (picture,), lines = view.panel.pictures, {line.text for line in view.panel.lines}
    at = places(SIZE, 50, PICTURES, with_panel=True, print_scale=LARGE.print_scale)
    hands = Hands(PICTURES, lambda deed: None)
    hands.view = VIEW
    told: set[str] = set()
    alone = 0
    for turned in range(MAX_LEAVES):
        shown = replace(view, panel=replace(view.panel, turned=turned))
        texts = draw_parts(new_surface(*SIZE), hands.parts(SIZE, 50, shown, LARGE), LARGE)
        on_leaf = {text.text for text in texts} & lines
        told |= on_leaf
        captions = [text for text in texts if text.text == picture.text and at.panel.contains(text.rect)]
        assert bool(captions) is not bool(on_leaf)
        alone += len(captions)
    assert told == lines
    assert 0 < alone < MAX_LEAVES


@pytest.mark.parametrize("to", [(100.0, -40.0), (300.0, -330.0), (560.0, -400.0)])
@pytest.mark.parametrize("carried", [{}, {"card": LyingCard(ONE, 0.0, -330.0, 4.0)}, {"figure": Side.WHITE}])
def test_an_arm_on_its_way_looks_as_where_nothing_was_drawn_before(
    to: tuple[float, float], carried: dict[str, LyingCard | Side], shown: Mapping[str, Situation]
) -> None:
    view = present(shown["advance"])
    pictures = []
    for way in ([(60.0, -200.0), (90.0, -390.0), to], [to]):
        hands = Hands(PICTURES, lambda deed: None)
        surface = new_surface(*SIZE)
        for x_mm, y_mm in way:
            arms = Arm(Side.BLACK, x_mm, y_mm, **carried), Arm(Side.WHITE, x_mm + 90.0, y_mm + 60.0)  # type: ignore[arg-type]
            hands.view = replace(VIEW, arms=arms, act="Next round", ready=True, hint="Drag a card onto the table.")
            draw_parts(surface, hands.parts(SIZE, 36, view, DEFAULT), DEFAULT)
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pictures[0] == pictures[1]


def test_a_touch_is_seen_from_near_then_the_score_then_why(shown: Mapping[str, Situation]) -> None:
    pygame.display.init()
    window = Window(pygame.display.set_mode(SIZE), clock_s=lambda: 0.0)
    window.hands = Hands(PICTURES, lambda deed: None)
    held: BySide[tuple[Card, ...]] = BySide((THREE,), (ONE,))
    window.hands.view = replace(VIEW, ended=held)
    before, over = present(shown["attack_direct"]), replace(present(shown["touch"]), serial=99)
    assert over.ending is not None
    pictures: list[tuple[bytes, set[str]]] = []
    for on in (True, False):
        window.animator = Animator(on=on)
        window.show(before, None, 0.0)
        for now_s in (1.0, 1.0 + CLOSE_UP_S + 0.1, 1.0 + SCORE_S + 9.0):
            window.show(replace(over, verdict_age_s=now_s - 1.0), None, now_s)
            pictures.append((pygame.image.tobytes(window.surface, "RGB"), {*words_on(window)}))
    window.close()
    (near, _), (score, _), (why, said), *plain = pictures
    assert len({near, score, why}) == 3
    assert {*over.ending.working} <= said
    assert any(over.ending.because in text for text in said)
    assert {picture for picture, _ in plain} == {why}, "switched off, why is told at once"


def words_on(window: Window) -> list[str]:
    """Every text of the picture as it is drawn anew."""
    assert window.hands is not None
    shown = window._shown
    assert shown is not None
    parts = window.hands.parts(SIZE, 36, replace(shown.view, piste=replace(shown.view.piste, joy_s=None)), DEFAULT)
    return [text.text for text in draw_parts(new_surface(*SIZE), parts, DEFAULT)]


@pytest.mark.parametrize(("name", "hands", "most"), [("open_legal", 1, 2), ("open_parry", 1, 3), ("open_parry", 2, 3)])
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_button_beside_words_says_a_move_in_two_lines_and_a_whole_turn_in_three(
    language: str, theme: Theme, name: str, hands: int, most: int, shown: Mapping[str, Situation]
) -> None:
    """A move in French had four, of a word or two each, and a parry with an attack was too small to be read."""
    view = present(replace(shown[name], language=language))
    for size in SIZES:
        foot_px = round(size[1] * FOOT_SHARE[theme.large_print])
        at = places(size, foot_px, PICTURES, with_panel=True, print_scale=theme.print_scale, hands=hands)
        canvas = Canvas(new_surface(*size), theme)
        draw_act(canvas, at, replace(VIEW, act=view.act.text, ready=True))
        (said,) = canvas.texts
        usual_px = round(BODY * at.unit_px)
        assert said.size_px >= usual_px, (size, said)
        assert round(said.rect.height / line_height(said.size_px)) <= most, (size, said)


@pytest.mark.parametrize("theme", [DEFAULT, LARGE])
@pytest.mark.parametrize("count", range(1, 6))
def test_how_hands_are_used_is_written_beside_the_cards_and_never_over_them(theme: Theme, count: int) -> None:
    for size, with_panel in product(SIZES, (False, True)):
        large = theme.large_print
        foot_px = round(size[1] * FOOT_SHARE[large])
        at = places(size, foot_px, PICTURES, with_panel=with_panel, print_scale=theme.print_scale)
        fans = (Fan(Side.WHITE, DECK[:count]),)
        canvas = Canvas(new_surface(*size), theme)
        draw_hint(canvas, at, replace(VIEW, fans=fans, hint=hand_words("fr", hint="hint").hint))
        (cards,) = fan_boxes(at, (count,))
        assert all(not text.cut and text.rect.right <= cards[0].left for text in canvas.texts)
        assert canvas.texts or with_panel, "there is room where no words stand beside the table"
