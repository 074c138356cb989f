"""The piste and its two ends. Source: FERTI-FR (setting up); RULES.md, "The game"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeVar

SPACES: Final = 23
MIDDLE: Final = 12


class Side(Enum):
    """A fencer and its player. White stands left and moves up the numbers, Black right and down."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def forward(self) -> int:
        """+1 for White, -1 for Black: the sign of an advance in space numbers."""
        return 1 if self is Side.WHITE else -1


T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class BySide(Generic[T]):
    """One value for each side: ``pair[Side.WHITE]``."""

    white: T
    black: T

    def __getitem__(self, side: Side) -> T:
        return self.white if side is Side.WHITE else self.black

    def put(self, side: Side, value: T) -> BySide[T]:
        """The same pair with one side's value replaced."""
        return BySide(value, self.black) if side is Side.WHITE else BySide(self.white, value)

    def map(self, change: Callable[[T], U]) -> BySide[U]:
        return BySide(change(self.white), change(self.black))

    def items(self) -> Iterator[tuple[Side, T]]:
        yield Side.WHITE, self.white
        yield Side.BLACK, self.black


START: Final = BySide(1, SPACES)
