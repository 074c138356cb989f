"""Output without a screen: verdicts as lines and JSON, and pictures of moments and lessons."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

from engine.lessons.lesson import StepStage, Telling
from engine.record.corrections import Correction
from engine.rules.events import MatchEvent, TimeEvent, UndoEvent
from engine.rules.rulings import ActionKind
from engine.rules.state import Phase
from engine.table.desk import Entry, ruled_to_json
from firmware.core.io.files import make_folder
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part

MAX_OF_A_KIND: Final = 2
"""Pictures of each kind of moment, the endings apart: of those all are kept."""

DrawMoment = Callable[[Moment, Path], None]
NameOf = Callable[[Moment], str | None]


def kind_of(moment: Moment) -> str | None:
    """The kind of a moment, for the file name; None if nothing happened. An open turn that the screen tells is one."""
    if not moment.entries:
        turn_seen = moment.view.piste.distance_pending and moment.view.verdict.hint and moment.view.eyes.why is None
        return "open-turn" if turn_seen else None
    entry = moment.entries[-1]
    ruling, state = entry.ruling, entry.state
    if not ruling.ok:
        return f"refused-{ruling.code.value}" if ruling.code else "refused"
    if state is None or isinstance(entry.event, MatchEvent):
        return None
    if isinstance(entry.event, UndoEvent):
        return "undo"
    if isinstance(entry.event, Correction):
        return "correction"
    if isinstance(entry.event, TimeEvent) and state.phase is not Phase.MATCH_OVER:
        return "time"
    if state.phase is Phase.MATCH_OVER:
        return "match-over"
    if state.result is not None:
        return f"round-over-{state.result.reason.value}"
    if state.phase is Phase.REVEAL:
        return "reveal"
    if state.phase is Phase.FINAL:
        return "final-defence"
    if ruling.parry is not None:
        return "parry"
    kind = ruling.action
    return "round" if kind is None else _ACTIONS[kind]


_ACTIONS: Final = {
    ActionKind.ADVANCE: "advance",
    ActionKind.RETREAT: "retreat",
    ActionKind.DIRECT_ATTACK: "direct-attack",
    ActionKind.INDIRECT_ATTACK: "indirect-attack",
}
_ENDINGS: Final = ("round-over", "match-over", "final", "reveal")


class PictureWriter:
    """Has pictures made into a folder, numbered as they fall: ``012-refused-wrong_distance.png``.

    ``draw`` puts a picture of a moment into a file; ``name_of`` gives the name of a moment that is to be drawn. An
    earlier run's pictures there make way. Raises OSError if the folder cannot be made or cleared.
    """

    part: Final = Part.PICTURES

    def __init__(self, folder: Path, draw: DrawMoment, name_of: NameOf) -> None:
        make_folder(folder)
        for earlier in folder.glob("[0-9][0-9][0-9]-*.png"):
            earlier.unlink()
        self._folder, self._draw, self._name_of = folder, draw, name_of
        self.written = 0

    def attend(self, moment: Moment) -> None:
        """Draw this moment if it has a name."""
        name = self._name_of(moment)
        if name is not None:
            self.written += 1
            self._draw(moment, self._folder / f"{self.written:03}-{name}.png")


def moments_that_matter() -> NameOf:
    """Names a moment by its kind, while there are not enough pictures of that."""
    counts = Counter[str]()

    def name_of(moment: Moment) -> str | None:
        kind = kind_of(moment)
        if kind is None or (counts[kind] == MAX_OF_A_KIND and not kind.startswith(_ENDINGS)):
            return None
        counts[kind] = min(counts[kind] + 1, MAX_OF_A_KIND)
        return kind

    return name_of


def whatever_is_said(told: Callable[[], Telling]) -> NameOf:
    """Names a moment whenever something new is said in a lesson: ``moving-advance-do``. ``told`` gives what is said."""
    before: tuple[str, StepStage, str] | None = None

    def name_of(moment: Moment) -> str | None:
        nonlocal before
        now = told()
        step, last = f"{now.lesson.id}-{now.step.id}", before
        before = (step, now.stage, now.answer)
        parts = (step, now.stage.value, now.answer.replace("common.", ""))
        return None if before == last else "-".join(part for part in parts if part)

    return name_of


class VerdictPrinter:
    """Prints verdicts and proposed turns in the players' language: time, score, kind, what and why."""

    part: Final = Part.PRINTED

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._before: tuple[object, ...] = (None, None, None)

    def attend(self, moment: Moment) -> None:
        """Print what is new at this moment: rulings, notes, and how the table differs from the record."""
        desk, comparing = moment.desk, moment.desk.comparing
        difference = comparing.difference if comparing is not None else None
        now, before = (desk.note, desk.offer, difference), self._before
        self._before = now
        new_offer = desk.offer is not None and desk.offer is not before[1]
        new = (desk.note is not None and desk.note is not before[0]) or new_offer
        if not moment.entries and not new and (difference is None or difference == before[2]):
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
