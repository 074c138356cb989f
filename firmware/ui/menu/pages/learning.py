"""The menu's pages for learning: the lessons to choose from, and all that is taught."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from display.i18n import Words
from display.menu.model import Act, Goto, Item, Menu, Open, Page, leave, stay
from display.words.sentences import listed, shown_name
from engine.lessons.lesson import LESSON_BY_ID, LESSONS, Lesson
from engine.rules.track import BySide, Side
from firmware.ui.lessons.progress import Pupil
from firmware.ui.lessons.solving import WARM_UP_AT
from firmware.ui.menu.errand import taught
from firmware.ui.menu.page import MenuPage, PrintingPage, line, pages_under
from firmware.ui.menu.state import MenuState

STAR: Final = "\u2605"
PATH_COLUMNS: Final = 4


def to_warm_up(say: Words, now: MenuState) -> list[Item]:
    """The line that begins the warm-up, where something is due and nothing is taught."""
    count = 0 if now.teaching else now.warm_up
    if not count:
        return []
    text, note = say.say("lessons.menu.warm_up", count=count), say.say("lessons.menu.warm_up_note")
    return [Item(Act("lesson", WARM_UP_AT), text, note=note, does=now.lesson_at(WARM_UP_AT))]


def who(say: Words, names: BySide[str], sides: Iterable[Side]) -> str:
    """These players by name or colour."""
    return listed(say, [shown_name(say, side, names[side]) for side in sides], "and")


def stars_of(pupils: Mapping[Side, Pupil], lesson: Lesson) -> int:
    """The most stars that this lesson has earned any of these."""
    return max((pupil.stars.get(lesson.id, 0) for pupil in pupils.values()), default=0)


class LearnPage(PrintingPage, id="learn"):
    """The lesson to go on with, the puzzles, and all lessons with who has learned them."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, pupils = self.now, self.now.pupils
        items = to_warm_up(say, now)
        if now.next_lesson and not now.teaching:
            title = say.say(f"lessons.{now.next_lesson}.title")
            does = leave(now.learn_on)
            items.append(Item(Act("learn_on"), say.say("lessons.menu.learn_on", title=title), does=does))
        if pupils:
            items += [line(say, Goto.PUZZLES, "lessons.menu.puzzles"), *pages_under(say, self.id)]
            items.append(line(say, Goto.PATH, "lessons.menu.path"))
        if any(pupil.lessons.issuperset(LESSON_BY_ID) for pupil in pupils.values()):
            names = taught(now.kept, now.names)
            made = stay(lambda: now.print_sheet("certificate", names))
            items.append(line(say, Act("certificate"), "lessons.menu.certificate", made))
        rows = {shown_name(say, side, now.names[side]): each for side, each in pupils.items() if each.longest_row}
        streaks = tuple(
            say.say("lessons.menu.streak", name=name, count=each.row, longest=each.longest_row)
            for name, each in rows.items()
        )
        return Page(say.say("lessons.menu.learn"), tuple(items), streaks)


class PathPage(MenuPage, id="path"):
    """All lessons as stops of a path, each with its stars, and how long it takes."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        items, now, pupils = [], self.now, self.now.pupils
        for number, each in enumerate(LESSONS, start=1):
            title = say.say(f"lessons.{each.id}.title")
            learned = [side for side, pupil in pupils.items() if each.id in pupil.lessons]
            told = [say.say("lessons.alone.minutes", count=each.minutes), who(say, now.names, learned)]
            note = " \u00b7 ".join(filter(None, (say.say("lessons.said.title", number=number, title=title), *told)))
            stars, does = stars_of(pupils, each), now.lesson_at(each.id)
            items.append(Item(Act("lesson", each.id), title, str(number), note=note, stars=stars, does=does))
        return Page(say.say("lessons.menu.path"), tuple(items), columns=PATH_COLUMNS, gallery=True)
