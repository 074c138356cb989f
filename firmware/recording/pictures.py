"""What the camera saw when each entry of a match was judged, out of the recording of that match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import cv2

from display.screens.camera import CameraPicture
from engine.record.corrections import Setting
from engine.record.course import CourseStep
from engine.rules.events import MatchEvent, event_to_json
from firmware.camera.recorded import RecordedCamera
from firmware.errors import EngardeError

WIDTH: Final = 640


def pictures_of(recording: Path, steps: Sequence[CourseStep]) -> Mapping[int, CameraPicture]:
    """A picture of the table by the number of the entry, 0 for the match event; none for those it does not hold.

    ``steps``: a match as it stands, which this has to be a recording of, at least of its first entries. Raises
    EngardeError where it is of another, RecordingError for a damaged one.
    """
    with closing(RecordedCamera(recording)) as source:
        times = _times(recording, list(source.all_verdicts()), steps)
        found: dict[int, CameraPicture] = {}
        waiting = sorted(times.items(), key=lambda each: each[1])
        while waiting and (frame := source.read()) is not None:
            while waiting and round(frame.t_s, 3) >= waiting[0][1]:
                number, _ = waiting.pop(0)
                whole = frame.bgr()
                height = round(whole.shape[0] * WIDTH / whole.shape[1])
                small = cv2.resize(whole, (WIDTH, height), interpolation=cv2.INTER_AREA)
                found[number] = CameraPicture(small.tobytes(), WIDTH, height)
    return found


def _times(recording: Path, verdicts: Sequence[Mapping[str, Any]], steps: Sequence[CourseStep]) -> dict[int, float]:
    """When each entry that stands was judged: what was taken back is left out."""
    stands: list[Mapping[str, Any]] = []
    for verdict in verdicts:
        if not verdict["ruling"]["ok"]:
            continue
        if verdict["event"]["event"] == "undo":
            stands = stands[:-1]
        else:
            stands.append(verdict)
    first = 0 if stands and stands[0]["event"]["event"] == MatchEvent.name else 1
    times: dict[int, float] = {}
    for number, (verdict, step) in enumerate(zip(stands, steps[first:], strict=False), first):
        if isinstance(step.entry, Setting) or verdict["event"] != event_to_json(step.entry):
            raise EngardeError(f"{recording}: entry {number} of it is not that of the match; it records another one.")
        times[number] = round(float(verdict["t"]), 3)
    return times
