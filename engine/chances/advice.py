"""What a player whose hand lies open could do now, and what each turn would mean, as values without words.

Chances are exact, over all hands the other may hold as this player sees it; where the other's hand lies open too, by
agreement of both, it is used and every chance is 0 or 1. Nothing else is known: no hidden hand and no pile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

from engine.chances.odds import attacks, can_answer, can_attack
from engine.rules.cards import Card
from engine.rules.legal import Counts, Play, counts_of, legal_plays
from engine.rules.state import PlayerView, room_behind

GROUND: Final = Fraction(1, 6)
"""What giving up ground costs in the order options are told in."""


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack with so many cards. ``hits``: the chance that nobody answers it. ``last``: it draws the last card."""

    count: int
    hits: Fraction
    last: bool


@dataclass(frozen=True, slots=True)
class TurnAdvice:
    """Legal turns that differ only in how many cards attack.

    ``parry`` cards answer the attack that waits, then ``move`` spaces forward (negative: back, 0: none), which leaves
    ``distance``; ``strikes`` from one card to as many as the hand has, empty without an attack. ``danger``: the chance
    that the other can attack from there next; None after an attack and where the last card is drawn: then hands
    are compared. ``kept``: cards equal to the new distance left to parry with.
    """

    parry: int
    move: int
    distance: int
    strikes: tuple[Strike, ...]
    danger: Fraction | None
    kept: int
    last: bool

    @property
    def best(self) -> Fraction:
        """The chance that its strongest attack hits; 0 without one."""
        return max((strike.hits for strike in self.strikes), default=Fraction(0))


def options(view: PlayerView, other: Sequence[Card] | None = None) -> tuple[TurnAdvice, ...]:
    """Everything the player to act can do, the most promising first; empty without a legal turn.

    ``other``: the other's whole hand, where it lies open. The order is a simple one, to read in and not the best play:
    attacks by how surely they hit, moves by how little they expose and whether they gain ground, a sure hit first.
    Raises ValueError for a view of somebody who is not to act.
    """
    if view.public.to_act is not view.side:
        raise ValueError(f"advice is for the player to act, not for {view.side.value} in {view.public.phase.value}")
    plays = sorted(
        legal_plays(view.public, counts_of(view.hand)), key=lambda play: (play.parry, play.move, play.attack)
    )
    made: list[TurnAdvice] = []
    for (parry, move), group in groupby(plays, key=lambda play: (play.parry, play.move)):
        grouped = tuple(group)
        made += [_option(view, parry, move, (play,), other) for play in grouped if not play.attack]
        strikes = tuple(play for play in grouped if play.attack)
        if strikes:
            made.append(_option(view, parry, move, strikes, other))
    return tuple(sorted(made, key=_promise, reverse=True))


def _promise(option: TurnAdvice) -> tuple[Fraction, int]:
    if option.strikes:
        return option.best, option.move
    danger = option.danger if option.danger is not None else Fraction(1, 2)
    return Fraction(1, 2) * (1 - danger) - (GROUND if option.move < 0 else 0), option.move


def _option(
    view: PlayerView, parry: int, move: int, plays: tuple[Play, ...], other: Sequence[Card] | None
) -> TurnAdvice:
    public = view.public
    distance = public.distance - move
    strikes = tuple(
        Strike(play.attack, 1 - _answered(view, distance, play, other), public.pile <= _laid(play))
        for play in plays
        if play.attack
    )
    last = public.pile <= _laid(plays[0])
    danger = None if strikes or last else _danger(view, distance, other)
    return TurnAdvice(parry, move, distance, strikes, danger, _kept(view, plays[0], distance), last)


def _laid(play: Play) -> int:
    return play.parry + bool(play.move) + play.attack


def _answered(view: PlayerView, value: int, play: Play, other: Sequence[Card] | None) -> Fraction:
    """The chance that the other parries this attack or, where it is an indirect one, retreats from it."""
    if other is None:
        return can_answer(view, value, play.attack, indirect=play.move > 0)
    counts = counts_of(other)
    room = room_behind(view.public.spaces, view.side.other) if play.move > 0 else 0
    return Fraction(counts[value - 1] >= play.attack or any(counts[: min(room, 5)]))


def _danger(view: PlayerView, distance: int, other: Sequence[Card] | None) -> Fraction:
    if other is None:
        return can_attack(view, distance)
    return Fraction(attacks(counts_of(other), distance, view.public.rules.indirect_attacks))


def _kept(view: PlayerView, play: Play, distance: int) -> int:
    """How many cards equal to the new distance are left in the hand, before anything is drawn."""
    if not 1 <= distance <= 5:
        return 0
    counts: Counts = counts_of(view.hand)
    spent = play.attack + (abs(play.move) == distance)
    attack = view.public.attack
    if attack is not None and attack.value == distance:
        spent += play.parry
    return counts[distance - 1] - spent
