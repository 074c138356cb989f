"""A recording as a camera: its frames, its presses when they were made, and the match it began with.

Refereed again nothing is written down twice, and every ruling is held against the recorded one.
"""

from __future__ import annotations

import importlib.metadata
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from engine.record.course import Course, JournalEntry, follow
from engine.strict.text import MalformedError, json_of
from engine.strict.values import Alias, plain, read
from engine.table.desk import ruled_to_json
from engine.table.presses import ENDLESS_S, Press
from firmware.table.camera.setup import Clock, Entry, RecordedMatch, Setup
from firmware.table.loop.moment import Helper, Journal, Moment
from firmware.table.loop.requests import Request, request_of
from vision.board.calibration_text import calibration_text, read_calibration
from vision.frame import Frame
from vision.printed.table import read_table
from vision.recording.recording import FrameNote, RecordedFrames, RecordingError


@dataclass(frozen=True, slots=True)
class _Ruling:
    ok: bool
    state: Mapping[str, Any] | None
    code: str = ""
    message: str = ""

    def __post_init__(self) -> None:
        if not self.ok and not (self.code and self.message):
            raise ValueError("a refusal has a code and a message")


@dataclass(frozen=True, slots=True)
class _Verdict:
    t_s: Annotated[Clock, Alias("t")]
    event: Entry
    ruling: _Ruling
    opened_s: Clock = 0.0


@dataclass(frozen=True, slots=True)
class _Header:
    """FORMATS.md, "Recordings"."""

    table: str
    calibration: str | None
    match: RecordedMatch | None = None


class RecordedCamera(Helper):
    """The frames of a recording (a ``Source``), the presses made at them (``Presses``), and what was asked of the loop.

    ``setup`` is what it was made with; ``notice`` as in ``RecordedFrames.cut_off``. Raises RecordingError.
    """

    vital: Final = True  # what was pressed then comes from there

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._frames = RecordedFrames(path)
        self._path = path
        self._presses: tuple[Press, ...] = ()
        self._verdicts: tuple[FrameNote, ...] = ()
        self._ahead: Frame | None = None
        self._before_s = -ENDLESS_S
        self.notice = self._frames.cut_off
        try:
            self.setup = _setup(self._frames.header)
        except ValueError as error:
            self._frames.close()
            raise RecordingError(f"{path}: this recording's header cannot be used: {error}") from error

    def asks(self) -> tuple[Request, ...]:
        """The requests made before the next frame was looked at."""
        self._ahead = self.read()
        return super().asks()

    def read(self) -> Frame | None:
        """The next frame. Raises RecordingError for a damaged one."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            return ahead
        frame, notes = self._frames.read(), self._frames.notes
        if frame is not None:
            self._in_order(frame)
        self._verdicts = tuple(self._verdict(note["verdict"]) for note in notes if "verdict" in note)
        self._presses += tuple(self._press(note["press"]) for note in notes if "press" in note)
        self._asked = [request for note in notes for request in self._requests(note)]
        return frame

    def due(self, now_s: float) -> tuple[Press, ...]:
        """The presses that were handed out at the frame just read, each once."""
        due, self._presses = self._presses, ()
        return due

    def verdicts(self) -> tuple[FrameNote, ...]:
        """The rulings at the frame just read, as ``ruled_to_json`` has them, with ``opened_s``."""
        return self._verdicts

    def all_notes(self) -> Iterator[FrameNote]:
        """Every note of the recording, as far as it is known, without looking at a frame. Raises RecordingError."""
        for note in self._frames.all_notes():
            self._requests(note)
            if "verdict" in note:
                self._verdict(note["verdict"])
            yield note

    def all_verdicts(self) -> Iterator[FrameNote]:
        """Everything that was ruled in this recording, without looking at a frame. Raises RecordingError."""
        return (note["verdict"] for note in self.all_notes() if "verdict" in note)

    def close(self) -> None:
        self._frames.close()

    def _requests(self, note: FrameNote) -> tuple[Request, ...]:
        """The request of this note, if it is one."""
        try:
            request = request_of(note)
        except ValueError as error:
            raise RecordingError(f"{self._path}: expected what was asked of the game, found {note!r:.80}") from error
        return () if request is None else (request,)

    def _press(self, raw: Any) -> Press:
        try:
            return read(Press, raw, others=True)
        except MalformedError as error:
            raise RecordingError(f"{self._path}: a press cannot be read: {error}") from error

    def _verdict(self, raw: Any) -> FrameNote:
        """A verdict that has what verdicts have. Raises RecordingError."""
        try:
            read(_Verdict, raw, others=True)
        except MalformedError as error:
            raise RecordingError(f"{self._path}: a verdict cannot be read: {error}") from error
        verdict: FrameNote = raw
        return verdict

    def _in_order(self, frame: Frame) -> None:
        """Frames follow one another on a clock. Raises RecordingError for one that does not."""
        if not self._before_s <= frame.t_s <= ENDLESS_S:
            raise RecordingError(
                f"{self._path}: expected frame {frame.index} after {self._before_s:g} s, found it at {frame.t_s:g} s; "
                "take another copy of the file if there is one"
            )
        self._before_s = frame.t_s


def header_of(setup: Setup) -> dict[str, Any]:
    """The header of a recording made with this; ``RecordedCamera`` reads it back."""
    header: dict[str, Any] = {
        "program": f"engarde-companion {importlib.metadata.version('engarde-companion')}",
        "requests": True,
        "began": time.strftime("%Y-%m-%d %H:%M:%S"),
        "table": setup.table_text,
        "calibration": None if setup.calibration is None else calibration_text(setup.calibration),
    }
    return header if setup.match is None else {**header, "match": plain(RecordedMatch, setup.match)}


def _setup(header: Mapping[str, Any]) -> Setup:
    """Raises ValueError."""
    noted = read(_Header, header, others=True)
    calibration = None if noted.calibration is None else read_calibration(noted.calibration)
    return Setup(table=read_table(noted.table), table_text=noted.table, calibration=calibration, match=noted.match)


class ReplayCheck:
    """Compares what is ruled now with what was ruled when the recording was made."""

    def __init__(self, camera: RecordedCamera) -> None:
        self._camera = camera
        self._same = 0
        self._first = ""

    def attend(self, moment: Moment) -> None:
        """Hold this moment's rulings against the recorded ones of the same frame."""
        now = [json_of(json.dumps(ruled_to_json(entry))) for entry in moment.entries]
        then = [{name: value for name, value in note.items() if name != "opened_s"} for note in self._camera.verdicts()]
        if now == then:
            self._same += len(now)
        elif not self._first:
            self._first = f"at {moment.frame.t_s:.1f} s {_ruled(now)}, when it was recorded {_ruled(then)}"

    @property
    def sentence(self) -> str:
        """How the two compare; empty where nothing was ruled then or now."""
        if self._first:
            return f"The rulings differ from the recorded ones: {self._first}."
        return f"{self._same} rulings, the same as when it was recorded." if self._same else ""


def write_down(journal: Journal, entries: Iterable[JournalEntry]) -> Course | None:
    """Put what a recorded match had before its first frame into a journal; the course after it."""
    course: Course | None = None
    for entry in entries:
        course, ruling = follow(course, entry)
        if ruling.ok:
            journal.append(entry, ruling, 0.0)
    return course


def _ruled(entries: list[dict[str, Any]]) -> str:
    if not entries:
        return "nothing was ruled"
    return " and ".join(
        f"{entry['event']['event']} was {'accepted' if entry['ruling']['ok'] else entry['ruling']['code']}"
        for entry in entries
    )
