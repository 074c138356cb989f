"""The maestro: the learned judgement, tried out on hands the opponent may hold, and the end of the pile counted out.

What wins in every case he takes, and with few cards in the pile the turn worth most over all that the hidden cards can
be (``engine.players.bots.endgame``), with three or two solved with hidden hands as far as it fits a budget
(``engine.players.bots.hidden_end``; with two his own is hidden, too: ``engine.players.bots.own_hidden``).
Before that he lays the hidden cards out at random by the exact odds, weighed by
what the opponent has done (``engine.players.bots.beliefs``), and tries each of his better turns in each of these
rounds: the opponent answers by his own hand alone, as the kind of player does that he seems to be
(``engine.players.bots.kinds``), and what comes out is judged. The worse half drops out, until one turn is left. He
looks at nothing a player at the table does not see. How long that takes is bounded by rounds played in the head and
positions counted, by no clock: a seed gives the same turns on every machine, however busy. Source: G. Tesauro and
G. Galperin, On-line policy improvement using Monte-Carlo search (1996); Z. Karnin, T. Koren and O. Somekh, Almost
optimal exploration in multi-armed bandits (2013), for the halving.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.players.bots.beliefs import SampledDeal, deals
from engine.players.bots.endgame import COUNTED, Endgame, best_counted, certain_win, thinking
from engine.players.bots.hidden_end import SOLVED, best_solved
from engine.players.bots.judgement import chance_of
from engine.players.bots.kinds import answer, kinds
from engine.players.bots.options import APART, DRAWN, PACKED, SIZES, Option, packed
from engine.players.bots.own_hidden import PILE, best_of_last_two
from engine.players.bots.sparring import Sparring, Stand, is_last, last_chance, sparring, stand_of
from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Counts, counts_of, turn_of
from engine.rules.possible import unseen_cards
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
        counted = best_at_end(*thinking(view), stand, [option for _, option in judged])
        if counted is not None:
            return turn_of(view.public, view.hand, counted.play)
        return turn_of(view.public, view.hand, self.search(view, stand, contenders(judged, stand), rng).play)

    def search(self, view: PlayerView, stand: Stand, running: list[Contender], rng: Random) -> Option:
        """The best of these turns, tried in layouts of the hidden cards, the worse half dropping out each time."""
        mind, minds = sparring(view.public.rules.name), kinds(view.public.rules.name)
        unplayed = packed(tuple(view.public.unseen_counts.values()))
        while len(running) > 1:
            layouts = deals(view, minds, TRIALS // len(running), rng)
            tried = [each if each.known else _tried(each, stand, layouts, unplayed, mind, rng) for each in running]
            running = _best(tried, len(tried) // 2)
        return running[0].option


def judged_options(view: PlayerView, stand: Stand) -> list[tuple[float, Option]]:
    """All the player can do, the best first, with the chance of winning: learned, or counted as the pile runs out."""
    mind = sparring(view.public.rules.name)
    unseen = counts_of(unseen_cards(view.public, view.hand))
    judged = []
    for option, logit in mind.valued(stand, packed(unseen)):
        last = is_last(option, stand)
        judged.append((last_chance(mind.rules, stand, option, unseen) if last else chance_of(logit), option))
    return sorted(judged, key=_chance, reverse=True)


def _chance(judged: tuple[float, Option]) -> float:
    return judged[0]


def best_at_end(endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option]) -> Option | None:
    """The best turn by counting: one that wins in every case, or near the end of the pile the one worth most."""
    certain = certain_win(endgame, unseen, stand, choices)
    if certain is not None or not 0 < stand.pile <= COUNTED:
        return certain
    if stand.pile == PILE:
        return best_of_last_two(endgame, unseen, stand, choices)
    if stand.pile <= SOLVED:
        return best_solved(endgame, unseen, stand, choices)
    return best_counted(endgame, unseen, stand, choices)


def contenders(judged: Sequence[tuple[float, Option]], stand: Stand) -> list[Contender]:
    """The turns worth trying of those judged, the best first."""
    each_judged = [Contender(option, TRUST * chance, TRUST, is_last(option, stand)) for chance, option in judged]
    best = _best(each_judged, CONTENDERS)
    return [each for each in best if each.chance >= best[0].chance - MARGIN]


def _best(running: Sequence[Contender], count: int) -> list[Contender]:
    return sorted(running, key=lambda each: -each.chance)[:count]


def _tried(
    contender: Contender,
    stand: Stand,
    layouts: Sequence[SampledDeal],
    unplayed: int,
    mind: Sparring,
    rng: Random,
) -> Contender:
    """The contender with its chances in these layouts added."""
    play, left, attack = contender.option
    distance, gained = stand.distance - play.move, stand.gained + play.move
    theirs = APART - distance - gained
    total, count = contender.total, contender.count
    unplayed -= PACKED[stand.hand] - PACKED[left]
    for opponent, pile, kind in layouts:
        hand, cards = left, stand.pile
        while cards and SIZES[hand] < HAND_SIZE:
            cards -= 1
            hand = DRAWN[hand][pile[cards]]
        there = Stand(opponent, distance, theirs, attack, cards)
        reply = answer(kind, there, unplayed, mind.rules, rng) if cards else None
        total += mind.play_out(there, hand, pile, unplayed, AHEAD, reply)
        count += 1
    return Contender(contender.option, total, count, known=False)
