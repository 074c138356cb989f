"""What wins however the hidden cards lie, by the open-hands solver; for the tests here and for the benches."""

from __future__ import annotations

from collections.abc import Sequence

from engine.players.bots.endgame import Endgame, counted, layouts
from engine.players.bots.options import HANDS, Option
from engine.players.bots.sparring import Stand, can_do, stand_of
from engine.puzzles.solver import Duel, Solver, in_any_order
from engine.rules.cards import VALUES
from engine.rules.events import Event
from engine.rules.legal import Counts, counts_of, play_event
from engine.rules.possible import unseen_cards
from engine.rules.state import PlayerView


def winning_turns(view: PlayerView) -> list[Event]:
    """The turns that win against every hand and every draw."""
    stand, solver = stand_of(view), Solver(view.public.rules, in_any_order)
    winning = {option.play for option in can_do(stand, view.public.rules)}
    for layout in layouts(counts_of(unseen_cards(view.public, view.hand)), stand.pile):
        pile = pile_of(HANDS[layout.pile])
        duel = Duel(stand.hand, layout.other, stand.distance, stand.gained, stand.attack, pile)
        winning &= {each.play for each in solver.plays(duel) if each.value == 1}
        if not winning:
            break
    return [play_event(view.public, view.hand, each) for each in winning]


def best_counted(endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option]) -> Option | None:
    """The turn worth most with open hands; None where the budget reaches none."""
    return next(iter(counted(endgame, unseen, stand, choices)), None)


def pile_of(cards: Counts) -> tuple[int, ...]:
    """The pile as the solver takes it: card values, sorted."""
    return tuple(value for value, count in zip(VALUES, cards, strict=True) for _ in range(count))
