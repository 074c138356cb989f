"""The maestro: the master's judgement, tried out on hands the opponent may hold, and the end of the pile counted out.

What wins in every case he takes, and with few cards in the pile the turn worth most over all that the hidden cards can
be (``engine.players.bots.endgame``). Before that he lays the hidden cards out at random by the exact odds, weighed by
what the opponent has done (``engine.players.bots.beliefs``), plays each of his better turns on for a few turns in each
of these rounds, both players by judgement and each by his own hand alone, and judges what comes out. The worse half
drops out, until one turn is left. He looks at nothing a player at the table does not see. How long that takes is
bounded by rounds played in the head and positions counted, not by a clock. Source: G. Tesauro and G. Galperin, On-line
policy improvement using Monte-Carlo search (1996); Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in
multi-armed bandits (2013), for the halving.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.players.bots.beliefs import Deal, deals
from engine.players.bots.endgame import COUNTED, best_counted, certain_win, thinking
from engine.players.bots.hands import DRAWN, PACKED, SIZES, packed
from engine.players.bots.last_card import is_last
from engine.players.bots.master import judged_options
from engine.players.bots.options import APART, Option
from engine.players.bots.sparring import Sparring, Stand, sparring, stand_of
from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import turn_of
from engine.rules.state import PlayerView

TRIALS: Final = 144
"""Turns tried in layouts of the hidden cards in each heat: the fewer turns are left, the more layouts."""
CONTENDERS: Final = 6
"""The most turns that are tried, the best by judgement: halved twice or thrice."""
MARGIN: Final = 0.3
"""A turn judged to have this much less chance than the best is not tried."""
AHEAD: Final = 1
"""Turns played on in the head before it is judged: the opponent's answer, by what he sees."""
TRUST: Final = 4
"""The judgement counts as much as this many layouts tried."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A turn in the running: its chances added up, and how many they are. ``known``: counted out, nothing to try."""

    option: Option
    total: float
    count: float
    known: bool

    @property
    def chance(self) -> float:
        return self.total / self.count


class Maestro:
    """Looks ahead in samples of what he cannot see."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        stand = stand_of(view)
        judged = judged_options(view, stand)
        if not judged:
            return give_up(view)
        counted = _counted(view, stand, [option for _, option in judged], rng)
        if counted is not None:
            return turn_of(view.public, view.hand, counted.play)
        running = contenders(judged, stand)
        mind = sparring(view.public.rules.name)
        unplayed = packed(tuple(view.public.unseen_counts.values()))
        while len(running) > 1:
            layouts = deals(view, mind, TRIALS // len(running), rng)
            tried = [each if each.known else _tried(each, stand, layouts, unplayed, mind) for each in running]
            running = _best(tried, len(tried) // 2)
        return turn_of(view.public, view.hand, running[0].option.play)


def _counted(view: PlayerView, stand: Stand, choices: Sequence[Option], rng: Random) -> Option | None:
    """The best turn by counting: one that wins in every case, or near the end of the pile the one worth most."""
    endgame, unseen = thinking(view)
    certain = certain_win(endgame, unseen, stand, choices)
    if certain is not None or not 0 < stand.pile <= COUNTED:
        return certain
    return best_counted(endgame, unseen, stand, choices, rng)


def contenders(judged: Sequence[tuple[float, Option]], stand: Stand) -> list[Contender]:
    """The turns worth trying of those judged, the best first."""
    each_judged = [Contender(option, TRUST * chance, TRUST, is_last(option, stand)) for chance, option in judged]
    best = _best(each_judged, CONTENDERS)
    return [each for each in best if each.chance >= best[0].chance - MARGIN]


def _best(running: Sequence[Contender], count: int) -> list[Contender]:
    return sorted(running, key=lambda each: -each.chance)[:count]


def _tried(contender: Contender, stand: Stand, layouts: Sequence[Deal], unplayed: int, mind: Sparring) -> Contender:
    """The contender with its chances in these layouts added."""
    play, left, attack = contender.option
    distance, gained = stand.distance - play.move, stand.gained + play.move
    theirs = APART - distance - gained
    total = contender.total
    unplayed -= PACKED[stand.hand] - PACKED[left]
    for opponent, pile in layouts:
        hand, cards = left, stand.pile
        while cards and SIZES[hand] < HAND_SIZE:
            cards -= 1
            hand = DRAWN[hand][pile[cards]]
        total += mind.play_out(Stand(opponent, distance, theirs, attack, cards), hand, pile, unplayed, AHEAD)
    return Contender(contender.option, total, contender.count + len(layouts), known=False)
