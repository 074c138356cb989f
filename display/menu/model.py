"""The menu as values: what stands on a page, and where a key leads from it. No words and no pixels.

Everything can be reached with four keys (up, down, choose, back), which the four buttons of a panel are while the menu
is open; arrow keys and a finger are shorter ways to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, TypeAlias, TypeVar

from display.menu.settings import Setting
from display.view import Mark, PanelLine, PisteView
from display.words.review import ReviewView
from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from engine.table.possible_turns import Values


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


class GivenUp(Enum):
    """A turn that is none: the player is hit, or cannot move."""

    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand that lies open, and whose it is; without cards one that is hidden, as the title says."""

    side: Side
    title: str
    cards: Values


@dataclass(frozen=True, slots=True)
class Board:
    """A position drawn over the lines of the page.

    ``head`` stands between the two names. ``ask`` says what to do now, ``told`` adds to it, marked by ``mark``. The
    distance is hidden if its text is empty. ``named`` cards were tapped, ``owed`` ones follow from the attack,
    ``usable`` values may be tapped and lead to ``spaces``. ``hands`` lie open; ``played`` cards are shown if the answer
    depends on them. ``plain``: points only, without a piste.
    """

    piste: PisteView
    names: BySide[str]
    score: BySide[int]
    ask: str
    told: str = ""
    mark: Mark = Mark.PLAIN
    head: str = ""
    named: Values = ()
    owed: Values = ()
    owed_text: str = ""
    usable: Values = ()
    spaces: tuple[int, ...] = ()
    hands: tuple[HandView, ...] = ()
    played: tuple[Card, ...] = ()
    played_text: str = ""
    plain: bool = False


def is_card(line: Line) -> bool:
    """Whether this line is a card to tap."""
    return isinstance(line, Act) and line.deed == "lay"


def is_way(line: Line) -> bool:
    """Whether this line is a turn to choose."""
    return isinstance(line, Act) and line.deed == "way"


@dataclass(frozen=True, slots=True)
class PastTurn:
    """The table after a turn of a round, or as it began. ``text`` says what was done, ``note`` what hung on it."""

    text: str
    piste: PisteView
    note: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A turn, from 1, that was a mistake: who made it, and whether it is kept as that player's puzzle."""

    number: int
    name: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class PastRound:
    """A round turn by turn, the first entry as it began, and its review so far.

    ``offer``: the words and the number of the line that makes the shown mistake a puzzle.
    """

    turns: tuple[PastTurn, ...]
    review: ReviewView
    at: int = 0
    mistakes: tuple[Mistake, ...] = ()
    offer: tuple[str, int] | None = None


MAX_SAID: Final = 2
"""So many lines have room between table and graph: what hung on a turn is said elsewhere where the review says more."""


def said_of(past: PastRound) -> tuple[PanelLine, ...]:
    """What the review says of the shown turn, and the turn's note if there is room."""
    own, turn = _reviewed(past), past.turns[past.at]
    if turn.note and len(own) < MAX_SAID:
        own = [*(own or [PanelLine(turn.text)]), PanelLine(turn.note)]
    return tuple(own)


def unsaid_of(past: PastRound) -> str:
    """The note of the shown turn, if ``said_of`` has no room for it."""
    return past.turns[past.at].note if len(_reviewed(past)) >= MAX_SAID else ""


def _reviewed(past: PastRound) -> list[PanelLine]:
    lead = f"{past.at}. "
    own: list[PanelLine] = []
    for line in past.review.lines:
        if own and line.mark is Mark.GOOD:
            own.append(line)
        elif own:
            break
        elif line.text.startswith(lead):
            own.append(line)
    return own


T = TypeVar("T")


class Key(Enum):
    """A key, or the panel button that stands for it. LESS and MORE change the value of the chosen line."""

    UP = "up"
    DOWN = "down"
    CHOOSE = "choose"
    BACK = "back"
    LESS = "less"
    MORE = "more"
    RUB_OUT = "rub_out"


