"""What a teacher says, in the players' language: the panel beside the game and the verdict band."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from display.i18n import Words
from display.view import Mark, PanelLine, PanelView, Tone, VerdictView
from display.words.comparison import verdict
from display.words.puzzles import answer_text, puzzle_text
from display.words.sentences import side_name
from engine.lessons.lesson import Question, Stage, Telling
from engine.lessons.positions import lettered
from engine.puzzles.puzzle import Answer, Puzzle
from engine.rules.rulings import RemedyKind
from engine.rules.state import Phase
from engine.rules.track import Side

FEW: Final = 2
"""So few cards in the pile matter: the players are told to leave no more."""


def lesson_panel(words: Words, told: Telling) -> PanelView:
    """The lesson at this moment: what it is about, what to set up, do or answer, and why."""
    if told.puzzle is not None:
        asked = puzzle_text(words, told.puzzle)
        answered = told.stage is Stage.WHY and not told.once_more
        title = asked.title if answered else words.say("solve.number", number=told.number)
        return PanelView(title, tuple(_PUZZLE_LINES[told.stage](words, told, told.puzzle)), asked.grade)
    title = words.say("lessons.said.title", number=told.number, title=lesson_title(words, told.lesson.id))
    page = f"{told.place + 1} / {len(told.lesson.steps)}"
    return PanelView(title, tuple(_LINES[told.stage](words, told)), page, asks=told.stage is Stage.ASK)


def lesson_title(words: Words, lesson: str) -> str:
    """What a lesson is called."""
    return words.say(f"lessons.{lesson}.title")


def lesson_verdict(words: Words, told: Telling) -> VerdictView | None:
    """The verdict band at this moment; None while a turn is played, which the referee has words for."""
    stage, say = told.stage, words.say
    tag = TAG if told.puzzle is None else PUZZLE_TAG
    if stage is Stage.DO:
        return None
    if stage is Stage.SETUP and told.remedies == ():
        return verdict(words, Tone.READY, say("lessons.said.stands"), hint=say("lessons.said.take"), tag=tag)
    if stage is Stage.SETUP:
        headline = say("lessons.said.not_yet" if told.pressed else "lessons.said.set_up")
        return verdict(words, Tone.READY, headline, hint=say("lessons.said.as_pictured"), tag=tag)
    if stage is Stage.BACK:
        return verdict(words, Tone.QUESTION, say("lessons.said.again"), hint=say("lessons.said.back"), tag=tag)
    if stage is Stage.ASK:
        return verdict(words, Tone.QUESTION, say("lessons.said.which"), hint=say("lessons.said.answer"), tag=tag)
    if told.reply is not None and not told.reply.right:
        return verdict(words, Tone.QUESTION, say("lessons.said.better"), hint=say("lessons.said.go_on"), tag=tag)
    if stage is Stage.WHY:
        return verdict(words, Tone.LEGAL, say("lessons.said.right"), hint=say("lessons.said.go_on"), tag=tag)
    return verdict(words, Tone.WON, say("lessons.said.done"), hint=say("lessons.said.go_on"), tag=tag)


TAG: Final = "lessons.said.tag"
PUZZLE_TAG: Final = "lessons.said.puzzle_tag"


def _set_up(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield from _goal(words, told)
    yield from _stands(words, told)


def _stands(words: Words, told: Telling) -> Iterator[PanelLine]:
    """What of the set-up stands already, and what does not."""
    wrong = Mark.BAD if told.pressed else Mark.NOW
    kinds = None if told.remedies is None else {remedy.kind for remedy in told.remedies}
    moved = kinds is None or RemedyKind.MOVE_FIGURE in kinds
    cards = kinds is None or RemedyKind.CLEAR_CARDS in kinds
    spaces = told.state.spaces
    figures = words.say("lessons.said.figures", white=spaces.white, black=spaces.black)
    yield PanelLine(figures, wrong if moved else Mark.GOOD)
    yield PanelLine(words.say("lessons.said.no_cards"), wrong if cards else Mark.GOOD)
    yield from _taken(words, told)
    if told.state.phase is Phase.TURN and told.state.pile <= FEW:
        yield PanelLine(words.say("lessons.said.pile", count=told.state.pile), Mark.NOW)


def _goal(words: Words, told: Telling) -> Iterator[PanelLine]:
    """What the lesson is about, at its first step."""
    if told.place == 0 and told.puzzle is None:
        yield PanelLine(words.say(f"lessons.{told.lesson.id}.goal"))


def _taken(words: Words, told: Telling) -> Iterator[PanelLine]:
    for side, hand in told.hands.items():
        if hand:
            yield PanelLine(words.say("lessons.said.hand", side=side_name(words, side)), Mark.NOW, lettered(hand))


def _do(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield from _answered(words, told)
    yield PanelLine(words.say(f"lessons.{told.lesson.id}.{told.step.id}.do"), Mark.NOW)
    side = told.state.to_act
    for each, hand in told.hands.items():
        if hand and (each is side or told.state.phase is Phase.REVEAL):
            yield PanelLine(words.say("lessons.said.holds", side=side_name(words, each)), cards=lettered(hand))


def _back(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield from _answered(words, told)
    yield PanelLine(words.say("lessons.said.put_back"), Mark.NOW)


def _answered(words: Words, told: Telling) -> Iterator[PanelLine]:
    if told.answer:
        yield PanelLine(words.say(told.spoken), Mark.BAD)


def _ask(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield from _answered(words, told) if told.answer else _goal(words, told)
    at = f"lessons.{told.lesson.id}.{told.step.id}"
    yield PanelLine(words.say(f"{at}.do"))
    if isinstance(told.step, Question) and told.step.position is not None:
        yield from (
            PanelLine(words.say("lessons.said.holds", side=side_name(words, side)), cards=lettered(hand))
            for side, hand in told.hands.items()
            if hand
        )
    for side in Side:
        answer = words.say(f"{at}.{side.value}")
        yield PanelLine(words.say("lessons.said.button", side=side_name(words, side), answer=answer), Mark.NOW)


def _why(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield PanelLine(words.say(f"lessons.{told.lesson.id}.{told.step.id}.why"), Mark.GOOD)


def _done(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield PanelLine(words.say("lessons.said.learned", title=lesson_title(words, told.lesson.id)), Mark.GOOD)
    if told.following is not None:
        following = lesson_title(words, told.following.id)
        yield PanelLine(words.say("lessons.said.next", title=following), Mark.NOW)
    else:
        yield PanelLine(words.say("lessons.said.all_done"), Mark.NOW)
    yield PanelLine(words.say("lessons.said.leave"))


_LINES: Final[Mapping[Stage, Callable[[Words, Telling], Iterator[PanelLine]]]] = {
    Stage.SETUP: _set_up,
    Stage.DO: _do,
    Stage.BACK: _back,
    Stage.ASK: _ask,
    Stage.WHY: _why,
    Stage.DONE: _done,
}


def _solve(words: Words, told: Telling, puzzle: Puzzle) -> Iterator[PanelLine]:
    asked = puzzle_text(words, puzzle)
    yield PanelLine(asked.task, Mark.NOW)
    if asked.hint:
        yield PanelLine(asked.hint)
    for side, hand in told.hands.items():
        yield PanelLine(words.say("lessons.said.holds", side=side_name(words, side)), cards=lettered(hand))


def _solved(words: Words, told: Telling, puzzle: Puzzle) -> Iterator[PanelLine]:
    if told.reply is not None:
        first, *rest = reply_lines(words, puzzle, told.reply, whole=not told.once_more)
        yield PanelLine(first, Mark.GOOD if told.reply.right else Mark.BAD)
        yield from (PanelLine(line) for line in rest)


def reply_lines(words: Words, puzzle: Puzzle, reply: Answer, *, whole: bool = True) -> tuple[str, ...]:
    """What there is to say of a turn somebody chose, a sentence each; the solution only in the ``whole`` of it."""
    text = answer_text(words, puzzle, reply)
    solution = (text.best, text.why) if whole else ()
    return tuple(line for line in (text.headline, text.worth, text.reply, *solution) if line)


_PUZZLE_LINES: Final[Mapping[Stage, Callable[[Words, Telling, Puzzle], Iterator[PanelLine]]]] = {
    Stage.SETUP: lambda words, told, _: _stands(words, told),
    Stage.DO: _solve,
    Stage.WHY: _solved,
}
