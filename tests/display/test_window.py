"""The window: keys and taps as plain values, drivers in the stated order, looking back, and watching."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from display.draw import screen
from display.draw.animation import Animator
from display.draw.pictures import new_surface
from display.draw.poses import MAX_S, length_s
from display.draw.screen import drivers_to_try, is_connected, no_larger, tap_place
from display.draw.theme import LOOKS
from display.screens.camera import CameraPicture, draw_camera
from display.screens.compose import BUTTONS, REVIEW_BUTTONS, Arrangement, compose, layout
from display.screens.qr import ScanCode
from display.screens.watch import watch_buttons
from display.view import PanelLine, PanelView, Pose, Situation
from display.window import Window, WindowRequest, open_window, waiting_window
from display.words.present import KEYS, present
from display.words.watching import Watched, review_caption, watch_view
from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import CardReading, TableObservation
from tests.display.showcase import situations

SIZE = (1280, 720)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window on SDL's dummy driver: everything but the glass."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    yield Window(pygame.display.set_mode(SIZE))
    pygame.display.quit()


def press(key: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key)


def test_keys(window: Window) -> None:
    for key in (pygame.K_a, pygame.K_LEFT, pygame.K_l, pygame.K_RIGHT, pygame.K_SPACE, pygame.K_u, pygame.K_x):
        pygame.event.post(press(key))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    expected = ["white", "white", "black", "black", "act", "undo", "quit"]
    assert [request.value for request in window.poll()] == expected
    assert window.poll() == ()


@pytest.mark.slow
def test_leaves_of_a_panel_are_turned_by_key_and_by_finger(window: Window, shown: Mapping[str, Situation]) -> None:
    lines = tuple(PanelLine(f"{number}: a sentence that wants a row of its own") for number in range(60))
    told = replace(present(shown["advance"]), panel=PanelView("What one can do", lines))

    def leaf(*events: pygame.event.Event) -> bytes:
        for event in events:
            pygame.event.post(event)
        assert window.poll() == ()  # nobody ends a turn by reading on
        window.show(told, None, 0.0)
        return pygame.image.tobytes(window.surface, "RGB")

    first, second = leaf(), leaf(press(pygame.K_PAGEDOWN))
    assert first != second
    assert leaf(press(pygame.K_PAGEUP)) == first
    (place,) = window._painter.turns
    right, left = (round(place.left + share * place.width) for share in (0.9, 0.1))
    assert leaf(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(right, place.centery), button=1)) == second
    x, y = left / SIZE[0], place.centery / SIZE[1]
    assert leaf(pygame.event.Event(pygame.FINGERDOWN, x=x, y=y)) == first
    window.show(replace(told, panel=PanelView("Little", lines[:1])), None, 0.0)
    pygame.event.post(press(pygame.K_PAGEDOWN))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(right, place.centery), button=1))
    assert window.poll() == (WindowRequest.FORWARD, WindowRequest.ACT)  # nothing to turn: what they mean else


def test_the_camera_key_changes_what_is_shown(window: Window) -> None:
    seen = []
    for _ in Arrangement:
        seen.append(window.arrangement)
        pygame.event.post(press(pygame.K_c))
        assert window.poll() == (WindowRequest.CAMERA,)
    assert seen == list(Arrangement)
    assert window.arrangement is Arrangement.TABLE


def test_beside_the_table_there_is_only_what_somebody_wants(window: Window) -> None:
    """Lamps and camera when they are asked for; codes, and ways to go on without a camera, while there are any."""
    view = present(situations()["advance"])
    window.show(view, None, 1.0)
    assert (window.places.table.width, window.places.camera.width) == (SIZE[0], 0)
    window.show(replace(view, offered="No camera?"), None, 1.1)
    assert set(window.places.offers) == {"manual", "plain"}
    assert window.places.table.width < SIZE[0]
    window.show(view, None, 1.2)
    window.codes = lambda _: (ScanCode(((True,),), "Scan"),)
    window.show(view, None, 1.3)
    assert window.places.lamps.width > 0
    window.codes = lambda _: ()
    window.show(view, None, 1.4)
    assert window.places.lamps.width == 0
    pygame.event.post(press(pygame.K_c))
    window.poll()
    window.show(view, None, 1.5)
    assert window.places.lamps.width > 0
    assert window.places.camera.width > 0


def test_a_touch_counts_once() -> None:
    echo = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(5, 5), touch=True)
    assert tap_place(echo, SIZE) is None
    right = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=3, pos=(5, 5), touch=False)
    assert tap_place(right, SIZE) is None


def test_a_tap_on_the_picture_ends_the_turn(window: Window) -> None:
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(300, 300), touch=False))
    assert window.poll() == (WindowRequest.ACT,)


def test_drivers_in_the_stated_order() -> None:
    everything = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    assert drivers_to_try(everything, True, "linux") == ("wayland", "x11", "kmsdrm")
    assert drivers_to_try({"DISPLAY": ":0"}, False, "linux") == ("x11",)
    assert drivers_to_try({}, True, "linux") == ("kmsdrm",)
    assert drivers_to_try({}, False, "linux") == ()
    assert drivers_to_try({}, False, "darwin") == ("",)
    assert drivers_to_try({"SDL_VIDEODRIVER": "x11", **everything}, True, "linux") == ("x11",)


@pytest.mark.parametrize("driver", ["dummy", "offscreen"])
def test_no_window_without_a_screen(monkeypatch: pytest.MonkeyPatch, driver: str) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    assert open_window() is None
    assert os.environ["SDL_VIDEODRIVER"] == driver


@pytest.mark.parametrize("fullscreen", [True, False])
def test_a_full_screen_hides_the_cursor_and_no_screen_goes_to_sleep(
    monkeypatch: pytest.MonkeyPatch, fullscreen: bool
) -> None:
    hidden: list[bool] = []
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(screen, "NO_SCREEN", ())
    monkeypatch.setattr(screen, "_hide_cursor", lambda: hidden.append(True))
    opened = open_window((640, 480), fullscreen=fullscreen, theme=LOOKS["large"])
    assert opened is not None
    assert opened.theme is LOOKS["large"]
    assert bool(opened.surface.get_flags() & pygame.FULLSCREEN) == fullscreen == bool(hidden)
    assert not pygame.display.get_allow_screensaver()
    opened.close()


def test_no_window_where_nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(screen, "drivers_to_try", lambda *_: ("x11",))
    monkeypatch.setenv("DISPLAY", ":97")
    assert open_window() is None
    assert "SDL_VIDEODRIVER" not in os.environ


def test_a_window_turned_while_it_is_open_shows_everything_anew(window: Window, shown: Mapping[str, Situation]) -> None:
    view = present(shown["attack_direct"])
    window.show(view, None, 0.0)
    window.rotate(90)
    window.show(view, None, 0.0)
    assert window.surface.get_size() == SIZE[::-1]
    reference = pygame.Surface(SIZE[::-1], 0, window.surface)
    compose(reference, view, arrangement=Arrangement.TABLE, with_buttons=True)
    on_screen = pygame.display.get_surface()
    assert on_screen is not None
    assert pygame.image.tobytes(pygame.transform.rotate(on_screen, 90), "RGB") == pygame.image.tobytes(reference, "RGB")


def plug(drm: Path, name: str, status: str) -> None:
    (drm / name).mkdir()
    (drm / name / "status").write_text(f"{status}\n", encoding="ascii")


def test_the_cards_that_a_screen_is_plugged_into_are_known_by_number_and_plug(tmp_path: Path) -> None:
    """As a Pi 5 with a Touch Display 2 has them; the numbers are others after the next start."""
    for name, status in (("card0-HDMI-A-1", "disconnected"), ("card0-HDMI-A-2", "disconnected")):
        plug(tmp_path, name, status)
    plug(tmp_path, "card2-DSI-1", "connected")
    (tmp_path / "card1").mkdir()
    assert screen.plugged_cards(tmp_path) == {"2": "DSI-1"}
    assert screen.plugged_cards(tmp_path / "none") == {}


@pytest.mark.parametrize(
    ("plugged", "works_with", "tried"),
    [
        ({"2": "DSI-1"}, "2", ["2"]),
        ({"0": "HDMI-A-1", "2": "DSI-1"}, "2", ["0", "2"]),
        ({"0": "HDMI-A-1"}, None, ["0", None]),
        ({}, None, [None]),
    ],
)
def test_without_a_desktop_each_card_with_a_screen_is_tried(
    plugged: dict[str, str], works_with: str | None, tried: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hints: list[str | None] = []

    def opens(way: Mapping[str, str], size: object, fullscreen: bool) -> pygame.Surface | None:
        hints.append(way.get(screen.CARD_HINT))
        assert fullscreen
        return pygame.Surface((80, 48)) if hints[-1] == works_with else None

    monkeypatch.delenv(screen.CARD_HINT, raising=False)
    monkeypatch.setattr(screen, "drivers_to_try", lambda *_: ("kmsdrm",))
    monkeypatch.setattr(screen, "plugged_cards", lambda: plugged)
    monkeypatch.setattr(screen, "_try_driver", opens)
    monkeypatch.setattr(screen, "_hide_cursor", lambda: None)
    pygame.display.init()
    assert screen.open_surface((80, 48), "En Garde", fullscreen=False) is not None
    assert hints == tried


def test_a_card_that_gives_no_screen_leaves_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(screen.CARD_HINT, raising=False)
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(screen, "drivers_to_try", lambda *_: ("kmsdrm",))
    monkeypatch.setattr(screen, "plugged_cards", lambda: {"9": "DSI-1"})
    assert open_window() is None
    assert screen.CARD_HINT not in os.environ


def test_the_layout_covers_the_picture_without_overlap() -> None:
    for arrangement in Arrangement:
        for size in ((800, 480), (1024, 600), (1920, 1080)):
            places = layout(size, arrangement, with_buttons=True)
            beside = () if places.band is None else (places.band,)
            every = (places.table, places.lamps, places.camera, *beside, *places.buttons.values())
            parts = [part for part in every if part.width]
            assert sum(part.width * part.height for part in parts) == size[0] * size[1]
            assert all(not one.colliderect(other) for one in parts for other in parts if one is not other)
            assert tuple(places.buttons) == BUTTONS


def test_every_button_has_a_word() -> None:
    assert (
        set(BUTTONS) <= set(KEYS) == {request.value for request in WindowRequest if request is not WindowRequest.LEAVE}
    )


def test_the_camera_picture_keeps_its_colours_and_shape() -> None:
    blue_left = bytes([255, 0, 0] * 32 + [0, 0, 255] * 32) * 36
    surface = new_surface(640, 480)
    place = draw_camera(surface, CameraPicture(blue_left, 64, 36), pygame.Rect(0, 0, 640, 480))
    assert place.size == (640, 360)
    assert tuple(surface.get_at((100, 240)))[:3] == (0, 0, 255)
    assert tuple(surface.get_at((500, 240)))[:3] == (255, 0, 0)
    with pytest.raises(ValueError, match=r"64x36 takes 6912 bytes, found 10"):
        CameraPicture(b"0123456789", 64, 36)


def test_moves_are_eased_and_short(shown: Mapping[str, Situation]) -> None:
    assert MAX_S <= 0.7
    animator = Animator()
    first, second = present(shown["round"]), present(shown["advance"])
    lasts_s = length_s((Pose.GUARD, 1), (Pose.GUARD, 9))
    assert 0.3 <= lasts_s <= MAX_S
    assert animator.step(first, 10.0)[1] == 1.0
    moved, progress = animator.step(second, 11.0)
    assert (moved.piste.before_spaces, progress) == (BySide(1, 23), 0.0)
    assert animator.moving
    halfway = animator.step(second, 11.0 + lasts_s / 2)[1]
    assert halfway == pytest.approx(0.5)
    assert animator.step(second, 12.0)[1] == 1.0
    shown_before = animator.step(first, 13.0)[0]
    back_s = length_s((Pose.GUARD, 9), (Pose.GUARD, 1))
    assert shown_before.piste.before_spaces == BySide(9, 19)
    assert shown_before.piste.before_poses == BySide(Pose.GUARD, Pose.GUARD)
    assert animator.moving
    assert animator.step(first, 13.1)[1] == pytest.approx(0.1 / back_s)
    assert animator.step(first, 13.05)[1] == pytest.approx(0.1 / back_s)  # an older frame does not go back
    assert animator.step(first, 14.0)[1] == 1.0
    assert not animator.moving


@pytest.mark.parametrize(
    ("screen", "expected"), [((1920, 1080), (1280, 720)), ((800, 480), (800, 480)), ((-1, -1), (1280, 720))]
)
def test_a_window_is_no_larger_than_the_screen(screen: tuple[int, int], expected: tuple[int, int]) -> None:
    assert no_larger((1280, 720), screen) == expected


def test_a_window_waits_for_a_screen_that_comes_later_and_for_one_that_goes_away(
    monkeypatch: pytest.MonkeyPatch, shown: Mapping[str, Situation], tmp_path: Path
) -> None:
    """A television that is switched on later: nothing is drawn and asked for before, everything after."""
    view, connector = present(shown["advance"]), tmp_path / "card1-HDMI-A-1" / "status"
    connector.parent.mkdir()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(screen, "NO_SCREEN", ("dummy",))
    window = waiting_window()
    for _ in range(2):
        assert not window.reopen()
        assert not window.has_screen
        window.show(view, None, 0.0)
        assert window.poll() == window.poll_menu(writing=False) == ()
        assert not window.moving
    assert window.drawn == 0
    monkeypatch.setattr(screen, "NO_SCREEN", ())
    assert window.reopen()
    assert window.has_screen
    pygame.event.post(press(pygame.K_SPACE))
    assert window.poll() == (WindowRequest.ACT,)
    window.show(view, None, 0.1)
    assert window.drawn == 1
    monkeypatch.setattr("display.window.is_connected", lambda: is_connected(tmp_path))
    connector.write_text("disconnected\n")
    assert window.has_screen, "a desktop has its own way with screens that go"
    window.driver = "KMSDRM"
    assert not window.has_screen
    window.show(view, None, 0.2)
    assert window.reopen()
    window.show(view, None, 0.3)
    assert window.drawn == 2, "all of it is drawn anew"
    window.close()


def test_a_screen_is_connected_unless_every_connector_says_that_it_is_not(tmp_path: Path) -> None:
    assert is_connected(tmp_path / "none"), "nobody tells"
    first, second = (tmp_path / f"card1-HDMI-A-{number}" / "status" for number in (1, 2))
    for told in ("disconnected\n", "connected\n", "unknown\n"):
        first.parent.mkdir(exist_ok=True)
        first.write_text(told)
        assert is_connected(tmp_path) is (told != "disconnected\n")
    second.parent.mkdir()
    second.write_text("disconnected\n")
    assert is_connected(tmp_path)
    first.unlink()
    assert not is_connected(tmp_path)


PICTURE = CameraPicture(bytes([200, 40, 40]) * (64 * 36), 64, 36)


@pytest.fixture
def seen(shown: Mapping[str, Situation]) -> TableObservation:
    observation = shown["advance"].table.observation
    assert observation is not None
    cards = (CardReading(Card(3, "b"), 1.0, 2.0, 0.5, covered=True), CardReading(Card(5, "a"), 1.0, 2.0, 0.7))
    return replace(observation, cards=cards)


def watched(seen: TableObservation, **changes: object) -> Watched:
    base = Watched(seen, BySide(4, None), (Card(5, "a"),), (0.314, 0.12), 9.44, 12.34)
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_watch_window_draws_and_a_tap_anywhere_pauses(window: Window, seen: TableObservation) -> None:
    window.show_watch(watch_view(watched(seen), "de"), PICTURE)
    assert tuple(window.surface.get_at((640, 200)))[:3] == (40, 40, 200)
    for place in ((640, 200), (20, 710)):
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=place, touch=False))
    assert window.poll() == (WindowRequest.ACT, WindowRequest.ACT)


@pytest.mark.parametrize("size", [(800, 480), SIZE])
def test_buttons_under_the_picture_are_touched(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, seen: TableObservation
) -> None:
    """What only keys could ask for once: a screen with touch alone has neither keys nor a panel."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    window = Window(pygame.display.set_mode(size))
    view = replace(watch_view(watched(seen), "de"), buttons=(("menu", "Jetzt"), ("undo", "Nie")))
    window.show_watch(view, PICTURE)
    left, right = watch_buttons(window.surface.get_rect(), view, window.theme).values()
    assert left.height == right.height >= size[1] // 9
    assert not left.colliderect(right)
    for place in (left.center, right.center, (right.right - 1, right.bottom - 1), (9, 9), (9, size[1] - 9)):
        finger = {"x": place[0] / size[0], "y": place[1] / size[1], "finger_id": 1, "touch_id": 1}
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, finger))
    assert window.poll() == (
        WindowRequest.MENU,
        WindowRequest.UNDO,
        WindowRequest.UNDO,
        WindowRequest.ACT,
        WindowRequest.ACT,
    )
    window.show_watch(replace(view, buttons=()), PICTURE)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=left.center, touch=False))
    assert window.poll() == (WindowRequest.ACT,)
    pygame.display.quit()


