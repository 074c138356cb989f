"""The table as printed and measured: ``hardware/table.toml`` as one value. Source: FORMATS.md, "The table file"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from engine.rules.track import SPACES, BySide, Side
from engine.strict.text import MalformedError, toml_of
from vision.printed.table_reader import Section, TableError, join_faults
from vision.printed.tags import OWN_IDS, aruco_dictionary

__all__ = [
    "CameraFrame",
    "CardSize",
    "Corner",
    "LabelMargin",
    "PlayArea",
    "Table",
    "TableError",
    "TablePoint",
    "load_table",
    "read_table",
]

SLOTS: Final = 5
"""As many cards as a hand holds."""
_SLOT_PITCH_MM: Final = 78.0  # a card is 63 mm wide, and fingers want room between two
_SLOT_ABOVE_EDGE_MM: Final = 36.0  # of the middles: a card ends on the border of the printed mat
_SLOT_INSIDE_MM: Final = 22.0  # no slot's middle lies farther outside the play area: the eyes look no farther
_SPACES_APART_MM: Final = 5.0  # nearer, two rows were mistyped: no figure's base fits on spaces so small
_SECTIONS: Final = ("deck", "track", "board", "fencers", "cards", "play_area", "camera")
CARD_LIMITS_MM: Final = (40.0, 160.0)
"""Sides of cards that can be played with."""
_MOST_MARGIN_MM: Final = 30.0  # several times what usual cards have; chosen
MIN_CORNERS: Final = 2
"""As many corner markers as a calibration needs, on the board and in view."""


class TablePoint(NamedTuple):
    """A place in the board frame, millimetres."""

    x: float
    y: float
    z: float


class Corner(NamedTuple):
    """A corner marker: its id and its centre in the board frame, millimetres."""

    id: int
    x: float
    y: float
    z: float


class PlayArea(NamedTuple):
    """The rectangle where cards are laid, millimetres in the board frame."""

    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle, x and y."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether this place lies in the rectangle, its edge included."""
        return self.x0 <= x_mm <= self.x1 and self.y0 <= y_mm <= self.y1


def usual_slots(area: PlayArea) -> tuple[tuple[float, float], ...]:
    """Where the companion's slots lie on a mat for this play area: in a row along its near edge, from the left."""
    x, _ = area.middle
    y = area.y0 + _SLOT_ABOVE_EDGE_MM
    return tuple((x + (number - (SLOTS - 1) / 2) * _SLOT_PITCH_MM, y) for number in range(SLOTS))


class CameraFrame(NamedTuple):
    """The camera's picture size in pixels and horizontal field of view in degrees."""

    width: int
    height: int
    hfov_deg: float


class CardSize(NamedTuple):
    """The size of the game's cards."""

    width_mm: float
    height_mm: float


class LabelMargin(NamedTuple):
    """How far a label's modules lie from the edges of its card: from the nearer side, and from the end."""

    across_mm: float
    down_mm: float


@dataclass(frozen=True, slots=True)
class Table:
    """Everything printed or measured that the eyes rely on; millimetres, board frame.

    ``spaces_mm[n - 1]`` is the centre of space n on the track's surface. ``board_size_mm`` and ``fencer_size_mm`` are
    the sides of the markers' black squares. ``fencer_offset_mm`` goes from a space's centre to the tag's centre.
    ``qr_mm`` is a label without its quiet zone. ``slots_mm`` are the middles of the five slots, numbered from the left,
    in which the companion's cards lie face down where it plays itself. ``card_size`` and ``label_margin`` are None
    where nobody measured the cards: what they show is learned.
    """

    deck_letter: str
    spaces_mm: tuple[TablePoint, ...]
    dictionary: str
    board_size_mm: float
    corners: tuple[Corner, ...]
    fencer_ids: BySide[int]
    fencer_size_mm: float
    fencer_offset_mm: TablePoint
    qr_mm: float
    play_area: PlayArea
    camera: CameraFrame
    slots_mm: tuple[tuple[float, float], ...]
    card_size: CardSize | None = None
    label_margin: LabelMargin | None = None

    def space_mm(self, space: int) -> TablePoint:
        """The centre of space 1 to 23. Raises ValueError for any other number."""
        if not 1 <= space <= len(self.spaces_mm):
            raise ValueError(f"the piste has spaces 1 to {len(self.spaces_mm)}, found {space}; choose one of those")
        return self.spaces_mm[space - 1]

    def tag_mm(self, space: int) -> TablePoint:
        """Where the centre of a fencer's tag is when the figure stands upright on this space."""
        place, offset = self.space_mm(space), self.fencer_offset_mm
        return TablePoint(place.x + offset.x, place.y + offset.y, place.z + offset.z)

    def side_of(self, marker_id: int) -> Side | None:
        """Whose fencer carries this marker; None for any other marker."""
        for side, own in self.fencer_ids.items():
            if own == marker_id:
                return side
        return None


