"""The menu's pages of those who play here: everybody, one of them, and the name of one corrected or forgotten."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from display.i18n import Words
from display.menu.asking import FACES
from display.menu.model import Act, Goto, Item, Menu, Open, Page, Person
from firmware.ui.menu.page import MenuPage, back, gone, line

COLUMNS: Final = 2
MAX_FACES: Final = 12
"""More people than these are lines instead of pictures."""


class PeoplePage(MenuPage, id="people"):
    """Everybody who has a match in the book, the best rated first."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        people, title = self.now.home.everybody(), say.say("menu.people")
        if not people:
            return Page(title, (), (say.say("menu.history_empty"),))
        lines = (self.now.home.in_common(),)
        if len(people) <= MAX_FACES:
            return Page(title, people, lines, columns=FACES, gallery=True)
        return Page(title, tuple(replace(each, text=f"{each.text}  {each.note}") for each in people), lines)


class _OnePage(MenuPage):
    """A page of one of them."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        person = self.now.home.person(str(place.which))
        return gone(say, "menu.people") if person is None else self.page_of(say, person)

    def page_of(self, say: Words, person: Person) -> Page:
        """The page of this player."""
        raise NotImplementedError


class PersonPage(_OnePage, id="person"):
    """Picture, rating, form, and how that player stands with everybody met."""

    def page_of(self, say: Words, person: Person) -> Page:
        earned, name = sum(isinstance(feat.key, Open) for feat in person.feats), person.name
        items = [
            Item(Goto.HONOURS.of(name), say.say("home.honours", count=earned, of=len(person.feats))),
            line(say, Goto.NUMBERS.of(name), "home.numbers"),
            *person.against,
        ]
        if person.named:
            items.append(line(say, Goto.WRITE.of(name), "people.rename"))
            items.append(line(say, Goto.FORGET.of(name), "people.forget"))
        return Page(name, tuple(items), columns=COLUMNS, person=person)


class NumbersPage(_OnePage, id="numbers"):
    """All else there is to tell of one of them."""

    def page_of(self, say: Words, person: Person) -> Page:
        return Page(person.name, tuple(Item(Act("show", place), text) for place, text in enumerate(person.numbers)))


class HonoursPage(_OnePage, id="honours"):
    """What one of them has earned, each leading to its match, and what is still to be earned."""

    def page_of(self, say: Words, person: Person) -> Page:
        earned_first = sorted(person.feats, key=lambda feat: not isinstance(feat.key, Open))
        return Page(say.say("home.honours_of", name=person.name), tuple(earned_first))


class RenamePage(MenuPage, id="rename"):
    """Confirmation before a player is renamed."""

    do: ClassVar[str] = "rename"

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        name = str(place.which)
        change = self.now.renaming.change_of(self.do, name)
        done = Item(Act(self.do, name), say.say(f"people.{self.do}_do"), does=partial(self._change, name))
        return Page(name, (done,) if change else (), change or (say.say("past.gone"),))

    def _change(self, name: str, menu: Menu) -> Menu:
        """Do it, and go back to where everybody is."""
        now, done = self.now, False
        now.told = "" if now.waits_for_a_match else now.renaming.plays(name)
        if not now.told:
            done, now.told = now.renaming.change(self.do, name)
        now.past.look_again()
        return back(menu, 2 if done else 1)


class ForgetPage(RenamePage, id="forget"):
    """Confirmation before a player's name is taken out of the book."""

    do: ClassVar[str] = "forget"
