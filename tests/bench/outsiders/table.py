"""A round by values, played on in the head by nobody's judgement."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.players.bots.hands import DRAWN, SIZES, hand_of
from engine.players.bots.options import APART, Option
from engine.players.bots.sparring import Stand, can_do, compared, stand_of
from engine.rules.cards import HAND_SIZE
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RuleSet
from engine.rules.state import PlayerView


@dataclass(frozen=True, slots=True)
class Round:
    """All of a round: the hands of the player to act and of the other, by number, and the pile, drawn from its end."""

    rules: RuleSet
    hand: int
    other: int
    distance: int
    gained: int
    attack: int
    pile: tuple[int, ...]

    def options(self) -> tuple[Option, ...]:
        return can_do(Stand(self.hand, self.distance, self.gained, self.attack, len(self.pile)), self.rules)

    def after(self, option: Option) -> Round | float:
        """The round as the other sees it, or how it has ended for the player who did this: 1, 0.5 or 0."""
        move = option.play.move
        distance, gained = self.distance - move, self.gained + move
        if not self.pile:
            return compared(self.rules, option.left, self.other, distance, gained, retreated=move < 0).share
        hand, pile = option.left, self.pile
        while pile and SIZES[hand] < HAND_SIZE:
            hand, pile = DRAWN[hand][pile[-1]], pile[:-1]
        if not pile and not option.attack:
            return compared(self.rules, hand, self.other, distance, gained, retreated=False).share
        return Round(self.rules, self.other, hand, distance, APART - distance - gained, option.attack, pile)

    def played_out(self, rng: Random) -> float:
        """How it ends for the player to act when both take any turn."""
        table, mine = self, True
        while choices := table.options():
            following = table.after(rng.choice(choices))
            if isinstance(following, float):
                return following if mine else 1.0 - following
            table, mine = following, not mine
        return 0.0 if mine else 1.0


def laid_out(view: PlayerView, rng: Random) -> Round:
    """One way the hidden cards may lie, each as likely as another."""
    stand = stand_of(view)
    unseen = [card.value - 1 for card in unseen_cards(view.public, view.hand)]
    rng.shuffle(unseen)
    size = view.public.hands[view.side.other]
    public = view.public
    hand = hand_of(unseen[:size])
    return Round(public.rules, stand.hand, hand, stand.distance, stand.gained, stand.attack, tuple(unseen[size:]))
