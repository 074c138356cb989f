"""The bots' school: rounds end as they should, the same options teach the same, and something is learned."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from bot_school import (
    LEARNED_FOLDER,
    LESSONS,
    ROUNDS,
    SEED,
    SUBJECTS,
    Mood,
    NetWeights,
    beginner,
    learn,
    logits,
    main,
    mood_of,
    pace_of,
    play_rounds,
    rows_of,
    shares,
)

from engine.players.bots.judgement import LEARNED, ROWS, WEIGHT_UNIT, WIDTH, Judgement, learned, read
from engine.players.bots.options import APART, DRAWN, HANDS, PACKED, packed
from engine.players.bots.sparring import Sparring, Stand, compared, last_defence
from engine.rules.rulesets import FERTI_ADVANCED, FERTI_CLASSIC, RULE_SETS, RuleSet

WILD = Mood(0.5, 0.2, 0.8)


@pytest.mark.slow
def test_the_same_lessons_teach_the_same_bit_for_bit() -> None:
    first = learn(FERTI_CLASSIC, 3, 40, 3)
    assert learn(FERTI_CLASSIC, 3, 40, 3).tobytes() == first.tobytes()
    assert learn(FERTI_CLASSIC, 3, 40, 4).tobytes() != first.tobytes()
    assert first.shape == (ROWS, WIDTH)


def test_many_positions_at_once_are_judged_as_one_by_one() -> None:
    whole = np.rint(beginner(np.random.default_rng(2)) / WEIGHT_UNIT)
    judged = Judgement(whole.astype(int).tolist())
    rng = Random(3)
    for _ in range(200):
        distance = rng.randint(1, APART)
        gained, pile, left = rng.randint(0, APART - distance), rng.randint(0, 15), rng.randrange(len(HANDS))
        attack = rng.randint(0, 10) if distance <= 5 else 0
        unseen = [rng.randint(0, 5) for _ in range(5)]
        numbers = (np.array([number]) for number in (left, distance, gained, attack, pile, unseen))
        (logit,) = logits((whole * WEIGHT_UNIT).astype(np.float32), rows_of(*numbers))
        assert judged.logit(left, distance, gained, attack, pile, packed(unseen)) == pytest.approx(logit, abs=1e-4)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_end_of_the_pile_is_decided_as_one_by_one(rules: str) -> None:
    rng = Random(1)
    for _ in range(300):
        hand, other = rng.randrange(len(HANDS)), rng.randrange(len(HANDS))
        distance = rng.randint(1, APART)
        gained, retreated = rng.randint(0, APART - distance), rng.random() < 0.5
        numbers = (np.array([number]) for number in (hand, other, distance, gained, retreated))
        (share,) = shares(RULE_SETS[rules], *numbers)
        assert share == compared(RULE_SETS[rules], hand, other, distance, gained, retreated).share


@pytest.mark.slow
@pytest.mark.parametrize("rules", [FERTI_ADVANCED, FERTI_CLASSIC], ids=lambda rules: rules.name)
def test_every_turn_of_many_rounds_is_told_once(rules: RuleSet) -> None:
    rows, targets = play_rounds(rules, beginner(np.random.default_rng(1)), 60, WILD, np.random.default_rng(5))
    assert len(rows) == len(targets)
    assert 60 * 5 < len(rows) < 60 * 30
    assert rows.min() >= 0
    assert rows.max() < ROWS
    assert targets.min() >= 0
    assert targets.max() <= 1
    assert {0.0, 1.0} <= set(targets.tolist()), "rounds are won and lost"


@pytest.mark.slow
def test_what_was_learned_beats_knowing_nothing() -> None:
    """A player who has had some lessons wins more rounds than one without, cards and starters shared out alike."""
    taught, blank = mind(learn(FERTI_ADVANCED, 40, 128, 1)), mind(np.zeros((ROWS, WIDTH), np.float32))
    assert won_by(taught, blank, 100) > 60


def mind(weights: NetWeights) -> Sparring:
    return Sparring(FERTI_ADVANCED, Judgement(np.rint(weights / WEIGHT_UNIT).astype(int).tolist()))


def won_by(one: Sparring, other: Sparring, rounds: int) -> float:
    """The rounds ``one`` wins, drawn ones by half. Each deal is played twice, with the sides changed."""
    won = 0.0
    for number in range(rounds):
        cards = [place for place in range(5) for _ in range(5)]
        Random(number // 2).shuffle(cards)
        hands = [0, 0]
        for place in range(10):
            hands[place % 2] = DRAWN[hands[place % 2]][cards.pop()]
        minds = (one, other) if number % 2 else (other, one)
        side, distance, attack, gained = 0, APART, 0, [0, 0]
        unplayed = packed([5] * 5)
        while True:
            stand = Stand(hands[side], distance, gained[side], attack, len(cards))
            if not cards:
                ended = last_defence(FERTI_ADVANCED, stand, hands[1 - side])
                break
            valued = minds[side].valued(stand, unplayed - PACKED[stand.hand])
            if not valued:
                ended = 0.0
                break
            play, hand, attack = max(valued, key=lambda each: each.logit).option
            unplayed -= PACKED[stand.hand] - PACKED[hand]
            distance -= play.move
            gained[side] += play.move
            while cards and sum(HANDS[hand]) < 5:
                hand = DRAWN[hand][cards.pop()]
            hands[side] = hand
            if not cards and not attack:
                ended = compared(FERTI_ADVANCED, hand, hands[1 - side], distance, gained[side], retreated=False).share
                break
            side = 1 - side
        won += ended if minds[side] is one else 1 - ended
    return won


def test_lessons_grow_calmer() -> None:
    moods = [mood_of(lesson, 10) for lesson in range(10)]
    assert moods[0].spread > moods[-1].spread
    assert moods[0].whim > moods[-1].whim
    assert [pace_of(lesson, 10) for lesson in range(10)] == sorted(
        (pace_of(each, 10) for each in range(10)), reverse=True
    )


@pytest.mark.slow
def test_the_command_writes_files_of_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--lessons", "1", "--rounds", "8", "--seed", "2", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["bot_school", *options])
    assert main() == 0
    for subject, rules in SUBJECTS.items():
        made, _, text = (tmp_path / f"{subject}.txt").read_text(encoding="ascii").partition("\n")
        expected = np.rint(learn(rules, 1, 8, 2) / WEIGHT_UNIT).astype(int).tolist()
        assert read(text.replace("\n", "")) == expected
        assert made == "1 lessons of 8 rounds, seed 2."


def test_what_ships_says_how_it_was_made() -> None:
    assert {rules.name for rules in SUBJECTS.values()} == set(LEARNED) == set(RULE_SETS), "every preset has its own"
    for subject, rules in SUBJECTS.items():
        assert LEARNED[rules.name] == f"{subject}.txt"
        made = (LEARNED_FOLDER / LEARNED[rules.name]).read_text(encoding="ascii").splitlines()[0]
        assert made == f"{LESSONS[subject]:,} lessons of {ROUNDS:,} rounds, seed {SEED}."
        assert len(learned(rules.name)) == ROWS
