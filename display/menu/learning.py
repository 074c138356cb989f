"""The menu's pages for learning: the lessons to choose from, and what there is to choose in the middle of one."""

from __future__ import annotations

from typing import Final

from display.i18n import Words
from display.menu.context import LessonLine, MenuContext, StreakLine
from display.menu.lines import Do, Goto, Of, Open
from display.menu.model import Item, Page
from display.words.sentences import listed, shown_name
from engine.lessons.lessons import LESSONS
from engine.rules.track import Side

EXERCISES: Final = Open("exercises")
COUNTING: Final = Open("counting")
STAR: Final = "\u2605"
PATH_COLUMNS: Final = 4
WARM_UP_AT: Final = "warm-up"
"""What stands for the warm-up instead of a lesson's id."""


def to_learn(say: Words, context: MenuContext) -> list[Item]:
    """The lines that begin the warm-up and open the lessons, where there are any now."""
    note = say.say("lessons.menu.learn_note")
    learn = [Item(Goto.LEARN, say.say("lessons.menu.learn"), note=note)] if context.lessons else []
    return [*to_warm_up(say, context), *learn]


def to_warm_up(say: Words, context: MenuContext) -> list[Item]:
    """The line that begins the warm-up, where something is due and nothing is taught."""
    if not context.warm_up or context.teaching:
        return []
    text, note = say.say("lessons.menu.warm_up", count=context.warm_up), say.say("lessons.menu.warm_up_note")
    return [Item(Of(Do.LESSON, WARM_UP_AT), text, note=note)]


def to_play_well(say: Words) -> list[Item]:
    """The lines that open the exercises in playing and the drills in counting."""
    pages = EXERCISES, COUNTING
    return [Item(page, say.say(f"{page.page}.menu"), note=say.say(f"{page.page}.menu_note")) for page in pages]


def learn_page(say: Words, context: MenuContext) -> Page:
    """The lesson to go on with, the puzzles, and all lessons with who has learned them."""
    items = to_warm_up(say, context)
    if context.next_lesson and not context.teaching:
        title = say.say(f"lessons.{context.next_lesson}.title")
        items.append(Item(Do.LEARN_ON, say.say("lessons.menu.learn_on", title=title)))
    if context.puzzles:
        note = say.say("lessons.menu.puzzles_note")
        items += [Item(Goto.PUZZLES, say.say("lessons.menu.puzzles"), note=note), *to_play_well(say)]
    if context.lessons:
        items.append(Item(Goto.PATH, say.say("lessons.menu.path"), note=say.say("lessons.menu.path_note")))
    if context.lessons and any(all(side in line.learned for line in context.lessons) for side in Side):
        note = say.say("lessons.menu.certificate_note")
        items.append(Item(Do.CERTIFICATE, say.say("lessons.menu.certificate"), note=note))
    streaks = tuple(_streak(say, context, line) for line in context.streaks if line.longest)
    return Page(say.say("lessons.menu.learn"), tuple(items), streaks)


def path_page(say: Words, context: MenuContext) -> Page:
    """All lessons as stops of a path, each with its stars, and how long it takes."""
    items = []
    for number, (line, lesson) in enumerate(zip(context.lessons, LESSONS, strict=False), start=1):
        title = say.say(f"lessons.{line.id}.title")
        told = [say.say("lessons.alone.minutes", count=lesson.minutes), _who(say, context, line)]
        note = " \u00b7 ".join(filter(None, (say.say("lessons.said.title", number=number, title=title), *told)))
        items.append(Item(Of(Do.LESSON, line.id), title, str(number), note=note, stars=line.stars))
    return Page(say.say("lessons.menu.path"), tuple(items), columns=PATH_COLUMNS, gallery=True)


def _streak(say: Words, context: MenuContext, line: StreakLine) -> str:
    """How one player stands: ``Ana: 12 steps in a row right at the first try, 20 at most``."""
    name = shown_name(say, line.side, context.names[line.side])
    return say.say("lessons.menu.streak", name=name, count=line.row, longest=line.longest)


def _who(say: Words, context: MenuContext, line: LessonLine) -> str:
    """Who has learned or solved it, by name or colour."""
    return listed(say, [shown_name(say, side, context.names[side]) for side in line.learned], "and")


def teaching_page(say: Words, more: tuple[Item, ...], *, puzzling: bool) -> Page:
    """The first page in the middle of a lesson, or of a puzzle on the board.

    ``more`` are the lines it shares with the menu of a match.
    """
    of = "puzzle_" if puzzling else ""
    chosen = {
        Do.CLOSE: f"{of}go_on",
        Do.LESSON_AGAIN: f"{of}again",
        **({} if puzzling else {Do.LESSON_SHOW: "show"}),
        Do.LESSON_SKIP: f"{of}skip",
        Do.LESSON_LEAVE: "leave",
    }
    items = [
        Item(key, say.say(f"lessons.menu.{name}"), note=say.say(f"lessons.menu.{name}_note"))
        for key, name in chosen.items()
    ]
    items.append(Item(Goto.LEARN, say.say("lessons.menu.all"), note=say.say("lessons.menu.learn_note")))
    return Page(say.say("lessons.menu.learn"), (*items, *more))
