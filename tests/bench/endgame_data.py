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
from pathlib import Path
from random import Random

from hidden_hands import priced

import engine.research.endgames
from engine.players.bots.sparring import can_do, stand_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.simulation import new_match, play_round
from engine.research.endgames import FILE, SolvedEndgame, position_key
from engine.rules.events import Event
from engine.rules.legal import counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide

GAP = 1e-3
"""Best replies to both learners are as close as this."""


def solved(view: PlayerView) -> SolvedEndgame:
    """The position this player sees, every turn priced."""
    stand, public = stand_of(view), view.public
    unseen = counts_of(unseen_cards(public, view.hand))
    turns = {}
    for option in can_do(stand, public.rules):
        found = priced(public.rules, stand, option, unseen, GAP)
        turns[option.play] = round(max(0.0, found.low), 4), round(min(1.0, found.high), 4)
    return SolvedEndgame(
        public.rules.name,
        stand.pile,
        stand.distance,
        stand.gained,
        stand.attack,
        counts_of(view.hand),
        unseen,
        turns,
    )


def main() -> int:
    """Print or write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--each", type=int, nargs=3, default=[40, 40, 20], help="with 1, 2, 3 in the pile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"into {FILE}")
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
        (Path(engine.research.endgames.__file__).parent / FILE).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
