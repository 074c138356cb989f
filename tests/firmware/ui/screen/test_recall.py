"""Looking back in a match: which frames are kept, how many, and what the keys show; and the live watch window."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import cast

import numpy as np
import pygame
import pytest

from display.screens.camera import CameraPicture
from display.window import Window, WindowRequest
from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation, Why
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.loop.moment import Moment, People
from firmware.ui.screen.recall import Recall
from firmware.ui.screen.screens import WatchWindow, WindowAudience
from vision.frame import GONE, Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import Table

pytestmark = pytest.mark.slow

TABLE = TableObservation(0.0, 0.0, BySide(FigureReading(1), FigureReading(23)), (), Sight.STEADY)
PICTURE = CameraPicture(bytes(300), 10, 10)


def moment(t_s: float, white: int = 1, cards: tuple[str, ...] = (), *, judged: bool = False) -> Moment:
    laid = tuple(CardReading(Card.parse(card), 0.0, 0.0, 0.0) for card in cards)
    table = replace(TABLE, t_s=t_s, figures=BySide(FigureReading(white), FigureReading(23)), cards=laid)
    parts = SimpleNamespace(
        frame=SimpleNamespace(t_s=t_s), look=SimpleNamespace(table=table), entries=(1,) if judged else ()
    )
    return cast(Moment, parts)


def numbered(number: int) -> CameraPicture:
    return CameraPicture(bytes([number]) * 300, 10, 10)


def shown(recall: Recall) -> tuple[int, str]:
    picture = recall.picture(60.0, "en")
    assert picture is not None
    return picture.bgr[0], picture.caption


def test_frames_that_told_something_are_kept_and_looking_back_begins_at_the_judged_one() -> None:
    recall = Recall(100.0, 1.0)
    moments = [
        moment(1.0),
        moment(2.0),
        moment(3.0, white=4),
        moment(4.0, white=4),
        moment(5.0, white=4, cards=("3b",)),
        moment(6.0, white=4, cards=("3b",), judged=True),
        moment(7.0, white=5, cards=("3b",)),
    ]
    for number, each in enumerate(moments):
        recall.keep(each, partial(numbered, number))
    assert recall.picture(60.0, "en") is None
    recall.toggle()
    assert shown(recall) == (5, "Frame 4 of 5, 54 s ago: the one that was judged")
    seen = []
    for _ in range(5):
        recall.step(-1)
        seen.append(shown(recall)[0])
    assert seen == [4, 2, 0, 0, 0]
    for _ in range(7):
        recall.step(1)
    assert shown(recall) == (6, "Frame 5 of 5, 53 s ago")
    recall.toggle()
    assert recall.picture(60.0, "en") is None


def test_what_is_kept_is_bounded_in_time_and_memory() -> None:
    one = Recall(10.0, 1.0)
    one.keep(moment(0.0), partial(numbered, 0))
    recall = Recall(10.0, 3.5e-6 * one.size_bytes)
    for number in range(100):
        recall.keep(moment(number, white=1 + number % 2), partial(numbered, number))
        assert recall.size_bytes <= 3.5 * one.size_bytes
    recall.toggle()
    assert shown(recall)[0] == 99
    recall.step(-10)
    assert shown(recall)[0] == 97  # three pictures
    short = Recall(2.5, 100.0)
    for number in range(20):
        short.keep(moment(number, white=1 + number % 2), partial(numbered, number))
    short.toggle()
    short.step(-10)
    assert shown(short)[0] == 17


def test_pictures_are_kept_packed_and_look_the_same() -> None:
    row = np.linspace(20, 230, 320)
    drawn = np.stack([np.tile(row, (180, 1)), np.tile(row[::-1], (180, 1)), np.full((180, 320), 90.0)], 2)
    before = drawn.astype(np.uint8)
    recall = Recall(10.0, 64.0)
    recall.keep(moment(1.0), lambda: CameraPicture(before.tobytes(), 320, 180))
    assert recall.size_bytes < before.size / 5
    recall.toggle()
    picture = recall.picture(2.0, "en")
    assert picture is not None
    after = np.frombuffer(picture.bgr, np.uint8).reshape(180, 320, 3)
    assert np.abs(after.astype(int) - before).max() < 12


def test_a_camera_that_is_gone_and_an_empty_past_are_no_trouble() -> None:
    recall = Recall(10.0, 1.0)
    recall.keep(moment(1.0), lambda: None)
    recall.step(-1)
    recall.toggle()
    assert shown(recall)[1] == "Nothing to look back at yet."
    recall.step(1)
    assert shown(recall)[0] == 0


def press(*keys: int) -> None:
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))


def test_in_a_match_the_key_shows_the_judged_frame_and_the_game_goes_on(table: Table, window: Window) -> None:
    from engine.rules.events import MatchEvent
    from engine.rules.track import Side
    from firmware.table.loop.moment import NoJournal
    from vision.synthetic.camera import NONE

    small = replace(table, camera=table.camera._replace(width=1152, height=648))
    people = People(BySide("Anna", "Ben"), "fr")
    plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE), 3, 0.0, NONE)
    recall = Recall(100.0, 64.0)
    match = SimulatedMatch(plan, small, NoJournal(), (), people, [WindowAudience(window, None, people, recall)])
    for _ in range(8):
        match.loop.advance()
    live = window.surface.copy()
    press(pygame.K_r)
    match.loop.advance()
    match.loop.advance()
    earlier = pygame.surfarray.array3d(window.surface).tobytes()
    assert earlier != pygame.surfarray.array3d(live).tobytes()
    assert window.buttons == ("back", "live", "forward")
    frames = match.loop.frames
    press(pygame.K_PAGEUP)
    match.loop.advance()
    match.loop.advance()
    assert match.loop.frames == frames + 2  # nothing stands still meanwhile
    assert pygame.surfarray.array3d(window.surface).tobytes() != earlier
    press(pygame.K_r)
    match.loop.advance()
    match.loop.advance()
    assert len(window.buttons) == 7


class Glass:
    """A window that keeps what it was shown and hands out what was asked for."""

    def __init__(self, *asked: tuple[WindowRequest, ...]) -> None:
        self.shown: list[tuple[str, str, bool]] = []
        self._asked = list(asked)

    def show_watch(self, view: object, picture: CameraPicture | None) -> None:
        assert hasattr(view, "eyes")
        assert hasattr(view, "technical")
        assert hasattr(view, "keys")
        self.shown.append((view.eyes.text, view.technical, picture is None))

    def poll(self) -> tuple[WindowRequest, ...]:
        return self._asked.pop(0) if self._asked else ()


def look(t_s: float, why: Why | None = None) -> tuple[Frame, Look]:
    table = replace(TABLE, t_s=t_s, sight=Sight.STEADY if why is None else Sight.BLIND, why=why)
    y = GONE if why is Why.CAMERA_LOST else np.full((72, 128), 90, np.uint8)
    return Frame(0, t_s, y), Look(Seen(1, 23), table, Drawn(), None, cast(Table, None))


def watching(glass: Glass) -> tuple[WatchWindow, list[float]]:
    slept: list[float] = []
    times = iter(range(1000))
    window = WatchWindow(cast(Window, glass), "en", clock=lambda: next(times) / 10, sleep=slept.append)
    return window, slept


def test_watching_counts_frames_and_speaks_the_next_language() -> None:
    glass = Glass((), (WindowRequest.LANGUAGE,))
    window, slept = watching(glass)
    for number in range(3):
        window.show(*look(number / 10, Why.DARK))
    assert glass.shown[1][0] == "Too dark: more light, please"
    assert "10.0 frames per second" in glass.shown[1][1]
    assert glass.shown[2][0] != glass.shown[1][0]
    assert slept == []


def test_pause_stays_with_a_frame_until_the_next_one_is_asked_for() -> None:
    glass = Glass((WindowRequest.ACT,), (), (), (WindowRequest.BLACK,), (), (WindowRequest.ACT,))
    window, slept = watching(glass)
    window.show(*look(0.0))
    assert len(slept) == 3
    window.show(*look(0.1))
    assert len(slept) == 4
    window.show(*look(0.2))
    assert len(slept) == 4
    assert not window.ended


def test_esc_ends_watching_even_while_it_is_paused() -> None:
    glass = Glass((WindowRequest.ACT,), (), (WindowRequest.QUIT,))
    window, _ = watching(glass)
    window.show(*look(0.0))
    assert window.ended


def test_a_camera_that_is_gone_is_said_and_drawn_dark() -> None:
    glass = Glass()
    window, _ = watching(glass)
    window.show(*look(0.0, Why.CAMERA_LOST))
    assert glass.shown == [("The camera is missing: check its cable", "0.0 s · Board not found yet", True)]
