"""The camera: whether it gives pictures, how bright and how sharp they are, and whether the board is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from firmware.cli.doctor.findings import Check, Finding, joined, quoted, sentence
from firmware.table.camera.camera import some_frames, too_few
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
"""Keys of sentences for a board that was not found; other reasons are sentences themselves."""


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


def camera_findings(facts: CameraFacts) -> Iterator[Finding]:
    """Seen, bright, sharp, board, spaces; the first alone where there is no picture, for then nothing can be played."""
    seen = Check("camera seen", camera=facts.spec)
    if facts.problem:
        yield seen.failed(quoted(facts.problem), seen("look"), CAMERA_BY)
        return
    width, height = facts.size
    yield seen.passed(seen("found", width=width, height=height, camera=facts.spec))
    settling = facts.settling
    bright = Check("camera bright", dark=f"{DARK:.0f}", bright=f"{BRIGHT:.0f}")
    found = bright("found", mean=f"{facts.brightness:.0f}")
    if settling is not None:
        found = joined("; ", found, bright("locked" if settling.exposure_locked else "open"))
    if DARK <= facts.brightness <= BRIGHT:
        yield bright.passed(found)
    else:
        yield bright.failed(found, bright("light" if facts.brightness < DARK else "dim"))
    if facts.edge_px is not None:
        sharp = Check("camera sharp", width=f"{SHARP_PX:g}")
        found = sharp("found", width=f"{facts.edge_px:.1f}")
        if settling is not None:
            found = joined("; ", found, sharp("locked" if settling.focus_locked else "open"))
        if facts.edge_px > BLURRED_PX:
            yield sharp.failed(found, sharp("focus"))
        else:
            yield sharp.warned(found, sharp("focus")) if facts.edge_px > SHARP_PX else sharp.passed(found)
    board = Check("board found")
    if not facts.board:
        yield board.passed(board("good"))
        yield _spaces(facts.spaces)
        return
    found = board(_OWN_WORDS[facts.board]) if facts.board in _OWN_WORDS else quoted(facts.board)
    if facts.mirrored:
        cure = joined(" ", sentence("cure.mirrored"), board("mirror_driver"))
        yield board.failed(found, cure, "v4l2-ctl -d /dev/video0 -c horizontal_flip=0")
    else:
        yield board.failed(found, board("lay"))


def _spaces(spaces: Sequence[SpaceView]) -> Finding:
    check = Check("spaces in view", spaces=len(spaces), side=f"{SURE_SIDE_PX:.0f}")
    hidden = [str(view.space) for view in spaces if not view.visible]
    small = [str(view.space) for view in spaces if view.visible and view.tag_side_px < SURE_SIDE_PX]
    if hidden:
        return check.failed(check("hidden", spaces=", ".join(hidden)), check("turn"), CALIBRATE)
    if small:
        return check.warned(check("small", spaces=", ".join(small)), check("nearer"), CALIBRATE)
    return check.passed(check("all", spaces=len(spaces)))


def look_through(spec: str, source: Source, table: Table, run: Run, *, live: bool) -> CameraFacts:
    """The facts of an open camera; too few pictures are told with what was not found in them."""
    frames = some_frames(source, live=live)
    facts, few = camera_facts(spec, frames, table, run), too_few(frames, live=live)
    if not few:
        return facts
    if facts.problem:
        return replace(facts, problem=f"{facts.problem}; {few}")
    return replace(facts, board=f"{facts.board}; besides, {few}") if facts.board else facts


def camera_facts(spec: str, frames: Sequence[Frame], table: Table, run: Run = in_process) -> CameraFacts:
    """The facts of one camera's frames: the last is measured, all are searched for the board.

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
        edge_px=edge_px(y, MarkerFinder(table.dictionary, run).find(y)),
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


def edge_px(y: Picture, markers: Iterable[Marker]) -> float | None:
    """How many pixels a marker's black takes to become white, the median over the markers; None where there are none.

    The contrast over the steepest slope: 1 for a border between two pixels, more the softer the picture is.
    """
    height, width = y.shape
    widths = []
    for marker in markers:
        part = box_around(marker.corners, _AROUND_PX, width, height).of(y).astype(np.float64)
        low, high = np.percentile(part, (10, 90))
        slope = max(np.percentile(np.abs(np.diff(part, axis=axis)), 99) for axis in (0, 1))
        if slope > 0:
            widths.append(float((high - low) / slope))
    return float(np.median(widths)) if widths else None
