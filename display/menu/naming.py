"""Pages on which somebody says who he is: his name, letter by letter, and the picture that goes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from display.draw.portraits import PORTRAITS
from display.i18n import Words
from display.menu.lines import Do, Of, Pick, Rub, Wanted
from display.menu.model import Item, Menu, Page
from display.words.sentences import side_name
from engine.rules.track import Side

_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÉÈÇ-'"
_COLUMNS: Final = 9
FACES: Final = 4
"""So many pictures stand side by side."""


def chosen_name(menu: Menu, side: Side, otherwise: str) -> str:
    """The name that was chosen for this side; ``otherwise`` where none was, or one is only about to be written."""
    name = menu.chosen(Of(Pick.NAME, side), otherwise)
    return name if isinstance(name, str) else otherwise


def write_page(say: Words, text: str, whose: Side | str) -> Page:
    """The letters, and what was written so far: a side's name, or another for somebody's."""
    letters = _ALPHABET if not text or text.endswith((" ", "-", "'")) else _ALPHABET.lower()
    items = [Item(letter, letter) for letter in letters]
    items.append(Item(" ", " ", "_"))
    items.append(Item(Rub.OUT, "", "<"))
    items.append(Item(Of(Do.TAKE_NAME, whose), say.say("menu.done")))
    if isinstance(whose, str):
        title = say.say("people.new_name", name=whose)
    else:
        title = say.say("menu.name", side=side_name(say, whose))
    return Page(title, tuple(items), (f"{text}_",), _COLUMNS)


def faces_page(say: Words, side: Side, title: str, taken: str = "") -> Page:
    """All portraits there are, but for the one that is ``taken``."""
    items = tuple(
        Item(Of(Do.TAKE_FACE, side, number), say.say(f"portrait.{name}"), portrait=name)
        for number, name in enumerate(PORTRAITS)
        if name != taken
    )
    return Page(title, items, columns=FACES, gallery=True)


def people_page(say: Words, title: str, names: Sequence[str], portraits: Mapping[str, str]) -> Page:
    """Those who were here before, each with his picture, and room for somebody else."""
    items = [Item(Of(Wanted.KNOWN, name), name, portrait=portraits.get(name, "")) for name in names]
    items.append(Item(Wanted.NEW, say.say("welcome.new")))
    return Page(title, tuple(items), columns=FACES, gallery=True)
