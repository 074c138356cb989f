"""A club's messages: their topics, what a table tells, and the shape of each as it comes over the wire.

A table tells all that everybody in the room can see on its scoreboard, and never a card: events are made of what the
referee ruled, in the form of ``engarde play --json``, and that names no card, neither those that were laid nor those
shown at the end. Their names would say what is still hidden. Source: engine/RULES.md ruling 11; README.md, "Topics".

Each member that comes is there, within its range, and the sum right. Whether a match can go like that is another
question: ``firmware.extras.club.hall_book``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.competition.bouts import MAX_POINTS as MAX_TOUCHES
from engine.competition.bouts import Tie
from engine.record.answers import answer_to_json
from engine.record.corrections import Correction
from engine.rules.cards import HAND_SIZE
from engine.rules.events import (
    MAX_POINTS,
    MAX_TIME_S,
    MatchEvent,
    RevealEvent,
    RoundEvent,
    TimeEvent,
    TurnEvent,
    UndoEvent,
    YieldEvent,
)
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import ActionKind, Ruling
from engine.rules.state import PILE_SIZE, AttackKind, Phase, PublicState, Reason
from engine.rules.track import SPACES, BySide, Side
from engine.strict.text import Bounds, MalformedError, Plain, json_of, shown
from engine.strict.values import LINE, Converter, Length, Pattern, Range
from engine.strict.values import read as read_as
from engine.table.desk import Entry
from firmware.core.errors import EngardeError
from firmware.core.names import clean_name

VERSION: Final = 1
"""Of topics and payloads: what is said otherwise one day is said under another number, beside this one."""
ROOT: Final = f"engarde/{VERSION}"
ONLINE: Final = "online"
OFFLINE: Final = "offline"
"""The two values of a table's ``status``; the broker says the second for one that is gone without a word."""
HALL: Final = "hall"
DESK: Final = "desk"
LISTENER: Final = "listener"
"""For other programs that read along. The broker parts with one of two of the same name."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
RESERVED: Final = (HALL, DESK, LISTENER)


class ClubError(EngardeError, ValueError):
    """Something about the club's machines that cannot be used. Its text says what was expected, found, and the cure."""


def good_name(name: str, what: str) -> str:
    """A club's or a table's name, as it may stand in a topic. Raises ClubError."""
    if not _NAME.fullmatch(name) or name in RESERVED:
        raise ClubError(
            f"{what} {name[:40]!r}: expected 1 to 20 of a to z, 0 to 9 and -, beginning with none of -, and not "
            f"{' or '.join(RESERVED)}; choose another name."
        )
    return name


def topic(club: str, table: str, what: str) -> str:
    """Of a table (``status``, ``state``, ``event``, ``said``), or of the hall to it (``hall/next``, ``hall/ask``)."""
    return f"{ROOT}/{club}/{table}/{what}"


def table_and_what(club: str, name: str) -> tuple[str, str] | None:
    """The table that a topic of this club is of, and what it holds; None for any other topic."""
    parts = name.split("/", 4)
    if parts[:3] != [*ROOT.split("/"), club] or len(parts) < 5 or not _NAME.fullmatch(parts[3]):
        return None
    return parts[3], parts[4]


SUM_LENGTH: Final = 32
START: Final = "0" * SUM_LENGTH
"""The sum that the first event of a match continues."""


def dumped(value: object) -> str:
    """One value as one line of JSON, always the same."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def sealed(before: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The event with the sum it continues, and its own; ``body`` is the event without both."""
    total = hashlib.sha256(f"{before}{dumped(body)}".encode()).hexdigest()[:SUM_LENGTH]
    return {**body, "prev": before, "sum": total}


def is_sealed(event: Mapping[str, Any]) -> bool:
    """Whether nothing of it was changed since."""
    body = {key: value for key, value in event.items() if key not in ("prev", "sum")}
    return bool(sealed(str(event.get("prev")), body)["sum"] == event.get("sum"))


RESUMED: Final = Ruling(True, "resumed")
"""Stands in the place of a ruling where a table begins to tell in the middle of a match."""
KINDS: Final = (
    *(each.name for each in (MatchEvent, RoundEvent, TurnEvent, YieldEvent, RevealEvent, TimeEvent, UndoEvent)),
    Correction.name,
    RESUMED.event,
)
"""The kinds of events that rulings are on."""


def told(entry: Entry, names: BySide[str], bout: str = "") -> dict[str, Any] | None:
    """The message about an accepted entry of this ``bout``; None for a refused one, of which nothing is told."""
    if not entry.ruling.ok or entry.state is None:
        return None
    return told_state(entry.ruling, entry.state, names, entry.t_s, bout)


