"""Where the bots learn: they play rounds against themselves, and their judgement is moved towards how those ended.

A script for maintainers: ``python -m firmware.workshop.bot_school`` writes ``engine/players/bots/experience.py`` anew;
the same options write the same file. In each lesson both players choose by what was learned before it, and a little at
random, more so in the first lessons. Then every position a player left behind is judged again: it should have been
worth what the position after it was, and the last one what the round brought. Source: R. S. Sutton, Learning to predict
by the methods of temporal differences (1988); G. Tesauro, Temporal difference learning and TD-Gammon (1995).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import exp
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import engine.players.bots
from engine.players.bots.hands import DRAWN
from engine.players.bots.judgement import FAR, STAGES, WEIGHT_COUNT, chance_of, hand_features, place_features
from engine.players.bots.options import APART
from engine.players.bots.sparring import Sparring, Stand, Valued, after_drawing, compared
from engine.rules.cards import HAND_SIZE
from engine.rules.rulesets import FERTI_ADVANCED, FERTI_CLASSIC, RuleSet
from engine.rules.state import PILE_SIZE

LESSONS: Final = 40
ROUNDS: Final = 4000
SEED: Final = 1
TRUST: Final = 0.8
"""How much of what a position should have been worth comes from later in the round, not from its own judgement."""

PER_LINE: Final = 16
WEIGHTS_FILE: Final = Path(next(iter(engine.players.bots.__path__))) / "experience.py"
TEMPLATE: Final = '''"""What the bots have learned from playing themselves.

Written by ``python -m firmware.workshop.bot_school``: do not edit. {made}
Each weight is in hundredths; ``engine.players.bots.judgement`` says what for.
"""

from __future__ import annotations

from typing import Final

# fmt: off
ADVANCED: Final[tuple[int, ...]] = (
{advanced}
)
"""With indirect attacks."""

CLASSIC: Final[tuple[int, ...]] = (
{classic}
)
"""Without."""
'''


class Left(NamedTuple):
    """A position a player left behind, as ``Judgement.logit`` takes it."""

    hand: int
    distance: int
    gained: int
    attack: int
    pile: int


class Mood(NamedTuple):
    """How a lesson is played and learned from."""

    spread: float
    whim: float
    step: float


def mood_of(lesson: int, lessons: int) -> Mood:
    """Bold at first, steady at last."""
    part = lesson / lessons
    spread = 0.5 if part < 0.3 else 0.25 if part < 0.7 else 0.12
    return Mood(spread, 0.1 if part < 0.3 else 0.04, 0.05 * (1 - part) + 0.002)


def learn(rules: RuleSet, lessons: int, rounds: int, rng: Random) -> list[float]:
    """The weights after so many lessons of so many rounds each."""
    weights = [0.0] * WEIGHT_COUNT
    for lesson in range(lessons):
        mood = mood_of(lesson, lessons)
        sparring = Sparring(rules, tuple(weights))
        for _ in range(rounds):
            mine, other, won = play_round(sparring, rng, mood)
            _judge_again(weights, mine, won, mood.step, rules.indirect_attacks)
            _judge_again(weights, other, 1.0 - won, mood.step, rules.indirect_attacks)
        if sys.stderr.isatty():
            print(f"\r{rules.name}: lesson {lesson + 1} of {lessons}", end="", file=sys.stderr, flush=True)
    return weights


def play_round(sparring: Sparring, rng: Random, mood: Mood) -> tuple[list[Left], list[Left], float]:
    """One round: what its starter left behind, what the other did, and how it ended for the starter (1, 0.5 or 0)."""
    cards = [place for place in range(5) for _ in range(5)]
    rng.shuffle(cards)
    hands = [0, 0]
    for side in (0, 1):
        for _ in range(HAND_SIZE):
            hands[side] = DRAWN[hands[side]][cards.pop()]
    gained = [0, 0]
    left: tuple[list[Left], list[Left]] = ([], [])
    distance, attack, pile, side = APART, 0, PILE_SIZE, 0
    while True:
        valued = sparring.valued(Stand(hands[side], distance, gained[side], attack, pile))
        if not valued:
            return left[0], left[1], float(side)
        play, hand, attack = _chosen(valued, rng, mood).option
        final = pile == 0
        distance -= play.move
        gained[side] += play.move
        pile_then = after_drawing(hand, pile)
        left[side].append(Left(hand, distance, gained[side], attack, pile_then))
        for _ in range(pile - pile_then):
            hand = DRAWN[hand][cards.pop()]
        hands[side], pile = hand, pile_then
        if final or (pile == 0 and not attack):
            retreated = final and play.move < 0
            ended = compared(sparring.rules, hands[0], hands[1], distance, gained[0], retreated)
            return left[0], left[1], ended.share
        side = 1 - side


def _chosen(valued: Sequence[Valued], rng: Random, mood: Mood) -> Valued:
    if rng.random() < mood.whim:
        return rng.choice(valued)
    best = max(each.logit for each in valued)
    weights = [exp((each.logit - best) / mood.spread) for each in valued]
    return rng.choices(valued, weights)[0]


def _judge_again(weights: list[float], left: Sequence[Left], won: float, step: float, indirect: bool) -> None:
    """Moves the weights so that each position looks more like what came of it."""
    target = won
    for hand, distance, gained, attack, pile in reversed(left):
        stage = STAGES[pile]
        places = (
            *hand_features(hand, min(distance, FAR), attack, stage, indirect),
            *place_features(distance, gained, attack, stage),
        )
        judged = chance_of(sum(weights[place] for place in places))
        moved = step * (target - judged)
        for place in places:
            weights[place] += moved
        target = TRUST * target + (1 - TRUST) * judged


def written(weights: Sequence[float]) -> str:
    """Weights in hundredths, some to a line."""
    hundredths = [str(round(100 * weight)) for weight in weights]
    lines = [hundredths[at : at + PER_LINE] for at in range(0, len(hundredths), PER_LINE)]
    return "\n".join(f"    {', '.join(line)}," for line in lines)


def main() -> int:
    """Learn, and write what was learned."""
    parser = argparse.ArgumentParser(description="Let the bots learn anew, and write their experience.")
    parser.add_argument("--lessons", type=int, default=LESSONS, help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="in a lesson (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s")
    parser.add_argument("--out", type=Path, default=WEIGHTS_FILE, help="default: %(default)s")
    args = parser.parse_args()
    learned = [
        written(learn(rules, args.lessons, args.rounds, Random(args.seed))) for rules in (FERTI_ADVANCED, FERTI_CLASSIC)
    ]
    made = f"{args.lessons} lessons of {args.rounds:,} rounds, seed {args.seed}."
    args.out.write_text(TEMPLATE.format(made=made, advanced=learned[0], classic=learned[1]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
