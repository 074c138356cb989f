"""The eyes: frames in, the table as agreed on out. Everything in between is put together here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.ma  # what takes medians would load it in the first frame, for as long as a frame may take

from engine.cards import Card
from engine.observation import FigureReading, Sight, TableObservation, Why
from engine.track import BySide, Side
from vision.backs import BackWatch
from vision.calibration import Calibration
from vision.card_cells import CardCells, card_cells
from vision.card_shape import CardShapes, Place
from vision.cards_held import PlaceLook
from vision.cut_codes import CutCodes
from vision.detect import Detections, Detector
from vision.frame import Frame, Picture
from vision.gate import Mask, Thumb, cells_under, thumbnail
from vision.geometry import Camera, Floats
from vision.labels import Label, LabelReader
from vision.lens_fit import LensBelief
from vision.markers import Marker, MarkerFinder
from vision.memo import Memo
from vision.observe import (
    CardSight,
    FigureSight,
    LabelPlace,
    both_figures,
    both_labels,
    card_sights,
    figure_reading,
    label_place,
)
from vision.place_looks import looks_at
from vision.place_memory import PlaceMemory
from vision.pose_watch import PoseWatch
from vision.remnants import Remnant
from vision.second_look import SecondLook
from vision.stability import HIDDEN, FrameReading, Memory, step
from vision.standstill import Standstill
from vision.table import PlayArea, Table
from vision.tags import QR_MODULES
from vision.trouble import Trouble, troubles_of
from vision.unread import Explained, explain, unread_code
from vision.why import Around, WhyWatch, missing_tags
from vision.zones import Zones

_ROUGHLY_MM: Final = 6.0  # less than a third of a space
_MOST_PENDING_S: Final = 3.0
_AFTER_HAND_S: Final = 0.8


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame alone: the fencers' spaces (None where no tag is read on one) and the cards read, sorted."""

    white: int | None = None
    black: int | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What was recognised in the frame, for drawing: markers, tags and labels with their pixels, unread codes.

    ``trouble``: where in the picture what keeps the eyes from being steady is.
    """

    corners: tuple[Marker, ...] = ()
    tags: tuple[Marker, ...] = ()
    labels: tuple[Label, ...] = ()
    unread: tuple[Floats, ...] = ()
    trouble: tuple[Trouble, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A frame's yield: what it shows alone, the table the frames agree on, and outlines for drawing.

    ``calibration`` is None until the board was found; ``of`` is the table that was looked at.
    """

    seen: Seen
    table: TableObservation
    detections: Drawn
    calibration: Calibration | None
    of: Table


