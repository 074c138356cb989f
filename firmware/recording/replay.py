"""A recorded match refereed again: nothing is written down twice, and every ruling is held against the recorded one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from engine.record.corrections import Correction, correction_from_json
from engine.record.course import Course, JournalEntry, follow
from engine.rules.events import MatchEvent, event_from_json
from engine.rules.rulings import Ruling
from engine.rules.track import BySide
from engine.table.ruled import ruled_to_json
from firmware.camera.recorded import RecordedCamera
from firmware.loop.loop import Loop
from firmware.loop.moment import Journal, Moment
from vision.frame import Frame
from vision.recording.recording import Note


class NoJournal:
    """Keeps nothing: the match was written down when it was played."""

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        """Nothing is kept."""


class ReplayCheck:
    """Compares what is ruled now with what was ruled when the recording was made."""

    def __init__(self, camera: RecordedCamera) -> None:
        self._camera = camera
        self._same = 0
        self._first = ""

    def attend(self, moment: Moment) -> None:
        """Hold this moment's rulings against the recorded ones of the same frame."""
        now = [json.loads(json.dumps(ruled_to_json(entry))) for entry in moment.entries]
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


class DoneAgain:
    """The frames of a recording, at which what was done in the menu then is done again: a ``Source``.

    ``loop`` is told of it before a frame is judged, as the menu told it then, and ``agree`` what both players had
    agreed to. ``new_journal`` is for a match that was begun there.
    """

    def __init__(self, camera: RecordedCamera) -> None:
        self._camera = camera
        self.new_journal: Callable[[BySide[str]], Journal] = lambda names: NoJournal()
        self.loop: Loop | None = None
        self.agree: Callable[[tuple[str, ...]], None] = lambda modes: None

    def read(self) -> Frame | None:
        """The next frame. Raises RecordingError for a damaged one."""
        frame, loop, done = self._camera.read(), self.loop, self._camera.done
        if loop is not None:
            loop.held = done.held
            self.agree(done.agreed)
            if done.end_turn is not None and done.end_turn is not loop.settings.end_turn:
                loop.change(replace(loop.settings, end_turn=done.end_turn))
            if done.afresh:
                loop.look_afresh()
            for verdict in self._camera.verdicts():
                self._again(loop, verdict)
        return frame

    def close(self) -> None:
        self._camera.close()

    def _again(self, loop: Loop, verdict: Note) -> None:
        if verdict["event"]["event"] == Correction.name:
            loop.correct(correction_from_json(verdict["event"]))
        elif verdict.get("by_hand") and not verdict.get("confirmed"):  # that comes of the presses again
            event = event_from_json(verdict["event"])
            if isinstance(event, MatchEvent):
                names = self._camera.done.names or loop.people.names
                loop.begin(self.new_journal(names), event, names)
            else:
                loop.enter(event)


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
