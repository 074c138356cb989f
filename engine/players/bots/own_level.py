"""The strength of bot that is a player's own: found from how he did against the bots so far.

Two matches won in a row against bots at least as strong as his level, and it is one stronger; two lost in a row against
bots no stronger, and it is one weaker. Whom he met first is where it begins. Source: H. Levitt, Transformed up-down
methods in psychoacoustics (1971).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.players.bots.strengths import STRENGTHS

IN_A_ROW: Final = 2


class OwnLevel(NamedTuple):
    """The strength that suits a player, and how many matches say so."""

    strength: str
    matches: int


def own_level(results: Iterable[tuple[str, bool]]) -> OwnLevel | None:
    """From his matches against bots, the oldest first: the bot's strength, and whether he won. None without any.

    Raises ValueError for a strength that is none.
    """
    ladder = list(STRENGTHS)
    level, row, matches = -1, 0, 0
    for strength, won in results:
        if strength not in ladder:
            raise ValueError(f"expected one of {', '.join(ladder)}, found {strength!r}")
        met = ladder.index(strength)
        matches += 1
        if level < 0:
            level = met
        if won and met >= level:
            row = max(row, 0) + 1
        elif not won and met <= level:
            row = min(row, 0) - 1
        if abs(row) == IN_A_ROW:
            level = min(max(level + (1 if row > 0 else -1), 0), len(ladder) - 1)
            row = 0
    return None if level < 0 else OwnLevel(ladder[level], matches)
