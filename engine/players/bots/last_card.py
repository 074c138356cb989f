"""The end of the pile, exactly: what a turn is worth that draws the last card, or that is the last defence.

Whoever draws the rest of the pile leaves nothing unknown but which of the unseen cards he draws: the opponent holds all
the others, and knows it. So every draw is counted, with the number of ways to make it of single cards, and the
opponent's last defence is the best there is. Source: RULES.md, "When the last card is drawn".
"""

from __future__ import annotations

from engine.players.bots.hands import HANDS, INDEX
from engine.players.bots.options import APART, Option
from engine.players.bots.sparring import Stand, after_drawing, compared, last_defence
from engine.rules.legal import Counts
from engine.rules.possible import HiddenHand
from engine.rules.rulesets import RuleSet


def is_last(option: Option, stand: Stand) -> bool:
    """Whether nothing is left in the pile after this turn."""
    return after_drawing(option.left, stand.pile) == 0


def last_chance(rules: RuleSet, stand: Stand, option: Option, unseen: Counts) -> float:
    """The chance of winning by a turn after which the pile is empty; a drawn round counts half.

    ``unseen``: how many cards of each value the player has not seen, all of them in the pile or the opponent's hand.
    """
    move = option.play.move
    distance, gained = stand.distance - move, stand.gained + move
    draws = HiddenHand(unseen, stand.pile)
    total = 0.0
    for drawn, ways in draws.hands():
        left = HANDS[option.left]
        one, two, three, four, five = (held + more for held, more in zip(left, drawn, strict=True))
        mine = INDEX[(one, two, three, four, five)]
        one, two, three, four, five = (there - gone for there, gone in zip(unseen, drawn, strict=True))
        theirs = INDEX[(one, two, three, four, five)]
        if option.attack:
            there = Stand(theirs, distance, APART - distance - gained, option.attack, 0)
            total += ways * (1.0 - last_defence(rules, there, mine))
        else:
            retreated = stand.pile == 0 and move < 0
            total += ways * compared(rules, mine, theirs, distance, gained, retreated).share
    return total / draws.ways()