def test_looking_back_has_buttons_of_its_own(window: Window, shown: Mapping[str, Situation]) -> None:
    view = present(shown["advance"])
    window.show_review(view, replace(PICTURE, caption="earlier"))
    places = layout(SIZE, Arrangement.CAMERA, with_buttons=True, names=REVIEW_BUTTONS)
    taps = [box.center for box in places.buttons.values()] + [(300, 300)]
    for place in taps:
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=place, touch=False))
    # No tap ends a turn that its player does not see.
    assert window.poll() == (WindowRequest.BACK, WindowRequest.LIVE, WindowRequest.FORWARD, WindowRequest.LIVE)
    for key in (pygame.K_r, pygame.K_PAGEUP, pygame.K_PERIOD):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
    assert window.poll() == (WindowRequest.REVIEW, WindowRequest.BACK, WindowRequest.FORWARD)
    window.show(view, PICTURE, 0.0)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(300, 300), touch=False))
    assert window.poll() == (WindowRequest.ACT,)


def test_the_caption_of_an_earlier_picture_tells_its_age_in_minutes_from_two_on() -> None:
    caption = review_caption("en", 12, 28, 299.0, judged=False)
    assert "12" in caption
    assert "299" not in caption
    assert " 5 minut" in caption
    assert "119 s" in review_caption("en", 12, 28, 119.4, judged=True)
    assert "119 s" not in review_caption("en", 1, 2, 119.6, judged=True)
