"""A name corrected everywhere in the scorebook, or taken out of it for good: what that changes is said before."""

from __future__ import annotations

from display.i18n import Words, words
from display.menu.lines import Do
from firmware.book.scorebook.people import HaveMetError
from firmware.core.errors import EngardeError
from firmware.core.names import BadNameError, OtherLettersError, new_name, person_key
from firmware.table.loop.moment import People
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu.machine import Household


class Renaming:
    """What another name for somebody changes, asked about before it is done."""

    def __init__(self, machine: Household, people: People, progress: Progress | None) -> None:
        """``progress`` is what people have learned here; None where nobody learns, and the file is left alone."""
        self._machine, self._people, self._progress = machine, people, progress
        self._new = ""
        self._asked: tuple[str, str | None, str] | None = None
        self._shown: tuple[str, ...] = ()

    def plays(self, name: str) -> str:
        """That somebody plays now, and keeps that name until the match is over, in words; empty where not so."""
        playing = person_key(name) in map(person_key, (self._people.names.white, self._people.names.black))
        return words(self._people.language).say("people.plays_now", name=name) if playing else ""

    def written(self, name: str, text: str) -> tuple[bool, str]:
        """Whether another name that was written for this one has to be asked about; and why it cannot be, in words."""
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
        """Change the name everywhere, or take it out; whether that could be done, and what came of it, in words."""
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
        """What would change, a line each; none where nothing can. The book is read once for it, not for every frame."""
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
