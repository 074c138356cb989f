"""A recorded match refereed again: nothing is written down twice, and every ruling is held against the recorded one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from engine.record.course import Course, JournalEntry, follow
from engine.rules.rulings import Ruling
from engine.strict.text import json_of
from engine.table.desk import ruled_to_json
from firmware.table.camera.recorded import RecordedCamera
from firmware.table.loop.moment import Journal, Moment


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
