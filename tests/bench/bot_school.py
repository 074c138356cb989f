"""Lets the bots learn anew, and writes their weights: a file for each preset in ``engine/players/bots``. A script.

An hour of one core. The same options write the same files, bit for bit, on the same processor and the same NumPy.

What is played by is the slow mean of all that was learned: a turn is the likelier the better it has been on the whole,
so that each choice follows its regret, and mixes where turns are worth the same. Then every position a player left
behind is judged again: it should have been worth what came of it. Source: Y. Freund and R. Schapire, A decision
theoretic generalization of on-line learning (1997), for odds by past worth (Hedge); J. Heinrich and D. Silver, Deep
reinforcement learning from self-play in imperfect-information games (2016), for playing by a mean of the past;
R. S. Sutton, Learning to predict by the methods of temporal differences (1988).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import engine.players.bots
from engine.players.bots import judgement
from engine.players.bots.judgement import NONE, ROWS, UNITS, WEIGHT_UNIT, written
from engine.players.bots.options import APART, DRAWN, HANDS, SIZES, options, packed
from engine.players.bots.sparring import compared
from engine.rules.cards import HAND_SIZE, VALUES
from engine.rules.rulesets import BRETTSPIELNETZ, FERTI_ADVANCED, FERTI_CLASSIC, RuleSet
from engine.rules.state import PILE_SIZE

NetWeights = NDArray[np.float32]
"""``(ROWS, 1 + UNITS)``: what each feature says straight away, and what it says to each unit."""
FeatureRows = NDArray[np.int16]
"""``(positions, features)``: the rows that count for each position."""

SIGNS: Final = np.repeat(np.array([1, -1], np.float32), UNITS // 2)
"""Half of the units speak for the player, half against him."""

_FASTEST: Final = 0.9
_STEADIEST: Final = 0.999
_TINY: Final = 1e-8


def beginner(rng: np.random.Generator) -> NetWeights:
    """Weights that know nothing."""
    weights = np.zeros((ROWS, 1 + UNITS), np.float32)
    weights[:, 1:] = rng.normal(0, 0.1, (ROWS, UNITS))
    weights[NONE] = 0
    return weights


def logits(weights: NetWeights, rows: FeatureRows) -> NDArray[np.float32]:
    """The logarithm of the odds of each position."""
    return _spoken(_sums(weights, rows))


def _spoken(sums: NetWeights) -> NDArray[np.float32]:
    said: NDArray[np.float32] = sums[:, 0] + (np.maximum(sums[:, 1:], 0) * SIGNS).sum(1)
    return said


def chances(logit: NDArray[np.float32]) -> NDArray[np.float32]:
    """The chance of winning that these odds are."""
    return (1 / (1 + np.exp(-np.clip(logit, -30, 30)))).astype(np.float32)


def _sums(weights: NetWeights, rows: FeatureRows) -> NDArray[np.float32]:
    total = weights[rows[:, 0]]
    for column in range(1, rows.shape[1]):
        total += weights[rows[:, column]]
    return total


class LearningNet:
    """Weights that move, and their slow mean, by which is played.

    Each step goes down the slope of the cross entropy, measured by its own past. Source: D. Kingma and J. Ba, Adam
    (2015); B. Polyak and A. Juditsky, Acceleration of stochastic approximation by averaging (1992), for the mean.
    """

    def __init__(self, rng: np.random.Generator, patience: int) -> None:
        """``patience``: over how many steps the slow mean goes."""
        self.weights = beginner(rng)
        self.mean = self.weights.copy()
        self._patience = patience
        self._steps = 0
        self._slope = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)

    def step(self, rows: FeatureRows, targets: NDArray[np.float32], pace: float) -> None:
        """Moves the weights so that these positions look more like what came of them."""
        sums = _sums(self.weights, rows)
        error = (chances(_spoken(sums)) - targets) / np.float32(len(targets))
        each = np.empty_like(sums)
        each[:, 0] = error
        each[:, 1:] = error[:, None] * SIGNS * (sums[:, 1:] > 0)
        slope = self._added_up(rows, each)
        self._steps += 1
        self._slope = (_FASTEST * self._slope + (1 - _FASTEST) * slope).astype(np.float32)
        self._square = (_STEADIEST * self._square + (1 - _STEADIEST) * slope**2).astype(np.float32)
        straight = self._slope / np.float32(1 - _FASTEST**self._steps)
        size = np.sqrt(self._square / np.float32(1 - _STEADIEST**self._steps)) + np.float32(_TINY)
        self.weights -= np.float32(pace) * straight / size
        share = np.float32(max(1 / self._patience, 1 / self._steps))
        self.mean += share * (self.weights - self.mean)

    def _added_up(self, rows: FeatureRows, each: NDArray[np.float32]) -> NDArray[np.float32]:
        width = each.shape[1]
        places = (rows.astype(np.int64)[:, :, None] * width + np.arange(width)).ravel()
        shares = np.broadcast_to(each[:, None, :], (*rows.shape, width)).ravel()
        total = np.bincount(places, shares, minlength=ROWS * width).reshape(ROWS, width)
        total[NONE] = 0
        return total.astype(np.float32)


Ints = NDArray[np.int64]
Floats32 = NDArray[np.float32]

MOST: Final = 17
"""The most turns any hand allows at any distance."""
_FAR: Final = 2 * HAND_SIZE + 1
_COUNTS: Final = np.array(HANDS)
_SIZES: Final = np.array(SIZES)
_DRAWN: Final = np.array(DRAWN)


class Mood(NamedTuple):
    """How rounds are played: a turn ``spread`` better in the logarithm of the odds is e times as likely; ``whim`` is
    the chance of any turn whatever. ``trust``: how much of what a position should have been worth comes from later."""

    spread: float
    whim: float
    trust: float


SURE: Final = Mood(0.01, 0.0, 1.0)
"""The best turn, always."""


@dataclass(frozen=True)
class AllTurns:
    """Every turn of every stand: how many there are, and of each the spaces moved, the hand left, the attack."""

    count: Ints
    moves: Ints
    left: Ints
    attacks: Ints


@cache
def choices_of(indirect: bool) -> AllTurns:
    """By hand, distance (at most 11) less one, room (at most 5), attack and whether it is the last defence."""
    shape = (len(HANDS), _FAR, HAND_SIZE + 1, 2 * HAND_SIZE + 1, 2)
    count = np.zeros(shape, np.int64)
    found = np.zeros((3, *shape, MOST), np.int16)
    for hand, far, room, attack, final in np.ndindex(shape):
        if (final and not attack) or (attack and far >= HAND_SIZE):
            continue
        there = options(hand, far + 1, room, attack, bool(final), indirect)
        count[hand, far, room, attack, final] = len(there)
        for place, (play, left, made) in enumerate(there):
            found[:, hand, far, room, attack, final, place] = play.move, left, made
    return AllTurns(count, *found)


@cache
def _shares(rules: RuleSet) -> NDArray[np.float32]:
    """How the end of the pile decides: by distance, cards equal to it more than the other's, lead, and retreat."""
    table = np.zeros((APART + 1, 2 * HAND_SIZE + 1, 2 * APART + 1, 2), np.float32)
    for distance, more, lead, retreated in np.ndindex(table.shape):
        further = lead - APART
        if not distance or (APART - distance + further) % 2 or abs(further) > APART - distance:
            continue
        gained = (APART - distance + further) // 2
        own, other = max(0, more - HAND_SIZE), max(0, HAND_SIZE - more)
        place = min(distance, HAND_SIZE) - 1
        mine, theirs = (0, 0)
        for _ in range(own):
            mine = DRAWN[mine][place]
        for _ in range(other):
            theirs = DRAWN[theirs][place]
        ended = compared(rules, mine, theirs, distance, gained, retreated=bool(retreated))
        table[distance, more, lead, retreated] = ended.share
    return table


