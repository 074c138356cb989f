"""Looks again for what may come late or go away, by ``firmware.table.loop.watched``: one runner in the loop.

Each part of the table (camera, screen, sound, a pin of the panel, ...) is present or missing. A missing one is looked
for at an interval that doubles up to a bound, never by two tries at once, and the screen says what is missing. What
cannot be cured from inside within its ``ends_after_s`` ends the program with PartLostError: systemd starts it anew
(Restart=on-failure), and the match goes on where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from display.view import MissingPart, Situation
from engine.table.desk import Desk
from firmware.core.errors import EngardeError
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.watched import RULES, TOLD_S, Part, PartLostError, Rule, Watched
from vision.look import Look

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
            replace(
                situation,
                devices=replace(situation.devices, missing=missing, restarts=self._told_s is not None),
            )
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
