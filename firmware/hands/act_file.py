"""A sitting at the simulated table as a file: one JSON object a line. Source: FORMATS.md, "A sitting as a file"."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from engine.strict.text import MalformedError, Plain, json_lines
from engine.strict.values import plain, read
from firmware.errors import EngardeError
from firmware.hands.acts import TimedAct
from firmware.io.files import MOST_LIST, new_stream, read_text


def read_acts(path: Path) -> tuple[TimedAct, ...]:
    """What the file says is done, in the order of its times. Raises EngardeError with file, line and cure."""
    try:
        text = read_text(path, MOST_LIST)
    except OSError as error:
        raise EngardeError(f"--acts {path}: {error.strerror}; FORMATS.md shows what such a file holds.") from error
    acts = []
    for number, said in json_lines(text):
        try:
            acts.append(act_from_json(said))
        except MalformedError as error:
            cure = "FORMATS.md shows what each line holds"
            raise EngardeError(f"--acts {path}, line {number}: {error}; {cure}.") from error
    return tuple(sorted(acts, key=lambda timed: timed.t_s))


def act_from_json(said: Plain | MalformedError) -> TimedAct:
    """One act: its time stands beside its members. Raises MalformedError, also the one that was read instead."""
    if isinstance(said, MalformedError):
        raise said
    return read(TimedAct, said, others=True)


def act_to_json(timed: TimedAct) -> dict[str, Any]:
    """The same as ``act_from_json`` reads."""
    written: dict[str, Any] = plain(TimedAct, timed)
    return written


class ActWriter:
    """Writes every act down as it is done."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __call__(self, timed: TimedAct) -> None:
        """One line, in the file at once."""
        self._out.write(json.dumps(act_to_json(timed)) + "\n")
        self._out.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._out.close()


def open_new(path: Path) -> TextIO:
    """A new file for acts. Raises EngardeError where something is in it already, OSError where none can be made."""
    with suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()
    try:
        return io.TextIOWrapper(io.BufferedWriter(new_stream(path)), encoding="utf-8")
    except FileExistsError:
        raise EngardeError(
            f"--acts-out {path}: there is something in that file already; name another one, or remove it."
        ) from None
