"""The companion as a player: what it knows, what it asks for, and that it knows nothing else."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.companion.companion import (
    NO_CARDS,
    Asked,
    Chooses,
    Companion,
    CompanionWish,
    Plan,
    Slots,
    Strange,
    TurnProgress,
    asked,
    looked,
    progress_of,
    turn_key,
)
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import deal, play, start_round
from engine.rules.cards import DECK, Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, YieldEvent
from engine.rules.legal import GiveUp, Turn
from engine.rules.referee import judge
from engine.rules.state import FullState, Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation
from tests.matches import cards


def judged(state: PublicState | None, *events: Event) -> PublicState:
    for event in events:
        state, ruling = judge(state, event)
        assert ruling.ok, (event, ruling)
    assert state is not None
    return state


def started(starter: Side = Side.BLACK, rules: str = "ferti-advanced") -> PublicState:
    return judged(None, MatchEvent(rules, starter, 2), RoundEvent())


def greedy(view: PlayerView, rng: Random) -> Turn | GiveUp:
    return GreedyBot().choose(view, rng)


def slots_of(*names: str | None) -> Slots:
    slots = tuple(Card.parse(name) if name is not None else None for name in names)
    return slots + NO_CARDS[len(slots) :]


HAND = slots_of("1a", "2b", "3c", "4d", "5e")
ALL = (1, 2, 3, 4, 5)


class Seat:
    """Black's, at which the companion looks at its slots and says what it wishes."""

    def __init__(self, public: PublicState | None = None, chooses: Chooses = greedy) -> None:
        self.public, self.chooses = public or started(), chooses
        self.companion = Companion(Side.BLACK, "seed")

    def look(self, slots: Slots = HAND, *, calm: bool = True) -> Asked:
        self.companion = looked(self.companion, self.public, slots, self.chooses, calm=calm)
        return asked(self.companion, self.public)

    def wish(self, slots: Slots = HAND, *, calm: bool = True) -> tuple[CompanionWish, tuple[int, ...], int]:
        made = self.look(slots, calm=calm)
        return made.wish, made.slots, made.count

    def plan(self, slots: Slots = HAND) -> Plan:
        plan = self.look(slots).plan
        assert plan is not None
        return plan

    def goes_on(self, *events: Event) -> None:
        self.public = judged(self.public, *events)


def test_it_asks_for_its_cards_and_chooses_once_all_lie_there() -> None:
    seat = Seat()
    assert seat.wish(NO_CARDS) == (CompanionWish.DEAL, ALL, 5)
    assert seat.wish(slots_of("1a", "2b", None, "4d")) == (CompanionWish.DEAL, (3, 5), 2)
    assert seat.wish(calm=False)[0] is CompanionWish.DEAL, "a hand is over the slots"
    made = seat.look()
    assert made.wish is CompanionWish.TURN
    assert made.plan is not None
    assert tuple(HAND[slot - 1] for slot in made.slots) == made.plan.cards
    seat.goes_on(made.plan.event())


def test_a_bot_that_thinks_is_asked_again() -> None:
    seat = Seat(chooses=lambda view, rng: None)
    assert seat.look() == Asked(CompanionWish.THINKING)
    seat.chooses = greedy
    assert seat.look().wish is CompanionWish.TURN


@pytest.mark.parametrize("strange", [Strange.UNKNOWN, Strange.TWO])
def test_a_slot_it_cannot_read_is_named(strange: Strange) -> None:
    assert Seat().look((*HAND[:3], strange, HAND[4])) == Asked(CompanionWish.STRANGE, (4,), 1, strange=strange)


def test_after_its_turn_it_wants_new_cards_and_a_played_one_is_refused() -> None:
    seat = Seat()
    before = seat.public
    seat.goes_on(seat.plan().event())
    laid = seat.public.played
    left = tuple(None if slot in laid else slot for slot in HAND)
    wish, _, count = seat.wish(left)
    assert (wish, count) == (CompanionWish.DEAL, len(laid))
    assert seat.companion.otherwise is None
    assert seat.look().strange is Strange.PLAYED
    new = [card for card in DECK if card not in (*HAND, *laid)]
    assert seat.look(tuple(new.pop() if slot is None else slot for slot in left)) == Asked(CompanionWish.YOUR_TURN)
    assert turn_key(before) != turn_key(seat.public)


def test_too_many_cards() -> None:
    public = started()
    seat = Seat(public._replace(hands=public.hands.put(Side.BLACK, 4)))
    assert seat.wish() == (CompanionWish.TOO_MANY, ALL, 1)


def test_last_rounds_cards_are_none_of_this_one() -> None:
    seat = Seat()
    seat.look()
    seat.goes_on(YieldEvent())
    assert seat.wish() == (CompanionWish.GATHER, ALL, 5)
    seat.goes_on(RoundEvent())
    assert seat.look() == Asked(CompanionWish.STRANGE, ALL, 5, strange=Strange.LAST_ROUND)
    assert seat.look(NO_CARDS).wish is CompanionWish.DEAL
    assert seat.look().wish is CompanionWish.YOUR_TURN, "dealt again, whatever they are"


