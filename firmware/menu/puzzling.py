"""The puzzles on the screen: which one is shown, and for whom its answer counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from display.menu.lines import Goto, Open
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle
from firmware.lessons.lost_rounds import LostRounds
from firmware.lessons.progress import Progress, Pupil
from firmware.lessons.solving import Solving
from firmware.lessons.warm_up import answering, own_puzzles, solvers
from firmware.loop.moment import People
from firmware.scorebook.book import Played


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
        return next((each for each in (*own_puzzles(self._pupils), *PUZZLES) if each.id == page.which), None)

    def solvers(self, puzzle: Puzzle) -> tuple[str, ...]:
        """Whom it counts for: who made the mistake it was made of, else whoever plays the side it is about."""
        return solvers(puzzle, self._pupils) or answering(self._people.names, puzzle.side)

    @property
    def _pupils(self) -> list[Pupil]:
        return [self._progress.of(name) for _, name in self._people.names.items()]
