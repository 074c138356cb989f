"""The knowledge of each party, as types: the table (public), one player (with their hand), the simulation (everything).

Source: RULES.md ("The game", "When the last card is drawn"); FORMATS.md, "Cards" (field by field).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from engine.rules.cards import HAND_SIZE, VALUES, Card
from engine.rules.rulesets import RuleSet
from engine.rules.track import SPACES, BySide, Side

PILE_SIZE = 15


class Phase(Enum):
    """Where a match stands. ``FINAL`` is the one defence after the last card was drawn."""

    SETUP = "setup"
    TURN = "turn"
    FINAL = "final"
    REVEAL = "reveal"
    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"


class AttackKind(Enum):
    """An attack from where the fencer stood, or after an advance in the same turn."""

    DIRECT = "direct"
    INDIRECT = "indirect"


class Reason(Enum):
    """Why a round ended, or a match before its last touch (``BY_TIME``).

    ``MORE_ATTACK_CARDS`` to ``DRAW`` only after the last card was drawn.
    """

    HIT = "hit"
    NO_LEGAL_MOVE = "no_legal_move"
    MORE_ATTACK_CARDS = "more_attack_cards"
    FURTHER_ADVANCED = "further_advanced"
    DRAW = "draw"
    SAID = "said"  # by the players, without the turns that led to it
    TIME = "time"  # the match's time was up, and one side was ahead
    PRIORITY = "priority"  # it was up, the score was level, and a lot drawn before decided


BY_TIME: Final = (Reason.TIME, Reason.PRIORITY)
"""Reasons that end a match and no round: nobody made a touch."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack waiting for its answer: ``count`` cards of ``value``, which is the distance."""

    by: Side
    kind: AttackKind
    value: int
    count: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a round ended, or the match by time; ``winner`` is None exactly when it was drawn."""

    winner: Side | None
    reason: Reason


class PublicState(NamedTuple):
    """Everything the table shows. Change one with ``state._replace(...)``.

    ``round`` is 0 before the first round. ``to_act`` is None outside TURN and FINAL. ``starter`` begins this round
    (before round 1: the first round). In SETUP spaces, pile and hands are those a round starts with: what the table
    has to look like. ``attack`` is only there while it waits for its answer, ``result`` only once the round is over.
    ``played`` holds this round's cards in the order laid (the last is the top discard). ``previous`` is the state
    before the last accepted event (None at the match event); two states are equal whatever came before them.
    """

    rules: RuleSet
    points: int
    round: int
    phase: Phase
    to_act: Side | None
    starter: Side
    spaces: BySide[int]
    distance: int
    pile: int
    hands: BySide[int]
    attack: Attack | None
    score: BySide[int]
    result: Result | None
    played: tuple[Card, ...] = ()
    previous: PublicState | None = None

    @property
    def unseen_counts(self) -> dict[int, int]:
        """How many cards of each value nobody has seen played this round: in a hand or in the pile."""
        counts = dict.fromkeys(VALUES, 5)
        for card in self.played:
            counts[card.value] -= 1
        return counts

    @property
    def top_discard(self) -> Card | None:
        """The one card of the discard pile everybody may look at (ruling 11); None before the first turn."""
        return self.played[-1] if self.played else None

    # ``previous`` is a chain as long as the match: comparing or printing it would recurse once for every event.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicState) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields[:-1], self[:-1], strict=True))
        return f"PublicState({fields})"


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The knowledge of one player: the table and their own hand (before the cards of the open turn are laid)."""

    public: PublicState
    side: Side
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class FullState:
    """Everything, for simulation only. ``pile[0]`` is drawn next; hand and pile sizes agree with ``public``."""

    public: PublicState
    hands: BySide[tuple[Card, ...]]
    pile: tuple[Card, ...]

    def view(self, side: Side) -> PlayerView:
        return PlayerView(self.public, side, self.hands[side])


@lru_cache(maxsize=4096)
def pair(white: int, black: int) -> BySide[int]:
    """One shared value for each pair of small numbers: states are made often, and building a BySide costs more."""
    return BySide(white, black)


FULL_HANDS = pair(HAND_SIZE, HAND_SIZE)


def room_behind(spaces: BySide[int], side: Side) -> int:
    """How many spaces this side can retreat before leaving the track."""
    return spaces.white - 1 if side is Side.WHITE else SPACES - spaces.black


def advanced(spaces: BySide[int]) -> BySide[int]:
    """How far each side stands from its own end, which decides a level comparison. Source: BSN-EN; last card 3."""
    return pair(spaces.white - 1, SPACES - spaces.black)
