"""The pages of tiles: six of them, each with a picture, and all that lay on one long page before still within reach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from display.menu.lines import Do, Goto, Line, Open, kind_of
from display.menu.model import Menu, MenuPlace, Page
from display.screens.signs import sign
from engine.lessons.lessons import LESSONS
from engine.players.bots.strengths import rival_name
from engine.puzzles.collection import PUZZLES
from engine.rules.track import BySide, Side
from firmware.ui.menu.pages.puzzles import grouped
from tests.display.menu_showcase import MenuContext, page_of, pupil
from tests.display.showcase import situations

SHOWN = situations()
FULL = MenuContext(
    "en",
    names=BySide("Ana", "Bo"),
    last="Ana advances 3",
    number=7,
    pupils={Side.WHITE: pupil("Ana", len(LESSONS), stars={lesson.id: 2 for lesson in LESSONS})},
    coach=(Do.HINTS, Do.RETELL),
    settings={"voice": "full"},
)
PLAYING, OVER = replace(FULL, state=SHOWN["advance"].state), replace(FULL, state=SHOWN["match_over"].state)
TILES = {Goto.HOME: FULL, Goto.MAIN: PLAYING, Goto.OVER: OVER}


def page(place: Open, context: MenuContext) -> Page:
    return page_of(Menu((MenuPlace(place),)), context)


@pytest.mark.parametrize("place", TILES)
def test_there_are_six_tiles_each_with_a_picture_and_a_word_of_what_it_does(place: Open) -> None:
    items = page(place, TILES[place]).items
    assert len(items) == 6
    for item in items:
        assert item.note
        assert item.key == Goto.PEOPLE or sign(item.sign, 40, (0, 0, 0)).get_bounding_rect().width


def reached(place: Open, context: MenuContext) -> set[Line]:
    """All pages and deeds that can be come to from here."""
    found: set[Line] = set()
    waiting: list[Open] = [place]
    while waiting:
        here = waiting.pop()
        for item in page(here, context).items:
            kind = kind_of(item.key)
            if item.key not in found and isinstance(kind, Open | Do):
                found.add(item.key)
                if isinstance(item.key, Open) and item.key not in (Goto.START, Goto.SETTINGS):
                    waiting.append(item.key)
    return {kind_of(key) for key in found}


@pytest.mark.parametrize(("place", "context"), [(Goto.HOME, FULL), (Goto.MAIN, PLAYING), (Goto.OVER, OVER)])
def test_whatever_is_wanted_lies_behind_them(place: Open, context: MenuContext) -> None:
    everywhere: set[Open | Do] = {
        Goto.START,
        Goto.SETTINGS,
        Goto.LEARN,
        Goto.PUZZLES,
        Goto.HISTORY,
        Goto.PEOPLE,
        Goto.SIGHT,
    }
    everywhere |= {Goto.HEALTH, Goto.CARE, Goto.OFF, Goto.HAND, Do.HINTS, Do.RETELL, Goto.PUZZLE}
    assert reached(place, context) >= everywhere
    if place == Goto.MAIN:
        assert reached(place, context) >= {Do.CLOSE, Do.PAUSE, Do.UNDO, Goto.CORRECT, Goto.MANUAL, Goto.PLAIN}
    if place == Goto.OVER:
        assert reached(place, context) >= {Do.BEGIN, Goto.PAST, Goto.SHARE, Do.CLOSE}


def test_one_alone_at_the_simulated_table_plays_a_bot_by_the_first_tile() -> None:
    alone = MenuContext("en", seated=True, against=rival_name("novice"))
    assert "Bot (novice)" in page(Goto.HOME, alone).items[0].note


def test_every_puzzle_is_found_by_what_one_sees_of_it() -> None:
    found = []
    for group in grouped():
        part = 0
        while True:
            items = page(Goto.THEME.of(group.value, part), FULL).items
            found += [
                item.key.which for item in items if isinstance(item.key, Open) and kind_of(item.key) == Goto.PUZZLE
            ]
            assert all(item.position is not None for item in items if kind_of(item.key) == Goto.PUZZLE)
            part += 1
            if not any(kind_of(item.key) == Goto.THEME for item in items):
                break
    assert sorted(map(str, found)) == sorted(puzzle.id for puzzle in PUZZLES)
