"""Lessons, puzzles on the board, the companion, and registering, in one language: for people to look at, and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from display.i18n import words
from display.view import NO_NAMES, Helped, Situation, TableSituation
from display.words.companion import companion_panel, companion_verdict, registering_panel, registering_verdict
from display.words.lessons import lesson_panel, lesson_verdict, occasion_panel, task_end, task_text
from display.words.sentences import shown_name, side_name, words_for
from engine.companion.backs import CardShown, DeckBacks, Registration
from engine.companion.companion import Asked, CompanionWish, Plan, Strange, TurnProgress, name_of
from engine.lessons.lesson import LESSONS, PUZZLE, WRONG, Position, PracticeRound, Question, StepStage, Telling
from engine.lessons.occasions import Occasion
from engine.lessons.positions import state_of
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, judge_answer
from engine.rules.cards import DECK, HAND_SIZE, Card
from engine.rules.legal import Play, Turn, counts_of, legal_plays
from engine.rules.rulings import Remedy, RemedyKind
from engine.rules.track import BySide, Side
from tests.display.showcase import CLOSE, NAMES, play, situations, table

_PLAN: Final = Plan((), Turn((), Card(1, "a"), (Card(4, "b"), Card(4, "c"))), (1, 3, 4), BySide(9, 13))
_ASTRAY: Final = BySide(4, 20)
"""Where the fencers stand that nobody has put in place: on none of the spaces that are asked for."""


def lesson_situations(language: str) -> Mapping[str, Situation]:
    """Every stage of a lesson and of a puzzle, what the companion asks for, and what is said of a back, by name."""
    made: dict[str, Situation] = {}
    for name, told in _lessons().items():
        made[f"lesson_{name}"] = _taught(told, language)
    for name, told in _puzzles().items():
        made[f"puzzle_{name}"] = _taught(told, language)
    for name, asked in _asked().items():
        made[f"companion_{name}"] = _with_companion(asked, language, None)
    misplaced = TurnProgress(_PLAN.cards[:2], _PLAN.cards[2:], (Card(5, "e"),), 13, 12, done=False)
    made["companion_otherwise"] = _with_companion(_asked()["turn"], language, misplaced)
    for said in CardShown:
        made[f"register_{said.value}"] = _registered(said, language)
    for occasion in Occasion:
        made[f"met_{occasion.value}"] = _met(occasion, language)
    return made


def _met(occasion: Occasion, language: str) -> Situation:
    """The first example of something, in a match."""
    shown = situations()["round"]
    assert shown.state is not None
    panel = occasion_panel(words_for(language, NAMES), occasion, shown.state)
    return replace(shown, language=language, helped=Helped(panel=panel))


def _lessons() -> Mapping[str, Telling]:
    """The longest of the lessons' words at every stage."""
    told: dict[str, Telling] = {}
    for number, lesson in enumerate(LESSONS, start=1):
        position: Position | None = None
        following = LESSONS[number] if number < len(LESSONS) else None
        for place, step in enumerate(lesson.steps):
            position = step.position or position
            assert position is not None
            to_set_up = _to_set_up(state_of(position).spaces)
            first = Telling(
                lesson,
                number,
                len(LESSONS),
                place,
                StepStage.SETUP,
                state_of(position),
                position.hands,
                following=following,
            )
            if isinstance(step, Question):
                told.setdefault("ask", replace(first, stage=StepStage.ASK))
                told.setdefault("ask_wrong", replace(first, stage=StepStage.ASK, answer=WRONG))
                continue
            if isinstance(step, PracticeRound):
                told.setdefault("practice_setup", first)
                told.setdefault("practice", replace(first, stage=StepStage.DO))
                told.setdefault("practice_why", replace(first, stage=StepStage.WHY, praise="practice"))
                continue
            if step.mistakes and place == 0:
                told["setup"] = replace(first, remedies=to_set_up)
                told["not_yet"] = replace(first, remedies=to_set_up, pressed=True)
                told["stands"] = replace(first, remedies=())
                told["do"] = replace(first, stage=StepStage.DO)
                told["mistake"] = replace(first, stage=StepStage.DO, answer=step.mistakes[0].name)
                told["back"] = replace(
                    first, stage=StepStage.BACK, answer=step.mistakes[0].name, remedies=to_set_up[:2]
                )
                told["hints"] = replace(first, stage=StepStage.DO, answer=step.mistakes[0].name, tries=4)
                told["why"] = replace(first, stage=StepStage.WHY, praise="advance", row=4)
            told["done" if following else "all_done"] = replace(first, stage=StepStage.DONE)
    return told


