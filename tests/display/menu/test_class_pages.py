"""Pages of the menu that are a class each: every word of theirs is said, in every language, and fits its place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pygame
import pytest

from display.draw.canvas import Canvas
from display.draw.pictures import new_surface
from display.draw.theme import Theme
from display.i18n import LANGUAGES, words
from display.menu.model import Act, Menu, MenuPlace, Open, Page
from display.menu.reading import menu_aloud
from display.screens import menu as screen
from display.screens.cards import draw_value_card
from display.view import NO_NAMES
from engine.lessons.exercises import EACH, Principle, drill_alone
from engine.players.bots.strengths import rival_name
from engine.rules.cards import DECK
from engine.rules.track import BySide, Side
from firmware.core.clock import day_number
from firmware.table.loop.moment import People
from firmware.ui.lessons.progress import FILE, Progress, RecallGrade
from firmware.ui.menu.pages.learning import ALONE, PLAY, ROUND, CountingPage, ExercisesPage
from firmware.ui.menu.pages.start import WHO, WhoPage
from tests.display.contact_sheet import SIZES
from tests.display.drawn import PRINTS, draw_menu, unpainted
from tests.display.menu_showcase import Given

EXERCISES, COUNTING = Open("exercises"), Open("counting")
LEARNERS = BySide("Annegret", "Jean-Baptiste")


def state_of(names: BySide[str], language: str, kept: Any, **more: Any) -> Any:
    """What these pages read of the menu's state."""
    people = People(names, language, picture_of=lambda name: "")
    return Given(**{"people": people, "kept": kept, "cards_of_round": (), **more})


def chosen(page: Page, key: Act, menu: Menu) -> Menu | None:
    """The menu after this line of the page was chosen."""
    (does,) = (item.does for item in page.items if item.key == key)
    assert does is not None
    return does(menu)


def every_page(language: str) -> Iterator[tuple[Menu, Page]]:
    here = Given(known_names=lambda: ("Annegret", "Jean-Baptiste"), portraits={"Annegret": "owl"})
    state = state_of(BySide("White", rival_name("novice")), language, here, machine=here)
    menu = Menu((MenuPlace(WHO),))
    yield menu, WhoPage(state).shown(words(language), menu, WHO)
    yield from every_exercise(language)
    yield from every_drill(language)


def every_exercise(language: str) -> Iterator[tuple[Menu, Page]]:
    """All principles, each with an answer that is right and one that is not, of several positions."""
    seeds = count()
    with TemporaryDirectory() as folder:
        progress = Progress(Path(folder) / FILE)
        page = ExercisesPage(state_of(LEARNERS, language, progress), lambda: str(next(seeds)))
        for principle in Principle:
            key = f"{PLAY}{principle.value}"
            progress.met(("Annegret",), key, RecallGrade.MISSED, day_number() - 9)
            menu, say = Menu((MenuPlace(EXERCISES),)), words(language)
            everything = page.shown(say, menu, EXERCISES)
            if principle is Principle.PAIR:
                yield menu, everything
            place = Open(EXERCISES.page, principle.value)
            menu = Menu((*menu.path, MenuPlace(place)))
            for number in range(EACH):
                asked = page.shown(say, menu, place)
                yield menu, asked
                assert chosen(asked, Act("option", number % len(asked.items)), menu) == menu
                told = page.shown(say, menu, place)
                yield menu, told
                left = chosen(told, Act("next"), menu)
            assert left is not None
            assert left.here.page == EXERCISES


