"""The first page and those of the players: drawn whole in every language and print, and every word said."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from display.draw.theme import Theme
from display.i18n import words
from display.menu.lines import Do, Goto, Of
from display.menu.model import Item, Menu, MenuPlace
from display.menu.reading import menu_aloud
from display.screens.menu import draw_menu
from engine.rules.track import BySide
from tests.display.covering import LANGUAGE_SIZES, PRINTS
from tests.display.menu_showcase import MenuContext, home_facts, page_of, shown_pages

HOME = ("home", "people", "person", "numbers", "honours")


@pytest.mark.slow
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_they_are_drawn_whole(language: str, size: tuple[int, int], theme: Theme) -> None:
    surface = pygame.Surface(size)
    for shown in shown_pages(language):
        if shown.name.startswith(HOME):
            drawn = draw_menu(surface, shown.page, shown.menu, language, theme)
            assert [text.text for text in drawn.texts if text.cut] == [], shown.name
            assert [text.text for text in drawn.texts if not surface.get_rect().contains(text.rect)] == [], shown.name


def test_what_comes_first_goes_on_or_begins() -> None:
    def first(context: MenuContext) -> tuple[object, str]:
        item = page_of(Menu((MenuPlace(Goto.HOME),)), context).items[0]
        return item.key, item.note

    assert first(MenuContext("en"))[0] is Do.BEGIN
    key, note = first(MenuContext("en", names=BySide("Ana", "Bo")))
    assert key is Do.BEGIN
    assert "Ana \u2013 Bo" in note
    playing = next(each.page for each in shown_pages("en") if each.name == "home")
    assert playing.items[0].key is Do.CLOSE


def test_many_people_are_lines_with_their_ratings() -> None:
    for count, pictured in ((12, True), (13, False)):
        names = [f"P{number}" for number in range(count)]
        house = tuple(Item(Goto.PERSON.of(name), name, note="Rating 1500") for name in names)
        page = page_of(Menu((MenuPlace(Goto.PEOPLE),)), MenuContext("en", house=house))
        assert page.gallery is pictured
        assert [item.key for item in page.items] == [Goto.PERSON.of(name) for name in names]
        assert ("Rating 1500" in page.items[0].text) is not pictured


def test_who_is_drawn_is_read_aloud() -> None:
    facts = home_facts("en")
    rivalry, person = facts["rivalry"], facts["person"]
    home, somebody = Menu((MenuPlace(Goto.HOME),)), Menu((MenuPlace(Goto.PERSON.of(person.name)),))
    context = replace(MenuContext("en", **facts), names=rivalry.names)
    told = menu_aloud(words("en"), home, page_of(home, context))
    score = f"{rivalry.names.white} {rivalry.won.white} : {rivalry.won.black} {rivalry.names.black}, matches won"
    assert {score, rivalry.met} <= set(told)
    assert {person.rating, person.standing} <= set(menu_aloud(words("en"), somebody, page_of(somebody, context)))


def test_a_name_is_changed_after_it_was_said_what_that_changes() -> None:
    told = ("Ana becomes Ann in 2 matches.",)
    for goto, do in ((Goto.RENAME, Do.RENAME), (Goto.FORGET, Do.FORGET)):
        page = page_of(Menu((MenuPlace(goto.of("Ana")),)), MenuContext("en", change=told))
        assert (page.lines, [item.key for item in page.items]) == (told, [Of(do, "Ana")])
        gone = page_of(Menu((MenuPlace(goto.of("Ana")),)), MenuContext("en"))
        assert (gone.lines, gone.items) == (("This can’t be read any more.",), ())
    written = page_of(Menu((MenuPlace(Goto.WRITE.of("Ana")),), text="Ann"), MenuContext("en"))
    assert (written.title, written.items[-1].key) == ("New name: Ana", Of(Do.TAKE_NAME, "Ana"))
