"""The loop and its book: corrections from a menu, a disk that fails in the middle, news on the screen."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from display.view import Situation
from engine.record.corrections import Correction, Replace, Setting
from engine.record.course import JournalEntry
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.rulings import Ruling
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, EndTurn, Settings
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation
from engine.table.presses import Button, NoteKind, Press
from firmware.book.scorebook.book import MatchJournal, open_scorebook
from firmware.book.scorebook.file import NotKeptError, ScorebookError
from firmware.table.loop.loop import NEWS_S, Loop
from firmware.table.loop.moment import Audience, Helper, Moment, People
from firmware.table.loop.requests import (
    MENU,
    PAUSE,
    Agree,
    Announce,
    Begin,
    Compare,
    EndTurns,
    Enter,
    Hold,
    LookAfresh,
    Release,
    Request,
    Stop,
    TakeUp,
    Watch,
    note_of,
    request_of,
)
from firmware.ui.screen.printers import TroublePrinter, VerdictPrinter
from tests.matches import turn
from vision.frame import Frame
from vision.look import Drawn


class Look:
    def __init__(self, table: TableObservation) -> None:
        self.table = table


class Hands:
    """Camera, eyes and buttons of a table that the test lays."""

    def __init__(self) -> None:
        self.t_s, self.since_s = 0.0, 0.0
        self.spaces, self.cards = BySide(1, 23), ""
        self.pressed: list[Button] = []

    def put(self, white: int, black: int, cards: str) -> None:
        self.spaces, self.cards, self.since_s = BySide(white, black), cards, self.t_s

    def read(self) -> Frame | None:
        self.t_s += 0.1
        return Frame(0, self.t_s, np.zeros((1, 1), np.uint8))

    def close(self) -> None:
        pass

    def look(self, frame: Frame) -> Any:
        cards = tuple(CardReading(Card.parse(name), 300.0, -100.0, 0.0) for name in self.cards.split())
        figures = self.spaces.map(FigureReading)
        return Look(TableObservation(frame.t_s, self.since_s, figures, cards, Sight.STEADY))

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed, self.pressed = self.pressed, []
        return tuple(Press(now_s, button) for button in pressed)


@dataclass
class Dated:
    """The same eyes, with looks that can be replaced."""

    hands: Hands

    def look(self, frame: Frame) -> Any:
        return Sifted(self.hands.look(frame).table)


@dataclass
class Sifted:
    table: TableObservation
    detections: Drawn = field(default_factory=Drawn)


class FailingJournal:
    """A journal on a disk that can be full."""

    def __init__(self, journal: MatchJournal) -> None:
        self._journal = journal
        self.full: ScorebookError | None = None
        self.asked = 0

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        self.asked += 1
        if self.full is not None:
            raise self.full
        self._journal.append(entry, ruling, t_s)


class Table:
    """A loop with its book, its printers and every moment it showed."""

    def __init__(self, path: Path) -> None:
        self.hands = Hands()
        self.book = open_scorebook(path)
        self.journal = FailingJournal(self.book.begin(BySide("Ana", "Bo"), mode="play"))
        self.verdicts, self.errors = io.StringIO(), io.StringIO()
        settings = Settings(settle_s=0.5, quiet_s=0.3)
        printers: list[Audience] = [VerdictPrinter(self.verdicts), TroublePrinter(self.errors), self]
        people = People(BySide("Ana", "Bo"), "en")
        hands: Any = self.hands
        self.loop = Loop(hands, hands, hands, self.journal, printers, settings, people, mode="play")
        self.moments: list[Moment] = []
        self.loop.open(MatchEvent("ferti-advanced"))
        self.run(1.0)

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)

    def run(self, for_s: float = 1.0) -> Moment:
        for _ in range(round(for_s / 0.1)):
            self.loop.advance()
        return self.moments[-1]

    def turn(self, white: int, black: int, cards: str) -> Moment:
        self.hands.put(white, black, cards)
        self.run()
        self.hands.pressed.append(Button.ACT)
        return self.run()

    @property
    def kept(self) -> list[JournalEntry]:
        return [row.event for row in self.book.replay(1).rows]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    at = Table(tmp_path / "book.sqlite")
    with at.book:
        yield at


def test_a_turn_that_cannot_be_written_down_did_not_happen_and_is_asked_for_again(table: Table) -> None:
    table.journal.full = NotKeptError("the scorebook book.sqlite: the disk is full; make room and start again.")
    before = table.loop.desk.state
    moment = table.turn(4, 23, "3a")
    assert table.loop.desk.state == before
    assert moment.view.verdict.headline == "This couldn’t be saved, so it doesn’t count."
    assert moment.view.piste.to_act is not None
    assert "the disk is full" in table.errors.getvalue()
    assert table.kept == [MatchEvent("ferti-advanced"), RoundEvent()]
    assert all(not each.entries for each in table.moments[-10:]), "nobody was shown a verdict"
    table.journal.full = None
    table.hands.pressed.append(Button.ACT)
    table.run()
    assert table.kept[-1] == turn("3a", 4, 23)


@pytest.mark.slow
def test_a_full_disk_is_not_asked_again_with_every_frame(table: Table) -> None:
    table.turn(4, 23, "3a")
    table.hands.pressed += [Button.ACT]
    table.run()
    table.hands.pressed += [Button.ACT]  # nothing laid, pressed twice: Black gives up
    table.run()
    table.journal.full = NotKeptError("full")
    asked = table.journal.asked
    table.hands.put(1, 23, "")  # the next round begins by itself
    moment = table.run(20.0)
    assert table.journal.asked == asked + 1
    assert moment.view.verdict.headline.startswith("This couldn’t be saved")
    table.journal.full = None
    table.hands.pressed.append(Button.ACT)
    table.run()
    assert isinstance(table.kept[-1], RoundEvent)


def test_another_program_at_the_same_match_ends_this_one(table: Table) -> None:
    table.journal.full = ScorebookError("another program is playing it")
    with pytest.raises(ScorebookError, match="another program"):
        table.turn(4, 23, "3a")


def test_a_correction_is_asked_for(table: Table) -> None:
    table.turn(4, 23, "3a")
    table.turn(4, 19, "3a 4a")
    correction = Correction((Replace(1, turn("3e", 4, 23)),), "misread")
    table.loop.ask(Enter(correction))
    moment = table.run(0.1)
    assert [entry.event for entry in moment.entries] == [correction]
    assert table.kept[-1] == correction
    moment = table.run()
    assert moment.view.verdict.headline == "The table differs from the record"
    assert "3a" in moment.view.verdict.detail
    table.hands.put(4, 19, "3e 4a")
    moment = table.run()
    assert moment.view.verdict.headline == "Corrected"
    assert moment.view.verdict.detail == "Everything after it is still valid."
    table.turn(9, 19, "3e 4a 5a")
    *_, last = table.kept
    assert last == turn("5a", 9, 19)
    printed = table.verdicts.getvalue()
    assert "Compare: The table differs from the record" in printed
    assert "Take back card 3a" in printed


@pytest.mark.slow
def test_news_of_the_book_stay_on_the_screen_for_a_while(table: Table) -> None:
    table.loop.ask(Announce(NoteKind.BOOK_SALVAGED, 12))
    assert table.run(0.1).view.verdict.headline == "The scorebook was damaged: 12 matches were saved"
    table.hands.put(1, 23, "1a")
    assert table.run(NEWS_S - 1).view.verdict.headline.startswith("The scorebook was damaged")
    table.hands.put(1, 23, "")
    assert not table.run(3.0).view.verdict.headline.startswith("The scorebook was damaged")


def test_news_wait_until_nobody_holds_the_game(table: Table) -> None:
    table.loop.ask(Hold(MENU), Announce(NoteKind.BOOK_LOST))
    for holders in (frozenset({MENU, PAUSE}), frozenset({PAUSE})):
        table.loop.ask(Hold(PAUSE) if MENU in holders else Release(MENU))
        moment = table.run(0.3)
        assert (table.loop.held, moment.held) == (holders, True)
        assert moment.desk.note is None
    table.loop.ask(Release(PAUSE))
    table.run(0.1)
    note = table.run(0.1).desk.note
    assert note is not None
    assert note.kind is NoteKind.BOOK_LOST


def test_nothing_is_judged_while_anybody_holds_the_game_but_for_what_is_entered(table: Table) -> None:
    table.loop.ask(Hold(MENU))
    before = table.loop.desk.state
    assert table.turn(4, 23, "3a").desk.state == before
    table.loop.ask(Enter(turn("3a", 4, 23)))
    (entry,) = table.run(0.1).entries
    assert (entry.event, entry.ruling.ok, entry.by_hand) == (turn("3a", 4, 23), True, True)


def test_a_new_match_is_of_two_who_have_agreed_to_nothing(table: Table) -> None:
    table.loop.ask(Agree(("help",)))
    table.run(0.1)
    assert table.loop.people.agreed == ("help",)
    table.loop.ask(Begin(MatchEvent("ferti-classic")))
    table.run(0.1)
    people = table.loop.people
    assert (people.names, people.agreed) == (BySide("Ana", "Bo"), ())


def test_whoever_stops_it_leaves_what_else_was_asked_for_until_it_goes_on(table: Table) -> None:
    frames = table.loop.frames
    table.loop.ask(Hold(MENU), Stop(), Hold(PAUSE))
    assert table.loop.advance() is None
    assert not table.loop.over  # it was stopped: the camera has more to show
    assert (table.loop.frames, table.loop.held) == (frames, frozenset())
    assert table.loop.advance() is not None
    assert table.loop.held == {MENU, PAUSE}


class Second(Helper):
    """Hears what the first one leaves of the presses, sees what he leaves of the table, and adds after him."""

    def __init__(self, name: str, told: list[str]) -> None:
        super().__init__()
        self._name, self._told = name, told

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        self._told.append(f"{self._name} hears {len(presses)}")
        return presses[1:]

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        self._told.append(f"{self._name} sees {len(seen.cards)}")
        return replace(seen, cards=seen.cards[1:])

    def advise(self, situation: Situation, look: Any, desk: Desk) -> Situation:
        return replace(situation, helped=replace(situation.helped, spoken=f"{situation.helped.spoken} {self._name}"))


def test_helpers_stand_in_a_row(table: Table) -> None:
    told: list[str] = []
    table.loop.helpers = (*table.loop.helpers, Second("Ada", told), Second("Bob", told), Helper())
    table.hands.put(1, 23, "3a 4a 5a")
    table.hands.pressed += [Button.ACT, Button.MENU]
    table.loop.eyes = Dated(table.hands)  # type: ignore[assignment]
    moment = table.run(0.1)
    assert told == ["Ada sees 3", "Bob sees 2", "Ada hears 2", "Bob hears 1"]
    assert len(moment.look.table.cards) == 1
    assert moment.view.heard.spoken == " Ada Bob"


def test_it_counts_the_frames_it_looked_at_and_no_call_that_brought_none(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, looked = table.loop.frames, len(table.moments)
    assert before == looked
    table.run(0.7)
    assert (table.loop.frames - before, len(table.moments) - looked) == (7, 7)
    monkeypatch.setattr(table.hands, "read", lambda: None)  # the camera has ended
    assert table.loop.advance() is None
    assert table.loop.frames == before + 7


MATCH = MatchEvent("ferti-classic", Side.BLACK, 3)


@pytest.mark.parametrize(
    ("request_", "note"),
    [
        (Enter(RoundEvent()), {"enter": {"event": "round"}}),
        (
            Enter(TurnEvent((Card.parse("3b"),), 4, 23)),
            {"enter": {"event": "turn", "cards": ["3b"], "white": 4, "black": 23}},
        ),
        (
            Enter(Correction((Setting(score=BySide(1, 0)),), "by hand")),
            {
                "enter": {
                    "event": "correct",
                    "changes": [{"change": "set", "score": {"white": 1, "black": 0}}],
                    "why": "by hand",
                }
            },
        ),
        (
            Begin(MATCH),
            {"begin": {"match": {"event": "match", "rules": "ferti-classic", "starter": "black", "points": 3}}},
        ),
        (
            Begin(MATCH, BySide("Ana", "Bo")),
            {
                "begin": {
                    "match": {"event": "match", "rules": "ferti-classic", "starter": "black", "points": 3},
                    "names": {"white": "Ana", "black": "Bo"},
                }
            },
        ),
        (Hold(PAUSE), {"hold": "pause"}),
        (Release(PAUSE), {"release": "pause"}),
        (EndTurns(EndTurn.AUTO), {"end_turn": "auto"}),
        (Agree(("help", "open")), {"agreed": ["help", "open"]}),
        (LookAfresh(), {"afresh": True}),
        (Compare(), {"compare": True}),
    ],
)
def test_a_request_is_a_note_and_a_note_the_request(request_: Request, note: dict[str, Any]) -> None:
    assert note_of(request_) == note
    assert request_of(json.loads(json.dumps(note))) == request_


@pytest.mark.parametrize("request_", [Stop(), TakeUp(Desk()), Watch(()), Announce(NoteKind.BOOK_LOST)])
def test_what_changes_no_ruling_is_not_noted(request_: Request) -> None:
    assert note_of(request_) is None


@pytest.mark.parametrize("note", [{"press": {"t": 1.0, "button": "white"}}, {"of a later program": 1}])
def test_other_notes_are_no_requests(note: dict[str, Any]) -> None:
    assert request_of(note) is None


@pytest.mark.parametrize(
    "note", [{}, {"enter": {"event": "dance"}}, {"begin": {"match": {"event": "round"}}}, {"begin": {}}]
)
def test_what_was_never_asked_for_is_refused(note: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        request_of(note)
