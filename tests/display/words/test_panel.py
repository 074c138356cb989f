"""The panel of words beside the game: nothing is cut or left out, and the game stays to be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pygame
import pytest

from display.draw.animation import Animator
from display.draw.canvas import NOTE, Canvas, DrawnText
from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT, LARGE, LOOKS, contrast
from display.screens.panel import MARK_SIGNS, draw_beside, mark_colour
from display.view import Mark, PanelLine, PanelView, Situation, ViewModel
from display.words.present import present
from engine.rules.cards import Card
from tests.display.drawn import PRINTS, draw_table, unpainted

Check = Callable[..., None]
SIZES = ((800, 480), (1280, 720))
SENTENCE = "Black parries two fives in about one of three cases, and then has the turn."


def with_panel(shown: Mapping[str, Situation], *lines: PanelLine, name: str = "attack_direct") -> Situation:
    return replace(
        shown[name], helped=replace(shown[name].helped, panel=PanelView("What White can do", lines, "2 / 7"))
    )


def texts_of(situation: Situation, size: tuple[int, int], theme: str = "parchment") -> list[DrawnText]:
    return draw_table(unpainted(*size), present(situation), theme=LOOKS[theme])


def leaves_of(situation: Situation, size: tuple[int, int], theme: str = "parchment") -> list[list[DrawnText]]:
    """What is written on every leaf of the panel, as it is turned."""
    view = present(situation)
    assert view.panel is not None
    leaves: list[list[DrawnText]] = []
    for turned in range(len(view.panel.lines) + 1):
        shown = replace(view, panel=replace(view.panel, turned=turned))
        leaf = draw_table(unpainted(*size), shown, theme=LOOKS[theme])
        if leaf in leaves:
            break
        leaves.append(leaf)
    return leaves


@pytest.mark.slow
@pytest.mark.parametrize("theme", PRINTS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 6, 14])
def test_every_line_is_shown_on_one_of_the_leaves(
    shown: Mapping[str, Situation], check_texts: Check, theme: str, size: tuple[int, int], count: int
) -> None:
    lines = [PanelLine(f"{number}: {SENTENCE}", list(Mark)[number % 3], CARDS) for number in range(count)]
    leaves = leaves_of(with_panel(shown, *lines), size, theme)
    for leaf in leaves:
        check_texts(leaf, pygame.Rect(0, 0, *size), (theme, size, count))
    drawn = [text.text for leaf in leaves for text in leaf if SENTENCE in text.text]
    assert drawn == [line.text for line in lines]
    assert len(leaves) == 1 or count > 3 or LOOKS[theme].large_print


CARDS = (Card(5, "a"), Card(5, "b"))


def turned(animator: Animator, view: ViewModel, now_s: float) -> int:
    """Which leaf of its panel is shown."""
    panel = animator.step(view, now_s)[0].panel
    assert panel is not None
    return panel.turned


def test_few_words_are_written_larger_than_many(shown: Mapping[str, Situation]) -> None:
    def size_px(count: int) -> int:
        texts = texts_of(with_panel(shown, *[PanelLine(f"{number} {SENTENCE}") for number in range(count)]), (800, 480))
        return next(text.size_px for text in texts if text.text == f"0 {SENTENCE}")

    assert size_px(1) > min(size_px(count) for count in range(2, 13)) >= 18  # on two leaves there is room again


def test_leaves_are_written_as_large_as_no_more_of_them_have_room_for(shown: Mapping[str, Situation]) -> None:
    def sizes_px(count: int) -> list[set[int]]:
        lines = [PanelLine(f"Line {number}: count the spaces between the two of you.") for number in range(count)]
        told = leaves_of(with_panel(shown, *lines), (800, 480), "large")
        return [{text.size_px for text in leaf if text.text.startswith("Line")} for leaf in told]

    two = [sizes for sizes in map(sizes_px, range(2, 13)) if len(sizes) == 2]
    assert all(first == second and len(first) == 1 for first, second in two)
    least_px = round(NOTE * LOOKS["large"].print_scale)
    assert two
    assert all(max(first) > least_px for first, _ in two), "smaller letters would not have saved a leaf"


@pytest.mark.parametrize("theme", PRINTS)
@pytest.mark.parametrize("name", ["attack_direct", "advance", "more_cards", "open_attack", "match_over"])
def test_the_distance_and_an_attack_stay_beside_the_words(
    shown: Mapping[str, Situation], name: str, theme: str
) -> None:
    situation = with_panel(shown, PanelLine(SENTENCE), name=name)
    view = present(situation)
    drawn = {text.text for text in texts_of(situation, (800, 480), theme)}
    assert {str(view.piste.distance), view.piste.distance_text, "What White can do", "2 / 7", SENTENCE} <= drawn
    if view.piste.attack is not None:
        assert view.piste.attack.text in drawn


def test_a_mark_is_a_sign_and_a_readable_colour() -> None:
    assert len(set(MARK_SIGNS.values())) == len(Mark) - 1
    for theme in (*LOOKS.values(), DEFAULT, LARGE):
        for mark in Mark:
            assert contrast(mark_colour(theme, mark), theme.card) >= 4.5, (theme.name, mark)


@pytest.mark.slow
@pytest.mark.parametrize("theme", PRINTS)
def test_beside_a_table_the_card_is_as_high_as_its_words(theme: str) -> None:
    box, ground = pygame.Rect(0, 0, 300, 460), (1, 2, 3)

    def drawn(count: int) -> tuple[int, Canvas]:
        surface = pygame.Surface((300, 460))
        surface.fill(ground)
        canvas = Canvas(surface, LOOKS[theme])
        lines = tuple(PanelLine(f"{number}: {SENTENCE}") for number in range(count))
        draw_beside(canvas, box, PanelView("What White can do", lines), 1.0)
        return sum(tuple(surface.get_at((150, y)))[:3] != ground for y in range(460)), canvas

    heights = [drawn(count)[0] for count in (0, 1, 2, 30)]
    assert heights == sorted(set(heights))
    assert heights[0] < 40
    assert heights[-1] > 440
    for count in (0, 1, 2):
        canvas = drawn(count)[1]
        assert not any(text.cut for text in canvas.texts)
        assert len(canvas.texts) == count + 1
        assert not canvas.turns


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (1920, 1080)])
def test_short_lines_that_would_stand_close_have_two_columns(
    shown: Mapping[str, Situation], size: tuple[int, int]
) -> None:
    """What is still to be registered stood close in the left quarter of an empty card."""
    lines = tuple(PanelLine(f"All cards of value {value}", Mark.GOOD) for value in range(1, 7))
    view = replace(present(shown["setup"]), phase=None, panel=PanelView("Deck A", lines))
    lefts = {text.rect.left for text in draw_table(new_surface(*size), view) if text.text.startswith("All cards")}
    assert len(lefts) == 2
    few = replace(view, panel=PanelView("Deck A", lines[:3]))
    lefts = {text.rect.left for text in draw_table(new_surface(*size), few) if text.text.startswith("All cards")}
    assert len(lefts) == 1
