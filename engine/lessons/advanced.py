"""The lessons of the advanced game, and of how rounds end: indirect attacks, being stuck, the last card, the match."""

from __future__ import annotations

from typing import Final

from engine.lessons.lesson import Deed, Lesson, Mistake, Position, PracticeRound, Question, Sign, Step, Threat
from engine.rules.rulesets import FERTI_CLASSIC
from engine.rules.rulings import ActionKind, RulingCode
from engine.rules.state import AttackKind, Phase
from engine.rules.track import BySide, Side

ADVANCE, RETREAT = ActionKind.ADVANCE, ActionKind.RETREAT
DIRECT, INDIRECT = ActionKind.DIRECT_ATTACK, ActionKind.INDIRECT_ATTACK

INDIRECT_ATTACK: Final = Lesson(
    "indirect",
    (
        Step(
            "lunge",
            ("indirect",),
            Sign(actions=(INDIRECT,)),
            Deed((4, 4), 4),
            (
                Mistake("only_move", Sign(actions=(ADVANCE,)), Deed((4,), 4)),
                Mistake("two_moves", Sign(codes=(RulingCode.WRONG_DISTANCE,), laid=2), Deed((4, 3), 7)),
                Mistake("wrong_card", Sign(codes=(RulingCode.ATTACK_VALUE,)), Deed((4, 3), 4)),
            ),
            Position(8, 16, hands=BySide((4, 4, 3), ())),
        ),
        Step(
            "no_way_back",
            ("move",),
            Sign(actions=(RETREAT,), forward=-2),
            Deed((2,), -2),
            (
                Mistake("strike", Sign(codes=(RulingCode.ATTACK_AFTER_RETREAT,)), Deed((2, 5), -2)),
                Mistake("forward", Sign(actions=(ADVANCE,)), Deed((2,), 2)),
            ),
            Position(12, 15, Side.BLACK, BySide((), (2, 5))),
        ),
    ),
    shown_by="lunge",
)

FALL_BACK: Final = Lesson(
    "fall_back",
    (
        Step(
            "lunge",
            ("indirect",),
            Sign(actions=(INDIRECT,), forward=3),
            Deed((3, 4), 3),
            (Mistake("only_move", Sign(actions=(ADVANCE,)), Deed((3,), 3)),),
            Position(8, 15, hands=BySide((3, 4), (4, 1, 5))),
            shown=True,
        ),
        Step(
            "retreat",
            ("retreat",),
            Sign(actions=(RETREAT,), parried=False),
            Deed((1,), -1),
            (
                Mistake("parry", Sign(parried=True), Deed((4, 1), 1)),
                Mistake("strike", Sign(codes=(RulingCode.ATTACK_AFTER_RETREAT,)), Deed((1, 5), -1)),
                Mistake("forward", Sign(codes=(RulingCode.MUST_ANSWER,)), Deed((1,), 1)),
            ),
            finds=True,
        ),
        Step(
            "direct",
            ("retreat", "parry"),
            Sign(parried=True),
            Deed((4, 1), 1),
            (
                Mistake("run", Sign(codes=(RulingCode.MUST_PARRY,), values=(2,)), Deed((2,), -2)),
                Mistake("only", Sign(codes=(RulingCode.NO_ACTION_AFTER_PARRY,)), Deed((4,))),
            ),
            Position(8, 12, hands=BySide((4, 1, 2), ()), played=(4,), attack=Threat(AttackKind.DIRECT, 1)),
        ),
        PracticeRound(
            "play",
            ("indirect", "retreat"),
            Position(1, 23, pile=15),
            (
                Deed((3,), 3),
                Deed((4,), 4),
                Deed((4,), 4),
                Deed((3,), 3),
                Deed((4, 4), 4),
                Deed((1,), -1),
                Deed((5,)),
                Deed(gives_up=True),
            ),
            ("end",),
        ),
    ),
    shown_by="lunge",
)

STUCK: Final = Lesson(
    "stuck",
    (
        Step(
            "stuck",
            ("stuck", "ruling 5"),
            Sign("yield"),
            Deed(gives_up=True),
            (
                Mistake("passed", Sign(codes=(RulingCode.PASSED_OPPONENT,)), Deed((4,), 4)),
                Mistake("squeeze", Sign(codes=(RulingCode.WRONG_DISTANCE,)), Deed((3,), -2)),
                Mistake("attack", Sign(codes=(RulingCode.ATTACK_VALUE,)), Deed((3,))),
            ),
            Position(3, 5, hands=BySide((3, 4, 5), ())),
        ),
        Step(
            "can_attack",
            ("ruling 4",),
            Sign(actions=(DIRECT,)),
            Deed((2,)),
            (
                Mistake("gave_up", Sign("yield"), Deed(gives_up=True)),
                Mistake("passed", Sign(codes=(RulingCode.PASSED_OPPONENT,)), Deed((4,), 4)),
            ),
            Position(20, 22, Side.BLACK, BySide((), (2, 4, 5))),
            finds=True,
        ),
    ),
    shown_by="stuck",
)

LAST_CARD: Final = Lesson(
    "last_card",
    (
        Step(
            "far",
            ("last", "last 3", "ruling 12"),
            Sign(actions=(ADVANCE,), forward=2),
            Deed((2,), 2),
            (
                Mistake("near", Sign(actions=(ADVANCE,)), Deed((4,), 4)),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((2,), -2)),
            ),
            Position(9, 18, hands=BySide((2, 4), ()), pile=1),
        ),
        Step(
            "draw",
            ("last", "last 4"),
            Sign(actions=(ADVANCE,), forward=2),
            Deed((2,), 2),
            (
                Mistake("one", Sign(actions=(ADVANCE,)), Deed((1,), 1)),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((2,), -2)),
            ),
            Position(9, 17, Side.BLACK, BySide((), (2, 1)), pile=1),
        ),
    ),
    shown_by="far",
)

