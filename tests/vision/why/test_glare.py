"""Light that burns out what should be read, told for as long as it keeps anything from being read."""

from __future__ import annotations

import cv2
import numpy as np

from vision.belief import BRIEFLY_S
from vision.change.gate import Mask, Thumb
from vision.change.ground import GroundWatch
from vision.why.glare import GlareWatch, is_burnt, markers_are_burnt

SHAPE = (60, 80)


PLAY = np.ones(SHAPE, np.uint8)
NOTHING = np.zeros(SHAPE, np.uint8)
LABEL = (slice(20, 28), slice(30, 38))
CARD_CELLS, LABEL_CELLS, LEVEL = 300.0, 64.0, 240.0


def table(*bright: tuple[tuple[slice, slice], float]) -> Thumb:
    thumb = np.full(SHAPE, 90, np.float32)
    for cells, grey in bright:
        thumb[cells] = grey
    return thumb


def lit(thumb: Thumb, level: float = LEVEL) -> Mask:
    """What burns, all of it in the play area."""
    return np.asarray(thumb >= level).view(np.uint8)


class Table:
    """A glare watch with the memory of the bare table it is asked with."""

    def __init__(self) -> None:
        self.glare, self.ground = GlareWatch(), GroundWatch()

    def learn(self, thumb: Thumb, t_s: float, cards: Mask) -> None:
        self.glare.rested(t_s)
        self.ground.learn(thumb, cards)

    def came(
        self, thumb: Thumb, t_s: float, *, free: Mask = PLAY, level: float = LEVEL, sure: bool = True
    ) -> tuple[int, bool]:
        """How many things came, and whether glare is told."""
        burnt, changed = lit(thumb, level), self.ground.changed(thumb)
        if not self.glare.burns(burnt, LABEL_CELLS):
            return 0, False
        cells, told = self.glare.came(changed, burnt, free, t_s, CARD_CELLS, LABEL_CELLS, sure=sure)
        return cv2.connectedComponents(cells)[0] - 1, told


CARD = (slice(10, 30), slice(10, 25))
BURN = (slice(12, 18), slice(12, 18))


def test_something_of_a_cards_size_that_came_and_burns_is_told_for_a_while_and_its_place_for_longer() -> None:
    watch = Table()
    watch.learn(table(), 0.0, NOTHING)
    laid = table((CARD, 150.0), (BURN, 255.0))
    at = 2 * BRIEFLY_S + 10.0
    assert watch.came(table(), at - 1) == (0, False)
    assert watch.came(laid, at) == (1, True)
    assert watch.came(laid, at + 2 * BRIEFLY_S) == (1, True)
    assert watch.came(laid, at + 2 * BRIEFLY_S + 0.1) == (1, False)
    assert watch.came(table((CARD, 150.0)), at + 20) == (0, False)


def test_what_was_there_is_not_told_nor_a_known_card_nor_what_is_too_small_or_too_large() -> None:
    late = 2 * BRIEFLY_S + 10.0
    lamp = table((BURN, 255.0))
    watch = Table()
    watch.learn(lamp, 0.0, NOTHING)
    assert watch.came(lamp, late) == (0, False)
    assert watch.came(table((CARD, 150.0), (BURN, 255.0)), late) == (1, True)  # laid right into the light
    fresh = Table()
    fresh.learn(table(), 0.0, NOTHING)
    assert fresh.came(lamp, late) == (0, False)  # a reflection alone, smaller than a card
    assert fresh.came(table(((slice(0, 60), slice(0, 50)), 150.0), (BURN, 255.0)), late) == (0, False)
    free = PLAY.copy()
    free[CARD] = 0
    assert fresh.came(table((CARD, 150.0), (BURN, 255.0)), late, free=free) == (0, False)


def test_what_burns_in_the_first_picture_is_told_at_first() -> None:
    watch, lamp = Table(), table((BURN, 255.0))
    assert watch.came(lamp, 0.0) == (0, True)
    watch.learn(lamp, 0.0, NOTHING)
    assert watch.came(lamp, BRIEFLY_S) == (0, True)
    assert watch.came(lamp, BRIEFLY_S + 0.1) == (0, False)


