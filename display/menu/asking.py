"""Pages that ask for language, opponent, names and pictures, and whether to stop."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from display.draw.portraits import PORTRAITS
from display.i18n import LANGUAGES, Words, locale_data, words
from display.menu.lines import Act, Of, Pick, Rub, Wanted
from display.menu.model import Deed, Item, Menu, Page
from display.words.sentences import side_name
from engine.lessons.lessons import LESSONS
from engine.players.bots.strengths import STRENGTHS, OwnLevel
from engine.rules.track import Side

NAME: Final = "En Garde"
FRIENDLY: Final = next(iter(STRENGTHS))
"""The strength of the bot that plays whoever just sits down."""


def leaving_page(language: str) -> Page:
    """Quit confirmation; going on is the first line."""
    say = words(language)
    items = (Item(Act("close"), say.say("leave.stay")), Item(Act("quit"), say.say("leave.stop")))
    return Page(say.say("leave.title"), items, (say.say("leave.lines"),))


def language_page() -> Page:
    """The languages, each in its own words."""
    items = tuple(Item(Of(Wanted.LANGUAGE, language), words(language).say("language")) for language in LANGUAGES)
    return Page(NAME, items, columns=2)


def welcome_page(language: str, *, at_table: bool = False) -> Page:
    """Page that asks what to do: play, watch or learn, the usual first. ``at_table``: only people play there.

    The last line, in all languages, leads to another language than the system's.
    """
    say = words(language)
    wanted = (Wanted.PLAY, Wanted.LEARN) if at_table else (Wanted.NOW, Wanted.LEARN, Wanted.PLAY, Wanted.WATCH)
    kind = "_table" if at_table else ""
    facts = {"count": len(LESSONS), "bot": say.say(f"hands.level.{FRIENDLY}")}
    items = [
        Item(each, say.say(f"welcome.{each.value}{kind}"), note=say.say(f"welcome.{each.value}{kind}_note", **facts))
        for each in wanted
    ]
    items.append(Item(Wanted.OTHER_LANGUAGE, " \u00b7 ".join(words(each).say("language") for each in LANGUAGES)))
    return Page(NAME, tuple(items))


def own_level_line(say: Words, name: str, own: OwnLevel, level: str) -> str:
    """The strength found for a player, called ``level``, and from how many matches."""
    return say.say("welcome.own", name=name, count=own.matches, level=level)


def opponents_page(language: str, own: tuple[str, OwnLevel] | None = None) -> Page:
    """Opponents to choose from: bots, each with what it overlooks, another person, the companion.

    ``own``: a player's name and matching strength, shown over them.
    """
    say = words(language)
    lines: tuple[str, ...] = ()
    if own is not None:
        name, found = own
        lines = (own_level_line(say, name, found, say.say(f"hands.level.{found.strength}")),)
    bots = tuple(
        Item(Of(Wanted.BOT, level), say.say(f"hands.level.{level}"), note=say.say(f"welcome.overlooks.{level}"))
        for level in STRENGTHS
    )
    others = tuple(
        Item(each, say.say(f"welcome.{each.value}"), note=say.say(f"welcome.{each.value}_note"))
        for each in (Wanted.PERSON, Wanted.COMPANION)
    )
    return Page(say.say("welcome.whom"), (*bots, *others), lines, columns=2)


_ALPHABET: Final = f"{string.ascii_uppercase}{''.join(locale_data(each).letters for each in LANGUAGES)}-'"
_COLUMNS: Final = 9
FACES: Final = 4
"""So many pictures stand side by side."""


def chosen_name(menu: Menu, side: Side, otherwise: str) -> str:
    """The name that was chosen for this side; ``otherwise`` where none was, or one is only about to be written."""
    name = menu.chosen(Of(Pick.NAME, side), otherwise)
    return name if isinstance(name, str) else otherwise


def write_page(say: Words, text: str, whose: Side | str, does: Deed | None = None) -> Page:
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


def faces_page(
    say: Words, side: Side, title: str, taken: str = "", takes: Callable[[str, Menu], Menu | None] | None = None
) -> Page:
    """All portraits there are, but for the one that is ``taken``; ``takes`` the chosen one."""
    items = tuple(
        Item(
            Act("take_face", side, number),
            say.say(f"portrait.{name}"),
            portrait=name,
            does=None if takes is None else partial(takes, name),
        )
        for number, name in enumerate(PORTRAITS)
        if name != taken
    )
    return Page(title, items, columns=FACES, gallery=True)


def people_page(say: Words, title: str, names: Sequence[str], portraits: Mapping[str, str]) -> Page:
    """Known players with their pictures, and a tile for a new one."""
    items = [Item(Of(Wanted.KNOWN, name), name, portrait=portraits.get(name, "")) for name in names]
    items.append(Item(Wanted.NEW, say.say("welcome.new")))
    return Page(title, tuple(items), columns=FACES, gallery=True)
