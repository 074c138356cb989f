"""The course of a match: the same as ``judge`` without corrections; with them, judged again as far as it holds."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from engine.record.corrections import (
    Correction,
    CorrectionError,
    Insert,
    Remove,
    Replace,
    Setting,
    Won,
    correction_from_json,
    correction_to_json,
)
from engine.record.course import Course, follow
from engine.record.notation import parse_move, parse_record, print_move, print_record
from engine.record.replay import record_of_steps, replay
from engine.record.retelling import finished_round, retell
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import EventError, MatchEvent, RoundEvent, UndoEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Phase, Reason, Result
from engine.rules.track import BySide, Side
from tests.engine.conftest import record_of
from tests.matches import course_of, turn

if TYPE_CHECKING:
    from tests.engine.conftest import RandomMatch


OPENING = (MatchEvent("ferti-advanced"), RoundEvent())
FOUR_TURNS = (*OPENING, turn("3a", 4, 23), turn("4a", 4, 19), turn("5a", 9, 19), turn("5b", 9, 14))
"""White 4, Black 19, White 9, Black 14; White to act at a distance of five."""


def corrected(course: Course, *changes: Any, why: str = "misread") -> Course:
    after, ruling = follow(course, Correction(changes, why))
    assert ruling.ok
    assert isinstance(after, Course)
    return after


@pytest.mark.parametrize(("rules", "seed"), [(rules, seed) for rules in RULE_SETS for seed in range(3)])
def test_without_corrections_a_course_is_what_judge_says(rules: str, seed: int, random_match: RandomMatch) -> None:
    rng = Random(seed)
    state, course = None, None
    for event, _, _ in random_match(rules, Random(seed), points=3):
        for each in (event, UndoEvent(), event) if rng.random() < 0.2 else (event,):
            state, ruling = judge(state, each)
            course, followed = follow(course, each)
            assert followed == ruling
            if state is not None:
                assert course is not None
                assert course.state == state
                assert (course.state.previous is None) == (state.previous is None)
    assert course is not None
    assert [step.state.phase for step in course.steps][-1] is Phase.MATCH_OVER


def test_undo_ends_at_the_match_and_refusals_change_nothing() -> None:
    course = course_of(*OPENING)
    refused, ruling = follow(course, turn("3a", 9, 23))
    assert refused is course
    assert not ruling.ok
    course = course_of(*OPENING, UndoEvent())
    same, ruling = follow(course, UndoEvent())
    assert same is course
    assert not ruling.ok
    assert follow(None, UndoEvent())[0] is None


def test_a_misread_card_is_replaced_and_everything_after_still_holds() -> None:
    course = course_of(*FOUR_TURNS)
    after = corrected(course, Replace(1, turn("3c", 4, 23)))
    assert [str(card) for card in after.state.played] == ["3c", "4a", "5a", "5b"]
    assert after.fallen == ()
    assert after.state._replace(played=()) == course.state._replace(played=())


def test_a_corrected_figure_is_carried_through_the_turns_in_which_it_stood_still() -> None:
    after = corrected(course_of(*FOUR_TURNS[:4]), Replace(1, turn("4c", 5, 23)))
    assert after.state.spaces == BySide(5, 19)
    assert after.fallen == ()


def test_what_no_longer_holds_falls_with_all_that_follows_it() -> None:
    course = course_of(*FOUR_TURNS)
    after = corrected(course, Replace(2, turn("2a", 4, 21)))
    assert after.state.spaces == BySide(9, 21)
    assert after.state.to_act is Side.BLACK
    (fallen,) = after.fallen
    assert (fallen.turn, fallen.entry) == (4, FOUR_TURNS[-1])
    assert fallen.ruling is not None
    assert fallen.ruling.code is not None
    assert fallen.ruling.code.value == "wrong_distance"
    first = corrected(course, Replace(1, turn("4c", 5, 23)))
    assert [each.turn for each in first.fallen] == [3, 4]
    assert [each.ruling is None for each in first.fallen] == [False, True]
    assert first.state.spaces == BySide(5, 19)


def test_what_was_set_outright_holds_after_turns_that_fall_and_no_turn_holds_by_accident() -> None:
    course, ruling = follow(corrected(course_of(*FOUR_TURNS), Setting(BySide(8, 15), BySide(2, 0))), turn("1a", 9, 15))
    assert ruling.ok
    assert course is not None
    after = corrected(course, Replace(1, turn("4c", 5, 23)))
    assert [(each.turn, each.ruling is None) for each in after.fallen] == [(3, False), (4, True), (6, True)]
    assert (after.state.spaces, after.state.score) == (BySide(8, 15), BySide(2, 0))


def test_a_turn_that_is_removed_leaves_the_other_players_turns_to_him() -> None:
    close = (*FOUR_TURNS, turn("5c 5d", 9, 14))
    after = corrected(course_of(*close), Remove(4))
    assert after.state.to_act is Side.BLACK
    assert [(each.turn, each.ruling) for each in after.fallen] == [(5, None)], "White's attack is not Black's"


def test_a_forgotten_turn_is_inserted() -> None:
    course = course_of(*FOUR_TURNS[:3])
    after = corrected(course, Insert(0, turn("1a", 2, 23)), Insert(0, turn("1b", 2, 22)))
    assert after.state.spaces == BySide(2, 22), "and White was seen on 4, two further: that was no move by a 3"
    assert [each.turn for each in after.fallen] == [1]


def test_a_forgotten_turn_at_the_end_is_inserted() -> None:
    after = corrected(course_of(*FOUR_TURNS), Insert(4, turn("5c", 14 - 5, 14)))
    assert after.state.attack is not None
    assert len(after.round_steps) == 5


def test_undo_takes_a_correction_back_and_then_the_turn_before_it() -> None:
    course = course_of(*FOUR_TURNS)
    after = corrected(course, Replace(2, turn("2a", 4, 21)))
    undone, ruling = follow(after, UndoEvent())
    assert ruling.ok
    assert undone is not None
    assert undone.state == course.state
    assert undone.steps == course.steps
    further, _ = follow(undone, UndoEvent())
    assert further is not None
    assert further.state == course_of(*FOUR_TURNS[:-1]).state


def test_play_goes_on_after_a_correction() -> None:
    after = corrected(course_of(*FOUR_TURNS), Replace(2, turn("2a", 4, 21)))
    on, ruling = follow(after, turn("2b", 9, 19))
    assert ruling.ok
    assert on is not None
    assert on.fallen == ()
    back, _ = follow(on, UndoEvent())
    assert back is not None
    assert back.state == after.state


def test_figures_score_and_cards_are_set_outright() -> None:
    after = corrected(
        course_of(*FOUR_TURNS), Setting(BySide(8, 15), BySide(2, 1), (CARD_BY_NAME["1a"], CARD_BY_NAME["1b"]))
    )
    state = after.state
    assert (state.spaces, state.distance, state.score) == (BySide(8, 15), 7, BySide(2, 1))
    assert state.pile == course_of(*FOUR_TURNS).state.pile - 2
    assert [str(card) for card in state.played[-2:]] == ["1a", "1b"]
    assert len(state.played) + state.pile + state.hands.white + state.hands.black == 25
    refused = follow(after, turn("1a", 9, 15))[1]
    assert refused.code is not None
    assert refused.code.value == "card_already_played"
    kept = corrected(after, Replace(1, turn("3c", 4, 23)))
    assert (kept.state.spaces, kept.state.score) == (BySide(8, 15), BySide(2, 1)), "settings are judged again too"


def test_a_finished_match_is_reopened_by_its_score_and_closed_again() -> None:
    course = course_of(
        MatchEvent("ferti-advanced", points=2),
        *OPENING[1:],
        YieldEvent(),
        RoundEvent(),
        turn("1a", 1, 22),
        YieldEvent(),
    )
    over = course if course.state.phase is Phase.MATCH_OVER else None
    assert over is not None
    open_again = corrected(over, Setting(score=BySide(1, 1)))
    assert open_again.state.phase is Phase.ROUND_OVER
    assert follow(open_again, RoundEvent())[1].ok
    assert corrected(open_again, Setting(score=BySide(0, 2))).state.phase is Phase.MATCH_OVER


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ((), "changes nothing"),
        ((Setting(),), "changes nothing"),
        ((Replace(5, FOUR_TURNS[2]),), "no turn 5: its turns are 1 to 4"),
        ((Replace(0, FOUR_TURNS[2]),), "no turn 0"),
        ((Remove(9),), "no turn 9"),
        ((Insert(5, FOUR_TURNS[2]),), "no turn 5"),
        ((Remove(1), Replace(1, FOUR_TURNS[2])), "twice"),
        ((Replace(1, turn("3c", 9, 23)),), "Turn 1: White's fencer moved 8 spaces"),
        ((Setting(BySide(14, 14)),), "White stands left"),
        ((Setting(BySide(0, 14)),), "White stands left"),
        ((Setting(score=BySide(6, 0)),), "from 0 to 5"),
        ((Setting(score=BySide(5, 0)),), "only the winner of a finished round"),
        ((Setting(cards=(CARD_BY_NAME["3a"],)),), "already played this round: 3a"),
        ((Setting(cards=(CARD_BY_NAME["3b"],) * 2),), "named twice"),
        ((Setting(cards=tuple(CARD_BY_NAME[f"{value}{letter}"] for value in (1, 2, 3) for letter in "bcde")),),
         "cannot have been played"),
    ],
)  # fmt: skip
def test_a_correction_that_cannot_be_made_is_refused_in_words(
    changes: tuple[Insert | Remove | Replace | Setting, ...], words: str
) -> None:
    course = course_of(*FOUR_TURNS)
    with pytest.raises(CorrectionError, match=words):
        follow(course, Correction(changes))


def test_there_is_nothing_to_correct_before_a_round() -> None:
    with pytest.raises(CorrectionError, match="no match"):
        follow(None, Correction((Setting(score=BySide(1, 0)),)))
    for change, words in ((Setting(score=BySide(1, 0)), "No round"), (Remove(1), "none to change")):
        with pytest.raises(CorrectionError, match=words):
            follow(course_of(OPENING[0]), Correction((change,)))
    over = course_of(*OPENING, YieldEvent())
    with pytest.raises(CorrectionError, match="this one is over"):
        follow(over, Correction((Setting(BySide(3, 9)),)))


def test_earlier_rounds_are_closed() -> None:
    course = course_of(*OPENING, turn("1a", 2, 23), YieldEvent(), RoundEvent())
    with pytest.raises(CorrectionError, match="none to change"):
        follow(course, Correction((Replace(1, turn("1b", 2, 23)),)))


EXAMPLES = (
    Correction((Replace(2, turn("3a 3b", 4, 23)), Insert(0, YieldEvent())), 'a "misreading"\n'),
    Correction((Remove(1), Setting(BySide(3, 9), BySide(0, 2), (CARD_BY_NAME["5e"],)))),
    Correction((Setting(score=BySide(0, 2)),), "agreed"),
)


@pytest.mark.parametrize("correction", EXAMPLES)
def test_a_correction_goes_through_json_and_back(correction: Correction) -> None:
    assert correction_from_json(correction_to_json(correction)) == correction


@pytest.mark.parametrize(
    "obj",
    [
        None,
        {"event": "turn"},
        {"event": "correct", "changes": []},
        {"event": "correct", "changes": [{"change": "sing"}]},
        {"event": "correct", "changes": [{"change": "remove", "turn": True}]},
        {"event": "correct", "changes": [{"change": "replace", "turn": 1, "event": {"event": "round"}}]},
        {"event": "correct", "changes": [{"change": "set", "figures": {"white": 1}}]},
        {"event": "correct", "changes": [{"change": "set", "cards": ["9z"]}]},
        {"event": "correct", "changes": [3], "why": 5},
    ],
)
def test_anything_else_is_no_correction(obj: Any) -> None:
    with pytest.raises(EventError):
        correction_from_json(obj)


@pytest.mark.parametrize("text", ["!9/21", "!2-1", "!3b4c", "!9/21,2-1,3b", "!9/21,3b", "!0-4,3b"])
def test_a_setting_is_written_in_the_record(text: str) -> None:
    assert print_move(parse_move(text)) == text


@pytest.mark.parametrize("text", ["!", "!,", "!9/21,", "!9/212-1", "!2-1,9/21", "!09/21", "!x"])
def test_other_exclamations_are_no_settings(text: str) -> None:
    with pytest.raises(ValueError, match="is no move"):
        parse_move(text)


def test_the_record_of_a_corrected_match_replays_to_where_it_stands() -> None:
    changes = (Replace(1, turn("3c", 4, 23)), Setting(BySide(8, 15), BySide(2, 1)))
    entries = (*FOUR_TURNS, Correction(changes, "misread"), turn("5e", 13, 15), YieldEvent())
    course = course_of(*entries)
    record = record_of(entries)
    assert record == record_of_steps(course.steps)
    text = print_record(record, ["Corrected: the card was 3c\nnot 3a"])
    assert "\n; Corrected: the card was 3c not 3a\n" in text
    assert "!8/15,2-1" in text
    replayed = list(replay(parse_record(text)))
    assert replayed[-1][1] == course.state
    assert course.state.score == BySide(3, 1)


def said(won: Won) -> Correction:
    return Correction((Setting(won=won),), "said")


def played(*entries: object, points: int = 2) -> Course:
    course, _ = follow(None, MatchEvent("ferti-advanced", Side.WHITE, points))
    for entry in entries:
        course, ruling = follow(course, entry)  # type: ignore[arg-type]
        assert ruling.ok
    assert course is not None
    return course


def test_a_winner_that_is_said_ends_the_round_and_the_match() -> None:
    course = played(RoundEvent(), said(Won.BLACK))
    assert (course.state.phase, course.state.score) == (Phase.ROUND_OVER, BySide(0, 1))
    assert course.state.result == Result(Side.BLACK, Reason.SAID)
    course = played(RoundEvent(), said(Won.BLACK), RoundEvent(), said(Won.NOBODY), RoundEvent(), said(Won.BLACK))
    assert (course.state.phase, course.state.score, course.state.round) == (Phase.MATCH_OVER, BySide(0, 2), 3)
    over, _ = follow(course, UndoEvent())
    assert over is not None
    assert (over.state.phase, over.state.score) == (Phase.TURN, BySide(0, 1))


def test_a_drawn_round_is_said_too_and_nothing_is_told_of_it() -> None:
    course = played(RoundEvent(), said(Won.NOBODY))
    assert course.state.result == Result(None, Reason.DRAW)
    pages = retell(finished_round(course))
    assert [page.moments for page in pages] == [()] * len(pages)


def test_a_round_that_is_over_is_not_won_again() -> None:
    course = played(RoundEvent(), said(Won.WHITE))
    with pytest.raises(CorrectionError, match="over already"):
        follow(course, said(Won.BLACK))
    with pytest.raises(CorrectionError, match="No round has begun"):
        follow(played(), said(Won.WHITE))


@pytest.mark.parametrize("won", Won)
def test_it_is_written_and_read_again(won: Won) -> None:
    assert correction_from_json(correction_to_json(said(won))) == said(won)
    for setting in (Setting(won=won), Setting(BySide(4, 9), BySide(1, 0), won=won)):
        assert parse_move(print_move(setting)) == setting


def test_nobody_else_wins() -> None:
    with pytest.raises(EventError, match="white, black, nobody"):
        correction_from_json({"event": "correct", "changes": [{"change": "set", "won": "anna"}]})
