"""The camera: whether it gives pictures, how bright and how sharp they are, and whether the board is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from firmware.cli.doctor.findings import ENGLISH, Finding, Say, failed, passed, warned
from firmware.table.camera.first_frames import some_frames, too_few
from vision.board.calibration import SURE_SIDE_PX, CalibrationError, MirroredError, SpaceView, calibrate
from vision.camera.settling import Settling
from vision.camera.sources import Source
from vision.frame import Frame, Picture
from vision.look import Look
from vision.marks.foreign import Run, in_process
from vision.marks.markers import Marker, MarkerFinder, box_around
from vision.printed.table import Table

DARK: Final = 40.0
BRIGHT: Final = 220.0
SHARP_PX: Final = 3.0
BLURRED_PX: Final = 5.0
_AROUND_PX: Final = 4.0
MIRRORED: Final = "the picture is mirrored"
NOT_YET: Final = "not found so far"
_OWN_WORDS: Final = {MIRRORED: "mirrored", NOT_YET: "not_yet"}
"""What is said of a board that was not found without an error's own sentence."""


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """``problem``: why there is no picture, then the rest is not known.

    ``brightness`` is the mean luminance, 0 to 255. ``edge_px``: how wide the borders of the markers are, None where no
    marker was found. ``board``: empty, or why the board was not found; ``mirrored``: because the picture is a mirror
    image. ``spaces`` are the 23 as they would be seen. ``settling`` is that of a camera with automatics.
    """

    spec: str
    problem: str = ""
    size: tuple[int, int] = (0, 0)
    brightness: float = 0.0
    edge_px: float | None = None
    board: str = ""
    spaces: tuple[SpaceView, ...] = ()
    mirrored: bool = False
    settling: Settling | None = None


CAMERA_BY: Final = "config.toml, [table] camera; --camera; engarde demo needs none"
CALIBRATE: Final = "engarde calibrate"


def camera_findings(facts: CameraFacts, say: Say = ENGLISH) -> Iterator[Finding]:
    """Seen, bright, sharp, board, spaces; the first alone where there is no picture, for then nothing can be played."""
    expected = say("doctor.camera_seen.expected", camera=facts.spec)
    if facts.problem:
        yield failed(
            "camera seen", say("doctor.said", said=facts.problem), expected, say("doctor.camera_seen.look"), CAMERA_BY
        )
        return
    width, height = facts.size
    yield passed(
        "camera seen", say("doctor.camera_seen.found", width=width, height=height, camera=facts.spec), expected
    )
    exposed, focused = (
        ("", "")
        if facts.settling is None
        else (
            "; " + say(f"doctor.camera_bright.{'locked' if facts.settling.exposure_locked else 'open'}"),
            "; " + say(f"doctor.camera_sharp.{'locked' if facts.settling.focus_locked else 'open'}"),
        )
    )
    yield _bright(facts.brightness, exposed, say)
    if facts.edge_px is not None:
        yield _sharp(facts.edge_px, focused, say)
    corners = say("doctor.board_found.expected")
    if facts.board:
        mirrored = f"{say('cure.mirrored')} {say('doctor.board_found.mirror_driver')}"
        cure = mirrored if facts.mirrored else say("doctor.board_found.lay")
        by = "v4l2-ctl -d /dev/video0 -c horizontal_flip=0" if facts.mirrored else ""
        yield failed("board found", _board_problem(facts.board, say), corners, cure, by)
        return
    yield passed("board found", say("doctor.board_found.good"), corners)
    yield _spaces(facts.spaces, say)


def _board_problem(board: str, say: Say) -> str:
    key = _OWN_WORDS.get(board)
    return say("doctor.said", said=board) if key is None else say(f"doctor.board_found.{key}")


def _bright(mean: float, exposed: str, say: Say) -> Finding:
    found = say("doctor.camera_bright.found", mean=f"{mean:.0f}") + exposed
    expected = say("doctor.camera_bright.expected", dark=f"{DARK:.0f}", bright=f"{BRIGHT:.0f}")
    if mean < DARK:
        return failed("camera bright", found, expected, say("doctor.camera_bright.light"))
    if mean > BRIGHT:
        return failed("camera bright", found, expected, say("doctor.camera_bright.dim"))
    return passed("camera bright", found, expected)