def shares(rules: RuleSet, hand: Ints, other: Ints, distance: Ints, gained: Ints, retreated: NDArray[Any]) -> Floats32:
    """What the comparison at the end of the pile brings the players with these hands."""
    place = np.minimum(distance, HAND_SIZE) - 1
    more = _COUNTS[hand, place] - _COUNTS[other, place]
    lead = 2 * gained - (APART - distance)
    found: Floats32 = _shares(rules)[distance, more + HAND_SIZE, lead + APART, retreated.astype(np.int64)]
    return found


def rows_of(left: Ints, distance: Ints, gained: Ints, attack: Ints, pile: Ints, unseen: Ints) -> FeatureRows:
    """``engine.players.bots.judgement`` of many positions at once."""
    tables = _tables()
    situation = tables.situations[distance, attack]
    near = np.minimum(distance, HAND_SIZE) - 1
    kept, there = _COUNTS[left, near], unseen[np.arange(len(unseen)), near]
    columns = [
        tables.left[situation, left],
        tables.unseen[situation[:, None], np.arange(5), unseen],
        tables.meetings[distance, attack, kept, there][:, None],
        tables.places[distance, gained, pile],
    ]
    return np.concatenate(columns, 1).astype(np.int16)


@dataclass(frozen=True)
class _Tables:
    situations: NDArray[np.int16]
    left: NDArray[np.int16]
    unseen: NDArray[np.int16]
    meetings: NDArray[np.int16]
    places: NDArray[np.int16]


