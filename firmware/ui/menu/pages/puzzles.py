"""The menu's pages of puzzles: all of them with how one stands, and one drawn, to be answered by tapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from functools import cache, partial
from typing import Final

from display.i18n import Words, words
from display.menu.model import Act, Board, Goto, HandView, Item, Menu, MenuPlace, Open, Page, Position
from display.view import NO_NAMES, Mark
from display.words.lessons import reply_lines
from display.words.puzzles import puzzle_text, with_rules
from display.words.sentences import shown_name, side_name
from display.words.verdicts import attack_view
from engine.puzzles.collection import PUZZLES, puzzle_of_the_day
from engine.puzzles.puzzle import HINTS, Attempt, Puzzle, answer, judge_answer
from engine.rules.cards import VALUES
from engine.rules.legal import Play, counts_of
from engine.rules.track import Side
from engine.table.possible_turns import Values, can_name, named_by
from firmware.ui.lessons.progress import OWN as OWN_ID
from firmware.ui.lessons.progress import Pupil
from firmware.ui.lessons.solving import Solving, answering, solvers
from firmware.ui.menu.page import MenuPage, line
from firmware.ui.menu.pages.keeper import BoardPage, chosen_in, named_in, piste_at, spaces_of, ways_in, with_named
from firmware.ui.menu.pages.learning import who
from firmware.ui.menu.state import MenuState

DONE: Final = "\u2713"
"""Stands behind the name of a puzzle that was solved."""
COLUMNS: Final = 4
A_PAGE: Final = 15
"""So many puzzles stand on a page, and a tile that leads further."""
OWN: Final = "own"
"""The group of puzzles that were made of somebody's mistakes."""


class Group(Enum):
    """Groups of puzzles by what is seen at once in the position."""

    ATTACKED = "attacked"
    LAST_CARDS = "last_cards"
    WITHIN_REACH = "within_reach"
    APPROACH = "approach"


FEW_CARDS: Final = 2
"""With so few cards in the pile a round is at its end."""


def group_of(puzzle: Puzzle) -> Group:
    """The group in which this puzzle is found."""
    public = puzzle.public
    if public.attack is not None:
        return Group.ATTACKED
    if public.pile <= FEW_CARDS:
        return Group.LAST_CARDS
    return Group.WITHIN_REACH if public.distance <= max(VALUES) else Group.APPROACH


@cache
def grouped() -> Mapping[Group, tuple[Puzzle, ...]]:
    """All puzzles by group, the easiest first."""
    return {group: tuple(each for each in PUZZLES if group_of(each) is group) for group in Group}


def puzzle_name(say: Words, puzzle: Puzzle) -> str:
    """A puzzle's name: its group and its number there."""
    group = group_of(puzzle)
    return say.say(
        "tiles.puzzle_name", group=say.say(f"tiles.group.{group.value}"), number=grouped()[group].index(puzzle) + 1
    )


def _pictured(say: Words, now: MenuState, puzzle: Puzzle, text: str) -> Item:
    """A tile with the position; its note says how hard it is, who solved it, and then what it was about."""
    public = puzzle.public
    told = [with_rules(say, puzzle, say.say("puzzle.grade", grade=puzzle.grade))]
    solved = [side for side, pupil in now.pupils.items() if puzzle.id in pupil.puzzles]
    if solved and puzzle in PUZZLES:
        told += [puzzle_text(say, puzzle).title, who(say, now.names, solved)]
    spaces = public.spaces
    position = Position(spaces.white, spaces.black, puzzle.side, _values(puzzle, puzzle.side))
    return Item(
        Goto.PUZZLE.of(puzzle.id), f"{text} {DONE}" if solved else text, note=" \u00b7 ".join(told), position=position
    )