def load_table(path: Path | str) -> Table:
    """The table in this TOML file.

    Raises TableError (a ValueError) that names the file and every fault in it at once; OSError when it cannot be read.
    """
    raw = Path(path).read_bytes()
    try:
        return read_table(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: expected text in UTF-8, found other bytes; save it as UTF-8") from error
    except TableError as error:
        raise TableError(f"{path}: {error}") from error


def read_table(text: str) -> Table:
    """The table in this TOML text. Raises TableError naming all faults."""
    try:
        document = toml_of(text)
    except MalformedError as error:
        raise TableError(f"this is not TOML: {error}; compare with hardware/table.toml") from error
    faults: list[str] = []
    root = Section("", document, faults)
    sections = {name: root.section(name) for name in _SECTIONS}
    slots = root.section("slots") if root.has("slots") else None
    root.no_others()
    deck_letter = sections["deck"].letter("letter")
    spaces = _spaces(sections["track"])
    board = sections["board"]
    dictionary = board.text("dictionary")
    board_size_mm = board.positive("size_mm")
    corners = tuple(
        Corner(int(row[0]), row[1], row[2], row[3]) for row in board.rows("corners", "[id, x, y, z]", 4, MIN_CORNERS)
    )
    fencers = sections["fencers"]
    fencer_ids = BySide(fencers.integer("white", 0), fencers.integer("black", 0))
    fencer_size_mm = fencers.positive("size_mm")
    offset = fencers.numbers("offset_mm", 3, "[x, y, z]")
    qr_mm = sections["cards"].positive("qr_mm")
    card_size, label_margin = _card_size(sections["cards"], qr_mm), _label_margin(sections["cards"])
    x_mm = sections["play_area"].interval("x_mm")
    y_mm = sections["play_area"].interval("y_mm")
    camera = CameraFrame(
        sections["camera"].integer("width", 64),
        sections["camera"].integer("height", 64),
        sections["camera"].positive("hfov_deg", below=180.0),
    )
    area = PlayArea(*x_mm, *y_mm)
    slots_mm = usual_slots(area) if slots is None else _slots(slots, area)
    for section in sections.values():
        section.no_others()
    if dictionary:
        _check_dictionary(dictionary, faults)
    _check_ids([row.id for row in corners], fencer_ids, board.rows_as_given("corners"), faults)
    join_faults(faults)
    return Table(
        deck_letter=deck_letter,
        spaces_mm=spaces,
        dictionary=dictionary,
        board_size_mm=board_size_mm,
        corners=corners,
        fencer_ids=fencer_ids,
        fencer_size_mm=fencer_size_mm,
        fencer_offset_mm=TablePoint(*offset),
        qr_mm=qr_mm,
        play_area=area,
        camera=camera,
        slots_mm=slots_mm,
        card_size=card_size,
        label_margin=label_margin,
    )


def _card_size(cards: Section, qr_mm: float) -> CardSize | None:
    """The cards' size where the file has it."""
    if not cards.has("size_mm"):
        return None
    faults_before = cards.faults
    size = CardSize(*cards.numbers("size_mm", 2, "[width, height]"))
    if cards.faults > faults_before:
        return None
    low, high = CARD_LIMITS_MM
    if not all(low <= side_mm <= high and side_mm > qr_mm for side_mm in size):
        cards.fault(
            "size_mm",
            f"expected width and height of a card, {low:g} to {high:g} mm and more than a label's {qr_mm:g}, found "
            f"[{size.width_mm:g}, {size.height_mm:g}]; measure a card, or leave the row out and it is learned",
        )
    return size


def _label_margin(cards: Section) -> LabelMargin | None:
    """Where the labels are on the cards, where the file has it."""
    if not cards.has("label_mm"):
        return None
    faults_before = cards.faults
    margin = LabelMargin(*cards.numbers("label_mm", 2, "[across, down]"))
    if cards.faults > faults_before:
        return None
    if not all(0.0 <= side_mm <= _MOST_MARGIN_MM for side_mm in margin):
        cards.fault(
            "label_mm",
            f"expected how far a code's edge lies from the card's, 0 to {_MOST_MARGIN_MM:g} mm each way, found "
            f"[{margin.across_mm:g}, {margin.down_mm:g}]; measure it, or leave the row out and it is learned",
        )
    return margin


def _spaces(track: Section) -> tuple[TablePoint, ...]:
    """Spaces from an even pitch, or each one measured (a stepped or bent track)."""
    if not track.has("spaces_mm"):
        count = track.integer("spaces", 1)
        pitch_mm = track.positive("pitch_mm")
        if count and count != SPACES:
            track.fault("spaces", f"expected {SPACES}, the spaces of the piste, found {count}; write spaces = {SPACES}")
        return tuple(TablePoint(pitch_mm * number, 0.0, 0.0) for number in range(SPACES))
    if track.has("pitch_mm"):
        track.fault("pitch_mm", "stands beside spaces_mm, which says where every space is; keep one of the two")
    if track.has("spaces"):
        count = track.integer("spaces", 1)
        if count and count != SPACES:
            track.fault("spaces", f"expected {SPACES}, found {count}; write spaces = {SPACES} or leave it out")
    rows = track.rows("spaces_mm", "[x, y, z]", 3, SPACES, SPACES)
    places = tuple(TablePoint(*row) for row in rows)
    for number, (before, here) in enumerate(pairwise(places), start=2):
        apart_mm = math.dist(before[:2], here[:2])
        if apart_mm < _SPACES_APART_MM:
            track.fault(
                "spaces_mm",
                f"space {number}: expected it apart from space {number - 1}, found them {apart_mm:.2g} mm from each "
                "other; measure both again",
            )
    return places


def _slots(section: Section, area: PlayArea) -> tuple[tuple[float, float], ...]:
    """The slots' middles as measured, near enough to the play area for the eyes to look there."""
    rows = section.rows("middles", "[x, y]", 2, SLOTS, SLOTS)
    section.no_others()
    near = PlayArea(
        area.x0 - _SLOT_INSIDE_MM, area.x1 + _SLOT_INSIDE_MM, area.y0 - _SLOT_INSIDE_MM, area.y1 + _SLOT_INSIDE_MM
    )
    for number, (x, y) in enumerate(rows, start=1):
        if not near.holds(x, y):
            section.fault(
                "middles",
                f"slot {number}: expected at most {_SLOT_INSIDE_MM:g} mm outside the play area, found [{x:g}, {y:g}]; "
                "the camera does not look farther: move it nearer",
            )
    return tuple((x, y) for x, y in rows)


def _check_dictionary(name: str, faults: list[str]) -> None:
    try:
        aruco_dictionary(name)
    except ValueError as error:
        faults.append(f"[board] dictionary: {error}")


def _check_ids(corner_ids: list[int], fencer_ids: BySide[int], given: list[object], faults: list[str]) -> None:
    """Every marker id whole, one of ours, and used once."""
    for row in given:
        if isinstance(row, list) and row and isinstance(row[0], float):
            faults.append(f"[board] corners: expected a whole number as id, found {row[0]}; write [id, x, y, z]")
    used = [("[board] corners", number) for number in corner_ids]
    used += [(f"[fencers] {side.value}", number) for side, number in fencer_ids.items()]
    seen: dict[int, str] = {}
    for where, number in used:
        if number not in OWN_IDS:
            faults.append(
                f"{where}: expected a marker id from {OWN_IDS[0]} to {OWN_IDS[-1]}, found {number}; "
                "only those are printed for this game"
            )
        elif number in seen:
            faults.append(f"{where}: marker id {number} is used by {seen[number]} already; give each marker its own id")
        seen.setdefault(number, where)