def test_when_hands_are_shown_it_names_its_cards() -> None:
    seat = Seat(started()._replace(phase=Phase.REVEAL, to_act=None))
    assert seat.wish() == (CompanionWish.REVEAL, ALL, 5)
    assert seat.companion.own == set(HAND)
    seat.look(NO_CARDS)
    assert seat.companion.own == set(HAND), "turned over they are its own still"


def whole_match(seed: int, bot: Side, rules: str, deck_seed: int) -> list[tuple[Event, PublicState]]:
    """A match whose hands come from ``deck_seed``: the companion sees its own through the slots only."""
    rng = Random(deck_seed)
    full: FullState | None = None
    state = judged(None, MatchEvent(rules, Side.WHITE, 1))
    companion = Companion(bot, f"{seed}")
    events: list[tuple[Event, PublicState]] = []
    for _ in range(400):
        if state.phase is Phase.MATCH_OVER:
            break
        if state.phase in (Phase.SETUP, Phase.ROUND_OVER):
            companion = looked(companion, state, NO_CARDS, greedy, calm=True)
            full = start_round(state, rng)
            state = full.public
            continue
        assert full is not None
        held = full.hands[bot]
        companion = looked(companion, state, (*held, *NO_CARDS[len(held) :]), greedy, calm=True)
        if state.phase is Phase.REVEAL:
            event: Event = RevealEvent(full.hands.white, full.hands.black)
        elif state.to_act is bot:
            plan = asked(companion, state).plan
            assert plan is not None
            event = plan.event()
        else:
            side = bot.other
            event = choice_event(state, GreedyBot().choose(PlayerView(state, side, full.hands[side]), Random(1)))
        events.append((event, state))
        full, ruling = play(full, event)
        assert ruling.ok, (event, ruling)
        state = full.public
        assert companion.otherwise is None
    assert state.phase is Phase.MATCH_OVER
    return events


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(list(Side)),
    st.sampled_from(["ferti-advanced", "ferti-classic", "brettspielnetz"]),
    st.integers(0, 10**6),
)
def test_whole_matches_are_legal_and_the_same_again(seed: int, bot: Side, rules: str, deck_seed: int) -> None:
    assert whole_match(seed, bot, rules, deck_seed) == whole_match(seed, bot, rules, deck_seed)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(list(Side)), st.integers(0, 10**6))
def test_hidden_cards_change_nothing_it_does(seed: int, bot: Side, other_seed: int) -> None:
    """The other hand and the pile dealt otherwise: as long as all it can see is the same, so is what it asks for."""
    public = started(starter=bot)
    full = deal(public, Random(seed))
    hidden = [*full.hands[bot.other], *full.pile]
    Random(other_seed).shuffle(hidden)
    held = full.hands[bot]
    slots = (*held, *NO_CARDS[len(held) :])
    views: list[PlayerView] = []

    def watched(view: PlayerView, rng: Random) -> Turn | GiveUp:
        views.append(view)
        return greedy(view, rng)

    plans = []
    for hands in (full.hands, full.hands.put(bot.other, tuple(hidden[:5]))):
        world = replace(full, hands=hands)
        companion = looked(Companion(bot, "seed"), world.public, slots, watched, calm=True)
        plans.append(companion.plan_of(world.public))
    assert plans[0] == plans[1]
    assert views[0] == views[1]
    assert set(views[0].hand) == set(held)


def seen(laid: str, black: int | None) -> TableObservation:
    readings = tuple(CardReading(card, 100.0, 0.0, 1.0) for card in cards(laid))
    return TableObservation(2.0, 1.0, BySide(FigureReading(1), FigureReading(black)), readings, Sight.STEADY)


@pytest.mark.parametrize(
    ("laid", "black", "progress"),
    [
        ("", 23, None),
        ("", None, None),
        ("3a", 23, TurnProgress(cards("3a"), cards("3b"), (), 17, None, done=False)),
        ("3a 3b", 23, TurnProgress(cards("3a 3b"), (), (), 17, None, done=False)),
        ("3b 3a", 17, TurnProgress(cards("3b 3a"), (), (), 17, None, done=True)),
        ("3a 2c", 17, TurnProgress(cards("3a"), cards("3b"), cards("2c"), 17, None, done=False)),
        ("3a 3b 2c", 17, TurnProgress(cards("3a 3b"), (), cards("2c"), 17, None, done=False)),
        ("", 20, TurnProgress((), cards("3a 3b"), (), 17, 20, done=False)),
        ("3a 3b", 18, TurnProgress(cards("3a 3b"), (), (), 17, 18, done=False)),
        ("3a 3b", None, TurnProgress(cards("3a 3b"), (), (), 17, None, done=False)),
    ],
)
def test_what_is_laid_missing_and_too_much_is_told(laid: str, black: int | None, progress: TurnProgress | None) -> None:
    public = started()
    plan = Plan(turn_key(public), GiveUp(cards("3a 3b")), (1, 2), BySide(1, 17))
    assert progress_of(plan, public, seen(laid, black), Side.BLACK) == progress
