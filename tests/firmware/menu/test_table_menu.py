"""The menu at a table: what is chosen happens to the match, is in the book, and holds while the menu is open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from display.menu.model import Key, Kind
from engine.cards import DECK, Card
from engine.corrections import Correction
from engine.events import MatchEvent
from engine.notes import NoteKind
from engine.observation import CardReading, FigureReading, Sight, TableObservation
from engine.state import Phase
from engine.track import BySide, Side
from firmware.book_copies import restore
from firmware.buttons import Button, Press
from firmware.config import load_config
from firmware.desk import EndTurn, Settings, take_up
from firmware.loop import Loop, People
from firmware.menu.by_hand import cards_of
from firmware.menu.choices import Choices, Chosen
from firmware.menu.machine import Companion, mounted
from firmware.menu.saved import save
from firmware.menu.table_menu import TableMenu
from firmware.scorebook import open_scorebook
from firmware.scorebook_file import NotKeptError
from vision.frame import Frame


class Looked:
    def __init__(self, table: TableObservation) -> None:
        self.table = table


class AtTheTable:
    """A table with a menu; the test lays cards, moves figures and presses the four buttons."""

    def __init__(self, folder: Path) -> None:
        self.t_s, self.since_s = 0.0, 0.0
        self.spaces, self.cards = BySide(1, 23), ""
        self.pressed: list[Button] = []
        self.calibration = None
        self.sight = Sight.STEADY
        self.tested = self.afresh = 0
        self.applied: list[tuple[str, str | int]] = []
        self.book = open_scorebook(folder / "book.sqlite")
        self.settings_file = folder / "menu.toml"
        myself: Any = self
        self.menu = TableMenu(myself)
        people = People(BySide("Ana", "Bo"), "en")
        journal = self.book.begin(people.names, mode="play")
        settings = Settings(settle_s=0.5, quiet_s=0.2)
        self.loop = Loop(myself, myself, self.menu, journal, [], settings, people, mode="play")
        machine = Companion(
            self.book,
            self.settings_file,
            eyes=lambda: myself,
            afresh=lambda: setattr(self, "afresh", self.afresh + 1),
            apply=lambda name, value: self.applied.append((name, value)),
            test=lambda: setattr(self, "tested", self.tested + 1),
            lamps=True,
            sound=False,
            stick_folders=(folder / "media",),
            mounts=lambda media: sorted(media.iterdir()) if media.is_dir() else [],
            power_off=("false",),
        )
        chosen = Chosen(80, "calls", ("calls", "all", "off"), "parchment", ("parchment",), "ferti-advanced", "lot", 7)
        self.choices = Choices(self.loop, machine, chosen)
        self.menu.serve(self.choices)

    def begin(self) -> AtTheTable:
        self.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 5))
        self.wait(1.0)
        assert self.loop.desk.state is not None
        assert self.loop.desk.state.phase is Phase.TURN
        return self

    # camera, eyes and buttons
    def read(self) -> Frame | None:
        self.t_s += 0.1
        return Frame(0, self.t_s, np.zeros((1, 1), np.uint8))

    def look(self, frame: Frame) -> Any:
        cards = tuple(CardReading(Card.parse(name), 300.0, -100.0, 0.0) for name in self.cards.split())
        figures = self.spaces.map(FigureReading)
        return Looked(TableObservation(frame.t_s, self.since_s, figures, cards, self.sight))

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed, self.pressed = self.pressed, []
        return tuple(Press(now_s, button) for button in pressed)

    # people
    def put(self, white: int, black: int, cards: str) -> None:
        self.spaces, self.cards, self.since_s = BySide(white, black), cards, self.t_s

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.loop.advance()

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.pressed.append(button)
            self.loop.advance()

    def go_to(self, *keys: str) -> None:
        """Open the menu and choose these lines, one page after the other, with the four buttons."""
        if self.menu.menu is None:
            self.press(Button.MENU)
        for key in keys:
            self.to(key)
            self.press(Button.MENU)

    def to(self, key: str) -> None:
        page = self.menu.page
        assert page is not None
        wanted = [item.key for item in page.items].index(key)
        assert self.menu.menu is not None
        while self.menu.menu.here.at != wanted:
            self.press(Button.BLACK)

    def set_to(self, key: str, value: str) -> None:
        """Adjust a line until it shows this value."""
        self.to(key)
        self.press(Button.MENU)
        for _ in range(60):
            page = self.menu.page
            assert page is not None
            item = next(item for item in page.items if item.key == key)
            assert item.kind is Kind.CHOICE
            if item.value == value:
                break
            self.press(Button.WHITE)
        else:
            raise AssertionError(f"{key} never showed {value}")
        self.press(Button.MENU)

    @property
    def state(self) -> Any:
        return self.loop.desk.state


@pytest.fixture
def at(tmp_path: Path) -> AtTheTable:
    return AtTheTable(tmp_path).begin()


def test_while_it_is_open_nothing_is_judged_and_no_press_is_the_games(at: AtTheTable) -> None:
    at.put(4, 23, "3a")
    at.go_to()
    at.press(Button.WHITE, Button.WHITE, Button.BLACK)
    at.wait(2.0)
    assert at.state.played == ()
    at.press(Button.UNDO)
    assert at.menu.menu is None
    at.press(Button.WHITE)
    at.wait(1.0)
    assert at.state.spaces == BySide(4, 23)


def test_a_pause_holds_until_any_button(at: AtTheTable) -> None:
    at.go_to("pause")
    assert at.loop.held
    at.put(4, 23, "3a")
    at.wait(2.0)
    assert at.state.played == ()
    at.press(Button.WHITE)  # ends the pause, and no more
    assert not at.loop.held
    at.wait(1.0)
    assert at.state.played == ()
    at.press(Button.WHITE)
    at.wait(1.0)
    assert at.state.played == (Card(3, "a"),)


def test_undo_says_what_it_takes_back(at: AtTheTable) -> None:
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    at.wait(1.0)
    at.go_to()
    at.to("undo")
    page = at.menu.page
    assert page is not None
    assert [item.note for item in page.items if item.key == "undo"] == ["Takes back: White advances 3."]
    at.press(Button.MENU)
    at.wait(0.1)
    assert (at.menu.menu, at.state.spaces, at.state.played) == (None, BySide(1, 23), ())


def test_a_turn_entered_by_hand_is_judged_and_kept(at: AtTheTable) -> None:
    at.cards = "3d"
    at.go_to("manual")
    at.set_to("to_white", "4")
    at.set_to("count_white_3", "1")
    at.go_to("turn")
    at.wait(0.1)
    assert (at.state.spaces, at.state.played) == (BySide(4, 23), (Card(3, "d"),))  # the one that lies there
    at.go_to("manual")
    at.set_to("to_black", "20")
    at.set_to("count_black_2", "1")
    at.go_to("turn")
    at.wait(0.1)
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == "Black's fencer moved 3, but the card says 2."
    assert [item.value for item in page.items if item.key == "to_black"] == ["20"]  # nothing has to be chosen twice
    at.set_to("to_black", "21")
    at.go_to("turn")
    at.wait(0.1)
    assert at.state.spaces == BySide(4, 21)
    (match,) = at.book.matches()
    assert at.book.replay(match.id).state == at.state


def test_a_whole_round_without_a_camera(tmp_path: Path) -> None:
    """The eyes see nothing at all: everything is entered, up to the hands at the end."""
    at = AtTheTable(tmp_path)
    at.sight = Sight.BLIND
    at.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 5))
    at.wait(1.0)
    assert at.state.phase is Phase.SETUP
    at.go_to("manual", "round")
    at.wait(0.1)
    assert at.state.phase is Phase.TURN
    white, black = 1, 23
    for value, side in ((5, "white"), (5, "black"), (4, "white"), (4, "black")):
        white, black = (white + value, black) if side == "white" else (white, black - value)
        at.go_to("manual")
        at.set_to(f"to_{side}", str(white if side == "white" else black))
        at.set_to(f"count_{side}_{value}", "1")
        at.go_to("turn")
        at.wait(0.1)
    assert at.state.spaces == BySide(10, 14)
    at.go_to("manual")
    at.set_to("count_white_4", "3")
    at.go_to("turn")
    at.wait(0.1)
    assert at.state.result.winner is Side.WHITE  # five 4s are played: nobody can parry


def test_giving_up_by_hand(at: AtTheTable) -> None:
    at.go_to("manual", "yield")
    at.wait(0.1)
    assert at.state.result.winner is Side.BLACK


def test_figures_score_and_cards_are_corrected_and_the_journal_says_why(at: AtTheTable) -> None:
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    at.wait(1.0)
    at.go_to("correct", "figures")
    at.set_to("space_white", "5")
    at.go_to("set_figures")
    at.wait(0.1)
    assert at.state.spaces == BySide(5, 23)
    at.go_to("correct", "score")
    at.set_to("score_black", "2")
    at.go_to("set_score")
    at.wait(0.1)
    assert at.state.score == BySide(0, 2)
    at.go_to("correct", "turn:1")
    at.set_to("card_1_0", "3c")
    at.go_to("replace:1")
    at.wait(0.1)
    assert at.state.played == (Card(3, "c"),)
    (match,) = at.book.matches()
    corrections = [row.event for row in at.book.replay(match.id).corrections]
    assert [isinstance(event, Correction) and event.why for event in corrections] == ["by hand, in the menu"] * 3


def test_a_correction_that_cannot_be_is_said_and_changes_nothing(at: AtTheTable) -> None:
    before = at.state
    at.go_to("correct", "figures")
    at.set_to("space_white", "23")
    at.go_to("set_figures")
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == "That cannot be: the record stays as it is. White stands left of Black."
    at.press(Button.UNDO)
    at.go_to("score")
    at.set_to("score_white", "5")
    at.go_to("set_score")
    page = at.menu.page
    assert page is not None
    assert page.lines[-1].endswith("5 points are reached only by winning a round.")
    assert at.state is before


def test_a_new_match_with_a_name_that_was_written(at: AtTheTable) -> None:
    at.go_to("start", "write:black")
    at.menu.write("Zoë")
    at.go_to("named:black")
    at.set_to("rules", "Ferti, classic")
    at.set_to("starter", "Black")
    at.set_to("points", "3")
    at.go_to("begin")
    at.wait(0.5)
    assert at.menu.menu is None
    assert (at.state.rules.name, at.state.points, at.state.starter) == ("ferti-classic", 3, Side.BLACK)
    assert [match.names for match in at.book.matches()] == [BySide("Ana", "Bo"), BySide("Ana", "Zoë")]
    at.go_to("start")
    page = at.menu.page
    assert page is not None
    assert [item.value for item in page.items if item.key == "name_black"] == ["Zoë"]


def test_two_players_are_two_people(at: AtTheTable) -> None:
    at.go_to("start", "write:black")
    at.menu.write("ANA")
    at.go_to("named:black")  # another spelling of Ana: Ana
    page = at.menu.page
    assert page is not None
    assert [item.value for item in page.items if item.key == "name_black"] == ["Ana"]
    at.go_to("begin")
    page = at.menu.page
    assert page is not None
    assert page.lines == ("White and Black need two different names.",)
    at.go_to("write:black")
    at.go_to("named:black")  # nothing was written: as it was
    assert at.loop.people.names == BySide("Ana", "Bo")


def test_without_a_match_any_press_leads_to_the_start_and_one_more_begins(tmp_path: Path) -> None:
    at = AtTheTable(tmp_path)
    at.wait(0.5)
    at.press(Button.WHITE)
    page = at.menu.page
    assert page is not None
    assert page.title == "New match"
    at.press(Button.MENU)
    at.wait(1.0)
    assert at.state.phase is Phase.TURN
    assert (at.state.rules.name, at.state.points) == ("ferti-advanced", 7)
    assert len(at.book.matches()) == 1


def test_a_match_that_is_over_is_followed_by_another_with_the_same_names(at: AtTheTable) -> None:
    at.loop.begin(at.book.begin(BySide("Ana", "Bo"), mode="play"), MatchEvent("ferti-classic", Side.BLACK, 1))
    at.wait(1.0)
    at.go_to("manual", "yield")
    at.wait(0.2)
    assert at.state.phase is Phase.MATCH_OVER
    assert at.loop.desk.ruling is not None
    at.press(Button.UNDO)  # the end may have been a mistake
    at.wait(0.2)
    assert at.state.phase is Phase.TURN
    at.go_to("manual", "yield")
    at.wait(0.2)
    at.press(Button.BLACK, Button.ACT)
    at.wait(1.0)
    assert (at.state.round, at.state.rules.name, at.state.points) == (1, "ferti-classic", 1)
    assert [match.names for match in at.book.matches()] == [BySide("Ana", "Bo")] * 3


def test_settings_are_in_force_at_once_and_kept(at: AtTheTable, tmp_path: Path) -> None:
    at.go_to("settings")
    at.set_to("volume", "30 %")
    at.set_to("end_turn", "by itself")
    at.set_to("language", "Deutsch")
    assert at.loop.people.language == "de"
    assert at.loop.settings.end_turn is EndTurn.AUTO
    assert ("volume", 30) in at.applied
    config = load_config(at.settings_file)
    assert (config.language, config.volume_percent, config.end_turn) == ("de", 30, "auto")
    page = at.menu.page
    assert page is not None
    assert page.title == "Einstellungen"


def test_a_setting_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save(tmp_path / "file" / "menu.toml", "sound", "volume_percent", 10)
    assert save(tmp_path / "menu.toml", "sound", "volume_percent", 10)
    assert save(tmp_path / "menu.toml", "players", "language", 'nl"\\')
    assert not list(tmp_path.glob("*.new"))


def test_looking_at_the_rest(at: AtTheTable) -> None:
    at.go_to("history")
    page = at.menu.page
    assert page is not None
    assert page.lines == ("No match was finished yet.",)
    at.press(Button.UNDO)
    at.go_to("health", "test")
    assert at.tested == 1
    page = at.menu.page
    assert page is not None
    assert page.lines[1:] == ("Lamps and buttons: works", "Sound: not there", "Book: 1 match")
    at.press(Button.UNDO)
    at.go_to("sight", "calibrate")
    assert at.afresh == 1
    at.press(Button.UNDO)
    at.go_to("care", "backup")
    page = at.menu.page
    assert page is not None
    assert page.lines == ("No stick was found: put one in and try again.",)
    at.press(Button.UNDO)
    at.go_to("off", "shut_down")
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == "The machine does not let itself be shut down from here."
    at.go_to("quit")
    assert at.loop.advance() is not None


def test_a_copy_on_a_stick_is_made_and_brought_back(at: AtTheTable, tmp_path: Path) -> None:
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    at.go_to("care", "backup")
    page = at.menu.page
    assert page is not None
    assert page.lines == ("Copied to STICK: 1 match.",)
    assert [item.text for item in page.items[1:]] == ["STICK: engarde-scorebook-0001"]
    at.go_to("backup")
    at.go_to("restore:0")
    page = at.menu.page
    assert page is not None
    assert page.lines[0] == "STICK: engarde-scorebook-0002"
    at.go_to("bring_back:0")
    assert at.choices.wanted == stick / "engarde-scorebook-0002.sqlite"
    frames = at.loop.frames
    at.loop.run()  # it was told to stop
    assert at.loop.frames == frames
    at.book.close()
    assert restore(at.book.path, at.choices.wanted).matches == 1


@pytest.mark.parametrize("how", ["pulled out", "damaged", "half written"])
def test_a_copy_that_cannot_be_read_changes_nothing(at: AtTheTable, tmp_path: Path, how: str) -> None:
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    copy = stick / "engarde-scorebook-0001.sqlite"
    at.go_to("care", "backup", "restore:0")
    if how == "pulled out":
        stick.rename(tmp_path / "gone")
        at.press(Button.MENU)
    else:
        data = copy.read_bytes()
        copy.write_bytes(data[:2000] if how == "half written" else data[:1000] + b"x" * 3000 + data[4000:])
        at.go_to("bring_back:0")
    page = at.menu.page
    assert page is not None
    if how != "pulled out":
        assert "This copy cannot be read: the book stays as it is." in page.lines
    assert at.choices.wanted is None
    assert at.loop.advance() is not None


def test_sticks_are_looked_for_where_nobody_else_is_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "somebody").mkdir()
    (tmp_path / "me" / "STICK").mkdir(parents=True)
    within = Path.iterdir

    def closed(path: Path) -> Iterator[Path]:
        if path.name == "somebody":
            raise PermissionError(13, "Permission denied")
        return within(path)

    monkeypatch.setattr(Path, "iterdir", closed)
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "STICK")
    assert mounted(tmp_path) == [tmp_path / "me" / "STICK"]
    assert mounted(tmp_path / "nowhere") == []


def test_touch_and_keyboard_do_the_same(at: AtTheTable) -> None:
    at.menu.open()
    page = at.menu.page
    assert page is not None
    at.menu.tap([item.key for item in page.items].index("settings"))
    at.menu.adjust(1, Key.MORE)
    assert ("volume", 90) in at.applied
    at.menu.write("nobody listens")
    at.menu.key(Key.BACK)
    at.menu.key(Key.BACK)
    assert at.menu.menu is None


def test_cards_named_by_value_are_the_ones_on_the_table_first() -> None:
    assert cards_of({3: 2, 1: 1}, (), (Card(3, "e"),)) == (Card(3, "e"), Card(3, "a"), Card(1, "a"))
    assert cards_of({3: 2}, (Card(3, "a"), Card(3, "b"))) == (Card(3, "c"), Card(3, "d"))
    taken = tuple(card for card in DECK if card.value == 3)[:4]
    assert cards_of({3: 2}, taken) == (Card(3, "e"),)


def test_a_match_that_cannot_be_written_down_does_not_begin(at: AtTheTable, monkeypatch: pytest.MonkeyPatch) -> None:
    before = at.state

    def full(*_: object) -> int:
        raise NotKeptError("the disk is full.")

    monkeypatch.setattr(at.book, "add", full)
    at.go_to("start", "write:white")
    at.menu.write("Zoë")
    at.go_to("named:white", "begin")
    moment = at.loop.advance()
    assert moment is not None
    assert moment.trouble == "the disk is full."
    assert (at.state, at.loop.people.names) == (before, BySide("Ana", "Bo"))
    monkeypatch.undo()
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    at.wait(1.0)  # the match so far goes on, in its own journal
    assert at.state.spaces == BySide(4, 23)
    (match,) = at.book.matches()
    assert at.book.replay(match.id).state == at.state


def test_a_match_to_eleven_is_followed_by_one_to_eleven(at: AtTheTable) -> None:
    at.loop.begin(at.book.begin(BySide("Ana", "Bo"), mode="play"), MatchEvent("ferti-classic", Side.BLACK, 10**9))
    at.wait(1.0)
    at.go_to("correct", "score")
    at.set_to("score_white", "3")
    at.go_to("set_score")
    at.wait(0.5)
    assert at.state.score == BySide(3, 0)
    at.go_to("start", "begin")
    at.wait(0.5)
    assert at.state.points == 10**9


def test_a_press_that_waited_for_the_eyes_is_over_with_the_menu(at: AtTheTable) -> None:
    at.sight = Sight.BLIND
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    assert at.loop.desk.waiting is not None
    at.go_to("pause")
    at.sight = Sight.STEADY
    at.press(Button.WHITE)
    at.wait(2.0)
    assert at.state.played == ()


def test_news_wait_until_the_menu_is_closed(tmp_path: Path) -> None:
    at = AtTheTable(tmp_path)
    at.choices._chosen = replace(at.choices._chosen, starter="black")
    at.loop.announce(NoteKind.BOOK_SALVAGED, 12)
    at.menu.open_start()
    at.wait(30.0)
    at.press(Button.MENU)
    moment = at.loop.advance()
    assert moment is not None
    assert "12" in moment.view.verdict.headline
    at.wait(5.0)
    moment = at.loop.advance()
    assert moment is not None
    assert at.state.phase is Phase.TURN
    assert "12" in moment.view.verdict.headline
    at.put(1, 20, "3a")
    at.press(Button.BLACK)
    at.wait(1.0)
    moment = at.loop.advance()
    assert moment is not None
    assert "12" not in moment.view.verdict.headline


def test_a_name_that_was_typed_is_taken_with_one_key(at: AtTheTable) -> None:
    at.go_to("start", "write:white")
    for letter in "\x07Zo\u202eé \U0001f600":
        at.menu.write(letter)
    at.menu.key(Key.CHOOSE)
    page = at.menu.page
    assert page is not None
    assert [item.value for item in page.items if item.key == "name_white"] == ["Zoé \U0001f600"]


def test_figures_are_not_offered_where_they_cannot_be_set(at: AtTheTable) -> None:
    at.go_to("manual", "yield")
    at.wait(0.1)
    assert at.state.phase is Phase.ROUND_OVER
    at.go_to("correct")
    page = at.menu.page
    assert page is not None
    assert [item.key for item in page.items] == ["score", "turn:1"]


def three_turns(at: AtTheTable) -> None:
    for side, white, black, cards in (("white", 4, 23, "3a"), ("black", 4, 21, "3a 2a"), ("white", 9, 21, "3a 2a 5b")):
        at.put(white, black, cards)
        at.press(Button.WHITE if side == "white" else Button.BLACK)
        at.wait(1.0)
    assert at.state.spaces == BySide(9, 21)


def test_turns_that_would_fall_are_named_before_they_do(at: AtTheTable) -> None:
    three_turns(at)
    at.go_to("correct", "turn:1", "remove:1")
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == (
        "If that is right, choose it again. These 2 turns would no longer hold: Black advances 2; White advances 5."
    )
    assert len(at.state.played) == 3
    at.press(Button.UNDO)  # to the turns, and not this one after all
    at.go_to("turn:3", "remove:3")  # nothing follows it: nothing falls
    at.wait(0.1)
    assert (at.menu.menu, len(at.state.played)) == (None, 2)
    at.go_to("correct", "turn:1", "remove:1", "remove:1")
    at.wait(0.1)
    assert at.state.played == ()
    course = at.loop.desk.course
    assert course is not None
    assert [fallen.turn for fallen in course.fallen] == [2]


def test_a_correction_the_rules_do_not_allow_says_why(at: AtTheTable) -> None:
    three_turns(at)
    before = at.state
    at.go_to("correct", "turn:3")
    at.set_to("card_3_0", "2a")
    at.go_to("replace:3")
    page = at.menu.page
    assert page is not None
    assert page.lines[-1].startswith("That cannot be: the record stays as it is. ")
    assert "2a" in page.lines[-1]
    assert at.state is before


def test_only_what_happened_by_hand_ends_the_comparison(at: AtTheTable) -> None:
    three_turns(at)
    at.sight = Sight.BLIND
    at.loop.resume(take_up(at.loop.desk.course))  # type: ignore[arg-type]
    at.wait(1.0)
    at.go_to("undo")
    at.wait(0.1)
    assert at.state.spaces == BySide(4, 21)
    assert at.loop.desk.comparing is not None
    at.go_to("manual")
    at.set_to("to_white", "5")
    at.set_to("count_white_1", "1")
    at.go_to("turn")
    at.wait(0.1)
    assert at.loop.desk.comparing is None
