"""Whole matches of bots, entered by hand at a window without a camera, by touch and keys alone.

``python tests/bench/bench_by_hand.py [--matches N] [--points N] [--seed N]``: how many taps the turns took, how long a
match takes to enter, and whether the scorebook holds what the bots played. Exit status 1 where it does not, or where a
turn took more than three taps. It needs no screen.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
sys.path.insert(0, str(Path(__file__).parents[2]))  # what drives the window is the tests' own

import pygame

from display.menu.board import GivenUp
from display.menu.lines import Do, Of
from display.window import Window
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.actions import Turn
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import Side
from engine.table.turn_entry import may_hold, ways
from firmware.scorebook.book import Scorebook, open_scorebook
from tests.firmware.menu.conftest import ByWindow

SIZE = (800, 480)
MOST_TAPS = 3


def enter(game: ByWindow, full: FullState, turn: Turn, event: TurnEvent) -> int:
    """Tap this turn; the taps it took."""
    state, before = game.state, game.taps
    moved = state.distance - (event.black - event.white)
    attack = len(turn.cards) - len(turn.parry) - bool(moved)
    wanted = (len(turn.parry), moved, attack)
    first = (abs(moved),) if moved else (state.distance,) * bool(attack)
    if first:
        game.tap(Of(Do.LAY, first[0]))
    page = game.menu.page
    assert page is not None
    found = ways(state, may_hold(state), first)
    chosen = [item.key for item in page.items if item.value]
    if chosen != [Of(Do.WAY, found.index(wanted))]:
        game.tap(Of(Do.WAY, found.index(wanted)))
    game.tap(Do.TURN)
    return game.taps - before


def same(state: PublicState, full: FullState) -> bool:
    """Whether the match entered stands as the bots' does: cards alike may bear other letters."""
    theirs = full.public
    values = [[card.value for card in each.played] for each in (state, theirs)]
    return (state.phase, state.spaces, state.score, state.result, state.pile, *values[:1]) == (
        theirs.phase,
        theirs.spaces,
        theirs.score,
        theirs.result,
        theirs.pile,
        *values[1:],
    )


def a_match(
    book: Scorebook,
    folder: Path,
    points: int,
    rng: random.Random,
    size: tuple[int, int] = SIZE,
    *,
    finger: bool = True,
) -> tuple[Counter[int], float, bool]:
    """One match, by finger or by mouse: how often a turn took so many taps, seconds to enter it, and whether all of it
    is in the book."""
    game = ByWindow(Window(pygame.display.set_mode(size)), book, folder)
    game.finger = finger
    opening = MatchEvent(DEFAULT_RULES.name, Side.WHITE, points)
    game.loop.open(opening)
    game.wait(3.0)
    bot, taps, right = GreedyBot(), Counter[int](), True
    state, _ = judge(None, opening)
    assert state is not None
    began_s = time.perf_counter()
    full: FullState | None = None
    while state.phase is not Phase.MATCH_OVER:
        full = start_round(state, rng)
        game.tap(Do.ROUND)
        while full.public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            side = full.public.to_act
            if side is None:
                shown = reveal(full)
                game.tap(*(Of(Do.LAY, card.value) for card in shown.white), Do.REVEAL)
                full, _ = play(full, shown)
                continue
            choice = bot.choose(full.view(side), rng)
            event = choice_event(full.public, choice)
            if isinstance(choice, Turn) and isinstance(event, TurnEvent):
                taps[enter(game, full, choice, event)] += 1
            else:
                game.tap(Of(Do.WAY, GivenUp.GIVEN_UP.value), Do.TURN)
            full, _ = play(full, event)
            right = right and same(game.state, full)
        state = full.public
    spent_s = time.perf_counter() - began_s
    kept = book.replay(book.matches()[-1].id).state
    return taps, spent_s, right and kept == game.state


def main() -> int:
    """Play, enter, compare, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--points", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    args = parser.parse_args()
    pygame.display.init()
    rng, taps, all_right = random.Random(args.seed), Counter[int](), True
    with tempfile.TemporaryDirectory() as name, open_scorebook(Path(name) / "book.sqlite") as book:
        for number in range(1, args.matches + 1):
            more, spent_s, right = a_match(book, Path(name), args.points, rng)
            taps += more
            all_right = all_right and right
            told = "as played" if right else "NOT as played"
            print(f"match {number}: {more.total()} turns, {spent_s:.1f} s of the program's own, {told}", flush=True)
    counted = ", ".join(f"{count} in {each} taps" for each, count in sorted(taps.items()))
    print(f"{taps.total()} turns: {counted}")
    return 0 if all_right and max(taps) <= MOST_TAPS else 1


if __name__ == "__main__":
    sys.exit(main())
