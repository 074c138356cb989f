"""What the hidden cards can be: drawn at random by the exact odds, then weighed by what the opponent has done.

Every way to lay the unseen cards out is equally likely (hypergeometric). An opponent who plays with some judgement
tells more: had he held a 4 he might have attacked. So a sampled hand counts the more, the better his last turns go with
the hand he must then have held. Source: Bayes' rule by importance sampling; N. L. Johnson and S. Kotz, Urn Models.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from engine.players.bots.hands import PACKED, hand_of, packed
from engine.players.bots.options import attack_number
from engine.players.bots.sparring import Sparring, Stand
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Play
from engine.rules.possible import unseen_cards
from engine.rules.state import Phase, PlayerView, room_behind

LOOK_BACK: Final = 2
"""How many of the opponent's turns are weighed: what he held before them has mostly been played."""
TRIES: Final = 2
"""Sampled layouts for each one that is used."""
SPREAD: Final = 1.0
"""How sharply the opponent is taken to choose: his odds for a turn e times as good are e times as high."""
WHIM: Final = 0.05
"""The chance of any turn whatever: nobody is ruled out by what he did."""


class Deal(NamedTuple):
    """One way the hidden cards may lie: the opponent's hand, and the pile as values less one, drawn from its end."""

    hand: int
    pile: Sequence[int]


class Past(NamedTuple):
    """A turn the opponent made: what stood then (his hand unknown, 0), the values less one laid, the cards drawn, and
    all cards not played yet (packed)."""

    stand: Stand
    play: Play
    laid: tuple[int, ...]
    drawn: int
    unplayed: int


def deals(view: PlayerView, sparring: Sparring, count: int, rng: Random) -> list[Deal]:
    """So many ways the hidden cards may lie, likelier ones more often."""
    unseen = [card.value - 1 for card in unseen_cards(view.public, view.hand)]
    size = view.public.hands[view.side.other]
    past = opponents_turns(view, LOOK_BACK)
    found = []
    weights = []
    likely: dict[tuple[int, int], float] = {}
    for _ in range(count * TRIES if past else count):
        rng.shuffle(unseen)
        held = unseen[:size]
        found.append(Deal(hand_of(held), unseen[size:]))
        if past:
            weights.append(_likelihood(held, past, sparring, likely, rng))
    return rng.choices(found, weights, k=count) if past else found


def opponents_turns(view: PlayerView, most: int) -> list[Past]:
    """His last turns of this round, the latest first, as far as the record of the match holds them in a row."""
    opponent = view.side.other
    turns: list[Past] = []
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
            turns.append(Past(stand, play, laid, before.pile - after.pile, unplayed))
        after = before
    return turns


def _likelihood(
    held: list[int], past: Sequence[Past], sparring: Sparring, likely: dict[tuple[int, int], float], rng: Random
) -> float:
    """How well the turns go with these cards in the hand now. Which of them were drawn when, nobody knows: any.

    ``likely`` keeps what was worked out before, by turn and hand.
    """
    cards = list(held)
    likelihood = 1.0
    for number, turn in enumerate(past):
        rng.shuffle(cards)
        cards = [*cards[turn.drawn :], *turn.laid]
        if len(cards) > HAND_SIZE:  # the record was corrected in between
            break
        hand = hand_of(cards)
        chance = likely.get((number, hand))
        if chance is None:
            unseen = turn.unplayed - PACKED[hand]
            likelihoods = sparring.likelihoods(turn.stand._replace(hand=hand), unseen, SPREAD)
            chance = likely[number, hand] = WHIM + likelihoods.get(turn.play, 0.0)
        likelihood *= chance
    return likelihood
