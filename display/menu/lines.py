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


@dataclass(frozen=True, slots=True)
class Act:
    """An action by its name, such as ``undo``, and the thing it is done to."""

    deed: str
    which: int | str | Side = ""
    part: int = 0


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

    what: Pick
    which: int | str | Side
    part: int = 0


class Rub(Enum):
    """The line that takes the last letter away again."""

    OUT = "out"


Line: TypeAlias = Pick | Of | Open | Act | Setting | Rub | str
"""What a line stands for; text is what it puts at the end of what is written."""


def kind_of(line: Line) -> Line:
    """The key without the thing that it is for."""
    match line:
        case Of(what):
            return what
        case Open(page):
            return Open(page)
        case Act(deed):
            return Act(deed)
    return line
