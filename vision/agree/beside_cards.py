"""What came to lie beside a card together with it, and of which no code can be found: told as unread.

A card laid half under another shows a strip with a part of a code. Where a smudge on the lens, a shadow or a fold keeps
even that from being seen as a code, nothing is read, nothing is unread, and the table would be believed without it. But
the strip is there: the table differs from how it looked before, along the edge of a card that came just now, by more
than that card and all others known explain, and it is the new picture that shows the outline of a thing.

Only what is told goes on being held against the table from before; it is taken back once it looks so again, is known,
or no card lies beside it any more. For everything else the table at rest is learned as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from engine.rules.cards import Card
from vision.agree.cards_held import MOVED_MM
from vision.agree.stability import UNREAD_LOOKS
from vision.change.gate import CELL_PX, Mask, Thumb, both, change, grown, steepness
from vision.change.light import same_surface
from vision.change.outline import shows_more
from vision.geometry import Camera, Floats
from vision.printed.card_shape import CardShapes, Place
from vision.sights.card_cells import Lies, cells_at_cards

_MARGIN_MM: Final = 6.0  # labels are stuck up to 4 mm off, and tell where a card lies; its shadow lies beside it
_BESIDE_CELLS: Final = 3  # what differs begins beyond the margin, less what opening takes of it; chosen
_LEAST_MM2: Final = 220.0  # a strip as long as a label and 9 mm wide: the least that shows a part of its code
_MOST_CARDS: Final = 1.2  # of a card's area: what is larger was not hidden by a card. Chosen
_WIDE: Final = np.ones((3, 3), np.uint8)  # cells: edges that tremble are narrower
_OUTLINED: Final = 0.15  # as arms are told from their ghosts, see vision.change.arm
_BRIGHTER: Final = 0.3  # of its cells at least: shade makes none brighter, a card's paper does; chosen
_STILL_THERE: Final = 0.5  # of its cells differ from the table before; chosen
_LEARNED_EVERY: Final = 10  # looks: light changes slowly. Chosen
_AROUND_CELLS: Final = 5  # of a piece, where the table goes on; as for arms


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """Which cells it is, where in the middle of them it lies, in mm, and in how many looks it was seen."""

    cells: Mask
    place: Place
    looks: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class AtRest:
    """The table while no hand is there and all that is due was looked at.

    ``cards`` are those read now or agreed on, ``glimpsed`` those that may lie there. ``left_out`` gives the cells of
    which nothing is to be said: where a hand may be, and labels that are no card's played. ``told``: where, in mm, a
    code is seen that nobody can read, or burns.
    """

    thumb: Thumb
    cards: Mapping[Card, Lies]
    glimpsed: Sequence[Lies]
    left_out: Callable[[], Mask]
    told: Sequence[Place]
    play: Mask
    camera: Camera
    shapes: CardShapes


class BesideCards:
    """Looks at the table at rest. ``places`` are where something lies that nobody can read."""

    def __init__(self) -> None:
        self._before: Thumb | None = None
        self._bare: Mask = np.zeros((0, 0), np.uint8)  # where that was seen without a card on it
        self._lay: dict[Card, Place] = {}
        self._pieces: tuple[_Piece, ...] = ()
        self._learned = 0

    @property
    def places(self) -> tuple[Place, ...]:
        """In mm, each in the middle of what lies there."""
        return tuple(piece.place for piece in self._pieces)

    @property
    def waiting(self) -> bool:
        """Whether something was seen that is not sure yet."""
        return any(piece.looks < UNREAD_LOOKS for piece in self._pieces)

    def forget(self) -> None:
        """The view is another one: what lies where is learned anew."""
        self._before, self._lay, self._pieces = None, {}, ()

    def look(self, rest: AtRest) -> None:
        """One look at it."""
        fresh = [
            card
            for name, card in rest.cards.items()
            if name not in self._lay or math.dist(self._lay[name], (card.x_mm, card.y_mm)) > MOVED_MM
        ]
        self._learned += 1
        if not fresh and not self._pieces and self._learned < _LEARNED_EVERY:
            return
        self._learned = 0
        lying, shape = list(rest.cards.values()), rest.thumb.shape
        known = _cells(rest, (*lying, *rest.glimpsed), 0) | rest.left_out()
        if self._before is None or self._before.shape != shape:
            self._before, self._bare, self._pieces = rest.thumb, np.zeros(shape, np.uint8), ()
        elif rest.shapes.known and (fresh or self._pieces):
            differs = self._differs(rest.thumb, both(rest.play, (known == 0).view(np.uint8)))
            beside = _cells(rest, lying, _BESIDE_CELLS)
            self._pieces = tuple(
                replace(piece, looks=piece.looks + 1)
                for piece in self._pieces
                if _is_still_there(piece, differs) and _meet(piece.cells, beside)
            )
            if fresh:
                self._pieces += self._found(rest, differs, _cells(rest, fresh, _BESIDE_CELLS))
        self._lay = {name: (card.x_mm, card.y_mm) for name, card in rest.cards.items()}
        self._learn(rest.thumb, known)

    def _learn(self, now: Thumb, known: Mask) -> None:
        """What the table looks like beneath cards stays as it was, and beneath what is told."""
        assert self._before is not None
        bare = (known == 0).view(np.uint8)
        for piece in self._pieces:
            bare = both(bare, (grown(piece.cells, _BESIDE_CELLS) == 0).view(np.uint8))
        self._before = np.where(bare > 0, now, self._before)
        self._bare = self._bare | bare

    def _differs(self, now: Thumb, free: Mask) -> Mask:
        """The cells in which something else is seen than there was, in whatever light."""
        assert self._before is not None
        cells = change(now, self._before, steepness(now), both(free, self._bare)).cells
        if cells.any():
            cells = both(cells, np.uint8(1) - same_surface(now, self._before))
        return np.asarray(cv2.morphologyEx(cells, cv2.MORPH_OPEN, _WIDE), dtype=np.uint8)

    def _found(self, rest: AtRest, differs: Mask, beside: Mask) -> tuple[_Piece, ...]:
        """The pieces that lie beside cards that just came, and show an outline of their own."""
        assert self._before is not None
        now, size = rest.thumb, rest.shapes.outline
        count, names, stats, middles = cv2.connectedComponentsWithStats(differs)
        pieces = []
        for number in range(1, count):
            cells = (names == number).view(np.uint8)
            if not _meet(cells, beside) or any(_meet(cells, piece.cells) for piece in self._pieces):
                continue
            place, cell_mm2 = _at(np.asarray(middles[number]), rest.camera)
            area_mm2 = int(stats[number][4]) * cell_mm2
            if not _LEAST_MM2 <= area_mm2 <= _MOST_CARDS * size.width_mm * size.height_mm:
                continue
            if any(math.dist(place, told) <= math.hypot(*size) / 2 for told in rest.told):
                continue  # the players are asked for it already
            here = cells > 0
            if np.count_nonzero(now[here] > self._before[here]) < _BRIGHTER * np.count_nonzero(here):
                continue
            shown = shows_more(here, now, self._before, grown(cells, _AROUND_CELLS) == 0)
            if shown is not None and shown >= _OUTLINED:
                pieces.append(_Piece(cells, place))
        return tuple(pieces)


def _cells(rest: AtRest, cards: Sequence[Lies], around_cells: int) -> Mask:
    """The cells of these cards, as far as they may reach, and so many around them."""
    shapes = rest.shapes
    sure = all(name in shapes.own for name in rest.cards)
    margin_mm = _MARGIN_MM if sure else _MARGIN_MM + shapes.slack_mm / 2
    cells = cells_at_cards(cards, shapes.outline, margin_mm, rest.camera, rest.thumb.shape)
    return grown(cells, around_cells) if around_cells else cells


def _is_still_there(piece: _Piece, differs: Mask) -> bool:
    return cv2.countNonZero(both(piece.cells, differs)) >= _STILL_THERE * cv2.countNonZero(piece.cells)


def _meet(some: Mask, others: Mask) -> bool:
    return cv2.countNonZero(both(some, others)) > 0


def _at(middle: Floats, camera: Camera) -> tuple[Place, float]:
    """Where the middle of some cells (x, y) lies, in mm, and how many square millimetres a cell is there."""
    px = (middle + np.array([(0.5, 0.5), (1.5, 0.5), (0.5, 1.5)])) * CELL_PX - 0.5
    at = camera.at_height(px, 0.0)
    right, down = at[1] - at[0], at[2] - at[0]
    return (float(at[0][0]), float(at[0][1])), abs(float(right[0] * down[1] - right[1] * down[0]))
