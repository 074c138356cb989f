"""How long the bots take to answer, beside the greedy one, and the longest answer. Run it as a script.

Each bot plays rounds against the greedy one, on alternate sides. Times are those of the answering thread on the
processor, so that other work on the machine counts little; garbage is collected as in the product
(``firmware.table.loop.tidy``): little by little in an answer, the rest between two. With ``--slower 5`` the times
are those of a machine that has a fifth of this one to give. An answer that took longer than the aim is
asked for again, of a bot that has forgotten all it ever worked out: what takes so long again is the bot's own doing,
the rest is the machine's. Exit status 1 where there is one of the former.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import Any

from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot
from engine.players.simulation import new_match, play_round
from engine.rules.legal import GiveUp, Turn
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide
from firmware.cli.commands.tournament import TimedBot
from firmware.table.loop.tidy import Tidy

AIM_MS = 50.0
NO_MOMENT: Any = None
"""Tidying looks at nothing of a moment."""


class Asked(TimedBot):
    """A bot whose answers are timed, and asked for again where one took longer than ``aim_s``."""

    def __init__(self, bot: Bot, aim_s: float) -> None:
        super().__init__(bot)
        self.again_s: list[float] = []
        self._aim_s = aim_s

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        luck = rng.getstate()
        choice = super().choose(view, rng)
        if self.took_s[-1] > self._aim_s:
            forget()
            as_before = Random()
            as_before.setstate(luck)
            again = TimedBot(self._bot)
            again.choose(view, as_before)
            self.again_s += again.took_s
        return choice


def forget() -> None:
    """Nothing that the bots worked out is kept."""
    for name, module in list(sys.modules.items()):
        if name.startswith("engine.players.bots"):
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


def answers(asked: argparse.Namespace, name: str) -> tuple[list[float], list[float], list[float]]:
    """The seconds each answer of this bot took, those of the greedy one in the rounds between them, and those of the
    bot's that were asked for again."""
    timed = Asked(STRENGTHS[name](), asked.aim_ms / 1000 / asked.slower)
    greedy, tidy = TimedBot(GreedyBot()), Tidy()
    try:
        for number in range(asked.rounds):
            bots: BySide[Bot] = BySide(timed, greedy) if number % 2 == 0 else BySide(greedy, timed)
            play_round(new_match(asked.rules, 2), bots, Random(f"{asked.seed}:{number}"))
            tidy.attend(NO_MOMENT)
    finally:
        tidy.close()
    taken = timed.took_s, greedy.took_s, timed.again_s
    one, other, again = ([asked.slower * each for each in taken_s] for taken_s in taken)
    return one, other, again


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
    late = False
    columns = ("answers", "mean ms", "99 %", "longest", "over aim", "again over", "times greedy")
    print(f"{'bot':8}" + "".join(f"{each:>13}" for each in columns) + f"   {asked.rules}")
    for name in asked.bots:
        took_s, greedy_s, again_s = answers(asked, name)
        took_s.sort()
        mean_s, late_s = sum(took_s) / len(took_s), took_s[len(took_s) * 99 // 100]
        ratio = mean_s / (sum(greedy_s) / len(greedy_s))
        over, again = (sum(each > aim_s for each in taken_s) for taken_s in (took_s, again_s))
        late |= again > 0
        print(
            f"{name:8}{len(took_s):13}{1000 * mean_s:13.2f}{1000 * late_s:13.1f}{1000 * took_s[-1]:13.1f}"
            f"{over:13}{again:13}{ratio:13.1f}",
            flush=True,
        )
        for each in again_s:
            print(f"over {asked.aim_ms:g} ms, and {1000 * each:.1f} when asked again")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
