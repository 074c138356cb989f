"""Table events as frozen values, and their JSON shape. Source: FORMATS.md, "Cards"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

from engine.rules.cards import CARD_BY_NAME, Card
from engine.rules.rulesets import DEFAULT_POINTS, RULE_SETS
from engine.rules.rulings import RulingCode
from engine.rules.track import BySide, Side

MAX_POINTS: Final = 10**9
"""More than anybody plays to, and still a number every database column holds."""
MAX_TIME_S: Final = 86_400
"""A day: nobody fences longer."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a match is played, in seconds, and what decides it where it is level then (RULES.md, "A limit of time").

    ``priority`` is who wins then, by a lot drawn before the match; None: one more touch, however long it takes.
    ``extra_s``: with a priority, so long that one more touch is tried for first. ``drawn``: nobody wins then.
    """

    time_s: int
    extra_s: int = 0
    priority: Side | None = None
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """A new match. ``rules`` is a preset's name; ``starter`` begins the first round; ``points`` win the match.

    ``limit`` is kept for whoever has a clock: the referee has none, and is told by a ``TimeEvent``.
    """

    name: ClassVar[str] = "match"
    rules: str
    starter: Side = Side.WHITE
    points: int = DEFAULT_POINTS
    limit: Limit | None = None


@dataclass(frozen=True, slots=True)
class RoundEvent:
    """Figures on 1 and 23, 25 cards shuffled, five dealt to each."""

    name: ClassVar[str] = "round"


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The player to act has ended his turn: the cards he laid, and where both figures stand now."""

    name: ClassVar[str] = "turn"
    cards: tuple[Card, ...]
    white: int
    black: int

    @property
    def spaces(self) -> BySide[int]:
        """Where both figures stand."""
        return BySide(self.white, self.black)


@dataclass(frozen=True, slots=True)
class YieldEvent:
    """The player to act gives up; ``cards`` he laid this turn, if any."""

    name: ClassVar[str] = "yield"
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class RevealEvent:
    """Both hands shown after the last card."""

    name: ClassVar[str] = "reveal"
    white: tuple[Card, ...]
    black: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TimeEvent:
    """The match's time is up. Level, it is ``drawn``, or ``priority`` has won it; neither: the next touch wins it."""

    name: ClassVar[str] = "time"
    priority: Side | None = None
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class UndoEvent:
    """Takes back the last accepted event; the match itself stays."""

    name: ClassVar[str] = "undo"


Event: TypeAlias = MatchEvent | RoundEvent | TurnEvent | YieldEvent | RevealEvent | TimeEvent | UndoEvent


