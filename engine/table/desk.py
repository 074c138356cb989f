"""The referee's desk: all that is known of a match while it is refereed, and what becomes of it by an event.

It touches no device and no disk: every function is handed the desk as it was, and gives the desk as it is now and the
events that fell, so that the loop can put an event on disk before anyone is shown it. What a look at the table makes of
it is in ``engine.table.step``. A match that is taken up again, or was corrected, is first compared with the table: see
``Comparing``.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final

from engine.record.answers import answer_to_json, entry_to_json
from engine.record.corrections import Correction, CorrectionError
from engine.record.course import Course, JournalEntry, follow
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, TimeEvent, TurnEvent, UndoEvent
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.table.by_hand_offer import Offer, Unseen
from engine.table.comparison import Comparing
from engine.table.observation import Doubt, TableObservation
from engine.table.presses import Note, NoteKind, Press
from engine.table.stand_ins import NO_STAND_INS, StandIns

TREMBLE_S: Final = 0.5
"""Presses that are closer together than this are one."""


class EndTurn(Enum):
    """The way a turn ends: by the player's button, or a legal turn that has stood unchanged."""

    BUTTON = "button"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the desk waits. All times are seconds on the camera's clock.

    ``settle_s``: how long a legal turn must stand before it ends by itself (auto), and how long the end of a round is
    shown at least. ``quiet_s``: how long the table must have stood unchanged before a press is judged or a set-up
    board begins a round; two shown hands, twice as long. ``patience_s``: how long a press waits for the
    eyes. ``give_up_s``: within which a second press means giving up.
    """

    end_turn: EndTurn = EndTurn.BUTTON
    settle_s: float = 3.0
    quiet_s: float = 0.6
    patience_s: float = 6.0
    give_up_s: float = 15.0
    middle_x_mm: float = 308.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One event or correction with its ruling and the state after it, at ``t_s``.

    ``by_hand``: entered in the menu or, where it is ``confirmed`` too, proposed and confirmed with a press.
    """

    t_s: float
    event: JournalEntry
    ruling: Ruling
    state: PublicState | None
    by_hand: bool = False
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Desk:
    """All the loop knows of the game. ``verdicts`` counts the rulings given; ``opened_s`` is when the turn began.

    ``give_up_s``: when a press that laid and moved nothing was answered: pressed again in time with the table as it was
    refused (``refused_table``), the player gives up. A player who moved the fencer and forgot the card meant to play,
    and is not asked. A press that follows too soon answers nothing: no trembling hand gives a round away.

    ``asked_about``: cards glimpsed in this turn, and labels half hidden, that the players were asked to show, see
    ``engine.table.asking``. ``comparing``: no event falls before the table and the record agree or somebody said which
    is right. ``unseen``: the eyes are not steady, or something shines; ``offer``: a turn that is proposed then.
    ``stand_ins``: cards entered by hand that nobody read. ``discards``: those cards of this round that were
    seen to lie on the table since they were played, see ``engine.table.table_reading``. ``stood``: the last look in
    which the table had stood unchanged long enough; it says nothing of the game. ``taken``: cards that were taken back
    though the eyes hold them to lie under others, see ``engine.table.table_reading``. ``bare_s``: when
    the table was last seen without a card before a round, see ``engine.table.table_reading``.
    """

    course: Course | None = None
    comparing: Comparing | None = None
    ruling: Ruling | None = None
    verdicts: int = 0
    verdict_s: float = 0.0
    opened_s: float = 0.0
    refused_table: TurnEvent | None = None
    give_up_s: float | None = None
    waiting: Press | None = None
    note: Note | None = None
    asked_about: frozenset[Card | Doubt] = frozenset()
    asked_s: float = 0.0
    unseen: Unseen | None = None
    offer: Offer | None = None
    stand_ins: StandIns = NO_STAND_INS
    discards: frozenset[Card] = frozenset()
    taken: frozenset[Card] = frozenset()
    bare_s: float = -math.inf
    stood: TableObservation | None = field(default=None, compare=False)

    @property
    def state(self) -> PublicState | None:
        """Where the match stands; None before the first."""
        return self.course.state if self.course is not None else None


Stepped = tuple[Desk, tuple[Entry, ...]]


def open_match(event: MatchEvent) -> Stepped:
    """A desk at which this match has just been opened."""
    return rule(Desk(), event, 0.0)


def take_up(course: Course, *, after_lesson: bool = False) -> Desk:
    """The desk at which a match goes on that was cut off: first the table is compared with it.

    ``after_lesson``: it made way for one, and what lies there is put back as it was.
    """
    return Desk(course, Comparing(restarted=True, rebuilding=after_lesson))


def correct(desk: Desk, correction: Correction, t_s: float) -> Stepped:
    """The match corrected, as the menu asks for it; then the table is compared with it before play goes on.

    A correction that cannot be made (any more) is answered with a note.
    """
    try:
        corrected, entries = rule(desk, correction, t_s)
    except CorrectionError:
        return replace(desk, note=Note(NoteKind.CORRECTION_REFUSED, t_s)), ()
    rebuilding = desk.comparing is not None and desk.comparing.rebuilding
    return replace(corrected, comparing=Comparing(rebuilding=rebuilding)), entries


def enter(desk: Desk, event: Event, t_s: float, lying: Collection[Card] = ()) -> Stepped:
    """An event entered by hand, judged like any other. A refusal stands until the next: no table shows this turn.

    What happened by hand says where the match stands; only what is taken back is still compared with the table.
    ``lying`` are the cards that are read: any other card of the event stands in for one that nobody saw.
    """
    ruled, entries = rule(desk, event, t_s)
    if entries[0].ruling.ok and not isinstance(event, UndoEvent):
        entered = [card for card in event.cards if card not in lying] if isinstance(event, TurnEvent) else []
        ruled = replace(ruled, comparing=None, stand_ins=ruled.stand_ins.after(ruled.state, entered))
    by_hand = not isinstance(event, TimeEvent)  # that one a clock says
    return replace(ruled, refused_table=None), tuple(replace(entry, by_hand=by_hand) for entry in entries)


def rule(desk: Desk, event: JournalEntry, t_s: float) -> Stepped:
    """The desk after this event, and its entry, whatever the ruling. Raises CorrectionError as ``follow`` does."""
    course, ruling = follow(desk.course, event)
    entry = Entry(t_s, event, ruling, course.state if course is not None else None)
    ruled = replace(
        desk,
        course=course,
        ruling=ruling,
        verdicts=desk.verdicts + 1,
        verdict_s=t_s,
        opened_s=t_s if ruling.ok else desk.opened_s,
        refused_table=event if isinstance(event, TurnEvent) and not ruling.ok else None,
        give_up_s=None,
        waiting=None,
        note=None,
        asked_about=frozenset() if ruling.ok else desk.asked_about,
        unseen=None,
        offer=None,
        discards=desk.discards.intersection(course.state.played if course is not None else ()),
    )
    return ruled, (entry,)


def ruled_to_json(entry: Entry) -> dict[str, Any]:
    """An event with its ruling as an object. Source: FORMATS.md, "Matches read off a table".

    What was entered by hand says so, and what was confirmed by a press, so that whoever has the presses has it too.
    """
    ruled = {
        "t": round(entry.t_s, 3),
        "event": entry_to_json(entry.event),
        "ruling": answer_to_json(entry.state, entry.ruling),
    }
    if entry.confirmed:
        return {**ruled, "by_hand": True, "confirmed": True}
    return {**ruled, "by_hand": True} if entry.by_hand else ruled
