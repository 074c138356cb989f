"""Requests to the loop, as values: it alone carries them out, a recorder writes them down.

``note_of`` and ``request_of`` are a request as a note in a recording. Source: FORMATS.md, "Recordings".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from engine.record.answers import entry_from_json, entry_to_json
from engine.record.course import JournalEntry
from engine.rules.events import MatchEvent
from engine.rules.track import BySide
from engine.strict.values import Alias, Converter, plain, read
from engine.table.desk import Desk, EndTurn
from engine.table.presses import NoteKind
from firmware.core.names import clean_name
from vision.printed.table import PlayArea

MENU: Final = "menu"
PAUSE: Final = "pause"
RETELLING: Final = "retelling"
LESSON: Final = "lesson"
KEEPER: Final = "keeper"
AIM: Final = "aim"
"""Who holds the game: an open menu, a pause, a round told again, a teacher who has the word, the score kept by hand, a
camera that is turned the right way."""


@dataclass(frozen=True, slots=True)
class Enter:
    """Judge this event, or correct the match, as entered by hand: on disk before it is shown, like any other."""

    entry: Annotated[
        JournalEntry, Converter(entry_from_json, entry_to_json, "an event or a correction"), Alias("enter")
    ]


Names: TypeAlias = BySide[Annotated[str, Converter(clean_name, str, "a name")]]


def _match(said: object) -> MatchEvent:
    entry = entry_from_json(said)
    if not isinstance(entry, MatchEvent):
        raise ValueError
    return entry


@dataclass(frozen=True, slots=True)
class Begin:
    """Another match, in a journal of its own, with nothing agreed to. ``names`` None: of the same two.

    Where it cannot be written down, the one so far goes on.
    """

    match: Annotated[MatchEvent, Converter(_match, entry_to_json, "a match")]
    names: Names | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """Judge nothing until everybody who holds the game has released it."""

    by: Annotated[str, Alias("hold")]


@dataclass(frozen=True, slots=True)
class Release:
    """Let go of the game, as far as this holder goes."""

    by: Annotated[str, Alias("release")]


@dataclass(frozen=True, slots=True)
class EndTurns:
    """End turns this way from now on."""

    way: Annotated[EndTurn, Alias("end_turn")]


@dataclass(frozen=True, slots=True)
class Agree:
    """Set all that both players agree to, by name."""

    modes: Annotated[tuple[str, ...], Alias("agreed")]


@dataclass(frozen=True, slots=True)
class LookAfresh:
    """Look for the board, and at what lies on it, as if for the first time."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Compare the table with the record before play goes on: what was entered meanwhile, nobody saw."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Read the backs of cards in these parts of the table, of a deck with these tokens."""

    areas: tuple[PlayArea, ...]
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Go on from this desk: a match out of the scorebook, or the position of a lesson."""

    desk: Desk


@dataclass(frozen=True, slots=True)
class Announce:
    """Have the screen say this for a while, as soon as nobody holds the game."""

    kind: NoteKind
    count: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """End the run."""


Request: TypeAlias = (
    Enter | Begin | Hold | Release | EndTurns | Agree | LookAfresh | Compare | Watch | TakeUp | Announce | Stop
)


_NOTED: Final[Mapping[str, type[Request]]] = {
    "enter": Enter,
    "hold": Hold,
    "release": Release,
    "end_turn": EndTurns,
    "agreed": Agree,
}
"""Requests of one member, by its name in a note."""
_BARE: Final[Mapping[str, Request]] = {"afresh": LookAfresh(), "compare": Compare()}
"""Requests without any."""


def note_of(request: Request) -> dict[str, Any] | None:
    """The request as a note; None for one that makes no difference to the rulings, or that is asked again by itself."""
    if type(request) in _NOTED.values():
        return dict(plain(type(request), request))
    if isinstance(request, Begin):
        return {"begin": plain(Begin, request)}
    return next(({name: True} for name, bare in _BARE.items() if request == bare), None)


def request_of(note: Mapping[str, Any]) -> Request | None:
    """The request of a note, None for another kind of note. Raises ValueError for a bad one."""
    [(name, said), *_] = note.items()
    if name in _NOTED:
        return read(_NOTED[name], note, others=True)
    if name == "begin":
        return read(Begin, said, others=True)
    return _BARE.get(name)
