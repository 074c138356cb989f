"""How a round ends that a puzzle's line plays on: who wins it, and the numbers that decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine.puzzles.puzzle import Puzzle
from engine.puzzles.solver.solve import BestLineTurn
from engine.rules.state import Reason, room_behind
from engine.rules.track import BySide, Side


class Ending(NamedTuple):
    """``distance`` at the end, the cards each holds that are equal to it, and the spaces each has come forward.

    ``winner`` None: a draw. ``sure``: the line is the only one there is; else other draws lead elsewhere.
    """

    reason: Reason
    winner: Side | None
    distance: int
    counts: BySide[int]
    advances: BySide[int]
    sure: bool


def ending_of(puzzle: Puzzle, line: Sequence[BestLineTurn]) -> Ending:
    """The end of a line from this puzzle's position on. Raises ValueError for one that does not reach its end."""
    public, mine = puzzle.public, puzzle.side
    hands = {side: Counter(card.value for card in puzzle.hand(side)) for side in Side}
    gained = {side: room_behind(public.spaces, side) for side in Side}
    distance = public.distance
    for step in line:
        side = mine if step.mine else mine.other
        play = step.play
        hands[side].subtract({distance: play.parry})
        hands[side].subtract({abs(play.move): int(play.move != 0)})
        distance -= play.move
        gained[side] += play.move
        hands[side].subtract({distance: play.attack})
        hands[side].update(step.drawn)
    reason = line[-1].end if line else None
    if reason is None:
        raise ValueError(f"the line of puzzle {puzzle.id} has no end: {list(line)}")
    counts = BySide(hands[Side.WHITE][distance], hands[Side.BLACK][distance])
    advances = BySide(gained[Side.WHITE], gained[Side.BLACK])
    winner: Side | None = mine if line[-1].mine else mine.other
    if reason is Reason.MORE_ATTACK_CARDS:
        winner = Side.WHITE if counts.white > counts.black else Side.BLACK
    elif reason is Reason.FURTHER_ADVANCED:
        winner = Side.WHITE if advances.white > advances.black else Side.BLACK
    elif reason is Reason.DRAW:
        winner = None
    return Ending(reason, winner, distance, counts, advances, all(step.chance == 1 for step in line))
