"""What is said at the bottom edge of the table that people play at."""

from __future__ import annotations

from dataclasses import dataclass

from display.i18n import words
from display.words.sentences import shown_name
from engine.rules.track import BySide, Side


@dataclass(frozen=True, slots=True)
class Said:
    """``ask`` is said, ``offer`` is what a tap does, ``hint`` how hands are used; empty for nothing."""

    ask: str = ""
    offer: str = ""
    hint: str = ""


def pass_the_screen(language: str, names: BySide[str], side: Side) -> Said:
    """It is this side's turn, whose cards nobody else is to see."""
    say = words(language)
    return Said(say.say("hands.take", name=shown_name(say, side, names[side])), say.say("hands.show"))


def next_round(language: str) -> Said:
    """Nothing is dealt."""
    return Said(offer=words(language).say("hands.deal"))


def nothing_to_take_back(language: str) -> Said:
    """No turn of this round is the own one."""
    return Said(words(language).say("hands.nothing_to_take_back"))


def another_match(language: str) -> Said:
    """The match is over."""
    return Said(offer=words(language).say("hands.another"))


def set_up(language: str) -> Said:
    """A position is to be set up, which the table does by itself for whoever wants that."""
    say = words(language)
    return Said(offer=say.say("hands.set_up"), hint=say.say("hands.hint"))


def how_to_play(language: str) -> Said:
    """Cards are in hand."""
    return Said(hint=words(language).say("hands.hint"))


def deal_to_companion(language: str, count: int) -> Said:
    """The companion is owed so many cards."""
    return Said(hint=words(language).say("hands.hint_deal", count=count))


def show_hands(language: str, *, shown: bool = False) -> Said:
    """Both hands are to be shown; those at this screen are ``shown`` already."""
    say = words(language)
    return Said(offer="" if shown else say.say("hands.show_all"), hint=say.say("hands.hint_reveal"))
