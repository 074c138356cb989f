"""A mistake made into a puzzle: the same table again, to find the better turn.

A touch that nobody could have answered is asked for as that, with the other's hand hidden. With one card in the pile or
none the best turn is asked for by what the player could know, the other's hand hidden. With more, both hands lie open
as they may have lain, if the turn that was better by the player's knowledge is the best there, too. The likeliest of
the possible hands that serves is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from engine.puzzles.puzzle import (
    Puzzle,
    PuzzleTheme,
    certain_plays,
    grade_hidden,
    grade_of,
    plays_of,
    solutions,
    theme_of,
)
from engine.puzzles.solver import Duel, Solver, solver_of
from engine.record.corrections import Setting
from engine.record.course import CourseStep
from engine.record.notation import print_move
from engine.review.proof import Basis, Better, Fitting, Lie, duel_with, fitting
from engine.rules.cards import DECK, VALUES, Card
from engine.rules.events import RevealEvent, TurnEvent, YieldEvent
from engine.rules.legal import Counts, Turn, counts_of, minus, plus
from engine.rules.possible import HiddenHand, hidden_hand
from engine.rules.reading import explain
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side

Hands = Mapping[Counts, int]
"""Hands by values, each with the number of ways in which it comes about."""


def own_hands(steps: Sequence[CourseStep]) -> tuple[Hands, ...]:
    """Before each of these steps, the hands that the player to act may have held; empty where nobody is to act.

    ``steps`` are those of a round after its beginning. Nothing is concluded across a correction that set the table.
    """
    if not steps:
        return ()
    hands: BySide[Hands] = BySide(*(_any_hand(steps[-1].state, side) for side in Side))
    found: list[Hands] = []
    for step in reversed(steps):
        before, entry = step.state.previous, step.entry
        if before is None:
            found.append({})
            continue
        side = before.to_act
        if isinstance(entry, RevealEvent):
            hands = BySide({counts_of(entry.white): 1}, {counts_of(entry.black): 1})
        elif isinstance(entry, Setting):
            hands = BySide(*(_any_hand(before, each) for each in Side))
        elif isinstance(entry, TurnEvent | YieldEvent) and side is not None:
            drawn = before.pile - step.state.pile if isinstance(entry, TurnEvent) else 0
            hands = hands.put(side, _before(hands[side], drawn, counts_of(entry.cards)))
        found.append(hands[side] if side is not None else {})
    return tuple(reversed(found))


def _any_hand(state: PublicState, side: Side) -> Hands:
    return dict(hidden_hand(state, side).hands())


def _before(hands: Hands, drawn: int, laid: Counts) -> Hands:
    """The hands before a turn after which these were held."""
    earlier: dict[Counts, int] = {}
    for hand, ways in hands.items():
        for taken, times in HiddenHand(hand, drawn).hands():
            key = plus(minus(hand, taken), laid)
            earlier[key] = earlier.get(key, 0) + ways * times
    return earlier


NO_HANDS: Final[BySide[tuple[Card, ...]]] = BySide((), ())
CERTAIN_GRADE: Final = 2
HIDDEN_PILE: Final = 1
"""The largest pile with which a turn's worth against a hidden hand is counted exactly (``puzzles.hidden``)."""


def own_puzzle(steps: Sequence[CourseStep], place: int, better: Better, name: str) -> Puzzle | None:
    """The puzzle that this mistake is, called ``name``; None where the table cannot be set up again.

    ``steps`` are those of the round after its beginning, ``place`` the turn's among them, from 0. None, too, for what
    is only likely or luck, and where no puzzle has the better turn for its answer.
    """
    before = steps[place].state.previous
    moves = _moves(steps[:place])
    if before is None or moves is None:
        return None
    table = Puzzle(
        name, CERTAIN_GRADE, PuzzleTheme.SURE_HIT, before.rules.name, before.starter, moves, NO_HANDS, counts=True
    )
    if better.basis is Basis.EVERY_HAND:
        return _certain(steps, place, before, better, table)
    if better.basis is not Basis.SHOWN:
        return None
    if before.pile <= HIDDEN_PILE:
        return _hidden(steps, place, before, better, table)
    return _open(before, better, fitting(steps).get(place, ()), table)


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
    steps: Sequence[CourseStep], place: int, before: PublicState, better: Better, table: Puzzle
) -> Puzzle | None:
    """The other's hand is hidden: of the hands that fit, one with no more cards to attack with than the touch takes."""
    value = before.distance - better.play.move
    for hand in _hands(steps, place, before, better.side, spare=value):
        if {better.taken, better.play} <= set(plays_of(before, hand)) and better.play in certain_plays(before, hand):
            return replace(table, hands=NO_HANDS.put(better.side, hand), certain=True)
    return None


