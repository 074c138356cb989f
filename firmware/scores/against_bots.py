"""How a player did against bots, off the scorebook: what his own level is found from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.companion.companion import NAMES
from engine.players.bots.strengths import RIVALS, OwnLevel, own_level
from engine.rules.track import Side
from firmware.names import person_key
from firmware.scorebook.book import Scorebook
from firmware.scores.history import Summary, summarise

LATELY: Final = 60
"""So many matches of the book, the last ones, say what strength suits somebody now."""
_STRENGTHS: Final = {person_key(name): strength for name, strength in {**NAMES, **RIVALS}.items()}


def levels_in(book: Scorebook, players: Iterable[str]) -> dict[str, OwnLevel]:
    """The same off this book, of which only late matches against bots are judged again. Raises ScorebookError."""
    against = [
        match for match in book.matches(last=LATELY) if any(_strength_of(name) for _, name in match.names.items())
    ]
    return levels_of(players, tuple(filter(None, map(summarise, map(book.replay, against)))))


def levels_of(players: Iterable[str], summaries: Sequence[Summary]) -> dict[str, OwnLevel]:
    """The strength of bot that suits each of these now; who lately ended no match against one is left out.

    ``summaries``: all matches of the scorebook, the oldest first.
    """
    lately = summaries[-LATELY:]
    levels = ((name, level_of(name, lately)) for name in players)
    return {name: level for name, level in levels if level is not None}


def level_of(player: str, summaries: Iterable[Summary]) -> OwnLevel | None:
    """The strength of bot that suits who plays under this name; None where he never ended a match against one.

    ``summaries``: matches of the scorebook, the oldest first.
    """
    return own_level(_results(person_key(player), summaries))


def _results(player: str, summaries: Iterable[Summary]) -> Iterator[tuple[str, bool]]:
    for summary in summaries:
        for side in Side:
            strength = _strength_of(summary.match.names[side.other])
            if summary.winner is not None and strength and person_key(summary.match.names[side]) == player:
                yield strength, summary.winner is side


def _strength_of(name: str) -> str | None:
    return _STRENGTHS.get(person_key(name))
