"""Lessons: steps with a position, something to do at it, and an answer to each likely mistake.

Words are found by key in the catalogues: ``lessons.LESSON.title`` and ``.goal``; of a step ``lessons.LESSON.STEP.do``
and ``.why``, and ``.MISTAKE`` for each of its mistakes; of a question ``.do`` asks it, ``.white`` and ``.black`` are
the two answers, ``.wrong`` answers the wrong one; of a practice round ``.do`` says what may be played in it, and
``.NAME`` answers what was not learned yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from math import ceil
from operator import attrgetter
from types import MappingProxyType
from typing import Annotated, Final

from engine.puzzles.puzzle import Answer, Puzzle
from engine.rules.rulesets import DEFAULT_POINTS, FERTI_ADVANCED, RULE_SETS, RuleSet
from engine.rules.rulings import ActionKind, Remedy, RulingCode
from engine.rules.state import AttackKind, Phase, PublicState
from engine.rules.track import BySide, Side
from engine.strict.text import toml_of
from engine.strict.values import Converter, OneOf, read

Values = tuple[int, ...]
"""Values of cards; their letters do not matter."""
NO_HANDS: Final[BySide[Values]] = BySide((), ())
NO_POINTS: Final = BySide(0, 0)


@dataclass(frozen=True, slots=True)
class Threat:
    """An attack that waits for its answer, with ``count`` cards of the distance."""

    kind: AttackKind
    count: int


@dataclass(frozen=True, slots=True)
class Position:
    """Where a step begins. ``hands`` are the cards the players are to take, by value: those that matter.

    ``pile`` is how many cards are left in it. ``played`` are the values that are gone, an attack's cards among them;
    more of other values are gone with them, until 25 add up. Hands count as full although fewer cards are named, but
    those to be shown are exactly these. ``phase`` is TURN, FINAL, REVEAL or ROUND_OVER, which the starter has won.
    """

    white: int
    black: int
    to_act: Side = Side.WHITE
    hands: BySide[Values] = NO_HANDS
    pile: int = 12
    played: Values = ()
    attack: Threat | None = None
    phase: Phase = Phase.TURN
    rules: Annotated[RuleSet, Converter(RULE_SETS.__getitem__, attrgetter("name"), "a preset")] = FERTI_ADVANCED
    score: BySide[int] = NO_POINTS
    points: int = DEFAULT_POINTS
    round: int = 1
    starter: Side = Side.WHITE


@dataclass(frozen=True, slots=True)
class Deed:
    """The cards a player lays and the spaces forward: of their own fencer (negative: back) and, by mistake, the other.

    ``gives_up``: a second press with nothing changed. Where hands are shown they are those of the position,
    unless ``values`` says which cards White shows.
    """

    values: Values = ()
    forward: int = 0
    other: int = 0
    gives_up: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """By which a deed is known, once the referee has ruled on it; what is None or empty does not matter.

    ``codes``: it was refused for one of these, else it was accepted. ``forward`` is how far the player's own fencer
    went, ``values`` are the cards laid, in any order, ``laid`` how many.
    """

    event: Annotated[str, OneOf(("turn", "yield", "reveal", "round"))] = "turn"
    codes: tuple[RulingCode, ...] = ()
    actions: tuple[ActionKind, ...] = ()
    parried: bool | None = None
    forward: int | None = None
    values: Values | None = None
    laid: int | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A likely mistake: the last part of its answer's key, how it is known, and one deed that makes it."""

    name: str
    sign: Sign
    deed: Deed


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do. ``position`` None: it goes on from where the step before ended.

    ``wanted`` is what counts as done, ``deed`` one way to do it. ``shown``: a single pupil looks on, and the teacher
    does it. ``finds``: the player has to find out what to do, so it is not pictured; ``counts``: and how far apart the
    fencers are, so that is not shown either.
    """

    id: str
    rules: tuple[str, ...]
    wanted: Sign
    deed: Deed
    mistakes: tuple[Mistake, ...] = ()
    position: Position | None = None
    finds: bool = False
    counts: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Something to know, answered by White's button or by Black's; ``right`` is the one that is right.

    ``position`` is shown on the screen, and nothing has to be set up; None: as the step before left it.
    """

    id: str
    rules: tuple[str, ...]
    right: Side
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class PracticeRound:
    """A round to play with what was learned so far. ``without`` names what was not: ``parry``, or ``end``.

    Parries are put back and answered then, and with the last card of the pile it is over, with no winner.
    ``deeds`` are one way it may go, turn by turn.
    """

    id: str
    rules: tuple[str, ...]
    position: Position
    deeds: tuple[Deed, ...]
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A short lesson. Its first step has a position.

    ``shown_by``: the step, with a position of its own, at which somebody shows that they know the lesson's matter,
    with the deeds that go on from it; empty: the last deed that has one.
    """

    id: str
    steps: tuple[Step | Question | PracticeRound, ...]
    shown_by: str = ""

    @property
    def proof(self) -> int | None:
        """The place of the step that shows it; None where no deed can be set up."""
        places = [at for at, step in enumerate(self.steps) if isinstance(step, Step) and step.position is not None]
        named = [at for at in places if self.steps[at].id == self.shown_by]
        return next(iter(named or reversed(places)), None)

    @property
    def minutes(self) -> int:
        """How long it takes somebody alone, about: half a minute a step, and a minute more for a round."""
        rounds = sum(isinstance(step, PracticeRound) for step in self.steps)
        return max(2, min(3, ceil(len(self.steps) / 2 + rounds)))

    def pupil(self, place: int) -> Side:
        """The seat of a single pupil: the side that does this step, opposite the side that shows it."""
        pupil = acts = Side.WHITE
        for step in self.steps[: place + 1]:
            position = step.position
            acts = acts.other if position is None else position.to_act
            if not isinstance(step, Step):
                pupil = Side.WHITE
            elif position is None or position.phase in (Phase.TURN, Phase.FINAL):
                pupil = acts.other if step.shown else acts
        return pupil

    @property
    def rules(self) -> frozenset[str]:
        """The rules it teaches, by the names that ``tests/engine/lessons/test_lessons.py`` has for them."""
        return frozenset(rule for step in self.steps for rule in step.rules)


PUZZLE: Final = Lesson("puzzle", (Step("solve", (), Sign(), Deed()),))
"""In the place of a lesson where a puzzle is set up on the board: any turn is wanted."""
FEW_SLIPS: Final = 2
"""With no more wrong deeds than this a lesson still earns two stars."""
WRONG: Final = "wrong"
"""The name of a question's one mistake."""


