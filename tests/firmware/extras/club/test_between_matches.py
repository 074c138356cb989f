"""Between two matches at a table: the end of one is read before the next pair is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from display.i18n import words
from display.view import Situation
from display.words.present import present
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from engine.table.presses import Button, Press
from firmware.extras.club.at_table import Called
from tests.firmware.extras.club.conftest import next_call

if TYPE_CHECKING:
    from vision.look import Look


def test_the_end_of_a_match_is_read_before_the_next_pair_is_asked() -> None:
    state, _ = judge(None, MatchEvent("ferti-classic", points=3))
    assert state is not None
    playing = state._replace(phase=Phase.TURN, round=4, score=BySide(2, 1), to_act=Side.WHITE)
    result = Result(Side.WHITE, Reason.HIT)
    over = playing._replace(phase=Phase.MATCH_OVER, score=BySide(3, 1), to_act=None, result=result)
    look: Look = None  # type: ignore[assignment]
    names = {"white": "Anna", "black": "Ben"}
    call = {"bout": "1P1-1x2", "match": 1, "names": names, "handicap": {"white": 0, "black": 0}, "points": 3}

    def at(now_s: float, now: PublicState, *buttons: Button) -> tuple[tuple[Press, ...], Situation]:
        left = asks.hear(tuple(Press(now_s, button) for button in buttons), now_s)
        desk: Any = SimpleNamespace(state=now)
        return left, asks.advise(Situation(now, names=BySide("Eve", "Tom")), look, desk)

    def end() -> None:
        at(0.0, playing)
        at(10.0, over)
        asks.on_next(next_call(call))

    asks = Called(lambda bout, names: None)
    end()
    _, shown = at(10.1, over)
    assert shown.helped.panel is None
    assert shown.next_pair == BySide("Anna", "Ben")
    view = present(shown)
    assert view.match.names == BySide("Eve", "Tom")
    assert view.ending is not None
    assert view.verdict.hint == words("en").say("hint.next_pair", one="Anna", other="Ben")
    # A second press of the match's last is none of the next pair's, nor begins it a match of the table's own.
    left, shown = at(11.0, over, Button.WHITE, Button.BLACK)
    assert (left, shown.helped.panel, asks.asks()) == ((), None, ())
    # To take back and the menu stay what they are.
    left, shown = at(12.5, over, Button.UNDO, Button.MENU)
    assert [press.button for press in left] == [Button.UNDO, Button.MENU]
    assert shown.helped.panel is None
    left, shown = at(13.0, over, Button.BLACK)
    assert left == ()
    assert shown.helped.panel is not None
    assert not any(line.text.endswith("Ben is here.") for line in shown.helped.panel.lines)
    at(14.0, over, Button.WHITE, Button.BLACK)
    assert len(asks.asks()) == 1

    asks = Called(lambda bout, names: None)
    end()
    assert at(29.9, over)[1].helped.panel is None
    assert at(30.1, over)[1].helped.panel is not None
    # Taken back, the match goes on, and its end is read anew; the hall calls it again meanwhile.
    at(40.0, playing)
    at(50.0, over)
    assert at(51.0, over)[1].helped.panel is None
    assert at(71.0, over)[1].helped.panel is not None

    asks = Called(lambda bout, names: None)
    asks.on_next(next_call(call))
    assert (
        at(0.0, over)[1].helped.panel is not None
    )  # the program was started after that match: nobody waits to read it


def test_a_match_taken_back_is_not_asked_for_again() -> None:
    state, _ = judge(None, MatchEvent("ferti-classic", points=3))
    assert state is not None
    playing = state._replace(phase=Phase.TURN, round=4, score=BySide(2, 1), to_act=Side.WHITE)
    over = playing._replace(phase=Phase.MATCH_OVER, score=BySide(3, 1), to_act=None)
    look: Look = None  # type: ignore[assignment]
    asks = Called(lambda bout, names: None)

    def at(now_s: float, now: PublicState | None, *buttons: Button) -> Situation:
        asks.hear(tuple(Press(now_s, button) for button in buttons), now_s)
        desk: Any = SimpleNamespace(state=now)
        return asks.advise(Situation(now), look, desk)

    handicap = {"white": 0, "black": 0}
    first, second = (
        {"bout": bout, "match": 1, "names": {"white": one, "black": "Ben"}, "handicap": handicap, "points": 3}
        for bout, one in (("1P1-1x2", "Anna"), ("1P1-3x2", "Cleo"))
    )
    asks.on_next(next_call(first))
    at(0.0, None)
    at(1.0, None, Button.WHITE, Button.BLACK)
    at(2.0, playing)
    at(3.0, over)
    asks.on_next(next_call(second))
    assert at(4.0, over).next_pair == BySide("Cleo", "Ben")
    asks.on_next(next_call(first))  # the hall heard that it was taken back
    at(5.0, playing)
    at(6.0, over)
    assert at(40.0, over).helped.panel is None
    asks.on_next(next_call(second))
    assert at(41.0, over).helped.panel is not None
    asks.on_next(next_call(first))  # it is fenced again, after another was called
    assert at(42.0, over).helped.panel is not None
