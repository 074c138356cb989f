"""Spaced repetition: the themes a player met, spaced by the misses, and which of them are due now.

A theme is the kind of a puzzle, or a step of a lesson. The spacing is FSRS, as its Python library has it:
https://github.com/open-spaced-repetition/py-fsrs
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from engine.strict.values import AsList, Range

if TYPE_CHECKING:  # it takes a tenth of a second to load, and not every start learns
    from fsrs import Scheduler

_LAST_DAY: Final = date(9000, 1, 1).toordinal()
"""FSRS counts on from it by a hundred years at most, and Python's calendar ends with the year 9999."""
WARM_UP: Final = 3
"""So many positions warm up for an evening."""
MAX_DAYS: Final = 90
"""Nothing rests for longer than a season: chosen, for FSRS alone would let a theme rest for years."""


class RecallGrade(Enum):
    """How well a theme was met, by FSRS's number; its two other grades, of how hard it was, are asked of nobody."""

    MISSED = 1  # a wrong try, or a hint
    KNEW = 3


@dataclass(frozen=True, slots=True)
class Remembered:
    """One theme in a player's memory, as FSRS counts it.

    ``stability`` is in days, ``difficulty`` 1 to 10. ``due_day``, when it is due again, and ``last_day``, when it was
    met, are days of the calendar (``firmware.core.clock.day_number``).
    """

    stability: Annotated[float, Range(0.0001, 1e9)]
    difficulty: Annotated[float, Range(1, 10)]
    due_day: Annotated[int, Range(1, date.max.toordinal())]
    last_day: Annotated[int, Range(1, _LAST_DAY)]


Memories: TypeAlias = Mapping[str, Annotated[Remembered, AsList()]]
"""Themes by their keys, see ``firmware.ui.lessons.solving``."""


def recall_of(tries: int, *, helped: bool = False) -> RecallGrade:
    """The grade after so many wrong tries: anything not right at once was forgotten."""
    return RecallGrade.MISSED if tries or helped else RecallGrade.KNEW


def load_schedule() -> None:
    """Import FSRS ahead of time, in a thread."""
    import fsrs  # noqa: F401


def remembered(before: Remembered | None, recall: RecallGrade, day: int) -> Remembered:
    """The theme in memory after it was met like this on this day; ``before`` None: for the first time."""
    from fsrs import Card, Rating, State

    card = Card(card_id=1)
    if before is not None:
        card = Card(
            card_id=1,
            state=State.Review,
            stability=before.stability,
            difficulty=before.difficulty,
            due=_midnight(before.due_day),
            last_review=_midnight(min(before.last_day, day)),
        )
    after, _ = _scheduler().review_card(card, Rating(recall.value), _midnight(day))
    assert after.stability is not None
    assert after.difficulty is not None
    return Remembered(round(after.stability, 4), round(after.difficulty, 4), _day_of(after.due), day)


def due(memories: Iterable[Memories], day: int, most: int | None = WARM_UP) -> tuple[str, ...]:
    """Keys due on this day for any of these memories, the longest overdue first. Nothing is met twice on one day."""
    overdue: dict[str, int] = {}
    for memory in memories:
        for key, each in memory.items():
            # A clock that was years ahead wrote days to come: what was met then is due now.
            if each.last_day > day or (each.due_day <= day and each.last_day < day):
                overdue[key] = max(day - each.due_day, overdue.get(key, 0))
    return tuple(sorted(overdue, key=lambda key: (-overdue[key], key)))[:most]


def _scheduler() -> Scheduler:
    from fsrs import Scheduler

    # Evenings are days apart: nothing is learned by minutes here, and nothing is left to chance.
    return Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=MAX_DAYS, enable_fuzzing=False)


def _midnight(day: int) -> datetime:
    return datetime.fromordinal(max(1, min(day, _LAST_DAY))).replace(tzinfo=UTC)


def _day_of(when: datetime) -> int:
    return (when + timedelta(hours=12)).toordinal()
