"""A recording as a camera: its frames, its presses when they were made, and the match it began with."""

from __future__ import annotations

import importlib.metadata
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from engine.companion.backs import DeckBacks
from engine.record.corrections import Correction
from engine.record.journal import entry_from_json, entry_to_json
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import MatchEvent
from engine.rules.track import BySide
from engine.table.desk import EndTurn
from engine.table.presses import Button, Press
from firmware.camera.setup import RecordedMatch, Setup
from firmware.loop.moment import Helper
from firmware.loop.requests import Begin, Enter, Request, names_in, request_of
from vision.board.calibration_text import calibration_text, read_calibration
from vision.frame import Frame
from vision.printed.table import read_table
from vision.recording.recording import FrameNote, RecordedFrames, RecordingError

_ENDLESS_S: Final = 1e9  # thirty years
_BUTTONS: Final = {button.value: button for button in Button}


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
        self._names: BySide[str] | None = None
        self._ahead: Frame | None = None
        self._before_s = -_ENDLESS_S
        self.notice = self._frames.cut_off
        try:
            self.setup = _setup(self._frames.header)
            self._noted = self._frames.header.get("requests") is True
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            self._frames.close()
            raise RecordingError(f"{path}: this recording's header cannot be used: {error}") from error

    def asks(self) -> tuple[Request, ...]:
        """What was asked of the loop before the next frame was looked at."""
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
        """What was ruled at the frame just read, as ``ruled_to_json`` has it, with ``opened_s``."""
        return self._verdicts

    def all_verdicts(self) -> Iterator[FrameNote]:
        """Everything that was ruled in this recording, without looking at a frame."""
        return (self._verdict(note["verdict"]) for note in self._frames.all_notes() if "verdict" in note)

    def close(self) -> None:
        self._frames.close()

    def _requests(self, note: FrameNote) -> tuple[Request, ...]:
        """What was asked for by this note; recordings of before tell of some only by what was ruled then."""
        try:
            request = request_of(note)
            if not self._noted and "names" in note:
                self._names = names_in(note["names"])
            if not self._noted and "verdict" in note:
                request = self._ruled(note["verdict"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise RecordingError(f"{self._path}: expected what was asked of the game, found {note!r:.80}") from error
        return () if request is None else (request,)

    def _ruled(self, verdict: FrameNote) -> Request | None:
        """What must have been asked for, where no press brings this verdict about again."""
        entry = entry_from_json(verdict["event"])
        by_hand = isinstance(entry, Correction) or (verdict.get("by_hand") and not verdict.get("confirmed"))
        if by_hand and isinstance(entry, MatchEvent):
            return Begin(entry, self._names)
        return Enter(entry) if by_hand else None

    def _press(self, raw: Any) -> Press:
        try:
            return Press(_time_s(raw["t"]), _BUTTONS[raw["button"]])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise RecordingError(f"{self._path}: expected a press with t and button, found {raw!r:.80}") from error

    def _verdict(self, raw: Any) -> FrameNote:
        """A verdict that has what verdicts have. Raises RecordingError."""
        try:
            entry_from_json(raw["event"])
            _time_s(raw["t"])
            _time_s(raw.get("opened_s", 0.0))
            ruling, state = raw["ruling"], raw["ruling"]["state"]
            if not isinstance(ruling["ok"] or (ruling["code"], ruling["message"]), bool | tuple):
                raise TypeError("ok is true or false")
            if not isinstance(state, dict | None):
                raise TypeError("a state is an object")
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise RecordingError(
                f"{self._path}: expected a verdict with t, event and ruling, found {raw!r:.80}"
            ) from error
        verdict: FrameNote = raw
        return verdict

    def _in_order(self, frame: Frame) -> None:
        """Frames follow one another on a clock. Raises RecordingError for one that does not."""
        if not self._before_s <= frame.t_s <= _ENDLESS_S:
            raise RecordingError(
                f"{self._path}: expected frame {frame.index} after {self._before_s:g} s, found it at {frame.t_s:g} s; "
                "take another copy of the file if there is one"
            )
        self._before_s = frame.t_s


def header_of(setup: Setup) -> dict[str, Any]:
    """The header of a recording made with this; ``RecordedCamera`` reads it back."""
    match = setup.match
    header: dict[str, Any] = {
        "program": f"engarde-companion {importlib.metadata.version('engarde-companion')}",
        "requests": True,
        "began": time.strftime("%Y-%m-%d %H:%M:%S"),
        "table": setup.table_text,
        "calibration": None if setup.calibration is None else calibration_text(setup.calibration),
    }
    if match is not None:
        header["match"] = {
            "names": {side.value: name for side, name in match.names.items()},
            "end_turn": match.end_turn.value,
            "settle_s": match.settle_s,
            "opened": match.opened,
            "entries": [entry_to_json(entry) for entry in match.entries],
        }
        if match.backs is not None:
            tokens = {str(card): token for card, token in match.backs.tokens.items()}
            header["match"]["backs"] = {"deck": match.backs.deck, "tokens": tokens}
    return header


def _setup(header: Mapping[str, Any]) -> Setup:
    match, calibration = header.get("match"), header["calibration"]
    table_text = str(header["table"])
    return Setup(
        table=read_table(table_text),
        table_text=table_text,
        calibration=None if calibration is None else read_calibration(calibration),
        match=None if match is None else _match(match),
    )


def _match(raw: Mapping[str, Any]) -> RecordedMatch:
    entries = tuple(entry_from_json(entry) for entry in raw["entries"])
    if not entries or not isinstance(entries[0], MatchEvent):
        raise ValueError("its entries do not begin with a match")
    opened = raw.get("opened", True) is True
    known, backs = raw.get("backs"), None
    if known is not None:
        tokens = {CARD_BY_NAME[name]: str(token) for name, token in known["tokens"].items()}
        backs = DeckBacks(str(known["deck"]), MappingProxyType(tokens))
    names, end_turn = names_in(raw["names"]), EndTurn(raw["end_turn"])
    return RecordedMatch(entries, names, end_turn, _time_s(raw["settle_s"]), opened, backs)


def _time_s(raw: Any) -> float:
    """Seconds on a camera's clock. Raises TypeError, ValueError."""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise TypeError(f"expected seconds, found {raw!r:.80}")
    if not abs(raw) <= _ENDLESS_S:
        raise ValueError(f"no clock shows {raw!r:.80} seconds")
    return float(raw)
