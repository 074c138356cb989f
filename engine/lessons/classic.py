"""The lessons of the classic game: a touch, moving, distance, the direct attack, its strength, the parry."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.lessons.lesson import Deed, Lesson, Mistake, Position, PracticeRound, Sign, Step, Threat, Values
from engine.rules.rulesets import FERTI_CLASSIC
from engine.rules.rulings import ActionKind, RulingCode
from engine.rules.state import AttackKind, Phase
from engine.rules.track import BySide, Side

ADVANCE, RETREAT, DIRECT = ActionKind.ADVANCE, ActionKind.RETREAT, ActionKind.DIRECT_ATTACK


def _classic(
    white: int, black: int, to_act: Side = Side.WHITE, w: Values = (), b: Values = (), pile: int = 12
) -> Position:
    return Position(white, black, to_act, BySide(w, b), pile, rules=FERTI_CLASSIC)


FIRST: Final = Lesson(
    "first",
    (
        Step(
            "touch",
            ("direct",),
            Sign(actions=(DIRECT,), laid=3),
            Deed((4, 4, 4)),
            (
                Mistake("fewer", Sign(actions=(DIRECT,)), Deed((4, 4))),
                Mistake("walk", Sign(codes=(RulingCode.TOO_MANY_CARDS, RulingCode.WRONG_DISTANCE)), Deed((4,), 3)),
            ),
            _classic(9, 13, w=(4, 4, 4)),
        ),
        Step(
            "back",
            ("direct", "points"),
            Sign(actions=(DIRECT,), laid=3),
            Deed((3, 3, 3)),
            (Mistake("fewer", Sign(actions=(DIRECT,)), Deed((3, 3))),),
            replace(_classic(9, 12, Side.BLACK, b=(3, 3, 3)), score=BySide(1, 0), round=2, starter=Side.BLACK),
            shown=True,
        ),
        Step(
            "deal",
            ("deck", "piste"),
            Sign("round"),
            Deed(),
            position=Position(
                9, 12, phase=Phase.ROUND_OVER, rules=FERTI_CLASSIC, score=BySide(1, 1), round=2, starter=Side.BLACK
            ),
            shown=True,
        ),
    ),
    shown_by="touch",
)

MOVING: Final = Lesson(
    "moving",
    (
        Step(
            "advance",
            ("piste", "move", "refill", "ruling 14", "ruling 15"),
            Sign(actions=(ADVANCE,), forward=3),
            Deed((3,), 3),
            (
                Mistake(
                    "two_cards",
                    Sign(codes=(RulingCode.WRONG_DISTANCE, RulingCode.TOO_MANY_CARDS), laid=2),
                    Deed((3, 2), 5),
                ),
                Mistake("wrong_number", Sign(codes=(RulingCode.WRONG_DISTANCE,)), Deed((3,), 2)),
                Mistake("no_card", Sign(codes=(RulingCode.NO_CARDS,), forward=3), Deed((), 3)),
                Mistake("other_fencer", Sign(codes=(RulingCode.OPPONENT_MOVED,)), Deed((3,), 0, 3)),
            ),
            _classic(1, 23, w=(3, 2, 5), b=(4, 1), pile=15),
        ),
        Step(
            "black",
            ("move",),
            Sign(actions=(ADVANCE,)),
            Deed((4,), 4),
            (Mistake("wrong_number", Sign(codes=(RulingCode.WRONG_DISTANCE,)), Deed((4,), 3)),),
            finds=True,
            shown=True,
        ),
        Step(
            "back",
            ("move",),
            Sign(actions=(RETREAT,), forward=-2),
            Deed((2,), -2),
            (Mistake("forward", Sign(actions=(ADVANCE,)), Deed((2,), 2)),),
        ),
    ),
)

ENDS: Final = Lesson(
    "ends",
    (
        Step(
            "edge",
            ("bounds", "piste"),
            Sign(actions=(RETREAT,), forward=-2),
            Deed((2,), -2),
            (
                Mistake("five", Sign(codes=(RulingCode.WRONG_DISTANCE,), values=(5,)), Deed((5,), -2)),
                Mistake("forward", Sign(actions=(ADVANCE,)), Deed((2,), 2)),
            ),
            _classic(3, 15, w=(2, 5)),
            finds=True,
        ),
        Step(
            "opponent",
            ("bounds",),
            Sign(actions=(ADVANCE,), forward=2),
            Deed((2,), 2),
            (
                Mistake("passed", Sign(codes=(RulingCode.PASSED_OPPONENT,)), Deed((4,), 4)),
                Mistake("short", Sign(codes=(RulingCode.WRONG_DISTANCE,)), Deed((4,), 2)),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((4,), -4)),
            ),
            _classic(10, 13, Side.BLACK, b=(2, 4, 5)),
            finds=True,
        ),
    ),
)

DISTANCE: Final = Lesson(
    "distance",
    (
        Step(
            "count",
            ("distance",),
            Sign(actions=(DIRECT,)),
            Deed((5,)),
            (
                Mistake("gaps", Sign(codes=(RulingCode.ATTACK_VALUE,)), Deed((4,))),
                Mistake("walk", Sign(actions=(ADVANCE, RETREAT)), Deed((4,), 4)),
            ),
            _classic(8, 13, Side.BLACK, b=(4, 5)),
            finds=True,
            counts=True,
        ),
        Step(
            "measure",
            ("distance",),
            Sign(actions=(ADVANCE,), forward=3),
            Deed((3,), 3),
            (
                Mistake("gaps", Sign(actions=(ADVANCE,), forward=2), Deed((2,), 2)),
                Mistake("near", Sign(actions=(ADVANCE,), forward=4), Deed((4,), 4)),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((2,), -2)),
            ),
            _classic(5, 13, w=(2, 3, 4)),
            finds=True,
        ),
    ),
)

ATTACK: Final = Lesson(
    "attack",
    (
        Step(
            "attack",
            ("direct",),
            Sign(actions=(DIRECT,)),
            Deed((5,)),
            (
                Mistake("step", Sign(actions=(ADVANCE,)), Deed((3,), 3)),
                Mistake("wrong_card", Sign(codes=(RulingCode.ATTACK_VALUE,)), Deed((3,))),
                Mistake("walk", Sign(codes=(RulingCode.WRONG_DISTANCE,), values=(5,)), Deed((5,), 4)),
            ),
            _classic(8, 13, w=(5, 3), b=(4, 2, 1)),
        ),
        Step(
            "hit",
            ("hit", "ruling 5"),
            Sign("yield"),
            Deed(gives_up=True),
            (
                Mistake("sum", Sign(codes=(RulingCode.MUST_PARRY,), forward=0), Deed((4, 1))),
                Mistake("move", Sign(codes=(RulingCode.MUST_PARRY,)), Deed((2,), -2)),
            ),
            shown=True,
        ),
        PracticeRound(
            "play",
            ("hit", "refill"),
            _classic(1, 23, pile=15),
            (
                Deed((3,), 3),
                Deed((4,), 4),
                Deed((5,), 5),
                Deed((3,), 3),
                Deed((2,), 2),
                Deed((5,)),
                Deed(gives_up=True),
            ),
            ("parry", "end"),
        ),
    ),
)

STRENGTH: Final = Lesson(
    "strength",
    (
        Step(
            "two",
            ("direct",),
            Sign(actions=(DIRECT,), laid=2),
            Deed((2, 2)),
            (
                Mistake("one", Sign(actions=(DIRECT,), laid=1), Deed((2,))),
                Mistake("mixed", Sign(codes=(RulingCode.MIXED_VALUES, RulingCode.ATTACK_VALUE)), Deed((2, 4))),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((4,), -4)),
            ),
            _classic(10, 12, w=(2, 2, 4)),
        ),
        Step(
            "proof",
            ("ruling 6", "ruling 13"),
            Sign(actions=(DIRECT,), laid=3),
            Deed((5, 5, 5)),
            (
                Mistake("fewer", Sign(actions=(DIRECT,)), Deed((5, 5))),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((5,), -5)),
            ),
            _classic(9, 14, Side.BLACK, b=(5, 5, 5)),
        ),
    ),
)

PARRY: Final = Lesson(
    "parry",
    (
        Step(
            "attack",
            ("direct",),
            Sign(actions=(DIRECT,), laid=2),
            Deed((3, 3)),
            (Mistake("one", Sign(actions=(DIRECT,), laid=1), Deed((3,))),),
            _classic(10, 13, w=(3, 3), b=(3, 3, 2, 5)),
            shown=True,
        ),
        Step(
            "parry",
            ("parry", "ruling 7"),
            Sign(parried=True),
            Deed((3, 3, 2), 2),
            (
                Mistake("only", Sign(codes=(RulingCode.NO_ACTION_AFTER_PARRY,)), Deed((3, 3))),
                Mistake("short", Sign(codes=(RulingCode.MUST_PARRY,), forward=0), Deed((3,))),
                Mistake("run", Sign(codes=(RulingCode.MUST_PARRY,)), Deed((5,), -5)),
            ),
        ),
    ),
)

COUNTER: Final = Lesson(
    "counter",
    (
        Step(
            "riposte",
            ("parry", "direct"),
            Sign(actions=(DIRECT,), parried=True),
            Deed((2, 2)),
            (
                Mistake("only", Sign(codes=(RulingCode.NO_ACTION_AFTER_PARRY,)), Deed((2,))),
                Mistake("back", Sign(actions=(RETREAT,), parried=True), Deed((2, 5), -5)),
                Mistake("run", Sign(codes=(RulingCode.MUST_PARRY,)), Deed((5,), -5)),
            ),
            Position(
                10,
                12,
                hands=BySide((2, 2, 5), ()),
                played=(2,),
                attack=Threat(AttackKind.DIRECT, 1),
                rules=FERTI_CLASSIC,
            ),
        ),
        Step(
            "nothing_left",
            ("ruling 3",),
            Sign("yield"),
            Deed((2,), gives_up=True),
            (
                Mistake("off", Sign(codes=(RulingCode.WRONG_DISTANCE,)), Deed((2, 4), -1)),
                Mistake("passed", Sign(codes=(RulingCode.PASSED_OPPONENT,)), Deed((2, 4), 4)),
            ),
            Position(
                20,
                22,
                Side.BLACK,
                BySide((), (2, 4, 5)),
                played=(2,),
                attack=Threat(AttackKind.DIRECT, 1),
                rules=FERTI_CLASSIC,
            ),
        ),
        PracticeRound(
            "play",
            ("parry", "hit"),
            _classic(1, 23, pile=15),
            (
                Deed((3,), 3),
                Deed((4,), 4),
                Deed((4,), 4),
                Deed((3,), 3),
                Deed((3,), 3),
                Deed((5,)),
                Deed((5, 1), 1),
                Deed((4,)),
                Deed(gives_up=True),
            ),
            ("end",),
        ),
    ),
    shown_by="riposte",
)

CLASSIC: Final = (FIRST, MOVING, ENDS, DISTANCE, ATTACK, STRENGTH, PARRY, COUNTER)
