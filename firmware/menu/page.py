"""A page of the menu as one class: its id, what it shows, and what choosing one of its lines does."""

from __future__ import annotations

from typing import ClassVar

from display.i18n import Words
from display.menu.lines import Line, Open
from display.menu.model import Menu, MenuPlace, Page


class MenuPage:
    """A page that is opened by ``Open(id)``; its words stand under its id in the catalogues' ``pages.toml``.

    A line that is ``Open``, or a page of ``Goto``, opens that page; an ``Act`` is done by the page it stands on. Every
    other line does the same on every page.
    """

    id: ClassVar[str]

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        """What it shows now. ``place`` says which one it is, where there are several."""
        raise NotImplementedError

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        """The menu after this line of the page was chosen; None where that leaves it."""
        return menu


def opened_at(page: Open) -> Menu:
    """The menu, opened on this page."""
    return Menu((MenuPlace(page),))
