"""The backs of the cards by which the companion knows its own, and whether it knows enough of them."""

from __future__ import annotations

from engine.companion.backs import DeckBacks
from engine.rules.cards import DECK
from firmware.camera.setup import Setup
from firmware.companion.deck_file import load_deck
from firmware.companion.opponents import companion_in
from firmware.errors import EngardeError
from firmware.loop.moment import People


def recorded_deck(setup: Setup, letter: str) -> DeckBacks:
    """The backs that were known when this recording was made: those known here and now may be others."""
    backs = setup.match.backs if setup.match is not None else None
    return backs if backs is not None and backs.deck == letter else DeckBacks(letter)


def known_backs(letter: str) -> DeckBacks | None:
    """The backs that are registered, to be kept with a recording; None where there are none that can be read."""
    try:
        backs = load_deck(letter)
    except EngardeError:
        return None  # the companion says so as soon as it is to play
    return backs if backs.tokens else None


def unready(people: People, deck: str) -> str:
    """What keeps the companion that was asked for from playing; empty for nothing."""
    if companion_in(people.names) is None:
        return "The match that goes on is one of two people: --new begins one against the companion."
    known = len(load_deck(deck).tokens)
    if known < len(DECK):
        return (
            f"The companion knows {known} of the {len(DECK)} backs of deck {deck}: print them with engarde print "
            "--companion, then show it every card with engarde register."
        )
    return ""
