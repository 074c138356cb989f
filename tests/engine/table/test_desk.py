"""The desk: presses and observations in, events out, with nothing guessed and no press unanswered.

Stories of a table as text, a line for each thing that is done there (``AtTheTable.did``): what is ruled, noted and
proposed then. ``begun``: how a round begins; ``ruled``: presses and what they end; ``asked_about``: cards that nobody
read; ``compared``: a match that is taken up again; ``offered``: a turn that the eyes cannot see. What a story cannot
say is told here, in the words of ``AtTheTable.tell``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from engine.record.corrections import Correction, CorrectionError, Remove, Setting
from engine.record.course import follow
from engine.rules.cards import DECK, Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, YieldEvent, event_to_json
from engine.rules.referee import judge
from engine.rules.rulings import Remedy, RemedyKind
from engine.rules.state import Phase, Reason, Result
from engine.rules.track import BySide, Side
from engine.table.comparison import Comparing, compare
from engine.table.desk import Desk, Entry, enter, open_match, rule, ruled_to_json
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Button, Note, NoteKind, Press
from engine.table.shown import note_to_show, open_turn, to_put_right
from engine.table.step import hold
from tests.engine.table.conftest import MATCH, AtTheTable, Partly, Resumed, at_play, laid, told
from tests.matches import turn
from tests.scenes import ChangingScene, played, scenes

NO_CARDS: Final = "! no_cards"


def test_none_begins_before_blind_eyes() -> None:
    at = AtTheTable()
    at.see(Why.GLARE, Sight.BLIND)
    at.tell("+2")


def test_who_gives_up_has_lost(table: AtTheTable) -> None:
    table.tell(f"white = {NO_CARDS}", "white+0 = yield")
    assert table.state.result == Result(Side.BLACK, Reason.NO_LEGAL_MOVE)


def test_what_could_not_be_written_down_waits_for_a_press(table: AtTheTable) -> None:
    """A disk that is full is not asked again with every frame."""
    table.tell("auto", "3a 4-23", "+0.2")
    table.desk = replace(table.desk, note=Note(NoteKind.NOT_KEPT, table.t_s, hold_s=3.0))
    table.tell("+5", "act+0 = 3a 4-23")


def test_two_shown_hands_are_compared_without_a_press(table: AtTheTable) -> None:
    """Fifteen quiet moves end three apart with two 3s unseen."""
    names = "4a 4b 4c 4d 1a 1b 1c 1d 2a 2b 2c 2d 3a 3b 3c"
    spaces, side = table.state.spaces, Side.WHITE
    for name, move in zip(names.split(), (4, 4, 4, 4, 1, -1, -1, 1, -2, 2, 2, -2, -3, 3, 3), strict=True):
        spaces, side = spaces.put(side, spaces[side] + side.forward * move), side.other
        at = f"{name} {spaces.white}-{spaces.black}"
        table.tell(at, f"act = {at}")
    phase = table.state.phase
    assert phase is Phase.REVEAL
    hands, left = table.state.hands, [str(card) for card in DECK if card not in table.state.played]
    table.lay(*left[: hands.white], x_mm=150.0)
    table.tell("+3")
    table.lay(*left[hands.white : hands.white + hands.black], x_mm=450.0)
    table.tell("+1.5 = reveal")
    assert table.state.phase is Phase.ROUND_OVER


def test_a_card_that_was_entered_by_hand_and_comes_in_sight_is_laid_in_nobodys_turn(table: AtTheTable) -> None:
    table.stand(4, 23)
    table.desk, _ = enter(table.desk, turn("3a", 4, 23), table.t_s)
    table.tell("+1", "3a 4-19", f"black = {NO_CARDS}")


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


# Cards that nobody read are asked about.


def test_one_that_was_asked_about_by_itself_is_not_asked_about_again(table: AtTheTable) -> None:
    table.tell("auto", "3a 4-23", "glimpse 5b", "+2.2 ? card_unsure 5b")
    table.desk = replace(table.desk, note=None)
    table.tell("+5 ? -")


ATTACKED: Final = turn("5d", 6, 23), turn("5e", 6, 18), turn("5a", 11, 18)


def test_an_attack_is_judged_with_all_its_cards_although_fewer_would_be_legal(table: AtTheTable) -> None:
    table.played(*ATTACKED, turn("2a", 11, 16))
    table.tell("+1", "5b 5c", "cover 5b", "+1", "white = 5b 5c 11-16")


def test_an_attack_that_moves_nobody_is_asked_about_by_itself_too(table: AtTheTable) -> None:
    table.played(*ATTACKED, turn("2a", 11, 16))
    table.tell("auto", "glimpse 1e", "+3 ? -", "5b", "+3 ? card_unsure 1e", "clear", "+3 = 5b 11-16")


# A turn the eyes cannot see.


def test_between_rounds_and_while_eyes_see_nothing_is_offered() -> None:
    table = Partly()
    table.tell("see", "+9")
    assert table.desk.unseen is None
    table.desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    table.see(Why.HAND)
    table.wait(9.0)
    assert table.desk.unseen is not None
    assert not table.desk.unseen.due


def test_a_pause_forgets_it() -> None:
    table = Partly()
    table.tell("+8.5", "white+0 > 4a 8-15")
    held = hold(table.desk)
    assert (held.offer, held.unseen, held.waiting) == (None, None, None)
    assert hold(held) is held
    assert replace(table.desk, offer=None, unseen=None, waiting=None) == held
    unseen, offer, press = table.desk.unseen, table.desk.offer, Press(table.t_s, Button.WHITE)
    for alone in (replace(held, offer=offer), replace(held, unseen=unseen), replace(held, waiting=press)):
        assert hold(alone) == held != alone


# A match taken up again, or corrected: before the note it says whether the table is still compared.

TABLE_AGREES: Final = "+1.5 ? playing table_agrees"
DIFFERS: Final = "+1.5 ? comparing -"


def test_a_bounce_is_no_second_press() -> None:
    at = Resumed()
    at.tell("6-19", DIFFERS)
    at.look(Button.BLACK, Button.BLACK)
    at.tell(DIFFERS, "black+0 ? playing -")
    assert at.state.spaces == BySide(4, 19)


@pytest.mark.parametrize(("events", "told"), [(MATCH[:1], "-"), ((*MATCH, YieldEvent()), "table_agrees")])
def test_between_rounds_the_table_is_set_up_anyway(events: tuple[Event, ...], told: str) -> None:
    Resumed(*events).tell("lain 1a 1b", "7-8", f"+1.5 ? playing {told}", "take", "1-23", "+3 = round")


def test_after_a_lesson_no_button_puts_what_it_left_into_the_match() -> None:
    at = Resumed(after_lesson=True)
    before = at.desk.course
    at.tell("5a 9-19")  # as a legal turn would leave it
    for button in ("white", "black", "black", "act", "white"):
        at.tell("+1.5", f"{button}+0")
    at.tell("+10 ? comparing -", "4-19", "+1.5 ? comparing -")  # one of its cards still lies there
    at.tell("take 5a", TABLE_AGREES)
    assert at.desk.course is before


def test_after_a_lesson_the_match_can_be_corrected_to_the_table_in_the_menu() -> None:
    at = Resumed(after_lesson=True)
    at.tell("6-19", "+1.5")
    at.corrected(Setting(BySide(5, 19)))
    at.tell("+1.5", "white ? comparing -")
    at.corrected(Setting(BySide(6, 19)))
    at.tell("+1.5 ? playing -")
    assert at.state.spaces == BySide(6, 19)


def test_a_correction_that_no_longer_can_be_made_is_answered() -> None:
    at = Resumed()
    at.tell(TABLE_AGREES)
    at.corrected(Remove(7))
    at.tell("+0.1 ? playing correction_refused")
    with pytest.raises(CorrectionError):
        follow(at.desk.course, Correction((Remove(7),), "misread"))


# Stories.


TABLES: Final[dict[str, Callable[[], AtTheTable]]] = {
    "begun": AtTheTable,
    "ruled": at_play,
    "asked_about": at_play,
    "compared": Resumed,
    "offered": Partly,
}
FILES: Final = {name: Path(__file__).with_name("stories") / f"{name}.txt" for name in TABLES}


class Story(ChangingScene):
    def __init__(self, at: AtTheTable) -> None:
        self.at = at
        self.fell: list[str] = []

    def facts(self) -> Iterator[tuple[str, object]]:
        yield "ruled", self.fell
        yield "note", self.at.noted
        yield "proposed", self.at.proposed and laid(self.at.proposed)

    def carry_out(self, word: str, *rest: str) -> None:
        self.fell = [told(entry) for entry in self.at.did((word, *rest))]


@pytest.mark.parametrize(
    ("name", "scene"),
    [pytest.param(name, *each.values, id=f"{name}: {each.id}") for name in FILES for each in scenes(FILES[name])],
)
def test_it_goes_as_told(name: str, scene: str, request: pytest.FixtureRequest) -> None:
    assert played(FILES[name], scene, Story(TABLES[name]()), request) == scene