def test_a_lamp_brought_nearer_is_no_change_of_the_table() -> None:
    watch = Table()
    watch.learn(table(), 0.0, NOTHING)
    brighter = table((BURN, 255.0))
    brighter[brighter < 200] *= 1.4
    assert watch.came(brighter, 20.0) == (0, False)


def test_tags_and_markers() -> None:
    corners = np.array([[240.0, 160.0], [296.0, 160.0], [296.0, 216.0], [240.0, 216.0]])
    assert is_burnt(table(((slice(20, 24), slice(30, 34)), 255.0)), corners)
    assert not is_burnt(table(((slice(20, 22), slice(30, 33)), 255.0)), corners)
    elsewhere = corners + np.array([200.0, 100.0])
    assert markers_are_burnt(table((LABEL, 255.0)), [corners, elsewhere])
    assert not markers_are_burnt(table((LABEL, 255.0)), [corners, elsewhere, elsewhere + 50.0])
    assert not markers_are_burnt(table(), [])
    assert not is_burnt(table((LABEL, 240.0)), corners)  # paper in much light, which can be read


def test_a_card_taken_out_of_the_light_bares_the_table_and_brings_nothing() -> None:
    late, lamp = 2 * BRIEFLY_S + 10.0, table((BURN, 255.0))
    known = NOTHING.copy()
    known[CARD] = 1
    watch = Table()
    watch.learn(lamp, 0.0, NOTHING)
    watch.learn(table((CARD, 150.0), (BURN, 255.0)), late, known)
    assert watch.came(lamp, late + 1.0) == (0, False)
    first = Table()  # it lay there from the beginning: nobody knows what is beneath
    first.learn(table((CARD, 150.0), (BURN, 255.0)), 0.0, known)
    assert first.came(lamp, late + 1.0) == (0, False)
    first.learn(lamp, late + 2.0, NOTHING)
    assert first.came(table((CARD, 150.0), (BURN, 255.0)), late + 3.0) == (1, True)


def test_where_all_paper_is_too_bright_only_what_came_is_told() -> None:
    def found(watch: Table, thumb: Thumb, t_s: float) -> tuple[int, bool]:
        return watch.came(thumb, t_s, level=252.0, sure=False)

    sun = table(((slice(0, 60), slice(0, 40)), 255.0))
    watch = Table()
    assert found(watch, sun, 0.0) == (0, False)
    watch.learn(sun, 0.0, NOTHING)
    assert found(watch, sun, 1.0) == (0, False)
    laid = sun.copy()
    laid[10:30, 30:45] = 150.0
    laid[12:20, 34:42] = 255.0
    assert found(watch, laid, 2.0) == (1, True)


def test_a_light_with_a_wide_soft_edge_is_told() -> None:
    down, across = np.mgrid[: SHAPE[0], : SHAPE[1]]
    off = np.hypot(down - 30, across - 40)
    light = np.clip(528.0 - 16.0 * off, 90.0, 255.0).astype(np.float32)  # its edge is twice as large as what burns
    watch = Table()
    watch.learn(table(), 0.0, NOTHING)
    assert watch.came(light, 20.0) == (1, True)


def test_what_lies_a_little_beside_where_it_lay_is_the_same_and_elsewhere_another_thing_that_came() -> None:
    watch = Table()
    watch.learn(table(), 0.0, NOTHING)
    late = 2 * BRIEFLY_S + 10.0
    assert watch.came(table((CARD, 150.0), (BURN, 255.0)), 10.0) == (1, True)
    nudged = (slice(13, 33), slice(12, 27))
    assert watch.came(table((nudged, 150.0), (BURN, 255.0)), late + 0.1) == (1, False)
    far, light = (slice(30, 50), slice(40, 55)), (slice(32, 38), slice(42, 48))
    assert watch.came(table((far, 150.0), (light, 255.0)), late + 0.2) == (1, True)
