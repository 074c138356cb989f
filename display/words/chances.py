"""Chances in plain words, with the figure beside them."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from display.i18n import Words

PLAIN: Final = tuple(
    Fraction(good, of)
    for good, of in (
        *((1, 30), (1, 20), (1, 15), (1, 12), (1, 10), (1, 8), (1, 7), (1, 6), (1, 5), (1, 4), (1, 3), (2, 5), (1, 2)),
        *((3, 5), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (9, 10), (19, 20), (29, 30)),
    )
)
"""What people say for a chance: the nearest of these."""
RARE: Final = Fraction(1, 40)
"""A smaller chance hardly ever comes true; one as near to certain nearly always does."""


def short_chance(say: Words, chance: Fraction) -> str:
    """``about 1 in 3 (37.5%)``; certain and impossible need no figure."""
    if chance in (0, 1):
        return plain_chance(say, chance)
    return say.say("chance.short", about=plain_chance(say, chance), percent=percent(say, chance))


def plain_chance(say: Words, chance: Fraction) -> str:
    """The words alone."""
    if chance == 0:
        return say.say("chance.never")
    if chance == 1:
        return say.say("chance.always")
    if chance < RARE:
        return say.say("chance.hardly")
    if chance > 1 - RARE:
        return say.say("chance.nearly")
    near = min(PLAIN, key=lambda plain: abs(plain - chance))
    return say.say("chance.about", good=near.numerator, of=near.denominator)


def percent(say: Words, chance: Fraction) -> str:
    """To a tenth, and never rounded to what is certain or impossible."""
    tenths = min(max(round(chance * 1000), 1), 999) if 0 < chance < 1 else round(chance * 1000)
    return say.say("chance.percent", whole=tenths // 10, tenth=tenths % 10)