class StepStage(Enum):
    """Where a step stands. Whatever a player does is judged at DO only."""

    SETUP = "setup"  # the position is set up, and the cards are taken
    DO = "do"
    BACK = "back"  # what was done is put back, to be done again
    ASK = "ask"  # a question waits for its answer
    WHY = "why"  # done: one sentence of why
    DONE = "done"  # the lesson is at its end


@dataclass(frozen=True, slots=True)
class Telling:
    """The teacher's words at one moment, as keys and values.

    ``number`` is the lesson's among ``lessons``, from 1; ``place`` the step's in it, from 0. ``answer``: the mistake
    just made, as ``outcome`` names it, empty for none. ``remedies``: what is still to be set up or put back, None while
    the eyes have not looked. ``pressed``: somebody pressed before it was. ``hands``: the cards the players hold for
    this step. ``following``: the lesson after this one, None after the last. ``puzzle`` instead of a lesson, and the
    ``reply`` to what was played in it, after which there may be ``once_more`` before the solution.

    ``tries``: how many deeds at this step were wrong. ``praise``: what was good in the right one, as ``done_well``
    names it. ``slips``: wrong deeds in this lesson so far; ``row``: steps that were right at the first try, one after
    the other until now. ``warming``: this is one of so many positions that warm up for an evening, and ``number`` says
    which. ``proving``: it is shown that this lesson is known, with nothing explained before. ``pupil`` is the side of
    whoever learns alone, while the teacher does what the other one does; None: two learn.
    """

    lesson: Lesson
    number: int
    lessons: int
    place: int
    stage: StepStage
    state: PublicState
    hands: BySide[Values]
    answer: str = ""
    remedies: tuple[Remedy, ...] | None = None
    pressed: bool = False
    following: Lesson | None = None
    puzzle: Puzzle | None = None
    once_more: bool = False
    reply: Answer | None = None
    tries: int = 0
    praise: str = ""
    slips: int = 0
    row: int = 0
    proving: bool = False
    warming: int = 0
    pupil: Side | None = None

    @property
    def looks_on(self) -> bool:
        """Whether a single pupil looks on while the teacher does the step."""
        return self.pupil is not None and isinstance(self.step, Step) and self.step.shown

    @property
    def stars(self) -> int:
        """The stars earned so far, 1 to 3: all without a wrong deed, with a few, or with many."""
        return 3 if self.slips == 0 else 2 if self.slips <= FEW_SLIPS else 1

    @property
    def step(self) -> Step | Question | PracticeRound:
        return self.lesson.steps[self.place]

    @property
    def spoken(self) -> str:
        """The key of what a voice says of this."""
        at = f"lessons.{self.lesson.id}"
        if self.stage is StepStage.DONE:
            return "lessons.said.done"
        if self.answer:
            return (
                f"lessons.{self.answer}" if self.answer.startswith("common.") else f"{at}.{self.step.id}.{self.answer}"
            )
        if self.stage is StepStage.SETUP:
            return f"{at}.goal" if self.place == 0 else "lessons.said.set_up"
        return f"{at}.{self.step.id}.{'why' if self.stage is StepStage.WHY else 'do'}"


# All lessons, in the order in which they are best taken: first the classic game, then the advanced one.


def _lessons(file: str) -> tuple[Lesson, ...]:
    return read(tuple[Lesson, ...], toml_of(files(__package__).joinpath(file).read_bytes())["lessons"])


CLASSIC: Final = _lessons("classic.toml")
LESSONS: Final = (*CLASSIC, *_lessons("advanced.toml"))
LESSON_BY_ID: Final = MappingProxyType({lesson.id: lesson for lesson in LESSONS})
