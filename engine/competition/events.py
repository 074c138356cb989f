"""What happens in a competition, as values and as JSON. What was wrong is corrected by another event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from engine.competition.bouts import CompetitionError, Entrant, Terms
from engine.strict.text import MalformedError, shown
from engine.strict.values import LINE, Length, Range, did_you_mean, plain, read

Text: TypeAlias = Annotated[str, Length(0, 200), LINE]
Number: TypeAlias = Annotated[int, Range(0, 10**6 - 1)]
PLAIN: Final = Terms()
_OF_RELAYS: Final[Mapping[str, object]] = {"relay": False, "members": []}
"""Members that logs have from before version 2, which had team relays, with what they are where there is none."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The competition begins: always the first event, and only once."""

    what: ClassVar[str] = "opened"
    name: Text
    terms: Terms = PLAIN


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry; a late one joins the phase being fenced where that is possible."""

    what: ClassVar[str] = "entered"
    fencer: Entrant


@dataclass(frozen=True, slots=True)
class Left:
    """A withdrawal. In pools none of the fencer's bouts count; in a tableau the next opponent goes on."""

    what: ClassVar[str] = "left"
    fencer: Text
    why: Text = ""


@dataclass(frozen=True, slots=True)
class PoolsBegun:
    """``count`` pools are dealt from the ranking."""

    what: ClassVar[str] = "pools"
    count: Number = 1


@dataclass(frozen=True, slots=True)
class TableauBegun:
    """The first ``cut`` of the ranking (all, where it is None) fence for the victory."""

    what: ClassVar[str] = "tableau"
    cut: Number | None = None
    third: bool = False
    points: Number | None = None
    best_of: Number | None = None


@dataclass(frozen=True, slots=True)
class SwissBegun:
    """Swiss rounds begin, with the first of them paired."""

    what: ClassVar[str] = "swiss"


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The next Swiss round is paired."""

    what: ClassVar[str] = "round"


@dataclass(frozen=True, slots=True)
class LeagueBegun:
    """Everybody meets everybody, ``legs`` times."""

    what: ClassVar[str] = "league"
    legs: Number = 1


@dataclass(frozen=True, slots=True)
class MatchFenced:
    """One match of a bout is over. ``match`` is its name in the scorebook: one match counts once.

    ``day``, as 2026-11-24, is for people; empty where nobody knew it.
    """

    what: ClassVar[str] = "fenced"
    bout: Text
    first: Number
    second: Number
    first_won: bool
    match: Text = ""
    day: Text = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The ``at``-th match of a bout (from 1) really ended like this."""

    what: ClassVar[str] = "corrected"
    bout: Text
    at: Number
    first: Number
    second: Number
    first_won: bool
    why: Text = ""


@dataclass(frozen=True, slots=True)
class FencedAgain:
    """What was fenced of this bout does not count: it is fenced again."""

    what: ClassVar[str] = "again"
    bout: Text
    why: Text = ""


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """Among these, who are level, lots were drawn: they stand in this order."""

    what: ClassVar[str] = "lots"
    order: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The event of this number (the first is 1) did not happen. Taking this back brings it to life again."""

    what: ClassVar[str] = "taken_back"
    number: Number


@dataclass(frozen=True, slots=True)
class Lost:
    """An event whose line in the log could not be used. It changes nothing and keeps its number."""

    what: ClassVar[str] = "lost"
    why: Text = ""


CompetitionEvent: TypeAlias = (
    Opened
    | Entered
    | Left
    | PoolsBegun
    | TableauBegun
    | SwissBegun
    | RoundPaired
    | LeagueBegun
    | MatchFenced
    | Corrected
    | FencedAgain
    | LotsDrawn
    | TakenBack
    | Lost
)
KINDS: Final[Mapping[str, type[CompetitionEvent]]] = {
    kind.what: kind for kind in CompetitionEvent.__args__ if kind is not Lost
}


def event_to_json(event: CompetitionEvent) -> dict[str, Any]:
    """The event as the log has it; ``event_from_json`` gives it back."""
    return {"event": event.what, **plain(type(event), event)}


def event_from_json(obj: object) -> CompetitionEvent:
    """The event this JSON value is. Raises CompetitionError."""
    if not isinstance(obj, dict):
        raise CompetitionError(f"expected a JSON object, found {shown(obj)}")
    what = obj.get("event")
    kind = KINDS.get(what) if isinstance(what, str) else None
    if kind is None:
        raise CompetitionError(f"event is one of {', '.join(KINDS)}, not {shown(what)}{did_you_mean(str(what), KINDS)}")
    try:
        members = {name: _without_relays(value) for name, value in obj.items() if name != "event"}
        return read(kind, members)
    except MalformedError as error:
        raise CompetitionError(f"{kind.what}: {error}") from error


def _without_relays(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if name not in _OF_RELAYS or each != _OF_RELAYS[name]}