class PuzzlesPage(MenuPage, id="puzzles"):
    """Both players' records, the puzzle of the day, the next one, and a tile for each group."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now = self.now
        today, following, solved = puzzle_of_the_day(now.day), next_puzzle(now.pupils), solved_by(now.pupils)
        items = [_pictured(say, now, today, say.say("tiles.puzzle"))]
        if following is not None:
            items.append(_pictured(say, now, following, say.say("solve.next")))
        for group, puzzles in grouped().items():
            left = [puzzle for puzzle in puzzles if puzzle.id not in solved]
            done = say.say("tiles.group_note", count=len(puzzles) - len(left), of=len(puzzles))
            name = say.say(f"tiles.group.{group.value}")
            picture = _pictured(say, now, (left or puzzles)[0], name)
            items.append(replace(picture, key=Goto.THEME.of(group.value), text=name, note=done))
        if now.own:
            own = _pictured(say, now, now.own[0][1], say.say("solve.own_round"))
            items.append(replace(own, key=Goto.THEME.of(OWN), note=""))
        standing = tuple(
            _puzzler(say, shown_name(say, side, now.names[side]), pupil)
            for side, pupil in now.pupils.items()
            if pupil.solving.tried or side is Side.WHITE
        )
        return Page(say.say("lessons.menu.puzzles"), tuple(items), standing, columns=COLUMNS, gallery=True)


class ThemePage(MenuPage, id="theme"):
    """The puzzles of one group, so many at a time."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, theme, part = self.now, str(place.which), place.part
        if theme == OWN:
            named = [(puzzle, own_title(say, now, puzzle)) for _, puzzle in now.own]
            title = say.say("solve.own_round")
        else:
            named = [(puzzle, str(number)) for number, puzzle in enumerate(grouped()[Group(theme)], start=1)]
            title = say.say(f"tiles.group.{theme}")
        begin = part * A_PAGE
        items = [_pictured(say, now, *each) for each in named[begin : begin + A_PAGE]]
        if begin + A_PAGE < len(named):
            items.append(Item(Goto.THEME.of(theme, part + 1), say.say("tiles.further"), sign="play"))
        return Page(title, tuple(items), columns=COLUMNS, gallery=True)


def own_title(say: Words, now: MenuState, own: Puzzle) -> str:
    """The name of a puzzle made of a player's mistake; each player's newest is number 1."""
    name = next(name for name, puzzle in now.own if puzzle == own)
    theirs = [puzzle for made_by, puzzle in now.own if made_by == name]
    return say.say("solve.own", name=name, number=theirs.index(own) + 1)


def solved_by(pupils: Mapping[Side, Pupil]) -> frozenset[str]:
    """The ids of the puzzles that any of these has solved."""
    return frozenset[str]().union(*(pupil.puzzles for pupil in pupils.values()))


def next_puzzle(pupils: Mapping[Side, Pupil], after: Puzzle | None = None) -> Puzzle | None:
    """The first puzzle that nobody here has solved, from this one on; None where there is none."""
    start, solved = PUZZLES.index(after) + 1 if after in PUZZLES else 0, solved_by(pupils)
    unsolved = [puzzle for puzzle in PUZZLES if puzzle.id not in solved]
    later = [puzzle for puzzle in unsolved if PUZZLES.index(puzzle) >= start and puzzle != after]
    return next(iter((*later, *(puzzle for puzzle in unsolved if puzzle != after))), None)


