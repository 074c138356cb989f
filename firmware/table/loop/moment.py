"""One moment of the loop as a value, and who has to do with it: audience, helpers, people, journal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from display.i18n import next_language
from display.view import Situation, ViewModel
from engine.record.course import JournalEntry
from engine.rules.rulings import Ruling
from engine.rules.track import BySide
from engine.table.desk import Desk, Entry, Settings
from engine.table.observation import TableObservation
from engine.table.presses import Press
from firmware.table.loop.requests import Request
from vision.frame import Frame
from vision.look import Look

T = TypeVar("T")


class Journal(Protocol):
    """Where accepted events go before they are shown."""

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None: ...


class NoJournal:
    """Keeps nothing: the match was written down when it was played, or is none."""

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        """Nothing is kept."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One look at the table and all that came of it, for whoever shows or counts it.

    ``trouble`` is empty, or says in English why an event of this moment could not be written down. ``held``: nothing
    was judged, because the menu is open or the game is paused. ``settings`` are those it was judged with, ``requests``
    what was carried out before it. ``match`` is the view of the match as it stands, for lamps and those who are not at
    the table: another one than ``view`` while the screen goes back to a position of before.
    """

    frame: Frame
    look: Look
    desk: Desk
    entries: tuple[Entry, ...]
    view: ViewModel
    match: ViewModel
    trouble: str
    held: bool
    settings: Settings
    requests: tuple[Request, ...]


class Audience(Protocol):
    """A screen, the lamps, a sounder, a printer: told of every moment, deciding nothing."""

    def attend(self, moment: Moment) -> None: ...


class Helper:
    """A part beside the referee: the menu, a coach, a teacher, the companion, a recorder. It judges nothing.

    Helpers stand in a row: each hears, sees and adds to what those before it left. This one leaves everything
    as it is, and asks for what was put in ``_asked``.
    """

    def __init__(self) -> None:
        self._asked: list[Request] = []

    def asks(self) -> tuple[Request, ...]:
        """Requests for the loop before the next look, each once."""
        asked = tuple(self._asked)
        self._asked.clear()
        return asked

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """The table as the referee is to see it: without what lies there for the helper only."""
        return seen

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """The presses that are not the helper's."""
        return presses

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The situation as it is to be shown."""
        return situation

    def attend(self, moment: Moment) -> None:
        """Called with every moment."""

    def anew(self) -> None:
        """Begin anew, after something failed here."""
        self._asked.clear()


def leaves(member: object, doing: str) -> bool:
    """Whether a helper leaves this as every helper does."""
    own = getattr(member, doing, None)
    return own is not None and getattr(own, "__func__", None) is getattr(Helper, doing)


def there(*members: T | None) -> tuple[T, ...]:
    """The members that are not None, in their order."""
    return tuple(member for member in members if member is not None)


@dataclass(slots=True)
class People:
    """The players' names, their language, and what both agreed to, by name; all may change meanwhile.

    ``picture_of`` gives the portrait that somebody of a name chose, empty for none.
    """

    names: BySide[str]
    language: str
    agreed: tuple[str, ...] = ()
    picture_of: Callable[[str], str] = lambda name: ""

    def speak_next(self) -> None:
        """Go on to the next language there is."""
        self.language = next_language(self.language)
