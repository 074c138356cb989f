"""What the menu's pages are made from: how the match stands, and the settings. Words are found by ``pages``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from display.menu.checks import CheckLine
from display.menu.house import NOBODY, HouseView, Person, Rivalry
from display.menu.lines import Do
from display.menu.past import PastLine, PastMatch
from display.menu.rounds import PastRound
from display.view import NO_NAMES
from engine.players.bots.strengths import OwnLevel
from engine.puzzles.attempt import FRESH, Attempt
from engine.puzzles.puzzle import Puzzle
from engine.rules.cards import Card
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side

RULES: Final = tuple(RULE_SETS)
POINTS: Final = tuple(range(1, 10))


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn of this round that can be corrected: its number in the record, what it did in words, and its cards."""

    number: int
    text: str
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class LessonLine:
    """A lesson to choose, or a puzzle: its id, who of those who play has learned or solved it, and its most stars."""

    id: str
    learned: tuple[Side, ...] = ()
    stars: int = 0


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


@dataclass(frozen=True, slots=True)
class MenuContext:
    """Everything the pages show.

    ``last`` is what an undo would take back, in words, empty for nothing. ``known`` are names that were played under.
    ``settings`` are the values in force, by the names of ``MENU_SETTINGS``. ``history`` are the last matches,
    ``past`` the one that is open, ``past_round`` a round of it. ``health`` and ``sight`` are lines of text for people:
    the self-test, and how well the board is seen; ``checks`` all that the self-test looked at. ``backups`` are copies
    of the book that were found. ``coach`` is what the coach offers now. ``told`` answers what was chosen last.
    ``lessons`` are those there are, none where there is nothing to learn now, ``next_lesson`` where to go on;
    ``teaching``: the menu was opened in one, ``puzzling``: in a puzzle on the board. ``puzzles``: those there are,
    ``own``: those made of their
    mistakes, the newest first; ``puzzlers`` how the players stand with them, ``attempt`` how the one that is shown
    stands, ``day`` today's number.
    ``rivalry``: of the two who play, or played last; ``house`` all who ever did, ``person`` the one who is shown.
    ``portraits`` are those that people of these names chose. ``warm_up``: so many positions are due to begin the
    evening with. ``streaks``: how the players stand with lessons. ``against`` is who plays Black: the companion's
    level, a bot by its name, None for a person. ``levels`` are the strengths that were found to be those of people of
    these names.
    ``can_set_up``: the first start can be opened again from here, ``can_focus``: the camera can be made to focus anew.
    ``number`` is this match's in the scorebook, 0 for none. ``seated``: people sit at a simulated table.
    ``change``: what another name for somebody changes, or none at all, in words; none where it cannot be.
    """

    language: str
    state: PublicState | None = None
    names: BySide[str] = NO_NAMES
    known: tuple[str, ...] = ()
    portraits: Mapping[str, str] = field(default_factory=dict)
    last: str = ""
    paused: bool = False
    turns: tuple[TurnLine, ...] = ()
    rules: str = RULES[0]
    starter: str = "white"
    points: int = 5
    settings: Mapping[str, Any] = field(default_factory=dict)
    history: tuple[PastLine, ...] = ()
    past: PastMatch | None = None
    past_round: PastRound | None = None
    health: tuple[str, ...] = ()
    checks: tuple[CheckLine, ...] = ()
    sight: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    told: str = ""
    coach: tuple[Do, ...] = ()
    lessons: tuple[LessonLine, ...] = ()
    next_lesson: str = ""
    puzzles: tuple[LessonLine, ...] = ()
    puzzlers: tuple[PuzzlerLine, ...] = ()
    attempt: Attempt = FRESH
    day: int = 0
    rivalry: Rivalry | None = None
    house: HouseView = NOBODY
    person: Person | None = None
    own: tuple[OwnPuzzle, ...] = ()
    warm_up: int = 0
    streaks: tuple[StreakLine, ...] = ()
    teaching: bool = False
    puzzling: bool = False
    against: str | None = None
    levels: Mapping[str, OwnLevel] = field(default_factory=dict)
    can_set_up: bool = False
    can_focus: bool = False
    change: tuple[str, ...] = ()
    number: int = 0
    seated: bool = False
