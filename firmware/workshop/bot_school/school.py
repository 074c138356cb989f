"""The lessons: rounds against oneself, and what is learned of them.

What is played by is the slow mean of all that was learned: a turn is the likelier the better it has been on the whole,
so that each choice follows its regret, and mixes where turns are worth the same. Then every position a player left
behind is judged again: it should have been worth what came of it. Source: Y. Freund and R. Schapire, A decision
theoretic generalization of on-line learning (1997), for odds by past worth (Hedge); J. Heinrich and D. Silver, Deep
reinforcement learning from self-play in imperfect-information games (2016), for playing by a mean of the past;
R. S. Sutton, Learning to predict by the methods of temporal differences (1988).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from engine.rules.rulesets import RuleSet
from firmware.workshop.bot_school.net import LearningNet, NetWeights
from firmware.workshop.bot_school.rounds import Mood, play_rounds

ROUNDS: Final = 1024
SEED: Final = 1
TRUST: Final = 0.8
PARTS: Final = 4
"""In so many parts, shuffled, each lesson is gone through."""
PATIENCE: Final = 2000
"""Steps the slow mean goes over: 500 lessons."""


def mood_of(lesson: int, lessons: int) -> Mood:
    """Bold at first, steady at last."""
    part = lesson / lessons
    spread = 0.12 + 0.38 * max(0.0, 1 - part / 0.8)
    return Mood(spread, 0.1 - 0.06 * part, TRUST)


def pace_of(lesson: int, lessons: int) -> float:
    """How far a step goes: shorter with time."""
    return 0.003 * (1 - lesson / lessons) + 0.0002


def nobody(_lesson: int) -> None:
    """Is told how many lessons are done, and says nothing."""


def learn(rules: RuleSet, lessons: int, rounds: int, seed: int, told: Callable[[int], None] = nobody) -> NetWeights:
    """The weights after so many lessons of so many rounds each; ``told`` hears after each how many are done."""
    rng = np.random.default_rng(seed)
    learner = LearningNet(rng, PATIENCE)
    for lesson in range(lessons):
        rows, targets = play_rounds(rules, learner.mean, rounds, mood_of(lesson, lessons), rng)
        for part in np.array_split(rng.permutation(len(rows)), PARTS):
            learner.step(rows[part], targets[part], pace_of(lesson, lessons))
        told(lesson + 1)
    return learner.mean
