"""A turn the eyes cannot see: proposed at the first press, entered at the second, and never otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.track import BySide, Side
from engine.table.by_hand_offer import Unseen, Waits, watched
from engine.table.desk import Settings, enter, open_match, ruled_to_json
from engine.table.notes import NoteKind
from engine.table.observation import (
    CardReading,
    Doubt,
    DoubtReason,
    FigureProblem,
    FigureReading,
    Sight,
    TableObservation,
    Why,
)
from engine.table.presses import Button, Press
from engine.table.step import hold
from tests.engine.table.conftest import AtTheTable
from tests.matches import turn

WAITS = Waits(stuck_s=8.0, read_s=0.8, lapse_s=20.0)
SETTINGS = Settings(settle_s=1.0, quiet_s=0.5, patience_s=4.0, waits=WAITS)
FOUR = Card(4, "a")


class Partly(AtTheTable):
    """White on 4 is to act, Black stands on 15; the eyes do not see all of it."""

    def __init__(self) -> None:
        super().__init__(SETTINGS)
        self.desk, _ = enter(self.desk, RoundEvent(), 0.0)
        self.played(turn("4c", 5, 23), turn("5c", 5, 18), turn("1c", 4, 18), turn("3c", 4, 15))
        self.cards, self.problem = [], FigureProblem.HIDDEN
        self.t_s = self.since_s = 1.0

    def put(self, *cards: Card, white: int | None = 4) -> None:
        self.cards, self.spaces, self.since_s = [], BySide(white, 15), self.t_s
        self.lay(*map(str, cards))

    def hide(self, why: Why | None, side: Side | None = None) -> None:
        self.see(why)
        self.why_side = side


@pytest.fixture
def table() -> Partly:
    """A four was laid and White's figure moved, but its tag is hidden; so near the end only an advance fits."""
    at = Partly()
    at.look()
    at.put(FOUR)
    at.hide(Why.TAG_HIDDEN, Side.WHITE)
    return at


def test_two_presses_enter_the_turn_once_a_press_found_no_answer(table: Partly) -> None:
    assert table.look(Button.WHITE) == ()
    assert table.proposed is None  # the eyes may still see it
    assert table.wait(4.5) == []
    assert table.said.kind is NoteKind.CANNOT_SEE
    table.look(Button.WHITE)
    assert table.proposed == TurnEvent((FOUR,), 8, 15)
    assert table.wait(1.0) == []
    (entry,) = table.look(Button.WHITE)
    assert entry.event == TurnEvent((FOUR,), 8, 15)
    assert entry.ruling.ok
    assert entry.by_hand
    assert entry.confirmed
    assert table.state.to_act is Side.BLACK
    assert (table.desk.offer, table.desk.unseen) == (None, None)
    written = ruled_to_json(entry)
    assert (written["by_hand"], written["confirmed"], written["ruling"]["ok"]) == (True, True, True)


def test_it_is_offered_after_a_while_without_any_press(table: Partly) -> None:
    table.wait(7.8)
    assert table.desk.unseen is not None
    assert not table.desk.unseen.due
    table.wait(0.5)
    assert table.desk.unseen.due
    table.look(Button.ACT)
    assert table.proposed == TurnEvent((FOUR,), 8, 15)
    table.wait(1.0)
    (entry,) = table.look(Button.ACT)
    assert entry.ruling.ok


def test_while_anything_changes_it_is_not(table: Partly) -> None:
    table.wait(6.0)
    table.put(FOUR)
    table.wait(6.0)
    assert table.desk.unseen is not None
    assert not table.desk.unseen.due


def asked(table: Partly) -> Partly:
    table.wait(8.5)
    assert table.look(Button.WHITE) == ()
    assert table.proposed is not None
    return table


def test_a_press_too_soon_says_nothing_for_nobody_has_read_it(table: Partly) -> None:
    asked(table)
    assert table.wait(0.5) == []
    assert table.look(Button.WHITE) == ()
    assert table.proposed is not None
    table.wait(0.4)
    assert len(table.look(Button.WHITE)) == 1


@pytest.mark.parametrize("button", [Button.BLACK, Button.UNDO])
def test_the_other_button_and_take_back_reject_it(table: Partly, button: Button) -> None:
    before = asked(table).desk.state
    table.wait(1.0)
    assert table.look(button) == ()
    assert table.proposed is None
    assert table.desk.state is before  # nothing was taken back
    assert table.desk.note is None
    table.look(Button.WHITE)
    assert table.proposed is None  # it was not that: it is not proposed again


def test_take_back_takes_back_once_nothing_is_proposed(table: Partly) -> None:
    table.wait(8.5)
    (entry,) = table.look(Button.UNDO)
    assert entry.event == UndoEvent()


def test_a_change_of_the_table_takes_it_away(table: Partly) -> None:
    asked(table)
    table.wait(1.0)
    table.put(FOUR, Card(2, "a"))
    assert table.look(Button.WHITE) == ()
    assert table.proposed != TurnEvent((FOUR,), 8, 15)


def test_who_asked_by_a_press_is_proposed_what_lies_there_now(table: Partly) -> None:
    """Eyes that were asked keep offering while the table changes: never what lay there before."""
    table.look(Button.WHITE)
    table.wait(4.5)
    table.look(Button.WHITE)
    assert table.proposed == TurnEvent((FOUR,), 8, 15)
    table.put(Card(5, "a"))
    assert table.look() == ()
    assert table.proposed is None
    table.look(Button.WHITE)
    assert table.proposed == turn("5a", 9, 15)