def _hidden(
    steps: Sequence[CourseStep], place: int, before: PublicState, better: Better, table: Puzzle
) -> Puzzle | None:
    """The best turn by the player's knowledge, with the likeliest hand for which it is the better turn."""
    for hand in _hands(steps, place, before, better.side):
        found = replace(table, theme=PuzzleTheme.HIDDEN_HAND, hands=NO_HANDS.put(better.side, hand))
        solved = solutions(found)
        values = {each.play: each.value for each in solved}
        if better.taken in values and values.get(better.play) == solved[0].value > values[better.taken]:
            return replace(found, grade=grade_hidden(solved, obvious=False))
    return None


def _hands(
    steps: Sequence[CourseStep], place: int, before: PublicState, side: Side, spare: int | None = None
) -> Iterator[tuple[Card, ...]]:
    """The possible hands, the likeliest first; those with the fewest cards of value ``spare`` before that.

    Made of the cards laid and shown later, as far as there are any, and then of others.
    """
    known = held_from(steps[place:], side, before.hands[side])
    unseen = (card for card in DECK if card not in before.played and card not in known)
    # One of each value, then a second of each, and so on.
    free = [*known, *sorted(unseen, key=lambda card: (card.letter, card.value))]
    weighed = own_hands(steps)[place].items()
    for counts, _ in sorted(weighed, key=lambda each: (each[0][spare - 1] if spare else 0, -each[1], each[0])):
        yield tuple(sorted(_taken(list(free), counts)))


def held_from(steps: Sequence[CourseStep], side: Side, size: int) -> tuple[Card, ...]:
    """The first cards that this side laid or showed from here on: a possible hand, which contains every proven card,
    because each card that was drawn later makes way for one that was there."""
    seen: list[Card] = []
    for step in steps:
        before, entry = step.state.previous, step.entry
        if isinstance(entry, RevealEvent):
            seen += entry.white if side is Side.WHITE else entry.black
        elif isinstance(entry, TurnEvent | YieldEvent) and before is not None and before.to_act is side:
            seen += entry.cards
    return tuple(seen[:size])


def _open(before: PublicState, better: Better, fits: Sequence[Fitting], table: Puzzle) -> Puzzle | None:
    """With both hands as they may have lain, where the better turn stands out most; None where it is never the best."""
    solver = solver_of(before.rules.name)
    found: list[tuple[tuple[bool, Fraction], Duel, Lie]] = []
    for lie in sorted(each.lie for each in fits):
        duel = duel_with(before, lie)
        values = {each.play: each.value for each in solver.plays(duel)}
        best = max(values.values())
        if values.get(better.play) == best > values.get(better.taken, best):
            alone = list(values.values()).count(best) == 1
            found.append(((alone, best - values[better.taken]), duel, lie))
    if not found:
        return None
    (alone, _), duel, lie = max(found, key=lambda each: each[0])
    solved = solver.plays(duel)
    free = [card for card in DECK if card not in before.played]
    mine, other = _taken(free, lie.mine), _taken(free, lie.other)
    return replace(
        table,
        grade=grade_of(len(solver.line(duel)), len(solved), obvious=False),
        theme=_theme(before, solver, duel, alone=alone),
        hands=BySide(mine, other) if better.side is Side.WHITE else BySide(other, mine),
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
