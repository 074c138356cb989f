"""The solver against brute force at the real referee, and its lines against what it says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from engine.players.simulation import play, reveal, start_round
from engine.puzzles.solver import Draw, Solver, duel_of, in_any_order
from engine.rules.events import MatchEvent
from engine.rules.legal import Play, counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, Reason
from engine.rules.track import BySide, Side
from tests.matches import tables_of


def in_order(pile: tuple[int, ...], count: int) -> tuple[Draw, ...]:
    """Drawing from a pile whose order is known."""
    return (Draw(tuple(sorted(pile[:count])), pile[count:], Fraction(1)),)


def tried(full: FullState, side: Side, known: bool, memory: dict[Any, Fraction]) -> Fraction:
    """What the table is worth to ``side`` when both play perfectly with open hands: every turn, every draw, judged."""
    public = full.public
    if public.result is not None:
        winner = public.result.winner
        return Fraction(1, 2) if winner is None else Fraction(winner is side)
    if public.to_act is None:
        return tried(play(full, reveal(full))[0], side, known, memory)
    key = (public.spaces, public.attack, public.to_act, full.hands.map(counts_of), full.pile)
    if key not in memory:
        hand = full.hands[public.to_act]
        values = [after(full, each, side, known, memory) for each in legal_plays(public, counts_of(hand))]
        mine = public.to_act is side
        memory[key] = (max if mine else min)(values, default=Fraction(not mine))
    return memory[key]


def after(full: FullState, chosen: Play, side: Side, known: bool, memory: dict[Any, Fraction]) -> Fraction:
    public = full.public
    assert public.to_act is not None
    event = play_event(public, full.hands[public.to_act], chosen)
    if known:
        layouts = [full]
    else:
        judged, _ = judge(public, event)
        assert judged is not None
        drawn = public.pile - judged.pile
        layouts = [
            FullState(public, full.hands, (*some, *(card for card in full.pile if card not in some)))
            for some in combinations(full.pile, drawn)
        ]
    values = []
    for layout in layouts:
        following, ruling = play(layout, event)
        assert ruling.ok
        values.append(tried(following, side, known, memory))
    return sum(values, Fraction(0)) / len(values)


def endings(rules: str, seed: int, most: int) -> Iterator[FullState]:
    """Tables of one random round with so few cards in the pile."""
    return (full for full in tables_of(rules, Random(seed)) if full.public.pile <= most)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize(("drawing", "most"), [(in_order, 4), (in_any_order, 2)], ids=["known", "unknown"])
def test_every_play_is_worth_what_brute_force_finds(rules: str, drawing: Callable[..., Any], most: int) -> None:
    known = drawing is in_order
    checked = 0
    kinds: set[Any] = set()
    for seed in range(60):
        for full in endings(rules, seed, most):
            public = full.public
            side = public.to_act
            pile = [card.value for card in full.pile]
            duel = duel_of(public, full.hands, tuple(pile if known else sorted(pile)))
            solver = Solver(RULE_SETS[rules], drawing)
            solved = dict(solver.plays(duel))
            assert side is not None
            expected = {
                each: after(full, each, side, known, {}) for each in legal_plays(public, counts_of(full.hands[side]))
            }
            assert solved == expected, public
            assert solver.value(duel) == max(expected.values(), default=Fraction(0))
            kinds.update(solved.values())
            checked += len(solved)
        if checked > 120:
            break
    assert checked > 60
    assert {Fraction(0), Fraction(1)} < kinds


@pytest.mark.parametrize("pile", [(), (3,), (1, 1, 4), (1, 2, 2, 5, 5)])
def test_drawing_in_any_order_is_hypergeometric(pile: tuple[int, ...]) -> None:
    for count in range(7):
        draws = in_any_order(pile, count)
        assert sum(each.chance for each in draws) == 1
        for each in draws:
            assert sorted(each.drawn + each.left) == list(pile)
            assert len(each.drawn) == min(count, len(pile))
    ways = list(combinations(pile, min(2, len(pile))))
    for each in in_any_order(pile, 2):
        assert each.chance == Fraction(sum(tuple(sorted(way)) == each.drawn for way in ways), len(ways))


@pytest.mark.slow
def test_a_line_is_played_at_the_real_table_and_ends_as_it_says() -> None:
    ends = set()
    for seed in range(80):
        for full in endings("ferti-advanced", seed, 3):
            solver = Solver(RULE_SETS["ferti-advanced"], in_order)
            duel = duel_of(full.public, full.hands, tuple(card.value for card in full.pile))
            side = full.public.to_act
            line = solver.line(duel)
            table = full
            for step in line:
                assert step.mine == (table.public.to_act is side)
                assert step.value == solver.value(duel)
                assert step.chance == 1
                assert table.public.to_act is not None
                event = play_event(table.public, table.hands[table.public.to_act], step.play)
                table, ruling = play(table, event)
                assert ruling.ok
            if line:
                ends.add(line[-1].end)
                assert ended(table) is line[-1].end
    assert len(ends) >= 4


def ended(table: FullState) -> Reason:
    """How the round ends where the one to act can do nothing more than give up or show his hand."""
    public = table.public
    if public.result is not None:
        return public.result.reason
    if public.to_act is None:
        return ended(play(table, reveal(table))[0])
    assert legal_plays(public, counts_of(table.hands[public.to_act])) == ()
    return Reason.HIT if public.attack is not None else Reason.NO_LEGAL_MOVE


def test_positions_that_do_not_add_up_are_told() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    with pytest.raises(ValueError, match="nobody is to act"):
        duel_of(state, BySide((), ()), ())
    full = start_round(state, Random(1))
    with pytest.raises(ValueError, match="5 and 5, 15 cards, but 5 and 4 in the hands, 0 in the pile"):
        duel_of(full.public, full.hands.put(Side.BLACK, full.hands.black[:4]), ())
