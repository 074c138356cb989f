"""Every word at the table that people play at is said, in every language, and fits its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from display.draw.pictures import new_surface
from display.draw.theme import Theme
from display.i18n import LANGUAGES, words
from display.menu.asking import faces_page, leaving_page
from display.menu.model import Act, Goto, Menu, MenuPlace, Open, Page
from engine.lessons.lesson import LESSONS
from engine.players.bots.strengths import OwnLevel, rival_name, rivals_in
from engine.rules.track import BySide, Side
from firmware.ui.screen.asking import LANGUAGE, WELCOME, WHO, WHOM, Asking, Guests
from tests.display.covering import PRINTS
from tests.display.drawn import draw_menu


def asked(language: str, page: Open, guests: Guests | None = None, *, at_table: bool = False) -> Page:
    """What is asked before a match, on this page."""
    asking = Asking(language, guests or Guests(), at_table=at_table)
    asking.open(page)
    return asking.page


def opponents(language: str, own: tuple[str, OwnLevel] | None = None) -> Page:
    return asked(language, WHOM, Guests(own=own))


def nothing(name: str, menu: Menu) -> Menu:
    return menu


PAGES: Mapping[str, Callable[[str], Page]] = {
    "leaving": leaving_page,
    "language": lambda language: asked(language, LANGUAGE),
    "welcome": lambda language: asked(language, WELCOME),
    "opponents": opponents,
    "opponents of one's own level": lambda language: opponents(language, ("Ana", OwnLevel("club", 1))),
    "of many matches": lambda language: opponents(language, ("Bo", OwnLevel("maestro", 120))),
    "welcome at a table": lambda language: asked(language, WELCOME, at_table=True),
    "people": lambda language: asked(
        language, WHO.of(Side.BLACK), Guests(("Annegret", "Jean-Baptiste"), {"Annegret": "owl"})
    ),
    "faces": lambda language: faces_page(
        words(language), Side.WHITE, words(language).say("welcome.who_learns"), nothing
    ),
    "another face": lambda language: faces_page(
        words(language), Side.WHITE, words(language).say("welcome.face", name="Jean-Baptiste"), nothing
    ),
}
NAMES = BySide("Ana", rival_name("master"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
def test_the_pages_that_ask_fit(language: str, theme: Theme) -> None:
    for page in PAGES.values():
        for at in range(len(page(language).items)):
            drawn = draw_menu(new_surface(800, 480), page(language), Menu((MenuPlace(Goto.MAIN, at),)), language, theme)
            assert [text.text for text in drawn.texts if text.cut] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("at_table", [False, True])
def test_the_welcome_says_how_many_lessons_the_course_has(language: str, at_table: bool) -> None:
    items = {item.key: item for item in asked(language, WELCOME, at_table=at_table).items}
    assert str(len(LESSONS)) in items[Act("learn")].note


def test_bots_are_known_by_their_names() -> None:
    assert rivals_in(NAMES) == {Side.BLACK: "master"}
    assert rivals_in(BySide("Ana", "Ben")) == {}
