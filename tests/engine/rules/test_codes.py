"""The codes of FORMATS.md: every code, the order of the checks, and what to do about each refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.messages import message
from engine.rules.referee import judge
from engine.rules.rulings import RemedyKind, RulingCode
from engine.rules.state import Phase, PublicState
from engine.rules.track import Side
from tests.facts import FACTS

if TYPE_CHECKING:
    from tests.engine.conftest import Position


def cases() -> Iterator[tuple[dict[str, Any], str, int, str]]:
    """The cases of ``codes.txt``: below a position what is laid there, how far who laid it moves, and why not."""
    where: dict[str, Any] = {}
    for line in Path(__file__).with_name("codes.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            white, black, *options = line.removeprefix("= ").split()
            where = {"white": int(white), "black": int(black), **dict(option.split("=") for option in options)}
            where |= {"attack": where.get("attack", "").replace(",", " "), "phase": Phase(where.get("phase", "turn"))}
        elif found := re.fullmatch(r"(.*?) ?([+-]\d+) ! (\w+)", line):
            yield where, found[1], int(found[2]), found[3]


CASES = tuple(cases())


@pytest.mark.parametrize(("where", "laid", "move", "code"), CASES)
@pytest.mark.parametrize("side", list(Side))
def test_turns_and_their_codes(
    position: Position,
    where: dict[str, Any],
    laid: str,
    move: int,
    code: str,
    side: Side,
) -> None:
    if side is Side.BLACK:
        where = {**where, "white": 24 - where["black"], "black": 24 - where["white"]}
    table = position(**where, to_act=side)
    before = table.state
    ruling = table.turn(laid, move)
    assert ruling.code is not None
    assert ruling.code.value == code
    assert table.state is before
    assert set(ruling.facts) == set(FACTS[ruling.code])
    assert message(ruling).endswith(".")


@pytest.mark.parametrize(("white", "black"), [(6, 11), (6, 0), (9, 9), (0, 11), (30, 99), (10, 9)])
def test_the_other_figure_comes_first_among_the_figures(position: Position, white: int, black: int) -> None:
    ruling = position(6, 10).turn("3a", white=white, black=black)
    assert ruling.code is RulingCode.OPPONENT_MOVED
    assert (ruling.facts["side"], ruling.facts["expected"], ruling.facts["found"]) == ("black", 10, black)


def test_every_code_is_reached_by_a_turn_or_another_event(position: Position) -> None:
    turns = {code for _, _, _, code in CASES}
    others = {"bad_event", "not_now", "unknown_card", "hand_size", "opponent_moved"}
    assert turns | others == {code.value for code in RulingCode}
    assert not turns & others


def test_events_out_of_place_are_not_now(position: Position) -> None:
    open_turn = position(6, 10).state
    ended = position(6, 10)
    ended.give_up()
    reveal = position(6, 12, "11223344555")
    reveal.turn("1e", 1)
    shown = RevealEvent((), ())
    turn = TurnEvent((), 0, 0)
    places: list[tuple[PublicState | None, Event]] = [
        (None, RoundEvent()),
        (None, turn),
        (None, YieldEvent()),
        (None, shown),
        (None, UndoEvent()),
        (open_turn, RoundEvent()),
        (open_turn, shown),
        (open_turn, UndoEvent()),
        (ended.state, turn),
        (ended.state, YieldEvent()),
        (ended.state, shown),
        (reveal.state, turn),
        (reveal.state, YieldEvent()),
        (reveal.state, RoundEvent()),
    ]
    for state, event in places:
        after, ruling = judge(state, event)
        assert after is state
        assert ruling.code is RulingCode.NOT_NOW
        assert set(ruling.facts) == set(FACTS[RulingCode.NOT_NOW])
        assert ruling.remedies
        assert message(ruling).endswith(".")


def test_that_there_is_nothing_to_undo_is_said_of_a_match_that_has_only_begun() -> None:
    begun, _ = judge(None, MatchEvent("ferti-advanced"))
    nothing = "There is nothing to undo: the match has only begun."
    assert message(judge(begun, UndoEvent())[1]) == nothing
    assert message(judge(None, UndoEvent())[1]) != nothing
    assert message(judge(begun, YieldEvent())[1]) != nothing


@pytest.mark.parametrize(
    ("white", "black", "code"),
    [
        ("5e 5d 2d 2e", "1d 3d 3e 4d 4e", "hand_size"),
        ("5e 5d 2d 2e 1d 5c", "3d 3e 4d 4e", "hand_size"),
        ("5e 5d 2d 2e 1d", "5e 3d 3e 4d 4e", "repeated_card"),
        ("5e 5e 2d 2e 1d", "5c 3d 3e 4d 4e", "repeated_card"),
        ("5a 5d 2d 2e 1d", "5c 3d 3e 4d 4e", "card_already_played"),
        ("1e 5d 2d 2e 1d", "5c 3d 3e 4d 4e", "card_already_played"),
    ],
)
def test_hands_that_cannot_be(position: Position, white: str, black: str, code: str) -> None:
    table = position(6, 12, "11223344555")
    table.turn("1e", 1)
    before = table.state
    ruling = table.reveal(white, black)
    assert ruling.code is not None
    assert ruling.code.value == code
    assert table.state is before
    assert [remedy.kind for remedy in ruling.remedies] == [RemedyKind.SHOW_HAND] * 2
    if code == "hand_size":
        shown = {*white.split(), *black.split()}
        missing = ruling.facts["missing"]
        assert isinstance(missing, tuple)
        assert len(missing) == 10 - len(shown)
    assert message(ruling).endswith(".")
    assert table.reveal("5e 5d 2d 2e 1d", "5c 3d 3e 4d 4e").ok


def test_cards_laid_with_a_yield_are_checked_too(position: Position) -> None:
    for names, code in [("3a 3a", "repeated_card"), ("1a 1b 1c 1d 1e 2a", "hand_exceeded")]:
        ruling = position(6, 10).give_up(names)
        assert ruling.code is not None
        assert ruling.code.value == code
    assert position(6, 10, "1122334455123").give_up("3a").code is RulingCode.CARD_ALREADY_PLAYED
