"""Keys of menu lines: pages to open, things to do, values to choose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from display.menu.settings import Setting
from engine.rules.track import Side


@dataclass(frozen=True, slots=True)
class Open:
    """A page by the id of its class (``firmware.ui.menu.page``), and which one where there are several."""

    page: str
    which: int | str | Side = ""
    part: int = 0

    def of(self, which: int | str | Side, part: int = 0) -> Open:
        """The page of this id for one of several things."""
        return Open(self.page, which, part)

    @property
    def number(self) -> int:
        """The number of the thing, for pages of numbered things."""
        assert isinstance(self.which, int)
        return self.which


class Goto:
    """Pages that lines of other pages open, and the program itself. A page that only its own lines open needs none."""

    MAIN: Final = Open("main")
    START: Final = Open("start")
    WRITE: Final = Open("write")  # the name of a Side, or another for a name
    FACE: Final = Open("face")  # the portrait of a Side
    CORRECT: Final = Open("correct")
    FIGURES: Final = Open("figures")
    SCORE: Final = Open("score")
    TURN: Final = Open("turn")  # a turn of this round, from 1
    MANUAL: Final = Open("manual")
    PLAIN: Final = Open("plain")
    SETTINGS: Final = Open("settings")
    HISTORY: Final = Open("history")
    WRONG: Final = Open("wrong")  # what helps where something is wrong
    MORE: Final = Open("more")
    OVER: Final = Open("over")  # the match is
    PAST: Final = Open("past")  # a match of the scorebook
    SHARE: Final = Open("share")  # likewise
    ROUND: Final = Open("past_round")  # of a match; which
    SIGHT: Final = Open("sight")
    HEALTH: Final = Open("health")
    CHECKS: Final = Open("checks")
    CHECK: Final = Open("check")  # its number
    CARE: Final = Open("care")
    RESTORE: Final = Open("restore")  # a copy of the book, from 0
    OFF: Final = Open("off")
    LEARN: Final = Open("learn")
    PATH: Final = Open("path")  # all lessons
    PUZZLES: Final = Open("puzzles")
    THEME: Final = Open("theme")  # of puzzles, by its name
    PUZZLE: Final = Open("puzzle")  # its id
    HAND: Final = Open("hand")  # a player's cards, to their ear alone
    HOME: Final = Open("home")
    ELSEWHERE: Final = Open("elsewhere")  # matches that were played elsewhere than at this table
    PEOPLE: Final = Open("people")
    PERSON: Final = Open("person")  # a name
    NUMBERS: Final = Open("numbers")  # likewise
    HONOURS: Final = Open("honours")  # likewise
    RENAME: Final = Open("rename")  # a name, and another was written for it
    FORGET: Final = Open("forget")  # a name


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
    """A line that exists once for each of several things, and the thing."""

    what: Do | Pick | Wanted
    which: int | str | Side
    part: int = 0


class Wanted(Enum):
    """What a player asks for before a match or lesson begins."""

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
class Act:
    """An action of the page on which the line stands: the page's own name for it, and the thing it is done to."""

    deed: str
    which: int | str = ""


class Rub(Enum):
    """The line that takes the last letter away again."""

    OUT = "out"


Line: TypeAlias = Do | Pick | Wanted | Of | Open | Act | Setting | Rub | str
"""What a line stands for; text is what it puts at the end of what is written."""


def kind_of(line: Line) -> Line:
    """The key without the thing that it is for."""
    return line.what if isinstance(line, Of) else Open(line.page) if isinstance(line, Open) else line
