"""An arm that rests over the table: a large change that reaches in from the picture's edge and then holds still.

A sleeve may look like the table: then the change ends where the sleeve begins. What is left, a hand, is longer than a
card; cards that lie there are known by their labels and are no part of it.

No frame is the empty table by itself, least of all the first: what differs from the picture that frames are held
against is an arm only where its outline is seen now. Where the outline is in the older picture, an arm lay there then
and the table is seen now, once nothing moves; where neither shows one, nobody can tell, and it is no arm for long.

What has rested for long may be a thing and is no arm any more, so that play can go on around it. But it may be a hand
all the same: ``absorbed`` says where what is missed may only be hidden. Once something moves it must look exactly as
before, or it is an arm again; a thing does, a hand does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.belief import BRIEFLY_S, STANDS, SURE, weighed
from vision.change.gate import (
    CLIPPED,
    CONTRAST,
    MAX_GAIN,
    Mask,
    Steepness,
    Thumb,
    any_of,
    both,
    change,
    grown,
    wide,
    without,
)
from vision.change.ground import GroundWatch
from vision.change.light import is_same_surface, lamps_changed, room_gain
from vision.change.outline import SIDE_CELLS, shows_more
from vision.geometry import Floats

# Longer than anybody thinks with a hand on the table, shorter than a game can wait; the plain second look, which costs
# as much as fifteen frames (READING.md, "What a frame costs"), is as seldom. Chosen.
ABSORBED_AFTER_S: Final = 12.0
_MIN_CELLS: Final = 250  # a sixth of a hand at usual distances, 2.7 px a mm; chosen
_EDGE_CELLS: Final = 2
# Of outlines that show in one picture only, see vision.change.outline. Arms in path-traced films: 0.5 to 1 when they
# came, -0.5 to -1 where the first frame had them, also beside a card that was laid meanwhile. In eleven households of
# two renderers 367 of 384 pieces while a hand was there showed more, 76 of 321 that arms and a box had left behind.
_OUTLINED: Final = 0.15


class ArmWatch:
    """Compares thumbnails with the last one that had no arm in it. ``ground`` is what is known of the bare table.

    ``absorbed`` are the cells of arms that rested so long that they are none any more, until they move.
    """

    def __init__(self, ground: GroundWatch | None = None) -> None:
        self._empty: Thumb | None = None
        self._shifted: Thumb | None = None  # the same, as it should look since the view moved
        self._moved_s: Thumb = np.zeros((0, 0), np.float32)  # when each cell moved last
        self._told_s = -math.inf  # when the outline of an arm was seen last
        self._arm: Mask | None = None
        self._rest = -SURE  # how sure it is that nothing moves at the table, in nats
        self._ground = GroundWatch() if ground is None else ground
        self._bare = False  # nothing moved in the last look, and no arm was there: it is what frames are held against
        self._same_view = True
        self._before: Thumb | None = None  # what was absorbed was there
        self._absorbed_as: Thumb | None = None
        self._stirred = False
        self._cards_then: Mask = np.zeros((1, 1), np.uint8)  # what lay there in the picture without an arm
        self.absorbed: Mask = np.zeros((1, 1), np.uint8)
        self.untold = False  # of the arm that was found last no outline shows
        self.doubtful = False  # nor does it reach the picture's edge
        self.may_be_cards = False  # nor is what reaches it longer than a card

    def moved(self, there: Floats | None = None) -> None:
        """The camera or the board moved: until the view is learned anew much differs that is no hand.

        ``there`` (3, 3) takes cells of the table from where they were to where they are now.
        """
        self._same_view = self._bare = False
        self._before = self._absorbed_as = None
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
            self._moved_s = np.full(now.shape, t_s, np.float32)
        self._moved_s[moving > 0] = t_s
        should_look = self._should_look(now)
        if should_look is not None and lamps_changed(now, should_look):
            # No arm comes in one look: what other lamps show is the table. If one is on its way, its ghost tells.
            self._empty, self._cards_then, self._shifted = now, cards, None
        self._bare = False
        stirs = any_of(both(moving, table))  # a television or a plant in the wind says nothing of an arm
        self._rest = -SURE if stirs else weighed(self._rest, STANDS)
        if self._absorbed_as is None:
            self.absorbed = np.zeros_like(table)
        if self._moved_again(now, slope):
            quiet = False
        if quiet and not stirs and self._arm is None:
            self._learn(now, cards)
            return np.zeros_like(table)
        # Cards that were taken away change as much as cards that came.
        arm = self._found(now, slope, table, cards | self._cards_then, hand_cells)
        if arm is None:
            self._arm = None
            self._learn(now, cards)
            return np.zeros_like(table)
        # Another arm that only passed beside it says nothing of this one.
        since_s = float(self._moved_s[arm > 0].max())
        if not self.untold:
            self._told_s = t_s
        # A lamp that flickers breaks an arm into pieces in some frames: what others told is believed between them.
        untold = t_s - max(since_s, self._told_s) > BRIEFLY_S
        if untold or t_s - since_s > ABSORBED_AFTER_S:
            self._absorb(now, arm, untold=untold)
            return np.zeros_like(table)
        self._arm = arm
        return arm

    def _should_look(self, now: Thumb) -> Thumb | None:
        """The picture, were nothing but the lamps new: as a look ago, or before the view moved; None if unknown."""
        if self._bare:
            return self._empty
        return None if self._shifted is None else np.where(np.isnan(self._shifted), now, self._shifted)

    def _absorb(self, now: Thumb, arm: Mask, *, untold: bool) -> None:
        assert self._empty is not None
        if self.doubtful or untold:
            # It is more likely something that was put there or taken away, or light and shade.
            self._empty, self._arm = now, None
            return
        empty = self._empty
        self._before = empty if self._before is None else np.where(self.absorbed > 0, self._before, empty)
        self.absorbed = np.asarray(cv2.bitwise_or(self.absorbed, arm), dtype=np.uint8)
        self._absorbed_as = self._empty = now
        self._arm, self._stirred = None, False

    def _moved_again(self, now: Thumb, slope: Steepness) -> bool:
        """Whether what was absorbed is not as it was, once anything moved: then the table is empty without it."""
        self._stirred |= self._rest <= -SURE
        if self._absorbed_as is None or self._before is None or not self._stirred:
            return False
        if self._rest <= 0.0:
            return False
        self._stirred = False
        cells = cv2.bitwise_and(change(now, self._absorbed_as, slope).cells, self.absorbed)
        if not any_of(np.asarray(cells, dtype=np.uint8)):
            return False
        assert self._empty is not None
        self._empty = np.where(self.absorbed > 0, self._before, self._empty)
        self.absorbed = np.zeros_like(self.absorbed)
        self._before = self._absorbed_as = None
        return True

    def _learn(self, now: Thumb, cards: Mask) -> None:
        if self._rest > 0.0:
            self._empty, self._cards_then, self._same_view, self._bare = now, cards, True, True
            self._shifted = None

    def _found(self, now: Thumb, slope: Steepness, table: Mask, cards: Mask, hand_cells: float) -> Mask | None:
        assert self._empty is not None
        empty, gain = self._as_lit(now)
        cells = change(now, empty, slope).cells
        edge: Mask | None = None  # of what the view showed before it moved
        if self._shifted is not None:
            beyond = np.isnan(self._shifted)
            cells = both(cells, change(now, np.where(beyond, now, self._shifted), slope).cells)
            edge = grown(beyond.view(np.uint8), _EDGE_CELLS)
        if cv2.countNonZero(cells) >= _MIN_CELLS:
            # Where cards lay that were taken away the table is bare again, whatever hid their labels.
            cells = without(cells, self._ground.bare(now))
        joined = np.asarray(cv2.morphologyEx(cells, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        arm = np.zeros_like(cells)
        sure = reaching = told = False
        for x, y, part in _pieces(joined):
            down, across = part.shape
            height, width = cells.shape
            inside = x > _EDGE_CELLS and y > _EDGE_CELLS
            inside = inside and x + across < width - _EDGE_CELLS and y + down < height - _EDGE_CELLS
            box = (slice(y, y + down), slice(x, x + across))
            inside = inside and (edge is None or not edge[box][part].any())
            if cv2.countNonZero(cv2.bitwise_and(part.view(np.uint8), table[box])) < _MIN_CELLS:
                continue
            rest = part & (cards[box] == 0)
            if inside and not (self._same_view and _length(rest) >= hand_cells):
                continue
            if not inside and _is_fringe(rest):
                continue  # cards that lie across the picture's edge
            apart = cv2.absdiff(np.ascontiguousarray(now[box]), np.ascontiguousarray(empty[box]))
            if cv2.mean(apart, part.view(np.uint8))[0] < CONTRAST * min(gain, 1.0):
                continue
            if is_same_surface(now[box], empty[box], part):
                continue
            outlined = _outlined(now, empty, box, part, cards)
            if outlined <= -_OUTLINED and self._rest > 0.0:
                here = np.zeros_like(cells)
                here[box][part] = 1
                self._seen_empty(now, cards, here)
                continue
            arm[box][part] = 1
            reaches = not inside and _length(part) >= hand_cells
            sure = sure or not inside
            # What reaches in by less than a hand is a shadow sooner than an arm.
            told = told or (outlined >= _OUTLINED and (inside or reaches))
            reaching = reaching or reaches
        self.untold = not told
        self.doubtful = bool(arm.any()) and not sure
        self.may_be_cards = bool(arm.any()) and not reaching
        return arm if arm.any() else None

    def _as_lit(self, now: Thumb) -> tuple[Thumb, float]:
        """The table without an arm in the light of now, and how many times as bright that is, 1 unless far from it."""
        assert self._empty is not None
        gain = room_gain(now, self._empty)
        if abs(gain - 1.0) <= MAX_GAIN:
            return self._empty, 1.0  # so much is explained when they are compared
        lit = np.minimum(self._empty * np.float32(gain), np.float32(255.0))
        return np.where(self._empty >= CLIPPED, np.maximum(lit, now), lit), gain  # what burnt may have been brighter

    def _seen_empty(self, now: Thumb, cards: Mask, here: Mask) -> None:
        """The thing in the older picture has left: these cells, and some around, look as they do now."""
        assert self._empty is not None
        around = grown(here, SIDE_CELLS) > 0
        self._empty = np.where(around, now, self._empty)
        self._cards_then = np.where(around, cards, self._cards_then).astype(np.uint8)


def _outlined(now: Thumb, empty: Thumb, box: tuple[slice, slice], part: NDArray[np.bool_], cards: Mask) -> float:
    """Whether the outline of a piece, but for known cards, shows now (1), showed before (-1), both or neither (0)."""
    rows, columns = (slice(max(0, cells.start - SIDE_CELLS), cells.stop + SIDE_CELLS) for cells in box)
    around = (rows, columns)
    within = np.zeros(now.shape, np.bool_)
    within[box] = part
    told = shows_more(within[around], now[around], empty[around], (cards[around] > 0) | _margin(now.shape)[around])
    return 1.0 if told is None else told


def _pieces(mask: Mask) -> Iterator[tuple[int, int, NDArray[np.bool_]]]:
    """The connected pieces of a mask that are large enough for an arm: left, top, and their cells from there on."""
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return
    count, names, stats, _ = cv2.connectedComponentsWithStats(mask[top : top + height, left : left + width])
    for number in range(1, count):
        x, y, across, down, area = (int(value) for value in stats[number])
        if area >= _MIN_CELLS:
            yield left + x, top + y, names[y : y + down, x : x + across] == number


@lru_cache(maxsize=2)
def _margin(shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The cells at the picture's edge: along it an arm has no outline."""
    margin = np.ones(shape, np.bool_)
    margin[_EDGE_CELLS + 1 : -_EDGE_CELLS - 1, _EDGE_CELLS + 1 : -_EDGE_CELLS - 1] = False
    return margin


def _is_fringe(part: NDArray[np.bool_]) -> bool:
    """Whether nothing is left of a piece but its edges."""
    return not wide(part.view(np.uint8)).any()


def _length(part: NDArray[np.bool_]) -> float:
    """The longer side of the box around the largest piece of a mask, in cells; small and thin ones have none.

    Of a row of cards that were taken away a fringe is left, and gaps where cards lay that showed no label.
    """
    thick = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_OPEN, np.ones((SIDE_CELLS, SIDE_CELLS), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(thick)
    sides = [max(int(stat[2]), int(stat[3])) for stat in stats[1:count] if stat[4] >= _MIN_CELLS]
    return float(max(sides, default=0))
