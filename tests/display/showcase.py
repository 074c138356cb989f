"""Situations worth seeing: one of every kind the table screen can be in, made by the referee from real events.

For the contact sheet, for tests, and for whoever wants to look at the screen without a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from display.view import Situation, TableSituation
from engine.record.corrections import Change, Correction, Replace
from engine.record.course import CORRECTED, Course, correct, follow
from engine.rules.cards import DECK, Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TimeEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulings import Remedy, RemedyKind, Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.comparison import Comparing, compare, put_back
from engine.table.observation import CardReading, FigureProblem, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Note, NoteKind
from engine.table.table_reading import read_open_turn, setup_remedies

NAMES: Final = BySide("Annegret", "Jean-Baptiste")
JudgedState = tuple[PublicState, Ruling]


def cards(text: str) -> tuple[Card, ...]:
    """``3b 5a`` as cards."""
    return tuple(Card.parse(name) for name in text.split())


def play(*events: Event, rules: str = "ferti-advanced", points: int = 5) -> JudgedState:
    """The state and the last ruling after these events of a new match. Only the last one may be refused.

    Raises ValueError when an earlier one is refused.
    """
    state, ruling = judge(None, MatchEvent(rules, points=points))
    for number, event in enumerate(events):
        state, ruling = judge(state, event)
        if not ruling.ok and number < len(events) - 1:
            raise ValueError(f"event {number} is refused, only the last may be: {event} {ruling}")
    assert state is not None
    return state, ruling


def turn(text: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(cards(text), white, black)


def table(
    white: int | FigureProblem,
    black: int | FigureProblem,
    laid: str = "",
    sight: Sight = Sight.STEADY,
    why: Why | None = None,
    why_side: Side | None = None,
) -> TableObservation:
    """A table as vision would have agreed on it, the cards in a row."""

    def figure(seen: int | FigureProblem) -> FigureReading:
        return FigureReading(None, seen) if isinstance(seen, FigureProblem) else FigureReading(seen)

    readings = tuple(CardReading(card, 100.0 + 30 * place, -150.0, 1.0) for place, card in enumerate(cards(laid)))
    return TableObservation(10.0, 5.0, BySide(figure(white), figure(black)), readings, sight, why, why_side)


APPROACH: Final = (RoundEvent(), turn("4a", 5, 23), turn("4b", 5, 19), turn("4c", 9, 19))
"""White on 9, Black on 19 to act: ten spaces."""

CLOSE: Final = (*APPROACH, turn("5a", 9, 14))
"""White on 9 to act, Black on 14: five spaces."""

LONG_ROUND: Final = (
    RoundEvent(),
    turn("5a", 6, 23),
    turn("5b", 6, 18),
    turn("4a", 10, 18),
    turn("1a", 10, 17),
    turn("1b", 11, 17),
    turn("1c", 11, 16),
    turn("1d", 10, 16),
    turn("2a", 10, 18),
    turn("2b", 12, 18),
    turn("3a", 12, 15),
    turn("2c", 10, 15),
    turn("3b", 10, 18),
    turn("3c", 13, 18),
    turn("4b", 13, 22),
)
"""Fourteen turns of one card: one card is left in the pile and White is to act, 13 against 22."""

SHOWN: Final = BySide(cards("4c 4d 3d 2d 5d"), cards("4e 3e 2e 1e 5e"))
LEVEL: Final = BySide(cards("4c 3d 2d 5d 1d"), cards("4e 3e 2e 1e 5e"))


def _level(white: int, black: int) -> JudgedState:
    """Hands with one 4 each, shown four spaces apart on these spaces."""
    state, _ = play(*LONG_ROUND, turn("5c", 18, 22))
    held = {*LEVEL.white, *LEVEL.black}
    played = tuple(card for card in DECK if card not in held)
    state = state._replace(spaces=BySide(white, black), distance=black - white, played=played)
    over, ruling = judge(state, RevealEvent(LEVEL.white, LEVEL.black))
    assert over is not None
    return over, ruling


def _situation(judged: JudgedState, seen: TableObservation | None = None, **more: Any) -> Situation:
    """The screen a moment after this ruling, the table standing as it was ruled unless ``seen`` says otherwise."""
    state, ruling = judged
    seen = seen or table(state.spaces.white, state.spaces.black)
    remedies = ruling.remedies if not ruling.ok else setup_remedies(state, seen)
    own = {each.name: more.pop(each.name) for each in fields(Situation) if each.name in more}
    shown = {"observation": seen, "remedies": remedies, **more}
    return Situation(state, ruling, 1.0, 1, NAMES, table=TableSituation(**shown), **own)


def _open(judged: JudgedState, white: int, black: int, laid: str) -> Situation:
    seen = table(white, black, laid)
    return _situation(judged, seen, open_turn=read_open_turn(judged[0], seen, 0.0))


def _refused(before: tuple[Event, ...], event: TurnEvent, rules: str = "ferti-advanced") -> Situation:
    seen = table(event.white, event.black, " ".join(str(card) for card in event.cards))
    return _situation(play(*before, event, rules=rules), seen)


def _match(*winners: str) -> tuple[Event, ...]:
    """Whole rounds won by yields: ``w``, ``b``."""
    events: list[Event] = []
    for number, winner in enumerate(winners):
        starter = "w" if number % 2 == 0 else "b"
        events.append(RoundEvent())
        if winner == starter:
            events.append(turn("1a", 2, 23) if starter == "w" else turn("1a", 1, 22))
        events.append(YieldEvent(()))
    return tuple(events)


def _compared(
    judged: JudgedState, seen: TableObservation, *, insisted: bool = False, rebuilt: bool = False
) -> Situation:
    """The table beside the record after a restart or, to be ``rebuilt``, after a lesson."""
    difference = compare(judged[0], seen)
    comparing = Comparing(difference, insisted_s=0.0 if insisted else None, rebuilding=rebuilt)
    return _situation(judged, seen, comparing=comparing, remedies=put_back(difference))


def _corrected(*changes: Change) -> Situation:
    """The screen after a correction of the round so far."""
    course: Course | None = None
    for event in (MatchEvent("ferti-advanced"), *CLOSE):
        course, _ = follow(course, event)
    assert course is not None
    course = correct(course, Correction(changes))
    return _situation((course.state, CORRECTED), fallen=course.fallen)


def situations() -> Mapping[str, Situation]:
    """Every kind of screen by name, with English words and long names."""
    direct = (*CLOSE, turn("5b 5c", 9, 14))
    indirect = (*APPROACH, turn("5a 5b 5c", 9, 14))
    strong = (*APPROACH, turn("2a", 9, 17), turn("3a 5a 5b 5c 5d", 12, 17))
    last_attack = (*LONG_ROUND, turn("5c 4c", 18, 22))
    last_move = (*LONG_ROUND, turn("5c", 18, 22))
    reveal = (*last_move, RevealEvent(SHOWN.white, SHOWN.black))
    start = play(RoundEvent())
    approach = play(*APPROACH)
    blind = table(9, 19, "", Sight.BLIND, Why.HAND)
    return {
        "no_match": Situation(None, names=NAMES),
        "setup": _situation(play(), table(3, 23, "1a 2b 5c")),
        "ready": _situation(play()),
        "round": _situation(start),
        "advance": _situation(approach),
        "open_legal": _open(approach, 9, 14, "5a"),
        "open_not_yet": _open(approach, 9, 19, "3a"),
        "open_going": _open(approach, 9, 17, "5a"),
        "open_answer": _open(play(*direct), 9, 14, "5d"),
        "open_parried": _open(play(*direct), 9, 14, "5d 5e"),
        "open_other": _open(approach, 10, 19, "3a"),
        "open_wild": _open(approach, 9, 19, "1a 2a 3a"),
        "open_or_parry": _open(play(*APPROACH, turn("5a 5b", 9, 14)), 9, 14, "5d"),
        "open_parry": _open(play(*direct), 9, 12, "5d 3a 3b 5e 2a"),
        "open_figure": _open(approach, 9, 14, ""),
        "open_attack": _open(approach, 9, 14, "5a 5b 5c"),
        "attack_direct": _situation(play(*direct)),
        "attack_indirect": _situation(play(*indirect)),
        "attack_four": _situation(play(*strong)),
        "parry_advance": _situation(play(*direct, turn("5d 5e 2a", 9, 12))),
        "parry_attack": _situation(play(*direct, turn("5d 5e 2a 3a 3b", 9, 12))),
        "last_attack": _situation(play(*last_attack)),
        "reveal": _situation(play(*last_move)),
        "more_cards": _situation(play(*reveal), revealed=SHOWN),
        "further": _situation(_level(14, 18), revealed=LEVEL),
        "draw": _situation(_level(10, 14), revealed=LEVEL),
        "hidden_hands": _situation(play(*LONG_ROUND, turn("3d", 10, 22))),
        "touch": _situation(play(*direct, YieldEvent(()))),
        "touch_proven": _situation(play(*CLOSE, turn("5b 5c 5d", 9, 14))),
        "stuck": _situation(play(*APPROACH, YieldEvent(()))),
        "score": _situation(play(*_match("w", "b", "b", "w"), RoundEvent())),
        "match_over": _situation(play(*_match("w", "w", "b", "w", "b", "w", "w"))),
        "clock": _situation(start, clock_s=125),
        "last_turn": _situation(play(*direct), clock_s=0),
        "time": _situation(play(*APPROACH, TimeEvent())),
        "time_ahead": _situation(play(*_match("w"), TimeEvent())),
        "time_level": _situation(play(*APPROACH, TimeEvent(drawn=True))),
        "time_priority": _situation(play(*APPROACH, TimeEvent(Side.BLACK))),
        "undone": _situation(play(*APPROACH, UndoEvent())),
        "wrong_distance": _refused(APPROACH, turn("3a", 9, 15)),
        "not_moved": _situation(
            play(*APPROACH, turn("3a", 9, 19)),
            table(9, 19, "3a"),
            remedies=(Remedy(RemedyKind.MOVE_FIGURE, side=Side.BLACK, space=16),),
        ),
        "opponent_moved": _refused(APPROACH, turn("3a", 12, 19)),
        "passed": _refused(APPROACH, turn("5a", 9, 4)),
        "card_played": _refused(APPROACH, turn("4a", 9, 15)),
        "mixed_values": _refused(APPROACH, turn("5a 3a 1b 2c", 9, 14)),
        "must_parry": _refused(direct, turn("5d", 9, 14)),
        "must_answer": _refused(indirect, turn("5d 2a", 9, 14)),
        "final_parry_only": _refused(last_attack, turn("4d 1e", 18, 21)),
        "give_up": _situation(play(*APPROACH, turn("", 9, 19)), confirm_give_up=True),
        "not_your_turn": _situation(approach, note=Note(NoteKind.NOT_YOUR_TURN, 9.0, Side.BLACK)),
        "card_unsure": _situation(approach, note=Note(NoteKind.CARD_UNSURE, 9.0, cards=(Card(5, "b"), Card(4, "c")))),
        "card_covered": _situation(approach, note=Note(NoteKind.CARD_COVERED, 9.0, cards=(Card(4, "c"),))),
        "paused": _situation(approach, paused=True),
        "card_hidden": _situation(approach, note=Note(NoteKind.CARD_HIDDEN, 9.0)),
        "card_glares": _situation(approach, note=Note(NoteKind.CARD_HIDDEN, 9.0, why=Why.GLARE)),
        "came_later": _situation(approach, note=Note(NoteKind.CAME_LATER, 9.0)),
        "cannot_see": _situation(approach, blind, note=Note(NoteKind.CANNOT_SEE, 9.0, None, Why.GLARE)),
        "waiting": _situation(approach, table(9, 19, "5a", Sight.CHECKING, Why.HAND), waiting=True),
        "blind": _situation(approach, table(9, 19, "", Sight.BLIND, Why.CAMERA_LOST)),
        "between": _situation(approach, table(9, FigureProblem.BETWEEN_SPACES)),
        "compare_looking": _situation(approach, blind, comparing=Comparing()),
        "compare": _compared(approach, table(11, 19, "3b")),
        "compare_many": _compared(approach, table(11, 14, "3b 2a 5c")),
        "compare_hidden": _compared(approach, table(FigureProblem.LYING, 19)),
        "put_back": _compared(approach, table(11, 19, "3b"), insisted=True),
        "rebuild": _compared(approach, table(11, 19, "3b"), rebuilt=True),
        "corrected": _corrected(Replace(1, turn("4d", 5, 23))),
        "corrected_fallen": _corrected(Replace(2, turn("2a", 5, 21))),
        "round_taken_up": _situation(approach, note=Note(NoteKind.ROUND_TAKEN_UP, 9.0)),
        "table_agrees": _situation(approach, note=Note(NoteKind.TABLE_AGREES, 9.0)),
        "book_salvaged": _situation(play(), note=Note(NoteKind.BOOK_SALVAGED, 9.0, count=12)),
        "not_kept": _situation(approach, note=Note(NoteKind.NOT_KEPT, 9.0)),
        "unseen_counts": _situation(play(*APPROACH, rules="brettspielnetz")),
    }
