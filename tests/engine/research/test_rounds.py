"""Rounds in NumPy arrays, held against the referee turn by turn."""

from __future__ import annotations

import numpy as np
import pytest

from engine.players.players import give_up
from engine.players.simulation import play, reveal
from engine.research import ACTION_COUNT, new_game, plays
from engine.research.rounds import Rounds, decks, play_at_random
from engine.rules.cards import LETTERS, Card
from engine.rules.events import MatchEvent, RoundEvent, YieldEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, PlayerView, advanced
from engine.rules.track import BySide, Side

SIDES = (Side.WHITE, Side.BLACK)


def table(deck: list[int], rules: str, starter: int) -> FullState:
    """The table of the referee with these cards."""
    public, _ = judge(judge(None, MatchEvent(rules, SIDES[starter], 5))[0], RoundEvent())
    assert public is not None
    letters = {value: iter(LETTERS) for value in range(1, 6)}
    cards = tuple(Card(value, next(letters[value])) for value in deck)
    return FullState(public, BySide(cards[:5], cards[5:10]), cards[10:])


def settled(full: FullState) -> FullState:
    """Hands shown, and given up where nothing can be done, as in ``engine.research.state``."""
    while full.public.result is None:
        side = full.public.to_act
        if side is None:
            full, ruling = play(full, reveal(full))
        elif not legal_plays(full.public, counts_of(full.hands[side])):
            view = PlayerView(full.public, side, full.hands[side])
            full, ruling = play(full, YieldEvent(give_up(view).cards))
        else:
            break
        assert ruling.ok
    return full


def follow(rules: str, count: int, seed: int) -> None:
    """Random rounds in arrays and by the referee, with the same cards and the same turns."""
    rng = np.random.default_rng(seed)
    dealt, starters = decks(count, rng), rng.integers(2, size=count)
    rounds = Rounds(dealt, rules, starters)
    tables = [table(deck, rules, int(one)) for deck, one in zip(dealt.tolist(), starters, strict=True)]
    while len(rounds.going):
        mask, actions, going = rounds.legal_actions_mask(), rounds.random_actions(rng), rounds.going
        assert not mask[rounds.player < 0].any()
        for place in going:
            public, hands = tables[place].public, tables[place].hands
            assert public.to_act is not None
            legal = legal_plays(public, counts_of(hands[public.to_act]))
            assert {plays()[number] for number in np.flatnonzero(mask[place])} == set(legal)
            event = play_event(public, hands[public.to_act], plays()[actions[place]])
            full, ruling = play(tables[place], event)
            assert ruling.ok
            tables[place] = settled(full)
        rounds.step(actions)
        returns, hands_of = rounds.returns(), (rounds.hands(0), rounds.hands(1))
        for place in going:
            public = tables[place].public
            assert (rounds.distance[place], rounds.pile[place]) == (public.distance, public.pile)
            assert tuple(rounds.advanced[place]) == (advanced(public.spaces).white, advanced(public.spaces).black)
            if public.result is not None:
                winner = public.result.winner
                assert rounds.player[place] == -1
                assert returns[place][0] == (0 if winner is None else 1 if winner is Side.WHITE else -1)
                continue
            assert public.to_act is not None
            assert rounds.player[place] == SIDES.index(public.to_act)
            for player, side in enumerate(SIDES):
                assert tuple(hands_of[player][place]) == counts_of(tables[place].hands[side])


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_every_turn_is_as_the_referee_judges_it(rules: str) -> None:
    follow(rules, 700, 1)


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_a_player_sees_what_the_game_tree_tells_him(rules: str) -> None:
    rng = np.random.default_rng(2)
    dealt = decks(20, rng)
    rounds = Rounds(dealt, rules)
    states = [new_game(rules) for _ in dealt]
    drawn = [10] * len(states)
    for state, deck in zip(states, dealt, strict=True):
        for value in (*sorted(deck[5:10]), *sorted(deck[:5])):  # the tree deals to Black first
            state.apply_action(int(value) - 1)
    while len(rounds.going):
        told, actions = rounds.information_state_tensor(), rounds.random_actions(rng)
        for place in rounds.going:
            state = states[place]
            assert told[place].tolist() == pytest.approx(state.information_state_tensor(state.current_player()))
            state.apply_action(int(actions[place]))
            after = 25 - state.public.pile
            for value in sorted(dealt[place][drawn[place] : after]):  # those drawn together, the lowest first
                state.apply_action(int(value) - 1)
            drawn[place] = after
        rounds.step(actions)
    assert [state.returns() for state in states] == rounds.returns().tolist()


@pytest.mark.slow
def test_one_seed_gives_the_same_rounds_and_both_win_some() -> None:
    one, two = play_at_random(500, 3), play_at_random(500, 3)
    assert (one.white == two.white).all()
    assert {-1, 1} <= set(one.white.tolist()) <= {-1, 0, 1}
    assert (one.player == -1).all()


@pytest.mark.slow
def test_what_is_not_legal_changes_nothing() -> None:
    rounds = Rounds(decks(3, np.random.default_rng(4)))
    actions = rounds.random_actions(np.random.default_rng(5))
    for wrong in (-1, ACTION_COUNT - 1):
        with pytest.raises(ValueError, match="in round 1"):
            rounds.step([actions[0], wrong, actions[2]])
    assert (rounds.distance == new_game().public.distance).all()


def test_rows_that_are_no_decks_are_refused() -> None:
    with pytest.raises(ValueError, match="deck of 25"):
        Rounds(np.ones((1, 25)))
    with pytest.raises(KeyError, match="chess"):
        Rounds(decks(1, np.random.default_rng(1)), "chess")
