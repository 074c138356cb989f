"""What is tapped at a puzzle: cards and turns, a hint, an answer, and the puzzle after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from display.i18n import words
from display.menu.context import MenuContext, OwnPuzzle, PuzzlerLine, StreakLine
from display.menu.keeper import named_in
from display.menu.lines import Do, Goto, Line, Of, Pick, Where, kind_of
from display.menu.model import Menu, MenuPlace
from display.menu.puzzles import choices_in, next_puzzle, puzzle_of
from display.words.lessons import reply_lines
from engine.puzzles.attempt import Attempt
from engine.puzzles.puzzle import Puzzle, answer, judge_answer
from engine.rules.legal import Play, counts_of
from engine.rules.track import Side
from engine.table.turn_entry import Values, can_name
from firmware.clock import day_number
from firmware.lessons.lost_rounds import LostRounds
from firmware.lessons.own_puzzles import OWN
from firmware.lessons.progress import Progress
from firmware.lessons.solving import Solving
from firmware.lessons.warm_up import answering, warm_up
from firmware.loop.moment import People
from firmware.menu.by_hand import Tapped
from firmware.scorebook.book import Played


class Puzzling:
    """The puzzles on the screen, for the players there are."""

    def __init__(self, progress: Progress, people: People, read: Callable[[int], Sequence[Played]]) -> None:
        """``read`` gives so many of the last matches, in which mistakes are looked for."""
        self._progress = progress
        self._people = people
        self._lost = LostRounds(progress, read)
        self._solving = Solving(progress)

    def opened(self) -> None:
        """The menu was opened: mistakes in matches that are new are looked for, beside the game."""
        self._lost.look()

    def showing(self, page: Where | None) -> None:
        """This page is shown now: a puzzle that was over is begun anew."""
        puzzle = self._at(page)
        if puzzle is not None:
            self._solving.begin(puzzle)

    def facts(self, page: Where) -> dict[str, Any]:
        """What this page shows of them, as fields of a ``MenuContext``."""
        self._lost.take()
        puzzle = self._at(page)
        if puzzle is not None:
            return {"attempt": self._solving.attempt(puzzle), "own": self._own()}
        if page in (Goto.MAIN, Goto.HOME, Goto.MORE, Goto.START, Goto.LEARN):
            pupils = [self._progress.of(name) for name in self._names]
            streaks = tuple(
                StreakLine(side, self._progress.of(name).row, self._progress.of(name).longest_row)
                for side, name in self._people.names.items()
            )
            return {"warm_up": len(warm_up(pupils, day_number())), "day": day_number(), "streaks": streaks}
        if kind_of(page) not in (Goto.PUZZLES, Goto.THEME):
            return {}  # asked for with every picture: nothing is looked up for a page that does not show it
        return {"puzzlers": self._lines(), "day": day_number(), "own": self._own()}

    def tapped(self, key: Line, menu: Menu, context: MenuContext) -> Tapped | None:
        """What comes of this line on the page of a puzzle; None on any other page, or for a line that leads away."""
        puzzle = self._at(menu.here.page)
        if puzzle is None:
            return None
        match key:
            case Of(Do.LAY, int(value), int(place)):
                return Tapped(_named(menu, _laid(puzzle, named_in(menu), value, place)))
            case Of(Do.WAY, int(number)):
                found, _ = choices_in(menu, puzzle)
                return Tapped(_with(menu, {Pick.WAY: found[number]}) if number < len(found) else menu)
            case Of(Do.HINT):
                attempt = self._solving.hint(puzzle, self._solvers(puzzle))
                return Tapped(_named(menu, ()) if attempt.over else menu, told=self._why(puzzle, attempt))
            case Of(Do.ANSWER):
                return self._answered(puzzle, menu)
            case Of(Do.NEXT_PUZZLE):
                following = next_puzzle(context, puzzle)
                page = menu.here.page if following is None else Of(Goto.PUZZLE, following.id)
                return Tapped(replace(_named(menu, ()), path=(*menu.path[:-1], MenuPlace(page))))
        return None

    def _answered(self, puzzle: Puzzle, menu: Menu) -> Tapped:
        _, play = choices_in(menu, puzzle)
        if play is None:
            return Tapped(menu)
        attempt = self._solving.answer(puzzle, play, self._solvers(puzzle))
        if attempt.over:
            return Tapped(_named(menu, ()), told=self._why(puzzle, attempt, play))
        say = words(self._people.language)
        lines = reply_lines(say, puzzle, judge_answer(puzzle, play), whole=False)
        return Tapped(_named(menu, ()), told=" ".join((*lines, say.say("solve.once_more"))))

    def _why(self, puzzle: Puzzle, attempt: Attempt, play: Play | None = None) -> str:
        """What there is to say once it is over: of the turn that was chosen last, else of the best one."""
        if not attempt.over:
            return ""
        reply = judge_answer(puzzle, answer(puzzle) if play is None else play)
        return " ".join(reply_lines(words(self._people.language), puzzle, reply))

    def _own(self) -> tuple[OwnPuzzle, ...]:
        """What was made of the mistakes of those who are here, the newest first."""
        pupils = {name: self._progress.of(name) for name in dict.fromkeys(self._names)}
        return tuple(
            OwnPuzzle(puzzle, name, puzzle.id in each.puzzles)
            for name, each in pupils.items()
            for puzzle in reversed(each.own)
        )

    def _at(self, page: Where | None) -> Puzzle | None:
        """The puzzle that is shown on this page."""
        if not isinstance(page, Of) or page.what is not Goto.PUZZLE or not isinstance(page.which, str):
            return None
        own = (each.puzzle for each in self._own() if each.puzzle.id == page.which)
        return next(own, None) or puzzle_of(page.which)

    def _solvers(self, puzzle: Puzzle) -> tuple[str, ...]:
        """Whom it counts for: whoever plays the side it is about, of a mistake him who made it."""
        his = tuple(each.name for each in self._own() if each.puzzle.id == puzzle.id)
        return his or answering(self._people.names, puzzle.side)

    @property
    def _names(self) -> tuple[str, str]:
        return self._people.names.white, self._people.names.black

    def _lines(self) -> tuple[PuzzlerLine, ...]:
        known = {side: self._progress.of(name) for side, name in self._people.names.items()}
        solved = {side: sum(not one.startswith(OWN) for one in each.puzzles) for side, each in known.items()}
        return tuple(
            PuzzlerLine(side, solved[side], round(each.solving.rating.points), each.solving.streak)
            for side, each in known.items()
            if each.solving.tried or side is Side.WHITE
        )


def _laid(puzzle: Puzzle, named: Values, value: int, place: int) -> Values:
    """The cards after this one of the hand was tapped.

    One that was laid already is taken back, and one that fits no turn with the others begins another turn.
    """
    hand, attack = puzzle.hand(puzzle.side), puzzle.public.attack
    before = sum(card.value == value for card in hand[:place])
    owed = attack.count if attack is not None and attack.value == value else 0
    counts = counts_of(hand)
    if before >= owed and named.count(value) > before - owed:
        return _without(named, value)
    if value in can_name(puzzle.public, counts, named):
        return (*named, value)
    if value in named:
        return _without(named, value)
    return (value,) if value in can_name(puzzle.public, counts, ()) else named


def _without(named: Values, value: int) -> Values:
    last = len(named) - 1 - named[::-1].index(value)
    return (*named[:last], *named[last + 1 :])


def _named(menu: Menu, named: Values) -> Menu:
    return _with(menu, {Pick.NAMED: named, Pick.WAY: None})


def _with(menu: Menu, values: Mapping[Line, object]) -> Menu:
    return replace(menu, values={**menu.values, **values})
