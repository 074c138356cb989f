"""The menu's pages of those who play here: everybody, one of them, and the name of one corrected or forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from display.i18n import Words
from display.menu.asking import FACES
from display.menu.lines import Do, Goto, Line, Of, Open
from display.menu.model import Item, Menu, Page
from firmware.ui.menu.page import MenuPage, back

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


class PersonPage(MenuPage, id="person"):
    """One of them: picture, rating, form, and how that player stands with everybody met."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        person = self.now.home.person(str(place.which))
        if person is None:
            return Page(say.say("menu.people"), (), (say.say("past.gone"),))
        earned = sum(isinstance(feat.key, Open) for feat in person.feats)
        items = [
            Item(Goto.HONOURS.of(person.name), say.say("home.honours", count=earned, of=len(person.feats))),
            Item(Goto.NUMBERS.of(person.name), say.say("home.numbers"), note=say.say("home.numbers_note")),
        ]
        items += person.against
        if person.named:
            items.append(Item(Goto.WRITE.of(person.name), say.say("people.rename"), note=say.say("people.rename_note")))
            items.append(
                Item(Goto.FORGET.of(person.name), say.say("people.forget"), note=say.say("people.forget_note"))
            )
        return Page(person.name, tuple(items), columns=COLUMNS, person=person)


class NumbersPage(MenuPage, id="numbers"):
    """All else there is to tell of one of them."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        person = self.now.home.person(str(place.which))
        if person is None:
            return Page(say.say("menu.people"), (), (say.say("past.gone"),))
        return Page(person.name, tuple(Item(Of(Do.SHOW, place), line) for place, line in enumerate(person.numbers)))


class HonoursPage(MenuPage, id="honours"):
    """What one of them has earned, each leading to its match, and what is still to be earned."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        person = self.now.home.person(str(place.which))
        if person is None:
            return Page(say.say("menu.people"), (), (say.say("past.gone"),))
        earned_first = sorted(person.feats, key=lambda feat: not isinstance(feat.key, Open))
        return Page(say.say("home.honours_of", name=person.name), tuple(earned_first))


class RenamePage(MenuPage, id="rename"):
    """What another name for somebody changes, before it is done."""

    do: ClassVar[Do] = Do.RENAME

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        name = str(place.which)
        change = self.now.renaming.change_of(self.do, name)
        items = (Item(Of(self.do, name), say.say(f"people.{self.do.value}_do")),) if change else ()
        return Page(name, items, change or (say.say("past.gone"),))

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        match key:
            case Of(self.do, str(name)):
                return self._change(name, menu)
        return super().chosen(key, menu)

    def _change(self, name: str, menu: Menu) -> Menu:
        """Do it, and go back to where everybody is."""
        now, done = self.now, False
        now.told = "" if now.waits_for_a_match else now.renaming.plays(name)
        if not now.told:
            done, now.told = now.renaming.change(self.do, name)
        now.past.look_again()
        return back(menu, 2 if done else 1)


class ForgetPage(RenamePage, id="forget"):
    """What is changed where somebody's name is taken out of the book, before it is done."""

    do: ClassVar[Do] = Do.FORGET
