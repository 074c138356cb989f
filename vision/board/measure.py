"""The table measured by its camera: where the corner markers and the spaces are, with nothing known but printed sizes.

White's figure stands on space 1 and Black's on space 23. All squares in view are fitted at once, each free to lie and
turn anywhere on its plane; their printed sides give the scale, how they shrink and bend towards the edges the lens. The
two figures' tags are the board frame: their line is its x axis, their distance is that of 22 spaces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from engine.rules.track import SPACES, Side
from vision.belief import UNLIKELY
from vision.board.calibration import median_corners
from vision.board.lens_fit import (
    CORNER_SD_PX,
    Fit,
    LensBelief,
    Square,
    camera_of,
    centre_of,
    first_poses,
    fit_camera,
    parameters_about,
)
from vision.frame import Frame
from vision.geometry import Camera, Floats
from vision.marks.foreign import Run, in_process
from vision.marks.markers import MarkerFinder
from vision.printed.table import CARD_LIMITS_MM, MIN_CORNERS, Corner, PlayArea, Table, TablePoint
from vision.printed.tags import ID_SETS


class Fault(Enum):
    """Why a table cannot be measured. What to put where instead is said in the players' language, by these names."""

    WHITE = "white"  # White's tag is not in view
    BLACK = "black"
    MARKERS = "markers"  # too few of them
    SQUARES = "squares"  # bent, or not of the printed sizes: ``board_mm`` and ``tag_mm``
    SWAPPED = "swapped"  # White's figure stands where Black's should
    ASKEW = "askew"  # the markers' tops do not point away from the players
    PITCH = "pitch"  # the figures are not 22 spaces apart: a space would be ``pitch_mm`` wide
    HORIZON = "horizon"  # what was dragged lies on no table
    ENDS = "ends"  # nor lies space 1 at the left and space 23 at the right
    AREA = "area"  # too small
    PICTURES = "pictures"  # none yet
    BEFORE = "before"  # nothing to correct yet
    UNSURE = "unsure"  # nobody could play by what was measured


class MeasureError(ValueError):
    """The table cannot be measured: its ``fault``, and the ``facts`` that this names."""

    def __init__(self, fault: Fault, **facts: float) -> None:
        super().__init__(f"the table cannot be measured: {fault.value} {facts or ''}".rstrip())
        self.fault, self.facts = fault, facts


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredTable:
    """A measured table, the camera that sees it, and how well the printed squares fit it in pixels.

    ``turned_deg`` is how far each corner marker's top is turned from the players' far side, by its id.
    """

    table: Table
    camera: Camera
    rms_px: float
    turned_deg: Mapping[int, float]


def measure_frames(
    frames: Iterable[Frame], table: Table, level_mm: float = 0.0, run: Run = in_process
) -> MeasuredTable:
    """The table as some frames of a still camera show it. Every corner marker of its set of ids is looked for.

    ``run`` as in ``MarkerFinder``, the rest as in ``measure``. Raises MeasureError.
    """
    known = {corner.id for corner in table.corners} | {number for _, number in table.fencer_ids.items()}
    # Of the other set a marker in view is somebody else's.
    own = {number for ids in ID_SETS if known.intersection(ids) for number in ids}
    more = tuple(Corner(number, 0.0, 0.0, 0.0) for number in sorted(own - known))
    wide = replace(table, corners=table.corners + more)
    finder = MarkerFinder(table.dictionary, run)
    looks, size = [], (table.camera.width, table.camera.height)
    for frame in frames:
        looks.append(finder.find(frame.y))
        size = (frame.y.shape[1], frame.y.shape[0])
    return measure(median_corners(looks, wide), wide, size, level_mm)


def measure(corners: Mapping[int, Floats], table: Table, size: tuple[int, int], level_mm: float = 0.0) -> MeasuredTable:
    """The table as corner markers and tags in view (id to (4, 2) px in a picture of this size) tell it.

    ``table`` gives what is printed: ids, sizes, the tags' offset; and the camera's field of view. ``level_mm`` is how
    high the corner markers lie over the track's surface, negative where the track is raised. Every corner marker that
    is not in view is left out. Raises MeasureError.
    """
    tags = [table.fencer_ids[side] for side in Side]
    for number, fault in zip(tags, (Fault.WHITE, Fault.BLACK), strict=True):
        if number not in corners:
            raise MeasureError(fault)
    ids = [corner.id for corner in table.corners if corner.id in corners]
    if len(ids) < MIN_CORNERS:
        raise MeasureError(Fault.MARKERS)
    return _told(_fitted(corners, table, size, level_mm, (*tags, *ids)), table, level_mm)


