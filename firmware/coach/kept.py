"""Keeps the last answer that was worked out, while what it was made of stays the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Kept(Generic[Answer]):
    """``kept(made_of, work)`` is ``work()``, working only where ``made_of`` is not what it was in the last call.

    ``made_of`` is everything ``work`` looks at, as values that do not change; they are compared, the same objects at
    once.
    """

    def __init__(self) -> None:
        self._last: tuple[tuple[object, ...], Answer] | None = None

    def __call__(self, made_of: tuple[object, ...], work: Callable[[], Answer]) -> Answer:
        if self._last is None or self._last[0] != made_of:
            self._last = made_of, work()
        return self._last[1]
