"""Output without a screen: verdicts as lines and JSON, and pictures of lessons."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

from engine.lessons.lesson import StepStage, Telling
from engine.table.comparison import Difference
from engine.table.desk import Entry
from engine.table.ruled import ruled_to_json
from firmware.core.io.files import make_folder
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.ui.screen.moments import DrawMoment


class VerdictPrinter:
    """Prints every verdict as it falls, in the players' language: the time, the kind of verdict, what and why.

    And every turn that is proposed, so that whoever has no screen knows what a press would mean.
    """

    part: Final = Part.PRINTED

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._told: object = None
        self._offered: object = None
        self._differed: Difference | None = None

    def attend(self, moment: Moment) -> None:
        """Print what is new at this moment: rulings, notes, and how the table differs from the record."""
        note, comparing = moment.desk.note, moment.desk.comparing
        new_note = note is not None and note is not self._told
        self._told = note
        new_offer = moment.desk.offer is not None and moment.desk.offer is not self._offered
        self._offered = moment.desk.offer
        difference = comparing.difference if comparing is not None else None
        new_difference = difference is not None and difference != self._differed
        self._differed = difference
        if not moment.entries and not new_note and not new_difference and not new_offer:
            return
        view = moment.view
        verdict = view.verdict
        score = f"{view.match.score.white}:{view.match.score.black}"
        parts = (verdict.headline, verdict.hint if new_offer else verdict.detail)
        text = ". ".join(part.rstrip(".") for part in parts if part).replace("?.", "?")
        print(f"{moment.frame.t_s:7.1f} s  {score}  {verdict.tag}: {text}.", file=self._out)
        for remedy in view.remedies if difference or not (moment.desk.ruling and moment.desk.ruling.ok) else ():
            print(f"{'':16}→ {remedy.text}", file=self._out)
        if difference:
            print(f"{'':16}{verdict.hint}", file=self._out)
        self._out.flush()


class JsonPrinter:
    """Prints every event the table was read as, with its ruling: ``{"t", "event", "ruling"}``. Source: FORMATS.md."""

    part: Final = Part.PRINTED

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def tell(self, entry: Entry) -> None:
        """Print one event and its ruling, at once."""
        print(json.dumps(ruled_to_json(entry)), file=self._out, flush=True)

    def attend(self, moment: Moment) -> None:
        """Print what fell at this moment."""
        for entry in moment.entries:
            self.tell(entry)


class TroublePrinter:
    """Says in English what keeps events from being written down, once for each time it happens."""

    part: Final = Part.PRINTED

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def attend(self, moment: Moment) -> None:
        """Print the trouble of this moment, if there is any."""
        if moment.trouble:
            print(f"engarde: {moment.trouble}", file=self._out, flush=True)


class LessonWriter:
    """Has a picture made whenever something new is said: ``012-moving-advance-do.png``, numbered as they came."""

    part: Final = Part.PICTURES

    def __init__(self, folder: Path, draw: DrawMoment, told: Callable[[], Telling]) -> None:
        """``draw`` puts a picture of a moment into a file; ``told`` gives what is said at it. An earlier run's pictures
        in the folder make way. Raises OSError where the folder cannot be made or cleared of them."""
        make_folder(folder)
        for earlier in folder.glob("[0-9][0-9][0-9]-*.png"):
            earlier.unlink()
        self._folder = folder
        self._draw = draw
        self._told = told
        self._drawn: tuple[str, StepStage, str] | None = None
        self.written = 0

    def attend(self, moment: Moment) -> None:
        """Draw this moment if it says something new."""
        told = self._told()
        now = (f"{told.lesson.id}-{told.step.id}", told.stage, told.answer)
        if now == self._drawn:
            return
        self._drawn = now
        self.written += 1
        name = "-".join(part for part in (now[0], told.stage.value, told.answer.replace("common.", "")) if part)
        self._draw(moment, self._folder / f"{self.written:03}-{name}.png")
