"""A match that is taken back or put right at its table after it counted: the evening follows, or it is said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.competition.bouts import Entrant, Terms
from engine.competition.events import (
    Corrected,
    Entered,
    FencedAgain,
    Opened,
    PoolsBegun,
    TableauBegun,
    TakenBack,
)
from engine.rules.events import MatchEvent, RoundEvent, UndoEvent, YieldEvent
from engine.rules.track import BySide
from firmware.extras.club.evening import MAX_OF_A_BOUT, Evening, is_taken
from tests.firmware.extras.club.conftest import bodies_of, ended, evening_of, numbered, take
from tests.waiting import until

if TYPE_CHECKING:
    from tests.firmware.extras.club.conftest import Club


def four(path: Path) -> Evening:
    return evening_of(path / "evening.jsonl", numbered(4), PoolsBegun(1))


def test_a_table_that_takes_back_without_end_fills_no_log(tmp_path: Path) -> None:
    evening = four(tmp_path)
    evening.place(["1"])
    bout, end, times = evening.placed["1"], ended(evening, "1", number=1), 0
    while is_taken(evening.log, bout):
        take(evening, end)
        evening.add(TakenBack(len(evening.log.events)))
        evening.stand_again("1", bout, [])
        times += 1
    assert times == MAX_OF_A_BOUT


@pytest.mark.slow
def test_the_hall_follows_and_says_what_it_cannot(club: Club) -> None:
    said: list[str] = []
    hall = club.hall()
    hall._said = said.append
    for event in (Opened("Evening", Terms(1)), Entered(Entrant("a", "Ana")), Entered(Entrant("b", "Ben"))):
        hall.ask(event)
    hall.ask(TableauBegun())
    table = club.publisher("1")
    assert until(lambda: hall.evening.call_of("1") is not None)
    call = hall.evening.call_of("1")
    assert call is not None
    names = BySide(call["names"]["white"], call["names"]["black"])
    fought = MatchEvent("ferti-classic", points=1), RoundEvent(), YieldEvent()
    *before, end, undone = bodies_of(*fought, UndoEvent(), names=names, bout=call["bout"])
    for body in (*before, end):
        table.tell(body)

    def touches() -> tuple[int, int]:
        assert hall.evening.now is not None
        return hall.evening.now.bout("1T2-1").touches

    assert until(lambda: hall.evening.now is not None and hall.evening.now.over)
    table.tell(undone)
    assert until(lambda: hall.evening.now is not None and not hall.evening.now.over)
    assert until(lambda: hall.wall.piste("1").next == call)
    assert said == ["Table 1: the result of bout 1T2-1 was changed there: event 6 of the evening follows it."]
    table.tell(end)
    assert until(lambda: touches() == (0, 1))
    # What has come after it holds it: that is said, and the wall says that it differs, until the desk has decided.
    hall.ask(Corrected("1T2-1", 1, 1, 0, True))
    assert until(lambda: touches() == (1, 0))
    assert until(lambda: "differs" in hall.wall.piste("1").doubts)
    table.tell(undone)
    assert until(lambda: len(said) == 2)
    assert "still counts as it was" in said[1]
    assert "correct 1T2-1" in said[1]
    hall.ask(FencedAgain("1T2-1"))
    assert until(lambda: hall.wall.piste("1").doubts == set())