def every_drill(language: str) -> Iterator[tuple[Menu, Page]]:
    """Counting alone and after a round, right and wrong."""
    with TemporaryDirectory() as folder:
        progress = Progress(Path(folder) / FILE)
        now = state_of(LEARNERS, language, progress)
        page = CountingPage(now, lambda: "1", lambda: 7.0)
        for played in ((), DECK[:9], ()):
            now.cards_of_round = played
            menu, say = Menu((MenuPlace(COUNTING),)), words(language)
            yield menu, page.shown(say, menu, COUNTING)
            for answer in range(6):
                place = Open(COUNTING.page, f"{ROUND if played else ALONE} white")
                menu = Menu((MenuPlace(COUNTING), MenuPlace(place)))
                yield menu, page.shown(say, menu, place)
                if not played:
                    chosen(page.shown(say, menu, place), Act("cover"), menu)
                    yield menu, page.shown(say, menu, place)
                chosen(page.shown(say, menu, place), Act("option", answer), menu)
                told = page.shown(say, menu, place)
                yield menu, told
                assert chosen(told, Act("next"), menu) is not None
        everything = page.shown(words(language), Menu((MenuPlace(COUNTING),)), COUNTING)
        assert not any(item.value for item in everything.items), "counted today"
        progress.met(("Jean-Baptiste",), f"{PLAY}{COUNTING.page}", RecallGrade.MISSED, day_number() - 9)
        everything = page.shown(words(language), Menu((MenuPlace(COUNTING),)), COUNTING)
        assert [bool(item.value) for item in everything.items] == [False, True], "due again for one of the two"
        counting = progress.of("Annegret").counting
        assert counting.longest == 1, "one answer of six is right"
        assert progress.of("Jean-Baptiste").counting.longest == 0, "an answer is one person's"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
def test_every_page_fits(language: str, theme: Theme) -> None:
    for menu, page in every_page(language):
        for at in range(1 if page.board is not None else len(page.items)):
            here = Menu((MenuPlace(menu.here.page, at),))
            drawn = draw_menu(unpainted(800, 480), page, here, language, theme)
            assert [text.text for text in drawn.texts if text.cut] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
@pytest.mark.parametrize("row", [0, 9])
def test_cards_to_be_remembered_are_drawn_as_cards(
    size: tuple[int, int], theme: Theme, row: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were digits in a line of text. They are dealt in their order, read out, and on no words."""
    say, place = words("de"), Open(COUNTING.page, f"{ALONE} white")
    progress = Progress(tmp_path / FILE)
    for _ in range(row):
        progress.counted("Annegret", True, 1.0)
    state = state_of(NO_NAMES.put(Side.WHITE, "Annegret"), "de", progress)
    page = CountingPage(state, lambda: "1", lambda: 7.0)
    menu = Menu((MenuPlace(COUNTING), MenuPlace(place)))
    dealt = page.shown(say, menu, place)
    values = [card.value for card in drill_alone("1", row).played]
    found: list[tuple[int, pygame.Rect]] = []

    def draw(canvas: Canvas, value: int, at: tuple[float, float], width_px: float) -> pygame.Rect:
        found.append((value, draw_value_card(canvas, value, at, width_px)))
        return found[-1][1]

    monkeypatch.setattr(screen, "draw_value_card", draw)
    drawn = draw_menu(new_surface(*size), dealt, menu, "de", theme)
    assert [value for value, _ in found] == values
    boxes = [box for _, box in found]
    assert min(box.height for box in boxes) >= size[1] * 0.1
    taken = [*boxes, *(text.rect for text in drawn.texts)]
    assert all(new_surface(*size).get_rect().contains(box) for box in boxes)
    assert [one for one in boxes if len(one.collidelistall(taken)) > 1] == []
    assert ", ".join(map(str, values)) in menu_aloud(say, menu, dealt)
    chosen(dealt, Act("cover"), menu)
    assert page.shown(say, menu, place).cards == ()


def test_a_bot_is_asked_no_exercise(tmp_path: Path) -> None:
    state = state_of(BySide("Annegret", rival_name("novice")), "en", Progress(tmp_path / FILE))
    place, say, asked = Open(EXERCISES.page, Principle.PAIR.value), words("en"), set()
    for seed in range(12):
        page = ExercisesPage(state, partial(str, seed))
        board = page.shown(say, Menu((MenuPlace(EXERCISES), MenuPlace(place))), place).board
        assert board is not None
        asked.add(board.ask.split(":")[0])
    assert asked == {"Annegret", "Black"}