@dataclass(frozen=True, slots=True)
class Position:
    """A small picture of a position: both spaces, and the card values of the player to act."""

    white: int
    black: int
    to_act: Side
    hand: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a page: its ``key``, its text, the ``value`` beside it, the ``options`` to choose the value from.

    An option that is a page is opened when the line is chosen. ``start`` is the option to begin with. ``note`` is shown
    while the line is chosen. It may have one picture: a ``portrait`` or a ``sign`` by name, or a ``position``.
    With ``stars``, of three, it is a stop of a path. ``does`` is done when the line was chosen, or its value changed.
    """

    key: Line
    text: str
    value: str = ""
    options: tuple[Any, ...] = ()
    start: Any = None
    note: str = ""
    portrait: str = ""
    sign: str = ""
    position: Position | None = None
    stars: int | None = None
    does: Deed | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Two players, and the matches each has won of those between them, as the ``label`` says.

    ``portraits`` are empty for a player without one. ``met`` says when they last met and how it ended.
    """

    names: BySide[str]
    portraits: BySide[str]
    won: BySide[int]
    label: str
    met: str


@dataclass(frozen=True, slots=True)
class Person:
    """A player: ``rating`` in words, and ``curve`` after each match with its limits.

    ``form``: the last matches, True for one won, the newest last. ``standing``: won and lost. ``against``: a line for
    each opponent, ``feats``: a line for each feat, which opens its match. ``numbers``: all other statistics. ``named``:
    the name was chosen, and can be corrected.
    """

    name: str
    portrait: str
    rating: str
    curve: tuple[tuple[float, float, float], ...]
    form: tuple[bool, ...]
    standing: str
    against: tuple[Item, ...]
    feats: tuple[Item, ...]
    numbers: tuple[str, ...]
    curve_title: str = ""
    form_title: str = ""
    named: bool = True


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its title, lines of text over the items, and the items, in so many columns.

    ``board``: the position that is drawn, on a page where a turn is tapped. ``gallery``: the items are pictures with
    their names under them. ``past``: a round of a past match is drawn, and the items are its turns. ``rivalry`` and
    ``person`` are drawn over the items, as are the values of ``cards`` under the lines, and what the ``camera`` sees.
    """

    title: str
    items: tuple[Item, ...]
    lines: tuple[str, ...] = ()
    columns: int = 1
    board: Board | None = None
    gallery: bool = False
    past: PastRound | None = None
    rivalry: Rivalry | None = None
    person: Person | None = None
    camera: bool = False
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MenuPlace:
    """A page and the line that is chosen on it."""

    page: Open
    at: int = 0


@dataclass(frozen=True, slots=True)
class Menu:
    """An open menu: the path of pages, the last one shown; chosen values, and the written text.

    ``adjusting``: up and down change the chosen line's value until it is chosen again.
    """

    path: tuple[MenuPlace, ...] = (MenuPlace(Goto.MAIN),)
    values: Mapping[Line, Any] = field(default_factory=dict)
    text: str = ""
    adjusting: bool = False

    @property
    def here(self) -> MenuPlace:
        return self.path[-1]

    def at_line(self, at: int) -> Menu:
        """The menu with this line of the page chosen."""
        return replace(self, path=(*self.path[:-1], replace(self.here, at=at)))

    def chosen(self, key: Line, otherwise: T) -> T:
        """The value chosen for this line."""
        value: T = self.values.get(key, otherwise)
        return value

    def option(self, item: Item) -> Any:
        """The option that a line shows."""
        now = self.chosen(item.key, item.start)
        return now if now in item.options else item.start


Deed: TypeAlias = Callable[[Menu], Menu | None]
"""Does what a line stands for. Returns the menu as it is then, None where that leaves it."""


def stay(work: Callable[[], object]) -> Deed:
    """The deed that does this, and stays on the page."""

    def done(menu: Menu) -> Menu:
        work()
        return menu

    return done


def leave(work: Callable[[], object] = lambda: None) -> Deed:
    """The deed that does this, and leaves the menu."""

    def done(menu: Menu) -> None:
        work()

    return done


MenuStep = tuple[Menu | None, Line | None]
"""The menu after a step, None when it was left, and what the line chosen or changed stands for, if it does anything."""

MAX_LETTERS: Final = 20
_TAPPED: Final[tuple[Line, ...]] = (Pick.NAMED, Pick.WAY)


def step(menu: Menu, key: Key, page: Page) -> MenuStep:
    """The menu after a key, and the key of the line that was chosen or changed."""
    if key is Key.BACK:
        return _back(menu, page), None
    if key is Key.RUB_OUT:
        return replace(menu, text=menu.text[:-1]), None
    if not page.items:
        return menu, None
    at = min(menu.here.at, len(page.items) - 1)
    item = page.items[at]
    if item.options and (key in (Key.LESS, Key.MORE) or menu.adjusting) and key is not Key.CHOOSE:
        change = 1 if key in (Key.MORE, Key.UP) else -1
        at = item.options.index(menu.option(item)) + change
        values = {**menu.values, item.key: item.options[at % len(item.options)]}
        return replace(menu, values=values), item.key
    count = len(page.items)
    match key:
        case Key.LESS | Key.MORE:
            return menu.at_line((at + (1 if key is Key.MORE else -1)) % count), None
        case Key.UP | Key.DOWN:
            return menu.at_line(_in_column(at, count, min(page.columns, count), down=key is Key.DOWN)), None
    return _chosen(menu, item)


def _in_column(at: int, count: int, columns: int, *, down: bool) -> int:
    """The line below or above; beyond the end of a column begins the next one, so that two keys reach all there are."""
    following = at + (columns if down else -columns)
    if 0 <= following < count:
        return following
    column = (at + (1 if down else -1)) % columns if down or at else columns - 1
    return column if down else column + (count - 1 - column) // columns * columns


def tap(menu: Menu, number: int, page: Page) -> MenuStep:
    """Choose a line at once, as a finger does."""
    if not 0 <= number < len(page.items):
        return menu, None
    item = page.items[number]
    return _chosen(replace(menu.at_line(number), adjusting=menu.adjusting and menu.here.at == number), item)


def write(menu: Menu, letters: str) -> Menu:
    """Append letters that were typed."""
    kept = "".join(letter for letter in letters if letter.isprintable())
    return replace(menu, text=(menu.text + kept)[:MAX_LETTERS])


def without_last_card(menu: Menu) -> Menu:
    """Take back the card that was tapped last, and the chosen turn."""
    return replace(menu, values={**menu.values, Pick.NAMED: menu.chosen(Pick.NAMED, ())[:-1], Pick.WAY: None})


def _chosen(menu: Menu, item: Item) -> MenuStep:
    option = menu.option(item) if item.options else None
    match item.key:
        case Open() as page:
            return _opened(menu, page, _TAPPED), None
        case Rub():
            return replace(menu, text=menu.text[:-1]), None
        case str(letter):
            return write(menu, letter), None
    if isinstance(option, Open):
        return _opened(menu, option, (item.key,)), None  # a value that is made on a page of its own
    if item.options:
        return replace(menu, adjusting=not menu.adjusting), None
    return menu, item.key


def _opened(menu: Menu, page: Open, forgotten: tuple[Line, ...]) -> Menu:
    """The menu with this page open, and these values as they were before anything was chosen."""
    values = {key: menu.values[key] for key in menu.values if key not in forgotten}
    return replace(menu, path=(*menu.path, MenuPlace(page)), values=values, adjusting=False, text="")


def _back(menu: Menu, page: Page) -> Menu | None:
    if menu.adjusting:
        return replace(menu, adjusting=False)
    if page.board is not None and page.board.named:
        return without_last_card(menu)
    if len(menu.path) == 1:
        return None
    return replace(menu, path=menu.path[:-1], text="")
