"""Where presses come from: a file beside a recording, the window, or contacts that bounce."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
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
    """Takes the presses that are made at the window."""

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


# Contacts that bounce, made into presses and holds: a function of edges and time. gpiozero's own ``bounce_time`` drops
# edges and its holds may repeat, so neither is used. Source: hardware/PLATFORM.md, "GPIO".

BOUNCE_S: Final = 0.02
HOLD_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Edge:
    """The contact closed (``down``) or opened at ``t_s``."""

    t_s: float
    down: bool


class GestureKind(Enum):
    """``PRESS``: the button went down, for good. ``HOLD``: it has been down for ``HOLD_S``; told once."""

    PRESS = "press"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Gesture:
    """A press or a hold of a button; ``t_s`` is when the contact first closed, or when holding became a hold."""

    kind: GestureKind
    t_s: float


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact between two looks: what it read last and since when, and what it has settled on.

    ``down_s`` is when it went down, None while it is up; ``told`` says that its hold has been told.
    """

    read: bool = False
    read_s: float = float("-inf")
    down_s: float | None = None
    told: bool = False


Gestures = tuple[Gesture, ...]


def debounce(contact: Contact, edges: Iterable[Edge], now_s: float) -> tuple[Contact, Gestures]:
    """The contact at ``now_s``, after these edges, and what was done with the button since the last look.

    A level counts once it has been read for ``BOUNCE_S`` without a break, so a spike is nothing and a press is told
    that much later, with the time at which the contact came to rest. Edges come in the order of their times; an edge
    to the level already read changes nothing. How often this is called makes no difference.
    """
    gestures: Gestures = ()
    for edge in edges:
        contact, more = _settle(contact, edge.t_s)
        gestures += more
        if edge.down is not contact.read:
            contact = replace(contact, read=edge.down, read_s=edge.t_s)
    contact, more = _settle(contact, now_s)
    return contact, gestures + more


def _settle(contact: Contact, now_s: float) -> tuple[Contact, Gestures]:
    """The contact and the gestures certain by ``now_s`` if nothing was read in between."""
    gestures: Gestures = ()
    is_down = contact.down_s is not None
    if contact.read is not is_down and now_s - contact.read_s >= BOUNCE_S:
        if contact.read:
            contact = replace(contact, down_s=contact.read_s, told=False)
            gestures += (Gesture(GestureKind.PRESS, contact.read_s),)
        else:
            contact = replace(contact, down_s=None)
    # A contact that has opened and not yet settled is held no longer.
    until_s = now_s if contact.read else contact.read_s
    down_s = contact.down_s
    if down_s is not None and not contact.told and until_s - down_s >= HOLD_S:
        contact = replace(contact, told=True)
        gestures += (Gesture(GestureKind.HOLD, down_s + HOLD_S),)
    return contact, gestures