def _fitted(
    corners: Mapping[int, Floats], table: Table, size: tuple[int, int], level_mm: float, ids: tuple[int, ...]
) -> Fit:
    """The best camera from the one or two ways it may be tilted over each of the squares.

    Raises MeasureError where none sees these squares so.
    """
    belief = LensBelief.of_field(table.camera.hfov_deg, *size)
    tag, board = (table.fencer_size_mm, table.fencer_offset_mm.z), (table.board_size_mm, level_mm)
    reach_mm = table.play_area.x1 - table.play_area.x0  # anywhere: nothing is known of how they lie
    printed = [
        Square(number, np.asarray(corners[number], dtype=np.float64), np.array([0.0, 0.0, z]), side, reach_mm)
        for number in ids
        for side, z in (board if table.side_of(number) is None else tag,)
    ]
    found = []
    for first in printed:
        for pose in first_poses([first], belief):
            camera = camera_of(np.concatenate([pose, belief.mean]), first.pivot_mm, size)
            squares = [square._replace(pivot_mm=_where_seen(square, camera)) for square in printed]
            found.append(fit_camera(squares, belief, size, parameters_about(camera, centre_of(squares))))
    best = min((fit for fit in found if fit is not None), key=lambda fit: fit.cost, default=None)
    if best is None or _rms_px(best) > CORNER_SD_PX * math.sqrt(UNLIKELY):
        raise MeasureError(Fault.SQUARES, board_mm=table.board_size_mm, tag_mm=table.fencer_size_mm)
    return best


def _rms_px(fit: Fit) -> float:
    return float(np.sqrt((fit.misses_px**2).mean()))


def _where_seen(square: Square, camera: Camera) -> Floats:
    """Where a camera sees a square's middle, (3,) mm. Its height is what it was said to be: nothing else tells it."""
    height = square.pivot_mm[2]
    return np.array([*np.nan_to_num(camera.at_height([square.px.mean(axis=0)], height)[0]), height])


def _about(axis: int, angle: float) -> Floats:
    vector = np.zeros(3)
    vector[axis] = angle
    turn, _ = cv2.Rodrigues(vector)
    return np.asarray(turn, dtype=np.float64)


def _told(fit: Fit, table: Table, level_mm: float) -> MeasuredTable:
    """The fit in the board frame of its two tags. Raises MeasureError where those are not on spaces 1 and 23."""
    own = fit.parameters[-3 * len(fit.squares) :].reshape(-1, 3)
    places = np.array([square.pivot_mm[:2] for square in fit.squares]) + own[:, :2]
    line = places[1] - places[0]
    length, angle = float(np.linalg.norm(line)), math.atan2(line[1], line[0])
    turns = own[:, 2] - angle
    askew = abs(math.atan2(float(np.sin(turns).mean()), float(np.cos(turns).mean())))
    if askew > math.pi / 4:  # their tops point more to a side than away from the players
        raise MeasureError(Fault.SWAPPED if askew > math.pi / 2 else Fault.ASKEW)
    pitch = length / (SPACES - 1)
    if not _is_pitch(pitch, table):
        raise MeasureError(Fault.PITCH, pitch_mm=pitch)
    turned = _about(2, -angle)[:2, :2]
    origin = places[0] - np.array(table.fencer_offset_mm[:2]) @ turned
    corners = [
        Corner(each.id, float(x), float(y), level_mm) for each, (x, y) in zip(fit.squares[2:], places[2:], strict=True)
    ]
    camera = _in_frame(fit.camera, origin, turned)
    play_area = _area(camera, table.play_area, (SPACES - 1) * pitch / 2)
    measured = replace(_laid_out(table, corners, origin, turned, pitch), play_area=play_area)
    degrees = np.degrees(np.arctan2(np.sin(turns[2:]), np.cos(turns[2:])))
    turned_deg = {corner.id: float(turn) for corner, turn in zip(corners, degrees, strict=True)}
    return MeasuredTable(measured, camera, _rms_px(fit), turned_deg)


def _is_pitch(pitch_mm: float, table: Table) -> bool:
    """Whether spaces may be so far apart: half as far as in the table file, twice, or in between."""
    usual = (table.spaces_mm[-1].x - table.spaces_mm[0].x) / (SPACES - 1)
    return usual / 2 <= pitch_mm <= 2 * usual


def _in_frame(camera: Camera, origin_mm: Floats, turned: Floats) -> Camera:
    """The same camera where the table's frame begins at ``origin_mm`` (2,) of the old one, turned by (2, 2)."""
    turn = camera.R.copy()
    turn[:, :2] = camera.R[:, :2] @ turned.T
    return replace(camera, R=turn, t=camera.t + camera.R[:, :2] @ origin_mm)


