"""``engarde calibrate``: find the board and the lens, and report all 23 spaces."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import add_camera_arguments, camera_wanted, say
from firmware.cli.sitting.cameras import open_with_table
from firmware.core.config import scorebook_path
from firmware.core.io.files import write_whole
from firmware.table.camera.camera import CameraWanted, some_frames, too_few
from firmware.table.readers.guard import guard_beside
from vision.board.calibration import SURE_SIDE_PX, VERSION, Calibration, CalibrationError, calibrate
from vision.board.calibration_text import calibration_text
from vision.camera.sources import Source
from vision.marks.foreign import Run, in_process
from vision.printed.table import Table

SURE_MM: Final = 4.0


def run_calibrate(
    source: Source,
    table: Table,
    out: TextIO,
    *,
    as_json: bool,
    file: Path | None,
    live: bool = False,
    run: Run = in_process,
) -> int:
    """Calibrates from up to 15 frames, prints the report, and writes the calibration to ``file`` where one is given.

    A ``live`` camera is let settle first. ``run`` has OpenCV look at a picture.

    Exit status 0. Raises CalibrationError when too little is seen, which may be that few pictures came or were read,
    OSError when the file cannot be written.
    """
    frames = some_frames(source, live=live)
    few = too_few(frames, live=live)
    if not frames:
        what = few or "see what engarde watch says of it"
        raise CalibrationError(f"the camera gave no frame to calibrate on; {what}")
    try:
        calibration = calibrate(frames, table, run=run)
    except CalibrationError as error:
        raise CalibrationError(f"{error}; besides, {few}" if few else str(error), error.rough) from error
    if file is not None:
        write_whole(file, calibration_text(calibration), devices=True)
    if as_json:
        print(json.dumps(report_json(calibration, table)), file=out)
    else:
        print(report_text(calibration, table), file=out)
        if few:
            print(f"This is from too little: {few}.", file=out)
        if file is not None:
            print(f"Written to {file}", file=out)
    return 0


def report_json(calibration: Calibration, table: Table) -> dict[str, object]:
    """``rms_px``, ``rms_mm``, ``worst_mm``, what was used and left out, and what is seen on each of the 23 spaces.

    ``off_mm`` is how far off a tag there may be read, and ``worst_mm`` that of the worst space in view: 95 in 100 times
    it is no more.
    """
    off = calibration.off_mm or (None,) * len(table.spaces_mm)
    return {
        "version": VERSION,
        "rms_px": round(calibration.rms_px, 4),
        "rms_mm": round(calibration.rms_mm, 4),
        "worst_mm": None if calibration.worst_mm is None else round(calibration.worst_mm, 2),
        "used": sorted(calibration.used),
        "left_out": list(calibration.left_out),
        "spaces": [
            {
                "space": view.space,
                "visible": view.visible,
                "tag_side_px": round(view.tag_side_px, 2),
                "off_mm": None if off_mm is None else round(off_mm, 2),
            }
            for view, off_mm in zip(calibration.spaces(table), off, strict=True)
        ],
    }


def report_text(calibration: Calibration, table: Table) -> str:
    """The same for people, with what to do about spaces that are out of view or too small."""
    views = calibration.spaces(table)
    camera = calibration.camera
    x, y, z = camera.position_mm
    lines = [
        f"The corner markers fit within {calibration.rms_px:.2f} px, {calibration.rms_mm:.2f} mm on the board.",
        f"Focal length {camera.K[0, 0]:.0f} px; the camera is {z:.0f} mm above the board at x {x:.0f}, y {y:.0f} mm.",
    ]
    if calibration.left_out:
        left_out = ", ".join(map(str, calibration.left_out))
        lines.append(
            f"Left out, wholly or in part: marker {left_out}. Something lies at its edge, or it is not where the table "
            "file says."
        )
    off = [f"  {off_mm:4.1f} mm" for off_mm in calibration.off_mm] or [""] * len(views)
    lines.append("space  in view  tag side" + ("  off at most" if calibration.off_mm else ""))
    lines += [
        f"{view.space:5}  {'yes' if view.visible else 'NO':7}  {view.tag_side_px:5.1f} px{told}"
        for view, told in zip(views, off, strict=True)
    ]
    hidden = [str(view.space) for view in views if not view.visible]
    small = [str(view.space) for view in views if view.visible and view.tag_side_px < SURE_SIDE_PX]
    if hidden:
        lines.append(f"Out of view: {', '.join(hidden)}. Turn the camera, or move it further away.")
    if small:
        lines.append(f"Smaller than {SURE_SIDE_PX:.0f} px: {', '.join(small)}. Move the camera nearer.")
    if calibration.worst_mm is not None:
        seen = ", ".join(str(number) for number in sorted(calibration.used))
        lines.append(
            f"A figure may be read up to {calibration.worst_mm:.1f} mm off (95 in 100 times no more), from markers and "
            f"tags {seen}."
        )
        if calibration.worst_mm > SURE_MM:
            lines.append("Calibrate again with every corner marker in view: that tells it better.")
    if not hidden and not small:
        lines.append("All 23 spaces are in view and large enough.")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrate:
    """Find the board and the lens, and report all 23 spaces."""

    wanted: CameraWanted = part(add_camera_arguments, camera_wanted)
    json: bool = switch("the report as one JSON object")
    out: Path | None = option("write the calibration there, for --calibration", metavar="FILE")

    def do(self) -> int:
        with ExitStack() as held:
            camera, setup = open_with_table(self.wanted)
            held.callback(camera.source.close)
            run = held.enter_context(closing(guard_beside(scorebook_path(None), say)))
            at = (camera.source, setup.table, sys.stdout)
            return run_calibrate(*at, as_json=self.json, file=self.out, live=camera.live, run=run)
