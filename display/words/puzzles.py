"""Puzzles in words: what is asked, what a chosen turn is worth, and why the best is the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from display.i18n import Words
from display.words.sentences import listed, side_name
from display.words.verdicts import action_text, answer_hint
from engine.puzzles.puzzle import Answer, Puzzle, refutation
from engine.puzzles.solver.solve import Step
from engine.rules.legal import Play
from engine.rules.possible import hidden_hand
from engine.rules.rulings import ActionKind
from engine.rules.state import Phase, Reason
from engine.rules.track import Side


@dataclass(frozen=True, slots=True)
class PuzzleText:
    """What is asked. ``hint``: how the attack that waits can be answered; empty where there is none."""

    title: str
    grade: str
    task: str
    hint: str


@dataclass(frozen=True, slots=True)
class AnswerText:
    """What is said of a turn. ``reply`` is the opponent's best answer to a wrong one, if he needs any; ``best`` and
    ``why`` tell the right one, ``best`` empty where it was chosen."""

    headline: str
    worth: str
    reply: str
    best: str
    why: str


def puzzle_text(words: Words, puzzle: Puzzle) -> PuzzleText:
    """The puzzle's title and task."""
    public = puzzle.public
    side = side_name(words, puzzle.side)
    if puzzle.certain:
        key = "puzzle.task_at_once" if puzzle.hand(puzzle.side.other) else "puzzle.task_certain"
        task = words.say(key, side=side, opponent=side_name(words, puzzle.side.other))
    elif public.phase is Phase.FINAL:
        task = words.say("puzzle.task_final", side=side)
    else:
        pile = listed(words, sorted(card.value for card in puzzle.pile), "and")
        task = words.say("puzzle.task", side=side, count=public.pile, pile=pile)
    return PuzzleText(
        words.say(f"puzzle.title.{puzzle.theme.value}"),
        words.say("puzzle.grade", grade=puzzle.grade),
        task,
        answer_hint(words, public, counted=False),
    )


def answer_text(words: Words, puzzle: Puzzle, answer: Answer) -> AnswerText:
    """What there is to say of a turn somebody chose."""
    line = refutation(puzzle, answer.play)
    chosen = play_text(words, puzzle, answer.play)
    reply = ""
    if not answer.right and len(line) > 1:
        reply = words.say("puzzle.reply", turn=line_texts(words, puzzle, line[:2])[1])
    best = "" if answer.right else words.say("puzzle.best", turn=play_text(words, puzzle, answer.best))
    return AnswerText(
        words.say("puzzle.right" if answer.right else "puzzle.wrong", turn=chosen),
        _certainly(words, puzzle, answer) if puzzle.certain else _worth(words, answer, line),
        reply,
        best,
        why_text(words, puzzle, answer.best),
    )


def play_text(words: Words, puzzle: Puzzle, play: Play) -> str:
    """A turn in this position: ``White parries and advances 3``."""
    return _turn(words, puzzle.side, puzzle.public.distance, play)


def line_texts(words: Words, puzzle: Puzzle, line: Sequence[Step]) -> tuple[str, ...]:
    """Each turn of a line in words."""
    side, distance = puzzle.side, puzzle.public.distance
    texts = []
    for step in line:
        texts.append(_turn(words, side if step.mine else side.other, distance, step.play))
        distance -= step.play.move
    return tuple(texts)


def why_text(words: Words, puzzle: Puzzle, best: Play) -> str:
    """Why the best turn is the best."""
    public = puzzle.public
    distance = public.distance - best.move
    if puzzle.certain and not puzzle.hand(puzzle.side.other):
        opponent = hidden_hand(public, puzzle.side.other, puzzle.hand(puzzle.side))
        names = {"side": side_name(words, puzzle.side), "opponent": side_name(words, puzzle.side.other)}
        return words.say("puzzle.why_certain", count=opponent.most(distance), value=distance, **names)
    held = sum(card.value == distance for card in puzzle.hand(puzzle.side.other))
    return words.say(
        f"puzzle.why.{puzzle.theme.value}",
        side=side_name(words, puzzle.side),
        opponent=side_name(words, puzzle.side.other),
        value=distance,
        distance=distance,
        count=held,
    )


def _turn(words: Words, side: Side, distance: int, play: Play) -> str:
    action: ActionKind | None = None
    if play.attack:
        action = ActionKind.INDIRECT_ATTACK if play.move else ActionKind.DIRECT_ATTACK
    elif play.move:
        action = ActionKind.ADVANCE if play.move > 0 else ActionKind.RETREAT
    left = distance - play.move
    return action_text(words, side, action, bool(play.parry), abs(play.move), left, play.attack)


def _certainly(words: Words, puzzle: Puzzle, answer: Answer) -> str:
    return words.say(
        "puzzle.certain" if answer.value else "puzzle.not_certain", opponent=side_name(words, puzzle.side.other)
    )


def _worth(words: Words, answer: Answer, line: Sequence[Step]) -> str:
    if answer.value in (0, 1):
        return words.say("puzzle.always" if answer.value == 1 else "puzzle.never")
    if line[-1].end is Reason.DRAW and all(step.chance == 1 for step in line):
        return words.say("puzzle.drawn")
    return words.say("puzzle.part", worth=round(100 * answer.value))
