"""What somebody wins who knows how the maestro judges: two best responses over whole rounds. A script.

With ``--weights FILE``, what was learned against the judgement alone under one preset (``bot_school exploit``), the end
of the pile counted as the maestro counts it. Else a local best response: it weighs every hand the maestro may hold by
all the maestro's turns of the round, as likely as a player makes them who judges so and hardly ever errs; tries each of
its own better turns in the same layouts against that player's answer, and takes the best. What comes after is judged by
the learned judgement. Both are lower bounds: a player who lost nothing to anybody would leave them 50 %. Source:
V. Lisy and M. Bowling, Equilibrium approximation quality of current no-limit poker bots (2017), for the second.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bench_ladder import OPPONENTS, TOLD_AFTER, line, of_a_deal

from engine.players.bots.endgame import thinking
from engine.players.bots.judgement import MAESTRO, Judgement, read
from engine.players.bots.options import APART, DRAWN, PACKED, SIZES, Option, attack_number, hand_of, packed
from engine.players.bots.sparring import Sparring, Stand, can_do, sparring, stand_of
from engine.players.bots.strengths import Maestro, best_at_end, judged_options
from engine.players.players import Bot, give_up
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import GiveUp, Play, Turn, turn_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Phase, PlayerView, room_behind

SPREAD: Final = 0.05
"""How sharply he takes the maestro to choose: a turn so much better in the logarithm of the odds e times as often."""
WHIM: Final = 0.02
"""The chance of any turn whatever: the maestro counts at the end, and sometimes chooses otherwise."""
CONTENDERS: Final = 6
"""The most turns that are tried, the best by judgement."""
MARGIN: Final = 0.3
"""A turn judged to have this much less chance than the best is not tried."""
LAYOUTS: Final = 120
"""Hands and piles that every turn is tried in."""
SAMPLED: Final = 4
"""As many layouts are drawn for each that is used, the likelier ones."""
TURNS: Final = 5
"""How many of the maestro's last turns are weighed."""


class OpponentTurn(NamedTuple):
    """A turn the opponent made: what stood then (his hand unknown, 0), the values less one laid, the cards drawn, and
    all cards not played yet (packed)."""

    stand: Stand
    play: Play
    laid: tuple[int, ...]
    drawn: int
    unplayed: int


class BestResponse:
    """Knows how the other judges, and searches against that; ends a round as the maestro does."""

    def __init__(self, rules: str) -> None:
        self._rules = RULE_SETS[rules]
        self._mind = sparring(rules, MAESTRO)

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        stand = stand_of(view)
        judged = judged_options(view, stand, self._mind)
        if not judged:
            return give_up(view)
        best = best_at_end(*thinking(view), stand, [option for _, option in judged])
        if best is None:
            options = [option for chance, option in judged[:CONTENDERS] if chance >= judged[0][0] - MARGIN]
            layouts = self._layouts(view, rng) if len(options) > 1 else []
            best = max(options, key=lambda option: self._tried(view, stand, option, layouts))
        return turn_of(view.public, view.hand, best.play)

    def _layouts(self, view: PlayerView, rng: Random) -> list[tuple[int, list[int], float]]:
        """Hands of the other and piles, likelier ones more often, each with a number that his answer is drawn by."""
        unseen = [card.value - 1 for card in unseen_cards(view.public, view.hand)]
        size = view.public.hands[view.side.other]
        past = opponents_turns(view, TURNS)
        found, weights = [], []
        for _ in range(LAYOUTS * SAMPLED):
            rng.shuffle(unseen)
            found.append((unseen[:size], unseen[size:]))
            weights.append(self._likely(unseen[:size], past, rng))
        return [(hand_of(held), pile, rng.random()) for held, pile in rng.choices(found, weights, k=LAYOUTS)]

    def _likely(self, held: Sequence[int], past: Sequence[OpponentTurn], rng: Random) -> float:
        cards, likely = list(held), 1.0
        for turn in past:
            rng.shuffle(cards)
            cards = [*cards[turn.drawn :], *turn.laid]
            stand = turn.stand._replace(hand=hand_of(cards))
            chances = self._mind.likelihoods(stand, turn.unplayed - PACKED[stand.hand], SPREAD)
            likely *= WHIM + chances.get(turn.play, 0.0)
        return likely

    def _tried(
        self, view: PlayerView, stand: Stand, option: Option, layouts: Sequence[tuple[int, list[int], float]]
    ) -> float:
        """What the turn brings in all these layouts."""
        play, left, attack = option
        distance, theirs = stand.distance - play.move, APART - stand.distance - stand.gained
        unplayed = packed(tuple(view.public.unseen_counts.values())) - PACKED[stand.hand] + PACKED[left]
        total = 0.0
        for other, pile, luck in layouts:
            hand, cards = left, stand.pile
            while cards and SIZES[hand] < HAND_SIZE:
                cards -= 1
                hand = DRAWN[hand][pile[cards]]
            there = Stand(other, distance, theirs, attack, cards)
            reply = self._answer(there, unplayed, luck) if cards else None
            total += self._mind.play_out(there, hand, pile, unplayed, 1, reply)
        return total

    def _answer(self, there: Stand, unplayed: int, luck: float) -> Option | None:
        """The maestro's answer, likelier ones more often; None where nothing can be done."""
        chances = self._mind.likelihoods(there, unplayed - PACKED[there.hand], SPREAD)
        for option in can_do(there, self._rules):
            luck -= chances[option.play]
            if luck < 0.0:
                return option
        return next(iter(can_do(there, self._rules)), None)