@cache
def _tables() -> _Tables:
    """The rows by the numbers that they depend on."""
    apart, attacks = APART + 1, 2 * HAND_SIZE + 1
    situations = np.zeros((apart, attacks), np.int16)
    meetings = np.full((apart, attacks, HAND_SIZE + 1, HAND_SIZE + 1), judgement.NONE, np.int16)
    for distance, attack in np.ndindex(situations.shape):
        if not distance or (attack and distance > HAND_SIZE):
            continue
        situations[distance, attack] = judgement.situation_of(distance, attack)
        for kept, there in np.ndindex(meetings.shape[2:]):
            meetings[distance, attack, kept, there] = judgement.meeting_row(distance, attack, kept, there)
    everywhere = range(judgement.SITUATIONS)
    left = np.array([[judgement.left_rows(at, hand) for hand in range(len(HANDS))] for at in everywhere], np.int16)
    alike = [[judgement.unseen_rows(at, packed((n, n, n, n, n))) for n in range(HAND_SIZE + 1)] for at in everywhere]
    unseen = np.array(alike, np.int16).transpose(0, 2, 1)
    places = np.zeros((apart, apart, PILE_SIZE + 1, 5), np.int16)
    for distance, gained, pile in np.ndindex(places.shape[:3]):
        if distance and distance + gained <= APART:
            places[distance, gained, pile] = judgement.place_rows(distance, gained, pile)
    return _Tables(situations, left, unseen, meetings, places)


class _Turn(NamedTuple):
    """One turn in many rounds: which, whose, the positions left behind, what the stands before were worth, whims."""

    rounds: Ints
    side: int
    rows: FeatureRows
    worth: Floats32
    whims: NDArray[np.bool_]


def play_rounds(
    rules: RuleSet, weights: NetWeights, count: int, mood: Mood, rng: np.random.Generator
) -> tuple[FeatureRows, Floats32]:
    """Every position left behind in so many rounds, and what it should have been worth to who left it."""
    turns: list[_Turn] = []
    won = _Rounds(rules, (weights, weights), (mood, mood), count, rng).played(turns)
    return _targets(turns, won, mood.trust)


def play_against(
    rules: RuleSet, weights: NetWeights, other: NetWeights, count: int, mood: Mood, rng: np.random.Generator
) -> tuple[FeatureRows, Floats32, float]:
    """The same of one player alone, who meets another that takes what he holds best; and the share of rounds won.

    He begins every other of these lots of rounds, as the dice fall.
    """
    turns: list[_Turn] = []
    side = int(rng.integers(2))
    both = (weights, other) if side == 0 else (other, weights)
    moods = (mood, SURE) if side == 0 else (SURE, mood)
    won = _Rounds(rules, both, moods, count, rng).played(turns)
    rows, targets = _targets([turn for turn in turns if turn.side == side], won, mood.trust)
    return rows, targets, float(won.mean() if side == 0 else 1 - won.mean())


def _targets(turns: Sequence[_Turn], won: Floats32, trust: float) -> tuple[FeatureRows, Floats32]:
    """What came of each position, from the last turn back: the end of the round, and the stands on the way to it.

    Behind a whim the rest of the round says nothing of the turns before: there the stand itself is believed.
    """
    later = np.stack([won, 1 - won], 1)
    targets = []
    for turn in reversed(turns):
        targets.append(later[turn.rounds, turn.side])
        believed = np.where(turn.whims, np.float32(0), np.float32(trust))
        later[turn.rounds, turn.side] = believed * targets[-1] + (1 - believed) * turn.worth
    return np.concatenate([turn.rows for turn in turns]), np.concatenate(targets[::-1])


