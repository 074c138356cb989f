"""Corrections: later entries of a match that change what earlier ones said. Nothing is erased by them.

A correction replaces, inserts or removes turns of the current round, or sets the figures, the score or cards that the
record does not know. ``engine.record.course`` applies one and judges everything after it again. Source:
hardware/PLATFORM.md, "What owners complain of", 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar, TypeAlias

from engine.rules.cards import Card, CardName
from engine.rules.endings import BY_DECLARATION, end_round
from engine.rules.events import (
    MAX_POINTS,
    EventError,
    RevealEvent,
    TurnEvent,
    YieldEvent,
    event_from_json,
    event_to_json,
)
from engine.rules.state import BY_TIME, Phase, PublicState, Reason, pair
from engine.rules.track import SPACES, BySide, Side
from engine.strict.text import MalformedError
from engine.strict.values import Converter, Discriminator, Length, Range, plain, read

PlayEvent: TypeAlias = TurnEvent | YieldEvent | RevealEvent
"""A play in a round, which a correction may replace or insert."""


def _play(obj: object) -> PlayEvent:
    event = event_from_json(obj)
    if not isinstance(event, TurnEvent | YieldEvent | RevealEvent):
        raise EventError(f"a change of the round is a turn, a yield or a reveal, not a {event.name}", event=event.name)
    return event


_Play: TypeAlias = Annotated[PlayEvent, Converter(_play, event_to_json, "a turn, a yield or a reveal")]
_Turn: TypeAlias = Annotated[int, Range(0, MAX_POINTS)]


class CorrectionError(ValueError):
    """A correction that cannot be made. Its text is one English sentence; the match stands as it stood."""


class Won(Enum):
    """The winner of a round, said outright."""

    WHITE = "white"
    BLACK = "black"
    NOBODY = "nobody"

    @property
    def side(self) -> Side | None:
        """The winner, None for a drawn round."""
        return None if self is Won.NOBODY else Side(self.value)


@dataclass(frozen=True, slots=True)
class Setting:
    """How it is, said outright: what is None (or empty) stays as it was.

    ``figures``: where both stand. ``score``: the points of the match. ``cards``: cards that were played this round and
    that nobody recorded; so many fewer are left in the pile. ``won``: the round is over, and who won it.
    """

    name: ClassVar[str] = "set"
    figures: BySide[int] | None = None
    score: BySide[int] | None = None
    cards: tuple[CardName, ...] = ()
    won: Won | None = None

    @property
    def empty(self) -> bool:
        return self == Setting()


@dataclass(frozen=True, slots=True)
class Replace:
    """Turn ``turn`` of this round was really ``event``. Turns count from 1; so do a reveal, a setting and time."""

    name: ClassVar[str] = "replace"
    turn: _Turn
    event: _Play


@dataclass(frozen=True, slots=True)
class Insert:
    """After turn ``after`` of this round (0: before the first) ``event`` was played and not recorded."""

    name: ClassVar[str] = "insert"
    after: _Turn
    event: _Play


@dataclass(frozen=True, slots=True)
class Remove:
    """Turn ``turn`` of this round was never played."""

    name: ClassVar[str] = "remove"
    turn: _Turn


Change: TypeAlias = Annotated[Setting | Replace | Insert | Remove, Discriminator("change")]


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry of the journal: what is changed, and why, in the words of whoever did it.

    All turn numbers are those before the correction. Settings come after the last turn.
    """

    name: ClassVar[str] = "correct"
    changes: Annotated[tuple[Change, ...], Length(1, MAX_POINTS)]
    why: str = ""


def set_outright(state: PublicState, setting: Setting) -> PublicState:
    """The state as the setting says it is. Raises CorrectionError."""
    if setting.empty:
        raise CorrectionError("The correction changes nothing: name figures, a score, cards or who won.")
    if state.round == 0:
        raise CorrectionError("No round has begun yet, so there is nothing to correct.")
    following = state._replace(previous=state)
    if setting.figures is not None:
        following = _with_figures(following, setting.figures)
    if setting.cards:
        following = _with_cards(following, setting.cards)
    if setting.score is not None:
        following = _with_score(following, setting.score)
    if setting.won is not None:
        following = _with_winner(following, setting.won)
    return following


def _with_winner(state: PublicState, won: Won) -> PublicState:
    if state.phase not in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
        raise CorrectionError("This round is over already: change its last turn.")
    reason = Reason.DRAW if won is Won.NOBODY else Reason.SAID
    return end_round(state, won.side, reason, BY_DECLARATION, state.rules.source)[0]


def _with_figures(state: PublicState, figures: BySide[int]) -> PublicState:
    if state.phase not in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
        raise CorrectionError("The figures can be set while a round is played; this one is over: change its last turn.")
    if not 1 <= figures.white < figures.black <= SPACES:
        found = f"{figures.white} and {figures.black}"
        raise CorrectionError(f"White stands left of Black on spaces 1 to {SPACES}, not on {found}.")
    return state._replace(spaces=pair(figures.white, figures.black), distance=figures.black - figures.white)


def _with_cards(state: PublicState, cards: tuple[Card, ...]) -> PublicState:
    known = [str(card) for card in cards if card in state.played]
    if known or len(set(cards)) < len(cards):
        raise CorrectionError(
            f"These cards were already played this round: {', '.join(known) or 'one is named twice'}."
        )
    if not room_for_cards(state, len(cards)):
        raise CorrectionError(
            f"{len(cards)} unrecorded cards cannot have been played with {state.pile} in the pile: "
            "correct the turns they belong to."
        )
    return state._replace(played=state.played + cards, pile=state.pile - len(cards))


def room_for_cards(state: PublicState, count: int) -> bool:
    """Whether so many cards can have been played unrecorded: each was drawn for, and the last card was not drawn."""
    return state.phase is Phase.TURN and count < state.pile


def _with_score(state: PublicState, score: BySide[int]) -> PublicState:
    if state.result is not None and state.result.reason in BY_TIME:
        raise CorrectionError("Time ended this match by its score: take that back before the score is changed.")
    if any(not 0 <= points <= state.points for _, points in score.items()):
        raise CorrectionError(f"The score of a match to {state.points} is from 0 to {state.points} for each side.")
    won = [side for side, points in score.items() if points == state.points]
    if not won:
        phase = Phase.ROUND_OVER if state.phase is Phase.MATCH_OVER else state.phase
        return state._replace(score=pair(score.white, score.black), phase=phase)
    if len(won) > 1 or state.result is None or state.result.winner is not won[0]:
        raise CorrectionError(
            f"{state.points} points end the match, which only the winner of a finished round reaches."
        )
    return state._replace(score=pair(score.white, score.black), phase=Phase.MATCH_OVER)


def correction_to_json(correction: Correction) -> dict[str, Any]:
    """The correction as JSON; ``correction_from_json`` gives it back."""
    return {"event": correction.name, **plain(Correction, correction), "why": correction.why}


def correction_from_json(obj: object) -> Correction:
    """The correction this JSON value is; undeclared members are ignored. Raises EventError for anything else."""
    if not isinstance(obj, dict) or obj.get("event") != Correction.name:
        raise EventError('a correction is {"event": "correct", "changes": [...], "why": "..."}')
    try:
        return read(Correction, obj, others=True)
    except MalformedError as error:
        raise EventError(f"a correction cannot be read: {error}", event=Correction.name) from error
