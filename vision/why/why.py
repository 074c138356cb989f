"""Tells why something is not seen: the dark, blur, glare, a view that moved, or a board out of sight.

Told from what must be readable (the corner markers' edges, labels and tags where they are known to be) before it is
told from what is missing: a marker that cannot be found in the dark is no board that was lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rules.track import BySide
from engine.table.observation import FigureProblem, FigureReading, Why
from vision.agree.agreement import SAME_CODE_MM, HeldCard, hidden_by
from vision.belief import BRIEFLY_S, LONG_S, PATIENCE_S
from vision.board.lens_fit import unit_square
from vision.board.pose_watch import BoardSeen
from vision.board.zones import Zones
from vision.cells import CELL_PX, CLIPPED, Mask, Thumb, both, cells_under, grown, wide, without
from vision.change.ground import GroundWatch
from vision.frame import Picture
from vision.geometry import Camera, Floats
from vision.marks.markers import Marker
from vision.memo import same_objects
from vision.printed.card_shape import CardShapes, Place
from vision.printed.table import Table
from vision.printed.tags import QR_MODULES
from vision.sights.card_cells import Lies, cells_at_cards
from vision.sights.observe import CardSight
from vision.why.sharpness import Clarity, EdgeWatch, is_black, is_dark, picture_edge_px, share_from

_BURNT_SHARE: Final = 0.2  # of a label, tag or marker: so much must burn to hide it. From 0.12 to 0.24 nothing differs
# Of a label's module, as a smear: of pictures from 1.6 to 1.75 three in seven hid a card from the readers, of those
# below none; most fail from 2.1. A smear of two modules leaves nothing of those that are black and white in turn.
_ILLEGIBLE_EDGE: Final = 1.9
_STILL_ILLEGIBLE_EDGE: Final = 1.6  # once it was blurred, and at first
# Of a label's module: at 1.7 and more whole labels are read and half hidden ones noticed, at 1.5 neither; measured on
# simulated pictures of 1152 to 1440 pixels across.
_MIN_MODULE_PX: Final = 1.6
_BLURRED_PICTURE_PX: Final = 4.4


class Around(NamedTuple):
    """The table as far as it is known when a reason is asked why the rest is not seen.

    ``held`` are the cards agreed on, ``sights`` those read now, ``face_down`` those known to lie so, ``missing_tags``
    the outlines (4, 2) px of tags that should be where they were agreed to be and are not read, ``unread`` where a code
    is seen that nobody can read, in mm, ``pending`` whether some of the table is still to be looked at. ``near_hand``
    marks the cells at a hand or motion, none of them where that is but guessed; ``calm``: there is none, nor was there
    just now, and all that is read is agreed on.
    """

    held: tuple[HeldCard, ...]
    sights: tuple[CardSight, ...]
    face_down: tuple[Lies, ...]
    missing_tags: tuple[Floats, ...]
    unread: tuple[Place, ...]
    pending: bool
    near_hand: Mask
    calm: bool
    zones: Zones
    camera: Camera
    shapes: CardShapes


class Hint(NamedTuple):
    """Why something may be unreadable in a frame (None: nothing), and where, in mm, unread codes are burnt out.

    ``things``: where something came and burns so that no code of it is seen, ``outshone``: where light burns on cards
    that are not read, both with when a hand was there last.
    """

    why: Why | None
    burnt: tuple[Place, ...] = ()
    things: tuple[tuple[Place, float], ...] = ()
    outshone: tuple[tuple[Place, float], ...] = ()


Light = tuple[Place, float]
"""The middle of a light in mm, and when a hand was there last: minus infinity for not since the view is known."""


class WhyWatch:
    """Looks at every frame's light and sharpness. ``look`` first, then ask."""

    def __init__(self, ground: GroundWatch | None = None) -> None:
        self._edges = EdgeWatch()
        self._handed_s: NDArray[np.float32] | None = None  # when a hand, or motion, was last at each cell
        self._first_s = math.inf
        self._ground = GroundWatch() if ground is None else ground
        self._moved_s = -math.inf
        self._y: Picture | None = None
        self._thumb: Thumb = np.zeros((0, 0), np.float32)
        self._clarity: Clarity | None = None
        self._corners: tuple[Marker, ...] = ()
        self._illegible_s: float | None = None  # when a picture was last beyond doubt too soft, or the first came
        self.blurred = True  # until a picture was sharp enough beyond doubt: a card might never have been read
        self.cleared = False  # this picture is sharp enough, and the one before was not

    def look(self, y: Picture, thumb: Thumb, corners: tuple[Marker, ...]) -> None:
        """A frame, its thumbnail, and the corner markers where they were found last.

        Told of the same frame again it looks again only where they were not seen at the places that it was told first.
        """
        if y is self._y and (same_objects(corners, self._corners) or not (self._clarity is None or self.displaced)):
            return
        self._y, self._thumb, self._corners = y, thumb, corners
        self._clarity = self._edges.look(y, corners)

    @property
    def displaced(self) -> bool:
        """Whether few corner markers are quite where they were found: the camera or the board may have moved."""
        return bool(self._corners) and (self._clarity is None or self._clarity.displaced)

    @property
    def black(self) -> bool:
        """Whether all of the picture is too dark to find anything in it."""
        return is_black(self._thumb)

    def unfound(self) -> Why:
        """Why the board was never found."""
        assert self._y is not None
        if is_dark(self._y, self._thumb, None):
            return Why.DARK
        return Why.BLUR if _is_blurred(self._y) else Why.BOARD_LOST

    def trouble(self, board: BoardSeen, zones: Zones, t_s: float) -> Why | None:
        """Why nothing in this frame can be trusted, or None."""
        assert self._y is not None
        on_table = self._thumb[zones.table.view(np.bool_)]
        if is_dark(self._y, on_table, self._clarity):
            return Why.DARK
        if 2 * share_from(CLIPPED, on_table) > 1:
            return Why.GLARE
        if board is BoardSeen.LOST:
            burnt = sum(is_burnt(self._thumb, outline) for outline in zones.markers_px)
            if 0 < len(zones.markers_px) <= 2 * burnt:
                return Why.GLARE
            return Why.BLUR if _is_blurred(self._y) else Why.BOARD_LOST
        was_blurred, self.blurred = self.blurred, self._blurs(zones.module_px, t_s)
        self.cleared = was_blurred and not self.blurred
        if board is BoardSeen.MOVED:
            # What is found in a picture out of focus is not where it seems to be.
            if self.blurred or (self._clarity is None and _is_blurred(self._y)):
                return Why.BLUR
            self._moved_s, self._first_s = t_s, math.inf
            self._ground.forget()
            self._handed_s = None
            return Why.MOVED
        return None

    def _blurs(self, module_px: float, t_s: float) -> bool:
        """Whether labels with modules of this size cannot be read for want of sharpness.

        A picture of which that is not sure counts as the one before did, for some seconds. One with too few pixels is
        never sharp enough: cards that nobody can see there are not missing.
        """
        edge = 0.0 if self._clarity is None else self._clarity.edge_px / module_px
        if self._illegible_s is None or edge >= _ILLEGIBLE_EDGE:
            self._illegible_s = t_s
        doubted = self.blurred and t_s - self._illegible_s <= BRIEFLY_S
        return edge >= (_STILL_ILLEGIBLE_EDGE if doubted else _ILLEGIBLE_EDGE) or too_small(module_px)

    def is_bare(self, card: HeldCard, shapes: CardShapes, camera: Camera) -> bool:
        """Whether all of the place of a card surely looks as the table did without any card."""
        return self._ground.is_bare(self._thumb, cells_at_cards([card], shapes.outline, 0.0, camera, self._thumb.shape))

    def has_moved(self, t_s: float) -> bool:
        """Whether the view moved so lately that what is not agreed on yet is for that reason."""
        return 0.0 <= t_s - self._moved_s <= PATIENCE_S

    def hint(self, around: Around, t_s: float) -> Hint:
        """Why something may be unreadable in a frame that can be trusted."""
        if self._handed_s is None or self._handed_s.shape != around.near_hand.shape:
            self._handed_s = np.full(around.near_hand.shape, -np.inf, np.float32)
        self._handed_s[around.near_hand > 0] = t_s
        self._first_s = min(self._first_s, t_s)
        if self.blurred:
            return Hint(Why.BLUR)
        lit = wide(both((self._thumb >= CLIPPED).view(np.uint8), around.zones.play))
        known = self._cells_of((*around.held, *around.sights, *around.face_down), around)
        came, hiding = self._lights(around, lit, known)
        lights = came + hiding
        if around.calm and not (around.pending or around.unread):
            handed = np.isfinite(self._handed_s).view(np.uint8)
            # Beside cards, and where hands were, nobody knows what lies in the light; a bare table may burn as well.
            covered = known | (lit if known.any() else both(lit, handed))
            covered = covered | self._ground.changed(self._thumb) if came else covered
            self._ground.learn(self._thumb, covered, None if t_s - self._first_s > LONG_S else handed)
        label_mm = around.shapes.qr_mm
        squares = ((place, square_px(around.camera, (*place, 0.0), label_mm)) for place in around.unread)
        shining = tuple(place for place, outline in squares if is_burnt(self._thumb, outline))
        things, reached = (tuple(light for light in some if math.isfinite(light[1])) for some in (came, hiding))
        # Nobody knows what lies in the first light.
        newest_s = max(self._first_s, *(since_s for _, since_s in came), -math.inf)
        is_new = bool(lights) and t_s - newest_s <= 2 * BRIEFLY_S
        burnt = is_new or any(is_burnt(self._thumb, outline) for outline in around.missing_tags)
        waits = bool(around.missing_tags or around.unread or around.pending) and not around.near_hand.any()
        soft_px = _STILL_ILLEGIBLE_EDGE * around.zones.module_px
        why: Why | None = None
        if burnt:
            why = Why.GLARE
        elif waits and self._clarity is not None and self._clarity.edge_px >= soft_px:
            why = Why.BLUR
        return Hint(why, shining, things, reached)

    def _cells_of(self, cards: Iterable[Lies], around: Around) -> Mask:
        """The cells at these cards."""
        return cells_at_cards(cards, around.shapes.outline, SAME_CODE_MM, around.camera, around.near_hand.shape)

    def _lights(self, around: Around, lit: Mask, known: Mask) -> tuple[list[Light], list[Light]]:
        """Where light burns on what may be a card that nobody reads.

        First on what came. Then, where it may burn out both labels of a card, on cards of which a label is not read,
        and wherever the table does not surely lie bare. ``lit`` is where the play area burns, ``known`` the cells of
        cards.
        """
        label_px = around.zones.module_px * QR_MODULES
        least = _BURNT_SHARE * (label_px / CELL_PX) ** 2
        if around.near_hand.any() or cv2.countNonZero(lit) < least:
            return [], []
        free = without(around.zones.play, known)
        side = max(1, round(label_px / CELL_PX))  # what came and is smaller than a label is no card
        came = self._ground.laid(self._thumb, np.uint8(1) - free, side)
        found = self._pieces(came, lit, least, around.camera)
        # Where the markers' paper nearly burns, too, whatever is white does: only what came tells of light.
        if self._clarity is not None and self._clarity.white >= CLIPPED:
            return found, []
        read = {sight.card for sight in around.sights}
        unread = self._cells_of((card for card in around.held if card.card not in read), around)
        unread = without(unread, self._cells_of(around.sights, around)) | self._cells_of(_missed(around), around)
        lit = both(lit, without(unread | without(free, self._ground.bare(self._thumb)), came))
        hiding = _hiding(lit, side, around)
        return found, self._pieces(hiding, hiding, 1.0, around.camera)

    def _pieces(self, things: Mask, lit: Mask, least: float, camera: Camera) -> list[Light]:
        """The things of which so many cells at least burn."""
        assert self._handed_s is not None
        count, names, _, middles = cv2.connectedComponentsWithStats(things)
        burning = np.bincount(names[lit > 0], minlength=count)
        lights = []
        for number in range(1, count):
            if burning[number] >= least:
                around_it = grown(both(lit, (names == number).view(np.uint8)), 1)  # a hand is known to the cell
                ((x, y),) = camera.at_height((middles[number : number + 1] + 0.5) * CELL_PX, 0.0)
                lights.append(((float(x), float(y)), float(self._handed_s[around_it > 0].max())))
        return lights


