"""Turns: a player's actions, and all that are legal from a position and a hand.

Cards of one value are alike, so turns are counted and listed once for each choice of values: ``Play`` is a turn by
values, and ``turn_of`` picks cards for it (the first of each value in the hand).

Source: RULES.md, "The game", "When the last card is drawn", rulings 2, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from engine.rules.cards import VALUES, Card
from engine.rules.events import TurnEvent
from engine.rules.rulings import ActionKind
from engine.rules.state import Attack, AttackKind, Phase, PublicState, room_behind
from engine.rules.track import Side

Counts = tuple[int, int, int, int, int]
"""How many cards of the values 1 to 5."""


class Play(NamedTuple):
    """A turn by values: ``parry`` cards of the attack's value, then ``move`` spaces forward (negative: back; 0: none)
    by one card, then ``attack`` cards of the distance that is left."""

    parry: int
    move: int
    attack: int

    @property
    def laid(self) -> int:
        """How many cards it takes."""
        return self.parry + bool(self.move) + self.attack

    @property
    def action(self) -> ActionKind | None:
        """The action after the parry; None only on the last defence."""
        if self.attack:
            return ActionKind.INDIRECT_ATTACK if self.move else ActionKind.DIRECT_ATTACK
        if self.move:
            return ActionKind.ADVANCE if self.move > 0 else ActionKind.RETREAT
        return None


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn, card by card: the parry, the card that moves the fencer, forward or ``back``, and the attack."""

    parry: tuple[Card, ...] = ()
    step: Card | None = None
    attack: tuple[Card, ...] = ()
    back: bool = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the turn in the order they are laid."""
        return self.parry + ((self.step,) if self.step else ()) + self.attack

    @property
    def play(self) -> Play:
        """The same by values."""
        move = 0 if self.step is None else -self.step.value if self.back else self.step.value
        return _play(len(self.parry), move, len(self.attack))


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The player declares "hit" or "stuck"; ``cards``: those laid this turn (ruling 3: exactly the parry)."""

    cards: tuple[Card, ...] = ()


@cache
def _play(parry: int, move: int, attack: int) -> Play:
    """The one play of these numbers: all remembered positions share it, so that collecting garbage is quick."""
    return Play(parry, move, attack)


def counts_of(hand: Sequence[Card]) -> Counts:
    """How many cards of each value the hand holds."""
    values = [card[0] for card in hand]
    return values.count(1), values.count(2), values.count(3), values.count(4), values.count(5)


def plus(one: Counts, other: Counts) -> Counts:
    """The cards of both."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3], one[4] + other[4]


def minus(one: Counts, other: Counts) -> Counts:
    """The cards that are left without those others."""
    return one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3], one[4] - other[4]


def values_in(counts: Sequence[int]) -> tuple[int, ...]:
    """The value of each of these cards, sorted."""
    return tuple(value for value, count in zip(VALUES, counts, strict=True) for _ in range(count))


def legal_plays(public: PublicState, counts: Counts) -> tuple[Play, ...]:
    """Every legal turn of the player to act, by values. Empty when that player is hit or stuck, or nobody is to act."""
    side = public.to_act
    if side is None:
        return ()
    room = room_behind(public.spaces, side)
    return plays_at(
        counts, public.distance, room, public.attack, public.phase is Phase.FINAL, public.rules.indirect_attacks
    )


def plays_at(
    counts: Counts, distance: int, room: int, attack: Attack | None, final: bool, indirect: bool
) -> tuple[Play, ...]:
    """``legal_plays`` from what it depends on: ``room`` spaces behind the player, and the attack to answer.

    ``final``: on the last defence. ``indirect``: whether the rules allow indirect attacks.
    """
    # Beyond these bounds nothing changes, so that positions that allow the same share one answer.
    distance = min(distance, 11)
    room = min(room, 5)
    if attack is None:
        return _actions(counts, distance, room, indirect)
    return _answers(counts, distance, room, indirect, attack, final)


@lru_cache(maxsize=1 << 17)
def _actions(counts: Counts, distance: int, room: int, indirect: bool) -> tuple[Play, ...]:
    """Turns without an attack to answer."""
    plays: list[Play] = []
    for value in range(1, 6):
        held = counts[value - 1]
        if not held:
            continue
        if value < distance:
            plays.append(_play(0, value, 0))
            left = distance - value
            if indirect and left <= 5:
                attackers = counts[left - 1] - (left == value)
                plays.extend(_play(0, value, attack) for attack in range(1, attackers + 1))
        elif value == distance:
            plays.extend(_play(0, 0, attack) for attack in range(1, held + 1))
        if value <= room:
            plays.append(_play(0, -value, 0))
    return tuple(plays)


@lru_cache(maxsize=1 << 17)
def _answers(counts: Counts, distance: int, room: int, indirect: bool, attack: Attack, final: bool) -> tuple[Play, ...]:
    """Turns that answer an attack: a parry with the turn that follows it, or a retreat where that is allowed."""
    plays: list[Play] = []
    if attack.kind is AttackKind.INDIRECT:
        plays.extend(_play(0, -value, 0) for value in range(1, 6) if counts[value - 1] and value <= room)
    held = list(counts)
    held[attack.value - 1] -= attack.count
    if held[attack.value - 1] >= 0:
        if final:
            plays.append(_play(attack.count, 0, 0))
        else:
            rest: Counts = (held[0], held[1], held[2], held[3], held[4])
            plays.extend(
                _play(attack.count, play.move, play.attack) for play in _actions(rest, distance, room, indirect)
            )
    return tuple(plays)


def turn_of(public: PublicState, hand: Sequence[Card], play: Play) -> Turn:
    """The turn that makes this play with the first cards of each value in the hand. ValueError if it has too few."""
    by_value: dict[int, Iterator[Card]] = {}

    def take(value: int, count: int) -> tuple[Card, ...]:
        cards = by_value.setdefault(value, (card for card in hand if card.value == value))
        taken = tuple(card for _, card in zip(range(count), cards, strict=False))
        if len(taken) < count:
            raise ValueError(f"the play {play} takes more cards of value {value} than the hand {hand} holds")
        return taken

    parry = take(public.attack.value, play.parry) if public.attack is not None else ()
    step = take(abs(play.move), 1)[0] if play.move else None
    return Turn(parry, step, take(public.distance - play.move, play.attack), play.move < 0)


def turn_event(public: PublicState, turn: Turn) -> TurnEvent:
    """The event this turn is when the player to act makes it. ValueError when nobody is to act."""
    return _event(public, turn.cards, turn.play.move)


def play_event(public: PublicState, hand: Sequence[Card], play: Play) -> TurnEvent:
    """``turn_event`` of ``turn_of``."""
    return _event(public, turn_of(public, hand, play).cards, play.move)


def _event(public: PublicState, cards: tuple[Card, ...], move: int) -> TurnEvent:
    if public.to_act is None:
        raise ValueError(f"nobody is to act in phase {public.phase.value}, so there is no turn to make")
    white, black = public.spaces.white, public.spaces.black
    if public.to_act is Side.WHITE:
        return TurnEvent(cards, white + move, black)
    return TurnEvent(cards, white, black - move)
