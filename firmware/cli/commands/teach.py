"""``engarde teach``: lessons at the real table, and the first game."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TextIO

from display.i18n import words
from display.menu.asking import FRIENDLY
from display.view import Mark, PanelView
from display.window import Window
from engine.lessons.lesson import LESSON_BY_ID, LESSONS
from engine.players.bots.strengths import rival_name
from engine.rules.rulesets import FERTI_CLASSIC
from engine.rules.track import BySide
from engine.strict.values import did_you_mean
from engine.table.desk import EndTurn, Settings
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.commands import play as play_command
from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import add_device_options, chance, names_of, points, say, table_wish
from firmware.cli.sitting.cameras import open_with_table, setup_of
from firmware.cli.sitting.household import menu_of
from firmware.cli.sitting.lessons import Lessons, LessonsEnd, give_lessons
from firmware.cli.sitting.sitting import Sitting, open_sitting
from firmware.cli.sitting.wish import TableWish
from firmware.core.clock import day_number
from firmware.core.config import SCOREBOOK_VARIABLE, Config
from firmware.core.errors import EngardeError
from firmware.core.names import new_name, person_key
from firmware.extras.simulation.camera import TICK_S, SimulatedTable, simulated_table
from firmware.extras.simulation.pupils import Pupils
from firmware.table.camera.camera import CameraKind, CameraWanted, HandsWanted, OpenCamera
from firmware.table.camera.meanwhile import PacedSource
from firmware.table.camera.setup import Setup
from firmware.table.loop.moment import Moment, People
from firmware.ui.companion.opponents import is_a_person
from firmware.ui.lessons.lost_rounds import LostRounds, last_of
from firmware.ui.lessons.progress import Bookmark, Progress, next_lesson, progress_path
from firmware.ui.lessons.solving import WARM_UP_AT, warm_up
from firmware.ui.screen.screens import window_as_set
from vision.synthetic.disturbances import TYPICAL

DEFAULT_MISTAKES: Final = 0.3
PEOPLE: Final = "people"
ROBOTS: Final = "robots"
_MARKS: Final = {Mark.GOOD: "+", Mark.BAD: "x", Mark.NOW: ">", Mark.PLAIN: " "}


def _bookmark(lesson: str) -> Bookmark:
    """The beginning of the lesson with this name or number. Raises ArgumentTypeError where there is none."""
    if lesson.isascii() and lesson.isdigit() and 1 <= int(lesson) <= len(LESSONS):
        return Bookmark(LESSONS[int(lesson) - 1].id)
    if lesson not in LESSON_BY_ID:
        guess = did_you_mean(lesson, LESSON_BY_ID)
        raise argparse.ArgumentTypeError(
            f"{lesson!r} is no lesson: expected a number from 1 to {len(LESSONS)} or a name, as engarde teach --list "
            f"has them{guess or '.'}"
        )
    return Bookmark(lesson)


@dataclass(frozen=True, slots=True, kw_only=True)
class Teach:
    """Options of the lessons: where they begin, and who learns."""

    table: TableWish = part(add_device_options, table_wish)
    seed: int | None = part(lambda _: None, attrgetter("seed"), default=None)
    lesson: Bookmark | None = option(
        "begin with this one: its name or its number, as --list has them", type=_bookmark, metavar="L"
    )
    warm_up: bool = switch("begin with up to three positions that these players missed, then play")
    lists: bool = switch("print the lessons, and who has learned which", "--list")
    player: tuple[str, ...] = option(
        "who learns; twice for two: White's first, then Black's", default=(), action="append", metavar="NAME"
    )
    no_game: bool = switch("end with the lessons or the warm-up, without a game")
    points: int | None = option("points that win the first game", type=points, metavar="N")
    pupils: str | None = option(
        "who learns at the simulated table: people, where there is a window; robots are watched, and keep nothing",
        choices=[PEOPLE, ROBOTS],
    )
    fast: bool = switch("a simulated table as fast as the machine can")
    mistakes: float = option("of simulated pupils (%(default)s)", default=DEFAULT_MISTAKES, type=chance, metavar="P")
    scorebook: str | None = option(
        f"default: {SCOREBOOK_VARIABLE}, else your data folder; progress is beside", metavar="FILE"
    )

    def do(self) -> int:
        """Teach until the lessons are done or left, then referee the first game; 0 then."""
        table = self.table
        say(table.settings.notice)
        names = _names(self.player, table.settings)
        progress = Progress(progress_path(table.scorebook))
        say(progress.notice)
        at = self.lesson
        if self.warm_up:
            at = Bookmark(WARM_UP_AT)
            lost = LostRounds(progress, partial(last_of, table.scorebook))
            lost.look()  # mistakes of these players in the matches of the scorebook are due too
            lost.wait()
            if not warm_up([progress.of(name) for _, name in names.items()], day_number()):
                say("Nothing to warm up with today: what these players met, they still know.")
                return 0
        if self.lists:
            _list(progress, names, table.settings.language)
            return 0
        simulated = table.camera.spec.kind is CameraKind.SYNTHETIC
        window = None
        if simulated and self.pupils != ROBOTS and not table.headless:
            window = window_as_set(table.settings)
        if simulated and self.pupils == PEOPLE and window is None:
            raise EngardeError("--pupils people: they learn in a window, and there is none; say --pupils robots.")
        if window is not None:
            table = replace(table, camera=replace(table.camera, hands=HandsWanted(dealt=self.seed)))
        pupils = ROBOTS if simulated and window is None else PEOPLE
        try:
            return replace(self, table=table, lesson=at, pupils=pupils).begin(names, progress, window)
        except KeyboardInterrupt:
            if not table.camera.spec.live:
                raise
            say("Stopped. What was learned is kept.")  # a camera has no other end
            return 0

    def begin(self, names: BySide[str], progress: Progress, window: Window | None) -> int:
        """Teach these people from ``lesson`` on, or where they stopped; in this window at a simulated table."""
        table = self.table
        people = People(names, table.settings.language, picture_of=progress.portrait_of)
        wish = replace(self, lesson=self.lesson or next_lesson(progress, names))
        if self.pupils != ROBOTS:
            return _taught(wish, progress, people, window)
        with TemporaryDirectory() as folder:  # robots keep no progress and no match
            book = Path(folder) / table.scorebook.name
            wish = replace(wish, table=replace(table, scorebook=book))
            return _taught(wish, Progress(progress_path(book)), people, window)


def _taught(wish: Teach, progress: Progress, people: People, window: Window | None) -> int:
    pupils: list[Pupils] = []
    tables: list[SimulatedTable] = []

    def opens(wanted: CameraWanted) -> tuple[OpenCamera, Setup]:
        if wish.pupils != ROBOTS:
            return open_with_table(wanted)
        setup = setup_of(wanted)
        pupils.append(Pupils(setup.table, random.Random(wanted.seed), TICK_S, mistakes=wish.mistakes))
        tables.append(simulated_table(setup.table, pupils[0], TYPICAL, wanted.seed))
        return OpenCamera(tables[0], tables[0], live=False), setup

    game = _first_game(wish, people.names)
    with ExitStack() as held:
        sitting = open_sitting(wish.table, held, say, opens, window)
        simulated = pupils[0] if pupils else None
        paced = simulated is not None and sitting.shown and not wish.fast
        if paced:
            sitting.camera = replace(sitting.camera, source=PacedSource(sitting.camera.source))
        ended = _lessons(wish, progress, people, sitting, simulated)
        say(progress.notice)
        if simulated is not None and (made := simulated.made):
            answered = sum(name == answer for _, _, name, answer in made)
            print(f"{len(made)} mistakes made on purpose, {answered} answered as they should be.")
        if ended is LessonsEnd.STOPPED or wish.no_game:
            return _status(simulated)
        say("And now the first game.")
        game = _against_a_bot(game, classic=ended is LessonsEnd.PLAYS) if sitting.seat is not None else game
        # The first game is best played with open hands, the table at both players' side; both are asked.
        if ended is LessonsEnd.FINISHED and sitting.camera.live and sitting.shown:
            game = replace(game, open=True)
        audience = []
        if simulated is not None:
            simulated.begin(game.opening())
            audience.append(tables[0])
        copy = play_command.play(game, sitting, held, audience)
    if isinstance(copy, Path):
        play_command.referee(play_command.going_on_with(copy, game))
    return _status(simulated)


def _lessons(wish: Teach, progress: Progress, people: People, sitting: Sitting, simulated: Pupils | None) -> LessonsEnd:
    """The lessons, with the menu where somebody can open it; the scorebook is let go of before the game opens it."""
    with ExitStack() as held:
        menu, config = None, wish.table.settings
        if sitting.camera.live:
            book = held.enter_context(open_scorebook(wish.table.scorebook, alone=True))
            menu = menu_of(config, EndTurn.BUTTON, book, sitting)
        settings = Settings(settle_s=config.settle_s, middle_x_mm=sitting.setup.table.play_area.middle[0])
        assert wish.lesson is not None
        lessons = Lessons(wish.lesson, settings, progress, menu, wish.table.pictures)
        look = simulated.look if simulated is not None else None
        return give_lessons(sitting, people, lessons, audience=[LessonPrinter(sys.stdout)], look=look)


def _first_game(wish: Teach, names: BySide[str]) -> play_command.Play:
    """The first game as ``engarde play`` would be told of it, at the same devices."""
    table, config = replace(wish.table, pictures=None), wish.table.settings
    settings = {"rules": config.rules, "starter": "white" if config.starter == "lot" else config.starter}
    points = wish.points or config.points
    return play_command.Play(table=table, settings=settings, points=points, white=names.white, black=names.black)


def _against_a_bot(game: play_command.Play, *, classic: bool) -> play_command.Play:
    """The same game against the friendliest bot, for a pupil who learned alone; ``classic``: by the classic rules."""
    if game.black is not None and is_a_person(game.black):
        return game
    settings = {**game.settings, "rules": FERTI_CLASSIC.name} if classic else game.settings
    return replace(game, black=rival_name(FRIENDLY), settings=settings)


def _names(players: Sequence[str], config: Config) -> BySide[str]:
    """The pupils' names: as given, else as in the settings. Raises BadNameError; EngardeError for more than two."""
    given = [new_name(name) for name in players]
    if len(given) > 2:
        raise EngardeError(f"--player was given {len(given)} times: two learn at one table.")
    white, black = (*given, None, None)[:2]
    if white is not None and black is not None and person_key(white) == person_key(black):
        raise EngardeError(f"--player {white} --player {black}: two who learn at one table have two names.")
    return names_of(BySide(white, black), config.names)