def told_state(ruling: Ruling, state: PublicState, names: BySide[str], t_s: float, bout: str = "") -> dict[str, Any]:
    """A ruling at ``t_s`` of the table's own clock, the camera's, and where the match stands then."""
    return {
        "t": round(t_s, 3),
        "bout": bout,
        "names": {side.value: name for side, name in names.items()},
        "rules": state.rules.name,
        "points": state.points,
        "ruling": answer_to_json(state, ruling),
    }


def framed(table: str, match: str, seq: int, wall_s: float, body: Mapping[str, Any]) -> dict[str, Any]:
    """An event as it goes over the wire, but for its sums. ``wall_s`` is the time of day there, which may be wrong."""
    return {"version": VERSION, "table": table, "match": match, "seq": seq, "wall_s": round(wall_s, 3), **body}


def state_message(
    table: str, match: str, seq: int, t_s: float, shown: Mapping[str, Any], told_so_far: Mapping[str, int]
) -> dict[str, Any]:
    """The message about what is ``shown`` since ``t_s``, the object of ``/state.json``, kept by the broker.

    ``seq`` is the last event that it knows of. ``told_so_far`` are the last matches with the number of events each has,
    so that the hall finds what is missing at the end of one that is over.
    """
    return {
        **shown,
        "version": VERSION,
        "table": table,
        "match": match,
        "seq": seq,
        "t": round(t_s, 3),
        "told": [{"match": name, "seq": count} for name, count in told_so_far.items()],
    }


def read(event: Mapping[str, Any]) -> dict[str, Any]:
    """Its own members, and instead of ``ruling``: ``kind`` and ``player`` of what was ruled, what a turn did
    (``action``, ``parried``), and where the match stands then (``spaces``, ``score`` and so on)."""
    ruling = event["ruling"]
    state, kind = ruling["state"], ruling["ruling"]
    return {
        **{name: value for name, value in event.items() if name != "ruling"},
        "kind": kind,
        "player": _who_gave_up(state["result"]) if kind == YieldEvent.name else ruling.get("player"),
        "action": ruling.get("action"),
        "parried": ruling.get("parry") is not None,
        "spaces": {side.value: state[side.value] for side in Side},
        **{name: state[name] for name in ("round", "phase", "to_act", "score", "pile", "attack", "result")},
    }


def read_text(text: str) -> dict[str, Any]:
    """The same of an event that was kept as text. Raises MalformedError where the disk has spoiled it."""
    event = json_of(str(text))
    read_as(EventTold, event)
    return read(event)


def _who_gave_up(result: Mapping[str, Any] | None) -> str | None:
    """Giving up loses the round, and no ruling names the loser otherwise."""
    winner = None if result is None else result["winner"]
    return None if winner is None else Side(winner).other.value


EVENT_BOUNDS: Final = Bounds(bytes=4096, depth=6)
"""Real events have less than a thousand bytes."""
STATE_BOUNDS: Final = Bounds(bytes=16_384, depth=12)
MAX_SEQ: Final = 100_000
MAX_TOLD: Final = 16
NO_HANDICAP: Final = BySide(0, 0)

Sum: TypeAlias = Annotated[str, Pattern(f"[0-9a-f]{{{SUM_LENGTH}}}", f"{SUM_LENGTH} hexadecimal digits")]
Seq: TypeAlias = Annotated[int, Range(1, MAX_SEQ)]
Seconds: TypeAlias = Annotated[float, Range(-1e12, 1e12)]
_Space: TypeAlias = Annotated[int, Range(1, SPACES)]
_FewCards: TypeAlias = Annotated[int, Range(1, 5)]


def _clean(name: object) -> str:
    if not isinstance(name, str) or clean_name(name) != name:
        raise ValueError
    return name


Name: TypeAlias = Annotated[str, Converter(_clean, str, "a player's name")]


@dataclass(frozen=True, slots=True)
class AttackTold:
    by: Side
    kind: AttackKind
    value: _FewCards
    count: _FewCards


@dataclass(frozen=True, slots=True)
class ParryTold:
    value: _FewCards
    count: _FewCards


