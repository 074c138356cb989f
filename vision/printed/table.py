"""The table as printed and measured: ``hardware/table.toml`` as one value. Source: FORMATS.md, "The table file"."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from engine.rules.track import SPACES, BySide, Side
from engine.strict.text import MalformedError, toml_of
from engine.strict.values import AsList, Converter, Length, Pattern, Range, read
from vision.printed.tags import DICTIONARY, OWN_IDS, aruco_dictionary

MOST: Final = 16_384
"""No table has so many millimetres, and no camera so many pixels."""
MIN_SIZE: Final = 1.0
"""Millimetres: a tenth of the smallest mark that is printed."""

SLOTS: Final = 5
"""As many cards as a hand holds."""
_SLOT_PITCH_MM: Final = 78.0  # a card is 63 mm wide, and fingers want room between two
_SLOT_ABOVE_EDGE_MM: Final = 36.0  # of the middles: a card ends on the border of the printed mat
_SLOT_INSIDE_MM: Final = 22.0  # no slot's middle lies farther outside the play area: the eyes look no farther
_SPACES_APART_MM: Final = 5.0  # nearer, two rows were mistyped: no figure's base fits on spaces so small
CARD_LIMITS_MM: Final = (40.0, 160.0)
"""Sides of cards that can be played with."""
_MAX_MARGIN_MM: Final = 30.0  # several times what usual cards have; chosen
MIN_CORNERS: Final = 2
"""As many corner markers as a calibration needs, on the board and in view."""
_Mm: TypeAlias = Annotated[float, Range(-MOST, MOST)]
_Size: TypeAlias = Annotated[float, Range(MIN_SIZE, MOST)]


def _marker_id(number: object) -> int:
    if type(number) is not int or number not in OWN_IDS:
        raise ValueError(number)
    return number


_Id: TypeAlias = Annotated[int, Converter(_marker_id, int, "a marker id of this game, 0 to 7 or 293 to 300")]
_Pixels: TypeAlias = Annotated[int, Range(64, MOST)]
_CardSide: TypeAlias = Annotated[float, Range(*CARD_LIMITS_MM)]
_Margin: TypeAlias = Annotated[float, Range(0, _MAX_MARGIN_MM)]


class TableError(ValueError):
    """A table file that cannot be used; the message lists every fault, one a line when there are several."""


class TablePoint(NamedTuple):
    """A place in the board frame, millimetres."""

    x: _Mm
    y: _Mm
    z: _Mm


class Corner(NamedTuple):
    """A corner marker: its id and its centre in the board frame, millimetres."""

    id: _Id
    x: _Mm
    y: _Mm
    z: _Mm


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

    width: _Pixels
    height: _Pixels
    hfov_deg: Annotated[float, Range(1, 179)]


class CardSize(NamedTuple):
    """The size of the game's cards."""

    width_mm: _CardSide
    height_mm: _CardSide


class LabelMargin(NamedTuple):
    """How far a label's modules lie from the edges of its card: from the nearer side, and from the end."""

    across_mm: _Margin
    down_mm: _Margin


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

    @property
    def tags_mm(self) -> tuple[TablePoint, ...]:
        """Where the centres of fencers' tags are, space by space."""
        return tuple(map(self.tag_mm, range(1, len(self.spaces_mm) + 1)))

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
    try:
        return read_table(Path(path).read_bytes())
    except TableError as error:
        raise TableError(f"{path}: {error}") from error


def read_table(text: str | bytes) -> Table:
    """The table in this TOML text. Raises TableError naming all faults."""
    try:
        document = toml_of(text)
    except MalformedError as error:
        raise TableError(f"expected a table in TOML: {error}; hardware/table.toml shows one") from error
    try:
        return _table(read(_File, document))
    except MalformedError as error:
        faults = [str(fault) for fault in (error, *error.more)]
        told = faults[0] if len(faults) == 1 else f"{len(faults)} faults:\n" + "\n".join(f"- {each}" for each in faults)
        raise TableError(f"{told}\nhardware/table.toml shows how it is written.") from error


def _dictionary(name: str) -> str:
    aruco_dictionary(name)
    return name


class _Deck(NamedTuple):
    letter: Annotated[str, Pattern("[A-Z]", "one letter A to Z")]


@dataclass(frozen=True, slots=True)
class _Track:
    spaces: Literal[23] | None = None
    pitch_mm: Annotated[float, Range(_SPACES_APART_MM, MOST)] | None = None
    spaces_mm: Annotated[tuple[Annotated[TablePoint, AsList()], ...], Length(SPACES, SPACES)] | None = None

    def __post_init__(self) -> None:
        if self.spaces_mm is None:
            if self.pitch_mm is None or self.spaces is None:
                raise ValueError(f"expected spaces = {SPACES} and pitch_mm, or spaces_mm with [x, y, z] of each space")
            return
        if self.pitch_mm is not None:
            raise ValueError("pitch_mm stands beside spaces_mm, which says where every space is; keep one of the two")
        _expect(
            MalformedError(
                f"expected it apart from space {number - 1}, found them {apart_mm:.2g} mm from each other; measure "
                "both again",
                f"spaces_mm[{number - 1}]",
            )
            for number, (before, here) in enumerate(pairwise(self.spaces_mm), start=2)
            if (apart_mm := math.dist(before[:2], here[:2])) < _SPACES_APART_MM
        )

    @property
    def middles_mm(self) -> tuple[TablePoint, ...]:
        if self.spaces_mm is not None:
            return self.spaces_mm
        return tuple(TablePoint((self.pitch_mm or 0.0) * number, 0.0, 0.0) for number in range(SPACES))