def too_small(module_px: float) -> bool:
    """Whether a label whose modules are so large in the picture has too few pixels, however sharp the picture is."""
    return module_px < _MIN_MODULE_PX


def missing_tags(
    table: Table, camera: Camera, seen: BySide[FigureReading], agreed: BySide[FigureReading]
) -> tuple[Floats, ...]:
    """The outlines (4, 2) px of the fencers' tags that are not seen where they were agreed to be."""
    return tuple(
        square_px(camera, table.tag_mm(space), table.fencer_size_mm)
        for side, reading in seen.items()
        if reading.problem is FigureProblem.HIDDEN and (space := agreed[side].space) is not None
    )


def square_px(camera: Camera, middle_mm: tuple[float, float, float], side_mm: float) -> Floats:
    """A square that lies on the table, (4, 2) px."""
    return camera.project(np.array(middle_mm) + unit_square() * side_mm / 2)


def is_burnt(thumb: Thumb, corners_px: Floats) -> bool:
    """Whether the light burns out a tag, a marker or a label that should be at these corners (4, 2) px."""
    return share_from(CLIPPED, thumb[cells_under(corners_px)]) >= _BURNT_SHARE


def _is_blurred(y: Picture) -> bool:
    width_px = picture_edge_px(y)
    return width_px is not None and width_px >= _BLURRED_PICTURE_PX


