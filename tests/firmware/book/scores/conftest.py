"""What the tests of scores share: a match in a line, made by who won its rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.rules.state import Reason, Result
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow
from firmware.book.scores.history import How, RoundFacts, Summary

REASONS: Final = {
    How.DIRECT: Reason.HIT,
    How.INDIRECT: Reason.HIT,
    How.CARDS: Reason.MORE_ATTACK_CARDS,
    How.DISTANCE: Reason.FURTHER_ADVANCED,
    How.STUCK: Reason.NO_LEGAL_MOVE,
}


def a_match(
    number: int,
    white: str,
    black: str,
    rounds: str = "ww",
    *,
    rules: str = "ferti-advanced",
    starter: Side = Side.WHITE,
    points: int = 2,
    mode: str = "play",
    ways: Sequence[How] = (How.DIRECT,),
    added: int = 0,
) -> Summary:
    """``rounds``: ``w``, ``b`` or ``-`` for each; finished once somebody has the points. ``ways`` of winning a round
    come in turn; ``added`` are White's points by a correction. The clock runs backwards from match to match."""
    ended, side = [], starter
    for place, letter in enumerate(rounds):
        winner = {"w": Side.WHITE, "b": Side.BLACK}.get(letter)
        how = ways[place % len(ways)] if winner is not None else None
        ended.append(RoundFacts(side, 10, Result(winner, Reason.DRAW if how is None else REASONS[how]), how))
        side = side.other
    score = BySide(rounds.count("w") + added, rounds.count("b"))
    winner = next((side for side, made in score.items() if made == points), None)
    row = MatchRow(number, BySide(white, black), mode, None, 1000.0 - number)
    given = (rules, points, starter, score, winner, winner is not None, len(rounds), 10 * len(rounds))
    return Summary(row, *given, tuple(ended), "")
