"""What the hidden cards can be: drawn at random by the exact odds, then weighed by what the opponent has done.

Every way to lay the unseen cards out is equally likely (hypergeometric). An opponent who plays with some judgement
tells more: had he held a 4 he might have attacked. So a sampled hand, and a kind of player
(``engine.players.bots.kinds``), count the more, the better his last turns go with the hand he must then have held and
with how such a player plays. Source: Bayes' rule by importance sampling; N. L. Johnson and S. Kotz, Urn Models.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from engine.players.bots.kinds import PlayStyle
from engine.players.bots.options import PACKED, attack_number, hand_of, packed
from engine.players.bots.sparring import Stand, can_do
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Play
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RuleSet
from engine.rules.state import Phase, PlayerView, room_behind

LOOK_BACK: Final = 2
"""How many of the opponent's turns are weighed: what he held before them has mostly been played."""
TRIES: Final = 2
"""Sampled layouts for each one that is used."""
WHIM: Final = 0.05
"""The chance of any turn whatever: nobody is ruled out by what he did."""


class SampledDeal(NamedTuple):
    """One way the hidden cards may lie: the opponent's hand, and the pile as values less one, drawn from its end. And
    who the opponent may be."""

    hand: int
    pile: Sequence[int]
    kind: PlayStyle


class OpponentTurn(NamedTuple):
    """A turn the opponent made: what stood then (his hand unknown, 0), the values less one laid, the cards drawn, and
    all cards not played yet (packed)."""

    stand: Stand
    play: Play
    laid: tuple[int, ...]
    drawn: int
    unplayed: int


def deals(view: PlayerView, kinds: Sequence[PlayStyle], count: int, rng: Random) -> list[SampledDeal]:
    """So many ways the hidden cards may lie, with one of these kinds of opponent, likelier ones more often."""
    unseen = [card.value - 1 for card in unseen_cards(view.public, view.hand)]
    size = view.public.hands[view.side.other]
    past = opponents_turns(view, LOOK_BACK)
    found: list[SampledDeal] = []
    weights = []
    likely: dict[tuple[int, int], list[float]] = {}
    for _ in range(count * TRIES if past else count):
        rng.shuffle(unseen)
        held = unseen[:size]
        hand, pile = hand_of(held), unseen[size:]
        if past:
            found.extend(SampledDeal(hand, pile, kind) for kind in kinds)
            weights.extend(_likelihoods(held, past, kinds, view.public.rules, likely, rng))
        else:
            found.append(SampledDeal(hand, pile, rng.choice(kinds)))
    return rng.choices(found, weights, k=count) if weights else found


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


def _likelihoods(
    held: list[int],
    past: Sequence[OpponentTurn],
    kinds: Sequence[PlayStyle],
    rules: RuleSet,
    likely: dict[tuple[int, int], list[float]],
    rng: Random,
) -> list[float]:
    """How well the turns go with these cards in the hand now, for each kind of player. Which of them were drawn when,
    nobody knows: any.

    ``likely`` keeps what was worked out before, by turn and hand.
    """
    cards = list(held)
    likelihoods = [1.0] * len(kinds)
    for number, turn in enumerate(past):
        rng.shuffle(cards)
        cards = [*cards[turn.drawn :], *turn.laid]
        if len(cards) > HAND_SIZE:  # the record was corrected in between
            break
        hand = hand_of(cards)
        chances = likely.get((number, hand))
        if chances is None:
            chances = likely[number, hand] = [WHIM + _chance(turn, hand, kind, rules) for kind in kinds]
        likelihoods = [so_far * chance for so_far, chance in zip(likelihoods, chances, strict=True)]
    return likelihoods


def _chance(turn: OpponentTurn, hand: int, kind: PlayStyle, rules: RuleSet) -> float:
    """How likely one of this kind makes the turn with this hand; 0 where he cannot."""
    stand = turn.stand._replace(hand=hand)
    for place, option in enumerate(can_do(stand, rules)):
        if option.play == turn.play:
            return kind.chances(stand, turn.unplayed - PACKED[hand])[place]
    return 0.0
