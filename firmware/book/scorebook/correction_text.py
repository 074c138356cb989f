"""Corrections as English sentences, for records and lists: when, what, why."""

from __future__ import annotations

from engine.record.corrections import Change, Correction, Insert, Remove, Replace, Setting
from engine.record.course import Fallen
from engine.rules.events import Event, RevealEvent, TimeEvent, TurnEvent, YieldEvent
from engine.rules.messages import message
from firmware.book.scorebook.book import Row
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
    """What a change says happened."""
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
