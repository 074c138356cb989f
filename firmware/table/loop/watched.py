"""Parts that come late, go away or fail are tried again: a table of rules, a state machine, and its runner in the loop.

Each part of the table (camera, screen, sound, a pin of the panel, ...) is present or missing. A missing one is looked
for at an interval that doubles up to a bound, never by two tries at once, and the screen says what is missing. What
cannot be cured from inside within its ``ends_after_s`` ends the program with PartLostError: systemd starts it anew
(Restart=on-failure), and the match goes on where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Protocol

from display.view import MissingPart, Situation
from engine.table.desk import Desk
from firmware.core.errors import TEMPORARY_FAILURE, EngardeError
from firmware.table.loop.moment import Helper, Moment
from vision.look import Look


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


GRACE_S: Final = 10.0
"""A part that may end the program is not reported for so long: cables are touched, and drivers slow. Chosen."""


class Followed(Protocol):
    """A part that looks for itself, in threads of its own, by the same rules."""

    def watched(self, now_s: float) -> Watched: ...


Aside = Callable[[Callable[[], None]], None]
"""Runs a function in a thread of its own."""


def in_a_thread(run: Callable[[], None]) -> None:
    """Run this aside. A daemon: a driver that never returns must not keep the program from ending."""
    threading.Thread(target=run, name="look again", daemon=True).start()


class Search:
    """Looks for one part by its rule, without holding anybody up.

    ``look`` tries to get it and gives whether it is there now; whatever it raises means that it is not. None: others
    bring it back. ``there`` tells whether it is there, quickly, and is asked every ``first_s``; None: once found, it
    stays. ``missing``: it is not there when the search begins. ``told`` hears once what was raised, where that is a
    failure of ours.
    """

    def __init__(
        self,
        rule: Rule,
        now_s: float,
        look: Callable[[], bool] | None = None,
        there: Callable[[], bool] | None = None,
        *,
        missing: bool = True,
        aside: Aside = in_a_thread,
        told: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._look, self._there, self._aside, self._told = look, there, aside, told
        self._said: set[str] = set()
        self._state = Watched(rule).lost(now_s) if missing else Watched(rule).found()
        self._came: list[bool] = []
        self._asked_s = now_s

    def watched(self, now_s: float) -> Watched:
        """The part now; a try that is due begins."""
        if self._came:
            self._state = self._state.found() if self._came.pop() else self._state.failed(now_s)
        if self._state.looking_since_s is None and self._there is not None:
            self._ask(self._there, now_s)
        if self._look is not None and self._state.due(now_s):
            self._state = self._state.looking(now_s)
            if self._state.rule.here:
                self._run(self._look)
                return self.watched(now_s)
            look = self._look
            self._aside(lambda: self._run(look))
        return self._state

    def _ask(self, there: Callable[[], bool], now_s: float) -> None:
        if now_s - self._asked_s < self._state.rule.first_s:
            return
        self._asked_s = now_s
        if not there():
            self._state = self._state.lost(now_s)
        elif self._state.is_missing:
            self._state = self._state.found()

    def _run(self, look: Callable[[], bool]) -> None:
        try:
            came = look()
        except Exception as error:  # whatever its layers raise, it is not there
            came = False
            if isinstance(error, EngardeError) and str(error) not in self._said:
                self._said.add(str(error))
                self._told(str(error))
        self._came.append(came)


class Watch(Helper):
    """A helper of the loop that looks again for what is missing, tells the screen, and ends what cannot go on.

    ``missing`` has a part looked for, ``follow`` one that looks for itself, ``forget`` is for what is no longer wanted.
    A part may be there several times under different names, such as pins. ``say`` hears each sentence for the journal.
    """

    in_loop: Final = True  # SDL wants a screen to be looked for in its own thread

    def __init__(
        self,
        say: Callable[[str], None] = lambda sentence: None,
        now_s: Callable[[], float] = time.monotonic,
        *,
        restarted: bool = False,
        aside: Aside = in_a_thread,
    ) -> None:
        super().__init__()
        self._say, self._now_s, self._aside, self._restarted = say, now_s, aside, restarted
        self._parts: dict[tuple[Part, str], Followed] = {}
        self._missing: dict[tuple[Part, str], Watched] = {}
        self._told_s: float | None = None

    def missing(
        self,
        part: Part,
        look: Callable[[], bool],
        why: str = "",
        name: str = "",
        there: Callable[[], bool] | None = None,
    ) -> None:
        """Look for this part until ``look`` gives True, and again once ``there`` gives False; ``why`` is said once."""
        self._say(why)
        self.follow(part, Search(RULES[part], self._now_s(), look, there, aside=self._aside), name)

    def there(
        self, part: Part, there: Callable[[], bool], look: Callable[[], bool] | None = None, name: str = ""
    ) -> None:
        """This part is there until ``there`` gives False; ``look`` brings it back, None: it comes back by itself."""
        self.follow(part, Search(RULES[part], self._now_s(), look, there, missing=False, aside=self._aside), name)

    def follow(self, part: Part, followed: Followed, name: str = "") -> None:
        """Tell when this part is missing, which looks for itself."""
        self._parts[part, name] = followed

    def forget(self, part: Part, name: str = "") -> None:
        """It is no longer wanted."""
        self._parts.pop((part, name), None)
        self._missing.pop((part, name), None)

    def is_missing(self, part: Part) -> bool:
        """Whether this part is missing, as it was last looked at."""
        return (part, "") in self._missing

    @property
    def fails(self) -> bool:
        """Whether a part is missing that ends the program unless it comes back in time."""
        now_s = self._now_s()
        return any(
            state.ends_program(now_s + state.rule.ends_after_s - GRACE_S, restarted=self._restarted)
            for state in self._missing.values()
            if state.rule.ends_after_s is not None
        )

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """With what is missing."""
        told = tuple(MissingPart(part.value, name) for (part, name), state in self._missing.items() if state.rule.told)
        missing = (*told, *situation.devices.missing)
        return (
            replace(situation, devices=replace(situation.devices, missing=missing, restarts=self._told_s is not None))
            if told
            else situation
        )

    def attend(self, moment: Moment) -> None:
        """Look for what is due. Raises PartLostError for what only another start brings back, once that was shown.

        Not while the menu is open or somebody keeps the score by hand: nobody is thrown out in the middle of that.
        """
        now_s = self._now_s()
        for key, followed in list(self._parts.items()):
            self._note(key, followed.watched(now_s))
        lost = [key for key, state in self._missing.items() if state.ends_program(now_s, restarted=self._restarted)]
        if not lost or moment.held:
            self._told_s = None
        elif self._told_s is None:
            self._told_s = now_s
        elif now_s - self._told_s >= TOLD_S:
            part, _ = lost[0]
            raise PartLostError(
                f"The {part.value} was expected to come back, and has not for {RULES[part].ends_after_s:.0f} s: the "
                "program ends so that it can start anew; the match goes on where it was."
            )

    def _note(self, key: tuple[Part, str], state: Watched) -> None:
        part, name = key
        if state.is_missing:
            if key not in self._missing and state.was_there:
                self._say(f"Lost: {' '.join((part.value, name)).rstrip()}. It is looked for again.")
            self._missing[key] = state
        elif self._missing.pop(key, None) is not None:
            self._say(f"Found: {' '.join((part.value, name)).rstrip()}.")