def _sharp(edge_px: float, focused: str, say: Say) -> Finding:
    found = say("doctor.camera_sharp.found", width=f"{edge_px:.1f}") + focused
    expected = say("doctor.camera_sharp.expected", width=f"{SHARP_PX:g}")
    cure = say("doctor.camera_sharp.focus")
    if edge_px > BLURRED_PX:
        return failed("camera sharp", found, expected, cure)
    if edge_px > SHARP_PX:
        return warned("camera sharp", found, expected, cure)
    return passed("camera sharp", found, expected)


def _spaces(spaces: Sequence[SpaceView], say: Say) -> Finding:
    expected = say("doctor.spaces_in_view.expected", spaces=len(spaces), side=f"{SURE_SIDE_PX:.0f}")
    hidden = [str(view.space) for view in spaces if not view.visible]
    small = [str(view.space) for view in spaces if view.visible and view.tag_side_px < SURE_SIDE_PX]
    if hidden:
        found = say("doctor.spaces_in_view.hidden", spaces=", ".join(hidden))
        return failed("spaces in view", found, expected, say("doctor.spaces_in_view.turn"), CALIBRATE)
    if small:
        found = say("doctor.spaces_in_view.small", spaces=", ".join(small))
        return warned("spaces in view", found, expected, say("doctor.spaces_in_view.nearer"), CALIBRATE)
    return passed("spaces in view", say("doctor.spaces_in_view.all", spaces=len(spaces)), expected)


def look_through(spec: str, source: Source, table: Table, run: Run, *, live: bool) -> CameraFacts:
    """What an open camera tells of itself; that hardly a picture came is told with what was not found in them."""
    frames = some_frames(source, live=live)
    facts, few = camera_facts(spec, frames, table, run), too_few(frames, live=live)
    if not few:
        return facts
    if facts.problem:
        return replace(facts, problem=f"{facts.problem}; {few}")
    return replace(facts, board=f"{facts.board}; besides, {few}") if facts.board else facts


def camera_facts(spec: str, frames: Sequence[Frame], table: Table, run: Run = in_process) -> CameraFacts:
    """What these frames of one camera tell; the last is measured, all are searched for the board.

    ``run`` as in ``MarkerFinder``.
    """
    pictures = [frame for frame in frames if frame.y.size]
    if not pictures:
        return CameraFacts(spec, problem="it gives no picture")
    y = pictures[-1].y
    spaces: tuple[SpaceView, ...] = ()
    board, mirrored = "", False
    try:
        spaces = calibrate(pictures, table, run=run).spaces(table)
    except MirroredError:
        board, mirrored = MIRRORED, True
    except CalibrationError as error:
        board = str(error)
    return CameraFacts(
        spec,
        size=(y.shape[1], y.shape[0]),
        brightness=float(y.mean()),
        edge_px=marker_edge_px(y, table, run),
        board=board,
        spaces=spaces,
        mirrored=mirrored,
    )


def seen_facts(spec: str, frame: Frame, look: Look, settling: Settling | None = None) -> CameraFacts:
    """The same of a frame that was looked at already: nothing is searched for again."""
    if not frame.y.size:
        return CameraFacts(spec, problem="it gives no picture")
    found = look.calibration
    return CameraFacts(
        spec,
        size=(frame.y.shape[1], frame.y.shape[0]),
        brightness=float(frame.y.mean()),
        edge_px=edge_px(frame.y, look.detections.corners),
        board="" if found is not None else MIRRORED if look.mirrored else NOT_YET,
        spaces=() if found is None else tuple(found.spaces(look.of)),
        mirrored=look.mirrored,
        settling=settling,
    )


def marker_edge_px(y: Picture, table: Table, run: Run = in_process) -> float | None:
    """How many pixels a marker's black takes to become white, the median over the markers; None where there are none.

    The contrast over the steepest slope: 1 for a border between two pixels, more the softer the picture is.
    """
    return edge_px(y, MarkerFinder(table.dictionary, run).find(y))


def edge_px(y: Picture, markers: Iterable[Marker]) -> float | None:
    """The same of markers that were found already."""
    height, width = y.shape
    widths = []
    for marker in markers:
        part = box_around(marker.corners, _AROUND_PX, width, height).of(y).astype(np.float64)
        low, high = np.percentile(part, (10, 90))
        slope = max(np.percentile(np.abs(np.diff(part, axis=axis)), 99) for axis in (0, 1))
        if slope > 0:
            widths.append(float((high - low) / slope))
    return float(np.median(widths)) if widths else None
