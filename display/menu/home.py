"""The menu's first page when nobody plays yet, and the pages of those who play here."""

from __future__ import annotations

from typing import Final

from display.i18n import Words
from display.menu.context import MenuContext
from display.menu.lines import Do, Goto, Of
from display.menu.model import Item, Page

NAME: Final = "En Garde"
COLUMNS: Final = 2
FACES: Final = 4
MAX_FACES: Final = 12
"""More people than these are lines instead of pictures."""


def people_page(say: Words, context: MenuContext) -> Page:
    """Everybody who has a match in the book, the best rated first."""
    house = context.house
    if not house.mates:
        return Page(say.say("menu.people"), (), (say.say("menu.history_empty"),))
    pictured = len(house.mates) <= MAX_FACES
    items = tuple(
        Item(
            Of(Goto.PERSON, mate.name),
            mate.name if pictured else f"{mate.name}  {mate.rating}",
            note=mate.rating,
            portrait=mate.portrait,
        )
        for mate in house.mates
    )
    lines = house.told
    return Page(say.say("menu.people"), items, lines, columns=FACES if pictured else 1, gallery=pictured)


def person_page(say: Words, context: MenuContext) -> Page:
    """One of them: his picture, rating, form, and how he stands with everybody he met."""
    person = context.person
    if person is None:
        return Page(say.say("menu.people"), (), (say.say("past.gone"),))
    earned = sum(bool(feat.match) for feat in person.feats)
    items = [
        Item(Of(Goto.HONOURS, person.name), say.say("home.honours", count=earned, of=len(person.feats))),
        Item(Of(Goto.NUMBERS, person.name), say.say("home.numbers"), note=say.say("home.numbers_note")),
    ]
    items += [Item(Of(Goto.PERSON, other.name), other.text, note=other.note) for other in person.against]
    if person.named:
        items.append(Item(Of(Goto.WRITE, person.name), say.say("people.rename"), note=say.say("people.rename_note")))
        items.append(Item(Of(Goto.FORGET, person.name), say.say("people.forget"), note=say.say("people.forget_note")))
    return Page(person.name, tuple(items), columns=COLUMNS, person=person)


def change_page(say: Words, context: MenuContext, name: str, do: Do) -> Page:
    """What another name for somebody changes, or none at all, before it is done."""
    items = (Item(Of(do, name), say.say(f"people.{do.value}_do")),) if context.change else ()
    return Page(name, items, context.change or (say.say("past.gone"),))


def numbers_page(say: Words, context: MenuContext) -> Page:
    """All else there is to tell of one of them."""
    person = context.person
    if person is None:
        return Page(say.say("menu.people"), (), (say.say("past.gone"),))
    return Page(person.name, tuple(Item(Of(Do.SHOW, place), line) for place, line in enumerate(person.numbers)))


def honours_page(say: Words, context: MenuContext) -> Page:
    """What one of them has earned, each leading to its match, and what is still to be earned."""
    person = context.person
    if person is None:
        return Page(say.say("menu.people"), (), (say.say("past.gone"),))
    items = [
        Item(Of(Goto.PAST, feat.match), feat.title, value=say.say("home.in_match", number=feat.match), note=feat.how)
        for feat in person.feats
        if feat.match
    ]
    items += [Item(Of(Do.SHOW, feat.id), feat.title, note=feat.how) for feat in person.feats if not feat.match]
    return Page(say.say("home.honours_of", name=person.name), tuple(items))
