"""The desk: presses and observations in, events out, with nothing guessed and no press unanswered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rules.cards import DECK, Card
from engine.rules.events import (
    Event,
    MatchEvent,
    RevealEvent,
    RoundEvent,
    TurnEvent,
    UndoEvent,
    YieldEvent,
    event_to_json,
)
from engine.rules.referee import judge
from engine.rules.rulings import Remedy, RemedyKind, RulingCode
from engine.rules.state import Phase, Reason
from engine.rules.track import BySide, Side
from engine.table.comparison import Comparing, compare
from engine.table.desk import TREMBLE_S, Desk, Entry, enter, open_match, rule, ruled_to_json, take_up
from engine.table.notes import Note, NoteKind
from engine.table.observation import CardReading, FigureProblem, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Button
from engine.table.shown import note_to_show, open_turn, to_put_right
from tests.engine.table.conftest import AUTO, AtTheTable
from tests.matches import turn


def test_a_round_begins_only_when_the_board_has_stood_set_up() -> None:
    at = AtTheTable()
    at.stand(1, 22)
    assert at.wait(3.0) == []
    at.stand(1, 23)
    at.lay("3a")
    assert at.wait(3.0) == []
    at.take("3a")
    assert [type(entry.event) for entry in at.wait(1.5)] == [RoundEvent]


def test_a_press_before_the_board_is_set_up_is_answered() -> None:
    at = AtTheTable()
    at.stand(2, 23)
    at.wait(1.0)
    at.look(Button.WHITE)
    assert at.said.kind is NoteKind.ROUND_NOT_SET_UP


def test_a_turn_ends_at_the_players_own_button(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    assert table.wait(3.0) == []
    table.look(Button.BLACK)
    assert (table.said.kind, table.said.side) == (NoteKind.NOT_YOUR_TURN, Side.WHITE)
    entry = table.press(Button.WHITE)
    assert entry.ruling.ok
    assert entry.event == turn("3a", 4, 23)


def test_the_menus_button_ends_no_turn(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    before = table.desk
    assert table.look(Button.MENU) == ()
    assert table.wait(3.0) == []
    assert table.desk == before


def test_a_note_stands_as_long_as_it_must_be_read_and_goes_when_the_table_changes(table: AtTheTable) -> None:
    note = Note(NoteKind.NOT_YOUR_TURN, table.t_s, side=Side.WHITE, hold_s=2.0)
    table.desk = replace(table.desk, note=note)
    table.wait(3.0)
    assert table.desk.note == note  # nothing changed
    table.desk = replace(table.desk, note=replace(note, t_s=table.t_s))
    table.look()
    table.lay("3a")
    table.wait(1.0)
    assert table.desk.note is not None
    table.wait(1.5)
    assert table.desk.note is None


@pytest.mark.parametrize(
    ("sight", "why", "begins"),
    [
        (Sight.CHECKING, Why.GLARE, True),
        (Sight.CHECKING, Why.HAND, False),
        (Sight.CHECKING, Why.TAG_HIDDEN, False),
        (Sight.BLIND, Why.DARK, False),
    ],
)
def test_a_round_begins_on_a_table_that_glares_but_waits_for_hands(sight: Sight, why: Why, begins: bool) -> None:
    at = AtTheTable()
    at.sight, at.why = sight, why
    assert [entry.event for entry in at.wait(2.0)] == [RoundEvent()] * begins


def test_in_glare_it_begins_on_a_board_that_has_stood_so_for_a_while() -> None:
    at = AtTheTable()
    at.see(Why.GLARE)
    at.stand(1, 22)
    assert at.wait(2.0) == []
    at.stand(1, 23)
    assert at.wait(0.4) == []
    assert len(at.wait(0.3)) == 1


def test_a_press_waits_until_the_table_has_been_quiet(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    table.see(Why.HAND)
    assert table.look(Button.WHITE) == ()
    assert table.wait(2.0) == []
    table.sight, table.why, table.since_s = Sight.STEADY, None, table.t_s
    assert table.wait(0.3) == []
    assert len(table.wait(0.5)) == 1


def test_a_press_is_for_the_table_as_it_stood_when_the_next_player_reaches_in_at_once(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    table.wait(1.0)
    table.see(Why.HAND)
    (entry,) = table.look(Button.WHITE)
    assert (entry.event, entry.t_s, entry.ruling.ok) == (turn("3a", 4, 23), table.t_s, True)
    table.turn("2a", 4, 21)
    table.see()
    assert table.press(Button.BLACK).event == turn("2a", 4, 21)


@pytest.mark.parametrize(
    ("hand_s", "why", "stirs"),
    [(0.3, Why.HAND, False), (0.0, Why.DARK, False), (0.0, Why.HAND, True)],
    ids=["a hand that was there before", "another reason", "a table that is changing"],
)
def test_else_it_waits_for_the_table(table: AtTheTable, hand_s: float, why: Why, stirs: bool) -> None:
    table.lay("3a")
    table.wait(1.0)
    table.see(why)
    table.wait(hand_s)
    if stirs:
        table.lay("3b")
    assert table.look(Button.WHITE) == ()
    table.take("3b")
    table.stand(4, 23)
    table.see()
    (entry,) = table.wait(1.0)
    assert entry.event == turn("3a", 4, 23)


def test_a_press_the_eyes_cannot_answer_says_what_hides_the_table(table: AtTheTable) -> None:
    table.sight, table.why = Sight.BLIND, Why.DARK
    table.look(Button.WHITE)
    assert table.wait(5.0) == []
    assert (table.said.kind, table.said.why) == (NoteKind.CANNOT_SEE, Why.DARK)
    assert table.desk.waiting is None


def test_a_fencer_between_spaces_is_never_judged(table: AtTheTable) -> None:
    table.turn("3a", None, 23)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert (table.said.kind, table.said.side) == (NoteKind.FIGURE_UNREADABLE, Side.WHITE)
    assert table.said.problem is FigureProblem.BETWEEN_SPACES


def test_a_refused_turn_leaves_the_state_and_is_forgotten_once_put_right(table: AtTheTable) -> None:
    before = table.desk.state
    table.turn("3a", 5, 23)
    entry = table.press(Button.WHITE)
    assert entry.ruling.code is RulingCode.WRONG_DISTANCE
    assert table.desk.state is before
    table.stand(4, 23)
    table.wait(0.3)
    assert table.desk.ruling is None
    assert table.press(Button.WHITE).ruling.ok


def test_only_a_second_press_with_nothing_changed_gives_up(table: AtTheTable) -> None:
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS
    assert table.desk.give_up is not None
    table.lay("1a")
    table.wait(0.5)
    assert table.desk.give_up is None
    table.take("1a")
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS
    entry = table.press(Button.WHITE)
    assert entry.event == YieldEvent(())
    assert entry.state is not None
    assert entry.state.result is not None
    assert (entry.state.result.winner, entry.state.result.reason) == (Side.BLACK, Reason.NO_LEGAL_MOVE)


def test_a_hand_that_trembles_gives_no_round_away(table: AtTheTable) -> None:
    """The second press must be half a second after the question, however often the button bounces before."""
    assert table.press(Button.WHITE, wait_s=0.0).ruling.code is RulingCode.NO_CARDS
    for _ in range(4):
        assert table.look(Button.WHITE) == ()
    assert table.desk.give_up is not None
    assert [*table.wait(TREMBLE_S)] == []
    (entry,) = table.look(Button.WHITE)
    assert entry.event == YieldEvent(())


def test_a_forgotten_card_is_no_giving_up(table: AtTheTable) -> None:
    table.stand(4, 23)
    for _ in range(2):
        assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS
        assert table.desk.give_up is None


def test_the_offer_to_give_up_runs_out(table: AtTheTable) -> None:
    table.press(Button.WHITE)
    table.wait(10.0)
    assert table.desk.give_up is None
    assert table.desk.ruling is None, "a question that nobody answered refuses nothing"
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS


def test_a_discard_laid_again_is_named_only_when_the_turn_fails_without_it(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    assert table.press(Button.WHITE).ruling.ok
    table.lay("3a", x_mm=400.0)
    table.stand(4, 20)
    entry = table.press(Button.BLACK)
    assert entry.ruling.code is RulingCode.CARD_ALREADY_PLAYED
    table.lay("3b")
    assert table.press(Button.BLACK).ruling.ok


def test_undo_takes_back_the_last_accepted_event(table: AtTheTable) -> None:
    before = table.desk.state
    table.turn("3a", 4, 23)
    table.press(Button.WHITE)
    (entry,) = table.look(Button.UNDO)
    assert isinstance(entry.event, UndoEvent)
    assert table.desk.state == before


def test_auto_ends_a_legal_turn_that_has_stood_and_never_an_illegal_one() -> None:
    at = AtTheTable(AUTO)
    at.wait(1.5)
    at.lay("3a")
    assert at.wait(3.0) == []
    at.stand(4, 23)
    assert at.wait(0.8) == []
    entries = at.wait(0.5)
    assert [entry.event for entry in entries] == [turn("3a", 4, 23)]
    assert at.wait(5.0) == []


def test_what_could_not_be_written_down_waits_for_a_press() -> None:
    """A disk that is full is not asked again with every frame."""
    at = AtTheTable(AUTO)
    at.wait(1.5)
    at.turn("3a", 4, 23)
    at.wait(0.2)
    at.desk = replace(at.desk, note=Note(NoteKind.NOT_KEPT, at.t_s, hold_s=3.0))
    assert at.wait(5.0) == []
    (entry,) = at.look(Button.ACT)
    assert entry.event == turn("3a", 4, 23)


def test_two_shown_hands_are_compared_without_a_press() -> None:
    at = AtTheTable()
    at.wait(1.5)
    _play_to_the_reveal(at)
    assert at.state.phase is Phase.REVEAL
    hands, left = at.state.hands, _unplayed(at.desk)
    for name in left[: hands.white]:
        at.lay(name, x_mm=150.0)
    assert at.wait(3.0) == []
    for name in left[hands.white : hands.white + hands.black]:
        at.lay(name, x_mm=450.0)
    (entry,) = at.wait(1.5)
    assert isinstance(entry.event, RevealEvent)
    after = at.desk.state
    assert after is not None
    assert after.phase is Phase.ROUND_OVER


def _unplayed(desk: Desk) -> list[str]:
    assert desk.state is not None
    return [str(card) for card in DECK if card not in desk.state.played]


def _play_to_the_reveal(at: AtTheTable) -> None:
    """Fifteen quiet moves that end three apart with two 3s unseen."""
    spaces = BySide(1, 23)
    names = ["4a", "4b", "4c", "4d", "1a", "1b", "1c", "1d", "2a", "2b", "2c", "2d", "3a", "3b", "3c"]
    steps = [4, 4, 4, 4, 1, -1, -1, 1, -2, 2, 2, -2, -3, 3, 3]
    side = Side.WHITE
    for name, step_spaces in zip(names, steps, strict=True):
        spaces = spaces.put(side, spaces[side] + side.forward * step_spaces)
        at.lay(name)
        at.stand(spaces.white, spaces.black)
        entry = at.press(Button.ACT)
        assert entry.ruling.ok, (name, entry.ruling, spaces)
        side = side.other


def back_in_the_round_before(table: AtTheTable) -> None:
    """Three cards are played, Black gives up, a round begins: and both are taken back, with nothing on the table."""
    for button, card, spaces in (
        (Button.WHITE, "3a", (4, 23)),
        (Button.BLACK, "2a", (4, 21)),
        (Button.WHITE, "1a", (5, 21)),
    ):
        table.lay(card)
        table.stand(*spaces)
        assert table.press(button).ruling.ok
    table.press(Button.BLACK)
    assert isinstance(table.press(Button.BLACK).event, YieldEvent)
    table.take("3a", "2a", "1a")
    table.stand(1, 23)
    (entry,) = table.wait(3.0)
    assert isinstance(entry.event, RoundEvent)
    assert [type(table.press(Button.UNDO).event) for _ in range(2)] == [UndoEvent, UndoEvent]
    assert (table.state.to_act, len(table.state.played)) == (Side.BLACK, 3)


def test_discards_that_an_undo_brings_back_are_laid_in_nobodys_turn(table: AtTheTable) -> None:
    back_in_the_round_before(table)
    table.turn("3a 2a 1a", 5, 21)
    entry = table.press(Button.BLACK)
    assert entry.event == TurnEvent((), 5, 21)
    assert entry.ruling.code is RulingCode.NO_CARDS
    assert isinstance(table.press(Button.BLACK).event, YieldEvent)


def test_nor_are_they_while_the_turn_is_open(table: AtTheTable) -> None:
    back_in_the_round_before(table)
    table.turn("3a 2a 1a", 5, 20)
    table.wait(1.0)
    now = open_turn(table.desk, table.seen(), 308.0)
    assert now is not None
    assert now.cards == ()


def test_one_that_lay_there_again_can_be_laid_again(table: AtTheTable) -> None:
    back_in_the_round_before(table)
    table.turn("3a 2a 1a", 5, 21)
    table.turn("4a", 5, 17)
    assert table.press(Button.BLACK).ruling.ok
    table.lay("3a", x_mm=400.0)
    table.stand(6, 17)
    assert table.press(Button.WHITE).ruling.code is RulingCode.CARD_ALREADY_PLAYED


def test_discards_put_out_after_a_restart_are_laid_in_nobodys_turn(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    assert table.press(Button.WHITE).ruling.ok
    assert table.desk.course is not None
    table.take("3a")
    table.desk = take_up(table.desk.course)
    table.wait(2.0)
    assert table.desk.comparing is None
    table.turn("3a", 4, 20)
    entry = table.press(Button.BLACK)
    assert entry.event == TurnEvent((), 4, 20)
    assert entry.ruling.code is RulingCode.NO_CARDS


def test_a_card_that_was_entered_by_hand_and_comes_in_sight_is_laid_in_nobodys_turn(table: AtTheTable) -> None:
    table.stand(4, 23)
    table.desk, (entry,) = enter(table.desk, turn("3a", 4, 23), table.t_s)
    assert entry.ruling.ok
    table.wait(1.0)
    table.turn("3a", 4, 19)
    assert table.press(Button.BLACK).event == TurnEvent((), 4, 19)


def test_what_lay_there_in_another_round_does_not_lie_there_in_this_one(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    assert table.press(Button.WHITE).ruling.ok
    table.wait(1.0)
    assert table.desk.discards == {Card.parse("3a")}
    table.press(Button.BLACK)
    table.press(Button.BLACK)
    assert table.state.phase is Phase.ROUND_OVER
    table.take("3a")
    table.stand(1, 23)
    table.wait(3.0)
    assert table.desk.discards == frozenset()


@pytest.mark.parametrize(
    ("by_hand", "confirmed", "told"),
    [(False, False, {}), (True, False, {"by_hand": True}), (True, True, {"by_hand": True, "confirmed": True})],
)
def test_it_says_when_in_milliseconds_what_and_how_it_was_entered(
    by_hand: bool, confirmed: bool, told: dict[str, bool]
) -> None:
    event = MatchEvent("ferti-classic")
    state, ruling = judge(None, event)
    ruled = ruled_to_json(Entry(12.34567, event, ruling, state, by_hand=by_hand, confirmed=confirmed))
    assert ruled.pop("ruling")["ok"] is True
    assert ruled == {"t": 12.346, "event": event_to_json(event), **told}


WHITE_BACK = Remedy(RemedyKind.MOVE_FIGURE, side=Side.WHITE, space=1)
BLACK_BACK = Remedy(RemedyKind.MOVE_FIGURE, side=Side.BLACK, space=23)
CLEARED = Remedy(RemedyKind.CLEAR_CARDS, count=1)
SHOWN_TURN = turn("3a", 4, 23)


def taken_off(name: str) -> Remedy:
    return Remedy(RemedyKind.TAKE_BACK_CARD, card=Card.parse(name))


def seen(white: int | None, black: int | None, cards: str = "", sight: Sight = Sight.STEADY) -> TableObservation:
    laid = tuple(CardReading(Card.parse(name), 300.0, -100.0, 1.0) for name in cards.split())
    return TableObservation(9.0, 1.0, BySide(FigureReading(white), FigureReading(black)), laid, sight)


def desk_after(*events: Event) -> Desk:
    desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    for event in events:
        desk, _ = enter(desk, event, 0.5)
    return desk


PLAYING = desk_after(RoundEvent())
REFUSED = desk_after(RoundEvent(), TurnEvent((Card.parse("3a"), Card.parse("4a")), 6, 20))
ASKED_FOR = (taken_off("3a"), taken_off("4a"), WHITE_BACK, BLACK_BACK)


def ruled_otherwise() -> Desk:
    """A refusal that asks for all four of those things, whatever the rules ask for in this case."""
    assert REFUSED.ruling is not None
    return replace(REFUSED, ruling=REFUSED.ruling._replace(remedies=ASKED_FOR))


def comparing(white: int, black: int) -> Desk:
    assert PLAYING.state is not None
    return replace(PLAYING, comparing=Comparing(difference=compare(PLAYING.state, seen(white, black))))


@pytest.mark.parametrize(
    ("desk", "table", "asked_for"),
    [
        (PLAYING, seen(4, 23, "3a"), ()),
        (replace(PLAYING, ruling=None), seen(4, 23, "3a"), ()),
        (ruled_otherwise(), seen(6, 20, "3a 4a"), ASKED_FOR),
        (ruled_otherwise(), seen(1, 20, "3a 4a"), (taken_off("3a"), taken_off("4a"), BLACK_BACK)),
        (ruled_otherwise(), seen(6, 23, "3a 4a"), (taken_off("3a"), taken_off("4a"), WHITE_BACK)),
        (ruled_otherwise(), seen(1, 23, "3a 4a"), (taken_off("3a"), taken_off("4a"))),
        (ruled_otherwise(), seen(None, 23, "3a 4a"), (taken_off("3a"), taken_off("4a"), WHITE_BACK)),
        (ruled_otherwise(), seen(6, 20, "4a"), (taken_off("4a"), WHITE_BACK, BLACK_BACK)),
        (ruled_otherwise(), seen(1, 23, ""), ()),
        (Desk(), seen(1, 23), ()),
        (desk_after(), seen(1, 23), ()),
        (desk_after(), seen(2, 23), (WHITE_BACK,)),
        (desk_after(), seen(1, 20, "5c"), (BLACK_BACK, CLEARED)),
        (comparing(1, 23), seen(4, 23), ()),
        (comparing(4, 23), seen(4, 23), (WHITE_BACK,)),
        (replace(PLAYING, comparing=Comparing()), seen(4, 23), ()),
    ],
)
def test_only_what_still_stands_wrong_is_to_be_put_right(
    desk: Desk, table: TableObservation, asked_for: tuple[Remedy, ...]
) -> None:
    assert set(to_put_right(desk, table)) == set(asked_for)


NEWS = Note(NoteKind.BOOK_SALVAGED, 10.0, count=12, hold_s=20.0)
AGREES, UNSEEN = Note(NoteKind.TABLE_AGREES, 11.0), Note(NoteKind.CANNOT_SEE, 11.0)


@pytest.mark.parametrize(
    ("desk", "news", "now_s", "shown"),
    [
        (Desk(), None, 11.0, None),
        (Desk(note=UNSEEN), None, 11.0, UNSEEN),
        (Desk(), NEWS, 11.0, NEWS),
        (Desk(note=AGREES), NEWS, 11.0, NEWS),
        (Desk(note=UNSEEN), NEWS, 11.0, UNSEEN),
        (Desk(), NEWS, 29.9, NEWS),
        (Desk(), NEWS, 30.0, None),
        (Desk(note=AGREES), NEWS, 30.0, AGREES),
        (desk_after(), NEWS, 11.0, NEWS),
        (PLAYING, NEWS, 11.0, NEWS),
        (desk_after(RoundEvent(), SHOWN_TURN), NEWS, 11.0, None),
        (REFUSED, NEWS, 11.0, None),
    ],
)
def test_news_stand_for_their_time_but_not_over_a_players_turn(
    desk: Desk, news: Note | None, now_s: float, shown: Note | None
) -> None:
    assert note_to_show(desk, news, now_s) == shown


@pytest.mark.parametrize(
    ("desk", "turn"), [(PLAYING, (Side.WHITE, 4, 23)), (Desk(), None), (replace(PLAYING, comparing=Comparing()), None)]
)
def test_a_turn_is_seen_only_where_one_can_be_played(desk: Desk, turn: tuple[Side, int, int] | None) -> None:
    found = open_turn(desk, seen(4, 23, "3a"), 308.0)
    assert (None if found is None else (found.player, found.spaces.white, found.spaces.black)) == turn


@pytest.mark.parametrize(
    ("moved", "remedies"),
    [
        (4, (Remedy(RemedyKind.MOVE_FIGURE, side=Side.WHITE, space=6),)),  # one space further makes it a turn
        (7, (Remedy(RemedyKind.MOVE_FIGURE, side=Side.WHITE, space=6),)),
        (1, (taken_off("5a"), WHITE_BACK)),  # back is nearer than on
        (0, (Remedy(RemedyKind.MOVE_FIGURE, side=Side.WHITE, space=6),)),  # the fencer was forgotten
    ],
)
def test_going_on_is_offered_where_it_is_shorter_than_going_back(moved: int, remedies: tuple[Remedy, ...]) -> None:
    event = turn("5a", 1 + moved, 23)
    desk, _ = rule(PLAYING, event, 1.0)
    assert {*to_put_right(desk, seen(1 + moved, 23, "5a"))} == {*remedies}
