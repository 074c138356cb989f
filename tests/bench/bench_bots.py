"""How long the bots take to answer, beside the greedy one, and the longest answer. Run it as a script.

Each bot plays rounds against the greedy one, on alternate sides. Times are those of the answering thread on the
processor, so that other work on the machine counts little; garbage is collected as in the product
(``firmware.loop.tidy``): little by little in an answer, the rest between two. With ``--slower 5`` the times and the
maestro's clock are those of a machine that has a fifth of this one to give. Exit status 1 where an answer took longer
than the aim.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random
from typing import Any

from engine.players.bots.maestro import Maestro
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot
from engine.players.simulation import new_match, play_round
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide
from firmware.loop.tidy import Tidy
from firmware.workshop.tournament.matches import Timed

AIM_MS = 50.0
NO_MOMENT: Any = None
"""Tidying looks at nothing of a moment."""


def on_slower(name: str, slower: float) -> Bot:
    """The bot as it sits at a machine so many times slower, where its clock runs so much faster."""
    return Maestro(lambda: slower * time.thread_time()) if name == "maestro" else STRENGTHS[name]()


def answers(name: str, rules: str, rounds: int, seed: int, slower: float) -> tuple[list[float], list[float]]:
    """The seconds each answer of this bot took, and each of the greedy one, in so many rounds between them."""
    timed, greedy, tidy = Timed(on_slower(name, slower)), Timed(GreedyBot()), Tidy()
    try:
        for number in range(rounds):
            bots: BySide[Bot] = BySide(timed, greedy) if number % 2 == 0 else BySide(greedy, timed)
            play_round(new_match(rules, 2), bots, Random(f"{seed}:{number}"))
            tidy.attend(NO_MOMENT)
    finally:
        tidy.close()
    return [slower * each for each in timed.took_s], [slower * each for each in greedy.took_s]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="each bot plays (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", nargs="+", default=list(STRENGTHS), choices=list(STRENGTHS))
    parser.add_argument("--rules", default="ferti-advanced", choices=list(RULE_SETS))
    parser.add_argument("--slower", type=float, default=1.0, help="a machine so many times slower (default: 1)")
    parser.add_argument("--aim-ms", type=float, default=AIM_MS, help="default: %(default)s")
    asked = parser.parse_args()
    aim_s = asked.aim_ms / 1000
    longest_s = 0.0
    columns = ("answers", "mean ms", "99 %", "longest", "over aim", "times greedy")
    print(f"{'bot':8}" + "".join(f"{each:>13}" for each in columns) + f"   {asked.rules}")
    for name in asked.bots:
        took_s, greedy_s = answers(name, asked.rules, asked.rounds, asked.seed, asked.slower)
        took_s.sort()
        longest_s = max(longest_s, took_s[-1])
        mean_s, late_s = sum(took_s) / len(took_s), took_s[len(took_s) * 99 // 100]
        ratio = mean_s / (sum(greedy_s) / len(greedy_s))
        over = sum(each > aim_s for each in took_s)
        print(
            f"{name:8}{len(took_s):13}{1000 * mean_s:13.2f}{1000 * late_s:13.1f}{1000 * took_s[-1]:13.1f}"
            f"{over:13}{ratio:13.1f}",
            flush=True,
        )
    print(f"longest  {longest_s:.3f} s  (aim {aim_s:.2f} s)")
    return 0 if longest_s <= aim_s else 1


if __name__ == "__main__":
    sys.exit(main())
