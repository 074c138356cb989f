"""Frames that verdicts were read from, kept in memory for a while to be looked at again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from display.screens.camera import CameraPicture
from display.words.watching import nothing_to_review, review_caption
from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import TableObservation
from firmware.core.io.files import write_whole
from firmware.table.camera.setup import Setup
from firmware.table.loop.moment import Moment
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
        """True if the agreed table holds something new. Ask at every frame."""
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
    """The frames that a turn was read from, in order, the judged one last; after a refusal from the turn's beginning.

    Raises EngardeError if there is no such turn.
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


_MB: Final = 1_000_000
_QUALITY: Final = 90


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A frame with all that was recognised drawn on it, as JPEG: a tenth of what it takes unpacked.

    ``judged``: a verdict was given on it.
    """

    t_s: float
    packed: bytes
    judged: bool

    @property
    def picture(self) -> CameraPicture:
        """The picture, unpacked."""
        bgr = cv2.imdecode(np.frombuffer(self.packed, np.uint8), cv2.IMREAD_COLOR)
        assert bgr is not None
        return CameraPicture(bgr.tobytes(), bgr.shape[1], bgr.shape[0])


def _packed(picture: CameraPicture) -> bytes:
    bgr = np.frombuffer(picture.bgr, np.uint8).reshape(picture.height_px, picture.width_px, 3)
    _, packed = cv2.imencode(".jpg", bgr, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
    return packed.tobytes()


class Recall:
    """Keeps frames with news or a verdict in memory: ``keep_s`` back and ``keep_mb`` at most. Shown ones stay."""

    def __init__(self, keep_s: float, keep_mb: float) -> None:
        self._keep_s = keep_s
        self._keep_bytes = keep_mb * _MB
        self._kept: deque[KeptPicture] = deque()
        self._telling = Novelty()
        self._shown: tuple[KeptPicture, ...] | None = None
        self._place = 0

    @property
    def size_bytes(self) -> int:
        """The memory the kept pictures take."""
        return sum(len(kept.packed) for kept in self._kept)

    def keep(self, moment: Moment, draw: Callable[[], CameraPicture | None]) -> None:
        """Draw and keep this moment's picture if it has news or a verdict; drop what is too old or too much."""
        judged = bool(moment.entries)
        tells = self._telling.tells(moment.look.table)
        picture = draw() if tells or judged else None
        if picture is not None:
            self._kept.append(KeptPicture(moment.frame.t_s, _packed(picture), judged))
        now_s = moment.frame.t_s
        while self._kept and (now_s - self._kept[0].t_s > self._keep_s or self.size_bytes > self._keep_bytes):
            self._kept.popleft()

    def toggle(self) -> None:
        """Begin looking back at the frame of the last verdict, or end it."""
        if self._shown is not None:
            self._shown = None
            return
        self._shown = tuple(self._kept)
        judged = [place for place, kept in enumerate(self._shown) if kept.judged]
        self._place = judged[-1] if judged else len(self._shown) - 1

    def end(self) -> None:
        """Show what is seen now."""
        self._shown = None

    def step(self, by: int) -> None:
        """Go to an earlier (-1) or a later picture (1), no further than there are any."""
        if self._shown:
            self._place = min(max(self._place + by, 0), len(self._shown) - 1)

    def picture(self, now_s: float, language: str) -> CameraPicture | None:
        """The earlier picture to show; None while nobody looks back."""
        if self._shown is None:
            return None
        if not self._shown:
            return CameraPicture(bytes(3 * 16 * 9), 16, 9, nothing_to_review(language))
        kept = self._shown[self._place]
        caption = review_caption(language, self._place + 1, len(self._shown), now_s - kept.t_s, judged=kept.judged)
        return replace(kept.picture, caption=caption)