class _Board(NamedTuple):
    dictionary: Annotated[str, Converter(_dictionary, str, f"a marker dictionary of OpenCV such as {DICTIONARY}")]
    size_mm: _Size
    corners: Annotated[tuple[Annotated[Corner, AsList()], ...], Length(MIN_CORNERS, 8)]


class _Fencers(NamedTuple):
    white: _Id
    black: _Id
    size_mm: _Size
    offset_mm: Annotated[TablePoint, AsList()]


@dataclass(frozen=True, slots=True)
class _Cards:
    qr_mm: _Size
    size_mm: Annotated[CardSize, AsList()] | None = None
    label_mm: Annotated[LabelMargin, AsList()] | None = None

    def __post_init__(self) -> None:
        if self.size_mm is not None and min(self.size_mm) <= self.qr_mm:
            raise MalformedError(
                f"expected both sides of a card longer than its label's {self.qr_mm:g} mm; measure a card, or leave "
                "the row out and it is learned",
                "size_mm",
            )


class _Interval(NamedTuple):
    low: _Mm
    high: _Mm


def _interval(raw: object) -> _Interval:
    found: _Interval = read(Annotated[_Interval, AsList()], raw)
    if found.low >= found.high:
        raise ValueError
    return found


_From: TypeAlias = Annotated[_Interval, Converter(_interval, list, f"[from, to], the smaller first, to {MOST} mm")]


class _PlayArea(NamedTuple):
    x_mm: _From
    y_mm: _From


class _Middle(NamedTuple):
    x: _Mm
    y: _Mm


class _Slots(NamedTuple):
    middles: Annotated[tuple[Annotated[_Middle, AsList()], ...], Length(SLOTS, SLOTS)]


class _File(NamedTuple):
    deck: _Deck
    track: _Track
    board: _Board
    fencers: _Fencers
    cards: _Cards
    play_area: _PlayArea
    camera: CameraFrame
    slots: _Slots | None = None


def _table(file: _File) -> Table:
    """Raises MalformedError where sections contradict each other."""
    board, fencers = file.board, file.fencers
    area = PlayArea(*file.play_area.x_mm, *file.play_area.y_mm)
    _expect(chain(_ids_used_twice(board, fencers), () if file.slots is None else _far_slots(file.slots, area)))
    return Table(
        deck_letter=file.deck.letter,
        spaces_mm=file.track.middles_mm,
        dictionary=board.dictionary,
        board_size_mm=board.size_mm,
        corners=board.corners,
        fencer_ids=BySide(fencers.white, fencers.black),
        fencer_size_mm=fencers.size_mm,
        fencer_offset_mm=fencers.offset_mm,
        qr_mm=file.cards.qr_mm,
        play_area=area,
        camera=file.camera,
        slots_mm=usual_slots(area) if file.slots is None else tuple((x, y) for x, y in file.slots.middles),
        card_size=file.cards.size_mm,
        label_margin=file.cards.label_mm,
    )


def _expect(faults: Iterable[MalformedError]) -> None:
    """Raises MalformedError with all of these where there is one."""
    if found := list(faults):
        raise MalformedError.of(found)


def _ids_used_twice(board: _Board, fencers: _Fencers) -> Iterator[MalformedError]:
    used = [(f"board.corners[{number}].id", corner.id) for number, corner in enumerate(board.corners)]
    seen: dict[int, str] = {}
    for path, marker_id in (*used, ("fencers.white", fencers.white), ("fencers.black", fencers.black)):
        if (other := seen.setdefault(marker_id, path)) != path:
            yield MalformedError(f"marker id {marker_id} is used by {other} already; give each its own id", path)


def _far_slots(slots: _Slots, area: PlayArea) -> Iterator[MalformedError]:
    """The camera looks at no slot that is farther from the play area."""
    near = PlayArea(
        area.x0 - _SLOT_INSIDE_MM, area.x1 + _SLOT_INSIDE_MM, area.y0 - _SLOT_INSIDE_MM, area.y1 + _SLOT_INSIDE_MM
    )
    for number, (x, y) in enumerate(slots.middles):
        if not near.holds(x, y):
            yield MalformedError(
                f"expected at most {_SLOT_INSIDE_MM:g} mm outside the play area, found [{x:g}, {y:g}]; move it nearer",
                f"slots.middles[{number}]",
            )
