"""A page of one sentence, for whoever asked for a match's page that is not there, or not yet."""

from __future__ import annotations

from display.draw.theme import DEFAULT
from display.page.markup import Markup, element
from display.page.page import DOCTYPE
from display.page.style import style


def notice_page(language: str, sentence: str, again_s: int | None = None) -> str:
    """The whole file as text, for UTF-8. ``again_s``: it asks anew by itself after so many seconds, None: never."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="refresh", content=again_s) if again_s is not None else Markup(""),
        element("title", "En Garde"),
        Markup(f"<style>\n{style(DEFAULT)}\n</style>"),
    )
    title = element("span", "En Garde", class_="points")
    top = element("header", element("div", element("span", ""), title, element("span", ""), class_="board"))
    told = element("div", element("p", sentence, class_="result"), class_="end")
    return DOCTYPE + element("html", head, Markup("\n"), element("body", top, told), lang=language) + "\n"
