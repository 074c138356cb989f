"""Verdicts as text: a line a verdict for people, and JSON lines for programs."""

from __future__ import annotations

import json
from typing import TextIO

from engine.answers import answer_to_json
from engine.events import event_to_json
from firmware.desk import Entry
from firmware.loop import Moment


class VerdictPrinter:
    """Prints every verdict as it falls, in the players' language: the time, the kind of verdict, what and why."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._told: object = None

    def attend(self, moment: Moment) -> None:
        """Print what is new at this moment: rulings, and answers to a press that are no rulings."""
        note = moment.desk.note
        new_note = note is not None and note is not self._told
        self._told = note
        if not moment.entries and not new_note:
            return
        view = moment.view
        verdict = view.verdict
        score = f"{view.score.white}:{view.score.black}"
        text = ". ".join(part.rstrip(".") for part in (verdict.headline, verdict.detail) if part)
        print(f"{moment.frame.t_s:7.1f} s  {score}  {verdict.tag}: {text}.", file=self._out)
        for remedy in view.remedies if not (moment.desk.ruling and moment.desk.ruling.ok) else ():
            print(f"{'':16}→ {remedy.text}", file=self._out)
        self._out.flush()


class JsonPrinter:
    """Prints every event the table was read as, with its ruling: ``{"t", "event", "ruling"}``. Source: CONTRACT."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def tell(self, entry: Entry) -> None:
        """Print one event and its ruling, at once."""
        line = {
            "t": round(entry.t_s, 3),
            "event": event_to_json(entry.event),
            "ruling": answer_to_json(entry.state, entry.ruling),
        }
        print(json.dumps(line), file=self._out, flush=True)

    def attend(self, moment: Moment) -> None:
        """Print what fell at this moment."""
        for entry in moment.entries:
            self.tell(entry)
