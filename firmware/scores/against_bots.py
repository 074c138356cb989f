"""How a player did against bots, off the scorebook: what his own level is found from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.companion.companion import NAMES
from engine.players.bots.own_level import OwnLevel, own_level
from engine.players.bots.rivals import RIVALS
from engine.rules.track import Side
from firmware.names import person_key
from firmware.scores.history import Summary

_STRENGTHS = {person_key(name): strength for name, strength in {**NAMES, **RIVALS}.items()}


def level_of(player: str, summaries: Iterable[Summary]) -> OwnLevel | None:
    """The strength of bot that suits who plays under this name; None where he never ended a match against one.

    ``summaries``: matches of the scorebook, the oldest first.
    """
    return own_level(_results(person_key(player), summaries))


def _results(player: str, summaries: Iterable[Summary]) -> Iterator[tuple[str, bool]]:
    for summary in summaries:
        for side in Side:
            strength = _STRENGTHS.get(person_key(summary.match.names[side.other]))
            if summary.winner is not None and strength and person_key(summary.match.names[side]) == player:
                yield strength, summary.winner is side
