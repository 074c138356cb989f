"""Work that the menu has done beside the game: on a stick, by the machine, or by another program."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from display.i18n import Words, words
from display.words.watching import seconds_or_minutes
from firmware.core.io.libraries import yielding
from firmware.ui.menu.machine import Household

SOON_S: Final = 1.0
"""How long the game waits for an errand before it goes on. Chosen: a copy onto a good stick takes a third of it."""


class Errand:
    """Does one piece of work at a time in a thread; ``told`` reports on work that takes long."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._came: list[str] = []

    def do(self, work: Callable[[], str], failed: Callable[[], str]) -> str:
        """Start this work, unless earlier work goes on. Returns its report, or ``failed``, if that comes soon."""
        if self._thread is not None and self._thread.is_alive():
            return ""

        def run() -> None:
            try:
                self._came.append(work())
            except Exception:  # of a stick that is pulled out anything may come
                self._came.append(failed())

        self._came.clear()
        # A daemon: a stick that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=run, name="errand", daemon=True)
        self._thread.start()
        self._thread.join(SOON_S)
        return self._came.pop() if self._came else ""

    def told(self, language: str) -> str:
        """The report on the work, or that it still goes on; empty if there is none, or ``do`` has given it already."""
        if self._thread is not None and self._thread.is_alive():
            return words(language).say("menu.still_at_work")
        return self._came[-1] if self._came else ""

    def leave(self) -> None:
        """Another page is shown, which does not repeat the report."""
        if self._thread is not None and not self._thread.is_alive():
            self._came.clear()


class Making:
    """Has one file at a time made on the newest stick by another program, and tells how far it is."""

    def __init__(self, machine: Household, done: str = "past.made") -> None:
        """``done``: the sentence for what is on the stick."""
        self._machine, self._done = machine, done
        self._work: subprocess.Popen[bytes] | None = None
        self._what = self._stick = ""
        self._since_s = 0.0
        self._percent: int | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being made."""
        return self._work is not None and self._work.poll() is None

    def begin(self, what: str, command: Callable[[Path], Sequence[str]]) -> None:
        """Make this by the ``command`` of ``engarde`` that writes it to the stick's folder."""
        if self.busy:
            return
        self._work, self._percent, stick, self._what = None, None, self._machine.stick(), what
        if stick is None:
            return
        self._stick, self._since_s = stick.name, time.monotonic()
        program, quiet = yielding("firmware", *command(stick.path)), subprocess.DEVNULL
        self._work = subprocess.Popen(program, bufsize=0, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet)
        assert self._work.stdout is not None
        os.set_blocking(self._work.stdout.fileno(), False)

    def stop(self) -> None:
        """Have what is made no longer made."""
        if self._work is not None:
            self._work.terminate()

    def told(self, language: str) -> str:
        """How far it is, that it is on the stick, or could not be made; empty if nothing was asked for."""
        if not self._what:
            return ""
        if self._work is None:
            return self._machine.no_stick(language)
        say, status, so_far_s = words(language), self._work.poll(), time.monotonic() - self._since_s
        self._percent = _last_percent(self._work, self._percent)
        if status is not None:
            return say.say(self._done if status == 0 else "past.not_made", what=self._what, stick=self._stick)
        if self._percent is not None:
            return say.say("past.making_percent", what=self._what, percent=self._percent)
        return making_told(say, self._what, so_far_s)

    def leave(self) -> None:
        """Another page is shown, which does not repeat the report."""
        if not self.busy:
            self._what = ""


def _last_percent(work: subprocess.Popen[bytes], before: int | None) -> int | None:
    """The last percentage that the program printed, ``before`` if no other: it prints too little to fill the pipe."""
    told = work.stdout
    if told is None or told.closed:
        return before
    lines = (told.read() or b"").split(b"\n")
    if work.poll() is not None:
        told.close()
    return max((int(line) for line in lines if line.isdigit()), default=before)


def making_told(say: Words, what: str, so_far_s: float) -> str:
    """Time spent so far, for when no percentage is known; in minutes from two minutes on."""
    unit, count = seconds_or_minutes(so_far_s)
    return say.say("past.making" if unit == "seconds" else "past.making_minutes", what=what, count=count)
