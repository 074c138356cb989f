"""Only what changed is drawn, and what is seen is the same as if everything were drawn anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.draw.animation import Animator
from display.draw.parts import Painter
from display.draw.pictures import new_surface
from display.draw.poses import MAX_S
from display.draw.theme import DEFAULT, LOOKS
from display.i18n import LANGUAGES
from display.menu.model import Goto, Menu, MenuPlace
from display.screens.camera import CameraPicture
from display.screens.compose import BUTTONS, REVIEW_BUTTONS, Arrangement, compose, composed_parts, layout
from display.view import HeardView, MatchView, PilesView, PisteView, Situation, ViewModel
from display.window import CAMERA_S, Window
from display.words.present import present
from engine.rules.track import BySide
from tests.display.drawn import draw_menu
from tests.display.menu_showcase import MenuContext, page_of
from tests.display.showcase import situations
from tests.display.trouble_showcase import trouble_situations

SIZE = (640, 400)
SIZES = (SIZE, (800, 480), (480, 400))
CAMERAS = (None, *(CameraPicture(bytes([40 * tone, 200, 90]) * (32 * 18), 32, 18) for tone in range(3)))
MENU_PAGES = (Goto.MAIN, Goto.SETTINGS, Goto.START, Goto.OFF)


@cache
def view_of(name: str, language: str) -> ViewModel:
    return present(replace({**situations(), **trouble_situations()}[name], language=language))


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    opened = Window(pygame.display.set_mode(SIZE), clock_s=lambda: 0.0)
    opened.arrangement = Arrangement.BOTH
    yield opened
    pygame.display.quit()


class Spy:
    """A view that notes what is read of it and of its parts."""

    def __init__(self, view: ViewModel | PisteView | MatchView | PilesView | HeardView) -> None:
        self._view = view
        self.read: dict[str, object] = {}

    def __getattr__(self, name: str) -> object:
        value = getattr(self._view, name)
        if isinstance(value, PisteView | MatchView | PilesView | HeardView):
            part = Spy(value)
            part.read = self.read
            return part
        self.read[name] = value
        return value


@pytest.mark.slow
@pytest.mark.parametrize("arrangement", list(Arrangement))
@pytest.mark.parametrize("progress", [0.4, 1.0])
def test_a_part_reads_nothing_but_what_it_is_known_by(
    shown: Mapping[str, Situation], progress: float, arrangement: Arrangement
) -> None:
    places = layout((1280, 720), arrangement, with_buttons=True)
    surface = new_surface(1280, 720)
    for name, situation in shown.items():
        spy = Spy(replace(present(situation), piste=replace(present(situation).piste, before_spaces=BySide(3, 21))))
        view: Any = spy
        for part in composed_parts(places, view, CAMERAS[1], progress, DEFAULT):
            spy.read.clear()
            Painter().paint(surface, (part,), DEFAULT)
            known = [*part.shows]
            for each in part.shows:  # a part of the view with all that is in it
                if isinstance(each, Spy):
                    known += [getattr(each._view, field.name) for field in fields(each._view)]
            unknown = [field for field, value in spy.read.items() if not any(value is each for each in known)]
            assert unknown == [], (name, part.name)


def picture(surface: pygame.Surface) -> bytes:
    return pygame.surfarray.array3d(surface).tobytes()


@st.composite
def doings(draw: st.DrawFn) -> tuple[str, Any]:
    kind = draw(st.sampled_from(["show", "show", "show", "same", "arrange", "theme", "menu", "review", "size"]))
    name = draw(
        st.sampled_from(["round", "advance", "attack_direct", "must_answer", "more_cards", "blind", "trouble_hand"])
    )
    language = draw(st.sampled_from(LANGUAGES[:2]))
    if kind in ("show", "review"):
        camera = draw(st.sampled_from(CAMERAS if kind == "show" else CAMERAS[1:]))
        return kind, (name, language, camera, draw(st.sampled_from([0.0, 0.1, 0.2, 1.0])))
    if kind == "menu":
        return kind, (draw(st.sampled_from(MENU_PAGES)), draw(st.integers(0, 2)), language)
    options: dict[str, list[Any]] = {
        "theme": list(LOOKS),
        "arrange": list(Arrangement),
        "size": list(SIZES),
        "same": [None],
    }
    return kind, draw(st.sampled_from(list(options[kind])))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(doings(), min_size=2, max_size=7))
def test_what_is_seen_is_what_drawing_everything_would_show(acts: list[tuple[str, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        pygame.display.init()
        window, animator, now_s = Window(pygame.display.set_mode(SIZE), clock_s=lambda: 0.0), Animator(), 0.0
        last: tuple[str, Any] = ("show", ("round", "en", None, 0.0))
        for act in acts:
            kind, what = act
            if kind == "theme":
                window.theme = LOOKS[what]
            elif kind == "arrange":
                window.arrangement = what
            elif kind == "size":
                pygame.display.set_mode(what)
                pygame.event.post(pygame.event.Event(pygame.VIDEOEXPOSE))
                window.poll()
            else:
                last = act if kind != "same" else last
            kind, what = last
            expected = pygame.Surface(window.surface.get_size(), 0, window.surface)
            if kind == "menu":
                name, at, language = what
                menu = Menu((MenuPlace(name, at),))
                page = page_of(menu, MenuContext(language))
                window.show_menu(page, menu, language)
                draw_menu(expected, page, menu, language, window.theme)
            else:
                name, language, camera, passed_s = what
                view, now_s = view_of(name, language), now_s + passed_s
                if kind == "review":
                    window.show_review(view, camera)
                    compose(
                        expected,
                        view,
                        camera,
                        arrangement=Arrangement.CAMERA,
                        with_buttons=True,
                        names=REVIEW_BUTTONS,
                        theme=window.theme,
                    )
                else:
                    window.show(view, camera, now_s)
                    moved, progress = animator.step(view, now_s)
                    compose(
                        expected,
                        moved,
                        camera,
                        arrangement=window.arrangement,
                        progress=progress,
                        with_buttons=True,
                        names=BUTTONS,
                        theme=window.theme,
                    )
            assert picture(window.surface) == picture(expected), (act, acts)
        pygame.display.quit()


@pytest.mark.parametrize("size", [*SIZES, (1280, 720), (733, 511)])
@pytest.mark.parametrize("arrangement", list(Arrangement))
def test_the_parts_leave_nothing_as_it_was(arrangement: Arrangement, size: tuple[int, int]) -> None:
    """A surface is not cleared as a whole: what was there before shows nowhere."""
    strange = (255, 0, 254)
    places, view = layout(size, arrangement, with_buttons=True), view_of("wrong_distance", "en")
    for camera in CAMERAS[:2]:
        surface = new_surface(*size)
        surface.fill(strange)
        Painter().paint(surface, composed_parts(places, view, camera, 1.0, DEFAULT), DEFAULT)
        assert not pygame.mask.from_threshold(surface, strange, (1, 1, 1, 255)).count()


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[list[pygame.Rect] | None]:
    """What was put on the screen: rectangles, or None for all of it."""
    calls: list[list[pygame.Rect] | None] = []
    monkeypatch.setattr(pygame.display, "flip", lambda: calls.append(None))
    monkeypatch.setattr(pygame.display, "update", lambda boxes: calls.append(list(boxes)))
    return calls


def test_nothing_is_drawn_where_nothing_changed(window: Window, reached: list[list[pygame.Rect] | None]) -> None:
    view, camera = view_of("advance", "en"), CAMERAS[1]
    assert camera is not None
    for _ in range(3):
        window.show(view, camera, 1.0)
    assert reached == [None]
    assert (window.drawn, window.drawn_parts) == (1, 4 + 2 + len(BUTTONS))
    # The same moment, made anew: equal is enough.
    window.show(present(situations()["advance"]), replace(camera), 2.0)
    assert window.drawn == 1


def test_a_window_that_was_covered_or_resized_is_drawn_anew(
    window: Window, reached: list[list[pygame.Rect] | None]
) -> None:
    view = view_of("advance", "en")
    window.show(view, None, 1.0)
    for event in (pygame.VIDEOEXPOSE, pygame.VIDEORESIZE):
        details: dict[str, Any] = {"size": SIZE, "w": SIZE[0], "h": SIZE[1]} if event == pygame.VIDEORESIZE else {}
        pygame.event.post(pygame.event.Event(event, **details))
        assert window.poll() == ()
        window.show(view, None, 1.0)
    assert reached == [None] * 3


def test_a_move_goes_on_between_two_frames(window: Window) -> None:
    clock = [5.0]
    window._clock_s = lambda: clock[0]
    window.show(view_of("round", "en"), CAMERAS[1], 100.0)
    assert not window.moving
    window.show(view_of("advance", "en"), CAMERAS[1], 100.2)
    assert window.moving
    pictures = {picture(window.surface)}
    before = window.drawn_parts
    for _ in range(5):
        clock[0] += MAX_S / 10
        window.go_on()
        pictures.add(picture(window.surface))
    assert len(pictures) == 6
    assert window.drawn_parts == before + 5  # the stage alone
    window.show(view_of("advance", "en"), CAMERAS[1], 100.2 + MAX_S / 4)  # a frame a little older than what is seen
    assert picture(window.surface) in pictures
    clock[0] += MAX_S
    window.go_on()
    assert not window.moving
    drawn = window.drawn
    window.go_on()
    assert window.drawn == drawn


def test_a_menu_over_a_move_is_not_drawn_over(window: Window) -> None:
    window.show(view_of("round", "en"), None, 1.0)
    window.show(view_of("advance", "en"), None, 1.1)
    menu = Menu()
    window.show_menu(page_of(menu, MenuContext("en")), menu, "en")
    seen = picture(window.surface)
    assert not window.moving
    window.go_on()
    assert picture(window.surface) == seen


def test_the_cameras_picture_is_wanted_only_where_it_is_shown_and_new(window: Window) -> None:
    clock = [5.0]
    window._clock_s = lambda: clock[0]
    assert window.wants_camera
    window.show(view_of("advance", "en"), CAMERAS[1], 1.0)
    assert not window.wants_camera
    clock[0] += CAMERA_S
    assert window.wants_camera
    window.arrangement = Arrangement.TABLE
    assert not window.wants_camera
    assert window.is_due
