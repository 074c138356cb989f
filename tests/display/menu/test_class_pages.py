"""Pages of the menu that are a class each: every word of theirs is said, in every language, and fits its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from display.draw.picture import new_surface
from display.draw.theme import LOOKS, Theme
from display.i18n import LANGUAGES, words
from display.menu.lines import Open
from display.menu.model import Menu, MenuPlace, Page
from display.screens.menu import draw_menu
from engine.players.bots.rivals import rival_name
from engine.rules.track import BySide
from firmware.loop.moment import People
from firmware.menu.page import MenuPage
from firmware.menu.who import WHO, WhoPage

PAGES: dict[Open, Callable[[Any, People], MenuPage]] = {WHO: lambda home, people: WhoPage(home, people, home)}


class House:
    """What the pages ask of the household and of what was learned."""

    portraits = {"Annegret": "owl"}  # noqa: RUF012

    def known_names(self) -> tuple[str, ...]:
        return "Annegret", "Jean-Baptiste"


def every_page(language: str) -> Iterator[tuple[Menu, Page]]:
    people = People(BySide("White", rival_name("novice")), language, picture_of=lambda name: "")
    for place, make in PAGES.items():
        menu = Menu((MenuPlace(place),))
        page = make(cast(Any, House()), people)
        yield menu, page.shown(words(language), menu, place)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_said(language: str, said: set[str], topic_keys: Callable[[str], set[str]]) -> None:
    for _ in every_page(language):
        pass
    assert topic_keys("pages") - said == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", LOOKS.values(), ids=LOOKS)
def test_every_page_fits(language: str, theme: Theme) -> None:
    for menu, page in every_page(language):
        for at in range(len(page.items)):
            here = Menu((MenuPlace(menu.here.page, at),))
            drawn = draw_menu(new_surface(800, 480), page, here, language, theme)
            assert [text.text for text in drawn.texts if text.cut] == []
