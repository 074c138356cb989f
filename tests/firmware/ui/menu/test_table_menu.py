"""The menu at a table: what is chosen happens to the match, is in the book, and holds while the menu is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from display.menu.board import GivenUp
from display.menu.lines import Do, Goto, Of, Pick
from display.menu.model import Key, Menu, MenuPlace
from engine.record.corrections import Correction
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn
from engine.table.presses import Button
from firmware.book.scorebook.copies import restore
from firmware.book.scorebook.modes import SIMULATED
from firmware.core.config import SETTINGS, load_config
from firmware.table.loop.requests import Begin, LookAfresh
from firmware.ui.menu.machine import Household
from firmware.ui.menu.past import Past
from firmware.ui.menu.table_menu import STRAY_S, TableMenu
from tests.display.menu_showcase import MenuContext, page_of
from vision.camera.settling import Settling

GIVE_UP = Of(Do.WAY, GivenUp.GIVEN_UP.value)


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
    at.go_to(Do.PAUSE)
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
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    at.wait(1.0)
    at.go_to()
    at.to(Do.UNDO)
    page = at.menu.page
    assert page is not None
    assert [item.note for item in page.items if item.key == Do.UNDO] == ["Undoes: Ana advances 3."]
    at.press(Button.MENU)
    at.wait(0.1)
    assert (at.menu.menu, at.state.spaces, at.state.played) == (None, BySide(1, 23), ())


def test_a_turn_entered_by_hand_is_judged_and_kept(at: Any) -> None:
    at.cards = "3d"
    at.by_hand(Of(Do.LAY, 3), Do.TURN)  # White stands on 1: the three can only have been an advance
    assert (at.state.spaces, at.state.played) == (BySide(4, 23), (Card(3, "d"),))  # the one that lies there
    at.by_hand(Of(Do.LAY, 2), Do.TURN)
    assert at.state.spaces == BySide(4, 21)
    (match,) = at.book.matches()
    assert at.book.replay(match.id).state == at.state


def test_giving_up_by_hand_is_asked_once_more(at: Any) -> None:
    at.by_hand(GIVE_UP, Do.TURN)
    at.wait(0.1)
    assert at.state.result.winner is Side.BLACK


def test_figures_score_and_cards_are_corrected_and_the_journal_says_why(at: Any) -> None:
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    at.wait(1.0)
    at.go_to(Goto.CORRECT, Goto.FIGURES)
    at.set_to(Of(Pick.SPACE, Side.WHITE), "5")
    at.go_to(Do.SET_FIGURES)
    at.wait(0.1)
    assert at.state.spaces == BySide(5, 23)
    at.go_to(Goto.CORRECT, Goto.SCORE)
    at.set_to(Of(Pick.SCORE, Side.BLACK), "2")
    at.go_to(Do.SET_SCORE)
    at.wait(0.1)
    assert at.state.score == BySide(0, 2)
    at.go_to(Goto.CORRECT, Goto.TURN.of(1))
    at.set_to(Of(Pick.CARD, 1, 0), "3c")
    at.go_to(Of(Do.REPLACE, 1))
    at.wait(0.1)
    assert at.state.played == (Card(3, "c"),)
    (match,) = at.book.matches()
    corrections = [row.event for row in at.book.replay(match.id).corrections]
    assert [isinstance(event, Correction) and event.why for event in corrections] == ["by hand, in the menu"] * 3


def test_a_new_match_with_a_name_that_was_written(at: Any) -> None:
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.menu.write("Zoë")
    at.go_to(Of(Do.TAKE_NAME, Side.BLACK))
    at.set_to(Pick.RULES, "Ferti, classic")
    at.set_to(Pick.STARTER, "Black")
    at.set_to(Pick.POINTS, "3")
    at.go_to(Do.BEGIN)
    at.wait(0.5)
    assert at.menu.menu is None
    assert (at.state.rules.name, at.state.points, at.state.starter) == ("ferti-classic", 3, Side.BLACK)
    assert [match.names for match in at.book.matches()] == [BySide("Ana", "Bo"), BySide("Ana", "Zoë")]
    at.go_to(Goto.START)
    page = at.menu.page
    assert page is not None
    assert [item.value for item in page.items if item.key == Of(Pick.NAME, Side.BLACK)] == ["Zoë"]


def test_a_name_that_could_not_be_shown_is_refused_with_a_sentence(at: Any) -> None:
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.menu.write("\u05e9\u05e8\u05d4")
    at.go_to(Of(Do.TAKE_NAME, Side.BLACK))
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == words("en").say("menu.other_letters", letters="\u05e9 \u05e8 \u05d4")
    assert [item.value for item in page.items if item.key == Of(Pick.NAME, Side.BLACK)] == ["Bo"]


def test_two_players_are_two_people(at: Any) -> None:
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.menu.write("ANA")
    at.go_to(Of(Do.TAKE_NAME, Side.BLACK))  # another spelling of Ana: Ana
    page = at.menu.page
    assert page is not None
    assert [item.value for item in page.items if item.key == Of(Pick.NAME, Side.BLACK)] == ["Ana"]
    at.go_to(Do.BEGIN)
    page = at.menu.page
    assert page is not None
    assert page.lines == ("White and Black need two different names.",)
    at.set_to(Of(Pick.NAME, Side.BLACK), "write a name …")
    at.go_to(Of(Do.TAKE_NAME, Side.BLACK))  # nothing was written: as it was
    assert at.loop.people.names == BySide("Ana", "Bo")


def test_without_a_match_any_press_leads_to_the_start_and_one_more_begins(no_match: Any) -> None:
    no_match.wait(0.5)
    no_match.press(Button.WHITE)
    page = no_match.menu.page
    assert page is not None
    assert page.items[0].key is Do.BEGIN
    no_match.press(Button.MENU)
    no_match.wait(1.0)
    assert no_match.state.phase is Phase.TURN
    assert (no_match.state.rules.name, no_match.state.points) == ("ferti-advanced", 7)
    assert len(no_match.book.matches()) == 1


def test_a_match_that_is_over_is_followed_by_another_with_the_same_names(at: Any) -> None:
    at.loop.ask(Begin(MatchEvent("ferti-classic", Side.BLACK, 1)))
    at.wait(1.0)
    at.by_hand(GIVE_UP, Do.TURN)
    at.wait(0.2)
    assert at.state.phase is Phase.MATCH_OVER
    assert at.loop.desk.ruling is not None
    at.press(Button.UNDO)  # the end may have been a mistake
    at.wait(0.2)
    after = at.state
    assert after.phase is Phase.TURN
    at.by_hand(GIVE_UP, Do.TURN)
    at.wait(0.2)
    at.press(Button.BLACK, Button.ACT)
    at.wait(STRAY_S)
    assert at.state.phase is Phase.MATCH_OVER, "a double press begins nothing"
    assert at.menu.menu.here.page == Goto.OVER
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
    page = at.menu.page
    assert page is not None
    assert page.title == "Einstellungen"


def test_looking_at_the_rest(at: Any) -> None:
    at.go_to(Goto.HISTORY)
    page = at.menu.page
    assert page is not None
    assert page.lines == ("No match has been finished yet.",)
    at.press(Button.UNDO)
    at.go_to(Goto.HEALTH, Do.TEST)
    assert at.tested == 1
    page = at.menu.page
    assert page is not None
    lamps = "Lamps and buttons: ready; the test lights what is connected"
    assert page.lines[1:4] == (lamps, "Sound: not found", "Scorebook: 1 match")
    assert page.lines[4:] == ("There is no sound here to test.",)
    at.press(Button.UNDO)
    at.go_to(Goto.SIGHT)
    at.to(Do.CALIBRATE)
    at.menu.key(Key.CHOOSE)
    assert at.choices.asks() == (LookAfresh(),)
    page = at.menu.page
    assert page is not None
    assert [item.key for item in page.items] == [Do.CALIBRATE]  # this camera has nothing to set
    at.feedback.settling = Settling(at.feedback, 0.0)
    at.to(Do.FOCUS)
    at.menu.key(Key.CHOOSE)
    assert at.feedback.asked == 1
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == "The camera focuses as soon as no hand is in view."
    at.press(Button.UNDO)
    at.go_to(Goto.CARE, Do.BACK_UP)
    page = at.menu.page
    assert page is not None
    assert page.lines == ("No stick was found: put one in and try again.",)
    at.press(Button.UNDO)
    at.go_to(Goto.OFF, Do.SHUT_DOWN)
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == "This machine can’t be shut down from here."
    at.go_to(Do.QUIT)
    assert at.loop.advance() is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lamps", "sound"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_test_of_what_is_not_there_says_so(at: Any, tmp_path: Path, language: str, lamps: bool, sound: bool) -> None:
    none: Any = lambda *_: None  # noqa: E731
    machine = Household(at.book, tmp_path / "menu.toml", apply=none, test=none, lamps=lamps, sound=lambda: sound)
    say = words(language).say
    told, health = machine.try_out(language), machine.health(None, language)
    assert (say("setup.lamps_none") in told, say("menu.no_sound") in told) == (not lamps, not sound)
    assert bool(told) is not (lamps and sound)
    assert health[1] == say("menu.health_lamps", what=say("menu.lamps_ready" if lamps else "menu.lamps_none"))


def test_stopping_at_the_simulated_table_promises_no_going_on_and_switches_no_computer_off(at: Any) -> None:
    at.choices.now.machine.modes = (SIMULATED,)
    at.go_to(Goto.OFF)
    page = at.menu.page
    assert page is not None
    assert page.lines == ("What was played is in the scorebook.",)
    assert Do.SHUT_DOWN not in {item.key for item in page.items}


def test_the_first_start_is_opened_again_from_the_settings(at: Any) -> None:
    at.go_to(Goto.SETTINGS)
    page = at.menu.page
    assert page is not None
    assert [item.text for item in page.items[-3:]] == [
        "Set up again",
        "Learn the backs",
        "Slips for the backs, for the stick",
    ]
    at.go_to(Do.SET_UP)
    assert at.choices.now.wanted is Do.SET_UP
    assert at.moment is None


def test_backs_are_learned_once_the_game_has_made_way(at: Any) -> None:
    at.go_to(Goto.SETTINGS)
    at.go_to(Do.REGISTER)
    assert at.choices.now.wanted is Do.REGISTER
    assert at.moment is None


def test_where_there_is_no_first_start_no_line_opens_it() -> None:
    page = page_of(Menu((MenuPlace(Goto.SETTINGS),)), MenuContext("en"))
    assert not {Do.SET_UP, Do.REGISTER, Do.PRINT_BACKS} & {item.key for item in page.items}


def test_while_something_is_made_a_line_that_is_there_is_chosen(
    at: Any, tmp_path: Path, fill: Any, bot_match: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    number = fill(at.book, BySide("Ana", "Bo"), bot_match(1))
    monkeypatch.setattr(Past, "_busy", property(lambda past: past._file.suffix == ".gif"))
    monkeypatch.setattr(Past, "_make", lambda past, *_: setattr(past, "_file", Path("a.gif")))
    at.go_to(Goto.HISTORY, Goto.PAST.of(number), Of(Do.GIF, number))
    page, menu = at.menu.page, at.menu.menu
    assert page.items[menu.here.at].key == Of(Do.STOP_MAKING, number)


def test_a_copy_on_a_stick_is_made_and_brought_back(at: Any, tmp_path: Path) -> None:
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    at.go_to(Goto.CARE, Do.BACK_UP)
    page = at.menu.page
    assert page is not None
    assert page.lines == ("Copied to STICK: 1 match.",)
    assert [item.text for item in page.items[2:]] == ["Backup 1 on STICK"]
    at.go_to(Do.BACK_UP)
    at.go_to(Goto.RESTORE.of(0))
    page = at.menu.page
    assert page is not None
    assert page.lines[0] == "Backup 2 on STICK"
    at.go_to(Of(Do.BRING_BACK, 0))
    assert at.choices.now.wanted == stick / "engarde-scorebook-0002.sqlite"
    assert at.moment is None, "it was told to stop"
    at.book.close()
    assert restore(at.book.path, at.choices.now.wanted).matches == 1


def test_touch_and_keyboard_do_the_same(at: Any) -> None:
    at.menu.open()
    at.tap(Goto.MORE)
    page = at.menu.page
    assert page is not None
    at.menu.tap([item.key for item in page.items].index(Goto.SETTINGS))
    page = at.menu.page
    assert page is not None
    at.menu.adjust([item.key for item in page.items].index(SETTINGS["sound.volume_percent"]), Key.MORE)
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
    page = at.menu.page
    assert page is not None
    assert [item.value for item in page.items if item.key == Of(Pick.NAME, Side.WHITE)] == ["Zoé \u0416"]


def test_figures_are_not_offered_where_they_cannot_be_set(at: Any) -> None:
    at.by_hand(GIVE_UP, Do.TURN)
    at.wait(0.1)
    assert at.state.phase is Phase.ROUND_OVER
    at.go_to(Goto.CORRECT)
    page = at.menu.page
    assert page is not None
    assert [item.key for item in page.items] == [Goto.SCORE, Goto.TURN.of(1)]


def test_without_a_screen_two_presses_at_once_begin_one_match(no_match: Any) -> None:
    no_match.menu = TableMenu(no_match.choices, shown=lambda: False)
    no_match.loop.helpers = (no_match.menu, *no_match.loop.helpers[1:])
    no_match.wait(0.1)
    no_match.pressed += [Button.WHITE, Button.BLACK]
    no_match.wait(0.3)
    assert no_match.book.counts()[0] == 1
    assert no_match.menu.menu is None