def opponents_turns(view: PlayerView, most: int) -> list[OpponentTurn]:
    """His last turns of this round, the latest first, as far as the record of the match holds them in a row."""
    opponent = view.side.other
    turns: list[OpponentTurn] = []
    after = view.public
    while len(turns) < most:
        before = after.previous
        if before is None or before.round != after.round or before.phase is not Phase.TURN or before.to_act is None:
            break
        if after.phase not in (Phase.TURN, Phase.FINAL) or after.to_act is not before.to_act.other:
            break
        if before.to_act is opponent:
            laid = tuple(card.value - 1 for card in after.played[len(before.played) :])
            move = before.distance - after.distance
            attack = after.attack.count if after.attack is not None else 0
            play = Play(len(laid) - bool(move) - attack, move, attack)
            gained = room_behind(before.spaces, opponent)
            stand = Stand(0, before.distance, gained, attack_number(before.attack), before.pile)
            unplayed = packed(tuple(before.unseen_counts.values()))
            turns.append(OpponentTurn(stand, play, laid, before.pile - after.pile, unplayed))
        after = before
    return turns


def response(rules: str, weights: Path | None) -> Bot:
    """The local best response, or who judges by these weights."""
    if weights is None:
        return BestResponse(rules)
    mind = Sparring(RULE_SETS[rules], Judgement(read(weights.read_text(encoding="ascii"))))
    return Maestro(lambda _: mind)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="under each preset (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default="maestro", choices=list(OPPONENTS))
    parser.add_argument("--rules", nargs="+", default=list(RULE_SETS), choices=list(RULE_SETS))
    parser.add_argument("--weights", type=Path, help="learned against the maestro under one preset")
    asked = parser.parse_args()
    print(f"{'bot':9} {'against':12} {'rounds':>6} {'won %':>6} {'Wilson':>14} {'by pairs':>14}", flush=True)
    for rules in asked.rules:
        own, other, won = response(rules, asked.weights), OPPONENTS[asked.against](), []
        for number in range(asked.rounds // 2):
            won.append(of_a_deal(rules, own, other, f"{asked.seed}:{number}"))
            if len(won) % TOLD_AFTER == 0:
                print(line(("response", asked.against), won), file=sys.stderr, flush=True)
        print(f"{line(('response', asked.against), won)}   {rules}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
