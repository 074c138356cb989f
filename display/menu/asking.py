"""Pages that ask for names and pictures, and whether to stop."""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import partial
from typing import Final

from display.draw.pictures import PORTRAITS
from display.i18n import LANGUAGES, Words, locale_data, words
from display.menu.model import Act, Deed, Item, Menu, Of, Page, Pick, Rub
from display.words.sentences import side_name
from engine.players.bots.strengths import STRENGTHS, OwnLevel
from engine.rules.track import Side

FRIENDLY: Final = next(iter(STRENGTHS))
"""The strength of the bot that plays whoever just sits down."""


def leaving_page(language: str) -> Page:
    """Quit confirmation; going on is the first line."""
    say = words(language)
    items = (Item(Act("close"), say.say("leave.stay")), Item(Act("quit"), say.say("leave.stop")))
    return Page(say.say("leave.title"), items, (say.say("leave.lines"),))


def own_level_line(say: Words, name: str, own: OwnLevel, level: str) -> str:
    """The strength found for a player, called ``level``, and from how many matches."""
    return say.say("welcome.own", name=name, count=own.matches, level=level)


_ALPHABET: Final = f"{string.ascii_uppercase}{''.join(locale_data(each).letters for each in LANGUAGES)}-'"
_COLUMNS: Final = 9
FACES: Final = 4
"""So many pictures stand side by side."""


def chosen_name(menu: Menu, side: Side, otherwise: str) -> str:
    """The name that was chosen for this side; ``otherwise`` where none was, or one is only about to be written."""
    name = menu.chosen(Of(Pick.NAME, side), otherwise)
    return name if isinstance(name, str) else otherwise


def write_page(say: Words, text: str, whose: Side | str, does: Deed) -> Page:
    """A keyboard of letters and the text so far: the name of a side, or a new name for a player, and taking it."""
    letters = _ALPHABET if not text or text.endswith((" ", "-", "'")) else _ALPHABET.lower()
    items = [Item(letter, letter) for letter in letters]
    items.append(Item(" ", " ", "_"))
    items.append(Item(Rub.OUT, "", "<"))
    items.append(Item(Act("take_name", whose), say.say("menu.done"), does=does))
    if isinstance(whose, str):
        title = say.say("people.new_name", name=whose)
    else:
        title = say.say("menu.name", side=side_name(say, whose))
    return Page(title, tuple(items), (f"{text}_",), _COLUMNS)


def faces_page(say: Words, side: Side, title: str, takes: Callable[[str, Menu], Menu | None], taken: str = "") -> Page:
    """All portraits there are, but for the one that is ``taken``; ``takes`` the chosen one."""
    items = tuple(
        Item(Act("take_face", side, number), say.say(f"portrait.{name}"), portrait=name, does=partial(takes, name))
        for number, name in enumerate(PORTRAITS)
        if name != taken
    )
    return Page(title, items, columns=FACES, gallery=True)
