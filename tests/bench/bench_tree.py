"""How large the game is, estimated by random probes: ``PYTHONPATH=. python tests/bench/bench_tree.py``.

Rounds that can be played (cards of one value alike, cards drawn together in one order), and information sets of the
player who begins. At every node of a probe each branch is as likely; the product of the numbers of branches on the
way is an estimate without bias of the nodes at that depth. Few probes meet where the tree is widest: the mean is heavy
in its tail, and its power of ten is what it tells. Source: D. E. Knuth, Estimating the efficiency of backtrack programs
(1975).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import sqrt
from random import Random
from statistics import fmean, stdev

from engine.players.bots.options import APART, HANDS, INDEX, options
from engine.research import new_game
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Counts
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PILE_SIZE


def rounds_probe(rules: str, rng: Random) -> float:
    """An estimate of how many rounds there are."""
    state, found = new_game(rules), 1.0
    while not state.is_terminal():
        actions = state.legal_actions()
        found *= len(actions)
        state.apply_action(rng.choice(actions))
    return found


@cache
def drawn(unseen: Counts, count: int) -> tuple[Counts, ...]:
    """All that so many of these cards can be."""
    ranges = (range(min(each, count) + 1) for each in unseen)
    return tuple((a, b, c, d, e) for a, b, c, d, e in product(*ranges) if a + b + c + d + e == count)


SeenTurn = tuple[int, int, Counts]
"""The spaces moved, the attack made, the cards laid."""


@cache
def all_turns(distance: int, room: int, attack: int, last: bool, indirect: bool) -> tuple[SeenTurn, ...]:
    """Every turn that some hand allows."""
    found = {
        (play, made, counts)
        for hand, counts in enumerate(HANDS)
        for play, left, made in options(hand, distance, room, attack, last, indirect)
        if not left  # laid by the hand that holds nothing else
    }
    return tuple((play.move, made, laid) for play, made, laid in sorted(found))


def less(one: Counts, other: Counts) -> Counts:
    """What is left."""
    a, b, c, d, e = (had - gone for had, gone in zip(one, other, strict=True))
    return a, b, c, d, e


def sets_probe(rules: str, rng: Random) -> float:
    """An estimate of how many information sets the player who begins has in which he chooses."""
    indirect = RULE_SETS[rules].indirect_attacks
    unseen: Counts = (5, 5, 5, 5, 5)
    dealt = drawn(unseen, HAND_SIZE)
    hand, weight, found = rng.choice(dealt), float(len(dealt)), 0.0
    unseen = less(unseen, hand)
    distance, gained, attack, pile, mine = APART, [0, 0], 0, PILE_SIZE, True
    while True:
        far, room, last = min(distance, 2 * HAND_SIZE + 1), min(gained[not mine], HAND_SIZE), pile == 0
        if mine:
            there = options(INDEX[hand], far, room, attack, last, indirect)
            turns = [(play.move, made, less(hand, HANDS[left])) for play, left, made in there]
        else:
            turns = [
                turn
                for turn in all_turns(far, room, attack, last, indirect)
                if all(gone <= there for gone, there in zip(turn[2], unseen, strict=True))
            ]
        if not turns:
            return found
        if mine:
            found += weight
        weight *= len(turns)
        move, attack, laid = rng.choice(turns)
        distance, count = distance - move, min(pile, sum(laid))
        gained[not mine] += move
        pile -= count
        if mine:
            more = drawn(unseen, count)
            weight *= len(more)
            new = rng.choice(more)
            unseen, hand = less(unseen, new), less(less(hand, laid), less((0, 0, 0, 0, 0), new))
        else:
            unseen = less(unseen, laid)
        if (not pile and not attack) or last:
            return found
        mine = not mine


def estimates(rules: str, probes: int, seed: int) -> Iterator[tuple[str, float, float]]:
    """What was counted, the mean of the probes, and its standard error."""
    for name, probe in (("rounds", rounds_probe), ("information sets of who begins", sets_probe)):
        rng = Random(f"{seed} {name}")
        found = [probe(rules, rng) for _ in range(probes)]
        yield name, fmean(found), stdev(found) / sqrt(probes)


def main() -> int:
    """Print both for each preset."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--probes", type=int, default=20_000, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    asked = parser.parse_args()
    for rules in RULE_SETS:
        for name, mean, error in estimates(rules, asked.probes, asked.seed):
            print(f"{rules}: {name} {mean:.1e} +- {error:.0e}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
