"""Keeps what was worked out for things that are still the same objects in the next frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


class Memo(Generic[Item, Value]):
    """``memo(items, work)`` is ``[work(item) for item in items]``, working only on what was not in the last call.

    Items are told apart as objects, so that arrays need no comparing. ``clear`` when ``work`` would now say otherwise.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Item, Value]] = {}

    def __call__(self, items: Iterable[Item], work: Callable[[Item], Value]) -> list[Value]:
        known = {id(item): self._known.get(id(item)) or (item, work(item)) for item in items}
        # The items themselves are kept too: an id may be given anew once its object is gone.
        self._known = known
        return [value for _, value in known.values()]

    def clear(self) -> None:
        self._known = {}


class Latest(Generic[Item, Value]):
    """``latest(items, work)`` is ``work(items)``, worked out anew only when they are others than in the last call."""

    def __init__(self) -> None:
        self._known: tuple[Sequence[Item], Value] | None = None

    def __call__(self, items: Sequence[Item], work: Callable[[Sequence[Item]], Value]) -> Value:
        if self._known is None or not same_objects(items, self._known[0]):
            self._known = (items, work(items))
        return self._known[1]


def same_objects(some: Sequence[object], others: Sequence[object]) -> bool:
    """Whether both hold the very same objects in the same order."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
