"""What simulated learners still know after thirty days: ``PYTHONPATH=. python tests/bench/bench_learning.py``.

Each learner practises as the warm-up has it, three positions an evening, every second evening for sixty days, then not
at all for thirty, and is then asked a position he never saw of each theme. Two schedulers are compared on the same
learners: the one of this program, and the one it had before, which spaced single positions, called a wrong first try
*Hard*, and had no longest interval.

The learner's memory is a stated model, not FSRS's own. Of each theme he has a skill with a strength of S days; after t
days he has it with the chance (1 + t / 9 S) ** -1 (power forgetting: J. Wixted and E. Ebbesen, On the form of
forgetting, 1991). Met and had, S grows by the factor 1 + 2.5 (1 - chance) + 0.3 (it grows more the nearer it was to
being forgotten: R. Bjork, desirable difficulties, 1994); met and not had, it is told, and S becomes half, at least one
day. Without the skill he guesses: one in six. Of a position he has seen before he may also remember the picture, with a
strength of its own; then he answers right without using the skill, which grows by a quarter of that only.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import sqrt
from random import Random
from typing import Final

from fsrs import Card, Rating, Scheduler

from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, PuzzleTheme
from firmware.ui.lessons.progress import WARM_UP, Pupil, RecallGrade, Remembered, Solved, due, remembered, theme_key
from firmware.ui.lessons.solving import THEMES, fresh_puzzle

FIRST_DAY: Final = 740_000
PRACTICE_DAYS: Final = 60
EVENING_EVERY: Final = 2
REST_DAYS: Final = 30
GUESSED: Final = 1 / 6
PICTURE_SHARE: Final = 0.25


@dataclass
class Strength:
    """How long something is kept, and when it was met last."""

    days: float = 0.0
    met_day: int = 0

    def chance(self, day: int) -> float:
        return 0.0 if not self.days else 1.0 / (1.0 + (day - self.met_day) / (9.0 * self.days))

    def practised(self, day: int, had: bool, share: float = 1.0) -> None:
        """Met on this day; ``share`` of the whole effect."""
        if not self.days:
            self.days = 1.0
        elif had:
            self.days *= 1.0 + share * (0.3 + 2.5 * (1.0 - self.chance(day)))
        else:
            self.days = max(1.0, self.days * (1.0 - share / 2))
        self.met_day = day


@dataclass
class Learner:
    """Somebody who practises, with a memory of themes and of pictures."""

    rng: Random
    skills: dict[PuzzleTheme, Strength] = field(default_factory=dict)
    pictures: dict[str, Strength] = field(default_factory=dict)

    def answers(self, puzzle: Puzzle, day: int) -> bool:
        """Whether he is right at his first try; he learns from it."""
        skill = self.skills.setdefault(puzzle.theme, Strength())
        picture = self.pictures.setdefault(puzzle.id, Strength())
        pictured = self.rng.random() < picture.chance(day)
        had = self.rng.random() < skill.chance(day)
        right = pictured or had or self.rng.random() < GUESSED
        skill.practised(day, had, PICTURE_SHARE if pictured else 1.0)
        picture.practised(day, pictured)
        return right

    def knows(self, theme: PuzzleTheme, day: int) -> float:
        """The chance that he has the skill for a position he never saw."""
        return self.skills[theme].chance(day) if theme in self.skills else 0.0


Evening = Callable[[Learner, int], None]


def by_theme(order: list[Puzzle]) -> Evening:
    """Practice as the program has it now."""
    pupil = [Pupil("Ana")]
    memory: dict[str, Remembered] = {}
    tried: set[str] = set()

    def evening(learner: Learner, day: int) -> None:
        waiting = [THEMES[key] for key in due([memory], day)]
        new = [theme for theme in dict.fromkeys(puzzle.theme for puzzle in order) if theme_key(theme) not in memory]
        for theme in (*waiting, *new)[:WARM_UP]:
            pupil[0] = Pupil("Ana", solving=Solved(frozenset(tried)))
            puzzle = fresh_puzzle(theme, pupil, day)
            assert puzzle is not None
            tried.add(puzzle.id)
            recall = RecallGrade.KNEW if learner.answers(puzzle, day) else RecallGrade.MISSED
            memory[theme_key(theme)] = remembered(memory.get(theme_key(theme)), recall, day)

    return evening


def by_position(order: list[Puzzle]) -> Evening:
    """Practice as it was before: positions, *Hard* for a failure, no longest interval."""
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    cards: dict[str, Card] = {}

    def evening(learner: Learner, day: int) -> None:
        when = datetime.fromordinal(day).replace(tzinfo=UTC)
        waiting = sorted((key for key in cards if cards[key].due <= when), key=lambda key: cards[key].due)
        by_id = {puzzle.id: puzzle for puzzle in order}
        new = [puzzle for puzzle in order if puzzle.id not in cards]
        for puzzle in (*(by_id[key] for key in waiting), *new)[:WARM_UP]:
            rating = Rating.Good if learner.answers(puzzle, day) else Rating.Hard
            cards[puzzle.id], _ = scheduler.review_card(cards.get(puzzle.id, Card(card_id=1)), rating, when)

    return evening


def recalled(practice: Callable[[list[Puzzle]], Evening], learners: int, seed: int) -> tuple[float, float]:
    """The mean share of themes known after the rest, and its standard error."""
    shares = []
    for number in range(learners):
        rng = Random(f"{seed} {number}")
        order = rng.sample(PUZZLES, len(PUZZLES))
        learner, evening = Learner(rng), practice(order)
        for day in range(FIRST_DAY, FIRST_DAY + PRACTICE_DAYS, EVENING_EVERY):
            evening(learner, day)
        last = FIRST_DAY + PRACTICE_DAYS + REST_DAYS
        themes = {puzzle.theme for puzzle in PUZZLES}
        shares.append(sum(learner.knows(theme, last) for theme in themes) / len(themes))
    mean = sum(shares) / learners
    return mean, sqrt(sum((share - mean) ** 2 for share in shares) / max(1, learners - 1) / learners)


def main(arguments: list[str] | None = None) -> int:
    """Print both; 1 where the new one is not better."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--learners", type=int, default=200, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    asked = parser.parse_args(arguments)
    means = []
    for name, practice in (("before: positions, Hard", by_position), ("now: themes, Again", by_theme)):
        mean, error = recalled(practice, asked.learners, asked.seed)
        means.append(mean)
        print(f"{name}: {100 * mean:.1f} % of themes recalled after {REST_DAYS} days, ± {196 * error:.1f}")
    return int(means[1] <= means[0])


if __name__ == "__main__":
    sys.exit(main())
