"""Contacts that bounce, made into presses and holds: a function of edges and time.

gpiozero's own ``bounce_time`` drops edges and its holds may repeat, so neither is used.
Source: hardware/PLATFORM.md, "GPIO".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

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
    """What somebody did with a button; ``t_s`` is when the contact first closed, or when holding became a hold."""

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
    """What has become certain by ``now_s`` if nothing was read in between."""
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
