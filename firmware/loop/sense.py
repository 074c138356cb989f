"""Whether what a part of the table gave can be what it was asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, get_args

from display.i18n import LANGUAGES
from display.lamps import LAMPS
from display.view import Situation, ViewModel
from engine.rules.track import BySide
from engine.table.desk import Desk, Entry
from engine.table.observation import TableObservation
from engine.table.presses import Button, Press
from firmware.loop.requests import Request

_REQUESTS: Final = get_args(Request)


def are_requests(asked: object) -> bool:
    """Whether all of it can be asked of the loop."""
    return isinstance(asked, tuple) and all(isinstance(each, _REQUESTS) for each in asked)


def is_sifted(table: object, seen: TableObservation) -> bool:
    """Whether it is this table, with nothing on it that was not there: cards may have been taken out, or doubted.

    The companion's may lie elsewhere: at a reveal they count in its half.
    """
    there = [reading.card for reading in seen.cards]
    return (
        isinstance(table, TableObservation)
        and (table.t_s, table.figures) == (seen.t_s, seen.figures)
        and all(reading.card in there for reading in table.cards)
    )


def are_presses(heard: object) -> bool:
    """Whether all of it are presses of buttons there are, at a time there is."""
    return isinstance(heard, tuple) and all(
        isinstance(each, Press) and isinstance(each.button, Button) and math.isfinite(each.t_s) for each in heard
    )


def are_heard(heard: tuple[Press, ...], presses: Sequence[Press], now_s: float) -> bool:
    """Whether all of it are presses until now: those there were, by whomever they count for, and one on top of them.

    The coach presses for somebody who has played on.
    """
    return are_presses(heard) and len(heard) <= len(presses) + 1 and all(each.t_s <= now_s for each in heard)


def is_judged(judged: object) -> bool:
    """Whether it is a desk, and what fell."""
    match judged:
        case (Desk(), (*entries,)):
            return all(isinstance(each, Entry) for each in entries)
    return False


def is_situation(advised: object) -> bool:
    """Whether it can be put into words, as far as its form tells."""
    return isinstance(advised, Situation) and advised.language in LANGUAGES and isinstance(advised.names, BySide)


def is_view(view: object) -> bool:
    """Whether screen, lamps and sound can do with it, as far as its form tells."""
    return isinstance(view, ViewModel) and isinstance(view.serial, int) and {*view.lamps} == {*LAMPS}


def is_look(look: object, t_s: float) -> bool:
    """Whether the eyes looked at the frame of this time."""
    table = getattr(look, "table", None)
    return isinstance(table, TableObservation) and table.t_s == t_s
