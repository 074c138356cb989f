"""A name corrected everywhere in the scorebook, or taken out of it for good: what that changes is said before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from display.i18n import words
from display.menu.lines import Do, Goto, Line, Of, Where
from display.menu.model import Menu, MenuPlace
from firmware.errors import EngardeError
from firmware.lessons.progress import Progress
from firmware.loop.moment import People
from firmware.menu.machine import Household
from firmware.menu.naming import refusal
from firmware.names import BadNameError, new_name, person_key
from firmware.scorebook.people import HaveMetError, RenamePlan


class Renaming:
    """What the pages show on which a name is changed, and what is done there. ``told`` answers what was chosen last."""

    def __init__(self, machine: Household, people: People, progress: Progress | None) -> None:
        """``progress`` is what people have learned here; None where nobody learns, and the file is left alone."""
        self._machine, self._people, self._progress = machine, people, progress
        self._new = ""
        self._asked: tuple[str, str | None, str] | None = None
        self._shown: tuple[str, ...] = ()
        self.told = ""

    def facts(self, page: Where) -> dict[str, Any]:
        """What this page shows, as fields of a ``MenuContext``."""
        match page:
            case Of(Goto.RENAME, str(name)):
                return {"change": self._lines(name, self._new)}
            case Of(Goto.FORGET, str(name)):
                return {"change": self._lines(name, None)}
        return {}

    def chosen(self, key: Of, menu: Menu, *, playing: bool) -> Menu:
        """The menu after one of these pages' lines. ``playing``: a match goes on, whose players keep their names."""
        name, say = str(key.which), words(self._people.language)
        self.told, self._asked = "", None
        if playing and person_key(name) in map(person_key, (self._people.names.white, self._people.names.black)):
            self.told = say.say("people.plays_now", name=name)
            return replace(menu, path=menu.path[:-1], text="")
        if key.what is Do.TAKE_NAME:
            return self._written(name, menu)
        return self._done(name, self._new if key.what is Do.RENAME else None, menu)

    def _written(self, name: str, menu: Menu) -> Menu:
        """Another name was written: asked about, unless it cannot be or is the same."""
        back = replace(menu, path=menu.path[:-1], text="")
        say = words(self._people.language)
        try:
            new = new_name(menu.text)
            if new == name:
                return back
            self._machine.change_of(name, new)
        except BadNameError as error:
            self.told = refusal(error, say)
            return back
        except HaveMetError:
            self.told = say.say("people.met", name=name, new=new)
            return back
        except EngardeError:
            self.told = say.say("people.unchanged")
            return back
        self._new = new
        return replace(back, path=(*back.path, MenuPlace(Of(Goto.RENAME, name))))

    def _done(self, name: str, new: str | None, menu: Menu) -> Menu:
        """Do it, and go back to where everybody is."""
        say = words(self._people.language)
        try:
            change = self._machine.change_of(name, new)
            self._machine.change(change, copies=new is None)
            if self._progress is not None and new is None:
                self._progress.forget(name)
            elif self._progress is not None:
                self._progress.rename(name, change.new)
        except (EngardeError, OSError):
            self.told = say.say("people.unchanged")
            return replace(menu, path=menu.path[:-1])
        self._people.names = self._people.names.map(
            lambda each: change.new if person_key(each) == person_key(name) else each
        )
        self.told = say.say("people.changed", name=change.new)
        return replace(menu, path=menu.path[:-2])

    def _lines(self, name: str, new: str | None) -> tuple[str, ...]:
        """What would change, a line each; none where nothing can. The book is read once for it, not for every frame."""
        if self._asked != (name, new, self._people.language):
            self._asked, self._shown = (name, new, self._people.language), self._change_told(name, new)
        return self._shown

    def _change_told(self, name: str, new: str | None) -> tuple[str, ...]:
        say = words(self._people.language)
        try:
            change: RenamePlan = self._machine.change_of(name, new)
        except EngardeError:
            return ()
        lines = [say.say("people.becomes", name=name, new=change.new, count=len(change.matches))]
        if change.joins:
            lines.append(say.say("people.joins", new=change.new))
        if new is None:
            lines.append(say.say("people.gone", name=name))
        return tuple(lines)


def is_of_these_pages(key: Line) -> bool:
    """Whether a line of the menu is one of these pages'."""
    return isinstance(key, Of) and key.what in (Do.TAKE_NAME, Do.RENAME, Do.FORGET) and isinstance(key.which, str)
