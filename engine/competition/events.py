"""What happens in a competition, as values and as JSON. What was wrong is corrected by another event."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Final, TypeAlias, cast, get_type_hints

from engine.competition.bouts import CompetitionError, Entrant, Terms, Tie

MOST_TEXT: Final = 200
PLAIN: Final = Terms()
_OF_RELAYS: Final[Mapping[str, object]] = {"relay": False, "members": []}
"""Members that logs have from before version 2, which had team relays, with what they are where there is none."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The competition begins: always the first event, and only once."""

    what: ClassVar[str] = "opened"
    name: str
    terms: Terms = PLAIN


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody takes part; late, he joins the phase that is being fenced where that can be."""

    what: ClassVar[str] = "entered"
    fencer: Entrant


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody fences no more. In pools nothing he fenced counts; in a tableau who meets him goes on."""

    what: ClassVar[str] = "left"
    fencer: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class PoolsBegun:
    """``count`` pools are dealt from the ranking."""

    what: ClassVar[str] = "pools"
    count: int = 1


@dataclass(frozen=True, slots=True)
class TableauBegun:
    """The first ``cut`` of the ranking (all, where it is None) fence for the victory."""

    what: ClassVar[str] = "tableau"
    cut: int | None = None
    third: bool = False
    points: int | None = None
    best_of: int | None = None


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
    legs: int = 1


@dataclass(frozen=True, slots=True)
class MatchFenced:
    """One match of a bout is over. ``match`` is its name in the scorebook: one match counts once.

    ``day``, as 2026-11-24, is for people; empty where nobody knew it.
    """

    what: ClassVar[str] = "fenced"
    bout: str
    first: int
    second: int
    first_won: bool
    match: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The ``at``-th match of a bout (from 1) really ended like this."""

    what: ClassVar[str] = "corrected"
    bout: str
    at: int
    first: int
    second: int
    first_won: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class FencedAgain:
    """What was fenced of this bout does not count: it is fenced again."""

    what: ClassVar[str] = "again"
    bout: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """Among these, who are level, lots were drawn: they stand in this order."""

    what: ClassVar[str] = "lots"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The event of this number (the first is 1) did not happen. Taking this back brings it to life again."""

    what: ClassVar[str] = "taken_back"
    number: int


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
)
KINDS: Final[Mapping[str, type[CompetitionEvent]]] = {kind.what: kind for kind in CompetitionEvent.__args__}


def event_to_json(event: CompetitionEvent) -> dict[str, Any]:
    """The event as the log has it; ``event_from_json`` gives it back."""
    return {"event": event.what, **_members(event)}


def event_from_json(obj: object) -> CompetitionEvent:
    """The event this JSON value is. Raises CompetitionError."""
    if not isinstance(obj, dict):
        raise CompetitionError(f"expected a JSON object, found {str(obj)[:40]!r}")
    kind = KINDS.get(str(obj.get("event")))
    if kind is None:
        raise CompetitionError(f"event is one of {', '.join(KINDS)}, not {str(obj.get('event'))[:40]!r}")
    return cast(CompetitionEvent, _read(kind, {key: value for key, value in obj.items() if key != "event"}, kind.what))


def _members(value: Any) -> dict[str, Any]:
    return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, Terms | Entrant):
        return _members(value)
    if isinstance(value, Tie):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _read(kind: type[Any], obj: Mapping[str, Any], place: str) -> Any:
    obj = {name: value for name, value in obj.items() if name not in _OF_RELAYS or value != _OF_RELAYS[name]}
    hints = get_type_hints(kind)
    known = {each.name: each for each in fields(kind)}
    unknown = sorted(set(obj) - set(known))
    missing = [name for name, each in known.items() if each.default is MISSING and name not in obj]
    if unknown or missing:
        raise CompetitionError(f"{place}: {', '.join(missing) or 'nothing'} is missing, {unknown} is too many")
    return kind(**{name: _value(hints[name], value, f"{place}.{name}") for name, value in obj.items()})


def _value(hint: Any, value: Any, place: str) -> Any:
    if hint in (Terms, Entrant):
        if not isinstance(value, dict):
            raise CompetitionError(f"{place}: expected an object, found {str(value)[:40]!r}")
        return _read(hint, value, place)
    if hint is Tie:
        known = [each.value for each in Tie]
        if value not in known:
            raise CompetitionError(f"{place}: expected one of {', '.join(known)}, found {str(value)[:40]!r}")
        return Tie(value)
    if isinstance(hint, types.UnionType):
        if value is None:
            return None
        hint = next(each for each in hint.__args__ if each is not types.NoneType)
    if hint == tuple[str, ...]:
        if not isinstance(value, list) or not all(_is_text(each) for each in value):
            raise CompetitionError(f"{place}: expected a list of texts, found {str(value)[:40]!r}")
        return tuple(value)
    if not _HOLDS[hint](value):
        raise CompetitionError(f"{place}: expected {_CALLED[hint]}, found {str(value)[:40]!r}")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MOST_TEXT


_HOLDS: Final[Mapping[Any, Callable[[object], bool]]] = {
    str: _is_text,
    bool: lambda value: isinstance(value, bool),
    int: lambda value: type(value) is int and 0 <= value < 10**6,
}
_CALLED: Final = {str: f"text of at most {MOST_TEXT} letters", bool: "true or false", int: "a whole number from 0"}