def _laid_out(table: Table, corners: Iterable[Corner], origin_mm: Floats, turned: Floats, pitch_mm: float) -> Table:
    """The table with spaces so far apart, and these corner markers in such a frame."""
    return replace(
        table,
        spaces_mm=tuple(TablePoint(round(pitch_mm, 2) * number, 0.0, 0.0) for number in range(SPACES)),
        corners=tuple(
            corner._replace(x=round(float(x), 1), y=round(float(y), 1))
            for corner in corners
            for x, y in [turned @ (np.array([corner.x, corner.y]) - origin_mm)]
        ),
    )


def _area(camera: Camera, usual: PlayArea, middle_mm: float) -> PlayArea:
    """As large a play area as usual about the middle of the track, as far as the camera sees it."""
    half, deep = (usual.x1 - usual.x0) / 2, usual.y1 - usual.y0
    for smaller in np.arange(deep, min(deep, *CARD_LIMITS_MM) - 1.0, -1.0) / deep:
        x0, x1, y0 = middle_mm - smaller * half, middle_mm + smaller * half, usual.y1 - smaller * deep
        if camera.holds(camera.project([(x, y, 0.0) for x in (x0, x1) for y in (y0, usual.y1)])).all():
            break
    return PlayArea(*(round(value) * 1.0 for value in (x0, x1, y0, usual.y1)))


def corrected(measured: MeasuredTable, first_px: Floats, last_px: Floats, area_px: Floats) -> MeasuredTable:
    """The same with what a person drew: the middles of spaces 1 and 23 (2,) px, the play area's corners (N, 2) px.

    The board frame goes along: its origin is the drawn middle of space 1. Raises MeasureError.
    """
    camera, table = measured.camera, measured.table
    (first, last), area = camera.at_height([first_px, last_px], 0.0), camera.at_height(area_px, 0.0)
    if not (np.isfinite(first).all() and np.isfinite(last).all() and np.isfinite(area).all()):
        raise MeasureError(Fault.HORIZON)
    line = last - first
    pitch, angle = float(np.linalg.norm(line)) / (SPACES - 1), math.atan2(line[1], line[0])
    if not _is_pitch(pitch, table) or abs(angle) > math.pi / 4:
        raise MeasureError(Fault.ENDS)
    turned = _about(2, -angle)[:2, :2]
    tag = turned @ (np.array(table.fencer_offset_mm[:2]) - first)
    drawn = (area - first) @ turned.T
    (x0, y0), (x1, y1) = drawn.min(axis=0), drawn.max(axis=0)
    if min(x1 - x0, y1 - y0) < min(CARD_LIMITS_MM):
        raise MeasureError(Fault.AREA)
    new = replace(
        _laid_out(table, table.corners, first, turned, pitch),
        fencer_offset_mm=TablePoint(round(float(tag[0]), 1), round(float(tag[1]), 1), table.fencer_offset_mm.z),
        play_area=PlayArea(*(round(float(value)) * 1.0 for value in (x0, x1, y0, y1))),
    )
    return MeasuredTable(new, _in_frame(camera, first, turned), measured.rms_px, measured.turned_deg)


def with_measures(text: str, table: Table) -> str:
    """This table file's text with the measured rows of ``table`` in place of its own; all else stays.

    Those are the pitch, the corner markers, the tags' offset, the play area and the camera. Slots for the companion's
    cards are the usual ones of that play area again.
    """
    pitch = table.spaces_mm[1].x - table.spaces_mm[0].x
    corners = "".join(f"    [{each.id}, {each.x}, {each.y}, {each.z}],\n" for each in table.corners)
    area, offset, camera = table.play_area, table.fencer_offset_mm, table.camera
    rows = {
        ("track", "pitch_mm"): f"spaces = {SPACES}\npitch_mm = {pitch:g}",
        ("track", "spaces_mm"): f"spaces = {SPACES}\npitch_mm = {pitch:g}",
        ("track", "spaces"): "",
        ("board", "corners"): f"corners = [\n{corners}]",
        ("fencers", "offset_mm"): f"offset_mm = [{offset.x}, {offset.y}, {offset.z}]",
        ("play_area", "x_mm"): f"x_mm = [{area.x0}, {area.x1}]",
        ("play_area", "y_mm"): f"y_mm = [{area.y0}, {area.y1}]",
        ("camera", "width"): f"width = {camera.width}",
        ("camera", "height"): f"height = {camera.height}",
        ("camera", "hfov_deg"): f"hfov_deg = {round(camera.hfov_deg, 2)}",
    }
    lines, section, depth = [], "", 0
    for line in text.splitlines():
        code = line.partition("#")[0]
        if depth:
            depth += code.count("[") - code.count("]")
            continue
        if code.strip().startswith("[") and "=" not in code:
            section = code.strip().strip("[] ")
        row = rows.get((section, code.partition("=")[0].strip()))
        if row is not None:
            depth = code.count("[") - code.count("]")
            lines += [row] if row else []
        elif section != "slots":
            lines.append(line)
    return "\n".join(lines) + "\n"
