"""Bots and the simulated table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.players.players import GreedyBot, RandomBot
from engine.players.simulation import play, start_round
from engine.rules.cards import DECK
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.legal import turn_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from tests.engine.conftest import legal_turns
from tests.matches import match_of


def play_match(rules: str, bots: Any, rng: Random, points: int = 5) -> PublicState:
    """The last state of a match between two bots; every choice is checked against the legal turns."""
    for each in match_of(MatchEvent(rules, points=points), rng, bots):
        before, after = each.before, each.after
        if before is not None and (side := before.public.to_act) is not None:
            turns = [turn_event(before.public, turn) for turn in legal_turns(before.public, before.hands[side])]
            assert each.event in turns if turns else isinstance(each.event, YieldEvent)
        if after is not None:
            everywhere = [*after.public.played, *after.hands.white, *after.hands.black, *after.pile]
            assert sorted(everywhere) == list(DECK)
            assert after.public.hands == after.hands.map(len)
            assert after.public.pile == len(after.pile)
    return each.state


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("bot", [RandomBot(), GreedyBot()], ids=["random", "greedy"])
def test_bots_play_whole_matches_legally(rules: str, bot: GreedyBot | RandomBot) -> None:
    for seed in range(4):
        state = play_match(rules, BySide(bot, bot), Random(seed), points=2)
        assert max(state.score.white, state.score.black) == 2


def test_the_same_seed_plays_the_same_match() -> None:
    bots = BySide(GreedyBot(), RandomBot())
    first = play_match("ferti-advanced", bots, Random(7))
    assert play_match("ferti-advanced", bots, Random(7)) == first
    assert play_match("ferti-advanced", bots, Random(8)) != first


def test_the_greedy_bot_beats_the_random_one() -> None:
    won = 0
    for seed in range(24):
        greedy = Side.WHITE if seed % 2 else Side.BLACK
        both: BySide[Any] = BySide(RandomBot(), RandomBot())
        bots = both.put(greedy, GreedyBot())
        state = play_match("ferti-advanced", bots, Random(seed), points=3)
        won += state.score[greedy] == 3
    assert won >= 20


def test_play_moves_cards_only_as_ruled() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    full = start_round(state, Random(1))
    hand = full.hands.white
    same, ruling = play(full, TurnEvent(hand[:1], 1, 23))
    assert same is full
    assert not ruling.ok
    event = TurnEvent(hand[:1], 1 + hand[0].value, 23)
    after, ruling = play(full, event)
    assert ruling.ok
    assert after.hands.white == (*hand[1:], full.pile[0])
    assert after.pile == full.pile[1:]


def test_play_refuses_what_needs_another_deal() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    full = start_round(state, Random(1))
    for event in (RoundEvent(), UndoEvent(), MatchEvent("ferti-classic")):
        with pytest.raises(ValueError, match="start_round"):
            play(full, event)
    with pytest.raises(ValueError, match="a round starts"):
        start_round(full.public, Random(1))
    foreign = next(card for card in full.pile if card.value < 5)
    with pytest.raises(ValueError, match="not in the hand"):
        play(full, TurnEvent((foreign,), 1 + foreign.value, 23))
