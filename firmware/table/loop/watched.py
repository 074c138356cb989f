"""Parts that come late, go away or fail are tried again: one table of rules, and a state machine that follows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from firmware.core.errors import TEMPORARY_FAILURE, EngardeError


class Part(Enum):
    """A part that may come late or go away; the values are names in the catalogue (``missing.camera``)."""

    CAMERA = "camera"
    SCREEN = "screen"
    SOUND = "sound"
    PIN = "pin"
    PANEL = "panel"
    STICK = "stick"
    PORT = "port"
    NETWORK = "network"
    BROKER = "broker"
    HOME = "home"
    EYES = "eyes"
    WORDS = "words"
    MENU = "menu"
    COACH = "coach"
    COMPANION = "companion"
    TEACHER = "teacher"
    RECORDING = "recording"
    PICTURES = "pictures"
    PRINTED = "printed"
    CLUB = "club"
    HOUSE = "house"
    BUTTONS = "buttons"
    LIGHTS = "lights"
    REFEREE = "referee"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Rule:
    """How a part is looked for: first after ``first_s``, then at twice the interval, at most every ``longest_s``.

    ``ends_after_s``: a look that has not come back, or a part that was there and stayed away, for so long ends the
    program; None: the game goes on without it. ``here``: the look runs in the loop's own thread and must be short;
    others run in a thread of their own, for drivers may hang. ``told``: whether the screen says that it is missing.
    """

    first_s: float
    longest_s: float
    ends_after_s: float | None = None
    here: bool = False
    told: bool = True


# The intervals are chosen: as long as somebody who has just plugged something in waits without wondering.
RULES: Final[Mapping[Part, Rule]] = {
    Part.CAMERA: Rule(1.0, 8.0, ends_after_s=60.0),
    Part.SCREEN: Rule(2.0, 8.0, here=True, told=False),  # nobody could read it
    Part.SOUND: Rule(2.0, 16.0),
    Part.PIN: Rule(2.0, 16.0),
    Part.PANEL: Rule(2.0, 16.0, told=False),  # many tables have none; the doctor says so
    Part.STICK: Rule(2.0, 4.0, told=False),  # the menu says so, where somebody wants one
    Part.PORT: Rule(2.0, 16.0),
    Part.NETWORK: Rule(5.0, 10.0),
    Part.BROKER: Rule(1.0, 30.0),
    Part.HOME: Rule(1.0, 30.0),
    Part.EYES: Rule(0.1, 30.0),
    Part.REFEREE: Rule(0.05, 30.0),  # less than a frame at first: one mishap costs a moment
}
"""The table of what is watched."""
TOLD_S: Final = 5.0
"""How long the screen says what happens to a part, at least. Chosen."""
GUARDED: Final = Rule(5.0, 300.0)
"""How a part is tried again that failed: the screen says so for as long as it takes to be read. Chosen."""


class EndsGameError(EngardeError):
    """Ends the game whoever raises it: only another start of the program, or somebody's hands, can cure it."""


class PartLostError(EndsGameError):
    """A part that only another start of the program may bring back; the message is for the journal."""

    status = TEMPORARY_FAILURE


@dataclass(frozen=True, slots=True)
class Watched:
    """One part at one moment; every method gives the part as it is after that.

    ``missing_since_s`` None: it is there. ``tries`` have failed since then; the next is due at ``next_s``, unless one
    has been under way since ``looking_since_s``. ``was_there``: it has been found since the program began.
    """

    rule: Rule
    missing_since_s: float | None = None
    tries: int = 0
    next_s: float = 0.0
    looking_since_s: float | None = None
    was_there: bool = False

    @property
    def is_missing(self) -> bool:
        return self.missing_since_s is not None

    def lost(self, now_s: float) -> Watched:
        """It is not there, or no longer; one that is missing already stays as it is."""
        if self.is_missing:
            return self
        return replace(self, missing_since_s=now_s, tries=0, next_s=now_s + self.rule.first_s, looking_since_s=None)

    def due(self, now_s: float) -> bool:
        """Whether it is to be looked for now."""
        return self.is_missing and self.looking_since_s is None and now_s >= self.next_s

    def looking(self, now_s: float) -> Watched:
        """A try began."""
        return replace(self, looking_since_s=now_s)

    @property
    def interval_s(self) -> float:
        """How long the next try was, or is, waited for."""
        # 2 ** 32 intervals are more than any evening has; a larger power would be no float some day.
        doublings: int = 2 ** min(self.tries, 32)
        return min(self.rule.first_s * doublings, self.rule.longest_s)

    def failed(self, now_s: float) -> Watched:
        """The try ended without it."""
        after = replace(self, tries=self.tries + 1, looking_since_s=None)
        return replace(after, next_s=now_s + after.interval_s)

    def found(self) -> Watched:
        """It is there."""
        return Watched(self.rule, was_there=True)

    def ends_program(self, now_s: float, *, restarted: bool) -> bool:
        """Whether only another start helps: a try hangs, or what was there stays away and somebody starts us anew.

        ``restarted``: a service manager starts a program that failed. A part that was never there is waited for.
        """
        limit_s = self.rule.ends_after_s
        if limit_s is None or self.missing_since_s is None:
            return False
        if self.looking_since_s is not None and now_s - self.looking_since_s >= limit_s:
            return True
        return restarted and self.was_there and now_s - self.missing_since_s >= limit_s
