"""A mistake that is proved, made into a puzzle: the same table again, to find the better turn.

Where the proof counts for every hand, the turn is wanted that wins at once; the other's hand is open only if both were
shown later. Where it rests on the hands that were shown, both are open as they were; if several ways fit how the cards
lay, it is the one in which the better turn stands out most. What nothing proves of a hand is filled in with cards that
fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from engine.players.bots.hands import INDEX
from engine.players.bots.options import attack_number
from engine.puzzles.certain import certain_plays
from engine.puzzles.puzzle import Puzzle, PuzzleTheme, grade_of, solver_of, theme_of
from engine.puzzles.solver.solve import Duel, Solver
from engine.record.corrections import Setting
from engine.record.course import CourseStep
from engine.record.notation import print_move
from engine.review.proof import Basis, Better, Lie
from engine.rules.actions import Turn
from engine.rules.cards import DECK, VALUES, Card
from engine.rules.events import RevealEvent, TurnEvent, YieldEvent
from engine.rules.reading import explain
from engine.rules.state import PublicState, room_behind
from engine.rules.track import BySide, Side

CERTAIN_GRADE: Final = 2


def own_puzzle(steps: Sequence[CourseStep], place: int, better: Better, name: str) -> Puzzle | None:
    """The puzzle that this proved mistake is, called ``name``; None where the table cannot be set up again.

    ``steps`` are those of the round after its beginning, ``place`` the turn's among them, from 0.
    """
    before = steps[place].state.previous
    moves = _moves(steps[:place])
    if before is None or moves is None:
        return None
    if better.basis is Basis.SHOWN:
        return _open(before, better, moves, name)
    return _certain(steps, place, before, better, moves, name)


def _moves(steps: Sequence[CourseStep]) -> str | None:
    """The turns so far as the game record writes them; None where something else was said outright among them."""
    told = []
    for step in steps:
        before, entry = step.state.previous, step.entry
        if before is None or isinstance(entry, Setting) or not isinstance(entry, TurnEvent):
            return None
        turn = explain(before, entry)
        if not isinstance(turn, Turn):
            return None
        told.append(print_move(turn))
    return " ".join(told)


def _certain(
    steps: Sequence[CourseStep], place: int, before: PublicState, better: Better, moves: str, name: str
) -> Puzzle | None:
    """With the own hand, filled up where nothing proves it; the other's is open only where both were shown later."""
    side = better.side
    free = [card for card in DECK if card not in before.played]
    hand = held_from(steps[place:], side, before.hands[side])
    others = _spread(card for card in free if card not in hand and card.value != before.distance)
    hand = tuple(sorted((*hand, *others[: before.hands[side] - len(hand)])))
    shown = any(isinstance(step.entry, RevealEvent) for step in steps)
    other = tuple(sorted(held_from(steps[place:], side.other, before.hands[side.other]))) if shown else ()
    if len(hand) != before.hands[side] or better.play not in certain_plays(before, hand, other):
        return None
    hands = BySide(hand, other) if side is Side.WHITE else BySide(other, hand)
    rules, starter = before.rules.name, before.starter
    return Puzzle(name, CERTAIN_GRADE, PuzzleTheme.SURE_HIT, rules, starter, moves, hands, counts=True, certain=True)


def held_from(steps: Sequence[CourseStep], side: Side, size: int) -> tuple[Card, ...]:
    """The first cards that this side laid or showed from here on: he may have held just these, and what is proved of
    his hand is among them, because each card that came to it later makes way for one that was there."""
    seen: list[Card] = []
    for step in steps:
        before, entry = step.state.previous, step.entry
        if isinstance(entry, RevealEvent):
            seen += entry.white if side is Side.WHITE else entry.black
        elif isinstance(entry, TurnEvent | YieldEvent) and before is not None and before.to_act is side:
            seen += entry.cards
    return tuple(seen[:size])


def _spread(cards: Iterable[Card]) -> list[Card]:
    """One of each value, then a second of each, and so on."""
    return sorted(cards, key=lambda card: (card.letter, card.value))


def _open(before: PublicState, better: Better, moves: str, name: str) -> Puzzle | None:
    """With both hands as they may have lain."""
    solver = solver_of(before.rules.name)
    found: list[tuple[tuple[bool, bool, Fraction], Duel, Lie]] = []
    for lie in sorted(better.lies):
        duel = _duel(before, better.side, lie)
        solved = solver.plays(duel)
        best = [each.play for each in solved if each.value == solved[0].value]
        gained = solved[0].value - next(each.value for each in solved if each.play == better.taken)
        found.append(((len(best) == 1, better.play in best, gained), duel, lie))
    (alone, _, _), duel, lie = max(found, key=lambda each: each[0])
    solved = solver.plays(duel)
    free = [card for card in DECK if card not in before.played]
    mine, other = _taken(free, lie.mine), _taken(free, lie.other)
    return Puzzle(
        name,
        grade_of(len(solver.line(duel)), len(solved), obvious=False),
        _theme(before, solver, duel, alone=alone),
        before.rules.name,
        before.starter,
        moves,
        BySide(mine, other) if better.side is Side.WHITE else BySide(other, mine),
        counts=before.pile > 0,
    )


def _theme(before: PublicState, solver: Solver, duel: Duel, *, alone: bool) -> PuzzleTheme:
    """What it is about; where another turn is as good, or could be taken, only what holds of all of them."""
    theme = theme_of(before, solver, duel)
    if not alone:
        return theme if theme is PuzzleTheme.LAST_DEFENCE else PuzzleTheme.HOW_MANY
    parries = any(each.play.parry for each in solver.plays(duel))
    return PuzzleTheme.STEP_BACK if theme is PuzzleTheme.SLIP_AWAY and parries else theme


def _taken(free: list[Card], counts: Sequence[int]) -> tuple[Card, ...]:
    """So many of each value, taken out of those that are free."""
    taken = []
    for value, count in zip(VALUES, counts, strict=True):
        taken += [card for card in free if card.value == value][:count]
    free[:] = [card for card in free if card not in taken]
    return tuple(taken)


def _duel(before: PublicState, side: Side, lie: Lie) -> Duel:
    pile = tuple(value for value, count in zip(VALUES, lie.pile, strict=True) for _ in range(count))
    gained = room_behind(before.spaces, side)
    return Duel(INDEX[lie.mine], INDEX[lie.other], before.distance, gained, attack_number(before.attack), pile)