@dataclass(frozen=True, slots=True)
class ResultTold:
    winner: Side | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class StateTold:
    """Where the match stands; a state that contradicts itself is refused."""

    round: Annotated[int, Range(0, 10**6)]
    phase: Phase
    to_act: Side | None
    white: _Space
    black: _Space
    distance: Annotated[int, Range(1, SPACES - 1)]
    pile: Annotated[int, Range(0, PILE_SIZE)]
    hands: BySide[Annotated[int, Range(0, HAND_SIZE)]]
    attack: AttackTold | None
    score: BySide[Annotated[int, Range(0, MAX_POINTS)]]
    result: ResultTold | None

    def __post_init__(self) -> None:
        at_play = self.phase in (Phase.TURN, Phase.FINAL)
        over = self.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER)
        result = self.result
        fits = (
            self.distance == self.black - self.white
            and (self.to_act is not None) == at_play
            and (self.attack is None or at_play)
            and (result is not None) == over
            and (self.round == 0) == (self.phase is Phase.SETUP)
            and (
                result is None
                or result.reason is Reason.TIME
                or (result.reason is Reason.DRAW) == (result.winner is None)
            )
        )
        if not fits:
            raise ValueError("the state contradicts itself")


@dataclass(frozen=True, slots=True)
class HappenedTold:
    """The ruling on anything but a turn."""

    ok: Literal[True]
    ruling: Literal[tuple(sorted(set(KINDS) - {TurnEvent.name}))]  # type: ignore[valid-type]
    state: StateTold


@dataclass(frozen=True, slots=True)
class TurnTold:
    """The ruling on a turn, by which something happened."""

    ok: Literal[True]
    ruling: Literal["turn"]
    player: Side
    action: ActionKind | None
    parry: ParryTold | None
    state: StateTold

    def __post_init__(self) -> None:
        if self.action is None and self.parry is None:
            raise ValueError("a turn without an action and a parry is none")


@dataclass(frozen=True, slots=True)
class EventTold:
    version: Literal[VERSION]  # type: ignore[valid-type]
    table: Annotated[str, Length(0, 40)]
    match: Sum
    seq: Seq
    prev: Sum
    sum: Sum
    wall_s: Seconds
    t: Seconds
    bout: Annotated[str, Length(0, 40), LINE]
    names: BySide[Name]
    rules: Literal[tuple(RULE_SETS)]  # type: ignore[valid-type]
    points: Annotated[int, Range(1, MAX_POINTS)]
    ruling: TurnTold | HappenedTold


@dataclass(frozen=True, slots=True)
class MatchTold:
    match: Sum
    seq: Annotated[int, Range(0, MAX_SEQ)]


@dataclass(frozen=True, slots=True)
class VerdictTold:
    headline: Annotated[str, Length(0, 500), LINE]


@dataclass(frozen=True, slots=True)
class ShownTold:
    """The part of a table's kept ``state`` that the hall uses: sentence, clock, and number of events told."""

    table: str
    match: Annotated[str, Length(0, 40)]
    seq: Annotated[int, Range(0, MAX_SEQ)]
    verdict: VerdictTold
    told: Annotated[tuple[MatchTold, ...], Length(0, MAX_TOLD)]
    clock_s: Annotated[int, Range(0, MAX_TIME_S)] | None = None


@dataclass(frozen=True, slots=True)
class NextCall:
    """A pair called to a table, with their terms: the ``match``-th match of this bout."""

    bout: Annotated[str, Length(1, 40), LINE]
    names: BySide[Name]
    points: Annotated[int, Range(1, MAX_TOUCHES)]
    match: Annotated[int, Range(1, 9)] = 1
    handicap: BySide[Annotated[int, Range(0, MAX_TOUCHES)]] = NO_HANDICAP
    time_s: Annotated[int, Range(1, MAX_TIME_S)] | None = None
    tie: Tie = Tie.EXTRA

    def __post_init__(self) -> None:
        if self.names.white == self.names.black or max(self.handicap.white, self.handicap.black) >= self.points:
            raise ValueError("nobody fences himself, or begins with all touches")


def call_of(payload: bytes) -> NextCall | None:
    """The pair that the hall calls; None for nobody, and for bytes that cannot be read."""
    try:
        return read_as(NextCall, json_of(payload, STATE_BOUNDS), others=True)
    except MalformedError:
        return None


def event_of(payload: bytes, table: str) -> dict[str, Plain]:
    """The event that this table has sent, as it stands there. Raises MalformedError, and nothing else."""
    event: dict[str, Plain] = json_of(payload, EVENT_BOUNDS)
    _expect_own(read_as(EventTold, event).table, table)
    if not is_sealed(event):
        raise MalformedError("its sum does not hold")
    return event


def shown_of(payload: bytes, table: str) -> ShownTold:
    """This table's kept ``state``. Raises MalformedError, and nothing else."""
    told = read_as(ShownTold, json_of(payload, STATE_BOUNDS), others=True)
    _expect_own(told.table, table)
    return told


def _expect_own(said: str, table: str) -> None:
    if said != table:
        raise MalformedError(f"it speaks for table {shown(said)}")
