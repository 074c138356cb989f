"""What the lines of the menu stand for: pages to open, things to do, values to choose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from display.menu.settings import MenuSetting
from engine.rules.track import Side


class Goto(Enum):
    """A page that there is one of."""

    MAIN = "main"
    START = "start"
    CORRECT = "correct"
    FIGURES = "figures"
    SCORE = "score"
    MANUAL = "manual"
    BY_HAND = "by_hand"
    SETTINGS = "settings"
    HISTORY = "history"
    SIGHT = "sight"
    HEALTH = "health"
    CARE = "care"
    OFF = "off"
    LEARN = "learn"
    PUZZLES = "puzzles"


@dataclass(frozen=True, slots=True)
class WriteName:
    """The page on which a player's name is written."""

    side: Side


@dataclass(frozen=True, slots=True)
class CorrectTurn:
    """The page that corrects this turn of the round, counted from 1."""

    turn: int


@dataclass(frozen=True, slots=True)
class RestoreCopy:
    """The page of one copy of the book, counted from 0."""

    copy: int


@dataclass(frozen=True, slots=True)
class ShowPuzzle:
    """The page of the puzzle with this id."""

    puzzle: str


Where: TypeAlias = Goto | WriteName | CorrectTurn | RestoreCopy | ShowPuzzle
"""A page."""


class Do(Enum):
    """Something to do that needs nothing said with it."""

    CLOSE = "close"
    PAUSE = "pause"
    RESUME = "resume"
    UNDO = "undo"
    QUIT = "quit"
    HELP = "help"
    OPEN_HANDS = "open_hands"
    END_HELP = "end_help"
    END_OPEN_HANDS = "end_open_hands"
    RETELL = "retell"
    BEGIN = "begin"
    BEGIN_OPEN = "begin_open"
    SET_FIGURES = "set_figures"
    SET_SCORE = "set_score"
    ROUND = "round"
    TURN = "turn"
    YIELD = "yield"
    REVEAL = "reveal"
    TEST = "test"
    CALIBRATE = "calibrate"
    BACK_UP = "backup"
    SHUT_DOWN = "shut_down"
    LEARN_ON = "learn_on"
    LESSON_AGAIN = "lesson_again"
    LESSON_SKIP = "lesson_skip"
    LESSON_LEAVE = "lesson_leave"


@dataclass(frozen=True, slots=True)
class TakeName:
    """What was written becomes this player's name."""

    side: Side


@dataclass(frozen=True, slots=True)
class ReplaceTurn:
    """The cards of this turn become those that were chosen."""

    turn: int


@dataclass(frozen=True, slots=True)
class RemoveTurn:
    """This turn was never played."""

    turn: int


@dataclass(frozen=True, slots=True)
class TakeProposal:
    """This proposal is the turn that could not be seen, counted from 0."""

    proposal: int


@dataclass(frozen=True, slots=True)
class BringBack:
    """The match goes on with this copy of the book, counted from 0."""

    copy: int


@dataclass(frozen=True, slots=True)
class GiveLesson:
    """The lesson with this id, or ``puzzle:ID`` on the board."""

    lesson: str


@dataclass(frozen=True, slots=True)
class AnswerPuzzle:
    """This one of its legal turns, counted from 0, is the answer to a puzzle."""

    puzzle: str
    play: int


Act: TypeAlias = Do | TakeName | ReplaceTurn | RemoveTurn | TakeProposal | BringBack | GiveLesson | AnswerPuzzle
"""Something to do."""


class Match(Enum):
    """What is chosen of a match that begins, besides the names."""

    AGAINST = "against"
    RULES = "rules"
    STARTER = "starter"
    POINTS = "points"


class Number(Enum):
    """What is chosen as a number for each side: where its figure is set, its score, where its turn ended."""

    SPACE = "space"
    SCORE = "score"
    TO = "to"


@dataclass(frozen=True, slots=True)
class NameOf:
    """The name of a player."""

    side: Side


@dataclass(frozen=True, slots=True)
class NumberOf:
    """This number of a player."""

    number: Number
    side: Side


@dataclass(frozen=True, slots=True)
class CardsOf:
    """How many cards of this value a player laid or shows."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class CardOf:
    """What the card at this place of a turn really was; turns count from 1, places from 0."""

    turn: int
    place: int


Choice: TypeAlias = MenuSetting | Match | NameOf | NumberOf | CardsOf | CardOf
"""A value to choose."""


class Rub(Enum):
    """The line that takes the last letter away again."""

    OUT = "out"


Line: TypeAlias = Where | Act | Choice | Rub | str
"""What a line stands for; text is what it puts at the end of what is written."""
