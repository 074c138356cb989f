"""A round of a past match as it is looked at: the table after each turn, and what its review says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from display.view import Mark, PanelLine, PisteView
from display.words.review import ReviewView


@dataclass(frozen=True, slots=True)
class PastTurn:
    """The table after a turn of a round, or as it began. ``text`` says what was done, ``note`` what hung on it."""

    text: str
    piste: PisteView
    note: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A turn, from 1, that was a mistake: who made it, and whether it is kept as that player's puzzle."""

    number: int
    name: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class PastRound:
    """A round turn by turn, the first as it began, and what is known of its chances so far.

    ``offer``: what makes the mistake in the turn that is shown a puzzle, in words, and the number of its line.
    """

    turns: tuple[PastTurn, ...]
    review: ReviewView
    at: int = 0
    mistakes: tuple[Mistake, ...] = ()
    offer: tuple[str, int] | None = None


MAX_SAID: Final = 2
"""So many lines have room between table and graph: what hung on a turn is said elsewhere where the review says more."""


def said_of(past: PastRound) -> tuple[PanelLine, ...]:
    """What the review says of the shown turn, and the turn's note if there is room."""
    own, turn = _reviewed(past), past.turns[past.at]
    if turn.note and len(own) < MAX_SAID:
        own = [*(own or [PanelLine(turn.text)]), PanelLine(turn.note)]
    return tuple(own)


def unsaid_of(past: PastRound) -> str:
    """The note of the shown turn, if ``said_of`` has no room for it."""
    return past.turns[past.at].note if len(_reviewed(past)) >= MAX_SAID else ""


def _reviewed(past: PastRound) -> list[PanelLine]:
    lead = f"{past.at}. "
    own: list[PanelLine] = []
    for line in past.review.lines:
        if own and line.mark is Mark.GOOD:
            own.append(line)
        elif own:
            break
        elif line.text.startswith(lead):
            own.append(line)
    return own
