"""What the strongest bots leave lying that counting shows, and their longest answers. Run it as a script.

*Hits*: attacks that no hand the opponent may hold can answer, in rounds of each bot against the greedy one. *Wins*:
turns that win against every hand and every draw, with one to three cards in the pile, the open-hands solver as judge.
Exit status 1 where one was not taken. Times are CPU times of one core; garbage is collected as in the product
(``firmware.table.loop.tidy``), the solver's between two rounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from engine.players.bots.endgame import Endgame
from engine.players.bots.sparring import can_do, stand_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot
from engine.players.simulation import new_match, play_round
from engine.rules.events import Event
from engine.rules.legal import Counts, Play, counts_of, play_event
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide, Side
from firmware.cli.commands.tournament import TimedBot
from firmware.table.loop.tidy import Tidy
from tests.engine.players.bots.conftest import winning_turns

NO_MOMENT: Any = None
"""Tidying looks at nothing of a moment."""

Choice = tuple[PlayerView, Event, float]
"""What the bot saw, what it did, and the seconds it thought."""


def choices(bot: Bot, rules: str, rounds: int, seed: int) -> Iterator[Choice]:
    """Every answer of the bot in so many rounds against the greedy one, on alternate sides."""
    rng, public, tidy = Random(seed), new_match(rules, rounds + 1), Tidy()
    for number in range(rounds):
        tidy.attend(NO_MOMENT)
        timed, own = TimedBot(bot), (Side.WHITE, Side.BLACK)[number % 2]
        seen: list[tuple[PlayerView, Event]] = []
        bots: BySide[Bot] = BySide(timed, GreedyBot())
        public = play_round(public, bots if own is Side.WHITE else BySide(bots.black, bots.white), rng, seen)
        ours = [(view, event) for view, event in seen if view.side is own]
        for (view, event), took_s in zip(ours, timed.took_s, strict=True):
            yield view, event, took_s
    tidy.close()


def hits(view: PlayerView) -> list[Event]:
    """The attacks that nobody can answer."""
    endgame, stand = Endgame(view.public.rules, 0), stand_of(view)
    unseen = unseen_of(view)
    sure = [
        option.play
        for option in can_do(stand, view.public.rules)
        if option.attack and endgame.wins_at_once(stand, option, unseen)
    ]
    return events(view, sure)


def unseen_of(view: PlayerView) -> Counts:
    return counts_of(unseen_cards(view.public, view.hand))


def events(view: PlayerView, plays: list[Play]) -> list[Event]:
    return [play_event(view.public, view.hand, each) for each in plays]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="of each bot under each rules (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=500, help="with up to three cards in the pile, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", nargs="+", default=["master", "maestro"], choices=list(STRENGTHS))
    parser.add_argument("--rules", nargs="+", default=list(RULE_SETS), choices=list(RULE_SETS))
    asked = parser.parse_args()
    missed_in_all = 0
    print(f"{'bot':8} {'rules':16} {'hits':>9} {'wins':>9} {'of positions':>12} {'mean ms':>8} {'worst ms':>8}")
    for name in asked.bots:
        for rules in asked.rules:
            sure = taken = won = took = looked = answers = 0
            total_s = worst_s = 0.0
            for view, event, took_s in choices(STRENGTHS[name](), rules, asked.rounds, asked.seed):
                answers += 1
                total_s += took_s
                worst_s = max(worst_s, took_s)
                certain = hits(view)
                near = 0 < view.public.pile <= 3 and looked < asked.positions
                looked += near
                winning = winning_turns(view) if near else []
                # What wins in every case is as good as the touch at once.
                sure += bool(certain)
                taken += bool(certain) and event in (*certain, *winning)
                won += bool(winning)
                took += bool(winning) and event in winning
            missed_in_all += sure - taken + won - took
            print(
                f"{name:8} {rules:16} {f'{taken}/{sure}':>9} {f'{took}/{won}':>9} {looked:12} "
                f"{1000 * total_s / answers:8.2f} {1000 * worst_s:8.0f}",
                flush=True,
            )
    print(f"not taken: {missed_in_all}")
    return 1 if missed_in_all else 0


if __name__ == "__main__":
    sys.exit(main())
