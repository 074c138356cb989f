"""The score kept by hand, without a camera, at the window: by touch, by keys, by the buttons of a panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pygame
import pytest

from display.menu.board import GivenUp, is_way
from display.menu.lines import Act, Goto
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.state import Phase, Reason
from engine.rules.track import BySide, Side
from engine.table.desk import take_up
from engine.table.presses import Button, Press
from firmware.table.loop.requests import Enter, TakeUp

if TYPE_CHECKING:
    from tests.firmware.ui.menu.conftest import ByWindow

pytestmark = pytest.mark.slow

GIVE_UP = Act("way", GivenUp.GIVEN_UP.value)


@pytest.fixture
def game(by_window: ByWindow) -> ByWindow:
    return by_window


def turns(game: ByWindow) -> list[str]:
    """The turns there are to choose from."""
    return [item.text for item in game.page.items if is_way(item.key)]


def spoken(game: ByWindow) -> str:
    """What the page says, which calls nobody by a colour whose name is known."""
    said = " ".join((game.board.ask, game.board.told, *(item.text for item in game.page.items)))
    assert "White" not in said
    assert "Black" not in said
    return said


def test_a_match_without_a_camera_by_touch(game: ByWindow) -> None:
    """The page opens by itself; no turn takes more than three taps; it is in the book as any other match."""
    game.wait(3.0)
    assert game.here == Goto.MANUAL
    game.tap(Act("round"))
    assert game.state.phase is Phase.TURN
    game.taps = 0
    game.tap(Act("lay", 5), Act("turn"))  # White stands on 1 and can only go forward
    assert game.taps == 2
    game.tap(Act("lay", 5), Act("turn"))
    assert game.state.spaces == BySide(6, 18)
    game.taps = 0
    game.tap(Act("lay", 4))
    assert turns(game)[:2] == ["Advance 4", "Retreat 4"]
    assert not game.board.piste.distance_pending  # which way is not known yet
    assert game.board.spaces == (2, 10)  # both are marked on the piste
    game.tap(Act("way", 0))
    board = game.board
    assert (board.piste.fencers.white.space, board.piste.distance, board.piste.distance_pending) == (10, 8, True)
    assert game.state.spaces == BySide(6, 18)  # it is shown, and does not count yet
    game.tap(Act("turn"))
    assert (game.taps, game.state.spaces) == (3, BySide(10, 18))
    game.tap(Act("lay", 4), Act("way", 0), Act("turn"))
    assert game.state.spaces == BySide(10, 14)
    game.taps = 0
    game.tap(Act("lay", 4))
    wanted = turns(game).index("Attack 4")
    game.tap(Act("way", wanted), Act("turn"))
    assert game.taps == 3
    assert game.state.attack is not None
    assert game.state.attack.count == 1
    assert spoken(game).count("Bo") == 2  # who is to answer, and how
    game.tap(GIVE_UP)
    assert game.state.attack is not None  # giving up is asked once more
    assert "Bo gives up" in spoken(game)
    game.tap(Act("turn"))
    state = game.state
    assert state.phase is Phase.MATCH_OVER
    assert state.result is not None
    assert (state.result.winner, state.result.reason) == (Side.WHITE, Reason.HIT)
    (match,) = game.book.matches()
    assert game.book.replay(match.id).state == game.state
    game.tap(Goto.START)
    assert game.here == Goto.START


def test_by_keys_a_turn_is_a_digit_and_enter(game: ByWindow) -> None:
    game.wait(3.0)
    game.key(pygame.K_RETURN)
    assert game.state.phase is Phase.TURN
    game.taps = 0
    game.key("5", pygame.K_RETURN)
    assert (game.taps, game.state.spaces) == (2, BySide(6, 23))
    game.key("5", pygame.K_BACKSPACE, "3", pygame.K_RETURN)  # Black has his back to the wall
    assert game.state.spaces == BySide(6, 20)
    game.key("2", pygame.K_DOWN, pygame.K_RETURN, pygame.K_RETURN)  # the second turn it may be: back
    assert game.state.spaces == BySide(4, 20)
    game.key(pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert game.menu.menu is None


def test_by_the_four_buttons_of_a_panel(game: ByWindow) -> None:
    game.wait(3.0)

    def press(*buttons: Button) -> None:
        for button in buttons:
            game.menu.hear((Press(game.camera.t_s, button),), game.camera.t_s)
            game.wait(0.1)

    press(Button.MENU)  # the first line is what goes on: the round begins
    assert game.state.phase is Phase.TURN
    press(Button.BLACK, Button.BLACK, Button.MENU, Button.MENU)  # to the three, tapped, done
    assert game.state.spaces == BySide(4, 23)
    press(Button.BLACK, Button.MENU, Button.UNDO)
    assert game.board.named == ()
    assert game.here == Goto.MANUAL


def test_a_card_that_cannot_be_says_why_and_what_was_done_is_taken_back(game: ByWindow) -> None:
    game.wait(3.0)
    game.tap(Act("round"))
    for value in (5, 5, 5, 5):
        game.tap(Act("lay", value))
        if "Advance 5" in turns(game) and len(turns(game)) > 2:
            game.tap(Act("way", 0))
        game.tap(Act("turn"))
    assert game.state.distance == 2
    game.tap(Act("lay", 5))  # five cards of five: the last one leads back only
    assert turns(game)[0] == "Retreat 5"
    game.tap(Act("take_back"))
    game.tap(Act("take_back"))
    assert game.state.spaces == BySide(11, 18)
    game.tap(Act("lay", 2), Act("lay", 5))
    assert game.board.named == (2, 5)
    game.tap(Act("lay", 1))  # it goes with neither: another turn is begun, nothing has to be taken back
    assert game.board.named == (1,)


def test_rounds_and_points_only(game: ByWindow) -> None:
    game.loop.ask(Enter(MatchEvent("ferti-advanced", Side.WHITE, 3)))
    game.wait(3.0)
    game.tap(Goto.PLAIN)
    game.taps = 0
    game.tap(Act("point", Side.BLACK), Act("no_point"), Act("point", Side.WHITE), Act("point", Side.BLACK))
    assert game.taps == 4
    assert (game.state.round, game.state.score) == (4, BySide(1, 2))
    game.tap(Act("take_point_back"))
    assert game.state.score == BySide(1, 1)
    game.tap(Act("point", Side.BLACK), Act("point", Side.BLACK))
    assert (game.state.phase, game.state.score) == (Phase.MATCH_OVER, BySide(1, 3))
    assert game.state.result is not None
    assert game.state.result.reason is Reason.SAID


def test_hands_at_the_end_are_five_taps(game: ByWindow) -> None:
    """White's cards are tapped; Black's are those that are left."""
    game.wait(3.0)
    game.tap(Act("round"))
    for move in (5, 5, 4, 3, -1, 1, -2, 2, -1, 1, -2, 2, -3, 3, 1):
        game.tap(Act("lay", abs(move)))
        wanted = f"Advance {move}" if move > 0 else f"Retreat {-move}"
        game.tap(Act("way", turns(game).index(wanted)), Act("turn"))
    assert game.state.phase is Phase.REVEAL
    left = [value for value, count in game.state.unseen_counts.items() for _ in range(count)]
    game.taps = 0
    game.tap(*(Act("lay", value) for value in left[: game.state.hands.white]), Act("reveal"))
    assert game.taps == 6
    assert game.state.result is not None
    assert game.state.result.reason in (Reason.MORE_ATTACK_CARDS, Reason.FURTHER_ADVANCED)


def test_where_no_score_is_kept_nothing_opens_and_no_press_is_lost(
    game: ByWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a lesson."""
    monkeypatch.setattr(type(game.menu), "by_hand_page", None)
    game.wait(3.0)
    assert game.menu.menu is None
    assert game.moment is not None
    assert game.moment.view.offered == ""
    press = Press(game.camera.t_s, Button.WHITE)
    assert game.menu.hear((press,), game.camera.t_s) == (press,)
    game.key("h")
    assert game.menu.menu is None


