"""A page of the menu as one class: its id, what it shows, and what choosing one of its lines does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from display.i18n import Words
from display.menu.model import Act, Deed, Item, Line, Menu, MenuPlace, Of, Open, Page
from firmware.table.loop.moment import Moment
from firmware.ui.menu.state import MenuState


class MenuPage:
    """A page opened by ``Open(id)``; its words stand under its id in the catalogues' ``pages.toml``.

    A class in a module of ``firmware.ui.menu.pages`` (``class HomePage(MenuPage, id="home")``) is found by itself. With
    ``under`` that page offers it in the words ``ID.menu`` and ``ID.menu_note``. A line with an ``Open`` opens that
    page; any other has what it ``does``.
    """

    id: ClassVar[str]
    under: ClassVar[str]
    every: ClassVar[list[type[MenuPage]]] = []

    def __init_subclass__(cls, id: str = "", under: str = "") -> None:
        cls.under = under
        if id:
            cls.id = id
            cls.every.append(cls)

    def __init__(self, now: MenuState) -> None:
        self.now = now

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        """The page as it is shown now. ``place`` says which one, if there are several of this id."""
        raise NotImplementedError

    def is_due(self, moment: Moment) -> bool:
        """Whether it opens by itself at this moment of the match."""
        return False

    def told(self, language: str) -> str:
        """A report on work that goes on beside the game, in addition to the menu's own answer."""
        return ""

    def entered(self, place: Open) -> None:
        """It was opened at this place."""

    def left(self) -> None:
        """Another page is shown now."""


class PrintingPage(MenuPage):
    """A page that has sheets printed, and tells what comes of them."""

    def told(self, language: str) -> str:
        return self.now.sheets.told(language)

    def left(self) -> None:
        self.now.sheets.leave()


def pages_under(say: Words, place: str) -> list[Item]:
    """The lines that open the pages under this one."""
    return [line(say, Open(each.id), f"{each.id}.menu") for each in MenuPage.every if each.under == place]


def line(say: Words, key: Open | Act | Of, name: str = "", does: Deed | None = None) -> Item:
    """A line with the words and the note of this name in the catalogue: ``menu.KEY`` if none is given."""
    if not name and not isinstance(key, Of):
        name = f"menu.{key.page if isinstance(key, Open) else key.deed}"
    return Item(key, say.say(name), note=say.say(f"{name}_note"), does=does)


def gone(say: Words, title: str = "menu.history") -> Page:
    """The page of what cannot be read any more."""
    return Page(say.say(title), (), (say.say("past.gone"),))


def choice(menu: Menu, key: Line, text: str, options: Mapping[Any, str], start: Any, does: Deed | None = None) -> Item:
    """A line with these values to choose from, each with what it is called."""
    item = Item(key, text, "", tuple(options), start, does=does)
    return replace(item, value=options[menu.option(item)])


def back(menu: Menu, steps: int = 1) -> Menu:
    """The menu one page before, or so many."""
    return replace(menu, path=menu.path[:-steps], text="")


def opened_at(page: Open) -> Menu:
    """The menu, opened on this page."""
    return Menu((MenuPlace(page),))