class PuzzlePage(BoardPage, id="puzzle"):
    """One puzzle: the position drawn, the hand to tap, the turns it allows; once it is over, the solution."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, of, puzzle = self.now, str(place.which), self._puzzle(place)
        if puzzle is None:
            return Page(say.say("lessons.menu.puzzles"), ())
        attempt = now.attempt_at(puzzle)
        if puzzle not in PUZZLES:
            title = own_title(say, now, puzzle)
        else:
            title = say.say("solve.title", name=puzzle_name(say, puzzle), grade=puzzle.grade)
        title, lesson = with_rules(say, puzzle, title), f"puzzle:{of}"
        on_board = line(say, Act("lesson", lesson), "lessons.menu.on_board", now.lesson_at(lesson))
        if attempt.over:
            following, items = next_puzzle(now.pupils, puzzle), [on_board]
            if following is not None:
                opens = partial(_go_to, Goto.PUZZLE.of(following.id))
                items.insert(0, self.tap(Act("next_puzzle", of), say.say("solve.next"), opens))
            return Page(title, tuple(items), board=_solution(say, now, puzzle, attempt))
        found, chosen = choices_in(menu, puzzle)
        items = [
            self.tap(Act("lay", value, at), str(value), partial(_lay, puzzle, value, at))
            for at, value in enumerate(_values(puzzle, puzzle.side))
        ]
        items += self.ways(say, puzzle.public, found, chosen)
        hint = say.say("solve.show" if attempt.hints >= HINTS else "solve.hint")
        items += [self.tap(Act("hint", of), hint, partial(self._hint, puzzle)), on_board]
        if chosen is not None:
            items.append(self.tap(Act("answer", of), say.say("solve.answer"), partial(self._answer, puzzle, chosen)))
        return Page(title, tuple(items), board=_question(say, menu, now, puzzle, chosen))

    def entered(self, place: Open) -> None:
        """A puzzle that was over is begun again."""
        puzzle = self._puzzle(place)
        if puzzle is not None:
            self._solving.begin(puzzle)

    @property
    def _solving(self) -> Solving:
        assert self.now.solving is not None
        return self.now.solving

    def _puzzle(self, place: Open) -> Puzzle | None:
        own = (puzzle for _, puzzle in self.now.own)
        return next((each for each in (*own, *PUZZLES) if each.id == place.which), None)

    def _solvers(self, puzzle: Puzzle) -> tuple[str, ...]:
        """The players graded for it: those whose mistake it is made of, else the player of its side."""
        return solvers(puzzle, self.now.pupils.values()) or answering(self.now.names, puzzle.side)

    def _hint(self, puzzle: Puzzle, menu: Menu) -> Menu:
        attempt = self._solving.hint(puzzle, self._solvers(puzzle))
        self.now.told = self._why(puzzle, attempt)
        return with_named(menu, ())  # what was chosen would stand where the hint does

    def _answer(self, puzzle: Puzzle, play: Play, menu: Menu) -> Menu:
        attempt = self._solving.answer(puzzle, play, self._solvers(puzzle))
        say = words(self.now.language)
        if attempt.over:
            self.now.told = self._why(puzzle, attempt, play)
        else:
            lines = reply_lines(say, puzzle, judge_answer(puzzle, play), whole=False)
            self.now.told = " ".join((*lines, say.say("solve.once_more")))
        return with_named(menu, ())

    def _why(self, puzzle: Puzzle, attempt: Attempt, play: Play | None = None) -> str:
        """The explanation once it is over: of the turn chosen last, else of the best one."""
        if not attempt.over:
            return ""
        reply = judge_answer(puzzle, answer(puzzle) if play is None else play)
        return " ".join(reply_lines(words(self.now.language), puzzle, reply))


def choices_in(menu: Menu, puzzle: Puzzle) -> tuple[tuple[Play, ...], Play | None]:
    """The turns that the tapped cards may be, and the one that is meant."""
    found = ways_in(menu, puzzle.public, counts_of(puzzle.hand(puzzle.side)))
    chosen = chosen_in(menu, puzzle.public, found)
    return found, chosen if isinstance(chosen, Play) else None


def _puzzler(say: Words, name: str, pupil: Pupil) -> str:
    """One player's record: ``Ana: 12 of 50 solved, rating 1610, 4 in a row``. One alone is no row."""
    solved, streak = sum(not each.startswith(OWN_ID) for each in pupil.puzzles), pupil.solving.streak
    facts = {"name": name, "solved": solved, "of": len(PUZZLES), "rating": round(pupil.solving.rating.points)}
    return say.say("solve.standing_row" if streak > 1 else "solve.standing", streak=streak, **facts)


