"""What the best response reads off the record: the opponent's turns, as they were made."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bench_best_response import OpponentTurn, opponents_turns

from engine.players.bots.options import packed
from engine.players.bots.sparring import Stand
from engine.players.players import RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.cards import HAND_SIZE
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.legal import Play
from engine.rules.referee import judge
from engine.rules.state import AttackKind, FullState, Phase, PlayerView, PublicState, room_behind
from engine.rules.track import Side

RULES = "ferti-advanced"


class Seen(NamedTuple):
    """A table with somebody to act, and every turn of this round so far, with who made it."""

    table: FullState
    turns: tuple[tuple[Side, OpponentTurn], ...]


def watched(seeds: range) -> Iterator[Seen]:
    """Every table of matches of two rounds played at random."""
    for seed in seeds:
        rng = Random(seed)
        state, _ = judge(None, MatchEvent(RULES, points=10**6))
        for _ in range(2):
            assert state is not None
            full = start_round(state, rng)
            turns: list[tuple[Side, OpponentTurn]] = []
            while full.public.result is None:
                side = full.public.to_act
                if side is None:
                    full, _ = play(full, reveal(full))
                    continue
                yield Seen(full, tuple(turns))
                before, event = full, choice_event(full.public, RandomBot().choose(full.view(side), rng))
                full, ruling = play(full, event)
                assert ruling.ok
                if isinstance(event, TurnEvent):
                    turns.append((side, as_past(before, full, event)))
            state = full.public


def as_past(before: FullState, after: FullState, event: TurnEvent) -> OpponentTurn:
    """The turn as whoever watched it would write it down, from the table before it and after."""
    there, then = before.public, after.public
    side = there.to_act
    assert side is not None
    waiting = there.attack
    number = 0 if waiting is None else waiting.count + (5 if waiting.kind is AttackKind.INDIRECT else 0)
    made = 0 if then.attack is None or then.attack.by is not side else then.attack.count
    move = there.distance - then.distance
    parried = 0 if waiting is None else len(event.cards) - made - (move != 0)
    unplayed = [
        sum(card.value == value for card in (*before.hands.white, *before.hands.black)) for value in range(1, 6)
    ]
    for card in before.pile:
        unplayed[card.value - 1] += 1
    stand = Stand(0, there.distance, room_behind(there.spaces, side), number, len(before.pile))
    laid = tuple(card.value - 1 for card in event.cards)
    return OpponentTurn(stand, Play(parried, move, made), laid, len(before.pile) - len(after.pile), packed(unplayed))


def test_the_record_tells_the_opponents_turns_as_they_were_made() -> None:
    """The latest first and as many as were asked for: of this round alone, and nobody else's."""
    longest = attacks = 0
    for table, turns in watched(range(12)):
        side = table.public.to_act
        assert side is not None
        his = [past for whose, past in reversed(turns) if whose is not side]
        for most in (0, 1, 2, 9):
            assert opponents_turns(table.view(side), most) == his[:most]
        longest = max(longest, len(his))
        attacks += sum(past.stand.attack > HAND_SIZE for past in his)
    assert longest > 4
    assert attacks > 5, "answers to indirect attacks are among them"


def test_the_record_ends_where_it_no_longer_goes_on_turn_by_turn() -> None:
    """Figures set by hand leave the same player to act: nobody's turn, and what came before is not looked for."""
    seen = next(each for each in watched(range(1)) if len(each.turns) > 3)
    public = seen.table.public
    side, before = public.to_act, public.previous
    assert side is not None
    assert before is not None
    assert opponents_turns(seen.table.view(side), 9)

    def told(previous: PublicState | None) -> list[OpponentTurn]:
        changed = public._replace(previous=previous)
        return opponents_turns(PlayerView(changed, side, seen.table.hands[side]), 9)

    assert told(None) == []
    assert told(before._replace(to_act=side)) == []
    assert told(before._replace(to_act=None)) == []
    assert told(before._replace(round=before.round - 1)) == []
    assert told(before._replace(phase=Phase.REVEAL)) == []
    over = PlayerView(public._replace(phase=Phase.ROUND_OVER), side, seen.table.hands[side])
    assert opponents_turns(over, 9) == []
