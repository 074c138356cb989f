"""A sitting at the simulated table as a file: one JSON object a line. Source: FORMATS.md, "A sitting as a file"."""

from __future__ import annotations

import io
import json
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from engine.strict.text import MalformedError, Plain, json_of
from engine.strict.values import plain, read
from firmware.errors import EngardeError
from firmware.hands.acts import TimedAct
from firmware.io.files import MAX_LIST, new_stream, read_text


def read_acts(path: Path) -> tuple[TimedAct, ...]:
    """What the file says is done, in the order of its times. Raises EngardeError with file, line and cure."""
    try:
        text = read_text(path, MAX_LIST)
    except OSError as error:
        raise EngardeError(f"--acts {path}: {error.strerror}; FORMATS.md shows what such a file holds.") from error
    acts = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            acts.append(act_from_json(json_of(line)))
        except MalformedError as error:
            cure = "FORMATS.md shows what each line holds"
            raise EngardeError(f"--acts {path}, line {number}: {error}; {cure}.") from error
    return tuple(sorted(acts, key=lambda timed: timed.t_s))


def act_from_json(said: Plain) -> TimedAct:
    """One act: its time stands beside its members. Raises MalformedError."""
    return read(TimedAct, said, others=True)


def act_to_json(timed: TimedAct) -> dict[str, Any]:
    """The same as ``act_from_json`` reads."""
    written: dict[str, Any] = plain(TimedAct, timed)
    return written


class ActWriter:
    """Writes every act down as it is done. A disk that is full costs what follows, and is told once."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._writes = True

    def __call__(self, timed: TimedAct) -> None:
        """One line, in the file at once."""
        if not self._writes:
            return
        try:
            self._out.write(json.dumps(act_to_json(timed)) + "\n")
            self._out.flush()
        except OSError as error:
            self._writes = False
            sys.stderr.write(f"What the hands do is written down no more: {error.strerror}; the game goes on.\n")

    def close(self) -> None:
        """Let go of the file."""
        with suppress(OSError):  # what a full disk did not take is tried once more
            self._out.close()


def open_new(path: Path) -> TextIO:
    """A new file for acts. Raises EngardeError where something is in it already, OSError where none can be made."""
    with suppress(OSError):
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and not found.st_size:
            path.unlink()
    try:
        return io.TextIOWrapper(io.BufferedWriter(new_stream(path)), encoding="utf-8")
    except FileExistsError:
        raise EngardeError(
            f"--acts-out {path}: there is something in that file already; name another one, or remove it."
        ) from None
