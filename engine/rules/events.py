"""Table events as frozen values, and their JSON shape. Source: FORMATS.md, "Cards"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from engine.rules.cards import CARD_BY_NAME, CardName
from engine.rules.rulesets import DEFAULT_POINTS, RULE_SETS
from engine.rules.rulings import RulingCode
from engine.rules.track import BySide, Side
from engine.strict.text import MalformedError
from engine.strict.values import Alias, Discriminator, OneOf, Range, Written, plain, reader

MAX_POINTS: Final = 10**9
"""More than anybody plays to, and still a number every database column holds."""
MAX_TIME_S: Final = 86_400
"""A day: nobody fences longer."""
Space: TypeAlias = Annotated[int, Range(-math.inf, math.inf)]
"""Where a figure is said to stand; the referee knows which spaces there are."""


def _expect_one_tie(priority: Side | None, drawn: bool) -> None:
    if drawn and priority is not None:
        raise ValueError("drawn is true only without a priority")


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a match is played, in seconds, and what decides it where it is level then (RULES.md, "A limit of time").

    ``priority`` is who wins then, by a lot drawn before the match; None: one more touch, however long it takes.
    ``extra_s``: with a priority, so long that one more touch is tried for first. ``drawn``: nobody wins then.
    """

    time_s: Annotated[int, Range(1, MAX_TIME_S), Alias("s")]
    extra_s: Annotated[int, Range(0, MAX_TIME_S)] = 0
    priority: Side | None = None
    drawn: bool = False

    def __post_init__(self) -> None:
        _expect_one_tie(self.priority, self.drawn)
        if self.extra_s and self.priority is None:
            raise ValueError("extra_s wants a priority")


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """A new match. ``rules`` is a preset's name; ``starter`` begins the first round; ``points`` win the match.

    ``limit`` is kept for programs with a clock: the referee has none, and is told by a ``TimeEvent``.
    """

    name: ClassVar[str] = "match"
    rules: Annotated[str, OneOf(tuple(RULE_SETS))]
    starter: Annotated[Side, Written()] = Side.WHITE
    points: Annotated[int, Range(1, MAX_POINTS), Written()] = DEFAULT_POINTS
    limit: Annotated[Limit | None, Alias("time")] = None


@dataclass(frozen=True, slots=True)
class RoundEvent:
    """Figures on 1 and 23, 25 cards shuffled, five dealt to each."""

    name: ClassVar[str] = "round"


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The player to act has ended the turn: the cards laid, and where both figures stand now."""

    name: ClassVar[str] = "turn"
    cards: tuple[CardName, ...]
    white: Space
    black: Space

    @property
    def spaces(self) -> BySide[int]:
        """Where both figures stand."""
        return BySide(self.white, self.black)


@dataclass(frozen=True, slots=True)
class YieldEvent:
    """The player to act gives up; ``cards``: those laid this turn, if any."""

    name: ClassVar[str] = "yield"
    cards: Annotated[tuple[CardName, ...], Written()] = ()


@dataclass(frozen=True, slots=True)
class RevealEvent:
    """Both hands shown after the last card."""

    name: ClassVar[str] = "reveal"
    white: tuple[CardName, ...]
    black: tuple[CardName, ...]


@dataclass(frozen=True, slots=True)
class TimeEvent:
    """The match's time is up. Level, it is ``drawn``, or ``priority`` has won it; neither: the next touch wins it."""

    name: ClassVar[str] = "time"
    priority: Side | None = None
    drawn: bool = False

    def __post_init__(self) -> None:
        _expect_one_tie(self.priority, self.drawn)


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
    return {"event": event.name, **plain(type(event), event)}


_READ: Final = reader(Annotated[Event, Discriminator("event")], others=True)


def event_from_json(obj: object) -> Event:
    """The event this JSON value is. Members nobody asked for are ignored. Raises EventError."""
    try:
        event: Event = _READ(obj)
    except MalformedError as error:
        raise _refusal(obj, error) from None
    return event


def _refusal(obj: object, error: MalformedError) -> EventError:
    """Why this value is no event: an unknown card where all else could be read."""
    if not isinstance(obj, dict):
        return EventError('a line holds one JSON object, such as {"event": "round"}')
    name = "" if error.path == "event" else str(obj["event"])
    unknown: list[str] = []
    with_cards = {member: _with_cards(value, unknown) for member, value in obj.items()}
    try:
        _READ(with_cards)
    except MalformedError as wrong:
        return EventError(str(wrong), event=name)
    card = quoted(unknown[0])
    return EventError(f"no card is called {card}", RulingCode.UNKNOWN_CARD, name, card)


def _with_cards(value: object, unknown: list[str]) -> object:
    """The same list with a card for each name that is none's, which is noted."""
    if not isinstance(value, list):
        return value
    unknown += [each for each in value if isinstance(each, str) and each not in CARD_BY_NAME]
    return ["1a" if isinstance(each, str) else each for each in value]