def _hiding(lit: Mask, side: int, around: Around) -> Mask:
    """The cells of light that burns out two labels, ``side`` cells wide, as far apart as those of a card."""
    cells = np.argwhere(cv2.boxFilter(lit.astype(np.float32), -1, (side, side)) >= _BURNT_SHARE)
    cells = cells[:: 1 + len(cells) // 500]  # of a large light some tell as much
    places = around.camera.at_height((cells[:, ::-1] + 0.5) * CELL_PX, 0.0)
    apart_mm = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    way, slack_mm = around.shapes.usual, around.shapes.slack_mm
    at_labels = (np.abs(apart_mm - math.hypot(way.across_mm, way.down_mm)) <= slack_mm).any(axis=1)
    found = np.zeros_like(lit)
    found[tuple(cells[at_labels].T)] = 1
    return both(lit, grown(found, side // 2))


def _missed(around: Around) -> Iterator[HeldCard]:
    """The held cards with a label that is not read, although no card that is known may hide it."""
    read = {(sight.card, label.pose.place) for sight in around.sights for label in sight.labels}
    for card in around.held:
        own = [place for other, place in read if other == card.card]
        unread = [label for label in card.labels if all(math.dist(label.place, at) > SAME_CODE_MM for at in own)]
        if any(not hidden_by(label, around.held) for label in unread):
            yield card
