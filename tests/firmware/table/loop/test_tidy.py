"""Garbage goes between frames, what takes long to go through is set aside, and at the end Python has its way again."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from firmware.table.loop import tidy as tidy_module
from firmware.table.loop.tidy import AFTER_MOMENTS, AFTER_ROUNDS, Tidy

NOTHING: Any = None


@pytest.fixture(autouse=True)
def left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tidy has the real ``gc`` here, and nothing is frozen when it begins or after it."""
    monkeypatch.setattr(tidy_module, "gc", gc)
    gc.unfreeze()
    before = gc.get_threshold()
    yield
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
    gc.freeze()


def until_it_is_time(tidy: Tidy) -> None:
    """Make things until some have gathered."""
    kept: list[list[int]] = []
    while gc.get_count()[2] < AFTER_ROUNDS:
        kept.append([])


def old_garbage() -> Callable[[], object]:
    """Something that only a whole collection takes away, as Python keeps it; gives None once it went."""

    class Circle:
        myself: Circle

    circle = Circle()
    circle.myself = circle
    gc.collect(1)  # as Python does by itself: it is not young any more
    return weakref.ref(circle)


@pytest.mark.slow
def test_garbage_goes_when_some_has_gathered_or_after_so_many_moments() -> None:
    with closing(Tidy()) as tidy:
        for _ in range(2):
            old = old_garbage()
            tidy.attend(NOTHING)
            assert old() is not None
            until_it_is_time(tidy)
            assert old() is not None  # Python itself leaves the old ones alone
            tidy.attend(NOTHING)
            assert old() is None
            old = old_garbage()
            for _ in range(AFTER_MOMENTS - 1):
                tidy.attend(NOTHING)
            assert gc.get_count()[2] < AFTER_ROUNDS
            assert old() is not None
            tidy.attend(NOTHING)
            assert old() is None


@pytest.mark.slow
def test_what_takes_long_to_go_through_is_set_aside() -> None:
    now_s = [0.0]

    def slow() -> float:
        now_s[0] += 0.05
        return now_s[0]

    with closing(Tidy(lambda: 0.0)) as quick, closing(Tidy(slow)) as tidy:
        before = gc.get_freeze_count()
        kept = [[] for _ in range(5000)]  # type: ignore[var-annotated]
        until_it_is_time(tidy)
        quick.attend(NOTHING)
        assert gc.get_freeze_count() <= before  # what another thread lets go of leaves the frozen, too
        until_it_is_time(tidy)
        tidy.attend(NOTHING)
        assert gc.get_freeze_count() > before + len(kept) // 2
