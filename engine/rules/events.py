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


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """A new match. ``rules`` is a preset's name; ``starter`` begins the first round; ``points`` win the match."""

    name: ClassVar[str] = "match"
    rules: str
    starter: Side = Side.WHITE
    points: int = DEFAULT_POINTS


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
class UndoEvent:
    """Takes back the last accepted event; the match itself stays."""

    name: ClassVar[str] = "undo"


Event: TypeAlias = MatchEvent | RoundEvent | TurnEvent | YieldEvent | RevealEvent | UndoEvent


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
        case MatchEvent(rules, starter, points):
            return {"event": "match", "rules": rules, "starter": starter.value, "points": points}
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
        raise EventError(f"event is one of match, round, turn, yield, reveal, undo, {found}")
    return reader(obj)


def _read_match(obj: Mapping[str, Any]) -> Event:
    rules, starter, points = obj.get("rules"), obj.get("starter", "white"), obj.get("points", DEFAULT_POINTS)
    if not isinstance(rules, str) or rules not in RULE_SETS:
        raise EventError(f"rules is one of {', '.join(RULE_SETS)}, not {quoted(rules)}", event="match")
    if starter != "white" and starter != "black":
        raise EventError(f"starter is white or black, not {quoted(starter)}", event="match")
    if type(points) is not int or not 1 <= points <= MAX_POINTS:
        raise EventError(f"points is a whole number from 1, not {quoted(points)}", event="match")
    return MatchEvent(rules, Side(starter), points)


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
