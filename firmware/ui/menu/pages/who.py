"""Asks a player without a name who it is, after the first touch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final

from display.draw.pictures import PORTRAITS
from display.i18n import Words, words
from display.menu.asking import FACES
from display.menu.model import Act, Goto, Item, Menu, MenuPlace, Of, Open, Page, Pick, leave
from display.view import NO_NAMES
from engine.players.bots.strengths import rivals_in
from engine.rules.events import RoundEvent
from engine.rules.track import Side
from firmware.core.errors import EngardeError
from firmware.core.names import person_key
from firmware.table.loop.moment import Moment
from firmware.ui.companion.opponents import is_a_bot
from firmware.ui.menu.page import MenuPage
from firmware.ui.menu.state import MenuState

WHO: Final = Open("who")
MAX_KNOWN: Final = 8
"""Those who came last: with the pictures that are free they fill a page."""


class WhoPage(MenuPage, id="who"):
    """Known players, and a picture with its name for a new one."""

    def __init__(self, now: MenuState) -> None:
        super().__init__(now)
        self._asked = False
        self._known: tuple[str, ...] = ()
        self._face = ""

    def is_due(self, moment: Moment) -> bool:
        """Whether a round begins after the first touch, and one plays a bot under no name, who was not asked yet."""
        state = moment.desk.state
        begun = any(isinstance(entry.event, RoundEvent) and entry.ruling.ok for entry in moment.entries)
        if not self.now.seated or self.now.progress is None or state is None or not begun or self._side is None:
            return False
        if state.round == 1:
            self._asked = False
        due = not self._asked and sum(points for _, points in state.score.items()) > 0
        if due:
            self._asked = True
            people = [*self.now.machine.known_names(), *self.now.kept.portraits]
            self._known = tuple(name for name in dict.fromkeys(people) if not is_a_bot(name))[:MAX_KNOWN]
        return due

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        """Faces to tap: those with names, then those that are nobody's yet."""
        faces = {name: self.now.people.picture_of(name) for name in self._known}
        free = [each for each in PORTRAITS if each not in faces.values()]
        items = [
            Item(Act("known", name), name, portrait=face, does=leave(partial(self._is, name)))
            for name, face in faces.items()
        ]
        items += [
            Item(Act("new", face), say.say(f"portrait.{face}"), portrait=face, does=partial(self._new, face))
            for face in free
        ]
        items.append(Item(Act("later"), say.say("who.later"), does=leave()))
        return Page(say.say("who.title"), tuple(items), (say.say("who.lines"),), columns=FACES, gallery=True)

    def _new(self, face: str, menu: Menu) -> Menu | None:
        """Ask a new player for a name."""
        side = self._side
        if side is None:
            return None
        self._face, self.now.take_name = face, self.named
        return replace(menu, path=(*menu.path, MenuPlace(Goto.WRITE.of(side))), text="")

    def named(self, menu: Menu) -> Menu | None:
        """Give the player the written name, or the picture's name if none was written."""
        side = self._side
        if side is not None:
            own = words(self.now.people.language).say(f"portrait.{self._face}")
            name = menu.chosen(Of(Pick.NAME, side), self._free_name(own))
            self.now.kept.pictured(name, self._face)
            self._is(name)
        return None

    @property
    def _side(self) -> Side | None:
        """The side of a player without a name who plays a bot."""
        names = self.now.people.names
        rivals = rivals_in(names)
        return next((side for side in Side if side.other in rivals and names[side] == NO_NAMES[side]), None)

    def _free_name(self, name: str) -> str:
        """This name, with a number where it is somebody's already."""
        taken = {person_key(each) for each in self._known}
        return next(
            free for number in count(1) if person_key(free := f"{name} {number}".removesuffix(" 1")) not in taken
        )

    def _is(self, name: str) -> None:
        side = self._side
        if side is None:
            return
        names = self.now.people.names.put(side, name)
        try:
            self.now.machine.name_match(names)
        except EngardeError:
            return  # the match goes on under no name
        self.now.people.names = names
