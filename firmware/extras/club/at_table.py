"""A table's place in its club: who asks the called pair, keeps its time, and tells the club of the match."""

from __future__ import annotations

from contextlib import closing
from typing import Final

from firmware.core.config import data_folder
from firmware.extras.club.called import Called
from firmware.extras.club.card import read_card
from firmware.extras.club.publisher import Publisher
from firmware.extras.club.timekeeper import Timekeeper
from firmware.extras.club.topics import ClubError
from firmware.table.loop.watched import Part
from firmware.table.service.extras import ExtraMatch, Joined

ALONE: Final[Joined] = (), ()


def join(match: ExtraMatch) -> Joined:
    """The helpers of a table that has joined a club; none where its card cannot be used, which is said.

    Raises ClubError and OSError for a card that was named with the command.
    """
    if match.card is None:
        return ALONE
    try:
        card = read_card(match.card)
        calls: list[Called] = []
        outbox = data_folder() / f"club-{card.table}.sqlite"
        publisher = Publisher(card, outbox, match.people, match.say, lambda said: calls[0].on_next(said))
    except (ClubError, OSError) as error:
        if match.is_named:
            raise
        match.say(f"The club is not told of this game: {error}")
        return ALONE
    calls.append(Called(publisher.confirmed, match.make_room))
    clock = Timekeeper(data_folder() / "clock.json", match.people)
    match.held.enter_context(closing(publisher))
    match.watch.there(Part.BROKER, lambda: publisher.up)
    match.say(f"This is table {card.table} of the club {card.club}.")
    return (calls[0], clock, publisher), ()