def _to_set_up(spaces: BySide[int]) -> tuple[Remedy, ...]:
    """What is to be done before the fencers stand there and no card lies on the table."""
    figures = (Remedy(RemedyKind.MOVE_FIGURE, side=side, space=spaces[side]) for side in Side)
    return (*figures, Remedy(RemedyKind.CLEAR_CARDS, count=3))


def _puzzles() -> Mapping[str, Telling]:
    """An easy puzzle at every stage; the hardest one answered wrong."""
    told: dict[str, Telling] = {}
    for name, puzzle in (("easy", PUZZLES[0]), ("hard", PUZZLES[-1])):
        hands = puzzle.hands.map(lambda hand: tuple(card.value for card in hand))
        number = PUZZLES.index(puzzle) + 1
        first = Telling(PUZZLE, number, len(PUZZLES), 0, StepStage.SETUP, puzzle.public, hands, puzzle=puzzle)
        best = judge_answer(puzzle, _plays(puzzle)[0]).best
        worse = next((play for play in _plays(puzzle) if not judge_answer(puzzle, play).right), best)
        told[f"{name}_setup"] = replace(first, remedies=_to_set_up(puzzle.public.spaces))
        told[f"{name}_do"] = replace(first, stage=StepStage.DO)
        told[f"{name}_right"] = replace(first, stage=StepStage.WHY, reply=judge_answer(puzzle, best))
        told[f"{name}_wrong"] = replace(first, stage=StepStage.WHY, reply=judge_answer(puzzle, worse))
    return told


def _plays(puzzle: Puzzle) -> tuple[Play, ...]:
    return legal_plays(puzzle.public, counts_of(puzzle.hand(puzzle.side)))


def _taught(told: Telling, language: str) -> Situation:
    say = words(language)
    spaces = _ASTRAY if told.remedies else told.state.spaces
    return replace(
        situations()["round"],
        language=language,
        state=told.state,
        names=NO_NAMES,
        table=replace(
            situations()["round"].table, observation=table(spaces.white, spaces.black), remedies=told.remedies or ()
        ),
        helped=replace(
            situations()["round"].helped,
            panel=lesson_panel(say, told),
            verdict=lesson_verdict(say, told),
            asked=task_text(say, told),
            asked_end=task_end(say, told),
        ),
    )


def _asked() -> Mapping[str, Asked]:
    return {
        "deal": Asked(CompanionWish.DEAL, (2, 3, 5), 3),
        "too_many": Asked(CompanionWish.TOO_MANY, (1, 2, 3, 4, 5), 1),
        "strange": Asked(CompanionWish.STRANGE, (2, 4), 2, strange=Strange.UNKNOWN),
        "thinking": Asked(CompanionWish.THINKING),
        "turn": Asked(CompanionWish.TURN, _PLAN.slots, len(_PLAN.cards), _PLAN),
        "your_turn": Asked(CompanionWish.YOUR_TURN),
        "reveal": Asked(CompanionWish.REVEAL, (1, 2, 3), 5),
    }


def _with_companion(asked: Asked, language: str, progress: TurnProgress | None) -> Situation:
    say, side = words(language), Side.BLACK
    state, ruling = play(*CLOSE)
    name = name_of("maestro")
    title = say.say("companion.title", name=shown_name(say, side, name), side=side_name(say, side))
    return Situation(
        state,
        ruling,
        language=language,
        verdict_age_s=9.0,
        names=NAMES.put(side, name),
        table=TableSituation(observation=table(9, 14)),
        helped=Helped(
            panel=companion_panel(
                say, title, asked, side, progress, _PLAN if progress is not None else None, _held(asked)
            ),
            verdict=companion_verdict(say, asked, side, progress, by_button=True),
        ),
    )


def _held(asked: Asked) -> tuple[bool, ...]:
    """Which slots hold a card: all but those that one is asked for."""
    return tuple(
        asked.wish is not CompanionWish.DEAL or number not in asked.slots for number in range(1, HAND_SIZE + 1)
    )


def _registered(said: CardShown, language: str) -> Situation:
    say = words(language)
    backs = DeckBacks("A")
    for card in DECK[: 25 if said is CardShown.REGISTERED else 12]:
        backs = backs.with_back(card, f"AAAA{card.value}{card.letter.upper()}")
    registration = Registration(backs, said=said, card=Card(3, "b"), other=Card(4, "a"))
    return Situation(
        None,
        language=language,
        names=NO_NAMES,
        table=TableSituation(observation=table(1, 23)),
        helped=Helped(
            panel=registering_panel(say, registration, leaves=True), verdict=registering_verdict(say, registration)
        ),
    )
