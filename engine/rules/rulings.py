"""The referee's answers as data: codes, facts and remedies. Words are made elsewhere (messages, catalogues).

Source: FORMATS.md, "Cards" (the code table).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from engine.rules.cards import Card
from engine.rules.state import Reason
from engine.rules.track import BySide, Side


class RulingCode(Enum):
    """Why an event was refused, in the order in which the referee looks."""

    BAD_EVENT = "bad_event"
    NOT_NOW = "not_now"
    UNKNOWN_CARD = "unknown_card"
    REPEATED_CARD = "repeated_card"
    CARD_ALREADY_PLAYED = "card_already_played"
    NO_CARDS = "no_cards"
    HAND_EXCEEDED = "hand_exceeded"
    HAND_SIZE = "hand_size"
    OPPONENT_MOVED = "opponent_moved"
    OFF_TRACK = "off_track"
    PASSED_OPPONENT = "passed_opponent"
    WRONG_DISTANCE = "wrong_distance"
    ATTACK_VALUE = "attack_value"
    MIXED_VALUES = "mixed_values"
    ATTACK_AFTER_RETREAT = "attack_after_retreat"
    TOO_MANY_CARDS = "too_many_cards"
    INDIRECT_NOT_ALLOWED = "indirect_not_allowed"
    MUST_PARRY = "must_parry"
    MUST_ANSWER = "must_answer"
    NO_ACTION_AFTER_PARRY = "no_action_after_parry"
    FINAL_PARRY_ONLY = "final_parry_only"


class ActionKind(Enum):
    """The action of a turn after its parry, if any."""

    ADVANCE = "advance"
    RETREAT = "retreat"
    DIRECT_ATTACK = "direct_attack"
    INDIRECT_ATTACK = "indirect_attack"


ATTACKS: Final = (ActionKind.DIRECT_ATTACK, ActionKind.INDIRECT_ATTACK)


class RemedyKind(Enum):
    """A step of the players that puts things right. Fields each kind fills in are named after it."""

    TAKE_BACK_CARD = "take_back_card"  # card
    MOVE_FIGURE = "move_figure"  # side, space
    LAY_CARDS = "lay_cards"  # side, value, count
    RETREAT = "retreat"  # side: an indirect attack may be retreated from instead
    PLAY_ACTION = "play_action"  # side: the parry stands, a turn has to follow it
    SHOW_HAND = "show_hand"  # side, count: the number of cards to show
    CLEAR_CARDS = "clear_cards"  # count
    START_ROUND = "start_round"  # -
    START_MATCH = "start_match"  # -


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing to do on the table. Only the fields that its kind names are set."""

    kind: RemedyKind
    card: Card | None = None
    side: Side | None = None
    space: int | None = None
    value: int | None = None
    count: int | None = None


Fact: TypeAlias = int | str | tuple[str, ...] | tuple[int, ...]
Facts: TypeAlias = Mapping[str, Fact]
"""What a sentence about a refusal may name: by its code always the same, see ``tests/facts.py``."""
NO_FACTS: Final[Facts] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Parry:
    """``count`` cards of ``value`` laid against an attack of the same."""

    value: int
    count: int


@dataclass(frozen=True, slots=True)
class Working:
    """How the end of a round was decided, so that a display can show its sum.

    ``counts``: cards equal to the distance in each hand, None when hands were not compared. ``advances``: spaces from
    each own end. ``decided_by``: the sentence of RULES.md, such as ``ruling 13``. ``source``: short name of the rule
    text behind it.
    """

    reason: Reason
    winner: Side | None
    distance: int
    counts: BySide[int] | None
    advances: BySide[int]
    decided_by: str
    source: str


class Ruling(NamedTuple):
    """The referee's answer to one event. ``event`` is its public name (empty when it could not be read).

    Accepted: ``code`` is None; for a turn ``player``, ``action`` and ``parry`` say what it was; ``working`` is set
    when it ended the round. Refused: ``code``, its ``facts``, and ``remedies``.
    """

    ok: bool
    event: str
    player: Side | None = None
    action: ActionKind | None = None
    parry: Parry | None = None
    code: RulingCode | None = None
    facts: Facts = NO_FACTS
    remedies: tuple[Remedy, ...] = ()
    working: Working | None = None

    def attack_count(self, laid: int) -> int:
        """The number of attack cards among so many cards laid in this turn; 0 where it was no attack."""
        if self.action not in ATTACKS:
            return 0
        parried = 0 if self.parry is None else self.parry.count
        return laid - parried - (self.action is ActionKind.INDIRECT_ATTACK)
