"""Solves ends of rounds with hidden hands and writes them: ``PYTHONPATH=. python tests/bench/endgame_data.py --write``.

No measurement. Positions with one to three cards in the pile are drawn from rounds of careful players, so many for each
preset and pile, no position twice; every legal turn is priced by CFR+ (``hidden_hands``). The same options write the
same file. Without ``--write`` it is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from hidden_hands import priced

import engine.research
from engine.players.bots.options import INDEX, packed
from engine.players.bots.sparring import Stand, can_do, stand_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.simulation import new_match, play_round
from engine.rules.events import Event
from engine.rules.legal import Counts, Play, counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide

FILE: Final = Path(engine.research.__file__).parent / "endgames.jsonl"
GAP = 1e-3
"""Best replies to both learners are as close as this."""


@dataclass(frozen=True, slots=True)
class SolvedEndgame:
    """A position, as the player to act sees it, and the worth of each turn.

    ``advanced``: spaces come forward. ``attack``: 0 for none, 1 to 5 direct cards to be answered, 6 to 10
    indirect ones, five less. ``hand`` and ``unseen``: cards of the values 1 to 5; the other holds five of the unseen
    ones. ``turns``: the least and the most that each is worth, a round won 1, drawn a half, lost 0.
    """

    rules: str
    pile: int
    distance: int
    advanced: int
    attack: int
    hand: Counts
    unseen: Counts
    turns: Mapping[Play, tuple[float, float]]

    @property
    def stand(self) -> Stand:
        """The same as the bots take it."""
        return Stand(INDEX[self.hand], self.distance, self.advanced, self.attack, self.pile)

    def to_json(self) -> dict[str, Any]:
        """As in the file: a turn is ``parry move attack``."""
        turns = {" ".join(map(str, play)): [low, high] for play, (low, high) in sorted(self.turns.items())}
        told = {name: getattr(self, name) for name in ("rules", "pile", "distance", "advanced", "attack")}
        return {**told, "hand": list(self.hand), "unseen": list(self.unseen), "turns": turns}


@cache
def solved_endgames() -> tuple[SolvedEndgame, ...]:
    """All that are in the file."""
    text = FILE.read_text(encoding="utf-8")
    return tuple(_read(json.loads(line)) for line in text.splitlines())


def _read(told: Any) -> SolvedEndgame:
    turns = {Play(*map(int, name.split())): (float(low), float(high)) for name, (low, high) in told["turns"].items()}
    return SolvedEndgame(**{**told, "hand": tuple(told["hand"]), "unseen": tuple(told["unseen"]), "turns": turns})


def position_key(solved: SolvedEndgame) -> tuple[object, ...]:
    """What tells positions apart."""
    return solved.rules, solved.stand, packed(solved.unseen)


def solved(view: PlayerView) -> SolvedEndgame:
    """The position this player sees, every turn priced."""
    stand, public = stand_of(view), view.public
    unseen = counts_of(unseen_cards(public, view.hand))
    turns = {}
    for option in can_do(stand, public.rules):
        found = priced(public.rules, stand, option, unseen, GAP)
        turns[option.play] = round(max(0.0, found.low), 4), round(min(1.0, found.high), 4)
    return SolvedEndgame(
        public.rules.name, stand.pile, stand.distance, stand.gained, stand.attack, counts_of(view.hand), unseen, turns
    )


def main() -> int:
    """Print or write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--each", type=int, nargs=3, default=[40, 40, 20], help="with 1, 2, 3 in the pile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"into {FILE.name}")
    asked = parser.parse_args()
    lines = []
    for rules in RULE_SETS:
        rng, public, bot = Random(f"{asked.seed} {rules}"), new_match(rules, 99_999), STRENGTHS["club"]()
        wanted, met = Counter(dict(enumerate(asked.each, 1))), set()
        while +wanted:
            seen: list[tuple[PlayerView, Event]] = []
            public = play_round(public, BySide(bot, bot), rng, seen)
            for view, _ in seen:
                pile, stand = view.public.pile, stand_of(view)
                key = stand, counts_of(unseen_cards(view.public, view.hand))
                if wanted[pile] > 0 and key not in met and len(can_do(stand, view.public.rules)) > 1:
                    met.add(key)
                    wanted[pile] -= 1
                    lines.append(solved(view))
    lines.sort(key=lambda each: (each.rules, each.pile, position_key(each)))
    text = "".join(json.dumps(each.to_json()) + "\n" for each in lines)
    if asked.write:
        FILE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
