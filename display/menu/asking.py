"""Pages that ask outside the menu: what somebody wants at the simulated table, and whether he means to stop."""

from __future__ import annotations

from typing import Final

from display.i18n import LANGUAGES, Words, words
from display.menu.lines import Do, Of, Wanted
from display.menu.model import Item, Page
from engine.lessons.lessons import LESSONS
from engine.players.bots.strengths import STRENGTHS, OwnLevel

NAME: Final = "En Garde"
FRIENDLY: Final = next(iter(STRENGTHS))
"""The strength of the bot that plays whoever just sits down."""
OWN_NAMES: Final = {"en": "English", "de": "Deutsch", "fr": "Fran\u00e7ais", "nl": "Nederlands"}
"""What each language calls itself."""


def leaving_page(language: str) -> Page:
    """Whether to stop, with playing on first."""
    say = words(language)
    items = (Item(Do.CLOSE, say.say("leave.stay")), Item(Do.QUIT, say.say("leave.stop")))
    return Page(say.say("leave.title"), items, (say.say("leave.lines"),))


def language_page() -> Page:
    """The languages, each in its own words."""
    items = tuple(Item(Of(Wanted.LANGUAGE, language), OWN_NAMES[language]) for language in LANGUAGES)
    return Page(NAME, items, columns=2)


def welcome_page(language: str, *, at_table: bool = False) -> Page:
    """To play, to watch, to learn; the first is what is done most. ``at_table``: nobody plays there but people.

    The language is the system's until somebody chooses another, which the last line is for, in all languages.
    """
    say = words(language)
    wanted = (Wanted.PLAY, Wanted.LEARN) if at_table else (Wanted.NOW, Wanted.LEARN, Wanted.PLAY, Wanted.WATCH)
    kind = "_table" if at_table else ""
    facts = {"count": len(LESSONS), "bot": say.say(f"hands.level.{FRIENDLY}")}
    items = [
        Item(each, say.say(f"welcome.{each.value}{kind}"), note=say.say(f"welcome.{each.value}{kind}_note", **facts))
        for each in wanted
    ]
    items.append(Item(Wanted.OTHER_LANGUAGE, " \u00b7 ".join(OWN_NAMES[each] for each in LANGUAGES)))
    return Page(NAME, tuple(items))


def own_level_line(say: Words, name: str, own: OwnLevel, level: str) -> str:
    """Which strength was found to be somebody's own, called ``level``, and from how many matches."""
    return say.say("welcome.own", name=name, count=own.matches, level=level)


def opponents_page(language: str, own: tuple[str, OwnLevel] | None = None) -> Page:
    """Whom to play: bots of every strength, each with what it overlooks, another person, the companion.

    ``own``: somebody's name, and the strength that was found to be his own, which is said over them.
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
