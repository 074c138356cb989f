"""The menu's pages for learning: the lessons to choose from, and what there is to choose in the middle of one."""

from __future__ import annotations

from display.i18n import Words
from display.menu.context import LessonLine, MenuContext
from display.menu.lines import Do, Goto, Of
from display.menu.model import Item, Page
from display.words.puzzles import play_text, puzzle_text
from display.words.sentences import listed, shown_name, side_name
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle
from engine.rules.legal import Play, counts_of, legal_plays


def to_learn(say: Words, context: MenuContext) -> list[Item]:
    """The line that opens the lessons, where there are any now."""
    note = say.say("lessons.menu.learn_note")
    return [Item(Goto.LEARN, say.say("lessons.menu.learn"), note=note)] if context.lessons else []


def learn_page(say: Words, context: MenuContext) -> Page:
    """The lesson to go on with, the puzzles, and all lessons with who has learned them."""
    items = []
    if context.next_lesson and not context.teaching:
        title = say.say(f"lessons.{context.next_lesson}.title")
        items.append(Item(Do.LEARN_ON, say.say("lessons.menu.learn_on", title=title)))
    if context.puzzles:
        note = say.say("lessons.menu.puzzles_note")
        items.append(Item(Goto.PUZZLES, say.say("lessons.menu.puzzles"), note=note))
    for number, line in enumerate(context.lessons, start=1):
        title = say.say("lessons.said.title", number=number, title=say.say(f"lessons.{line.id}.title"))
        items.append(Item(Of(Do.LESSON, line.id), title, value=_who(say, context, line)))
    return Page(say.say("lessons.menu.learn"), tuple(items))


def _who(say: Words, context: MenuContext, line: LessonLine) -> str:
    """Who has learned or solved it, by name or colour."""
    return listed(say, [shown_name(say, side, context.names[side]) for side in line.learned], "and")


def puzzles_page(say: Words, context: MenuContext) -> Page:
    """All puzzles, the easiest first, with who has solved them."""
    items = []
    for number, (puzzle, line) in enumerate(zip(PUZZLES, context.puzzles, strict=False), start=1):
        asked = puzzle_text(say, puzzle)
        title = say.say("lessons.menu.puzzle", number=number, title=asked.title)
        items.append(Item(Of(Goto.PUZZLE, puzzle.id), title, value=_who(say, context, line), note=asked.grade))
    return Page(say.say("lessons.menu.puzzles"), tuple(items))


def puzzle_page(say: Words, of: str, *, answered: bool) -> Page:
    """One puzzle: where everything stands and lies, and every legal turn to choose from.

    Once it is ``answered`` the answer has the room of the question.
    """
    puzzle = puzzle_of(of)
    if puzzle is None:
        return Page(say.say("lessons.menu.puzzles"), ())
    asked, public = puzzle_text(say, puzzle), puzzle.public
    spaces = public.spaces
    stands = say.say("lessons.menu.stands", white=spaces.white, black=spaces.black, distance=public.distance)
    hands = [
        say.say("lessons.menu.hand", side=side_name(say, side), cards=" ".join(str(card.value) for card in hand))
        for side, hand in puzzle.hands.items()
    ]
    question = () if answered else (asked.task, asked.hint)
    lines = tuple(line for line in (*question, stands, "   ".join(hands)) if line)
    board = Item(
        Of(Do.LESSON, f"puzzle:{of}"), say.say("lessons.menu.on_board"), note=say.say("lessons.menu.on_board_note")
    )
    plays = [
        Item(Of(Do.ANSWER, of, number), play_text(say, puzzle, play)) for number, play in enumerate(plays_of(puzzle))
    ]
    return Page(asked.title, (*plays, board), lines)


def puzzle_of(of: str) -> Puzzle | None:
    """The puzzle with this id, if there is one."""
    return next((puzzle for puzzle in PUZZLES if puzzle.id == of), None)


def plays_of(puzzle: Puzzle) -> tuple[Play, ...]:
    """Every legal turn of a puzzle, in the order in which they can be chosen."""
    return legal_plays(puzzle.public, counts_of(puzzle.hand(puzzle.side)))


def teaching_page(say: Words, more: tuple[Item, ...], *, puzzling: bool) -> Page:
    """The first page in the middle of a lesson, or of a puzzle on the board.

    ``more`` are the lines it shares with the menu of a match.
    """
    of = "puzzle_" if puzzling else ""
    chosen = {
        Do.CLOSE: f"{of}go_on",
        Do.LESSON_AGAIN: f"{of}again",
        Do.LESSON_SKIP: f"{of}skip",
        Do.LESSON_LEAVE: "leave",
    }
    items = [
        Item(key, say.say(f"lessons.menu.{name}"), note=say.say(f"lessons.menu.{name}_note"))
        for key, name in chosen.items()
    ]
    items.append(Item(Goto.LEARN, say.say("lessons.menu.all"), note=say.say("lessons.menu.learn_note")))
    return Page(say.say("lessons.menu.learn"), (*items, *more))
