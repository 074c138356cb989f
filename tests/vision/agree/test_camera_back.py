"""A camera that was gone and is there again: when what it shows counts."""

from __future__ import annotations

from engine.rules.track import BySide
from engine.table.observation import FigureReading, Sight, TableObservation, Why
from vision.agree.agreement import FrameReading, Memory, step
from vision.sights.observe import HIDDEN, FigureSight

TICK_S = 0.1
LOOKS = 3
GONE = BySide(FigureSight(HIDDEN), FigureSight(HIDDEN))


def figures_at(white: int, black: int) -> BySide[FigureSight]:
    return BySide(white, black).map(lambda space: FigureSight(FigureReading(space, None, 28.0 * (space - 1))))


def looked(memory: Memory, from_s: float, sights: BySide[FigureSight], times: int) -> tuple[Memory, TableObservation]:
    for number in range(times):
        memory, seen = step(memory, FrameReading(from_s + number * TICK_S, sights))
    return memory, seen


def gone_since(figures: BySide[FigureSight]) -> Memory:
    memory, seen = looked(Memory(), 0.0, figures, LOOKS)
    assert seen.sight is Sight.STEADY
    for number in range(8):
        memory, seen = step(memory, FrameReading(1.0 + number, GONE, blind=Why.CAMERA_LOST))
        assert (seen.sight, seen.why) == (Sight.BLIND, Why.CAMERA_LOST)
    return memory


def test_a_table_that_stood_still_meanwhile_counts_from_the_second_look_on() -> None:
    before = figures_at(4, 20)
    memory, first = step(gone_since(before), FrameReading(9.0, before))
    assert (first.sight, first.why) == (Sight.CHECKING, Why.CAMERA_LOST)
    _, second = step(memory, FrameReading(9.0 + TICK_S, before))
    assert (second.sight, second.why) == (Sight.STEADY, None)


def test_a_first_picture_with_half_of_an_old_one_proves_nothing() -> None:
    """White's figure was moved meanwhile, and the half of the picture in which it stands is from before."""
    before, after = figures_at(4, 20), figures_at(6, 20)
    memory, torn = step(gone_since(before), FrameReading(9.0, before))
    assert torn.sight is not Sight.STEADY
    for number in range(1, LOOKS):
        memory, seen = step(memory, FrameReading(9.0 + number * TICK_S, after))
        assert seen.sight is not Sight.STEADY
    _, seen = step(memory, FrameReading(9.5, after))
    assert (seen.sight, seen.figures.white.space) == (Sight.STEADY, 6)
