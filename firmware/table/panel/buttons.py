"""Where presses come from: a file beside a recording, or whatever device posts them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

from engine.strict.text import MalformedError, json_of
from engine.strict.values import read
from engine.table.presses import Button, Press
from firmware.core.io.files import MAX_LIST, read_text

_EXAMPLE: Final = '[{"t": 4.2, "button": "white"}]'


class RecordedPresses:
    """The presses of a recording, handed out as its clock passes them."""

    def __init__(self, presses: Iterable[Press] = ()) -> None:
        self._left = sorted(presses, key=lambda press: press.t_s)

    def due(self, now_s: float) -> tuple[Press, ...]:
        count = sum(press.t_s <= now_s for press in self._left)
        due, self._left = tuple(self._left[:count]), self._left[count:]
        return due


class TakesPresses(Protocol):
    """Whoever is told of the presses that are made at the window."""

    def post(self, button: Button) -> None: ...


class LivePresses:
    """A queue that the window posts to; drained by the loop.

    A window tells of a press once a look, without its time: it was pressed since the look before that one. That
    earliest time is what the press carries, so that two which are close together are never taken for two far apart.
    """

    def __init__(self) -> None:
        self._posted: list[Button] = []
        self._looks_s: tuple[float, ...] = ()

    def post(self, button: Button) -> None:
        self._posted.append(button)

    def due(self, now_s: float) -> tuple[Press, ...]:
        taken = self._posted[:]
        del self._posted[: len(taken)]
        self._looks_s = (*self._looks_s[-2:], now_s)
        return tuple(Press(self._looks_s[0], button) for button in taken)


def load_presses(recording: Path) -> RecordedPresses:
    """The presses beside a recording, from ``RECORDING.buttons.json``; none where there is no such file.

    Raises ValueError, with the file and the entry, for anything but ``[{"t": seconds, "button": name}, …]``.
    Source: FORMATS.md, "Presses beside a video or a folder".
    """
    path = recording.with_name(recording.name + ".buttons.json")
    if not path.exists():
        return RecordedPresses()
    try:
        presses = read(tuple[Press, ...], json_of(read_text(path, MAX_LIST)), others=True)
    except MalformedError as error:
        raise ValueError(f"{path}: {error}; expected presses such as {_EXAMPLE}") from error
    return RecordedPresses(presses)
