"""Looks at the places of labels that were read before and are not read now: is the card still there?

How a place looked before its label came is remembered in the means of cells: one that looks like that again lost its
label, whoever reaches in beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from engine.rules.cards import DECK, Card
from vision.agree.agreement import SAME_CODE_MM, HeldCard, HeldLabel, Memory, PlaceLook, PlaceState, UnreadMemory
from vision.belief import SURE
from vision.board.calibration import MOVED_PX
from vision.cells import CELL_PX, CLIPPED, CONTRAST, Mask, Thumb, cells_under, room_gain
from vision.frame import Picture
from vision.geometry import Camera, Floats, middle_of
from vision.marks.codebook import codebook
from vision.marks.labels import Label
from vision.marks.remnants import signs
from vision.printed.card_shape import CardShapes, LabelPose, rectangle_mm
from vision.printed.table import CardSize, Table
from vision.printed.tags import FINDER_MODULES, QR_MODULES
from vision.reading.detect import Detections
from vision.sights.observe import OFF_MM, CardSight


class _Place(NamedTuple):
    """A label's ``middle`` in px and its cells (8 by 8 px); thumbnails of the table at rest ``before`` it came, and of
    when it was read; by how many grey levels these differ there.
    """

    middle: tuple[float, float]
    cells: tuple[slice, slice]
    before: Thumb
    by_label: float

    def holds(self, middle: tuple[float, float]) -> bool:
        """Whether these pixels, across and down, lie in its cells."""
        rows, columns = self.cells
        column, row = (math.floor(at / CELL_PX) for at in middle)
        return column in range(columns.start, columns.stop) and row in range(rows.start, rows.stop)


class PlaceMemory:
    """Places by card; and what was said of labels' places since anything changed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._places: dict[Card, list[_Place]] = {}
        self._said: dict[tuple[Card, HeldLabel], PlaceState] = {}
        self._at_rest: Thumb | None = None

    def rested(self, thumb: Thumb) -> None:
        """The table at rest, in the means of its cells: what lies there before anything else comes."""
        self._at_rest = thumb

    def moved(self) -> None:
        """The camera or the board moved: the same places of the table appear elsewhere in the picture."""
        self._at_rest = None
        self._places, self._said = {}, {}

    def remember(self, thumb: Thumb, labels: Iterable[Label], near_hand: Mask) -> None:
        """Keep where these labels are read in the picture of this thumbnail, but for those that a hand is near."""
        for label in labels:
            middle, cells = middle_of(label.corners), cells_under(label.corners)
            known = self._near(label.card, middle)
            before = self._at_rest if known is None else known.before
            if before is None or before.shape != thumb.shape or label.deck != self._table.deck_letter:
                continue
            if (known is None or math.dist(known.middle, middle) > MOVED_PX) and not near_hand[cells].any():
                others = [other for other in self._places.get(label.card, []) if other is not known]
                self._places[label.card] = [*others, _Place(middle, cells, before, _changed(thumb, before, cells))]

    def touch(self, cells: Mask) -> None:
        """Forget verdicts once cells (8 by 8 px) changed: unchanged pixels say what they said before."""
        if cells.any():
            self._said = {}

    def looks(
        self,
        memory: Memory,
        sights: Sequence[CardSight],
        y: Picture,
        thumb: Thumb,
        size: CardSize,
        side_px: float,
        camera: Camera,
        found: Detections,
        *,
        waits_at: Callable[[Floats], bool],
        is_bare: Callable[[HeldCard], bool],
    ) -> tuple[PlaceLook, ...]:
        """Looks at the places of labels, some ``side_px`` wide, of cards that are held and none of the ``sights`` now.

        While a hand is over the table only those tell that are clear of it and look as before the label came. What
        seemed to be gone is looked at even where something covers it: that may be what looks as the place did before.
        Elsewhere nothing is said before it is known whether a part of the label is left: of pixels, (2,), ``waits_at``
        says so. Where a whole label is read it lies there, however little light leaves of the modules that tell two
        apart. Where light burns, so that the place of a label tells nothing, all of its card's place may be as the
        table without any (``is_bare``); and none has left because what is seen there is another where a card of this
        ``size``, which came since and nobody can read, may cover it.
        """
        read = {sight.card for sight in sights}
        others = [label.pose.place for sight in sights for label in sight.labels if not label.cut]
        wanted = [(card, label) for card in memory.cards.held if card.card not in read for label in card.labels]
        if not wanted:
            return ()
        covered = memory.cards.covered
        doubtful = {label for _, label in wanted if may_cover(memory.unread, label, size)}
        around = math.ceil(side_px / 2 / CELL_PX) + 1
        looks: list[PlaceLook] = []
        points = [(*corners_mm(label.pose, self._table), (*label.place, 0.0)) for _, label in wanted]
        pixels = camera.project(np.concatenate(points)).reshape(-1, 5, 2)
        for (held_card, label), (*corners, at) in zip(wanted, pixels, strict=True):
            card, place = held_card.card, label.place
            open_to_sight = card not in covered or held_card.nats <= 0.0
            clear = open_to_sight and not found.near_hand[cells_under(at[None], around)].any()
            if clear and self.is_as_before(thumb, card, at):
                looks.append(PlaceLook(card, place, PlaceState.BARE))
                continue
            if found.hand or found.kept_back[cells_under(at[None], 1)].any() or waits_at(at):
                continue
            if any(math.dist(place, other) <= SAME_CODE_MM for other in others):
                verdict = PlaceState.DIFFERENT
            elif (card, label) in self._said:
                verdict = self._said[card, label]
            else:
                verdict = self._said[card, label] = still_there(y, card, np.array(corners), self._table)
            unsure = verdict in (PlaceState.BURNT, PlaceState.UNSURE)
            if unsure and card not in covered and is_bare(held_card):
                verdict = PlaceState.BARE
            elif verdict is PlaceState.DIFFERENT and label in doubtful:
                verdict = PlaceState.UNSURE
            looks.append(PlaceLook(card, place, verdict))
        return tuple(looks)

    def is_as_before(self, thumb: Thumb, card: Card, at_px: Floats) -> bool:
        """Whether the place of a label looks as it did before the label came there, and the label looked otherwise."""
        place = self._near(card, (float(at_px[0]), float(at_px[1])))
        if place is None or thumb.shape != place.before.shape or place.by_label < 2 * CONTRAST:
            return False
        return _changed(thumb, place.before, place.cells) < CONTRAST

    def _near(self, card: Card, middle: tuple[float, float]) -> _Place | None:
        """The nearest known place, if it is near enough; None otherwise."""
        near = [place for place in self._places.get(card, []) if place.holds(middle)]
        return min(near, key=lambda place: math.dist(place.middle, middle), default=None)


