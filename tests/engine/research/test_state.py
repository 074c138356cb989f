"""The round as a game tree: the same rounds as at the table, nothing hidden told, chance by value."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.research import ACTION_COUNT, State, new_game, plays
from engine.research.state import CHANCE, INFORMATION_SIZE, TERMINAL
from engine.rules.cards import DECK
from engine.rules.legal import counts_of, legal_plays
from engine.rules.possible import HiddenHand
from engine.rules.rulesets import RULE_SETS

RULES = st.sampled_from(sorted(RULE_SETS))


def step(state: State, rng: Random) -> None:
    """One action, drawn as chance would where it is chance's."""
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(rng.choices([each for each, _ in outcomes], [chance for _, chance in outcomes])[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def nodes(rules: str, seed: int) -> list[State]:
    """Every node of a round."""
    rng, state, met = Random(seed), new_game(rules, seed % 2), []
    while not state.is_terminal():
        met.append(state.clone())
        step(state, rng)
    return [*met, state]


def test_the_plays_are_numbered_once_and_for_all() -> None:
    assert len(plays()) == ACTION_COUNT == len(set(plays()))
    assert list(plays()) == sorted(plays())


@settings(max_examples=25, deadline=None)
@given(RULES, st.integers(0, 10**6))
def test_every_round_ends_and_every_node_is_consistent(rules: str, seed: int) -> None:
    for state in nodes(rules, seed):
        player = state.current_player()
        assert state.is_chance_node() is (player == CHANCE)
        if player == TERMINAL:
            assert sum(state.returns()) == 0
            assert state.legal_actions() == []
        elif player == CHANCE:
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        else:
            view = state.view(player)
            legal = {plays()[number] for number in state.legal_actions()}
            assert legal == set(legal_plays(view.public, counts_of(view.hand)))
            assert [n for n, on in enumerate(state.legal_actions_mask()) if on] == state.legal_actions()
        hands = [*state.view(0).hand, *state.view(1).hand]
        assert len(set(hands) | set(state.public.played)) == len(hands) + len(state.public.played) <= len(DECK)
        for each in (0, 1):
            tensor = state.information_state_tensor(each)
            assert len(tensor) == INFORMATION_SIZE
            assert all(0 <= number <= 1 for number in tensor)


@settings(max_examples=25, deadline=None)
@given(RULES, st.integers(0, 10**6))
def test_the_history_leads_there_again_and_a_child_leaves_its_parent_alone(rules: str, seed: int) -> None:
    *way, end = nodes(rules, seed)
    again = new_game(rules, seed % 2)
    for number, action in enumerate(end.history()):
        assert str(again) == str(way[number])
        child = again.child(action)
        assert str(again) == str(way[number])
        again = child
    assert (str(again), again.returns()) == (str(end), end.returns())


@settings(max_examples=25, deadline=None)
@given(RULES, st.integers(0, 10**6), st.integers(0, 10**6))
def test_what_a_player_sees_is_the_same_however_the_rest_lies(rules: str, seed: int, other_seed: int) -> None:
    decisions = [each for each in nodes(rules, seed) if each.current_player() >= 0]
    state = Random(other_seed).choice(decisions) if decisions else None
    if state is None:
        return
    player = state.current_player()
    elsewhere = state.resample_from_infostate(player, Random(other_seed))
    assert elsewhere.information_state_string(player) == state.information_state_string(player)
    assert elsewhere.information_state_tensor(player) == state.information_state_tensor(player)
    assert elsewhere.legal_actions() == state.legal_actions()
    rng = Random(1)
    while not elsewhere.is_terminal():
        step(elsewhere, rng)


def test_resampled_hands_come_as_often_as_they_are_likely() -> None:
    state = next(each for each in nodes("ferti-advanced", 4) if each.current_player() == 0)
    unseen = Counter(card.value for card in DECK) - Counter(card.value for card in state.view(0).hand)
    rng, found = Random(1), Counter[int]()
    for _ in range(1500):
        found.update(card.value for card in state.resample_from_infostate(0, rng).view(1).hand)
    for value, there in unseen.items():
        assert found[value] / 1500 == pytest.approx(5 * there / unseen.total(), abs=0.1)


def dealt(state: State, chance: float, found: dict[tuple[str, str], float]) -> None:
    """Every deal from here with its chance, by what both players have seen."""
    if not state.is_chance_node():
        key = state.information_state_string(0), state.information_state_string(1)
        assert key not in found
        found[key] = chance
        return
    for value, share in state.chance_outcomes():
        dealt(state.child(value), chance * share, found)


def test_a_deal_comes_in_one_way_only_and_as_often_as_it_can_be_made_of_single_cards() -> None:
    unplayed = (3, 4, 1, 5, 0)
    found: dict[tuple[str, str], float] = {}
    dealt(new_game(unplayed=unplayed, spaces=(5, 9)), 1.0, found)
    whole = HiddenHand(unplayed, 5)
    wanted = {}
    for white, ways in whole.hands():
        one, two, three, four, five = (there - held for there, held in zip(unplayed, white, strict=True))
        left = HiddenHand((one, two, three, four, five), 5)
        for black, more in left.hands():
            wanted[white, black] = ways * more / whole.ways() / left.ways()
    assert len(found) == len(wanted)
    assert sorted(found.values()) == pytest.approx(sorted(wanted.values()))
    assert sum(found.values()) == pytest.approx(1)


def test_a_cut_down_round_begins_where_it_is_told_to() -> None:
    state = new_game("ferti-classic", 1, (5, 5, 2, 0, 0), (4, 10))
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert (state.public.pile, state.public.distance, state.current_player()) == (2, 6, 1)
    assert str(state).startswith("4-10 pile 2 hands 2 2 2 2 2 / 1 1 1 1 1")
    rng = Random(1)
    while not state.is_terminal():
        step(state, rng)
    with pytest.raises(ValueError, match="two hands"):
        new_game(unplayed=(5, 5, 0, 0, 0))
    with pytest.raises(ValueError, match="not on 9 and 9"):
        new_game(spaces=(9, 9))


def test_what_is_not_legal_is_refused() -> None:
    state = new_game()
    with pytest.raises(ValueError, match="being drawn"):
        state.resample_from_infostate(0, Random(1))
    with pytest.raises(ValueError, match="action 7"):
        state.apply_action(7)
    with pytest.raises(KeyError, match="chess"):
        new_game("chess")
    *_, end = nodes("ferti-classic", 1)
    with pytest.raises(ValueError, match="no card is drawn"):
        end.chance_outcomes()


@pytest.mark.slow
def test_the_module_says_what_it_offers() -> None:
    told = subprocess.run([sys.executable, "-m", "engine.research"], capture_output=True, text=True, check=True)
    assert all(name in told.stdout for name in ("pettingzoo_env", "openspiel_game", "endgames.jsonl"))
    assert told.stdout.rstrip().splitlines()[-1].startswith("  returns:")


@pytest.mark.slow
def test_nothing_but_the_standard_library_is_loaded() -> None:
    script = (
        "import sys, engine.research; print(any(m in sys.modules for m in ('numpy', 'pygame', 'pettingzoo', 'cv2')))"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
