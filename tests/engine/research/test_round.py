"""The round by numbers: the same rounds as at the table, nothing hidden told."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.research import ACTION_COUNT, Round, plays
from engine.research.round import OBSERVATION_SIZE
from engine.rules.cards import DECK
from engine.rules.legal import counts_of, legal_plays
from engine.rules.rulesets import RULE_SETS

RULES = st.sampled_from(sorted(RULE_SETS))


def moments(rules: str, seed: int) -> Iterator[Round]:
    """A round at every decision and at its end."""
    rng = Random(seed)
    played = Round(rules, seed % 2, rng)
    while played.player is not None:
        yield played
        played.act(rng.choice(played.actions()))
    yield played


def test_the_plays_are_numbered_once_and_for_all() -> None:
    assert len(plays()) == ACTION_COUNT == len(set(plays()))
    assert list(plays()) == sorted(plays())


@settings(max_examples=25, deadline=None)
@given(RULES, st.integers(0, 10**6))
def test_every_round_ends_and_every_moment_is_consistent(rules: str, seed: int) -> None:
    for played in moments(rules, seed):
        player = played.player
        if player is None:
            assert sum(played.returns()) == 0
            assert played.actions() == []
        else:
            view = played.view(player)
            legal = {plays()[number] for number in played.actions()}
            assert legal == set(legal_plays(view.public, counts_of(view.hand)))
            assert legal
        hands = [*played.view(0).hand, *played.view(1).hand]
        public = played.view(0).public
        assert len({*hands, *public.played}) == len(hands) + len(public.played) == len(DECK) - public.pile
        for each in (0, 1):
            numbers = played.observation(each)
            assert len(numbers) == OBSERVATION_SIZE
            assert all(0 <= number <= 1 for number in numbers)


@settings(max_examples=25, deadline=None)
@given(RULES, st.integers(0, 10**6), st.integers(0, 10**6))
def test_what_a_player_sees_is_the_same_however_the_rest_lies(rules: str, seed: int, other_seed: int) -> None:
    rng = Random(other_seed)
    for played in moments(rules, seed):
        player = played.player
        if player is None:
            return
        before = played.observation(player), played.actions()
        full, side = played._full, played.view(player).side
        hidden = [*full.hands[side.other], *full.pile]
        rng.shuffle(hidden)
        size = len(full.hands[side.other])
        hands = full.hands.put(side.other, tuple(hidden[:size]))
        played._full = replace(full, hands=hands, pile=tuple(hidden[size:]))
        assert (played.observation(player), played.actions()) == before


def test_what_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="action 109"):
        Round(rng=Random(1)).act(109)
    with pytest.raises(KeyError, match="chess"):
        Round("chess")


@pytest.mark.slow
def test_the_module_says_what_it_offers() -> None:
    told = subprocess.run([sys.executable, "-m", "engine.research"], capture_output=True, text=True, check=True)
    assert all(name in told.stdout for name in ("pettingzoo_env", "endgames.jsonl"))
    assert told.stdout.rstrip().splitlines()[-1].startswith("  returns:")


@pytest.mark.slow
def test_nothing_but_the_standard_library_is_loaded() -> None:
    script = (
        "import sys, engine.research; print(any(m in sys.modules for m in ('numpy', 'pygame', 'pettingzoo', 'cv2')))"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
