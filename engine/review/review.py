"""A round reviewed turn by turn: the chances before and after, the turns that decided, and what is proved better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.record.course import CourseStep
from engine.record.retelling import retell
from engine.review.chance import LIES, Chance, chance_of, shown_chance
from engine.review.proof import Better, Fitting, fitting, proofs
from engine.rules.track import Side

MOST_DECIDING: Final = 3
"""A round is said to have turned on no more turns than these."""
DECIDES: Final = 0.15
"""A turn decides only where the chance went by so much, and beyond what the limits leave open."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One turn (or showing of hands, or giving up) of a round.

    ``number`` counts from 1 to ``of``; ``side``: whose it was, None for both. ``better``: proved, else None.
    ``shown_before`` and ``shown_after``: the chances with the hands that were shown at the end, None where none were,
    or where too many ways fit.
    """

    number: int
    of: int
    step: CourseStep
    side: Side | None
    before: Chance
    after: Chance
    better: Better | None
    shown_before: Chance | None = None
    shown_after: Chance | None = None

    @property
    def change(self) -> float:
        """By how much White's chance rose; negative for a fall."""
        return self.after.white - self.before.white

    @property
    def is_certain(self) -> bool:
        """Whether the chance changed by more than the limits leave open."""
        return self.before.high < self.after.low or self.after.high < self.before.low


def review(steps: Sequence[CourseStep], lies: int = LIES) -> Iterator[Reviewed]:
    """The round these steps are, one turn after the other as it is worked out: about half a second each.

    ``steps`` are those after its beginning, as ``finished_rounds`` gives them.
    """
    if not steps:
        return
    begun = steps[0].state.previous
    assert begun is not None
    fits = fitting(steps)
    better = proofs(steps, [page.moments for page in retell(steps)], fits)
    shown = _shown(steps, fits)
    before = chance_of(begun, lies)
    for place, step in enumerate(steps):
        after = chance_of(step.state, lies)
        acted = step.state.previous.to_act if step.state.previous is not None else None
        known = shown.get(place), shown.get(place + 1)
        yield Reviewed(place + 1, len(steps), step, acted, before, after, better.get(place), *known)
        before = after


def _shown(steps: Sequence[CourseStep], fits: Mapping[int, Sequence[Fitting]]) -> Mapping[int, Chance]:
    """The chances with the hands that were shown, by the place of the turn before which they are."""
    found = {}
    for place, ways in fits.items():
        before = steps[place].state.previous
        if before is not None and before.to_act is not None:
            found[place] = shown_chance(before.to_act, ways)
    if found:  # from the last of these turns on nothing was open any more
        for place in range(max(found) + 1, len(steps) + 1):
            found[place] = chance_of(steps[-1].state)
    return found


def deciding(reviewed: Sequence[Reviewed]) -> tuple[Reviewed, ...]:
    """The few turns on which the round turned, in the order in which they were made."""
    moved = [each for each in reviewed if each.is_certain and abs(each.change) >= DECIDES]
    most = sorted(moved, key=lambda each: -abs(each.change))[:MOST_DECIDING]
    return tuple(sorted(most, key=lambda each: each.number))
