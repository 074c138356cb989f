"""How those who play here stand with puzzles, with steps of lessons, and with what is due."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from display.menu.lines import Goto, Open
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle
from engine.rules.track import Side
from firmware.clock import day_number
from firmware.lessons.lost_rounds import LostRounds
from firmware.lessons.own_puzzles import OWN
from firmware.lessons.progress import Progress
from firmware.lessons.solving import Solving
from firmware.lessons.warm_up import answering, warm_up
from firmware.loop.moment import People
from firmware.scorebook.book import Played


@dataclass(frozen=True, slots=True)
class PuzzlerLine:
    """How a player stands with puzzles: how many he solved unaided, his rating in points, and so many in a row now."""

    side: Side
    solved: int
    points: int
    streak: int


@dataclass(frozen=True, slots=True)
class StreakLine:
    """How many steps of lessons a player did right at the first try, one after the other: until now, and at most."""

    side: Side
    row: int
    longest: int


@dataclass(frozen=True, slots=True)
class OwnPuzzle:
    """A puzzle made of a mistake: whose it was, and whether he has solved it unaided."""

    puzzle: Puzzle
    name: str
    solved: bool = False


class Puzzling:
    """The puzzles on the screen, for the players there are. ``solving`` keeps their answers."""

    def __init__(self, progress: Progress, people: People, read: Callable[[int], Sequence[Played]]) -> None:
        """``read`` gives so many of the last matches, in which mistakes are looked for."""
        self._progress = progress
        self._people = people
        self._lost = LostRounds(progress, read)
        self.solving = Solving(progress)

    def opened(self) -> None:
        """The menu was opened: mistakes in matches that are new are looked for, beside the game."""
        self._lost.look()

    def take(self) -> None:
        """Keep the mistakes that were found since."""
        self._lost.take()

    def showing(self, page: Open | None) -> None:
        """This page is shown now: a puzzle that was over is begun anew."""
        puzzle = self.at(page)
        if puzzle is not None:
            self.solving.begin(puzzle)

    def at(self, page: Open | None) -> Puzzle | None:
        """The puzzle that is shown on this page."""
        if page is None or page.page != Goto.PUZZLE.page:
            return None
        own = (each.puzzle for each in self.own if each.puzzle.id == page.which)
        return next(own, None) or puzzle_of(str(page.which))

    def solvers(self, puzzle: Puzzle) -> tuple[str, ...]:
        """Whom it counts for: whoever plays the side it is about, of a mistake him who made it."""
        his = tuple(each.name for each in self.own if each.puzzle.id == puzzle.id)
        return his or answering(self._people.names, puzzle.side)

    @property
    def own(self) -> tuple[OwnPuzzle, ...]:
        """What was made of the mistakes of those who are here, the newest first."""
        pupils = {name: self._progress.of(name) for _, name in self._people.names.items()}
        return tuple(
            OwnPuzzle(puzzle, name, puzzle.id in each.puzzles)
            for name, each in pupils.items()
            for puzzle in reversed(each.own)
        )

    @property
    def warm_up(self) -> int:
        """So many positions are due to begin the evening with."""
        return len(warm_up([self._progress.of(name) for _, name in self._people.names.items()], day_number()))

    @property
    def streaks(self) -> tuple[StreakLine, ...]:
        """How the players stand with lessons."""
        pupils = {side: self._progress.of(name) for side, name in self._people.names.items()}
        return tuple(StreakLine(side, each.row, each.longest_row) for side, each in pupils.items())

    @property
    def puzzlers(self) -> tuple[PuzzlerLine, ...]:
        """How the players stand with puzzles; Black only once he tried one."""
        known = {side: self._progress.of(name) for side, name in self._people.names.items()}
        solved = {side: sum(not one.startswith(OWN) for one in each.puzzles) for side, each in known.items()}
        return tuple(
            PuzzlerLine(side, solved[side], round(each.solving.rating.points), each.solving.streak)
            for side, each in known.items()
            if each.solving.tried or side is Side.WHITE
        )


def puzzle_of(of: str) -> Puzzle | None:
    """The puzzle with this id, if there is one."""
    return next((puzzle for puzzle in PUZZLES if puzzle.id == of), None)
