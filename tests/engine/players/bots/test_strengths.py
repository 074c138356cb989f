"""The six strengths: legal, seeded, blind to what they cannot see, each stronger than the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.players.bots import strengths
from engine.players.bots.endgame import CERTAIN, COUNTED
from engine.players.bots.judgement import MAESTRO
from engine.players.bots.options import Option
from engine.players.bots.sparring import Stand, can_do, is_last, last_chance, sparring, stand_of
from engine.players.bots.strengths import STRENGTHS, Maestro, OwnLevel, judged_options, own_level
from engine.players.players import Bot, GreedyBot, RandomBot, choice_event, give_up
from engine.players.simulation import play, reveal
from engine.rules.cards import Card
from engine.rules.legal import GiveUp, Play, Turn, counts_of, play_event, turn_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, PlayerView
from engine.rules.track import BySide, Side
from tests.engine.conftest import legal_turns, position
from tests.matches import GREEDY, cards, tables_of


def test_the_names_weakest_first() -> None:
    assert list(STRENGTHS) == ["first-day", "novice", "fencer", "club", "master", "maestro"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("name", STRENGTHS)
def test_every_strength_plays_legally_to_the_end(rules: str, name: str) -> None:
    bot = STRENGTHS[name]()
    for full in tables_of(rules, Random(3), 1, BySide(bot, RandomBot())):
        if full.public.to_act is Side.WHITE:
            turns = legal_turns(full.public, full.hands.white)
            choice = bot.choose(full.view(Side.WHITE), Random(1))
            assert choice in turns if turns else isinstance(choice, GiveUp)


def test_giving_up_where_nothing_is_left() -> None:
    stuck = position(4, 5, "1112222333344445555", to_act=Side.BLACK, attack="direct 1 1")
    state = stuck.state._replace(spaces=BySide(22, 23), distance=1)
    view = PlayerView(state, Side.BLACK, cards("1d 3d 4d 5d 5e"))
    assert legal_turns(state, view.hand) == ()
    everybody: list[Callable[[], Bot]] = [RandomBot, GreedyBot, *STRENGTHS.values()]
    for bot in everybody:
        assert bot().choose(view, Random(0)) == GiveUp(cards("1d"))
    assert give_up(PlayerView(state, Side.BLACK, cards("2d 3d 4d 5d 5e"))) == GiveUp()


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_answer_depends_on_nothing_hidden(seed: int, other_seed: int) -> None:
    """Any other layout of the hidden cards that fits what the player sees gets the same answer."""
    rng = Random(seed)
    bots: BySide[Bot] = BySide(GreedyBot(), RandomBot())
    table = rng.choice(list(tables_of("ferti-advanced", Random(seed), 1, bots)))
    side = table.public.to_act
    assert side is not None
    hidden = list(unseen_cards(table.public, table.hands[side]))
    Random(other_seed).shuffle(hidden)
    size = table.public.hands[side.other]
    hands = table.hands.put(side.other, tuple(hidden[:size]))
    elsewhere = FullState(table.public, hands, tuple(hidden[size:]))
    for bot in STRENGTHS.values():
        assert bot().choose(elsewhere.view(side), Random(5)) == bot().choose(table.view(side), Random(5))


def test_a_hit_that_nobody_can_parry_is_taken() -> None:
    table = position(8, 11, "112233333444555", to_act=Side.WHITE)
    view = PlayerView(table.state, Side.WHITE, cards("3a 3b 3c 1e 5e"))
    for name in ("master", "maestro"):
        assert STRENGTHS[name]().choose(view, Random(1)) == Turn(attack=cards("3a 3b 3c")), name


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_end_of_the_pile_is_counted_out_exactly(rules: str) -> None:
    """Against the referee: every way to draw the last cards, and the best last defence against it."""
    compared = 0
    for seed in range(40):
        for full in tables_of(rules, Random(seed)):
            side = full.public.to_act
            assert side is not None
            stand = stand_of(full.view(side))
            if stand.pile > 2 or compared > 60:
                continue
            unseen = unseen_cards(full.public, full.hands[side])
            for option in can_do(stand, full.public.rules):
                if is_last(option, stand):
                    told = last_chance(full.public.rules, stand, option, counts_of(unseen))
                    assert told == pytest.approx(tried(full, side, option.play, unseen))
                    compared += 1
    assert compared > 20


def tried(full: FullState, side: Side, chosen: Play, unseen: tuple[Card, ...]) -> float:
    """The mean of what every order of the hidden cards brings at the table."""
    results = []
    for drawn in combinations(unseen, full.public.pile):
        theirs = tuple(card for card in unseen if card not in drawn)
        table = FullState(full.public, full.hands.put(side.other, theirs), drawn)
        after, ruling = play(table, play_event(full.public, full.hands[side], chosen))
        assert ruling.ok
        results.append(best_for(after, side))
    return sum(results) / len(results)


def best_for(full: FullState, side: Side) -> float:
    """What ``side`` gets when the other makes the best last defence."""
    public = full.public
    if public.result is not None:
        return 0.5 if public.result.winner is None else float(public.result.winner is side)
    if public.to_act is None:
        return best_for(play(full, reveal(full))[0], side)
    turns = legal_turns(public, full.hands[public.to_act])
    if not turns:
        return 1.0
    return min(best_for(play(full, choice_event(public, turn))[0], side) for turn in turns)


def test_the_maestro_counts_with_so_many_cards_in_the_pile_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def noted(endgame: object, unseen: object, stand: Stand, choices: Sequence[Option]) -> Option:
        counted.append(stand.pile)
        return choices[0]

    monkeypatch.setattr(strengths, "best_solved", noted)
    monkeypatch.setattr(strengths, "best_of_last_two", noted)
    monkeypatch.setattr(strengths, "certain_win", lambda *_: None)
    piles = set()
    for full in tables_of("ferti-advanced", Random(4), 6):
        if full.public.to_act is not None and full.public.pile <= COUNTED + 1:
            piles.add(full.public.pile)
            Maestro().choose(full.view(full.public.to_act), Random(1))
    assert piles >= {0, 1, COUNTED, COUNTED + 1}
    assert set(counted) == piles - {0, COUNTED + 1}


def test_the_maestro_takes_what_it_judges_best_before_the_end() -> None:
    taken = 0
    for full in tables_of("ferti-advanced", Random(4), 6, GREEDY):
        assert full.public.to_act is not None
        view = full.view(full.public.to_act)
        judged = judged_options(view, stand_of(view), sparring("ferti-advanced", MAESTRO))
        if full.public.pile <= COUNTED or judged[0][0] > CERTAIN:
            continue
        assert sorted((chance for chance, _ in judged), reverse=True) == [chance for chance, _ in judged]
        assert Maestro().choose(view, Random(1)) == turn_of(view.public, view.hand, judged[0][1].play)
        taken += 1
    assert taken > 20


# A player's own level: found by two matches in a row, up and down, and nowhere beyond the ladder.


@pytest.mark.parametrize(
    ("results", "strength"),
    [
        ([("fencer", True)], "fencer"),
        ([("fencer", True), ("fencer", True)], "club"),
        ([("fencer", True), ("fencer", False), ("fencer", True)], "fencer"),
        ([("fencer", False), ("fencer", False)], "novice"),
        ([("fencer", True), ("fencer", False), ("fencer", False)], "novice"),
        ([("fencer", False), ("fencer", True), ("fencer", True)], "club"),
        ([("novice", False)] * 5, "first-day"),
        ([("first-day", False)] * 5, "first-day"),
        ([("maestro", True)] * 5, "maestro"),
        # Beating who is weaker than one's level says nothing, nor does losing to who is stronger.
        ([("club", True), ("novice", True), ("fencer", True)], "club"),
        ([("fencer", False), ("maestro", False), ("master", False)], "fencer"),
        ([("club", True), ("novice", True), ("club", True)], "master"),
    ],
)
def test_two_in_a_row_change_it(results: list[tuple[str, bool]], strength: str) -> None:
    assert own_level(results) == OwnLevel(strength, len(results))


def test_whoever_beats_all_up_to_the_club_finds_the_master() -> None:
    """He plays what he is offered, and stays between the one he beats and the one that beats him."""
    ladder, results = list(STRENGTHS), [("novice", True)]
    for _ in range(20):
        level = own_level(results)
        assert level is not None
        results.append((level.strength, ladder.index(level.strength) <= ladder.index("club")))
    last = [own_level(results[:end]) for end in range(10, 20)]
    assert {level.strength for level in last if level is not None} == {"club", "master"}


def test_a_strength_that_is_none_is_refused() -> None:
    assert own_level([]) is None
    with pytest.raises(ValueError, match="'wizard'"):
        own_level([("wizard", True)])
