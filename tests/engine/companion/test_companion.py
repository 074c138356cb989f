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
from engine.rules.actions import GiveUp, Turn
from engine.rules.cards import DECK, Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.legal import turn_event
from engine.rules.referee import judge
from engine.rules.state import FullState, Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation
from tests.matches import cards


def started(starter: Side = Side.BLACK, rules: str = "ferti-advanced") -> PublicState:
    state = None
    for event in (MatchEvent(rules, starter, 2), RoundEvent()):
        state, ruling = judge(state, event)
        assert ruling.ok
    assert state is not None
    return state


def greedy(view: PlayerView, rng: Random) -> Turn | GiveUp:
    return GreedyBot().choose(view, rng)


def slots_of(*names: str | None) -> Slots:
    slots = tuple(Card.parse(name) if name is not None else None for name in names)
    return slots + NO_CARDS[len(slots) :]


HAND = slots_of("1a", "2b", "3c", "4d", "5e")


def wished(companion: Companion, public: PublicState) -> tuple[CompanionWish, tuple[int, ...], int]:
    made = asked(companion, public)
    return made.wish, made.slots, made.count


def test_it_asks_for_its_cards_and_chooses_once_all_lie_there() -> None:
    public = started()
    companion = looked(Companion(Side.BLACK, "seed"), public, NO_CARDS, greedy, calm=True)
    assert wished(companion, public) == (CompanionWish.DEAL, (1, 2, 3, 4, 5), 5)
    companion = looked(companion, public, slots_of("1a", "2b", None, "4d"), greedy, calm=True)
    assert wished(companion, public) == (CompanionWish.DEAL, (3, 5), 2)
    companion = looked(companion, public, HAND, greedy, calm=False)
    assert wished(companion, public)[0] is CompanionWish.DEAL, "a hand is over the slots"
    companion = looked(companion, public, HAND, greedy, calm=True)
    made = asked(companion, public)
    assert made.wish is CompanionWish.TURN
    assert made.plan is not None
    assert tuple(HAND[slot - 1] for slot in made.slots) == made.plan.cards
    event = made.plan.event()
    assert judge(public, event)[1].ok


def test_it_chooses_once_and_the_same_again_after_a_restart() -> None:
    public = started()
    calls: list[PlayerView] = []

    def counted(view: PlayerView, rng: Random) -> Turn | GiveUp:
        calls.append(view)
        return greedy(view, rng)

    companion = Companion(Side.BLACK, "seed")
    for _ in range(4):
        companion = looked(companion, public, HAND, counted, calm=True)
    assert len(calls) == 1
    assert calls[0] == PlayerView(
        public, Side.BLACK, tuple(Card.parse(name) for name in ("1a", "2b", "3c", "4d", "5e"))
    )
    shuffled = (HAND[3], HAND[0], HAND[4], HAND[2], HAND[1])
    again = looked(Companion(Side.BLACK, "seed"), public, shuffled, counted, calm=True)
    one, other = companion.plan_of(public), again.plan_of(public)
    assert one is not None
    assert other is not None
    assert one.choice == other.choice
    assert tuple(shuffled[slot - 1] for slot in other.slots) == one.cards


def test_slots_are_told_where_the_cards_lie_now() -> None:
    public = started()
    companion = looked(Companion(Side.BLACK, "seed"), public, HAND, greedy, calm=True)
    before = asked(companion, public)
    turned = looked(companion, public, HAND[::-1], greedy, calm=True)
    assert [HAND[::-1][slot - 1] for slot in asked(turned, public).slots] == [HAND[slot - 1] for slot in before.slots]
    assert before.plan is not None
    laid = tuple(None if slot in before.plan.cards else slot for slot in HAND)
    assert asked(looked(companion, public, laid, greedy, calm=True), public).slots == before.slots


def test_a_bot_that_thinks_is_asked_again() -> None:
    public = started()
    companion = looked(Companion(Side.BLACK, "seed"), public, HAND, lambda view, rng: None, calm=True)
    assert asked(companion, public) == Asked(CompanionWish.THINKING)
    assert asked(looked(companion, public, HAND, greedy, calm=True), public).wish is CompanionWish.TURN


@pytest.mark.parametrize(("slot", "strange"), [(Strange.UNKNOWN, Strange.UNKNOWN), (Strange.TWO, Strange.TWO)])
def test_a_slot_it_cannot_read_is_named(slot: Strange, strange: Strange) -> None:
    public = started()
    companion = looked(Companion(Side.BLACK, "seed"), public, (*HAND[:3], slot, HAND[4]), greedy, calm=True)
    assert asked(companion, public) == Asked(CompanionWish.STRANGE, (4,), 1, strange=strange)


def played_turn(public: PublicState, slots: Slots = HAND) -> tuple[Companion, PublicState]:
    """The companion asked for a turn and it was played as asked."""
    companion = looked(Companion(Side.BLACK, "seed"), public, slots, greedy, calm=True)
    plan = companion.plan_of(public)
    assert plan is not None
    after, ruling = judge(public, plan.event())
    assert ruling.ok
    assert after is not None
    return companion, after


