"""What a teacher says, in the players' language: the panel beside the game and the verdict band."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Final

from display import i18n
from display.i18n import Words
from display.view import Mark, PanelLine, PanelView, Situation, Tone, VerdictView
from display.words.puzzles import answer_text, puzzle_text, with_rules
from display.words.sentences import capital, remedy_views, side_name, verdict
from engine.lessons.lesson import CLASSIC, PracticeRound, Question, Step, StepStage, Telling
from engine.lessons.occasions import Occasion
from engine.lessons.positions import lettered
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Answer, Puzzle
from engine.rules.events import RoundEvent, TurnEvent, YieldEvent
from engine.rules.rulings import ActionKind, Remedy, RemedyKind
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side

GENERAL_HINT: Final = 2
CARDS_SHOWN: Final = 3
SOLVED: Final = 4
"""After so many wrong tries at a step comes what kind of deed it is, then its cards, then all of it."""
GOES_ON: Final = (StepStage.SETUP, StepStage.WHY, StepStage.DONE)
FEW_IN_A_ROW: Final = 3
"""From so many steps right at the first try on they are counted aloud."""
FEW: Final = 2
"""So few cards in the pile matter: the players are told to leave no more."""


def in_his_place(situation: Situation, pupil: Side) -> Situation:
    """The situation with whoever learns alone at this side, and the teacher opposite."""
    own, face = situation.names.white, situation.portraits.white
    teacher = i18n.words(situation.language).say("lessons.alone.teacher")
    names, faces = BySide(teacher, teacher).put(pupil, own), BySide("", "").put(pupil, face)
    return replace(situation, names=names, portraits=faces, teacher=pupil.other)


def lesson_panel(words: Words, told: Telling) -> PanelView:
    """The lesson at this moment: what it is about, what to set up, do or answer, and why."""
    warming = words.say("lessons.said.warm_up", number=told.number, all=told.warming) if told.warming else ""
    if told.puzzle is not None:
        asked = puzzle_text(words, told.puzzle)
        answered = told.stage is StepStage.WHY and not told.once_more
        title = asked.title if answered else warming or words.say("solve.number", number=told.number)
        own = told.puzzle not in PUZZLES
        if own and not answered and not warming:
            title = words.say("solve.own_round")
        page = with_rules(words, told.puzzle, words.say("solve.own_round")) if own and warming else asked.grade
        lines = tuple(_PUZZLE_LINES[told.stage](words, told, told.puzzle))
        return PanelView(title, lines, page, goes_on=told.stage in GOES_ON, task=told.stage is StepStage.DO)
    title = words.say("lessons.said.title", number=told.number, title=lesson_title(words, told.lesson.id))
    page = f"{told.place + 1} / {len(told.lesson.steps)}"
    if warming:
        title, page = warming, lesson_title(words, told.lesson.id)
    lines = tuple(_LINES[told.stage](words, told))
    counts = isinstance(told.step, Step) and told.step.counts and told.stage not in (StepStage.WHY, StepStage.DONE)
    return PanelView(
        title,
        lines,
        page,
        asks=counts or told.stage is StepStage.ASK,
        explains=told.stage is StepStage.WHY,
        goes_on=told.stage in GOES_ON,
        loose=_loose(told),
        task=told.stage is StepStage.DO,
        pictures=remedy_views(words, task_pictured(told), None),
    )


def _loose(told: Telling) -> bool:
    """Whether only some cards of the deck were taken out for this step, and the rest lies as it lies."""
    dealt = isinstance(told.step, PracticeRound)
    if isinstance(told.step, Step) and told.step.wanted.event == RoundEvent.name:
        dealt = told.stage in (StepStage.WHY, StepStage.DONE)
    return told.puzzle is None and not dealt and told.state.pile > FEW


def lesson_title(words: Words, lesson: str) -> str:
    """What a lesson is called."""
    return words.say(f"lessons.{lesson}.title")


def lesson_verdict(words: Words, told: Telling) -> VerdictView | None:
    """The verdict band at this moment; None while a turn is played, which the referee has words for."""
    stage, say = told.stage, words.say
    tag = TAG if told.puzzle is None else PUZZLE_TAG
    if stage is StepStage.DO and told.answer and told.pupil is not None:
        return verdict(words, Tone.QUESTION, say(told.spoken), hint=say("lessons.alone.forward"), tag=tag)
    if stage is StepStage.DO:
        return None
    if stage is StepStage.SETUP and told.pupil is not None:
        return verdict(words, Tone.READY, say("lessons.alone.set_up"), tag=tag)
    if stage is StepStage.SETUP and told.remedies == ():
        hint = say("lessons.said.take" if any(hand for _, hand in told.hands.items()) else "lessons.said.ready")
        return verdict(words, Tone.READY, say("lessons.said.stands"), hint=hint, tag=tag)
    if stage is StepStage.SETUP:
        headline = say("lessons.said.not_yet" if told.pressed else "lessons.said.set_up")
        return verdict(words, Tone.READY, headline, hint=say("lessons.said.as_pictured"), tag=tag)
    if stage is StepStage.BACK:
        return verdict(words, Tone.QUESTION, say("lessons.said.again"), hint=say("lessons.said.back"), tag=tag)
    if stage is StepStage.ASK:
        question = say(f"lessons.{told.lesson.id}.{told.step.id}.do")
        return verdict(words, Tone.QUESTION, question, hint=say("lessons.said.answer"), tag=tag)
    if told.reply is not None and not told.reply.right:
        return verdict(words, Tone.QUESTION, say("lessons.said.better"), hint=say("lessons.said.go_on"), tag=tag)
    if stage is StepStage.WHY:
        praise = say(f"lessons.praise.{told.praise}") if told.praise else say("lessons.said.right")
        return verdict(words, Tone.LEGAL, praise, hint=say("lessons.said.go_on"), tag=tag)
    return verdict(words, Tone.WON, say("lessons.said.done"), hint=say("lessons.said.go_on"), tag=tag)


TAG: Final = "lessons.said.tag"
PUZZLE_TAG: Final = "lessons.said.puzzle_tag"


def task_text(words: Words, told: Telling) -> str:
    """The one turn that is asked for now; empty where none is, or any."""
    if told.stage is not StepStage.DO or isinstance(told.step, PracticeRound):
        return ""
    if told.puzzle is not None:
        return puzzle_text(words, told.puzzle).task
    return _task(words, told)


def _task(words: Words, told: Telling) -> str:
    """What is to be done or answered at this step; where the teacher does it, only that it is looked on."""
    if told.looks_on:
        return words.say("lessons.alone.watch")
    return words.say(f"lessons.{told.lesson.id}.{told.step.id}.do")


def task_pictured(told: Telling) -> tuple[Remedy, ...]:
    """The turn that is asked for as things to do; none where it is to be found out, or to be shown as known."""
    step, side = told.step, told.state.to_act
    if told.stage is not StepStage.DO or told.puzzle is not None or told.proving or not isinstance(step, Step):
        return ()
    if told.looks_on:
        return ()
    if side is None or step.finds or step.wanted.event != TurnEvent.name:
        return ()
    laid = [
        Remedy(RemedyKind.LAY_CARDS, value=value, count=len(tuple(same))) for value, same in groupby(step.deed.values)
    ]
    if not step.deed.forward:
        return tuple(laid)
    space = told.state.spaces[side] + side.forward * step.deed.forward
    return (*laid, Remedy(RemedyKind.MOVE_FIGURE, side=side, space=space))


def task_end(words: Words, told: Telling) -> str:
    """Whose button ends the turn that is asked for; empty where the task says it itself, or nobody has to press.

    In a practice round where nobody has learned to parry, what becomes of an attack.
    """
    step, side = told.step, told.state.to_act
    if isinstance(step, PracticeRound):
        hit = told.stage is StepStage.DO and "parry" in step.without and told.state.attack is not None
        return words.say("lessons.practice.no_parry", side=side_name(words, side)) if hit else ""
    gives_up = isinstance(step, Step) and step.wanted.event == YieldEvent.name
    if side is None or gives_up or told.looks_on or not task_text(words, told):
        return ""
    return words.say("lessons.said.asked", side=side_name(words, side))


def _set_up(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield from _goal(words, told)
    if told.pupil is None:
        yield from _stands(words, told)
    elif told.place == 0:
        yield PanelLine(words.say("lessons.alone.minutes", count=told.lesson.minutes))


def _stands(words: Words, told: Telling) -> Iterator[PanelLine]:
    wrong = Mark.BAD if told.pressed else Mark.NOW
    kinds = None if told.remedies is None else {remedy.kind for remedy in told.remedies}
    moved = kinds is None or RemedyKind.MOVE_FIGURE in kinds
    cards = kinds is None or RemedyKind.CLEAR_CARDS in kinds
    spaces = told.state.spaces
    figures = words.say("lessons.said.figures", white=spaces.white, black=spaces.black)
    yield PanelLine(figures, wrong if moved else Mark.GOOD, stands=True)
    if not _loose(told):
        yield PanelLine(words.say("lessons.said.no_cards"), wrong if cards else Mark.GOOD)
    elif kinds is not None and cards:  # no pile lies anywhere: it is told where cards do lie
        yield PanelLine(words.say("lessons.said.clear"), wrong)
    yield from _taken(words, told)
    if isinstance(told.step, PracticeRound):
        yield PanelLine(words.say("lessons.said.deal"), Mark.NOW)
    if told.state.phase is Phase.TURN and told.state.pile <= FEW:
        yield PanelLine(words.say("lessons.said.pile", count=told.state.pile), Mark.NOW)


def _goal(words: Words, told: Telling) -> Iterator[PanelLine]:
    if told.place == 0 and told.puzzle is None:
        yield PanelLine(words.say(f"lessons.{told.lesson.id}.goal"))


def _taken(words: Words, told: Telling) -> Iterator[PanelLine]:
    for side, hand in told.hands.items():
        if hand:
            yield PanelLine(
                words.say("lessons.said.hand", count=len(hand), side=side_name(words, side)), Mark.NOW, lettered(hand)
            )


def _do(words: Words, told: Telling) -> Iterator[PanelLine]:
    if told.pupil is None:
        yield from _answered(words, told)  # alone the band says it, and nothing else twice
    elif told.pupil is not (told.lesson.pupil(told.place - 1) if told.place else Side.WHITE):
        yield PanelLine(words.say(f"lessons.alone.{told.pupil.value}"))
    yield PanelLine(_task(words, told), Mark.NOW)
    if isinstance(told.step, PracticeRound) or told.looks_on:
        return
    if told.proving and not told.tries:
        yield PanelLine(words.say("lessons.said.proving"))
    yield from _hints(words, told)
    side = told.state.to_act
    if told.pupil is not None:
        return
    for each, hand in told.hands.items():
        acts = each is side and not _all_laid(told, hand)
        if hand and (acts or told.state.phase is Phase.REVEAL):
            yield PanelLine(words.say("lessons.said.holds", side=side_name(words, each)), cards=lettered(hand))
    if isinstance(told.step, Step) and told.step.wanted.event == RoundEvent.name:
        yield PanelLine(words.say("lessons.with.deal"))
        yield PanelLine(words.say("lessons.said.back"))
    job = "" if told.proving else _job(told)
    if side is not None and job:
        yield PanelLine(words.say(f"lessons.with.{job}", side=side_name(words, side.other)))


def _all_laid(told: Telling, hand: tuple[int, ...]) -> bool:
    """Whether the task, which names these cards, asks for all of them: to name them once more only delays the deed."""
    step = told.step
    if not isinstance(step, Step) or step.finds or told.proving:
        return False
    return sorted(step.deed.values) == sorted(hand)


def _job(told: Telling) -> str:
    """What the one who is not to act does meanwhile, as ``lessons.with`` names it."""
    step = told.step
    if not isinstance(step, Step) or step.wanted.event not in (TurnEvent.name, YieldEvent.name):
        return ""
    if step.wanted.event == YieldEvent.name:
        return "give_up"
    if step.counts:
        return "count"
    if told.state.attack is not None:
        return "answer"
    return "move" if _kind(step) in (ActionKind.ADVANCE.value, ActionKind.RETREAT.value) else "attack"


def _kind(step: Step) -> str:
    if step.wanted.parried:
        return "parry"
    return step.wanted.actions[0].value if step.wanted.actions else step.wanted.event


def _hints(words: Words, told: Telling) -> Iterator[PanelLine]:
    """More and more help, the more tries went wrong: what kind of deed it is, its cards, and at last all of it."""
    step = told.step
    if not isinstance(step, Step) or step.wanted.event == RoundEvent.name or told.tries < GENERAL_HINT:
        return
    yield PanelLine(words.say(f"lessons.hint.{_kind(step)}", distance=told.state.distance))
    side = told.state.to_act
    if not step.deed.values or side is None or told.tries < CARDS_SHOWN:
        return
    cards = lettered(step.deed.values)
    if told.tries < SOLVED:
        yield PanelLine(words.say("lessons.hint.cards", count=len(cards)), cards=cards)
        return
    solution = words.say("lessons.hint.solution_stay", count=len(cards))
    if step.deed.forward:
        space = told.state.spaces[side] + side.forward * step.deed.forward
        solution = words.say("lessons.hint.solution", count=len(cards), space=space)
    yield PanelLine(solution, Mark.NOW, cards)


def _back(words: Words, told: Telling) -> Iterator[PanelLine]:
    yield from _answered(words, told)
    yield from _hints(words, told)
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
    if told.pupil is not None:
        return
    reads = Side.BLACK if told.place % 2 else Side.WHITE  # the two take turns, so that both have something to do
    names = {"side": side_name(words, reads), "opponent": side_name(words, reads.other)}
    yield PanelLine(words.say("lessons.with.ask", **names))


def _why(words: Words, told: Telling) -> Iterator[PanelLine]:
    if isinstance(told.step, PracticeRound):
        yield PanelLine(_won(words, told), Mark.GOOD)
    yield PanelLine(words.say(f"lessons.{told.lesson.id}.{told.step.id}.why"), Mark.GOOD)
    if isinstance(told.step, PracticeRound):
        yield PanelLine(words.say("lessons.practice.again"))
    elif told.proving and told.tries:
        yield PanelLine(words.say("lessons.said.whole"), Mark.NOW)
    elif told.row >= FEW_IN_A_ROW:
        yield PanelLine(capital(words, "lessons.said.row", count=told.row))


def _won(words: Words, told: Telling) -> str:
    winner = None if told.state.result is None else told.state.result.winner
    if winner is None:
        return words.say("lessons.practice.level")
    return words.say("lessons.practice.won", side=side_name(words, winner))


def _done(words: Words, told: Telling) -> Iterator[PanelLine]:
    if told.pupil is not None and told.number == len(CLASSIC):
        yield PanelLine(words.say("lessons.said.stars", count=told.stars), Mark.GOOD)
        yield PanelLine(words.say("lessons.alone.game"), Mark.NOW)
        return
    if told.following is not None:
        yield PanelLine(words.say("lessons.said.learned", title=lesson_title(words, told.lesson.id)), Mark.GOOD)
    yield PanelLine(words.say("lessons.said.stars", count=told.stars))
    if told.following is not None:
        following = lesson_title(words, told.following.id)
        yield PanelLine(words.say("lessons.said.next", title=following), Mark.NOW)
    else:
        yield PanelLine(words.say("lessons.said.all_done"), Mark.NOW)
        yield PanelLine(words.say("lessons.said.certificate"))
    yield PanelLine(words.say("lessons.said.leave"))


_LINES: Final[Mapping[StepStage, Callable[[Words, Telling], Iterator[PanelLine]]]] = {
    StepStage.SETUP: _set_up,
    StepStage.DO: _do,
    StepStage.BACK: _back,
    StepStage.ASK: _ask,
    StepStage.WHY: _why,
    StepStage.DONE: _done,
}


def _solve(words: Words, told: Telling, puzzle: Puzzle) -> Iterator[PanelLine]:
    asked = puzzle_text(words, puzzle)
    yield PanelLine(asked.task, Mark.NOW)
    yield from (PanelLine(line) for line in (asked.hint, asked.played) if line)
    for side, hand in told.hands.items():
        if hand:
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


_PUZZLE_LINES: Final[Mapping[StepStage, Callable[[Words, Telling, Puzzle], Iterator[PanelLine]]]] = {
    StepStage.SETUP: lambda words, told, _: _stands(words, told),
    StepStage.DO: _solve,
    StepStage.WHY: _solved,
}


def occasion_panel(words: Words, occasion: Occasion, state: PublicState) -> PanelView:
    """What this state is the first example of: the lesson's title and one sentence, with the players' names."""
    acts = state.to_act
    if state.result is not None and state.result.winner is not None:
        acts = state.result.winner.other
    facts = {"side": side_name(words, acts), "opponent": side_name(words, acts.other if acts is not None else None)}
    sentence = words.say(f"lessons.met.{occasion.value}", **facts)
    title = words.say("lessons.met.title", title=lesson_title(words, occasion.lesson))
    return PanelView(title, (PanelLine(sentence),))
