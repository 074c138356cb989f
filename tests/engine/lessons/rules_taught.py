"""Names for every rule there is to teach, so that lessons can say which they teach and a test that none is left out.

Source: RULES.md, "The game", "When the last card is drawn", "Presets" and "Rulings on what the texts leave open"; the
names are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RULES_TAUGHT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "piste": "23 spaces; White begins on 1, Black on 23",
        "deck": "25 cards, five each of 1 to 5; five in each hand, 15 in the pile",
        "distance": "the difference of the positions, not the empty spaces between",
        "move": "a turn may advance or retreat by exactly one card",
        "direct": "a direct attack: cards equal to the distance, nobody moves",
        "indirect": "an indirect attack: one card forward, then cards equal to the distance that is left",
        "bounds": "nobody leaves the piste, lands on the opponent or passes him",
        "refill": "a turn ends by drawing up to five cards, or what is left",
        "parry": "as many cards of the same value; then a whole turn from the cards that are left",
        "retreat": "an indirect attack may be retreated from by one card, which is the turn",
        "hit": "who does not answer is hit and loses the round",
        "stuck": "who has no legal action loses the round",
        "points": "five points win the match",
        "last": "the round ends as soon as the last card is taken, even if both hands are full",
        "last 1": "after an attack with the last card: one defence and nothing else",
        "last 2": "both hands are shown: more cards equal to the distance win",
        "last 3": "level: who is further forward",
        "last 4": "level again: the round is drawn and nobody scores",
        "preset ferti-classic": "no indirect attacks",
        "preset ferti-advanced": "indirect attacks; after retreating from the final one hands are compared",
        "preset brettspielnetz": "after retreating from the final attack position decides; counts are shown",
        "ruling 1": "a retreat that draws the last card: hands are compared",
        "ruling 2": "no turn after the parry of the final attack",
        "ruling 3": "a parry that leaves no legal action loses the round",
        "ruling 4": "a card that can attack is a legal action",
        "ruling 5": "giving up needs no proof, and nobody has to parry",
        "ruling 6": "three cards can never be parried; four and five may attack",
        "ruling 7": "the defender draws at the end of his own turn",
        "ruling 8": "the attacker draws before the defence",
        "ruling 9": "the starter alternates every round, after a draw too",
        "ruling 10": "with too few cards in the pile all of them are drawn",
        "ruling 11": "the discards may not be searched; the pile may be counted",
        "ruling 12": "hands are shown only where that can matter",
        "ruling 13": "what the cards played prove is awarded at once",
        "ruling 14": "an illegal turn costs nothing: things are put back",
        "ruling 15": "a turn is open until it is ended",
    }
)
"""Each rule's name, and in short what it says."""