class Eyes:
    """Looks at a table. Knows nothing of the game's course.

    Without a calibration it makes one from the first frames that show the corner markers; ``lens`` is what is known of
    the lens then.
    Raises LabelReaderMissingError when no library can read labels; ``look`` raises ValueError when the frame's size
    changes.
    """

    def __init__(self, table: Table, calibration: Calibration | None = None, lens: LensBelief | None = None) -> None:
        self.table = table
        finder = MarkerFinder(table.dictionary)
        self._pose = PoseWatch(table, calibration, finder, lens)
        reader = LabelReader()
        self._detector = Detector(table, finder, reader)
        self._second = SecondLook(finder, reader)
        self._cut_codes = CutCodes(table, reader)
        self._backs = BackWatch(table, reader)
        self._memory = Memory()
        self._places = PlaceMemory()
        self._aimed: Calibration | None = None
        self._label_places: Memo[Label, LabelPlace | None] = Memo()
        self._figures: Memo[Marker, FigureReading] = Memo()
        self._cards_px: Memo[LabelPlace, CardCells] = Memo()
        self._shapes = CardShapes.of(table)
        self._explained: tuple[Explained, ...] = ()
        self._standstill = Standstill()
        self._why = WhyWatch()
        self._hand_s = -math.inf
        self._before: Look | None = None
        self._cut_labels: tuple[Label, ...] = ()
        self._shaken = False
        self._begins = True
        self._waits_since_s: float | None = None  # looks for cut codes are due since then
        self.back_tokens: tuple[str, ...] = ()
        """The tokens on the deck's backs, as far as they were told."""

    @property
    def calibration(self) -> Calibration | None:
        """What the eyes work with at the moment, None until the board was found."""
        return self._pose.calibration

    @property
    def best_calibration(self) -> Calibration | None:
        """What was found most exactly: to be remembered."""
        return self._pose.best

    @property
    def card_shapes(self) -> CardShapes:
        """What is known of the cards' size and of where their labels are."""
        return self._shapes

    def watch_backs(self, areas: Sequence[PlayArea], tokens: Sequence[str] = ()) -> None:
        """Read the backs of cards that lie face down in these rectangles of the table, and nowhere else.

        What is left of a back with one of these ``tokens``, wherever it lies half hidden, is no code to ask about.
        """
        self._backs.watch(areas)
        self._before = None
        self.back_tokens = tuple(tokens)
        self._cut_codes.know_backs(self.back_tokens)

    @property
    def back_areas(self) -> tuple[PlayArea, ...]:
        """Where backs are read."""
        return self._backs.areas

    def look(self, frame: Frame) -> Look:
        """What this frame adds. Frames come in order of their times."""
        if frame.y.size == 0:
            self._before = None
            return self._blind(frame, Why.CAMERA_LOST)
        if self._rests(frame):
            return self._as_before(frame)
        self._before = None
        thumb = thumbnail(frame.y)
        self._why.look(frame.y, thumb, self._pose.corners)
        if self._why.black:
            return self._blind(frame, Why.DARK)
        self._same_size(frame)
        self._pose.look(frame.y, frame.t_s, suspicious=self._shaken or self._why.displaced)
        self._why.look(frame.y, thumb, self._pose.corners)
        calibration, zones = self._pose.calibration, self._pose.zones
        if calibration is None or zones is None:
            return self._blind(frame, self._why.unfound(), self._plainly_seen(frame.y))
        trouble = self._why.trouble(self._pose.board, zones, frame.t_s)
        if trouble is not None:
            # Nothing is looked for: what was found before stands until there is something to see again.
            self._shaken = False
            return self._blind(frame, trouble)
        if self._aimed is not calibration or not self._backs.aimed:
            self._backs.aim(calibration.camera)
        if self._aimed is not calibration:
            self._detector.aim(zones, self._way_from(calibration))
            self._cut_codes.aim(zones)
            self._second.again()
            if self._aimed is not None:
                self._places.moved(self._aimed.camera, calibration.camera)
            self._label_places.clear()
            self._cards_px.clear()
            self._figures.clear()
            self._aimed = calibration
        lying = (*(label.corners for label in self._cut_labels), *self._backs.fronts)
        found = self._detector.look(frame.y, thumb, frame.t_s, lying, spare=self._begins)
        # A tag that is missing, and that no hand hides, may be a sign that the picture is out of focus.
        self._shaken = found.shaken or (len(found.tags) < len(Side) and not found.hand)
        plain = self._second.look(frame.y, frame.t_s, found, zones, at_once=self._begins)
        # The first frame's own reading comes with the next one, and is more exact.
        found = self._detector.also(found, plain.labels, plain.tags, kept=not self._begins)
        self._begins = False
        self._places.touch(found.changed)
        camera = calibration.camera
        self._backs.look(frame.y, frame.t_s, found, zones, camera)
        remnants = self._cut_codes.look(frame.y, found, zones, camera, spare=plain.looked)
        self._cut_labels = tuple(remnant.label for remnant in remnants if remnant.label is not None)
        read = (*found.labels, *self._cut_labels)
        places = self._label_places(read, lambda label: label_place(label, camera, self.table))
        labels = [place for place in places if place is not None]
        near_hand = found.near_hand
        cards = self._cards_px(labels, lambda label: card_cells(label, near_hand, self._shapes, camera))
        clear = [not cells.meet(near_hand) for cells in cards]
        sights = card_sights(labels, self._shapes, clear)
        if not found.hand:
            self._learn(sights)
        standing = self._figures(found.tags, lambda marker: figure_reading(marker, camera, self.table))
        sides = [self.table.side_of(marker.id) for marker in found.tags]
        figures = both_figures(zip(sides, standing, strict=True))
        if found.hand:
            self._hand_s = frame.t_s
        hint = self._why.hint(
            Around(
                self._memory.cards.held,
                sights,
                read,
                missing_tags(self.table, camera, figures, self._memory.figures.map(lambda figure: figure.agreed)),
                bool(unread := self._unexplained(remnants, sights, camera, found)),
                near_hand,
                frame.t_s - self._hand_s > _AFTER_HAND_S and not self._memory.cards.unsettled,
                zones,
                camera,
                self._shapes,
            ),
            frame.t_s,
        )
        blurred = self._why.is_blurred(zones.module_px)
        reading = FrameReading(
            t_s=frame.t_s,
            figures=BySide(
                FigureSight(figures.white, self._tag_clear(Side.WHITE, found.tags, near_hand)),
                FigureSight(figures.black, self._tag_clear(Side.BLACK, found.tags, near_hand)),
            ),
            cards=sights,
            places=() if blurred else self._look_for_missing(frame.y, thumb, sights, zones, camera, found),
            hand=found.hand,
            pending=self._is_pending(frame.t_s),
            hint=hint.why,
            moved=self._why.has_moved(frame.t_s),
            unread=(*unread, *hint.unread),
            shapes=self._shapes,
            foreign_decks=tuple(sorted({label.deck for label in read} - {self.table.deck_letter})),
        )
        self._memory, table = step(self._memory, reading)
        table = replace(table, backs=self._backs.readings) if self._backs.areas else table
        self._places.remember(frame.y, thumb, read, self.table.deck_letter, near_hand)
        seen = Seen(figures.white.space, figures.black.space, tuple(sorted({sight.card for sight in sights})))
        left = (remnant.outline for remnant in remnants if remnant.label is None)
        arm = found.near_hand if found.hand else None
        where = troubles_of(table, _size_px(frame), self.table, calibration, arm=arm)
        drawn = Drawn(self._pose.corners, found.tags, read, (*found.unread, *left), where)
        look = Look(seen, table, drawn, calibration, self.table)
        if table.sight is Sight.STEADY:
            self._places.rested(thumb)
        waiting = self._cut_codes.waiting or self._backs.waiting or self._second.waiting
        if found.idle and not waiting and not self._shaken and table.sight is Sight.STEADY:
            self._standstill.remember(frame.y)
            self._before = look
        return look

    def _is_pending(self, t_s: float) -> bool:
        """Whether a part of the table that came to rest is still to be looked at; not for ever, if it trembles."""
        if not self._cut_codes.waiting and not self._second.waiting:
            self._waits_since_s = None
            return False
        if self._waits_since_s is None:
            self._waits_since_s = t_s
        return t_s - self._waits_since_s < _MOST_PENDING_S

    def _way_from(self, calibration: Calibration) -> Floats | None:
        """Where pixels of the table went since the last calibration, (3, 3); None for the first one."""
        if self._aimed is None:
            return None
        corners = [(corner.x, corner.y, 0.0) for corner in self.table.corners]
        before, now = self._aimed.camera.project(corners), calibration.camera.project(corners)
        way, _ = cv2.findHomography(before, now)
        return None if way is None else np.asarray(way, dtype=np.float64)

    def _rests(self, frame: Frame) -> bool:
        """Whether this frame may be spared: the last one was looked at, nothing waited to be seen, and it looks alike.

        Never two in a row, and never one that the corner markers are due in.
        """
        return self._before is not None and not self._pose.is_due(frame.t_s) and self._standstill.holds(frame.y)

    def _as_before(self, frame: Frame) -> Look:
        assert self._before is not None
        look, self._before = self._before, None
        return replace(look, table=replace(look.table, t_s=frame.t_s))

    def _plainly_seen(self, y: Picture) -> Seen:
        """The cards that can be read although nobody knows where they lie, and the fencers where that much is known."""
        labels = self._second.labels(y)
        cards = tuple(sorted({label.card for label in labels if label.deck == self.table.deck_letter}))
        spaces: dict[Side, int] = {}
        rough = self._pose.rough
        for marker in self._pose.loose_tags if rough is not None else ():
            assert rough is not None
            space = figure_reading(marker, rough.camera, self.table).space
            side = self.table.side_of(marker.id)
            if space is not None and side is not None and rough.off_mm[space - 1] < _ROUGHLY_MM:
                spaces[side] = space
        return Seen(spaces.get(Side.WHITE), spaces.get(Side.BLACK), cards)

    def _blind(self, frame: Frame, why: Why, seen: Seen = Seen()) -> Look:
        figures = BySide(FigureSight(HIDDEN), FigureSight(HIDDEN))
        self._memory, table = step(self._memory, FrameReading(frame.t_s, figures, blind=why))
        table = replace(table, backs=self._backs.readings)
        calibration = self._pose.calibration
        trouble = troubles_of(table, _size_px(frame), self.table, calibration)
        return Look(seen, table, Drawn(self._pose.corners, trouble=trouble), calibration, self.table)

    def _same_size(self, frame: Frame) -> None:
        calibration, (height, width) = self._pose.calibration, frame.y.shape
        if calibration is None or (calibration.camera.width, calibration.camera.height) == (width, height):
            return
        expected = f"{calibration.camera.width}x{calibration.camera.height}"
        raise ValueError(
            f"frame {frame.index}: expected {expected} pixels as before, found {width}x{height}; "
            "give frames of one camera at one size"
        )

    def _learn(self, sights: tuple[CardSight, ...]) -> None:
        """What cards that show both their labels tell of the shape of them all."""
        before, self._shapes = self._shapes, self._shapes.learned(both_labels(sights, self._shapes.own))
        if any(round(was) != round(now) for was, now in zip(before.outline, self._shapes.outline, strict=True)):
            self._cards_px.clear()
            self._detector.know_cards(self._shapes)

    def _unexplained(
        self, remnants: tuple[Remnant, ...], sights: tuple[CardSight, ...], camera: Camera, found: Detections
    ) -> tuple[Place, ...]:
        """The codes in the play area that nobody can read and that are no part of a card that is known to lie there."""
        codes = [
            code
            for remnant in remnants
            if remnant.label is None and not found.kept_back[cells_under(remnant.outline)].any()
            for code in [unread_code(remnant.outline, camera, remnant.hint)]
            if self.table.play_area.holds(*code.place) and not self._backs.explains(code.place)
        ]
        if not codes:
            self._explained = self._explained if found.hand else ()
            return ()
        glimpsed = (glimpse.sight for glimpse in self._memory.glimpses)
        unread, explained = explain(codes, sights, (*self._memory.cards.held, *glimpsed), self._shapes, self._explained)
        # What was only guessed to be a part of a card of any size is looked at again once their size is known.
        self._explained = explained if self._shapes.known else ()
        return tuple(code.place for code in unread)

    def _look_for_missing(
        self, y: Picture, thumb: Thumb, sights: tuple[CardSight, ...], zones: Zones, camera: Camera, found: Detections
    ) -> tuple[PlaceLook, ...]:
        """Looks at the places of labels that are held and not read now."""
        held, read = self._memory.cards.held, {sight.card for sight in sights}
        side_px = zones.module_px * QR_MODULES
        return looks_at(held, read, self._places, y, thumb, side_px, camera, found, self._cut_codes.waits_at)

    def _tag_clear(self, side: Side, tags: tuple[Marker, ...], near_hand: Mask) -> bool:
        """Whether nothing moves and no arm is at a fencer's tag; without a tag, anywhere on the strip."""
        number = self.table.fencer_ids[side]
        for marker in tags:
            if marker.id == number:
                return not bool(near_hand[cells_under(marker.corners, 1)].any())
        zones = self._pose.zones
        assert zones is not None
        return not bool((near_hand & zones.strip).any())


def _size_px(frame: Frame) -> tuple[int, int]:
    """Width and height; a frame of a camera that is gone has none."""
    return frame.y.shape[1], frame.y.shape[0]