def test_after_its_turn_it_wants_new_cards_and_a_played_one_is_refused() -> None:
    public = started()
    companion, after = played_turn(public)
    laid = after.played
    left = tuple(None if slot in laid else slot for slot in HAND)
    companion = looked(companion, after, left, greedy, calm=True)
    assert wished(companion, after)[0] is CompanionWish.DEAL
    assert wished(companion, after)[2] == len(laid)
    assert companion.otherwise is None
    companion = looked(companion, after, HAND, greedy, calm=True)
    assert asked(companion, after).strange is Strange.PLAYED
    new = [card for card in DECK if card not in (*HAND, *laid)]
    full = tuple(new.pop() if slot is None else slot for slot in left)
    assert asked(looked(companion, after, full, greedy, calm=True), after) == Asked(CompanionWish.YOUR_TURN)


def test_a_turn_played_otherwise_stands_and_is_said_until_its_next() -> None:
    public = started()
    companion = looked(Companion(Side.BLACK, "seed"), public, HAND, greedy, calm=True)
    plan = companion.plan_of(public)
    assert plan is not None
    other = next(
        event
        for card in (slot for slot in HAND if isinstance(slot, Card))
        for event in [TurnEvent((card,), 1, 23 - card.value)]
        if event != plan.event() and judge(public, event)[1].ok
    )
    after, _ = judge(public, other)
    assert after is not None
    companion = looked(companion, after, HAND, greedy, calm=True)
    assert companion.otherwise == plan
    undone, ruling = judge(after, UndoEvent())
    assert ruling.ok
    assert undone is not None
    back = looked(companion, undone, HAND, greedy, calm=True)
    assert back.otherwise is None
    assert asked(back, undone).plan == plan, "taken back, it asks for the same again"
    white, ruling = judge(after, TurnEvent((Card(2, "a"),), 3, after.spaces.black))
    assert ruling.ok
    assert white is not None
    assert looked(companion, white, HAND, greedy, calm=True).otherwise == plan


def test_too_many_cards() -> None:
    public = started()._replace(hands=replace_hand(started(), 4))
    companion = looked(Companion(Side.BLACK, "seed"), public, HAND, greedy, calm=True)
    assert wished(companion, public) == (CompanionWish.TOO_MANY, (1, 2, 3, 4, 5), 1)


def replace_hand(public: PublicState, count: int) -> BySide[int]:
    return public.hands.put(Side.BLACK, count)


def test_last_rounds_cards_are_none_of_this_one() -> None:
    public = started()
    companion = looked(Companion(Side.BLACK, "seed"), public, HAND, greedy, calm=True)
    over, ruling = judge(public, YieldEvent())
    assert ruling.ok
    assert over is not None
    companion = looked(companion, over, HAND, greedy, calm=True)
    assert wished(companion, over) == (CompanionWish.GATHER, (1, 2, 3, 4, 5), 5)
    again, _ = judge(over, RoundEvent())
    assert again is not None
    companion = looked(companion, again, HAND, greedy, calm=True)
    assert asked(companion, again) == Asked(CompanionWish.STRANGE, (1, 2, 3, 4, 5), 5, strange=Strange.LAST_ROUND)
    companion = looked(companion, again, NO_CARDS, greedy, calm=True)
    assert asked(companion, again).wish is CompanionWish.DEAL
    companion = looked(companion, again, HAND, greedy, calm=True)
    assert asked(companion, again).wish in (CompanionWish.TURN, CompanionWish.YOUR_TURN), (
        "dealt again, whatever they are"
    )


def test_a_hand_dealt_before_the_round_begins_counts() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced", Side.BLACK, 2))
    assert state is not None
    companion = looked(Companion(Side.BLACK, "seed"), state, HAND, greedy, calm=True)
    begun, _ = judge(state, RoundEvent())
    assert begun is not None
    assert asked(looked(companion, begun, HAND, greedy, calm=True), begun).wish is CompanionWish.TURN


def test_when_hands_are_shown_it_names_its_cards() -> None:
    public = started()._replace(phase=Phase.REVEAL, to_act=None)
    companion = looked(Companion(Side.BLACK, "seed"), public, HAND, greedy, calm=True)
    assert wished(companion, public) == (CompanionWish.REVEAL, (1, 2, 3, 4, 5), 5)
    assert companion.own == set(HAND)
    shown = looked(companion, public, NO_CARDS, greedy, calm=True)
    assert shown.own == set(HAND), "turned over they are its own still"


def whole_match(seed: int, bot: Side, rules: str, deck_seed: int) -> list[tuple[Event, PublicState]]:
    """A match whose hands come from ``deck_seed``: the companion sees its own through the slots only."""
    rng = Random(deck_seed)
    opened, _ = judge(None, MatchEvent(rules, Side.WHITE, 1))
    assert opened is not None
    full: FullState | None = None
    state = opened
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
            from engine.rules.events import RevealEvent

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


def test_turns_are_told_apart() -> None:
    public = started()
    _, after = played_turn(public)
    assert turn_key(public) != turn_key(after)
    assert turn_event(public, Turn((), None)).cards == ()


def began() -> PublicState:
    state, _ = judge(None, MatchEvent("ferti-advanced", Side.BLACK))
    state, _ = judge(state, RoundEvent())
    assert state is not None
    return state


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
    public = began()
    plan = Plan(turn_key(public), GiveUp(cards("3a 3b")), (1, 2), BySide(1, 17))
    assert progress_of(plan, public, seen(laid, black), Side.BLACK) == progress
