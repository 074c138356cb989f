"""Work that the menu has done beside the game: on a stick or by the machine, and sheets made by another program."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import Final

from display.i18n import Words, words
from display.menu.lines import Do
from engine.lessons.lessons import LESSONS
from engine.rules.track import BySide
from firmware.book.scorebook.people import HaveMetError
from firmware.core.errors import EngardeError
from firmware.core.io.libraries import yielding
from firmware.core.names import BadNameError, OtherLettersError, new_name, person_key
from firmware.table.loop.moment import People
from firmware.ui.companion.opponents import is_a_person
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu.machine import Household


class Renaming:
    """Renames a player after asking."""

    def __init__(self, machine: Household, people: People, progress: Progress | None) -> None:
        """``progress`` is what people have learned here; None where nobody learns, and the file is left alone."""
        self._machine, self._people, self._progress = machine, people, progress
        self._new = ""
        self._asked: tuple[str, str | None, str] | None = None
        self._shown: tuple[str, ...] = ()

    def plays(self, name: str) -> str:
        """The refusal to rename a player of the match under way; empty for anybody else."""
        playing = person_key(name) in map(person_key, (self._people.names.white, self._people.names.black))
        return words(self._people.language).say("people.plays_now", name=name) if playing else ""

    def written(self, name: str, text: str) -> tuple[bool, str]:
        """Whether the written name has to be confirmed, and why it is refused, in words."""
        say = words(self._people.language)
        self._asked = None
        try:
            new = new_name(text)
            if new == name:
                return False, ""
            self._machine.change_of(name, new)
        except BadNameError as error:
            return False, name_refusal(error, say)
        except HaveMetError:
            return False, say.say("people.met", name=name, new=new)
        except EngardeError:
            return False, say.say("people.unchanged")
        self._new = new
        return True, ""

    def change(self, do: Do, name: str) -> tuple[bool, str]:
        """Change the name everywhere, or take it out; gives success and a report in words."""
        say, new = words(self._people.language), None if do is Do.FORGET else self._new
        self._asked = None
        try:
            change = self._machine.change_of(name, new)
            self._machine.change(change, copies=new is None)
            if self._progress is not None and new is None:
                self._progress.forget(name)
            elif self._progress is not None:
                self._progress.rename(name, change.new)
        except (EngardeError, OSError):
            return False, say.say("people.unchanged")
        self._people.names = self._people.names.map(
            lambda each: change.new if person_key(each) == person_key(name) else each
        )
        return True, say.say("people.changed", name=change.new)

    def change_of(self, do: Do, name: str) -> tuple[str, ...]:
        """What would change, line by line; none if nothing can. Cached: the book is read once, not for every frame."""
        asked = name, None if do is Do.FORGET else self._new, self._people.language
        if self._asked != asked:
            self._asked, self._shown = asked, self._changes(name, asked[1])
        return self._shown

    def _changes(self, name: str, new: str | None) -> tuple[str, ...]:
        say = words(self._people.language)
        try:
            change = self._machine.change_of(name, new)
        except EngardeError:
            return ()
        lines = [say.say("people.becomes", name=name, new=change.new, count=len(change.matches))]
        if change.joins:
            lines.append(say.say("people.joins", new=change.new))
        if new is None:
            lines.append(say.say("people.gone", name=name))
        return tuple(lines)


def name_refusal(error: BadNameError, say: Words) -> str:
    """Why this cannot be a name, in the players' language; empty for one that is empty, as nothing was wanted."""
    if isinstance(error, OtherLettersError):
        return say.say("menu.other_letters", letters=" ".join(error.letters))
    return ""


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


_SHEET_OF: Final = {Do.CERTIFICATE: "certificate", Do.PRINT_BACKS: "backs"}


class Printing:
    """Has one sheet at a time made by another program; ``told`` reports on it."""

    def __init__(self, machine: Household) -> None:
        self._machine = machine
        self._making: subprocess.Popen[bytes] | None = None
        self._sheet, self._stick = "", ""

    def begin(self, do: Do, names: Sequence[str], language: str) -> None:
        """Put this sheet onto the newest stick, in this language; ``names`` are those on it."""
        if self._making is not None and self._making.poll() is None:
            return
        self._making, stick, self._sheet = None, self._machine.stick(), _SHEET_OF[do]
        if stick is None:
            return
        self._stick = stick.name
        asked = ["--only", self._sheet, "--language", language]
        for name in names:
            asked.append(f"--player={name}")
        command = yielding("firmware", "print", "--out", str(stick.path), *asked)
        quiet = subprocess.DEVNULL
        self._making = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)

    def told(self, language: str) -> str:
        """Whether the sheet is being made, is on the stick, or could not be made; empty if none was asked for."""
        say = words(language)
        if not self._sheet:
            return ""
        if self._making is None:
            return self._machine.no_stick(language)
        status = self._making.poll()
        key = "sheet_making" if status is None else "sheet_made" if status == 0 else "sheet_not_made"
        return say.say(f"menu.{key}", stick=self._stick)

    def leave(self) -> None:
        """Another page is shown, which does not repeat the report."""
        if self._making is None or self._making.poll() is not None:
            self._sheet = ""


def taught(progress: Progress, names: BySide[str]) -> tuple[str, ...]:
    """Names of the players who have learned all lessons; sides without a name are left out."""
    every = {lesson.id for lesson in LESSONS}
    people = (name for _, name in names.items() if is_a_person(name))
    return tuple(name for name in people if every <= {*progress.of(name).lessons})
