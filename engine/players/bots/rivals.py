"""The names under which bots sit at a table with hands of their own, one for each strength: names like any other."""

from __future__ import annotations

from typing import Final

from engine.players.bots.strengths import STRENGTHS
from engine.rules.track import BySide, Side


def rival_name(strength: str) -> str:
    """What a bot of this strength is called in the scorebook, in every language."""
    return f"Bot ({strength})"


RIVALS: Final = {rival_name(strength): strength for strength in STRENGTHS}
"""Every such name, weakest first, with its strength."""


def rivals_in(names: BySide[str]) -> dict[Side, str]:
    """The sides that bots play with hands of their own, each with its strength."""
    return {side: RIVALS[name] for side, name in names.items() if name in RIVALS}
