"""The loop and its book: corrections from a menu, a disk that fails in the middle, news on the screen."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.record.corrections import Correction, CorrectionError, Replace
from engine.record.course import JournalEntry
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.rulings import Ruling
from engine.rules.track import BySide
from engine.table.desk import Settings
from engine.table.notes import NoteKind
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation
from engine.table.presses import Button, Press
from firmware.loop.loop import NEWS_S, Loop
from firmware.loop.moment import Moment, People
from firmware.scorebook.book import MatchJournal, open_scorebook
from firmware.scorebook.file import NotKeptError, ScorebookError
from firmware.screen.printers import TroublePrinter, VerdictPrinter
from vision.frame import Frame


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
        return Frame(np.zeros((1, 1), np.uint8), self.t_s, 0)

    def close(self) -> None:
        pass

    def look(self, frame: Frame) -> Any:
        cards = tuple(CardReading(Card.parse(name), 300.0, -100.0, 0.0) for name in self.cards.split())
        figures = self.spaces.map(FigureReading)
        return Look(TableObservation(frame.t_s, self.since_s, figures, cards, Sight.STEADY))

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed, self.pressed = self.pressed, []
        return tuple(Press(now_s, button) for button in pressed)


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
        printers = [VerdictPrinter(self.verdicts), TroublePrinter(self.errors), self]
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


def turn(names: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(tuple(Card.parse(name) for name in names.split()), white, black)


def test_a_turn_that_cannot_be_written_down_did_not_happen_and_is_asked_for_again(table: Table) -> None:
    table.journal.full = NotKeptError("the scorebook book.sqlite: the disk is full; make room and start again.")
    before = table.loop.desk.state
    moment = table.turn(4, 23, "3a")
    assert table.loop.desk.state == before
    assert moment.view.verdict.headline == "This could not be written down, so it does not count."
    assert moment.view.to_act is not None
    assert "the disk is full" in table.errors.getvalue()
    assert table.kept == [MatchEvent("ferti-advanced"), RoundEvent()]
    assert all(not each.entries for each in table.moments[-10:]), "nobody was shown a verdict"
    table.journal.full = None
    table.hands.pressed.append(Button.ACT)
    table.run()
    assert table.kept[-1] == turn("3a", 4, 23)


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
    assert moment.view.verdict.headline.startswith("This could not be written down")
    table.journal.full = None
    table.hands.pressed.append(Button.ACT)
    table.run()
    assert isinstance(table.kept[-1], RoundEvent)


def test_another_program_at_the_same_match_ends_this_one(table: Table) -> None:
    table.journal.full = ScorebookError("another program is playing it")
    with pytest.raises(ScorebookError, match="another program"):
        table.turn(4, 23, "3a")


def test_a_menu_previews_a_correction_and_asks_for_it(table: Table) -> None:
    table.turn(4, 23, "3a")
    table.turn(4, 19, "3a 4a")
    correction = Correction((Replace(1, turn("3e", 4, 23)),), "misread")
    assert table.loop.preview(correction).fallen == ()
    with pytest.raises(CorrectionError, match="no turn 7"):
        table.loop.preview(Correction((Replace(7, turn("3e", 4, 23)),), "misread"))
    assert len(table.kept) == 4, "a preview writes nothing"
    table.loop.correct(correction)
    moment = table.run(0.1)
    assert [entry.event for entry in moment.entries] == [correction]
    assert table.kept[-1] == correction
    moment = table.run()
    assert moment.view.verdict.headline == "The table differs from the record"
    assert "3a" in moment.view.verdict.detail
    table.hands.put(4, 19, "3e 4a")
    moment = table.run()
    assert moment.view.verdict.headline == "Corrected"
    assert moment.view.verdict.detail == "Everything after it still holds."
    table.turn(9, 19, "3e 4a 5a")
    assert table.kept[-1] == turn("5a", 9, 19)
    printed = table.verdicts.getvalue()
    assert "Compare: The table differs from the record" in printed
    assert "Take back card 3a" in printed


def test_news_of_the_book_stay_on_the_screen_for_a_while(table: Table) -> None:
    table.loop.announce(NoteKind.BOOK_SALVAGED, 12)
    assert table.run(0.1).view.verdict.headline == "The scorebook was damaged: 12 matches were saved"
    table.hands.put(1, 23, "1a")
    assert table.run(NEWS_S - 1).view.verdict.headline.startswith("The scorebook was damaged")
    table.hands.put(1, 23, "")
    assert not table.run(3.0).view.verdict.headline.startswith("The scorebook was damaged")
