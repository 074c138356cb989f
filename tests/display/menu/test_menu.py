"""The menu as values: four keys reach everything, every page fits in every language and size."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pygame
import pytest

from display.draw.canvas import Canvas
from display.draw.pictures import new_surface
from display.draw.theme import LOOKS, Theme
from display.i18n import LANGUAGES, words
from display.menu.asking import chosen_name, write_page
from display.menu.model import (
    MAX_LETTERS,
    Act,
    GivenUp,
    Goto,
    Item,
    Key,
    Line,
    Menu,
    MenuPlace,
    Of,
    Open,
    Page,
    Pick,
    kind_of,
    leave,
    step,
    tap,
    write,
)
from display.screens.camera import CameraPicture
from display.screens.menu import menu_on
from engine.lessons.lesson import LESSONS
from engine.puzzles.collection import PUZZLES
from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from firmware.ui.menu.machine import CheckLine, PastLine
from firmware.ui.menu.past import PastMatch
from firmware.ui.menu.state import TurnLine
from firmware.ui.menu.table_menu import PAGES
from tests.display.drawn import draw_menu, unpainted
from tests.display.menu_showcase import MenuContext, home_facts, page_of, pupil, shown_pages
from tests.display.showcase import situations

SHOWN = situations()
PAGE = Page("Test", (Item(Act("test"), "A"), Item(Pick.POINTS, "B", options=(3, 4, 5), start=4), Item(Goto.MAIN, "C")))


PUPILS = {
    Side.WHITE: pupil("Maximiliane von der Heide", len(LESSONS), (puzzle.id for puzzle in PUZZLES)),
    Side.BLACK: pupil("Jean-Baptiste-Emmanuel", len(LESSONS)),
}


@cache
def context(language: str = "en", name: str = "attack_direct") -> MenuContext:
    lines = ("2026-11-21 Maximiliane 5:3 Jean-Baptiste",)
    return MenuContext(
        language,
        SHOWN[name].state,
        BySide("Maximiliane von der Heide", "Jean-Baptiste-Emmanuel"),
        ("Ana", "Bo"),
        last="Black attacks directly",
        turns=(TurnLine(1, "White advances 3", (Card(3, "b"),)), TurnLine(2, "x", (Card(5, "b"), Card(5, "c")))),
        number=1,
        history=(PastLine(1, lines[0]), PastLine(2, lines[0], elsewhere=True)),
        past_match=PastMatch(PastLine(1, lines[0]), (Item(Goto.ROUND.of(1, 1), "Round 1: 1 : 0"),)),
        past_round=next(each.page.past for each in shown_pages(language) if each.page.past is not None),
        health=lines,
        checks=(CheckLine("3-1", "Camera", "fails", lines),),
        sight=lines,
        backups=("Backup 3 on STICK",),
        told="Kopiert nach STICK: 120 Spiele.",
        settings={"voice": "full"},
        **home_facts(language),
        pupils=PUPILS,
        next_lesson="last_retreat",
    )


@pytest.mark.slow
def test_four_keys_reach_every_page_and_every_line() -> None:
    """Walk through all there is with up or down, choose and back alone."""
    reached: set[Open] = set()
    waiting = [Menu(), Menu((MenuPlace(Goto.HOME),)), Menu((MenuPlace(Goto.OVER),))]
    while waiting:
        menu = waiting.pop()
        if menu.here.page in reached:
            continue
        reached.add(menu.here.page)
        page = page_of(menu, context())
        for _ in page.items:
            item = page.items[menu.here.at]
            written = next((value for value in item.options if value == Goto.WRITE.of(Side.WHITE)), None)
            if isinstance(kind_of(item.key), Open) or written is not None:
                chosen = menu if written is None else replace(menu, values={item.key: written})
                deeper, _ = step(chosen, Key.CHOOSE, page)
                assert deeper is not None
                waiting.append(deeper)
                assert step(deeper, Key.BACK, page_of(deeper, context()))[0] == replace(menu, text="")
            moved, key = step(menu, Key.DOWN, page)
            assert moved is not None
            assert key is None
            menu = moved
        assert menu.here.at == 0
    asked_otherwise = {"face", "rename", "who"}  # these follow a name that was written, and a touch
    assert {page.page for page in reached} == {each.id for each in PAGES} - asked_otherwise


def test_choosing_and_adjusting() -> None:
    menu = Menu((MenuPlace(Goto.OFF, 1),))
    item = PAGE.items[1]
    menu, key = _step(menu, Key.CHOOSE)
    assert (menu.adjusting, key) == (True, None)
    menu, key = _step(menu, Key.UP)
    assert (menu.option(item), key) == (5, Pick.POINTS)
    menu, key = _step(menu, Key.UP)
    assert menu.option(item) == 3
    menu, key = _step(menu, Key.DOWN)
    assert menu.option(item) == 5
    menu, _ = _step(menu, Key.BACK)
    assert (menu.adjusting, menu.here) == (False, MenuPlace(Goto.OFF, 1))
    menu, key = _step(menu, Key.LESS)
    assert (menu.option(item), key) == (4, Pick.POINTS)
    menu, key = _step(replace(menu, path=(MenuPlace(Goto.OFF, 0),)), Key.CHOOSE)
    assert key == Act("test")
    assert step(menu, Key.BACK, PAGE) == (None, None)


def _step(menu: Menu, key: Key) -> tuple[Menu, Line | None]:
    after, chosen = step(menu, key, PAGE)
    assert after is not None
    return after, chosen


def test_writing_a_name() -> None:
    menu = Menu((MenuPlace(Goto.MAIN), MenuPlace(Goto.WRITE.of(Side.WHITE))))
    for letter in "Zoe":
        page = page_of(menu, context())
        number = next(at for at, item in enumerate(page.items) if item.text.lower() == letter.lower())
        after, _ = tap(menu, number, page)
        assert after is not None
        menu = after
    assert menu.text == "Zoe"
    after, _ = step(menu, Key.RUB_OUT, page_of(menu, context()))
    assert after is not None
    assert after.text == "Zo"
    assert write(menu, "\n\t").text == "Zoe"
    assert len(write(menu, "x" * 99).text) == MAX_LETTERS


def test_what_the_pages_offer_follows_the_match() -> None:
    def keys(name: str, page: Open = Goto.MAIN) -> list[Line]:
        return [item.key for item in page_of(Menu((MenuPlace(page),)), context(name=name)).items]

    assert Goto.MANUAL in keys("advance", Goto.WRONG)
    assert Goto.MANUAL not in keys("match_over", Goto.WRONG)
    assert Goto.CORRECT not in keys("no_match", Goto.WRONG)
    assert Goto.START in keys("no_match", Goto.MORE)
    cards = [Act("lay", value) for value in (1, 2, 3, 4, 5)]
    assert keys("advance", Goto.MANUAL) == [*cards, Act("take_back"), Act("way", GivenUp.GIVEN_UP.value)]
    assert keys("reveal", Goto.MANUAL) == [*cards, Act("take_back")]
    assert keys("touch", Goto.MANUAL)[0] == Act("round")
    paused = replace(context(), paused=True)
    assert Act("resume") in [item.key for item in page_of(Menu(), paused).items]
    assert Act("undo") not in [item.key for item in page_of(Menu(), replace(context(), last="")).items]


@pytest.mark.parametrize("theme", LOOKS.values(), ids=str)
def test_the_lines_of_a_page_are_all_of_one_size(theme: Theme) -> None:
    lines = ("Short.", "A line that is so long that one row cannot hold it, " * 2 + "as the answer to a puzzle.")
    surface = new_surface(800, 480)
    drawn = draw_menu(
        surface, Page("Title", (Item(Act("test"), "A"), Item(Act("quit"), "B")), lines), Menu(), "en", theme
    )
    sizes = {text.size_px for text in drawn.texts if text.text in lines}
    assert len(sizes) == 1
    assert sizes.pop() >= 16


def test_a_side_that_gave_no_name_has_none_to_choose() -> None:
    page = page_of(Menu((MenuPlace(Goto.START),)), MenuContext("de", names=BySide("Ana", "Black")))
    values = {item.key: item.value for item in page.items}
    assert (values[Of(Pick.NAME, Side.WHITE)], values[Of(Pick.NAME, Side.BLACK)]) == ("Ana", "ohne Namen")
    assert next(item.options for item in page.items if item.key == Of(Pick.NAME, Side.BLACK)) == (
        *("Black", "Ana"),
        Goto.WRITE.of(Side.BLACK),
    )


def test_a_player_has_one_line_whose_last_value_is_written_on_a_page_of_its_own() -> None:
    key, writing = Of(Pick.NAME, Side.WHITE), Goto.WRITE.of(Side.WHITE)
    known = MenuContext("en", names=BySide("Ana", "Bo"))
    page = page_of(Menu((MenuPlace(Goto.START),)), known)
    assert [item.key for item in page.items if kind_of(item.key) is Pick.NAME] == [key, Of(Pick.NAME, Side.BLACK)]
    assert [item.key for item in page.items if kind_of(item.key) == Goto.WRITE] == []
    at = [item.key for item in page.items].index(key)

    def after(menu: Menu, pressed: Key) -> Menu:
        stepped, _ = step(menu, pressed, page_of(menu, known))
        assert stepped is not None
        return stepped

    menu = after(Menu((MenuPlace(Goto.START, at),)), Key.CHOOSE)  # four buttons: change it, up to the last value
    while page_of(menu, known).items[at].value != "write a name …":
        menu = after(menu, Key.UP)
    assert chosen_name(menu, Side.WHITE, "Ana") == "Ana"  # none yet
    menu = after(menu, Key.CHOOSE)
    assert (menu.here.page, menu.adjusting, menu.text) == (writing, False, "")
    assert page_of(after(menu, Key.BACK), known).items[at].value == "Ana"  # nothing written: as it was


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_foot_names_buttons_to_who_has_buttons_and_keys_to_who_has_keys(language: str) -> None:
    menu, context = Menu(), MenuContext(language)
    say = words(language)
    for panel, key in ((True, "menu.keys"), (False, "menu.keyboard")):
        for adjusting, more in ((False, ""), (True, "_adjust")):
            shown = replace(menu, adjusting=adjusting)
            surface = unpainted(800, 480)
            drawn = draw_menu(surface, page_of(menu, context), shown, language, panel=panel)
            assert [text.text for text in drawn.texts if text.text.startswith(say.say(key + more)[:12])] != []
            other = "menu.keyboard" if panel else "menu.keys"
            assert not any(text.text.startswith(say.say(other + more)[:12]) for text in drawn.texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_a_name_is_written_the_foot_says_that_one_may_type(language: str) -> None:
    say = words(language)
    page, menu = write_page(say, "", Side.WHITE, leave()), Menu()
    for panel in (False, True):
        drawn = draw_menu(new_surface(800, 480), page, menu, language, panel=panel)
        assert any(text.text == say.say("menu.keyboard_write") for text in drawn.texts) is not panel


GREEN = pygame.Color(0, 255, 0)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
@pytest.mark.parametrize("theme", LOOKS.values(), ids=LOOKS)
def test_what_the_camera_sees_is_shown_with_how_well(size: tuple[int, int], theme: Theme) -> None:
    menu, surface = Menu((MenuPlace(Goto.SIGHT),)), new_surface(*size)
    green = CameraPicture(bytes((0, 255, 0)) * (64 * 36), 64, 36)
    middle = size[0] // 2, size[1] // 3
    page = page_of(menu, context("de"))
    plain = menu_on(Canvas(surface, theme), page, menu, "de")
    assert surface.get_at(middle) != GREEN
    seen = menu_on(Canvas(surface, theme), page, menu, "de", camera=green)
    assert surface.get_at(middle) == GREEN
    assert [text.text for text in seen.texts if text.cut] == []
    assert {text.text for text in seen.texts} == {text.text for text in plain.texts}
    other = Menu((MenuPlace(Goto.HEALTH),))
    menu_on(Canvas(surface, theme), page_of(other, context("de")), other, "de", camera=green)
    assert surface.get_at(middle) != GREEN