def _board(say: Words, puzzle: Puzzle, play: Play | None, hands: tuple[Side, ...]) -> Board:
    public = puzzle.public
    views = tuple(
        HandView(side, say.say(_held(puzzle, side), side=side_name(say, side)), _values(puzzle, side)) for side in hands
    )
    return Board(piste=piste_at(say, public, play), names=NO_NAMES, score=public.score, ask="", hands=views)


def _held(puzzle: Puzzle, side: Side) -> str:
    return "solve.hidden" if puzzle.hidden and side is not puzzle.side else "lessons.said.holds"


def _values(puzzle: Puzzle, side: Side) -> Values:
    return tuple(card.value for card in puzzle.hand(side))


def _question(say: Words, menu: Menu, now: MenuState, puzzle: Puzzle, chosen: Play | None) -> Board:
    """The position with the answer as far as it was tapped."""
    public, attempt = puzzle.public, now.attempt_at(puzzle)
    asked = puzzle_text(say, puzzle)
    told = " ".join(_hints(say, puzzle, attempt))
    mark = Mark.NOW
    if now.answer:
        told, mark = now.answer, Mark.BAD
    board = _board(say, puzzle, chosen, (puzzle.side.other,))
    attack = attack_view(say, public) if chosen is None or not named_in(menu) else None
    return replace(
        board,
        ask=asked.task,
        told=told or asked.hint,
        mark=mark,
        # A parry alone may be a whole turn: it is chosen before a card was tapped, and the attack still stands there.
        piste=replace(board.piste, attack=attack),
        named=named_in(menu),
        spaces=() if chosen is not None else spaces_of(public, choices_in(menu, puzzle)[0]),
        usable=can_name(public, counts_of(puzzle.hand(puzzle.side)), named_in(menu)),
        owed=_owed(puzzle) if chosen is None or chosen.parry else (),
        owed_text=say.say("keeper.owed") if _owed(puzzle) else "",
        played=tuple(sorted(public.played)) if puzzle.counts else (),
        played_text=say.say("solve.played") if puzzle.counts else "",
    )


def _owed(puzzle: Puzzle) -> Values:
    """The cards of the parry, where the hand has them."""
    attack = puzzle.public.attack
    if attack is None or _values(puzzle, puzzle.side).count(attack.value) < attack.count:
        return ()
    return (attack.value,) * attack.count


def _solution(say: Words, now: MenuState, puzzle: Puzzle, attempt: Attempt) -> Board:
    key = "solve.solved" if attempt.solved else "solve.found" if attempt.right else "solve.shown"
    return replace(
        _board(say, puzzle, answer(puzzle), tuple(Side)),
        ask=say.say(key),
        told=now.answer,
        mark=Mark.GOOD if attempt.right else Mark.PLAIN,
    )


def _hints(say: Words, puzzle: Puzzle, attempt: Attempt) -> tuple[str, ...]:
    """As many steps of hint as were asked for: what it is about, then the card that is laid first."""
    steps = [say.say("solve.hint_theme", title=puzzle_text(say, puzzle).title)]
    best = answer(puzzle) if attempt.hints > 1 else None
    if best is not None:
        own = named_by(puzzle.public, best)
        steps.append(say.say("solve.hint_card", value=own[0]) if own else f"{say.say('keeper.owed')}.")
    return tuple(steps[: attempt.hints])


def _go_to(page: Open, menu: Menu) -> Menu:
    return replace(with_named(menu, ()), path=(*menu.path[:-1], MenuPlace(page)))


def _lay(puzzle: Puzzle, value: int, place: int, menu: Menu) -> Menu:
    return with_named(menu, _laid(puzzle, named_in(menu), value, place))


def _laid(puzzle: Puzzle, named: Values, value: int, place: int) -> Values:
    """Cards after this one was tapped: one that lies is taken back, one that fits no turn begins another."""
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
