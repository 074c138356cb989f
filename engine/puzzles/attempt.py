"""How somebody stands with a puzzle: two tries, two steps of hint, then the solution; solved only unaided."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.rules.legal import Play

TRIES: Final = 2
HINTS: Final = 2


@dataclass(frozen=True, slots=True)
class Attempt:
    """``wrong`` are the turns tried that were not the best, ``hints`` the steps of hint that were asked for.

    ``right``: the best turn was found. ``shown``: the solution was asked for. ``known``: it was told before.
    """

    wrong: tuple[Play, ...] = ()
    hints: int = 0
    right: bool = False
    shown: bool = False
    known: bool = False

    @property
    def over(self) -> bool:
        """Whether there is nothing more to find: the solution may be told."""
        return self.right or self.shown or len(self.wrong) >= TRIES

    @property
    def aided(self) -> bool:
        """Whether it cannot be solved any more without help: a try went wrong, or a hint was given."""
        return bool(self.wrong or self.hints or self.shown or self.known)

    @property
    def solved(self) -> bool:
        """Whether the best turn was found at the first try and without a hint."""
        return self.right and not self.aided

    def again(self) -> Attempt:
        """The next attempt, once this one is over: whoever was told the solution knows it."""
        return Attempt(known=not self.solved) if self.over else self

    def answered(self, play: Play, best: Play) -> Attempt:
        """After this turn was given for the answer; nothing changes once it is over, or by the same turn twice."""
        if self.over or play in self.wrong:
            return self
        return replace(self, right=True) if play == best else replace(self, wrong=(*self.wrong, play))

    def hinted(self) -> Attempt:
        """After a hint was asked for; after the last of them it is the solution."""
        if self.over:
            return self
        return replace(self, shown=True) if self.hints >= HINTS else replace(self, hints=self.hints + 1)


FRESH: Final = Attempt()