def test_after_a_cut_it_goes_straight_on(game: ByWindow) -> None:
    """A match taken up from the book is not compared with a table that nobody sees."""
    game.loop.ask(Enter(RoundEvent()), Enter(TurnEvent((Card(5, "a"),), 6, 23)))
    game.wait(0.1)
    course = game.loop.desk.course
    assert course is not None
    game.loop.ask(TakeUp(take_up(course)))
    game.wait(3.0)
    assert game.here == Goto.MANUAL
    assert game.moment is not None
    assert "camera" not in game.moment.view.verdict.headline
    game.tap(Act("lay", 3), Act("turn"))
    assert game.state.spaces == BySide(6, 20)
    assert game.loop.desk.comparing is None


def test_once_a_camera_is_there_it_judges_again(game: ByWindow) -> None:
    game.wait(3.0)
    assert game.here == Goto.MANUAL
    game.camera.picture = np.full((720, 1280), 90, np.uint8)
    game.wait(0.2)
    assert game.menu.menu is None
    assert not game.loop.held


def test_a_camera_that_goes_in_the_middle_is_no_dead_end(game: ByWindow) -> None:
    game.camera.picture = np.full((720, 1280), 90, np.uint8)
    game.wait(0.2)
    game.camera.picture = None
    game.wait(3.0)
    assert game.menu.menu is None  # it may be back in a moment: nothing opens by itself
    assert game.moment is not None
    assert game.moment.view.offered == "No camera?"
    game.menu.hear((Press(game.camera.t_s, Button.WHITE),), game.camera.t_s)
    assert game.here == Goto.MANUAL  # a press finds no eyes: it leads to where the turn can be entered
    game.camera.picture = np.full((720, 1280), 90, np.uint8)
    game.wait(0.2)
    assert game.menu.menu is None  # they are back, and nothing was entered
    game.camera.picture = None
    game.wait(3.0)
    game.button("plain")
    assert game.here == Goto.PLAIN
    game.key(pygame.K_ESCAPE, pygame.K_ESCAPE)
    game.button("manual")
    assert game.here == Goto.MANUAL
    assert game.moment is not None
    assert game.moment.view.offered == ""