class _Rounds:
    """Rounds under way."""

    def __init__(
        self,
        rules: RuleSet,
        weights: tuple[NetWeights, NetWeights],
        moods: tuple[Mood, Mood],
        count: int,
        rng: np.random.Generator,
    ) -> None:
        """``weights`` and ``moods``: of who begins, and of the other."""
        self.rules, self.weights, self.moods, self.rng = rules, weights, moods, rng
        self.choices = choices_of(rules.indirect_attacks)
        deck = np.repeat(np.arange(len(VALUES)), 5)
        self.cards = rng.permuted(np.tile(deck, (count, 1)), axis=1)
        self.hands = np.zeros((count, 2), np.int64)
        self.drawn = np.zeros(count, np.int64)
        for side in (0, 1):
            for _ in range(HAND_SIZE):
                self.hands[:, side] = _DRAWN[self.hands[:, side], self.cards[np.arange(count), self.drawn]]
                self.drawn += 1
        self.gained = np.zeros((count, 2), np.int64)
        self.distance = np.full(count, APART)
        self.attack = np.zeros(count, np.int64)
        self.pile = np.full(count, PILE_SIZE)
        self.unplayed = np.full((count, len(VALUES)), 5)
        self.won = np.zeros(count, np.float32)

    def played(self, turns: list[_Turn]) -> Floats32:
        """Plays them all to their ends, and says what each brought the player who began it."""
        going = np.arange(len(self.won))
        side = 0
        while len(going):
            going = self._defended(going, side)
            if len(going):
                going = self._turned(going, side, turns)
            side = 1 - side
        return self.won

    def _stands(self, going: Ints, side: int) -> tuple[Any, ...]:
        far = np.minimum(self.distance[going], _FAR) - 1
        room = np.minimum(self.gained[going, side], HAND_SIZE)
        final = (self.pile[going] == 0).astype(np.int64)
        return self.hands[going, side], far, room, self.attack[going], final

    def _end(self, rounds: Ints, side: int, share: Floats32) -> None:
        self.won[rounds] = share if side == 0 else 1 - share

    def _defended(self, going: Ints, side: int) -> Ints:
        """Ends the rounds in which the last defence is to be made, by the best there is; the others go on."""
        last = going[self.pile[going] == 0]
        if len(last):
            stands = self._stands(last, side)
            best = np.zeros(len(last), np.float32)
            count = self.choices.count[stands]
            for place in range(int(count.max(initial=0))):
                move, left = self.choices.moves[stands][:, place], self.choices.left[stands][:, place]
                distance, gained = self.distance[last] - move, self.gained[last, side] + move
                there = place < count
                distance, gained = np.where(there, distance, APART), np.where(there, gained, 0)
                share = shares(self.rules, left, self.hands[last, 1 - side], distance, gained, move < 0)
                best = np.maximum(best, np.where(there, share, np.float32(0)))
            self._end(last, side, best)
        return going[self.pile[going] > 0]

    def _turned(self, going: Ints, side: int, turns: list[_Turn]) -> Ints:
        stands = self._stands(going, side)
        count = self.choices.count[stands]
        stuck = count == 0
        self._end(going[stuck], side, np.zeros(int(stuck.sum()), np.float32))
        going, count = going[~stuck], count[~stuck]
        if not len(going):
            return going
        stands = tuple(part[~stuck] for part in stands)
        there = np.arange(MOST) < count[:, None]
        at, place = np.nonzero(there)
        keys = tuple(part[at] for part in stands)
        move, left, attack = (
            table[(*keys, place)].astype(np.int64)
            for table in (self.choices.moves, self.choices.left, self.choices.attacks)
        )
        before = going[at]
        distance, gained = self.distance[before] - move, self.gained[before, side] + move
        pile = np.maximum(0, self.pile[before] - (HAND_SIZE - _SIZES[left]))
        unseen = self.unplayed[going] - _COUNTS[self.hands[going, side]]
        rows = rows_of(left, distance, gained, attack, pile, unseen[at])
        chosen, worth, whims = self._chosen(there, logits(self.weights[side], rows), self.moods[side])
        picks = np.concatenate([[0], np.cumsum(count)[:-1]]) + chosen
        turns.append(_Turn(going, side, rows[picks], worth, whims))
        return self._moved(going, side, left[picks], move[picks], attack[picks], pile[picks])

    def _chosen(
        self, there: NDArray[np.bool_], logit: Floats32, mood: Mood
    ) -> tuple[Ints, Floats32, NDArray[np.bool_]]:
        """Which turn of each stand is made, what the stand is worth by the odds of all turns, and what was a whim."""
        table = np.full(there.shape, -np.inf, np.float32)
        table[there] = logit
        weights = np.exp((table - table.max(1, keepdims=True)) / np.float32(mood.spread))
        weights /= weights.sum(1, keepdims=True)
        worth = (weights * np.where(there, chances(table), np.float32(0))).sum(1)
        whims = self.rng.random(len(there)) < mood.whim
        odds = np.where(whims[:, None], there / there.sum(1, keepdims=True), weights).cumsum(1)
        chosen = (odds < self.rng.random((len(there), 1)) * odds[:, -1:]).sum(1)
        within: Ints = np.minimum(chosen, there.sum(1) - 1)
        return within, worth.astype(np.float32), whims

    def _moved(self, going: Ints, side: int, left: Ints, move: Ints, attack: Ints, pile: Ints) -> Ints:
        """Makes the turns and draws. Rounds that end by the comparison end; the others go on."""
        self.unplayed[going] -= _COUNTS[self.hands[going, side]] - _COUNTS[left]
        self.distance[going] -= move
        self.gained[going, side] += move
        self.attack[going] = attack
        hand, need = left, self.pile[going] - pile
        for number in range(HAND_SIZE):
            more = need > number
            card = self.cards[going, np.minimum(self.drawn[going], self.cards.shape[1] - 1)]
            hand = np.where(more, _DRAWN[hand, card], hand)
            self.drawn[going] += more
        self.hands[going, side] = hand
        self.pile[going] = pile
        over = (pile == 0) & (attack == 0)
        done = going[over]
        share = shares(
            self.rules,
            self.hands[done, side],
            self.hands[done, 1 - side],
            self.distance[done],
            self.gained[done, side],
            np.zeros(len(done), np.bool_),
        )
        self._end(done, side, share)
        further: Ints = going[~over]
        return further


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


