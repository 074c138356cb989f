"""What the last accepted turn did, read back from the states before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.rulings import ActionKind, Ruling
from engine.rules.state import BY_TIME, PublicState
from engine.rules.track import BySide, Side


@dataclass(frozen=True, slots=True)
class TurnTold:
    """A finished turn: how far the fencer moved, the attack (value and count, 0 for none), the cards drawn."""

    side: Side
    action: ActionKind | None
    parried: bool
    moved: int
    attack_value: int
    attack_count: int
    drawn: int
    before: BySide[int]


def last_turn(state: PublicState, ruling: Ruling) -> TurnTold | None:
    """The turn that ``ruling`` accepted and that led to ``state``; None for any other ruling."""
    before = state.previous
    if not ruling.ok or ruling.event != "turn" or ruling.player is None or before is None:
        return None
    side = ruling.player
    moved = abs(state.spaces[side] - before.spaces[side])
    attack_count = ruling.attack_count(len(state.played) - len(before.played))
    return TurnTold(
        side=side,
        action=ruling.action,
        parried=ruling.parry is not None,
        moved=moved,
        attack_value=state.distance if attack_count else 0,
        attack_count=attack_count,
        drawn=before.pile - state.pile,
        before=before.spaces,
    )


def round_winners(state: PublicState | None) -> tuple[Side | None, ...]:
    """Who won each finished round of the match, oldest first; None for a drawn one."""
    winners: list[Side | None] = []
    while state is not None:
        before = state.previous
        ended = state.result is not None and (before is None or before.result is None)
        if state.result is not None and ended and state.result.reason not in BY_TIME:
            winners.append(state.result.winner)
        state = before
    return tuple(reversed(winners))
