"""What a turn was read from: the frames in which something new was agreed on, and the one that was judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import TableObservation
from firmware.core.io.files import write_whole
from firmware.table.camera.setup import Setup
from firmware.table.recording.excerpt import numbered_turn, turns_of
from vision.camera.sources import Source
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look
from vision.marks.foreign import Run, in_process
from vision.overlay import draw_recognised
from vision.recording.recording import FrameNote


class Novelty:
    """Says of each look in turn whether it told anything new: a fencer elsewhere, a card more, a card glimpsed."""

    def __init__(self) -> None:
        self._spaces: dict[Side, int] = {}
        self._cards: set[tuple[Card, float]] = set()
        self._glimpsed: set[Card] = set()

    def tells(self, table: TableObservation) -> bool:
        """Whether the agreed table holds what it did not hold before. Ask at every frame."""
        news = False
        for side, reading in table.figures.items():
            if reading.space is not None and reading.space != self._spaces.get(side):
                self._spaces[side] = reading.space
                news = True
        cards = {(reading.card, reading.laid_at_s) for reading in table.cards}
        glimpsed = {*table.glimpsed}
        news = news or not cards <= self._cards or not glimpsed <= self._glimpsed
        self._cards, self._glimpsed = cards, glimpsed
        return news


def turn_lines(verdicts: Sequence[FrameNote]) -> list[str]:
    """The turns of a recording, a line each, numbered from 1; refused ones count too."""
    return [_line(number, verdict) for number, verdict in enumerate(turns_of(verdicts), 1)]


def turn_frames(
    source: Source, setup: Setup, verdicts: Sequence[FrameNote], number: int, run: Run = in_process
) -> Iterator[tuple[Frame, Look]]:
    """The frames that turn ``number`` of a recording was read from, in order, the judged one last.

    A turn that was refused before is looked at from its beginning. Raises EngardeError where there is no such turn.
    """
    turn = numbered_turn(verdicts, number)
    # As many digits as a verdict's time has: the judged frame's own.
    opened_s, judged_s = round(float(turn["opened_s"]), 3), float(turn["t"])
    eyes, telling = Eyes(setup.table, setup.calibration, run=run), Novelty()
    while (frame := source.read()) is not None:
        t_s = round(frame.t_s, 3)
        look = eyes.look(frame)
        if (telling.tells(look.table) and t_s > opened_s) or t_s >= judged_s:
            yield frame, look
        if t_s >= judged_s:
            return


def picture_into(folder: Path, frame: Frame, look: Look) -> None:
    """Write the frame there with all that was recognised, named by its number. Raises OSError."""
    if frame.y.size == 0:
        return
    _, png = cv2.imencode(".png", draw_recognised(frame.bgr(), look))
    write_whole(folder / f"{frame.index:06d}.png", png.tobytes())


def _line(number: int, verdict: FrameNote) -> str:
    event, ruling = verdict["event"], verdict["ruling"]
    state: dict[str, Any] = ruling["state"] or {}
    what = ruling.get("action") or event["event"]
    who = ruling.get("player") or ""
    ruled = f"{who} {what}".strip() if ruling["ok"] else f"refused, {ruling['code']}: {ruling['message']}"
    cards = " ".join(event.get("cards", ()))
    stand = f"White {event['white']}, Black {event['black']}" if event["event"] == "turn" else event["event"]
    return f"{number:4}  {verdict['t']:8.1f} s  round {state.get('round', 0)}  {stand}; {cards or 'no card'}: {ruled}"
