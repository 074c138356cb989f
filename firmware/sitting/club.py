"""A table's place in its club, if it has one, and what the house does at events. Without either nothing is started."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from firmware.club.called import Called
from firmware.club.card import read_card
from firmware.club.home import HomeTable
from firmware.club.hooks import Hooks
from firmware.club.publisher import Publisher
from firmware.club.timekeeper import Timekeeper
from firmware.club.topics import ClubError
from firmware.config import EventSettings, HomeSettings, data_folder
from firmware.loop.moment import Helper, People
from firmware.loop.watched import Part
from firmware.service.retry import Watch


def outbox_path(table: str) -> Path:
    """What this table has told its club. Raises NoHomeError."""
    return data_folder() / f"club-{table}.sqlite"


def join_club(
    card_path: Path,
    people: People,
    held: ExitStack,
    say: Callable[[str], None],
    watch: Watch,
    make_room: Callable[[], None] = lambda: None,
    *,
    named: bool,
) -> tuple[Helper, ...]:
    """The helpers of a table that has joined a club: who asks the called pair, keeps its time, and tells. None
    where its card cannot be used, which is told: the game goes on.

    ``make_room``: see ``Called``. ``named``: the card was named with the command. For that, raises ClubError and
    OSError.
    """
    try:
        card = read_card(card_path)
        calls: list[Called] = []
        publisher = Publisher(card, outbox_path(card.table), people, say, lambda said: calls[0].on_next(said))
    except (ClubError, OSError) as error:
        if named:
            raise
        say(f"The club is not told of this game: {error}")
        return ()
    calls.append(Called(publisher.confirmed, make_room))
    clock = Timekeeper(data_folder() / "clock.json", people)
    held.enter_context(closing(publisher))
    watch.there(Part.BROKER, lambda: publisher.up)
    say(f"This is table {card.table} of the club {card.club}.")
    return calls[0], clock, publisher


def open_hooks(settings: EventSettings, people: People, held: ExitStack, say: Callable[[str], None]) -> Hooks:
    """Who does what the house wants done at events."""
    return held.enter_context(closing(Hooks(settings.wanted, settings.timeout_s, people, say)))


def open_home(
    settings: HomeSettings, people: People, held: ExitStack, say: Callable[[str], None], watch: Watch
) -> HomeTable | None:
    """Who tells the home's broker of this table; None where it cannot be told, which is said."""
    try:
        home = held.enter_context(closing(HomeTable(settings, people, say)))
    except ClubError as error:
        say(f"The broker {settings.broker} is not told of this table: {error}")
        return None
    watch.there(Part.HOME, lambda: home.up)
    return home
