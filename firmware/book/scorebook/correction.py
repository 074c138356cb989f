"""Correcting a match of the scorebook from the command line: which turn, what it really was, and why.

A part of ``engarde book`` of its own: during play the screen's two buttons and ``Loop.correct`` do the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.record.corrections import Change, Correction, CorrectionError, Insert, Remove, Replace, Setting
from engine.record.course import CORRECTED, Course, Fallen, JournalEntry, follow
from engine.rules.events import Event, RevealEvent, TimeEvent, TurnEvent, YieldEvent
from engine.rules.messages import message
from engine.rules.state import Phase
from firmware.book.scorebook.book import Played, Row, open_scorebook
from firmware.book.scorebook.file import ScorebookError, is_there
from firmware.core.clock import calendar


def correction_note(row: Row) -> str:
    """``Corrected as event 9 (2026-11-21 18:03): turn 2 was really 3c, White on 4, Black on 23. Why: misread.``"""
    assert isinstance(row.event, Correction)
    changes = "; ".join(change_text(change) for change in row.event.changes)
    why = f" Why: {' '.join(row.event.why.split())}." if row.event.why.strip() else ""
    return f"Corrected as event {row.seq} ({when_text(row.wall_s)}): {changes}.{why}"


def when_text(wall_s: float) -> str:
    """A time for people, in local time; what a machine without a clock believed is no time."""
    when = calendar(wall_s)
    return "no clock" if when is None else when.strftime("%Y-%m-%d %H:%M")


def change_text(change: Change) -> str:
    """A change as a sentence."""
    match change:
        case Replace(turn, event):
            return f"turn {turn} was really {play_text(event)}"
        case Insert(after, event):
            return f"after turn {after} came {play_text(event)}"
        case Remove(turn):
            return f"turn {turn} was never played"
    parts = []
    if change.figures is not None:
        parts.append(f"White stands on {change.figures.white} and Black on {change.figures.black}")
    if change.score is not None:
        parts.append(f"the score is {change.score.white}:{change.score.black}")
    if change.cards:
        parts.append(f"{', '.join(str(card) for card in change.cards)} had been played too")
    if change.won is not None:
        winner = change.won.side
        parts.append("the round was drawn" if winner is None else f"{winner.value.capitalize()} won the round")
    return ", ".join(parts)


def play_text(event: Event) -> str:
    """A turn as it was seen, not as it was ruled."""
    match event:
        case TurnEvent(cards, white, black):
            laid = " ".join(str(card) for card in cards) or "no card"
            return f"{laid}, White on {white}, Black on {black}"
        case YieldEvent(cards):
            return "giving up" + (f" with {' '.join(str(card) for card in cards)} laid" if cards else "")
        case RevealEvent(white_hand, black_hand):
            hands = (" ".join(str(card) for card in hand) or "nothing" for hand in (white_hand, black_hand))
            return "both hands shown: {} and {}".format(*hands)
        case TimeEvent():
            return "time was up"
    return event.name


def fallen_text(fallen: Fallen) -> str:
    """Which turn no longer holds, and why."""
    entry = fallen.entry
    told = play_text(entry) if not isinstance(entry, Setting) else "a correction"
    why = message(fallen.ruling) if fallen.ruling is not None else "The turns before it no longer lead there."
    return f"Turn {fallen.turn} ({told}) no longer holds. {why}"


def correct_match(path: Path, number: int | None, entry_of: Callable[[Course], JournalEntry | None]) -> tuple[str, str]:
    """Write ``entry_of`` the match behind it; with no entry only list its round. ``number`` None: the last match.

    Gives the book's notice, and how the match stands now. Raises ScorebookError.
    """
    if not is_there(path):
        raise ScorebookError(f"there is no scorebook {path} yet: play a match first.")
    with open_scorebook(path, alone=True) as book:
        if number is None and not (matches := book.matches(last=1)):
            raise ScorebookError(f"there is no match in {path} yet.")
        played = book.replay(matches[0] if number is None else number)
        course = played.course
        if course is None or played.problem:
            raise ScorebookError(f"{path}: {played.problem}; a match is corrected only where all of it can be read.")
        try:
            entry = entry_of(course)
            if entry is None:
                return book.notice, round_text(played)
            after, ruling = follow(course, entry)
        except CorrectionError as error:
            raise ScorebookError(str(error)) from error
        if after is None or not ruling.ok:
            raise ScorebookError("there is nothing to take back: the match has only begun.")
        book.resume(played).append(entry, ruling, 0.0)
        return book.notice, round_text(book.replay(played.match.id))


def round_text(played: Played) -> str:
    """The match and its current round as they stand, with the numbers that corrections go by."""
    course, match = played.course, played.match
    assert course is not None
    state = course.state
    began = when_text(match.wall_s)
    lines = [
        f"Match {match.id}, {match.names.white} (White) against {match.names.black} (Black), begun {began}: "
        f"{state.score.white}:{state.score.black}, round {state.round}."
    ]
    for number, step in enumerate(course.round_steps, 1):
        entry = step.entry
        told = f"set: {change_text(entry)}" if isinstance(entry, Setting) else play_text(entry)
        lines.append(f"{number:3}. {told}")
    to_act = f"{state.to_act.value.capitalize()} to act" if state.to_act is not None else _PHASES[state.phase]
    lines.append(f"     White stands on {state.spaces.white}, Black on {state.spaces.black}; {to_act}.")
    if played.rows and played.rows[-1].event.name == CORRECTED.event:
        lines += [fallen_text(fallen) for fallen in course.fallen]
    lines += [correction_note(row) for row in played.corrections]
    return "\n".join(lines)


_PHASES: Final = {
    Phase.SETUP: "the first round has not begun",
    Phase.REVEAL: "both hands are to be shown",
    Phase.ROUND_OVER: "the round is over",
    Phase.MATCH_OVER: "the match is over",
}