@pytest.mark.parametrize(
    "changed",
    [
        {"cards": []},
        {"cards": [CardReading(Card(4, "b"), 300.0, -100.0, 0.0)]},
        {"glimpsed": (Card(2, "b"),)},
        {"spaces": BySide(6, 15)},
        {"spaces": BySide(None, 14)},
        {"why": None, "sight": Sight.STEADY},
    ],
)
def test_whatever_speaks_against_it_takes_it_away(table: Partly, changed: dict[str, object]) -> None:
    asked(table)
    for name, value in changed.items():
        setattr(table, name, value)
    table.look()
    assert table.proposed is None


@pytest.mark.parametrize(
    "changed",
    [
        {"spaces": BySide(None, 15)},
        {"spaces": BySide(8, 15)},
        {"spaces": BySide(None, None)},
        {"glimpsed": (FOUR,)},
        {"why": Why.HAND, "why_side": None},
        {"why": Why.DARK, "why_side": None},
    ],
)
def test_a_hand_on_its_way_to_the_button_does_not(table: Partly, changed: dict[str, object]) -> None:
    asked(table)
    for name, value in changed.items():
        setattr(table, name, value)
    table.wait(1.0)
    (entry,) = table.look(Button.WHITE)
    assert entry.event == TurnEvent((FOUR,), 8, 15)


def test_it_lapses(table: Partly) -> None:
    asked(table)
    table.wait(20.3)
    assert table.proposed is None
    assert table.look(Button.WHITE) == ()


def test_eyes_that_see_again_judge_the_press_that_asked(table: Partly) -> None:
    """Who cleared the view and pressed again meant the table, and it counts for more than any proposal."""
    asked(table)
    table.hide(None)
    table.spaces, table.since_s = BySide(8, 15), table.t_s
    (entry,) = table.wait(1.0)
    assert (entry.event, entry.by_hand, entry.confirmed) == (TurnEvent((FOUR,), 8, 15), False, False)


def test_what_the_eyes_then_see_counts_and_not_what_was_proposed(table: Partly) -> None:
    asked(table)
    table.hide(None)
    table.spaces, table.since_s = BySide(7, 15), table.t_s
    (entry,) = table.wait(1.0)
    assert not entry.ruling.ok
    assert table.proposed is None


def test_it_is_the_player_to_act_who_is_asked(table: Partly) -> None:
    table.wait(8.5)
    table.look(Button.BLACK)
    assert table.proposed is None
    assert table.said.kind is NoteKind.NOT_YOUR_TURN


def test_where_several_fit_as_well_none_is_proposed() -> None:
    at = Partly()
    at.look()
    at.put(Card(2, "a"))
    at.hide(Why.TAG_HIDDEN, Side.WHITE)
    at.wait(8.5)
    at.look(Button.WHITE)  # forward or back, who knows
    assert at.proposed is None
    assert at.desk.unseen is not None
    assert at.desk.unseen.found == (turn("2a", 6, 15), turn("2a", 2, 15))


def test_a_card_that_shines_is_proposed_from_the_move() -> None:
    at = Partly()
    at.look()
    at.put(white=7)
    at.hide(Why.GLARE)
    at.wait(8.5)
    at.look(Button.WHITE)
    assert at.proposed == turn("3a", 7, 15)


@pytest.mark.parametrize("white", [7, None])
def test_while_a_label_shines_before_steady_eyes_both_figures_must_be_seen(white: int | None) -> None:
    state = Partly().desk.state
    assert state is not None
    figures = BySide(FigureReading(white, None if white else FigureProblem.HIDDEN), FigureReading(15))
    shines = (Doubt(240.0, -90.0, 2.0, DoubtReason.BURNT),)
    cards = (CardReading(Card(3, "a"), 300.0, -100.0, 2.0),)
    seen = TableObservation(20.0, 2.0, figures, cards, Sight.STEADY, doubts=shines)
    unseen = watched(Unseen(2.0, asked=True), state, seen, 1.0)
    assert unseen is not None
    assert unseen.found
    assert unseen.due is (white is not None)


def test_between_rounds_and_while_eyes_see_nothing_is_offered() -> None:
    at = Partly()
    at.wait(9.0)
    assert at.desk.unseen is None
    opened, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    at.desk = opened
    at.hide(Why.HAND)
    at.wait(9.0)
    assert at.desk.unseen is not None
    assert not at.desk.unseen.due


def test_a_pause_forgets_it(table: Partly) -> None:
    asked(table)
    held = hold(table.desk)
    assert (held.offer, held.unseen, held.waiting) == (None, None, None)
    assert hold(held) is held
    assert replace(table.desk, offer=None, unseen=None, waiting=None) == held
    unseen, offer, press = table.desk.unseen, table.desk.offer, Press(table.t_s, Button.WHITE)
    for alone in (replace(held, offer=offer), replace(held, unseen=unseen), replace(held, waiting=press)):
        assert hold(alone) == held != alone


def test_a_card_that_was_proposed_under_another_letter_is_not_laid_again() -> None:
    at = Partly()
    at.look()
    at.put(white=7)
    at.hide(Why.GLARE)
    at.wait(8.5)
    at.look(Button.WHITE)
    at.wait(1.0)
    (entry,) = at.look(Button.WHITE)
    assert entry.event == turn("3a", 7, 15)
    at.hide(None)
    at.put(Card(3, "d"), white=7)  # that is what shone
    at.wait(1.0)
    at.put(Card(3, "d"), Card(2, "a"), white=7)
    at.stand(7, 13)
    at.look(Button.BLACK)
    (entry,) = at.wait(1.0)
    assert (entry.event, entry.ruling.ok) == (turn("2a", 7, 13), True)
    at.put(Card(3, "d"), Card(2, "a"), Card(3, "a"), white=10)
    at.stand(10, 13)
    at.look(Button.WHITE)
    (entry,) = at.wait(1.0)
    assert entry.ruling.ok  # and the card whose letter it had been given may be played
    assert entry.event == turn("3d", 10, 13)