FINAL_DEFENCE: Final = Lesson(
    "final",
    (
        Step(
            "attack",
            ("last 1", "ruling 8", "ruling 10", "refill"),
            Sign(actions=(DIRECT,), laid=2),
            Deed((3, 3)),
            (
                Mistake("one", Sign(actions=(DIRECT,)), Deed((3,))),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((1,), -1)),
            ),
            Position(10, 13, hands=BySide((3, 3, 1), (3, 3, 1)), pile=1),
            shown=True,
        ),
        Step(
            "defence",
            ("last 1", "ruling 2"),
            Sign(actions=(None,), parried=True),
            Deed((3, 3)),
            (
                Mistake("turn", Sign(codes=(RulingCode.FINAL_PARRY_ONLY,)), Deed((3, 3, 1), 1)),
                Mistake("run", Sign(codes=(RulingCode.MUST_PARRY,)), Deed((1,), -1)),
                Mistake("give_up", Sign("yield"), Deed(gives_up=True)),
            ),
        ),
        Step(
            "hands",
            ("last 2",),
            Sign("reveal"),
            Deed(),
            (Mistake("missing", Sign("reveal", codes=(RulingCode.HAND_SIZE,)), Deed((1, 2, 5))),),
            Position(10, 13, hands=BySide((1, 2, 5, 5), (3, 1, 4)), pile=0, played=(3, 3, 3, 3), phase=Phase.REVEAL),
        ),
        Step(
            "level",
            ("last 3",),
            Sign("reveal"),
            Deed(),
            (Mistake("missing", Sign("reveal", codes=(RulingCode.HAND_SIZE,)), Deed((3, 1, 2))),),
            Position(12, 15, hands=BySide((3, 1, 2, 5), (3, 4, 1)), pile=0, phase=Phase.REVEAL),
        ),
    ),
    shown_by="attack",
)

LAST_RETREAT: Final = Lesson(
    "last_retreat",
    (
        Step(
            "lunge",
            ("last 1", "indirect"),
            Sign(actions=(INDIRECT,)),
            Deed((3, 4), 3),
            (Mistake("only_move", Sign(actions=(ADVANCE,)), Deed((3,), 3)),),
            Position(8, 15, hands=BySide((3, 4), (4, 1, 2)), pile=2),
            shown=True,
        ),
        Step(
            "retreat",
            ("last 1", "retreat", "preset ferti-advanced"),
            Sign(actions=(RETREAT,), forward=-1),
            Deed((1,), -1),
            (
                Mistake("far", Sign(actions=(RETREAT,)), Deed((2,), -2)),
                Mistake("parry", Sign(parried=True), Deed((4,))),
                Mistake("forward", Sign(codes=(RulingCode.MUST_ANSWER,)), Deed((1,), 1)),
            ),
        ),
    ),
)

SCORE: Final = Lesson(
    "score",
    (
        Step(
            "next_round",
            ("piste", "points", "ruling 9"),
            Sign("round"),
            Deed(),
            position=Position(12, 15, phase=Phase.ROUND_OVER, score=BySide(1, 0)),
            shown=True,
        ),
        PracticeRound(
            "play",
            ("last", "points"),
            Position(1, 23, Side.BLACK, pile=15, starter=Side.BLACK),
            (
                Deed((4,), 4),
                Deed((3,), 3),
                Deed((3,), 3),
                Deed((4,), 4),
                Deed((4, 4), 4),
                Deed((1,), -1),
                Deed((5,)),
                Deed(gives_up=True),
            ),
        ),
    ),
)

CURIOUS: Final = Lesson(
    "curious",
    (
        Step(
            "proof",
            ("ruling 13",),
            Sign(actions=(DIRECT,), laid=2),
            Deed((2, 2)),
            (
                Mistake("one", Sign(actions=(DIRECT,)), Deed((2,))),
                Mistake("back", Sign(actions=(RETREAT,)), Deed((2,), -2)),
            ),
            Position(10, 12, hands=BySide((2, 2), ()), played=(2, 2)),
        ),
        Step(
            "classic",
            ("preset ferti-classic",),
            Sign(actions=(ADVANCE,), forward=4),
            Deed((4,), 4),
            (Mistake("lunge", Sign(codes=(RulingCode.INDIRECT_NOT_ALLOWED,)), Deed((4, 4), 4)),),
            Position(8, 16, Side.BLACK, BySide((), (4, 4)), rules=FERTI_CLASSIC),
        ),
        Question("discards", ("ruling 11",), Side.BLACK, Position(8, 15)),
        Question("counts", ("preset brettspielnetz", "ruling 11"), Side.BLACK),
        Question("choice", ("ruling 5",), Side.BLACK),
        Question("preset", ("preset brettspielnetz",), Side.BLACK),
        Question("nobody_attacked", ("ruling 1",), Side.WHITE),
    ),
)
"""What only those ask who want to know it all."""

ADVANCED: Final = (INDIRECT_ATTACK, FALL_BACK, STUCK, LAST_CARD, FINAL_DEFENCE, LAST_RETREAT, SCORE, CURIOUS)
