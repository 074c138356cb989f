"""A player's actions, one frozen value each. Source: RULES.md, "The game"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Advance:
    """Forward by exactly one card."""

    card: Card

    @property
    def cards(self) -> tuple[Card, ...]:
        return (self.card,)


@dataclass(frozen=True, slots=True)
class Retreat:
    """Back by exactly one card."""

    card: Card

    @property
    def cards(self) -> tuple[Card, ...]:
        return (self.card,)


@dataclass(frozen=True, slots=True)
class DirectAttack:
    """One or more cards equal to the distance; nobody moves."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class IndirectAttack:
    """One card forward, then ``attack_cards``, all equal to the distance that remains."""

    move_card: Card
    attack_cards: tuple[Card, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        return (self.move_card, *self.attack_cards)


Action: TypeAlias = Advance | Retreat | DirectAttack | IndirectAttack


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: the parry (empty when there is none) and then the action (None only on the last defence)."""

    parry: tuple[Card, ...]
    action: Action | None

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the turn in the order they are laid."""
        return self.parry if self.action is None else (*self.parry, *self.action.cards)


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The player declares "hit" or "stuck"; ``cards``: those laid this turn (ruling 3: exactly the parry)."""

    cards: tuple[Card, ...] = ()