def _changed(now: Thumb, before: Thumb, cells: tuple[slice, slice]) -> float:
    """By how many grey levels some cells differ, on an average, but for the light of the whole room."""
    gain = max(room_gain(now, before), 0.01)
    return float(cv2.mean(cv2.absdiff(now[cells] / np.float32(gain), before[cells]))[0])


SLACK: Final = round(OFF_MM * 2 * QR_MODULES / CardShapes.qr_mm)
"""Half modules that a place may be off."""


def corners_mm(label: LabelPose, table: Table) -> list[tuple[float, float, float]]:
    """The corners of a label and the slack around it."""
    half_mm = table.qr_mm / 2 * (QR_MODULES + SLACK) / QR_MODULES
    return rectangle_mm(label.place, label.turn_deg, half_mm, half_mm)


def still_there(y: Picture, card: Card, corners: Floats, table: Table) -> PlaceState:
    """Whether a picture shows this card's label with the slack around it within these corners, (4, 2) px.

    Each module speaks for it, against it, or says nothing.

    A module that burns says nothing, and beside it none that is bright: glare only adds light. A place too even for a
    code holds none. Of a label that something lies across what is left speaks for it.
    """
    side = 2 * (QR_MODULES + SLACK)  # half modules of a label, and slack all round
    if not np.isfinite(corners).all():
        return PlaceState.UNSURE
    target = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    part = cv2.warpPerspective(y, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    black, white = np.quantile(part, (0.15, 0.85), method="higher").tolist()
    if white - black < CONTRAST:
        return PlaceState.BURNT if white >= CLIPPED else PlaceState.DIFFERENT
    book = codebook(table.deck_letter)
    beside = cv2.dilate((part >= CLIPPED).view(np.uint8), np.ones((2 * FINDER_MODULES, 2 * FINDER_MODULES), np.uint8))
    size = 2 * QR_MODULES, 2 * QR_MODULES
    shifted = (np.lib.stride_tricks.sliding_window_view(each, size)[..., ::2, ::2] for each in (part, beside))
    grey, glare = (each.reshape(-1, QR_MODULES**2)[:, book.telling].astype(np.float32) for each in shifted)
    burns = bool(glare.any())
    shown = signs(grey, float(grey.min()) if burns else black, white)
    shown[(shown < 0) & (glare > 0)] = 0
    whole, left = book.evidence_for(shown, DECK.index(card))
    if left >= SURE:
        return PlaceState.SAME
    if whole <= -SURE:
        return PlaceState.DIFFERENT
    return PlaceState.BURNT if burns else PlaceState.UNSURE


def may_cover(codes: Iterable[UnreadMemory], label: HeldLabel, size: CardSize) -> bool:
    """Whether a card that nobody can read, of this size, may lie on a label: a code of it came in sight since that was
    read, no farther away than cards are long.
    """
    return any(code.since_s > label.read_s and math.dist(code.place, label.place) <= size.height_mm for code in codes)
