"""The eyes: frames in, the table as agreed on out. ``Eyes.look`` is the whole way, in five steps.

1. Where is the board, and can anything be seen at all? ``_find_board``
2. What is there to read in the picture? ``_read_marks``
3. What is that on the table, in millimetres? ``vision.sights.sightings``
4. What may be missed, and why? ``_doubt``
5. What do the frames agree on? ``_agree``
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.rules.track import Side
from engine.table.observation import FigureProblem, Sight, Why
from vision.agree.agreement import FrameReading, PlaceLook, step, unexplained, unread_code
from vision.agree.place_looks import PlaceMemory
from vision.belief import BRIEFLY_S, LONG_S, PATIENCE_S
from vision.board.calibration import Calibration
from vision.board.lens_fit import LensBelief
from vision.board.pose_watch import PoseWatch
from vision.board.zones import Zones
from vision.camera.sources import SourceError
from vision.cells import MAX_GAIN, Thumb, cells_under, coarse, stands_still, thumbnail
from vision.change.ground import GroundWatch
from vision.frame import Frame, Picture
from vision.geometry import Camera, way_there
from vision.look import Drawn, Look, Seen
from vision.marks.foreign import Run, in_process
from vision.marks.labels import Label, LabelReader
from vision.marks.markers import Marker, MarkerFinder
from vision.marks.work import HAND, Work
from vision.printed.card_shape import CardShapes, Place
from vision.printed.table import PlayArea, Table
from vision.printed.tags import QR_MODULES
from vision.reading.backs import BackWatch
from vision.reading.cut_codes import CutCodes
from vision.reading.detect import Detections, Detector
from vision.reading.second_look import SecondLook
from vision.sights.card_cells import Lies
from vision.sights.observe import figure_reading, surely_on
from vision.sights.sightings import Sightings, Sights
from vision.steps import BlindFrame, Carried, FoundBoard, Marks
from vision.why.why import Around, WhyWatch, missing_tags


class Eyes:
    """Looks at a table. Knows nothing of the game's course.

    Without a calibration it makes one from the first frames that show the corner markers; ``lens`` is what is known of
    the lens then. ``run`` has other people's readers look at a picture, see ``vision.marks.foreign``.
    Raises LabelReaderMissingError when no library can read labels; ``look`` raises SourceError when the frame's size
    changes.
    """

    def __init__(
        self,
        table: Table,
        calibration: Calibration | None = None,
        lens: LensBelief | None = None,
        run: Run = in_process,
    ) -> None:
        self.table, self.run = table, run
        self._work = Work(run)
        finder = MarkerFinder(table.dictionary, self._work)
        self._reader = reader = LabelReader(self._work)
        self._pose = PoseWatch(table, calibration, finder, lens)
        ground = GroundWatch()
        self._detector = Detector(table, finder, reader, ground)
        self._second = SecondLook(finder, reader, self._work)
        self._cut_codes = CutCodes(table, reader, self._work)
        self._backs = BackWatch(table, reader)
        self._sightings = Sightings(table, ground)
        self._places = PlaceMemory(table)
        self._rested_as: Thumb = np.zeros((0, 0), np.float32)  # the last look at a table at rest
        self._why = WhyWatch(ground)
        self._aimed: Calibration | None = None
        self._place = 0  # which of the board's places that was
        self._carried = Carried()
        self.back_tokens: tuple[str, ...] = ()
        """The tokens on the deck's backs, as far as they were told."""

    @property
    def calibration(self) -> Calibration | None:
        """The calibration in use, None until the board was found."""
        return self._pose.calibration

    @property
    def best_calibration(self) -> Calibration | None:
        """The most exact calibration found: to be remembered."""
        return self._pose.best

    @property
    def card_shapes(self) -> CardShapes:
        """The cards' size and where their labels are, as far as that is known."""
        return self._sightings.shapes

    def watch_backs(self, areas: Sequence[PlayArea], tokens: Sequence[str] = ()) -> None:
        """Read the backs of cards that lie face down in these rectangles of the table, and nowhere else.

        What is left of a back with one of these ``tokens``, wherever it lies half hidden, is no code to ask about.
        """
        self._backs.watch(areas)
        self._carried = self._carried._replace(rests=None)
        self.back_tokens = tuple(tokens)
        self._cut_codes.know_backs(self.back_tokens)

    @property
    def back_areas(self) -> tuple[PlayArea, ...]:
        """The rectangles in which backs are read."""
        return self._backs.areas

    def look(self, frame: Frame) -> Look:
        """Looks at a frame. Frames come in order of their times."""
        self._work.begin()
        if self._may_be_spared(frame):
            self._pose.refine_at_rest(frame.t_s)
            return self._as_before(frame)
        self._carried = self._carried._replace(rests=None)
        board = self._find_board(frame)
        if isinstance(board, BlindFrame):
            return self._agree(frame, FrameReading(frame.t_s, blind=board.why), board.seen, Drawn(self._pose.corners))
        if self._why.cleared:
            self._second.again()  # what came in a blurred picture nobody read, and the edges alone changed
        marks = self._read_marks(frame, board)
        found, strip, backs = marks.found, board.zones.strip, self._backs.lying
        near, memory = found.near_hand, self._carried.memory.cards
        known: tuple[Lies, ...] = (*memory.held, *backs)
        # Codes of cards that lean or are held are among the unread ones.
        thumb = board.thumb if memory.unsettled or self._carried.memory.unread else None
        rested = [code.place for code in self._carried.memory.unread if frame.t_s - code.since_s > LONG_S]
        sights = self._sightings.look(found.tags, marks.labels, near, strip, board.camera, known, thumb, rested)
        lying: tuple[Lies, ...] = (*sights.cards, *sights.askew, *sights.foreign, *backs)
        self._carried = self._carried._replace(lying=lying)
        self._detector.doubt(frame.y, board.camera, self._senseless_tags(found, sights))
        reading = self._doubt(frame, board, marks, sights)
        look = self._agree(frame, reading, self._seen_on(marks, sights), self._drawn(marks), found)
        self._keep(frame, board, marks, look)
        return look

    def _find_board(self, frame: Frame) -> FoundBoard | BlindFrame:
        """Step 1: where the board is. Its zones, and what was found on it before, are told to whoever reads there."""
        if frame.y.size == 0:
            return BlindFrame(Why.CAMERA_LOST)
        thumb = thumbnail(frame.y)
        self._why.look(frame.y, thumb, self._pose.corners)
        if self._why.black:
            return BlindFrame(Why.DARK)
        self._same_size(frame)
        self._pose.look(frame.y, frame.t_s, suspicious=self._carried.shaken or self._why.displaced)
        self._why.look(frame.y, thumb, self._pose.corners)  # where they were found anew; else it looked already
        calibration, zones = self._pose.calibration, self._pose.zones
        if calibration is None or zones is None:
            return BlindFrame(self._why.unfound(), self._plainly_seen(frame.y))
        trouble = self._why.trouble(self._pose.board, zones, frame.t_s)
        if trouble is not None:
            # Nothing is looked for: what was found before stands until there is something to see again.
            self._carried = self._carried._replace(shaken=False)
            return BlindFrame(trouble)
        if self._aimed is not calibration:
            self._aim(calibration, zones)
        return FoundBoard(calibration, zones, thumb)

    def _aim(self, calibration: Calibration, zones: Zones) -> None:
        if self._place == self._pose.places:  # known more exactly, and nothing in the picture moved
            self._detector.refine(zones)
            self._cut_codes.refine(zones)
        else:
            self._aim_elsewhere(calibration.camera, zones)
            self._place = self._pose.places
        self._sightings.aim()
        self._backs.again()
        self._aimed = calibration

    def _aim_elsewhere(self, camera: Camera, zones: Zones) -> None:
        """The camera or the board moved: what was read in pixels is to be read afresh."""
        before = None if self._aimed is None else self._aimed.camera
        corners = [(corner.x, corner.y, 0.0) for corner in self.table.corners]
        there = None if before is None else way_there(before, camera, corners)
        self._detector.aim(zones, there)
        self._cut_codes.aim(zones, there)
        self._second.again()
        self._carried = self._carried._replace(lying=())
        if before is not None:
            self._places.moved()

    def _read_marks(self, frame: Frame, board: FoundBoard) -> Marks:
        """Step 2: tags and labels, where anything changed; a second, plain look at all now and then; what is cut."""
        begins = self._carried.begins
        spare = begins or self._second.is_next
        size, lying = self.card_shapes.outline, self._carried.lying
        found = self._detector.look(frame.y, board.thumb, frame.t_s, board.camera, size, lying, spare=spare)
        self._work.spent += HAND * found.hand
        # A tag that is missing, and that no hand hides, may be a sign that the picture is out of focus.
        shaken = found.shaken or (len(found.tags) < len(Side) and not found.hand)
        known = self._pose.loose_tags if begins else found.tags
        plain = self._second.look(frame.y, frame.t_s, found, known, board.zones, at_once=begins)
        # The first frame's own reading comes with the next one, and is more exact.
        if plain is not None:
            found = self._detector.also(found, *plain, kept=not begins)
        self._places.touch(found.changed)
        self._backs.look(frame.y, frame.t_s, found, board.zones, board.camera)
        remnants = self._cut_codes.look(
            frame.y, found, board.zones, board.camera, self._backs.codes, spare=plain is not None
        )
        cut = tuple(remnant.label for remnant in remnants if remnant.label is not None)
        # Whether a hand was there before the first frame nobody knows.
        hand_s = frame.t_s if found.hand or begins else self._carried.hand_s
        self._carried = self._carried._replace(shaken=shaken, begins=False, hand_s=hand_s)
        return Marks(found, (*found.labels, *cut), remnants)

    def _doubt(self, frame: Frame, board: FoundBoard, marks: Marks, sights: Sights) -> FrameReading:
        """Step 4: what this frame shows, with all that is a reason not to trust it."""
        found, memory, camera = marks.found, self._carried.memory, board.camera
        if not found.hand:
            self._sightings.learn(sights.cards)
        agreed = memory.figures.map(lambda figure: figure.agreed)
        seen = sights.figures.map(lambda figure: figure.reading)
        known = {card.card for card in memory.cards.held} | {sight.card for sight in sights.cards}
        askew = (sight for sight in sights.askew if sight.clear and sight.card not in known)
        unread = (
            *self._unexplained(marks, sights, camera, frame.t_s),
            *(at.place for card in askew for at in card.poses),
        )
        pending = self._is_pending(frame.t_s)
        places = () if self._why.blurred else self._look_for_missing(frame.y, board, found, sights)
        around = Around(
            memory.cards.held,
            sights.cards,
            self._backs.lying,
            missing_tags(self.table, camera, seen, agreed),
            unread,
            pending,
            np.zeros_like(found.near_hand) if found.guessed else found.near_hand,
            frame.t_s - self._carried.hand_s > PATIENCE_S and not memory.cards.unsettled,
            board.zones,
            camera,
            self.card_shapes,
        )
        hint = self._why.hint(around, frame.t_s)
        return FrameReading(
            t_s=frame.t_s,
            figures=sights.figures,
            cards=sights.cards,
            places=places,
            hand=found.hand,
            guessed=found.guessed,
            pending=pending or found.unanswered,
            hint=hint.why,
            moved=self._why.has_moved(frame.t_s),
            unread=unread,
            burnt=hint.burnt,
            things=hint.things,
            outshone=hint.outshone,
            shapes=self.card_shapes,
            foreign_decks=tuple(sorted({label.deck for label in marks.labels} - {self.table.deck_letter})),
        )

    def _agree(
        self, frame: Frame, reading: FrameReading, seen: Seen, drawn: Drawn, found: Detections | None = None
    ) -> Look:
        """Step 5: the table as the frames agree on it; ``found`` is None of a blind frame."""
        memory, table = step(self._carried.memory, reading)
        self._carried = self._carried._replace(memory=memory)
        table = replace(table, backs=self._backs.readings)
        mirrored = self._pose.mirrored and reading.blind is Why.BOARD_LOST
        size_px = frame.y.shape[1], frame.y.shape[0]
        look = Look(seen, table, drawn, self._pose.calibration, self.table, mirrored=mirrored, size_px=size_px)
        return look if found is None else replace(look, arm=found.arm, hand=found.near_hand if found.hand else None)

    def _keep(self, frame: Frame, board: FoundBoard, marks: Marks, look: Look) -> None:
        """Keeps what is asked later, to tell what changed."""
        found = marks.found
        self._places.remember(board.thumb, marks.labels, found.near_hand)
        if look.table.sight is not Sight.STEADY:
            return
        self._places.rested(board.thumb)
        waiting = self._cut_codes.waiting or self._backs.waiting or self._second.waiting
        if found.idle and not waiting and not self._carried.shaken:
            self._rested_as = coarse(frame.y)
            self._carried = self._carried._replace(rests=look)

    def _is_pending(self, t_s: float) -> bool:
        """Whether a part of the table is still to be looked at; not for ever if it trembles, but after any arm."""
        waits = self._cut_codes.waiting or self._second.waiting
        since_s = min(self._carried.waits_since_s, t_s) if waits else math.inf
        self._carried = self._carried._replace(waits_since_s=since_s)
        return waits and t_s - max(since_s, self._carried.hand_s) < BRIEFLY_S

    def _may_be_spared(self, frame: Frame) -> bool:
        """Whether the last frame was looked at, nothing waited to be seen, and this one looks alike.

        Never two in a row, and never one that the corner markers are due in.
        """
        if self._carried.rests is None or frame.y.size == 0 or self._pose.must_look(frame.t_s):
            return False
        return stands_still(coarse(frame.y), self._rested_as, MAX_GAIN)

    def _as_before(self, frame: Frame) -> Look:
        look = self._carried.rests
        assert look is not None
        self._carried = self._carried._replace(rests=None)
        return replace(look, table=replace(look.table, t_s=frame.t_s))

    def _plainly_seen(self, y: Picture) -> Seen:
        """The cards that can be read although nobody knows where they lie, and the fencers where that much is known."""
        spaces: dict[Side, int] = {}
        rough, tags = self._pose.rough, self._pose.loose_tags
        for marker in tags if rough is not None else ():
            assert rough is not None
            space = surely_on(figure_reading(marker, rough.camera, self.table), rough.off_mm, self.table)
            if space is not None and (side := self.table.side_of(marker.id)) is not None:
                spaces[side] = space
        return self._seen(self._reader.plain(y), tags, spaces)

    def _seen_on(self, marks: Marks, sights: Sights) -> Seen:
        """What is read in a frame of which it is known where the board is."""
        spaces = {side: space for side in Side if (space := sights.figures[side].reading.space) is not None}
        return self._seen(marks.labels, marks.found.tags, spaces)

    def _drawn(self, marks: Marks) -> Drawn:
        """What can be read in a frame, and the codes that cannot, for drawing."""
        left = (remnant.outline for remnant in marks.remnants if remnant.label is None)
        return Drawn(self._pose.corners, marks.found.tags, marks.labels, (*marks.found.unread, *left))

    def _seen(self, labels: Sequence[Label], tags: Sequence[Marker], spaces: dict[Side, int]) -> Seen:
        """All that is read in a frame, wherever it lies; ``spaces`` are those that are known."""
        cards = tuple(sorted({label.card for label in labels if label.deck == self.table.deck_letter}))
        read = {self.table.side_of(marker.id) for marker in tags}
        unplaced = tuple(side for side in Side if side in read and side not in spaces)
        return Seen(spaces.get(Side.WHITE), spaces.get(Side.BLACK), cards, unplaced)

    def _same_size(self, frame: Frame) -> None:
        calibration, (height, width) = self._pose.calibration, frame.y.shape
        if calibration is None or (calibration.camera.width, calibration.camera.height) == (width, height):
            return
        expected = f"{calibration.camera.width}x{calibration.camera.height}"
        raise SourceError(
            f"frame {frame.index}: expected {expected} pixels as before, found {width}x{height}; "
            "give frames of one camera at one size"
        )

    def _unexplained(self, marks: Marks, sights: Sights, camera: Camera, t_s: float) -> tuple[Place, ...]:
        """The codes in the play area that nobody can read and that are no part of a card that is known to lie there."""
        cards = self._carried.memory.cards
        codes = [
            code
            for remnant in marks.remnants
            if remnant.label is None and not marks.found.kept_back[cells_under(remnant.outline)].any()
            for code in [unread_code(remnant.outline, camera, remnant.hint)]
            if self.table.play_area.holds(*code.place)
        ]
        remembered = (*cards.held, *cards.new)
        unread = unexplained(codes, sights.cards, remembered, self.card_shapes, t_s, self._backs.lying)
        return tuple(code.place for code in unread)

    def _look_for_missing(
        self, y: Picture, board: FoundBoard, found: Detections, sights: Sights
    ) -> tuple[PlaceLook, ...]:
        """Looks at the places of labels that are held and not read now."""
        memory, shapes, camera = self._carried.memory, self.card_shapes, board.camera
        return self._places.looks(
            memory,
            sights.cards,
            y,
            board.thumb,
            shapes.outline,
            board.zones.module_px * QR_MODULES,
            camera,
            found,
            waits_at=self._cut_codes.waits_at,
            is_bare=lambda card: self._why.is_bare(card, shapes, camera),
        )

    def _senseless_tags(self, found: Detections, sights: Sights) -> list[int]:
        """The tags that no hand is at, and that are no square of their size as they were read, until that is agreed."""
        return [
            marker.id
            for marker in found.tags
            if (side := self.table.side_of(marker.id)) is not None
            and sights.figures[side].reading.problem is FigureProblem.LYING
            and sights.figures[side].clear
            and self._carried.memory.figures[side].agreed.problem is not FigureProblem.LYING
        ]
