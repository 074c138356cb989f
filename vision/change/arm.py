"""An arm that rests over the table: a large change that reaches in from the picture's edge and then holds still.

A sleeve may look like the table: then the change ends where the sleeve begins, and is no arm. What is left, a hand,
may hold a card: ``Sightings`` asks what came with each. Cards that lie there are known by their labels and are no part
of an arm.

No frame is the empty table by itself, least of all the first: what differs from the picture that frames are held
against is an arm only where that stands out from the table now. Where it stood out in the older picture, an arm lay
there then and the table is seen now, once nothing moves; what has no outline may be light, and is no arm for long.

What has rested for long may be a thing and is no arm any more, so that play can go on around it. But it may be a hand
all the same: ``absorbed`` says where what is missed may only be hidden. Once most of it looks otherwise it is an arm
again; what only passes over it, or is laid there, does not make it one.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.belief import BRIEFLY_S, LONG_S, STANDS, SURE, weighed
from vision.cells import Mask, Thumb, any_of, both, grown, median, relit, wide, without
from vision.change.gate import Steepness, change
from vision.change.ground import GroundWatch, lamps_changed
from vision.change.outline import SIDE_CELLS, TOLD, Cells, evidence, pieces
from vision.geometry import Floats

MIN_CELLS: Final = SIDE_CELLS**2  # what is smaller has no inside


class ArmWatch:
    """Compares thumbnails with the last one that had no arm in it. ``ground`` is what is known of the bare table.

    ``absorbed`` are the cells of arms that rested so long that they are none any more, until they move.
    """

    def __init__(self, ground: GroundWatch | None = None) -> None:
        self._ground = GroundWatch() if ground is None else ground
        self._last: Thumb | None = None
        self._empty: Thumb | None = None
        self._shifted: Thumb | None = None  # the same, as it should look since the view moved; nan: it was not in view
        self._cards_then: Mask = np.zeros((1, 1), np.uint8)  # what lay there in the picture without an arm
        self._moved_s: Thumb = np.zeros((0, 0), np.float32)  # when each cell moved last
        self._rested: Thumb | None = None  # the last look but for those since something moved
        self._changed_s = self._moved_s  # the same, of those that came to rest otherwise
        self._told_s = -math.inf  # when the outline of an arm was seen last
        self._rest = -SURE  # how sure it is that nothing moves at the table, in nats
        self._arm: Mask = np.zeros((1, 1), np.uint8)  # as it was found last
        self._before = self._moved_s  # without an arm, before what is absorbed came
        self.absorbed: Mask = np.zeros((1, 1), np.uint8)
        self.untold = False  # of the arm that was found last no outline shows
        self.may_be_cards = False  # it is no longer than a card

    def moved(self, there: Floats | None = None) -> None:
        """The camera or the board moved: until the view is learned anew much differs that is no hand.

        ``there`` (3, 3) takes cells of the table from where they were to where they are now.
        """
        self.absorbed = np.zeros_like(self.absorbed)
        if there is None or self._empty is None:
            return
        height, width = self._empty.shape
        # The board may have been pushed, or the camera: what is no arm looks as it did here, or as it did there.
        empty = self._empty if self._shifted is None else self._shifted
        shifted = cv2.warpPerspective(empty, there, (width, height))
        seen = cv2.warpPerspective(np.ones_like(empty), there, (width, height))
        self._shifted = np.where(seen > 0.99, shifted, np.float32(np.nan))

    def look(
        self,
        now: Thumb,
        slope: Steepness,
        t_s: float,
        table: Mask,
        *,
        moving: Mask,
        quiet: bool,
        cards: Mask,
        hand_cells: float,
    ) -> Mask:
        """The cells of an arm over the table, all 0 when there is none.

        ``moving``: the cells in which something moves, anywhere in the picture: no time to learn what they look like
        empty. ``quiet``: nothing differs from when it was last read, so what was found last time still holds.
        ``cards`` are the cells of cards that are known by their labels, ``hand_cells`` is the least length of a hand.
        """
        if self._empty is None:
            self._empty, self._cards_then = now, cards
            self._moved_s, self._arm = np.full(now.shape, t_s, np.float32), np.zeros_like(table)
            self._changed_s, self._before, self.absorbed = self._moved_s.copy(), now, np.zeros_like(table)
        self._moved_s[moving > 0] = t_s
        self._mind_lamps(now, cards)
        stirs = any_of(both(moving, table))  # a television or a plant in the wind says nothing of an arm
        rested, self._rest = self._rest > 0.0, -SURE if stirs else weighed(self._rest, STANDS)
        if self._rest > 0.0 and not rested:
            if self._rested is not None:
                changed = change(now, self._rested, slope).cells > 0
                self._changed_s[changed] = self._moved_s[changed]
            self._rested = now
            self._let_absorbed_move(now, slope)
            quiet = False  # what had left while something moved is seen to have left only now
        known = cards | self._cards_then  # cards that were taken away change as much as cards that came
        differs = stirs or any_of(self._arm) or not quiet
        self._arm = arm = self._found(now, slope, table, known, hand_cells) if differs else np.zeros_like(table)
        if not any_of(arm):
            if self._rest > 0.0:
                self._empty, self._cards_then, self._shifted = now, cards, None
            return arm
        if not self.untold:
            self._told_s = t_s
        # A lamp that flickers breaks an arm into pieces in some frames: what others told is believed between them.
        if t_s - max(float(self._moved_s[arm > 0].max()), self._told_s) > BRIEFLY_S:
            self._empty, self._arm = now, np.zeros_like(table)  # it is more likely light and shade
        elif self._rest > 0.0:
            for box, part in pieces(arm):
                # Whatever only passed over it, or was laid there since, says nothing of it.
                if t_s - median(self._changed_s[box][part]) > LONG_S:
                    self._absorb(now, box, part)
        return self._arm

    def _absorb(self, now: Thumb, box: Cells, part: NDArray[np.bool_]) -> None:
        """From now on this piece of an arm is a thing."""
        assert self._empty is not None
        self._before = np.where(self.absorbed > 0, self._before, self._empty)
        self._empty, self.absorbed = self._empty.copy(), self.absorbed.copy()
        self._empty[box][part], self.absorbed[box][part], self._arm[box][part] = now[box][part], 1, 0

    def _mind_lamps(self, now: Thumb, cards: Mask) -> None:
        """Take the table as it looks where other lamps light it than a look ago, but at an arm: none comes in one look.

        If one is on its way, its ghost tells.
        """
        before, self._last = self._last, now
        if self._shifted is not None:
            before = np.where(np.isnan(self._shifted), now, self._shifted)
        if before is not None and lamps_changed(now, before):
            self._ground.forget()  # in other light much looks otherwise, and nothing came
            assert self._empty is not None
            self._empty, self._cards_then, self._shifted = np.where(self._arm > 0, self._empty, now), cards, None

    def _let_absorbed_move(self, now: Thumb, slope: Steepness) -> None:
        """Where what was absorbed is not as it was the table is empty without it."""
        assert self._empty is not None
        if any_of(self.absorbed) and any_of(both(change(now, self._empty, slope).cells, self.absorbed)):
            self._empty = np.where(self.absorbed > 0, self._before, self._empty)
            self.absorbed = np.zeros_like(self.absorbed)

    def _found(self, now: Thumb, slope: Steepness, table: Mask, cards: Mask, hand_cells: float) -> Mask:
        """The cells of what may be an arm; says as well how sure that is."""
        assert self._empty is not None
        empty = relit(self._empty, now)
        cells, edge = change(now, empty, slope).cells, margin_of(now.shape)
        if self._shifted is not None:
            beyond = np.isnan(self._shifted)
            cells = both(cells, change(now, np.where(beyond, now, self._shifted), slope).cells)
            edge = edge | grown(beyond.view(np.uint8), 1)
        if cv2.countNonZero(cells) >= MIN_CELLS:
            # Where cards lay that were taken away the table is bare again, whatever hid their labels.
            cells = without(cells, self._ground.bare(now))
        joined = np.asarray(cv2.morphologyEx(cells, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        arm = np.zeros_like(cells)
        reaches_far = told = False
        for box, part in pieces(joined, MIN_CELLS):
            if np.count_nonzero(part & (table[box] > 0)) < MIN_CELLS or not edge[box][part].any():
                continue
            unread = wide((part & (cards[box] == 0)).view(np.uint8))
            if not any_of(unread):
                continue  # cards that lie across the picture's edge
            nats = evidence(now, empty, box, part, cards | edge)
            if nats < 0.0:
                if self._rest > 0.0:
                    self._seen_empty(now, cards, box, part)
                continue
            arm[box][part] = 1
            # What reaches in by less than a hand, but for cards that are read, is a shadow sooner than an arm.
            far = any(max(left.shape) >= hand_cells for _, left in pieces(unread))
            told, reaches_far = told or (far and nats > TOLD), reaches_far or far
        self.untold, self.may_be_cards = not told, not reaches_far
        return arm

    def _seen_empty(self, now: Thumb, cards: Mask, box: Cells, part: NDArray[np.bool_]) -> None:
        """The thing in the older picture has left: these cells, and some around, look as they do now."""
        assert self._empty is not None
        here = np.zeros(now.shape, np.uint8)
        here[box][part] = 1
        around = grown(here, SIDE_CELLS) > 0
        self._ground.forget(around)
        self._empty = np.where(around, now, self._empty)
        self._cards_then = np.where(around, cards, self._cards_then).astype(np.uint8)


@lru_cache(maxsize=2)
def margin_of(shape: tuple[int, int]) -> Mask:
    """The cells at the picture's edge: along it an arm has no outline."""
    margin = np.ones(shape, np.uint8)
    margin[2:-2, 2:-2] = 0
    return margin
