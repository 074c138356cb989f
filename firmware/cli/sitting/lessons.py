"""Lessons at a sitting: the teacher put together with the devices, before, after or in the middle of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path

from engine.lessons.lesson import Telling
from engine.rules.track import Side
from engine.table.desk import EndTurn, Settings
from firmware.cli.sitting.sitting import Sitting
from firmware.core.clock import day_number
from firmware.core.config import Config
from firmware.table.loop.moment import Audience, NoJournal, People, there
from firmware.ui.companion.opponents import is_a_bot, is_a_person
from firmware.ui.lessons.progress import Bookmark, Progress
from firmware.ui.lessons.solving import WARM_UP_AT, Solving, answering, key_of, own_puzzles, solvers, warm_up
from firmware.ui.lessons.teacher import Teacher
from firmware.ui.menu.machine import Household
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.printers import PictureWriter, whatever_is_said
from firmware.ui.screen.screens import draw_moment


class LessonsEnd(Enum):
    """How lessons came to an end."""

    FINISHED = "finished"  # after the last one
    PLAYS = "plays"  # after the eighth, for a pupil alone: a whole game comes first
    LEFT = "left"  # in the menu, or after the warm-up, to go on with the game
    STOPPED = "stopped"  # the window was closed, or the camera has no more frames


@dataclass(frozen=True, slots=True)
class Lessons:
    """Lessons to give: where they begin, how long the eyes are waited for, and the pupils' progress.

    ``menu``: its services and settings, None without a menu. ``out``: the folder for pictures of them.
    """

    at: Bookmark
    settings: Settings
    progress: Progress
    menu: tuple[Household, Config] | None = None
    out: Path | None = None


def give_lessons(
    sitting: Sitting,
    people: People,
    lessons: Lessons,
    *,
    audience: Sequence[Audience] = (),
    look: Callable[[Telling, bool], None] | None = None,
) -> LessonsEnd:
    """Give lessons until they are done or left.

    ``look`` is told after every moment what is on the screen, and
    whether the lessons are over: simulated pupils cannot read.
    """
    progress, tell = lessons.progress, look or (lambda told, over: None)
    solving = Solving(progress)
    alone = sitting.seat is not None and not is_a_person(people.names.black)
    mine = (people.names.white,) if alone else tuple(name for _, name in people.names.items() if not is_a_bot(name))

    def learners(side: Side | None) -> tuple[str, ...]:
        """The players whose progress this side's answers count for: one alone, on either seat."""
        return mine if alone else answering(people.names, side)

    pupils = [progress.of(name) for name in mine]
    begins = warm_up(pupils, day_number()) if lessons.at.lesson == WARM_UP_AT else ()
    with ExitStack() as held:
        teacher = Teacher(
            lessons.at,
            kept=lambda at: progress.left_at(mine, at),
            learned=lambda lesson, stars: progress.learned(mine, lesson.id, stars),
            answered=lambda puzzle, play: solving.answer(
                puzzle, play, solvers(puzzle, pupils) or learners(puzzle.side)
            ),
            met=lambda at, recall, side: progress.met(learners(side), key_of(at), recall, day_number()),
            warm_up=begins,
            own=own_puzzles(pupils),
            row=min((each.row for each in pupils), default=0),
            alone=alone,
            rowed=lambda row: progress.rowed(mine, row),
        )
        # Pupils end their turns with the button: a turn that ends by itself explains nothing.
        settings = replace(lessons.settings, end_turn=EndTurn.BUTTON)
        writer = None
        if lessons.out is not None:
            draw = partial(draw_moment, theme=sitting.wish.settings.look)
            writer = PictureWriter(lessons.out, draw, whatever_is_said(lambda: teacher.shown))
        shown = there(sitting.lamps, *audience, sitting.sound, writer, sitting.told, sitting.tidy, sitting.watchdog)
        menu = None
        if lessons.menu is not None:
            now = MenuState(people, *lessons.menu, progress=progress, teacher=teacher)
            menu = TableMenu(now, shown=lambda: sitting.shown)
        helpers = there(menu, teacher, *sitting.screen(people, menu, lambda: teacher.told))
        loop = sitting.loop(held, NoJournal(), shown, settings, people, helpers, mode="teach")
        tell(teacher.told, False)
        while loop.advance() is not None:
            tell(teacher.told, False)
        tell(teacher.told, True)
        sitting.eyes = loop.eyes
    if teacher.finished or teacher.plays:
        return LessonsEnd.FINISHED if teacher.finished else LessonsEnd.PLAYS
    left = teacher.warmed_up or (menu is not None and menu.now.left)
    return LessonsEnd.LEFT if left else LessonsEnd.STOPPED