PER_LINE: Final = 990
LEARNED_FOLDER: Final = Path(next(iter(engine.players.bots.__path__)))
SUBJECTS: Final = {"advanced": FERTI_ADVANCED, "classic": FERTI_CLASSIC, "brettspielnetz": BRETTSPIELNETZ}
LESSONS: Final = {"advanced": 600, "classic": 1200, "brettspielnetz": 600}
"""How many what ships was made of."""


def learned_text(subject: str, lessons: int, rounds: int, seed: int) -> str:
    """The file for these rules, after learning: how it was made on the first line, then the weights."""

    def told(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{subject}: lesson {done} of {lessons}", end="", file=sys.stderr, flush=True)

    weights = learn(SUBJECTS[subject], lessons, rounds, seed, told)
    text = written(np.rint(weights / WEIGHT_UNIT).astype(int).tolist())
    lines = [text[at : at + PER_LINE] for at in range(0, len(text), PER_LINE)]
    return "\n".join([f"{lessons:,} lessons of {rounds:,} rounds, seed {seed}.", *lines, ""])


def main() -> int:
    """Learn, and write what was learned."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lessons", type=int, help=f"default: {LESSONS}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="in a lesson (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s")
    parser.add_argument("--subject", choices=SUBJECTS, help="of one alone (default: all)")
    parser.add_argument(
        "--out", type=Path, default=LEARNED_FOLDER, help="a folder, made where there is none (default: %(default)s)"
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)  # before the lessons, not after an hour of them
    for subject in [args.subject] if args.subject else SUBJECTS:
        text = learned_text(subject, args.lessons or LESSONS[subject], args.rounds, args.seed)
        (args.out / f"{subject}.txt").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
