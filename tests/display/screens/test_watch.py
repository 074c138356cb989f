"""The window of ``engarde watch``, and looking back in a match: words, keys, and that everything fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pygame
import pytest

from display.draw.pictures import new_surface
from display.i18n import LANGUAGES
from display.screens.camera import CameraPicture
from display.screens.compose import REVIEW_BUTTONS, Arrangement, compose, layout
from display.screens.watch import watch_buttons
from display.view import Situation
from display.window import Window, WindowRequest
from display.words.present import present
from display.words.watching import Watched, nothing_to_review, review_caption, watch_view
from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import CardReading, Sight, TableObservation, Why
from tests.display.drawn import draw_watch

SIZE = (1280, 720)
PICTURE = CameraPicture(bytes([200, 40, 40]) * (64 * 36), 64, 36)


@pytest.fixture
def seen(shown: Mapping[str, Situation]) -> TableObservation:
    observation = shown["advance"].table.observation
    assert observation is not None
    cards = (CardReading(Card(3, "b"), 1.0, 2.0, 0.5, covered=True), CardReading(Card(5, "a"), 1.0, 2.0, 0.7))
    return replace(observation, cards=cards)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    yield Window(pygame.display.set_mode(SIZE))
    pygame.display.quit()


def watched(seen: TableObservation, **changes: object) -> Watched:
    base = Watched(seen, BySide(4, None), (Card(5, "a"),), (0.314, 0.12), 9.44, 12.34)
    return replace(base, **changes)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", [None, *Why])
def test_it_says_in_every_language_what_keeps_it_from_seeing(
    language: str, why: Why | None, seen: TableObservation, check_texts: Callable[..., None]
) -> None:
    sight = Sight.STEADY if why is None else Sight.BLIND
    many = tuple(CardReading(Card(value, letter), 0.0, 0.0, 0.0) for value in (1, 2, 3, 4, 5) for letter in "abcde")
    table = replace(seen, sight=sight, why=why, cards=many[:10], foreign_decks=("B",))
    for size in ((800, 480), SIZE, (1920, 1080)):
        for paused in (True, False):
            view = watch_view(watched(table, paused=paused), language)
            surface = new_surface(*size)
            texts = draw_watch(surface, view, PICTURE)
            check_texts(texts, surface.get_rect(), (language, why, size))
            assert any(view.eyes.text in text.text for text in texts)
            assert tuple(surface.get_at((size[0] // 2, size[1] // 3)))[:3] == (40, 40, 200)


def test_the_reason_differs_by_language(seen: TableObservation) -> None:
    dark = replace(seen, sight=Sight.BLIND, why=Why.DARK)
    assert len({watch_view(watched(dark), language).eyes.text for language in LANGUAGES}) == len(LANGUAGES)


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_caption_of_an_earlier_picture_fits(
    language: str, shown: Mapping[str, Situation], check_texts: Callable[..., None]
) -> None:
    view = present(replace(shown["advance"], language=language))
    captions = [review_caption(language, 12, 28, 299.0, judged=judged) for judged in (True, False)]
    captions.append(review_caption(language, 12, 28, 119.4, judged=True))
    assert "12" in captions[0]
    assert "299" not in captions[1]
    assert " 5 minut" in captions[1].replace("Minut", "minut")
    assert "119 s" in captions[2]
    assert "119 s" not in review_caption(language, 1, 2, 119.6, judged=True), "from two minutes on in minutes"
    for caption in (*captions, nothing_to_review(language)):
        for size in ((800, 480), SIZE):
            surface = new_surface(*size)
            picture = replace(PICTURE, caption=caption)
            names = REVIEW_BUTTONS
            texts = compose(surface, view, picture, arrangement=Arrangement.CAMERA, with_buttons=True, names=names)
            check_texts(texts, surface.get_rect(), (language, caption))
            assert caption in [text.text for text in texts]
