"""The menu's pages for learning: the lessons to choose from, and what there is to choose in the middle of one."""

from __future__ import annotations

from display.i18n import Words
from display.menu.context import MenuContext
from display.menu.model import Item, Kind, Page
from display.sentences import listed, side_name
from display.view import NO_NAMES


def to_learn(say: Words, context: MenuContext) -> list[Item]:
    """The line that opens the lessons, where there are any now."""
    note = say.say("lessons.menu.learn_note")
    return [Item("learn", say.say("lessons.menu.learn"), Kind.PAGE, note=note)] if context.lessons else []


def learn_page(say: Words, context: MenuContext) -> Page:
    """All lessons, with who has learned them; the one to go on with first."""
    items = []
    if context.next_lesson and not context.teaching:
        title = say.say(f"lessons.{context.next_lesson}.title")
        items.append(Item("learn_on", say.say("lessons.menu.learn_on", title=title)))
    for number, line in enumerate(context.lessons, start=1):
        names = [context.names[side] if context.names != NO_NAMES else side_name(say, side) for side in line.learned]
        title = say.say("lessons.said.title", number=number, title=say.say(f"lessons.{line.id}.title"))
        items.append(Item(f"lesson:{line.id}", title, value=listed(say, names, "and")))
    return Page(say.say("lessons.menu.learn"), tuple(items))


def teaching_page(say: Words, more: tuple[Item, ...]) -> Page:
    """The first page in the middle of a lesson; ``more`` are the lines it shares with the menu of a match."""
    items = [Item("close", say.say("menu.go_on"), note=say.say("lessons.menu.go_on_note"))]
    items += [
        Item(f"lesson_{name}", say.say(f"lessons.menu.{name}"), note=say.say(f"lessons.menu.{name}_note"))
        for name in ("again", "skip", "leave")
    ]
    items.append(Item("learn", say.say("lessons.menu.all"), Kind.PAGE, note=say.say("lessons.menu.learn_note")))
    return Page(say.say("lessons.menu.learn"), (*items, *more))
