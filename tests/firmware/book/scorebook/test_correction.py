"""``engarde book correct``: a turn, the score, the figures of a match in the book, with the reason; nothing erased."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from display.i18n import words
from display.words.verdicts import step_text
from engine.record.corrections import Correction, Setting, Won
from engine.record.course import follow
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.track import BySide
from firmware.book.scorebook.book import Played, open_scorebook, read_scorebook
from firmware.book.scorebook.correction import change_text
from firmware.cli.main import main
from tests.firmware.conftest import fill


def turn(names: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(tuple(CARD_BY_NAME[name] for name in names.split()), white, black)


MATCH = (
    MatchEvent("ferti-advanced"),
    RoundEvent(),
    turn("3a", 4, 23),
    turn("4a", 4, 19),
    turn("5a", 9, 19),
    turn("5b", 9, 14),
)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "book.sqlite"
    with open_scorebook(path) as book:
        fill(book, BySide("Ana", "Bo"), MATCH[:2])
        fill(book, BySide("Ana", "Bo"), MATCH)
    return path


@pytest.fixture
def correct(path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str, str]:
        status = main(["book", "correct", *words, "--scorebook", str(path)])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def played(path: Path, number: int = 2) -> Played:
    book = read_scorebook(path)
    assert book is not None
    with book:
        return book.replay(number)


def test_without_a_change_the_round_is_listed_with_its_numbers(path: Path, correct: Run) -> None:
    before = path.read_bytes()
    status, out, _ = correct()
    assert status == 0
    assert out.splitlines() == [
        "Match 2, Ana (White) against Bo (Black), begun 2027-01-15 08:00: 0:0, round 1.",
        "  1. 3a, White on 4, Black on 23",
        "  2. 4a, White on 4, Black on 19",
        "  3. 5a, White on 9, Black on 19",
        "  4. 5b, White on 9, Black on 14",
        "     White stands on 9, Black on 14; White to act.",
    ]
    assert path.read_bytes() == before


def test_a_misread_card_is_corrected_and_its_places_stay(path: Path, correct: Run) -> None:
    status, out, _ = correct("--turn", "1", "--cards", "3e", "--why", "a finger lay on it")
    assert status == 0
    assert "  1. 3e, White on 4, Black on 23" in out
    assert "turn 1 was really 3e, White on 4, Black on 23. Why: a finger lay on it." in out
    found = played(path)
    assert len(found.rows) == len(MATCH) + 1
    assert [row.event for row in found.rows[: len(MATCH)]] == list(MATCH), "what was written stays written"
    assert found.state is not None
    assert str(found.state.played[0]) == "3e"


def test_what_no_longer_holds_is_told(path: Path, correct: Run) -> None:
    status, out, _ = correct("--turn", "2", "--cards", "2a", "--black", "21", "--why", "wrong card")
    assert status == 0
    assert "Turn 4 (5b, White on 9, Black on 14) no longer holds. Black's fencer moved 7 spaces" in out
    state = played(path).state
    assert state is not None
    assert state.spaces == BySide(9, 21)
    assert correct("--undo")[0] == 0
    state = played(path).state
    assert state is not None
    assert state.spaces == BySide(9, 14)


def test_figures_score_and_cards_are_set_together(path: Path, correct: Run) -> None:
    status, out, _ = correct("2", "--figures", "8:15", "--score", "2:1", "--played", "1a,1b", "--why", "agreed")
    assert status == 0
    assert "2:1, round 1" in out
    assert "set: White stands on 8 and Black on 15, the score is 2:1, 1a, 1b had been played too" in out
    state = played(path).state
    assert state is not None
    assert (state.spaces, state.score, state.pile) == (BySide(8, 15), BySide(2, 1), 9)


def test_a_forgotten_turn_a_removed_one_and_giving_up(path: Path, correct: Run) -> None:
    assert correct("--remove", "4", "--why", "it was taken back")[0] == 0
    assert correct("--insert-after", "3", "--cards", "4c", "--black", "15", "--why", "forgotten")[0] == 0
    state = played(path).state
    assert state is not None
    assert state.spaces == BySide(9, 15)
    assert correct("--turn", "4", "--yield", "--why", "he gave up")[0] == 0
    found = played(path)
    assert found.course is not None
    assert found.course.steps[-1].entry == YieldEvent((CARD_BY_NAME["4c"],))
    assert found.state is not None
    assert found.state.score == BySide(1, 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--turn", "1", "--cards", "3e"], "Say why"),
        (["--cards", "3e", "--why", "x"], "Say which turn"),
        (["--turn", "9", "--cards", "3e", "--why", "x"], "no turn 9: its turns are 1 to 4"),
        (["--turn", "1", "--cards", "3e", "--white", "9", "--why", "x"], "Turn 1: White's fencer moved 8 spaces"),
        (["--figures", "15:8", "--why", "x"], "White stands left of Black"),
        (["--score", "9:0", "--why", "x"], "from 0 to 5"),
        (["1", "--turn", "1", "--cards", "3e", "--why", "x"], "none to change"),
    ],
)
def test_what_cannot_be_corrected_is_said_and_nothing_is_written(
    path: Path, correct: Run, words: list[str], said: str
) -> None:
    before = path.read_bytes()
    status, out, err = correct(*words)
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert said in err
    assert path.read_bytes() == before


def test_a_match_has_an_end_to_undo(path: Path, correct: Run) -> None:
    assert correct("1", "--undo")[0] == 0
    status, _, err = correct("1", "--undo")
    assert status == 1
    assert "nothing to take back" in err


def test_a_match_that_is_being_played_is_left_alone(path: Path, correct: Run) -> None:
    with open_scorebook(path, alone=True):
        status, _, err = correct("--score", "1:0", "--why", "x")
    assert status == 1
    assert "in use by another program" in err


@pytest.mark.parametrize(
    ("won", "told"),
    [
        (Won.WHITE, "White won the round"),
        (Won.BLACK, "Black won the round"),
        (Won.NOBODY, "the round was drawn"),
    ],
)
def test_the_scorebook_tells_it(won: Won, told: str) -> None:
    assert change_text(Setting(won=won)) == told
    course, _ = follow(None, MatchEvent("ferti-advanced"))
    for entry in (RoundEvent(), Correction((Setting(won=won),))):
        course, _ = follow(course, entry)
    assert course is not None
    assert ("wins the round" in step_text(words("en"), course.steps[-1])) is (won.side is not None)
