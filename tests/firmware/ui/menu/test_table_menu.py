"""The menu at a table: what is chosen happens to the match, is in the book, and holds while the menu is open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest

from display.i18n import LANGUAGES, words
from display.menu.board import GivenUp
from display.menu.lines import Act, Goto, Line, Of, Pick
from display.menu.model import Key, Menu, MenuPlace
from engine.record.corrections import Correction
from engine.record.notation import parse_record
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, take_up
from engine.table.notes import NoteKind
from engine.table.observation import Doubt, DoubtReason, Sight, Why
from engine.table.presses import Button
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.copies import restore
from firmware.book.scorebook.file import NotKeptError
from firmware.book.scorebook.modes import SIMULATED
from firmware.core.config import SETTINGS, load_config, save
from firmware.table.loop.requests import PAUSE, RETELLING, Announce, Begin, Enter, LookAfresh, TakeUp
from firmware.ui.coach.coach import Coach, Mode
from firmware.ui.menu.errand import Making
from firmware.ui.menu.table_menu import STRAY_S, TableMenu
from tests.display.menu_showcase import MenuContext, page_of
from tests.firmware.ui.scene_table import machine_of
from vision.camera.settling import Settling
from vision.frame import GONE
from vision.printed.table import PlayArea

GIVE_UP = Act("way", GivenUp.GIVEN_UP.value)


def test_while_it_is_open_nothing_is_judged_and_no_press_is_the_games(at: Any) -> None:
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


def test_a_pause_holds_until_any_button(at: Any) -> None:
    at.go_to(Act("pause"))
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


def test_undo_says_what_it_takes_back(at: Any) -> None:
    at.play(4, 23, "3a")
    at.go_to()
    at.to(Act("undo"))
    assert [item.note for item in at.page.items if item.key == Act("undo")] == ["Undoes: Ana advances 3."]
    at.press(Button.MENU)
    at.wait(0.1)
    assert (at.menu.menu, at.state.spaces, at.state.played) == (None, BySide(1, 23), ())


def test_a_turn_entered_by_hand_is_judged_and_kept(at: Any) -> None:
    at.lay("3d")
    at.by_hand(Act("lay", 3), Act("turn"))  # White stands on 1: the three can only have been an advance
    assert (at.state.spaces, at.state.played) == (BySide(4, 23), (Card(3, "d"),))  # the one that lies there
    at.by_hand(Act("lay", 2), Act("turn"))
    assert at.state.spaces == BySide(4, 21)
    assert at.kept_state == at.state


def test_giving_up_by_hand_is_asked_once_more(at: Any) -> None:
    at.by_hand(GIVE_UP, Act("turn"))
    at.wait(0.1)
    assert at.state.result.winner is Side.BLACK


def test_figures_score_and_cards_are_corrected_and_the_journal_says_why(at: Any) -> None:
    at.play(4, 23, "3a")
    at.go_to(Goto.CORRECT, Goto.FIGURES)
    at.set_to(Of(Pick.SPACE, Side.WHITE), "5")
    at.go_to(Act("set_figures"))
    at.wait(0.1)
    assert at.state.spaces == BySide(5, 23)
    at.go_to(Goto.CORRECT, Goto.SCORE)
    at.set_to(Of(Pick.SCORE, Side.BLACK), "2")
    at.go_to(Act("set_score"))
    at.wait(0.1)
    assert at.state.score == BySide(0, 2)
    at.go_to(Goto.CORRECT, Goto.TURN.of(1))
    at.set_to(Of(Pick.CARD, 1, 0), "3c")
    at.go_to(Act("replace", 1))
    at.wait(0.1)
    assert at.state.played == (Card(3, "c"),)
    (match,) = at.book.matches()
    corrections = [row.event for row in at.book.replay(match.id).corrections]
    assert [isinstance(event, Correction) and event.why for event in corrections] == ["by hand, in the menu"] * 3


def test_a_new_match_with_a_name_that_was_written(at: Any) -> None:
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.menu.write("Zoë")
    at.go_to(Act("take_name", Side.BLACK))
    at.set_to(Pick.RULES, "Ferti, classic")
    at.set_to(Pick.STARTER, "Black")
    at.set_to(Pick.POINTS, "3")
    at.go_to(Act("begin"))
    at.wait(0.5)
    assert at.menu.menu is None
    assert (at.state.rules.name, at.state.points, at.state.starter) == ("ferti-classic", 3, Side.BLACK)
    assert [match.names for match in at.book.matches()] == [BySide("Ana", "Bo"), BySide("Ana", "Zoë")]
    at.go_to(Goto.START)
    assert at.value(Of(Pick.NAME, Side.BLACK)) == "Zoë"


def test_a_name_that_could_not_be_shown_is_refused_with_a_sentence(at: Any) -> None:
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.menu.write("\u05e9\u05e8\u05d4")
    at.go_to(Act("take_name", Side.BLACK))
    assert at.page.lines[-1] == words("en").say("menu.other_letters", letters="\u05e9 \u05e8 \u05d4")
    assert at.value(Of(Pick.NAME, Side.BLACK)) == "Bo"


def test_two_players_are_two_people(at: Any) -> None:
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.menu.write("ANA")
    at.go_to(Act("take_name", Side.BLACK))  # another spelling of Ana: Ana
    assert at.value(Of(Pick.NAME, Side.BLACK)) == "Ana"
    at.go_to(Act("begin"))
    assert at.page.lines == ("White and Black need two different names.",)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.go_to(Act("take_name", Side.BLACK))  # nothing was written: as it was
    assert at.loop.people.names == BySide("Ana", "Bo")


def test_without_a_match_any_press_leads_to_the_start_and_one_more_begins(no_match: Any) -> None:
    no_match.wait(0.5)
    no_match.press(Button.WHITE)
    assert no_match.page.items[0].key == Act("begin")
    no_match.press(Button.MENU)
    no_match.wait(1.0)
    assert no_match.state.phase is Phase.TURN
    assert (no_match.state.rules.name, no_match.state.points) == ("ferti-advanced", 7)
    assert len(no_match.book.matches()) == 1


def test_a_match_that_is_over_is_followed_by_another_with_the_same_names(at: Any) -> None:
    at.loop.ask(Begin(MatchEvent("ferti-classic", Side.BLACK, 1)))
    at.wait(1.0)
    at.by_hand(GIVE_UP, Act("turn"))
    at.wait(0.2)
    assert at.state.phase is Phase.MATCH_OVER
    assert at.loop.desk.ruling is not None
    at.press(Button.UNDO, Button.UNDO)  # the end may have been a mistake, and so may the press
    at.wait(STRAY_S)
    assert at.here == Goto.OVER
    assert at.item(Act("undo")).note == "Undoes: Bo gives up the round."
    at.go_to(Act("undo"))
    at.wait(0.2)
    after = at.state
    assert after.phase is Phase.TURN
    at.by_hand(GIVE_UP, Act("turn"))
    at.wait(0.2)
    at.press(Button.BLACK, Button.ACT)
    at.wait(STRAY_S)
    assert at.state.phase is Phase.MATCH_OVER, "a double press begins nothing"
    assert at.here == Goto.OVER
    at.press(Button.ACT)
    at.wait(1.0)
    assert (at.state.round, at.state.rules.name, at.state.points) == (1, "ferti-classic", 1)
    assert [match.names for match in at.book.matches()] == [BySide("Ana", "Bo")] * 3


def test_settings_are_in_force_at_once_and_kept(at: Any, tmp_path: Path) -> None:
    at.go_to(Goto.SETTINGS)
    at.set_to(SETTINGS["sound.volume_percent"], "30%")
    at.set_to(SETTINGS["table.end_turn"], "automatic")
    at.set_to(SETTINGS["players.language"], "Deutsch")
    assert at.loop.people.language == "de"
    assert at.loop.advance().settings.end_turn is EndTurn.AUTO
    assert (SETTINGS["sound.volume_percent"], 30) in at.applied
    config = load_config(at.settings_file)
    assert (config.language, config.volume_percent, config.end_turn) == ("de", 30, "auto")
    assert at.page.title == "Einstellungen"


def test_a_setting_that_cannot_be_kept_is_in_force_and_says_so(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.ui.menu.machine.save", lambda *_: False)
    at.go_to(Goto.SETTINGS)
    at.set_to(SETTINGS["sound.volume_percent"], "30%")
    assert (SETTINGS["sound.volume_percent"], 30) in at.applied
    assert words("en").say("menu.not_kept") in at.page.lines


def test_looking_at_the_rest(at: Any) -> None:
    at.go_to(Goto.HISTORY)
    assert at.page.lines == ("No match has been finished yet.",)
    at.press(Button.UNDO)
    at.go_to(Goto.HEALTH, Act("test"))
    assert at.tested == 1
    lamps = "Lamps and buttons: ready; the test lights what is connected"
    assert at.page.lines[1:4] == (lamps, "Sound: not found", "Scorebook: 1 match")
    assert at.page.lines[4:] == ("There is no sound here to test.",)
    at.press(Button.UNDO)
    at.go_to(Goto.SIGHT)
    at.to(Act("calibrate"))
    at.menu.key(Key.CHOOSE)
    assert at.menu.asks() == (LookAfresh(),)
    assert at.keys == [Act("calibrate")]  # this camera has nothing to set
    at.feedback.settling = Settling(at.feedback, 0.0)
    at.to(Act("focus"))
    at.menu.key(Key.CHOOSE)
    assert at.feedback.asked == 1
    assert at.page.lines[-1] == "The camera focuses as soon as no hand is in view."
    at.press(Button.UNDO)
    at.go_to(Goto.CARE, Act("backup"))
    assert at.page.lines == ("No stick was found: put one in and try again.",)
    at.press(Button.UNDO)
    at.go_to(Goto.OFF, Act("shut_down"))
    assert at.page.lines[-1] == "This machine can’t be shut down from here."
    at.go_to(Act("quit"))
    assert at.loop.advance() is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lamps", "sound"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_test_of_what_is_not_there_says_so(at: Any, language: str, lamps: bool, sound: bool) -> None:
    machine = machine_of(at.book, lamps=lamps, sound=lambda: sound)
    say = words(language).say
    told, health = machine.try_out(language), machine.health(None, language)
    assert (say("setup.lamps_none") in told, say("menu.no_sound") in told) == (not lamps, not sound)
    assert bool(told) is not (lamps and sound)
    assert health[1] == say("menu.health_lamps", what=say("menu.lamps_ready" if lamps else "menu.lamps_none"))


def test_stopping_at_the_simulated_table_promises_no_going_on_and_switches_no_computer_off(at: Any) -> None:
    at.menu.now.machine.modes = (SIMULATED,)
    at.go_to(Goto.OFF)
    assert at.page.lines == ("What was played is in the scorebook.",)
    assert Act("shut_down") not in set(at.keys)


@pytest.mark.parametrize(("deed", "command"), [("set_up", "setup"), ("register", "register")])
def test_the_first_start_and_the_backs_are_opened_once_the_game_has_made_way(at: Any, deed: str, command: str) -> None:
    at.go_to(Goto.SETTINGS)
    assert [item.text for item in at.page.items[-3:]] == [
        "Set up again",
        "Learn the backs",
        "Slips for the backs, for the stick",
    ]
    at.go_to(Act(deed))
    assert at.menu.now.wanted == command
    assert at.moment is None


def test_where_there_is_no_first_start_no_line_opens_it() -> None:
    page = page_of(Menu((MenuPlace(Goto.SETTINGS),)), MenuContext("en"))
    assert not {Act("set_up"), Act("register"), Act("print_backs")} & {item.key for item in page.items}


def test_while_something_is_made_a_line_that_is_there_is_chosen(
    at: Any, tmp_path: Path, fill: Any, bot_match: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    number = fill(at.book, BySide("Ana", "Bo"), bot_match(1))
    begun: list[str] = []
    monkeypatch.setattr(Making, "busy", property(lambda making: bool(begun)))
    monkeypatch.setattr(Making, "begin", lambda making, what, command: begun.append(what))
    at.go_to(Goto.HISTORY, Goto.PAST.of(number), Act("gif", number))
    page, menu = at.menu.page, at.menu.menu
    assert page.items[menu.here.at].key == Act("stop_making", number)


def test_a_match_that_went_on_after_it_was_looked_at_is_read_again(at: Any, tmp_path: Path) -> None:
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)

    def look_back(*keys: Line) -> None:
        at.press(W)
        at.wait(STRAY_S)
        assert at.here == Goto.OVER
        at.go_to(Goto.PAST.of(number), *keys)

    at.loop.ask(Begin(MatchEvent("ferti-classic", Side.BLACK, 1)))
    at.wait(1.0)
    at.by_hand(GIVE_UP, Act("turn"))
    number = at.machine.number
    look_back()
    at.press(UNDO)
    at.go_to(Act("undo"))
    at.wait(0.2)
    at.by_hand(Act("lay", 3), Act("way", 0), Act("turn"), GIVE_UP, Act("turn"))
    assert at.state.score == BySide(0, 1)
    look_back(Act("record", number))
    assert at.item(Goto.ROUND.of(number, 1)).text == "Round 1 · 0 : 1"
    assert at.page.lines[-1] == f"engarde-match-{number}.txt is on the stick STICK."
    (kept,) = parse_record((stick / f"engarde-match-{number}.txt").read_text(encoding="utf-8")).rounds
    assert len(kept.moves) == 2


def test_a_copy_on_a_stick_is_made_and_brought_back(at: Any, tmp_path: Path) -> None:
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    at.go_to(Goto.CARE, Act("backup"))
    assert at.page.lines == ("Copied to STICK: 1 match.",)
    assert [item.text for item in at.page.items[2:]] == ["Backup 1 on STICK"]
    at.go_to(Act("backup"))
    at.go_to(Goto.RESTORE.of(0))
    assert at.page.lines[0] == "Backup 2 on STICK"
    at.go_to(Act("bring_back", 0))
    assert at.menu.now.wanted == stick / "engarde-scorebook-0002.sqlite"
    assert at.moment is None, "it was told to stop"
    at.book.close()
    assert restore(at.book.path, at.menu.now.wanted).matches == 1


def test_touch_and_keyboard_do_the_same(at: Any) -> None:
    at.menu.open()
    at.tap(Goto.MORE)
    at.menu.tap(at.keys.index(Goto.SETTINGS))
    at.menu.adjust(at.keys.index(SETTINGS["sound.volume_percent"]), Key.MORE)
    assert (SETTINGS["sound.volume_percent"], 90) in at.applied
    at.menu.write("nobody listens")
    for _ in range(3):
        at.menu.key(Key.BACK)
    assert at.menu.menu is None


def test_a_name_that_was_typed_is_taken_with_one_key(at: Any) -> None:
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.WHITE), "write a name …")
    for letter in "\x07Zo\u202eé \u0416":
        at.menu.write(letter)
    at.menu.key(Key.CHOOSE)
    assert at.value(Of(Pick.NAME, Side.WHITE)) == "Zoé \u0416"


def test_figures_are_not_offered_where_they_cannot_be_set(at: Any) -> None:
    at.by_hand(GIVE_UP, Act("turn"))
    at.wait(0.1)
    assert at.state.phase is Phase.ROUND_OVER
    at.go_to(Goto.CORRECT)
    assert at.keys == [Goto.SCORE, Goto.TURN.of(1)]


def test_without_a_screen_two_presses_at_once_begin_one_match(no_match: Any) -> None:
    no_match.menu = TableMenu(no_match.menu.now, shown=lambda: False)
    no_match.loop.helpers = (no_match.menu, *no_match.loop.helpers[1:])
    no_match.wait(0.1)
    no_match.pressed += [Button.WHITE, Button.BLACK]
    no_match.wait(0.3)
    assert no_match.book.counts()[0] == 1
    assert no_match.menu.menu is None


W, B, MENU, UNDO = Button.WHITE, Button.BLACK, Button.MENU, Button.UNDO


@pytest.fixture
def coach(at: Any) -> Coach:
    """A coach who hears what the menu leaves."""
    coach = Coach(PlayArea(68.0, 548.0, -260.0, -60.0), at.loop.people)
    at.loop.helpers = (*at.loop.helpers, coach)
    at.menu.now.coach = coach
    at.wait(0.3)
    return coach


def keys(at: Any) -> list[Line]:
    return [item.key for item in at.menu.page.items]


def test_hints_is_proposed_agreed_to_and_ended(at: Any, coach: Coach) -> None:
    at.go_to(Act("hints"))
    assert at.menu.menu is None
    assert not at.loop.held
    assert not coach.is_on(Mode.HINTS)
    at.press(W, B)
    assert coach.is_on(Mode.HINTS)
    assert at.state.phase is Phase.TURN
    at.go_to(Goto.MORE)
    assert Act("end_hints") in keys(at)
    assert Act("hints") not in keys(at)
    at.go_to(Act("end_hints"))
    assert not coach.is_on(Mode.HINTS)


def test_a_first_game_asks_both(at: Any, coach: Coach) -> None:
    at.go_to(Goto.START, Act("begin_open"))
    assert at.menu.menu is None
    at.wait(0.5)
    at.press(W, B)
    assert coach.is_on(Mode.OPEN)
    at.go_to(Goto.START, Act("begin"))
    at.wait(0.5)
    assert not coach.is_on(Mode.OPEN)


def test_a_round_is_told_again_and_a_pause_ends_with_it(at: Any, coach: Coach) -> None:
    at.press(MENU)
    assert Act("retell") not in keys(at)
    at.press(UNDO)
    at.put(6, 23, "5a")
    at.wait(0.5)
    at.press(W)
    at.wait(0.5)
    at.press(B)
    at.wait(0.5)
    at.press(B)
    at.wait(0.5)
    assert at.state.phase is Phase.ROUND_OVER
    at.go_to(Act("pause"))
    assert at.loop.held
    at.go_to(Act("retell"))
    at.wait(0.2)
    assert RETELLING in at.loop.held
    at.put(1, 23, "")
    at.wait(2.0)
    assert at.state.phase is Phase.ROUND_OVER
    at.press(B, B, B)
    at.wait(2.0)
    assert not at.loop.held
    assert at.state.round == 2
    assert at.state.spaces == BySide(1, 23)


@pytest.mark.parametrize("gone", [False, True])
def test_the_last_round_of_a_match_is_told_again_and_left(at: Any, coach: Coach, gone: bool) -> None:
    at.loop.ask(Begin(MatchEvent("ferti-classic", Side.BLACK, 1)))
    at.wait(1.0)
    at.by_hand(GIVE_UP, Act("turn"))
    read = at.read
    at.read = lambda: replace(read(), y=GONE) if gone else read()
    at.wait(3.0)
    at.menu.now.retell()
    at.wait(0.2)
    at.press(W, UNDO)
    at.wait(0.2)
    assert at.here is None
    assert not at.loop.held
    assert not coach.retells


def test_a_round_kept_by_hand_is_told_again_in_peace(by_window: Any) -> None:
    coach = Coach(PlayArea(68.0, 548.0, -260.0, -60.0), by_window.people)
    by_window.loop.helpers = (*by_window.loop.helpers, coach)
    by_window.menu.now.coach = coach
    by_window.wait(3.0)
    by_window.tap(Act("round"), GIVE_UP, Act("turn"))
    by_window.key(pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert by_window.state.phase is Phase.MATCH_OVER
    by_window.menu.now.retell()
    by_window.wait(3.0)
    assert coach.retells
    assert by_window.here is None


def test_the_key_tells_the_round_again_too(at: Any, coach: Coach) -> None:
    at.menu.now.retell()  # no round is over yet
    at.wait(0.2)
    assert not at.loop.held
    at.put(6, 23, "5a")
    for button in (W, B, B):
        at.wait(0.5)
        at.press(button)
    at.wait(0.5)
    assert at.state.phase is Phase.ROUND_OVER
    at.menu.now.pause(on=True)
    at.menu.now.retell()
    at.wait(0.2)
    assert at.loop.held == {RETELLING}
    assert not at.menu.now.paused


@pytest.fixture
def hidden(at: Any) -> Any:
    """White laid a three, and a hand has been over the table since."""
    at.put(1, 23, "3b")
    at.sight, at.why = Sight.CHECKING, Why.HAND
    at.wait(9.0)
    return at


def test_a_single_turn_that_supposes_least_is_proposed_without_a_page(hidden: Any) -> None:
    hidden.press(Button.WHITE)  # White stands on 1: the three can only have been an advance
    assert hidden.menu.menu is None
    hidden.wait(1.0)
    hidden.press(Button.WHITE)
    assert (hidden.state.spaces, hidden.state.played) == (BySide(4, 23), (Card(3, "b"),))


def test_once_it_was_rejected_the_page_is_opened_with_what_is_known_tapped(hidden: Any) -> None:
    hidden.press(Button.WHITE, Button.BLACK)
    hidden.press(Button.WHITE)
    assert hidden.page.board.named == (3,)
    assert "Advance 3" in [item.text for item in hidden.page.items]
    hidden.tap(Act("turn"))
    hidden.wait(0.2)
    assert hidden.menu.menu is None  # the eyes go on with the next turn
    assert (hidden.state.spaces, hidden.state.played) == (BySide(4, 23), (Card(3, "b"),))


def test_with_nothing_seen_the_second_press_chooses(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(9.0)
    at.press(Button.ACT)
    assert at.menu.page.board.named == ()
    at.press(Button.BLACK)  # to the next card
    assert at.state.played == ()
    at.press(Button.ACT, Button.ACT)  # it is tapped, and the only turn it can be counts
    at.wait(0.1)
    assert at.menu.menu is None
    assert (at.state.spaces, at.state.played) == (BySide(3, 23), (Card(2, "a"),))
    assert at.kept_state == at.state


def test_where_a_card_shines_the_turn_is_tapped_once_what_was_proposed_was_not_it(at: Any) -> None:
    at.put(4, 23, "")
    at.unread = (Doubt(240.0, -90.0, at.t_s, DoubtReason.BURNT),)
    at.wait(1.0)
    at.press(Button.WHITE)
    at.wait(1.0)
    assert at.loop.desk.note is not None
    at.press(Button.WHITE, Button.BLACK)
    assert at.menu.menu is None
    at.press(Button.WHITE)
    assert at.menu.page.board.named == ()
    assert at.state.played == ()


def test_the_other_player_opens_nothing(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(9.0)
    at.press(Button.BLACK)
    assert at.menu.menu is None


def test_before_it_is_due_a_press_waits_for_the_eyes(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(2.0)
    at.press(Button.WHITE)
    assert at.menu.menu is None
    assert at.loop.desk.waiting is not None


def test_the_screen_says_so(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(2.9)
    assert at.loop.advance().view.trouble is None
    at.wait(0.5)
    view = at.loop.advance().view
    assert view.trouble is not None
    assert view.trouble.cure == "Switch on a lamp, or open the curtains."
    assert view.verdict.hint != "White’s button: enter the turn by hand."
    at.wait(6.0)
    assert at.loop.advance().view.verdict.hint == "White’s button: enter the turn by hand."
    at.sight, at.why = Sight.STEADY, None
    assert at.loop.advance().view.trouble is None


def test_a_correction_that_cannot_be_is_said_and_changes_nothing(at: Any) -> None:
    before = at.state
    at.go_to(Goto.CORRECT, Goto.FIGURES)
    at.set_to(Of(Pick.SPACE, Side.WHITE), "23")
    at.go_to(Act("set_figures"))
    assert at.page.lines[-1] == "That isn’t possible: nothing was changed. White stands left of Black."
    at.press(Button.UNDO)
    at.go_to(Goto.SCORE)
    at.set_to(Of(Pick.SCORE, Side.WHITE), "5")
    at.go_to(Act("set_score"))
    assert at.page.lines[-1].endswith("5 points are reached only by winning a round.")
    assert at.state is before


def test_a_setting_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save(tmp_path / "file" / "menu.toml", "sound.volume_percent", 10)
    assert save(tmp_path / "menu.toml", "sound.volume_percent", 10)
    assert save(tmp_path / "menu.toml", "players.language", 'nl"\\')
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("how", ["pulled out", "damaged", "half written"])
def test_a_copy_that_cannot_be_read_changes_nothing(at: Any, tmp_path: Path, how: str) -> None:
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    copy = stick / "engarde-scorebook-0001.sqlite"
    at.go_to(Goto.CARE, Act("backup"), Goto.RESTORE.of(0))
    if how == "pulled out":
        stick.rename(tmp_path / "gone")
        at.press(Button.MENU)
    else:
        data = copy.read_bytes()
        copy.write_bytes(data[:2000] if how == "half written" else data[:1000] + b"x" * 3000 + data[4000:])
        at.go_to(Act("bring_back", 0))
    if how == "pulled out":
        assert at.page.lines == ("This backup can’t be read: nothing was changed.",)
    else:
        assert "This backup can’t be read: nothing was changed." in at.page.lines
    assert at.menu.now.wanted is None
    assert at.loop.advance() is not None


def test_a_match_that_cannot_be_written_down_does_not_begin(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = at.state

    def full(*_: object) -> int:
        raise NotKeptError("the disk is full.")

    monkeypatch.setattr(at.book, "write", full)
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.WHITE), "write a name …")
    at.menu.write("Zoë")
    at.go_to(Act("take_name", Side.WHITE), Act("begin"))
    assert at.moment.trouble == "the disk is full."
    assert (at.state, at.loop.people.names) == (before, BySide("Ana", "Bo"))
    monkeypatch.undo()
    at.play(4, 23, "3a")
    assert at.state.spaces == BySide(4, 23)
    assert at.kept_state == at.state


def test_a_match_to_eleven_is_followed_by_one_to_eleven(at: Any) -> None:
    at.loop.ask(Begin(MatchEvent("ferti-classic", Side.BLACK, 10**9)))
    at.wait(1.0)
    at.go_to(Goto.CORRECT, Goto.SCORE)
    at.set_to(Of(Pick.SCORE, Side.WHITE), "3")
    at.go_to(Act("set_score"))
    at.wait(0.5)
    assert at.state.score == BySide(3, 0)
    at.go_to(Goto.START, Act("begin"))
    at.wait(0.5)
    assert at.state.points == 10**9


def test_a_press_that_waited_for_the_eyes_is_over_with_the_menu(at: Any) -> None:
    at.sight = Sight.BLIND
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    assert at.loop.desk.waiting is not None
    at.go_to(Act("pause"))
    at.sight = Sight.STEADY
    at.press(Button.WHITE)
    at.wait(2.0)
    assert at.state.played == ()


@pytest.mark.slow
def test_news_wait_until_the_menu_is_closed(no_match: Any) -> None:
    no_match.menu.now.config = replace(no_match.menu.now.config, starter="black")
    no_match.loop.ask(Announce(NoteKind.BOOK_SALVAGED, 12))
    no_match.menu.open_start()
    no_match.wait(30.0)
    no_match.press(Button.MENU)
    moment = no_match.loop.advance()
    assert moment is not None
    assert "12" in moment.view.verdict.headline
    no_match.wait(5.0)
    moment = no_match.loop.advance()
    assert moment is not None
    assert no_match.state.phase is Phase.TURN
    assert "12" in moment.view.verdict.headline
    no_match.play(1, 20, "3a")
    moment = no_match.loop.advance()
    assert moment is not None
    assert "12" not in moment.view.verdict.headline


def three_turns(at: Any) -> None:
    for turn in ((4, 23, "3a"), (4, 21, "3a 2a"), (9, 21, "3a 2a 5b")):
        at.play(*turn)
    assert at.state.spaces == BySide(9, 21)


def test_turns_that_would_fall_are_named_before_they_do(at: Any) -> None:
    three_turns(at)
    at.go_to(Goto.CORRECT, Goto.TURN.of(1), Act("remove", 1))
    assert at.page.lines[-1] == (
        "Choose it again to confirm. These 2 turns would no longer be valid: Bo advances 2; Ana advances 5."
    )
    assert len(at.state.played) == 3
    at.press(Button.UNDO)  # to the turns, and not this one after all
    at.go_to(Goto.TURN.of(3), Act("remove", 3))  # nothing follows it: nothing falls
    at.wait(0.1)
    assert (at.menu.menu, len(at.state.played)) == (None, 2)
    at.go_to(Goto.CORRECT, Goto.TURN.of(1), Act("remove", 1), Act("remove", 1))
    at.wait(0.1)
    assert at.state.played == ()
    course = at.loop.desk.course
    assert course is not None
    assert [fallen.turn for fallen in course.fallen] == [2]


def test_a_correction_the_rules_do_not_allow_says_why(at: Any) -> None:
    three_turns(at)
    before = at.state
    at.go_to(Goto.CORRECT, Goto.TURN.of(3))
    at.set_to(Of(Pick.CARD, 3, 0), "2a")
    at.go_to(Act("replace", 3))
    assert at.page.lines[-1].startswith("That isn’t possible: nothing was changed. ")
    assert "2a" in at.page.lines[-1]
    assert at.state is before


def test_only_what_happened_by_hand_ends_the_comparison(at: Any) -> None:
    three_turns(at)
    at.sight = Sight.BLIND
    at.loop.ask(TakeUp(take_up(at.loop.desk.course)))
    at.wait(1.0)
    at.go_to(Act("undo"))
    at.wait(0.1)
    assert at.state.spaces == BySide(4, 21)
    assert at.loop.desk.comparing is not None
    at.go_to(Goto.MANUAL)
    at.tap(Act("lay", 1), Act("way", 0), Act("turn"))
    at.wait(0.1)
    assert at.state.spaces == BySide(5, 21)
    assert at.loop.desk.comparing is None


def test_what_was_entered_and_nobody_saw_is_compared_with_the_table(at: Any) -> None:
    at.by_hand(Act("lay", 3), Act("turn"))
    at.wait(1.0)
    assert at.loop.desk.comparing is not None  # White's fencer still stands where he stood
    assert at.loop.desk.comparing.difference.figures == BySide(1, None)
    at.put(4, 23, "3a")
    at.wait(1.0)
    assert at.loop.desk.comparing is None
    at.play(4, 21, "3a 2c")
    assert at.state.spaces == BySide(4, 21)


def test_without_a_screen_nothing_opens_that_nobody_sees(no_match: Any) -> None:
    at = no_match
    at.menu._shown = lambda: False
    at.loop.open(MatchEvent("ferti-classic", Side.WHITE, 1))
    at.wait(1.0)
    at.press(Button.MENU)
    assert (at.menu.menu, at.loop.held) == (None, {PAUSE})
    at.put(4, 23, "3a")
    at.press(Button.MENU)
    assert not at.loop.held
    at.press(Button.WHITE)
    at.wait(1.0)
    assert at.state.spaces == BySide(4, 23)
    at.loop.ask(Enter(YieldEvent()))
    at.wait(0.2)
    assert at.state.phase is Phase.MATCH_OVER
    at.put(1, 23, "")
    at.press(Button.WHITE)
    at.wait(1.0)
    assert (at.menu.menu, at.loop.held) == (None, set())
    assert (at.state.phase, at.state.rules.name, at.state.points) == (Phase.TURN, "ferti-classic", 1)
    assert [match.names for match in at.book.matches()] == [BySide("Ana", "Bo")] * 2


@pytest.mark.parametrize("wall_s", [1e300, -1e18, 0.0])
def test_a_match_of_a_day_no_calendar_has_is_listed_without_one(
    wall_s: float, tmp_path: Path, fill: Any, bot_match: Any
) -> None:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        fill(book, BySide("Ana", "Bo"), bot_match(1), wall_s=wall_s)
        (line,) = machine_of(book).history("en")
    assert "Ana" in line.text
    assert "19" not in line.text
    assert "-" in line.text
