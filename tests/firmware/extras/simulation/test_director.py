"""The people at the simulated table, refereed by the real desk through eyes that see perfectly.

Rendering is left out, so whole matches take moments; what vision adds to it is measured in tests/bench.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import Enum
from typing import Any

import pytest

from engine.players.players import Bot, GreedyBot, RandomBot
from engine.players.simulation import start_round
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Attack, AttackKind, Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, Settings, open_match
from engine.table.step import step
from firmware.extras.simulation.actors import Shown
from firmware.extras.simulation.director import Director, Misplay, misplay
from tests.matches import match_of
from vision.printed.table import Table

TICK_S = 0.2


def play_match(
    table: Table, eyes: Any, seed: int, rules: str, mistakes: float, *, greedy: bool = True
) -> tuple[Desk, Director]:
    rng = random.Random(seed)
    bots: BySide[Bot] = BySide(GreedyBot() if greedy else RandomBot(), GreedyBot() if greedy else RandomBot())
    match = MatchEvent(rules, Side.WHITE, 5)
    director = Director(table, match, bots, rng, tick_s=TICK_S, mistakes=mistakes)
    settings = Settings(settle_s=1.0)
    desk, _ = open_match(match)
    shown: Shown | None = None
    for number in range(100_000):
        tick = director.tick(number * TICK_S, shown)
        if tick is None:
            return desk, director
        desk, _ = step(desk, eyes.look(tick.scene, number * TICK_S), tick.presses, settings)
        shown = Shown.of(desk)
    raise AssertionError("the match did not end")


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
@pytest.mark.parametrize("greedy", [True, False])
def test_whole_matches_end_as_the_truth_says(
    table: Table, rules: str, greedy: bool, perfect_eyes: Callable[[Table], Any]
) -> None:
    for seed in range(3):
        desk, director = play_match(table, perfect_eyes(table), seed, rules, 0.0, greedy=greedy)
        assert desk.state is not None
        assert desk.state.phase is Phase.MATCH_OVER
        assert desk.state == director.state
        assert director.tally.wrong == []
        assert director.tally.unanswered == 0


@pytest.mark.slow
def test_mistakes_are_made_and_every_one_is_caught(table: Table, perfect_eyes: Callable[[Table], Any]) -> None:
    made: dict[Enum, int] = {}
    caught = 0
    for seed in range(8):
        desk, director = play_match(
            table, perfect_eyes(table), 100 + seed, sorted(RULE_SETS)[seed % 3], 0.4, greedy=False
        )
        assert director.tally.wrong == []
        assert desk.state == director.state
        caught += director.tally.caught
        for kind, count in director.tally.mistakes.items():
            made[kind] = made.get(kind, 0) + count
    assert set(made) >= set(Misplay) - {Misplay.SHORT_PARRY}  # which needs a rare attack: test_misplays
    assert sum(made.values()) == caught


@pytest.mark.slow
def test_the_same_seed_is_the_same_match(table: Table, perfect_eyes: Callable[[Table], Any]) -> None:
    first, second = (play_match(table, perfect_eyes(table), 7, "ferti-advanced", 0.2) for _ in range(2))
    assert first[0] == second[0]
    assert first[1].tally == second[1].tally


def opened() -> PublicState:
    state, _ = judge(None, MatchEvent("ferti-advanced", Side.WHITE, 5))
    assert state is not None
    return state


def test_a_misplay_is_refused_whatever_the_position() -> None:
    rng, kinds = random.Random(4), set()
    for meant, _, _, before, _ in match_of(MatchEvent("ferti-advanced", Side.WHITE, 30), random.Random(4)):
        if before is None or before.public.to_act is None or not isinstance(meant, TurnEvent):
            continue
        spoiled = misplay(before.public, meant, before.hands[before.public.to_act], rng)
        if spoiled is not None:
            kinds.add(spoiled.kind)
            state, ruling = judge(before.public, spoiled.event)
            assert not ruling.ok
            assert state is before.public
    assert kinds >= set(Misplay) - {Misplay.SHORT_PARRY}


def test_two_cards_attacking_tempt_to_parry_with_one() -> None:
    attacked = start_round(opened(), random.Random(1)).public._replace(
        spaces=BySide(8, 12), distance=4, attack=Attack(Side.BLACK, AttackKind.DIRECT, 4, 2), to_act=Side.WHITE
    )
    hand = tuple(Card.parse(name) for name in ("4a", "4b", "1a", "2a", "3a"))
    meant = TurnEvent((hand[0], hand[1], hand[2]), 9, 12)
    spoiled = misplay(attacked, meant, hand, random.Random(2))
    assert spoiled is not None
    assert spoiled.kind is Misplay.SHORT_PARRY
    assert [card.value for card in spoiled.event.cards] == [4]
