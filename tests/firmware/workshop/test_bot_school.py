"""The bots' school: rounds end as they should, the same options teach the same, and something is learned."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from random import Random

import pytest

from engine.players.bots import experience
from engine.players.bots.hands import DRAWN, SIZES
from engine.players.bots.judgement import WEIGHT_COUNT
from engine.players.bots.options import APART
from engine.players.bots.sparring import Sparring, Stand, compared, last_defence
from engine.rules.rulesets import FERTI_ADVANCED, FERTI_CLASSIC
from firmware.workshop import bot_school
from firmware.workshop.bot_school import LESSONS, ROUNDS, SEED, learn, main, mood_of, play_round


def test_the_same_lessons_teach_the_same() -> None:
    first = learn(FERTI_CLASSIC, 2, 20, Random(3))
    assert learn(FERTI_CLASSIC, 2, 20, Random(3)) == first
    assert learn(FERTI_CLASSIC, 2, 20, Random(4)) != first
    assert len(first) == WEIGHT_COUNT


@pytest.mark.slow
def test_what_was_learned_beats_knowing_nothing() -> None:
    """A player who has had a few lessons wins more rounds than one without, cards and starters shared out alike."""
    taught = Sparring(FERTI_ADVANCED, learn(FERTI_ADVANCED, 3, 150, Random(1)))
    blank = Sparring(FERTI_ADVANCED, [0.0] * WEIGHT_COUNT)
    assert won_by(taught, blank, 100) > 60


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
        side, distance, attack, gained, pile = 0, APART, 0, [0, 0], len(cards)
        while True:
            stand = Stand(hands[side], distance, gained[side], attack, pile)
            if pile == 0:
                ended = last_defence(FERTI_ADVANCED, stand, hands[1 - side])
                break
            valued = minds[side].valued(stand)
            if not valued:
                ended = 0.0
                break
            play, hand, attack = max(valued, key=lambda each: each.logit).option
            distance -= play.move
            gained[side] += play.move
            while pile and SIZES[hand] < 5:
                hand = DRAWN[hand][cards.pop()]
                pile -= 1
            hands[side] = hand
            if not pile and not attack:
                ended = compared(FERTI_ADVANCED, hand, hands[1 - side], distance, gained[side], retreated=False).share
                break
            side = 1 - side
        won += ended if minds[side] is one else 1 - ended
    return won


def test_a_round_leaves_a_position_for_every_turn() -> None:
    sparring = Sparring(FERTI_ADVANCED, [0.0] * WEIGHT_COUNT)
    for seed in range(30):
        first, second, won = play_round(sparring, Random(seed), mood_of(0, 10))
        assert won in (0.0, 0.5, 1.0)
        assert 0 <= len(first) - len(second) <= 1
        assert all(each.distance >= 1 and each.gained >= 0 and 0 <= each.pile < 15 for each in (*first, *second))


def test_lessons_grow_calmer() -> None:
    moods = [mood_of(lesson, 10) for lesson in range(10)]
    assert [mood.step for mood in moods] == sorted((mood.step for mood in moods), reverse=True)
    assert moods[0].spread > moods[-1].spread
    assert moods[0].whim > moods[-1].whim


def test_the_script_writes_a_module_of_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "learned.py"
    monkeypatch.setattr(
        sys, "argv", ["bot_school", "--lessons", "1", "--rounds", "5", "--seed", "2", "--out", str(out)]
    )
    assert main() == 0
    spec = importlib.util.spec_from_file_location("learned", out)
    assert spec is not None
    assert spec.loader is not None
    learned = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(learned)
    assert len(learned.ADVANCED) == len(learned.CLASSIC) == WEIGHT_COUNT
    assert tuple(round(100 * each) for each in learn(FERTI_ADVANCED, 1, 5, Random(2))) == learned.ADVANCED
    assert max(map(len, out.read_text(encoding="utf-8").splitlines())) <= 120


def test_what_ships_says_how_it_was_made() -> None:
    assert f"{LESSONS} lessons of {ROUNDS:,} rounds, seed {SEED}." in experience.__doc__
    assert len(experience.ADVANCED) == len(experience.CLASSIC) == WEIGHT_COUNT
    assert bot_school.WEIGHTS_FILE.name == "experience.py"
