"""What the lines of the menu stand for: pages to open, things to do, values to choose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from display.menu.settings import Setting
from engine.rules.track import Side


class Goto(Enum):
    """A page."""

    MAIN = "main"
    START = "start"
    WRITE = "write"  # the name of a Side, or another for a name
    FACE = "face"  # the portrait of a Side
    CORRECT = "correct"
    FIGURES = "figures"
    SCORE = "score"
    TURN = "turn"  # a turn of this round, from 1
    MANUAL = "manual"
    PLAIN = "plain"
    SETTINGS = "settings"
    HISTORY = "history"
    WRONG = "wrong"  # what helps where something is wrong
    MORE = "more"
    OVER = "over"  # the match is
    PAST = "past"  # a match of the scorebook
    SHARE = "share"  # likewise
    ROUND = "past_round"  # of a match; which
    SIGHT = "sight"
    HEALTH = "health"
    CHECKS = "checks"
    CHECK = "check"  # its number
    CARE = "care"
    RESTORE = "restore"  # a copy of the book, from 0
    OFF = "off"
    LEARN = "learn"
    PATH = "path"  # all lessons
    PUZZLES = "puzzles"
    THEME = "theme"  # of puzzles, by its name
    PUZZLE = "puzzle"  # its id
    HAND = "hand"  # somebody's cards, to his ear alone
    HOME = "home"
    ELSEWHERE = "elsewhere"  # matches that were played elsewhere than at this table
    PEOPLE = "people"
    PERSON = "person"  # a name
    NUMBERS = "numbers"  # likewise
    HONOURS = "honours"  # likewise
    RENAME = "rename"  # a name, and another was written for it
    FORGET = "forget"  # a name


class Do(Enum):
    """Something to do."""

    CLOSE = "close"
    PAUSE = "pause"
    RESUME = "resume"
    UNDO = "undo"
    QUIT = "quit"
    HINTS = "hints"
    OPEN_HANDS = "open_hands"
    END_HINTS = "end_hints"
    END_OPEN_HANDS = "end_open_hands"
    RETELL = "retell"
    BEGIN = "begin"
    BEGIN_OPEN = "begin_open"
    TAKE_NAME = "take_name"  # of a Side, or another for a name
    TAKE_FACE = "take_face"  # of a Side; which, from 0
    SET_FIGURES = "set_figures"
    SET_SCORE = "set_score"
    REPLACE = "replace"  # a turn of this round, from 1
    REMOVE = "remove"  # likewise
    ROUND = "round"
    LAY = "lay"  # a card of this value
    WAY = "way"  # one of the turns the cards may be, from 0, or to give up
    TURN = "turn"
    REVEAL = "reveal"
    TAKE_BACK = "take_back"  # the last card, else the last turn
    POINT = "point"  # of a Side
    NO_POINT = "no_point"
    TAKE_POINT_BACK = "take_point_back"
    TEST = "test"
    CALIBRATE = "calibrate"
    FOCUS = "focus"
    BACK_UP = "backup"
    BRING_BACK = "bring_back"  # a copy of the book, from 0
    TABLES = "tables"
    SHUT_DOWN = "shut_down"
    SET_UP = "set_up"
    REGISTER = "register"  # show the backs that the companion plays by
    PRINT_BACKS = "print_backs"  # onto a stick
    CERTIFICATE = "certificate"  # likewise
    LEARN_ON = "learn_on"
    LESSON = "lesson"  # its id, or puzzle:ID for one on the board
    LESSON_AGAIN = "lesson_again"
    LESSON_SHOW = "lesson_show"
    LESSON_SKIP = "lesson_skip"
    LESSON_LEAVE = "lesson_leave"
    ANSWER = "answer"  # a puzzle's id
    HINT = "hint"  # likewise
    NEXT_PUZZLE = "next_puzzle"  # after this one
    SHOW_TURN = "show_turn"  # of a past round, from 0
    FILM = "film"  # of a match of the scorebook, onto a stick
    GIF = "gif"  # likewise
    PAGE = "page"  # likewise
    RECORD = "record"  # likewise
    CARD = "card"  # likewise, of one that is over
    STOP_MAKING = "stop_making"  # likewise
    SHOW = "show"  # a line that is only read
    RENAME = "rename"  # a name, as it was written
    FORGET = "forget"  # a name
    KEEP_PUZZLE = "keep_puzzle"  # of the mistake in this turn of a past round, from 1


class Pick(Enum):
    """A value to choose."""

    NAME = "name"  # of a Side
    AGAINST = "against"
    RULES = "rules"
    STARTER = "starter"
    POINTS = "points"
    SPACE = "space"  # of a Side's figure, as it stands
    SCORE = "score"  # of a Side
    NAMED = "named"  # the cards tapped so far
    WAY = "way"  # the turn they are
    CARD = "card"  # of a turn, from 1, at a place, from 0


@dataclass(frozen=True, slots=True)
class Of:
    """A line that there is one of for each of several things, and which thing that is."""

    what: Goto | Do | Pick | Wanted
    which: int | str | Side
    part: int = 0


class Wanted(Enum):
    """What somebody wants at the simulated table, before anything is begun there."""

    NOW = "now"  # at once: against the friendliest bot, under no name yet
    LANGUAGE = "language"  # which
    OTHER_LANGUAGE = "other_language"
    WATCH = "watch"
    PLAY = "play"
    LEARN = "learn"
    PERSON = "person"  # to play against
    BOT = "bot"  # of a strength
    COMPANION = "companion"
    KNOWN = "known"  # somebody who was here before, by name
    NEW = "new"  # somebody else


@dataclass(frozen=True, slots=True)
class Open:
    """A page that is a class of its own (``firmware.menu.page``), by its id, and which one where there are several."""

    page: str
    which: int | str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that the page on which this line stands does, by the page's own name for it, and to which thing."""

    deed: str
    which: int | str = ""


class Rub(Enum):
    """The line that takes the last letter away again."""

    OUT = "out"


Where: TypeAlias = Goto | Of | Open
"""A page."""
Line: TypeAlias = Goto | Do | Pick | Wanted | Of | Open | Act | Setting | Rub | str
"""What a line stands for; text is what it puts at the end of what is written."""


def kind_of(line: Line) -> Line:
    """The line without which of several things it is for."""
    return line.what if isinstance(line, Of) else line