def _list(progress: Progress, names: BySide[str], language: str) -> None:
    """Print every lesson with its number and name, and who has learned it."""
    say = words(language)
    for number, lesson in enumerate(LESSONS, start=1):
        learned = [name for _, name in names.items() if lesson.id in progress.of(name).lessons]
        title = say.say(f"lessons.{lesson.id}.title")
        who = f"  (learned: {', '.join(learned)})" if learned else ""
        print(f"{number:2}  {lesson.id:13} {title}{who}")


def _status(simulated: Pupils | None) -> int:
    """1 where a simulated pupil got a wrong answer, or the game went otherwise than it was played."""
    if simulated is None:
        return 0
    made = simulated.made
    wrong = simulated.director is not None and simulated.director.tally.wrong
    return 1 if wrong or any(name != answer for _, _, name, answer in made) else 0


class LessonPrinter:
    """Prints what the teacher says, when it changes: the time, the lesson, and its lines with their marks."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._told: PanelView | None = None

    def attend(self, moment: Moment) -> None:
        panel = moment.view.panel
        if panel is None or panel == self._told:
            return
        self._told = panel
        said = f"{panel.title} ({panel.page})  {moment.view.verdict.headline}"
        print(f"{moment.frame.t_s:7.1f} s  {said}", file=self._out)
        for line in panel.lines:
            cards = " ".join(str(card.value) for card in line.cards)
            print(f"{'':11}{_MARKS[line.mark]} {line.text}{': ' if cards else ''}{cards}", file=self._out)
        self._out.flush()