class EventError(ValueError):
    """A JSON value that is no event. ``code`` is ``bad_event``, or ``unknown_card`` with the ``card`` named.

    ``event`` is the event's name where that much could be read, else empty: a turn with an unknown card at a time
    when no turn may come is refused for the time.
    """

    def __init__(self, problem: str, code: RulingCode = RulingCode.BAD_EVENT, event: str = "", card: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.code = code
        self.event = event
        self.card = card


def quoted(value: object) -> str:
    """Somebody else's text made safe to repeat: ASCII, in quotes, not longer than a line."""
    text = ascii(value[:40] if isinstance(value, str) else value)
    return text if len(text) <= 60 else text[:57] + "..."


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as FORMATS.md has it; ``event_from_json`` gives it back."""
    match event:
        case MatchEvent(rules, starter, points, limit):
            time = {} if limit is None else {"time": _limit_to_json(limit)}
            return {"event": "match", "rules": rules, "starter": starter.value, "points": points, **time}
        case TimeEvent(priority, drawn):
            return {"event": "time", **_tie_to_json(priority, drawn)}
        case TurnEvent(cards, white, black):
            return {"event": "turn", "cards": [str(card) for card in cards], "white": white, "black": black}
        case YieldEvent(cards):
            return {"event": "yield", "cards": [str(card) for card in cards]}
        case RevealEvent(white_hand, black_hand):
            return {
                "event": "reveal",
                "white": [str(card) for card in white_hand],
                "black": [str(card) for card in black_hand],
            }
        case _:
            return {"event": event.name}


def _limit_to_json(limit: Limit) -> dict[str, Any]:
    """Without what it does not have."""
    written: dict[str, Any] = {"s": limit.time_s}
    if limit.extra_s:
        written["extra_s"] = limit.extra_s
    return written | _tie_to_json(limit.priority, limit.drawn)


def _tie_to_json(priority: Side | None, drawn: bool) -> dict[str, Any]:
    if drawn:
        return {"drawn": True}
    return {} if priority is None else {"priority": priority.value}


def event_from_json(obj: object) -> Event:
    """The event this JSON value is. Members nobody asked for are ignored. Raises EventError."""
    if not isinstance(obj, dict):
        raise EventError('a line holds one JSON object, such as {"event": "round"}')
    name = obj.get("event")
    if name == "turn":
        white, black = obj.get("white"), obj.get("black")
        # An exact type check: True and 4.0 equal integers but are none.
        if type(white) is not int or type(black) is not int:
            raise EventError("a turn names the space of both figures as whole numbers, white and black", event="turn")
        return TurnEvent(_cards(obj, "cards", "turn"), white, black)
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        found = f"not {quoted(name)}" if "event" in obj else "but it is missing"
        raise EventError(f"event is one of match, round, turn, yield, reveal, time, undo, {found}")
    return reader(obj)


def _read_match(obj: Mapping[str, Any]) -> Event:
    rules, starter, points = obj.get("rules"), obj.get("starter", "white"), obj.get("points", DEFAULT_POINTS)
    if not isinstance(rules, str) or rules not in RULE_SETS:
        raise EventError(f"rules is one of {', '.join(RULE_SETS)}, not {quoted(rules)}", event="match")
    if starter != "white" and starter != "black":
        raise EventError(f"starter is white or black, not {quoted(starter)}", event="match")
    if type(points) is not int or not 1 <= points <= MAX_POINTS:
        raise EventError(f"points is a whole number from 1, not {quoted(points)}", event="match")
    return MatchEvent(rules, Side(starter), points, _limit(obj["time"]) if "time" in obj else None)


def _limit(obj: object) -> Limit:
    if not isinstance(obj, dict):
        raise EventError(f'time is an object such as {{"s": 180}}, not {quoted(obj)}', event="match")
    time_s, extra_s, (priority, drawn) = obj.get("s"), obj.get("extra_s", 0), _tie(obj, "match")
    if type(time_s) is not int or not 1 <= time_s <= MAX_TIME_S:
        raise EventError(
            f"time.s is a whole number of seconds from 1 to {MAX_TIME_S}, not {quoted(time_s)}", event="match"
        )
    if type(extra_s) is not int or not 0 <= extra_s <= MAX_TIME_S or (extra_s and priority is None):
        problem = f"time.extra_s is a whole number of seconds up to {MAX_TIME_S}, and wants a priority"
        raise EventError(f"{problem}; found {quoted(extra_s)}", event="match")
    return Limit(time_s, extra_s, priority, drawn)


def _tie(obj: Mapping[str, Any], event: str) -> tuple[Side | None, bool]:
    """What decides a match that is level when time is up: who has the priority, and whether it is drawn."""
    priority, drawn = obj.get("priority"), obj.get("drawn", False)
    if priority not in (None, "white", "black"):
        raise EventError(f"priority is white or black, or left out, not {quoted(priority)}", event=event)
    if type(drawn) is not bool or (drawn and priority is not None):
        raise EventError(
            f"drawn is true or false, and true only without a priority; found {quoted(drawn)}", event=event
        )
    return None if priority is None else Side(priority), drawn


def _read_time(obj: Mapping[str, Any]) -> Event:
    return TimeEvent(*_tie(obj, "time"))


def _read_yield(obj: Mapping[str, Any]) -> Event:
    return YieldEvent(_cards(obj, "cards", "yield") if "cards" in obj else ())


def _read_reveal(obj: Mapping[str, Any]) -> Event:
    for side in ("white", "black"):
        _names(obj, side, "reveal")
    return RevealEvent(_cards(obj, "white", "reveal"), _cards(obj, "black", "reveal"))


def _read_round(_: Mapping[str, Any]) -> Event:
    return RoundEvent()


def _read_undo(_: Mapping[str, Any]) -> Event:
    return UndoEvent()


_READERS: Final = {
    "match": _read_match,
    "round": _read_round,
    "yield": _read_yield,
    "reveal": _read_reveal,
    "time": _read_time,
    "undo": _read_undo,
}


def _cards(obj: Mapping[str, Any], member: str, event: str) -> tuple[Card, ...]:
    names = _names(obj, member, event)
    try:
        return tuple([CARD_BY_NAME[name] for name in names])
    except KeyError as error:
        card = quoted(error.args[0])
        raise EventError(f"no card is called {card}", RulingCode.UNKNOWN_CARD, event, card) from None


def _names(obj: Mapping[str, Any], member: str, event: str) -> list[str]:
    names = obj.get(member)
    if type(names) is list:
        for name in names:
            if type(name) is not str:
                break
        else:
            return names
    raise EventError(f'{member} is a list of card names, such as ["3b"]', event=event)
