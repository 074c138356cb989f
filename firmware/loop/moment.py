"""One moment of the loop as a value, and who has to do with it: audience, adviser, people, journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from display.i18n import next_language
from display.view import Situation, ViewModel
from engine.record.course import JournalEntry
from engine.rules.rulings import Ruling
from engine.rules.track import BySide
from engine.table.desk import Desk, EndTurn, Entry
from engine.table.observation import TableObservation
from vision.frame import Frame
from vision.look import Look


class Journal(Protocol):
    """Where accepted events go before they are shown."""

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Moment:
    """One look at the table and all that came of it, for whoever shows or counts it.

    ``trouble`` is empty, or says in English why an event of this moment could not be written down. ``held``: nothing
    was judged, because the menu is open or the game is paused. ``end_turn`` is what ended turns then, ``afresh``: this
    was the first look of eyes that begin anew. ``match`` is the view of the match as it stands, for lamps and those who
    are not at the table: another one than ``view`` while the screen goes back to a position of before.
    """

    frame: Frame
    look: Look
    desk: Desk
    entries: tuple[Entry, ...]
    view: ViewModel
    match: ViewModel
    trouble: str = ""
    held: bool = False
    end_turn: EndTurn = EndTurn.BUTTON
    afresh: bool = False


class Audience(Protocol):
    """A screen, the lamps, a sounder, a printer: told of every moment, deciding nothing."""

    def attend(self, moment: Moment) -> None: ...


class Adviser(Protocol):
    """Somebody beside the referee: a coach, the companion, a teacher. He adds to what is shown and judges nothing."""

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """The table as the referee is to see it: without what lies there for the adviser only."""

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The situation as it is to be shown."""


@dataclass(slots=True)
class People:
    """Who plays, and the language they are spoken to in, which may change while they play."""

    names: BySide[str]
    language: str

    def speak_next(self) -> None:
        """Go on to the next language there is."""
        self.language = next_language(self.language)
