"""Misplays are always illegal, and every kind of them can happen."""

from __future__ import annotations

import random

from engine.players.simulation import start_round
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.state import Attack, AttackKind, PublicState
from engine.rules.track import BySide, Side
from firmware.extras.simulation.director import Misplay, misplay
from tests.matches import match_of


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
