"""What comes next in a turn that is begun and not ended: where to go, or what to lay.

Worked out by counting alone, from what everybody at the table sees. Nothing is judged here: a turn is when it is ended.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import reduce

from engine.rules.cards import Card
from engine.rules.legal import Play, legal_plays
from engine.rules.rulings import ActionKind
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.turn_entry import Values, may_hold, named_by


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do next; empty where nothing is known that would make a turn of what was done.

    ``back``: this fencer belongs where it stood when the turn began. ``moves``: spaces from there that fit the cards
    laid, forward, or back where negative. ``lay``: values of cards that are still to come. ``choose``: kinds of action
    of which any may follow. ``parried``: the cards laid may be the whole parry, after which a turn is
    still to come; with ``moves`` they may be that turn as well.
    """

    back: Side | None = None
    moves: tuple[int, ...] = ()
    lay: Values = ()
    choose: frozenset[ActionKind] = frozenset()
    parried: bool = False


def possible_plays(state: PublicState) -> tuple[Play, ...]:
    """Every legal turn that the player to act may have the cards for, by all that was played; empty for nobody."""
    side = state.to_act
    if side is None:
        return ()
    return tuple(play for play in legal_plays(state, may_hold(state)) if len(_cards(state, play)) <= state.hands[side])


def possible_kinds(state: PublicState) -> frozenset[ActionKind]:
    """What the player to act can do beyond a parry, by all that was played."""
    return kinds_of(possible_plays(state))


def kinds_of(plays: tuple[Play, ...]) -> frozenset[ActionKind]:
    """What these turns do beyond a parry."""
    return frozenset(kind for play in plays if (kind := _kind(play)) is not None)


def next_step(state: PublicState, cards: tuple[Card, ...], spaces: BySide[int]) -> NextStep:
    """What comes next where these cards were laid in this turn and the fencers stand on these spaces."""
    side = state.to_act
    if side is None:
        return NextStep()
    if spaces[side.other] != state.spaces[side.other]:
        return NextStep(back=side.other)
    laid = Counter(card.value for card in cards)
    fits = tuple(play for play in possible_plays(state) if laid <= Counter(_cards(state, play)))
    moved = (spaces[side] - state.spaces[side]) * side.forward
    exact = [play for play in fits if Counter(_cards(state, play)) == laid]
    moves = {play.move for play in exact}
    if moves == {0}:
        return NextStep(back=side)
    attack = state.attack
    parried = attack is not None and laid[attack.value] >= attack.count and any(play.parry for play in fits)
    if exact:
        unsure = parried and not all(play.parry for play in exact)
        return NextStep(moves=tuple(sorted(moves - {0}, reverse=True)), parried=unsure)
    fits = tuple(play for play in fits if moved in (0, play.move)) or fits
    if not fits:
        return NextStep()
    fewest = min(len(_cards(state, play)) for play in fits)
    missing = [Counter(_cards(state, play)) - laid for play in fits if len(_cards(state, play)) == fewest]
    sure = reduce(lambda one, other: one & other, missing)
    return NextStep(lay=tuple(sorted(sure.elements()))) if sure else NextStep(choose=kinds_of(fits), parried=parried)


def _cards(state: PublicState, play: Play) -> Values:
    parry = () if state.attack is None else (state.attack.value,) * play.parry
    return (*parry, *named_by(state, play))


def _kind(play: Play) -> ActionKind | None:
    if play.attack:
        return ActionKind.INDIRECT_ATTACK if play.move else ActionKind.DIRECT_ATTACK
    if play.move:
        return ActionKind.ADVANCE if play.move > 0 else ActionKind.RETREAT
    return None
