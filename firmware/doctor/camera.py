"""The camera: whether it gives pictures, how bright and how sharp they are, and whether the board is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from firmware.camera.first_frames import some_frames, too_few
from firmware.doctor.findings import Finding, failed, passed, warned
from vision.board.calibration import SURE_SIDE_PX, CalibrationError, MirroredError, SpaceView, calibrate
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


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """``problem``: why there is no picture, then the rest is not known.

    ``brightness`` is the mean luminance, 0 to 255. ``edge_px``: how wide the borders of the markers are, None where no
    marker was found. ``board``: empty, or why the board was not found; ``mirrored``: because the picture is a mirror
    image. ``spaces`` are the 23 as they would be seen.
    """

    spec: str
    problem: str = ""
    size: tuple[int, int] = (0, 0)
    brightness: float = 0.0
    edge_px: float | None = None
    board: str = ""
    spaces: tuple[SpaceView, ...] = ()
    mirrored: bool = False


def camera_findings(facts: CameraFacts) -> Iterator[Finding]:
    """Seen, bright, sharp, board, spaces; the first alone where there is no picture, for then nothing can be played."""
    expected = f"pictures from {facts.spec}"
    if facts.problem:
        cure = (
            "On a Pi look at both ends of its cable, switched off; for another camera set camera under [table] in "
            "config.toml, or try one with --camera. engarde demo needs none."
        )
        yield failed("camera seen", facts.problem, expected, cure)
        return
    width, height = facts.size
    yield passed("camera seen", f"{width} x {height} from {facts.spec}", expected)
    yield _bright(facts.brightness)
    if facts.edge_px is not None:
        yield _sharp(facts.edge_px)
    if facts.board:
        cure = "Lay the four corner markers flat and free, light the table, and turn the camera until all are in view."
        if facts.mirrored:
            cure = (
                "Switch mirroring off in the camera's own settings, or in its driver: v4l2-ctl -d /dev/video0 "
                "-c horizontal_flip=0. A camera that looks into a mirror has to look at the table itself."
            )
        yield failed("board found", facts.board, "the board's four corner markers", cure)
        return
    yield passed("board found", "all that is needed of it", "the board's four corner markers")
    yield _spaces(facts.spaces)


def _bright(mean: float) -> Finding:
    found, expected = f"{mean:.0f} of 255 on average", f"between {DARK:.0f} and {BRIGHT:.0f}"
    if mean < DARK:
        return failed("camera bright", found, expected, "Light the table, and take the cap off the lens.")
    if mean > BRIGHT:
        return failed("camera bright", found, expected, "Turn the lamp away from the table, or dim it.")
    return passed("camera bright", found, expected)


def _sharp(edge_px: float) -> Finding:
    found, expected = f"edges {edge_px:.1f} px wide", f"at most {SHARP_PX:g} px"
    cure = "Wipe the lens and focus it: Module 2 and HQ by hand; Module 3 does it by itself from 10 cm on."
    if edge_px > BLURRED_PX:
        return failed("camera sharp", found, expected, cure)
    if edge_px > SHARP_PX:
        return warned("camera sharp", found, expected, cure)
    return passed("camera sharp", found, expected)


def _spaces(spaces: Sequence[SpaceView]) -> Finding:
    expected = f"{len(spaces)} spaces in view, tags of {SURE_SIDE_PX:.0f} px or more"
    hidden = [str(view.space) for view in spaces if not view.visible]
    small = [str(view.space) for view in spaces if view.visible and view.tag_side_px < SURE_SIDE_PX]
    if hidden:
        cure = "Turn the camera, or move it further away; engarde calibrate reports every space."
        return failed("spaces in view", f"out of view: {', '.join(hidden)}", expected, cure)
    if small:
        cure = "Move the camera nearer; engarde calibrate reports every space."
        return warned("spaces in view", f"too small: {', '.join(small)}", expected, cure)
    return passed("spaces in view", f"all {len(spaces)}", expected)


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
    mirrored = False
    try:
        spaces, board = calibrate(pictures, table, run=run).spaces(table), ""
    except CalibrationError as error:
        spaces, board, mirrored = (), str(error), isinstance(error, MirroredError)
    return CameraFacts(
        spec,
        size=(y.shape[1], y.shape[0]),
        brightness=float(y.mean()),
        edge_px=marker_edge_px(y, table, run),
        board=board,
        spaces=tuple(spaces),
        mirrored=mirrored,
    )


def seen_facts(spec: str, frame: Frame, look: Look) -> CameraFacts:
    """The same of a frame that was looked at already: nothing is searched for again."""
    if not frame.y.size:
        return CameraFacts(spec, problem="it gives no picture")
    found = look.calibration
    return CameraFacts(
        spec,
        size=(frame.y.shape[1], frame.y.shape[0]),
        brightness=float(frame.y.mean()),
        edge_px=edge_px(frame.y, look.detections.corners),
        board="" if found is not None else "the picture is mirrored" if look.mirrored else "not found so far",
        spaces=() if found is None else tuple(found.spaces(look.of)),
        mirrored=look.mirrored,
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
