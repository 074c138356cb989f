"""Somebody who plays at the simulated table in a window with nothing but pointer and keys."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np
import pygame
import pytest

from display.draw.parts import Part
from display.draw.theme import DEFAULT, Theme
from display.menu.model import Line, Menu, Page
from display.screens.menu import MenuPart
from display.tabletop.hands import Hands
from display.tabletop.places import fan_boxes
from display.view import ViewModel
from display.window import Window, WindowRequest
from engine.players.players import GreedyBot
from engine.rules.cards import Card
from engine.rules.legal import GiveUp, turn_event
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import Side
from engine.table.observation import BackReading
from firmware.cli.commands import demo
from firmware.cli.main import main
from firmware.cli.sitting import sitting
from firmware.ui.screen import asking, screens
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import Table
from vision.synthetic.scene import Scene

Script = Generator[None, None, None]
Plays = Callable[["Person"], Script]


class TriedWindow(Window):
    """A window on SDL's dummy driver; every time it is asked what was done, somebody does a little more."""

    def __init__(self, size: tuple[int, int], plays: Plays, theme: Theme = DEFAULT) -> None:
        super().__init__(pygame.display.set_mode(size), theme)
        self.view: ViewModel | None = None
        self.page: Page | None = None
        self.menu: Menu | None = None
        self.person = Person(self)
        self._script = plays(self.person)
        self._pictures, self._is_table = 0, False

    def show(self, view: ViewModel, *more: Any) -> None:
        self.view, self._is_table = view, self.at_table
        super().show(view, *more)
        self._is_table = False

    def show_menu(self, page: Page, menu: Menu, language: str, *more: Any) -> None:
        self.page, self.menu = page, menu
        super().show_menu(page, menu, language, *more)

    def _paint(self, parts: Sequence[Part]) -> None:
        """Draw one picture of the table in five: nobody looks at them, and what somebody points at is known without."""
        self._pictures += 1
        if not self._is_table or self._pictures % 5 == 0:
            super()._paint(parts)

    def poll(self) -> tuple[WindowRequest, ...]:
        self._go_on()
        return super().poll()

    def poll_menu(self, *, writing: bool) -> tuple[Any, ...]:
        self._go_on()
        return super().poll_menu(writing=writing)

    def _go_on(self) -> None:
        if next(self._script, self) is self:
            pygame.event.post(pygame.event.Event(pygame.QUIT))


class Person:
    """Hands at the pointer and the keys, and eyes on the window. What they do takes a few pictures."""

    def __init__(self, window: TriedWindow) -> None:
        self.window = window
        self.said: list[str] = []
        self.patience = 0

    @property
    def hands(self) -> Hands:
        assert self.window.hands is not None
        return self.window.hands

    @property
    def view(self) -> ViewModel:
        assert self.window.view is not None
        return self.window.view

    @property
    def cards(self) -> tuple[Card, ...]:
        """Those in hand that can be seen."""
        return tuple(card for fan in self.hands.view.fans if not fan.hidden for card in fan.cards)

    @property
    def state(self) -> PublicState:
        """How the game stands, as anybody at the table knows it."""
        seat: Any = self.hands._pointing._does
        state = seat.__self__._desk.state
        assert isinstance(state, PublicState)
        return state

    @property
    def offered(self) -> bool:
        return bool(self.hands.view.offer)

    def accept(self) -> Script:
        """Tap what is offered at the bottom edge."""
        assert self.hands.places is not None
        yield from self.tap(self.hands.places.act.center)

    def play_match(self, *own: Side) -> Script:
        """Play these sides to the end of the match."""
        yield from self.until(lambda view: view.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL))
        while self.state.phase is not Phase.MATCH_OVER:
            yield from self.play_one(*own)

    def play_one(self, *own: Side) -> Script:
        """What these sides do next, White alone where none is named: a turn, a hand shown, a round dealt, or wait."""
        own, state = own or (Side.WHITE,), self.state
        if self.offered:
            yield from self.accept()
            yield from self.wait(2)
        elif state.to_act in own and state.to_act is not None and self.cards:
            yield from self.play_turn(state, state.to_act)
        elif state.phase is Phase.REVEAL and self.cards:
            for side in own:
                yield from self.show_hand(side)
            yield from self.until(lambda view: view.phase is not Phase.REVEAL)
        else:
            yield from self.wait(1)

    def play_turn(self, state: PublicState, side: Side) -> Script:
        chosen = GreedyBot().choose(PlayerView(state, side, self.cards), Random(1))
        cards = chosen.cards if isinstance(chosen, GiveUp) else turn_event(state, chosen).cards
        for card in cards:
            yield from self.lay(card, *self.free_place())
            yield from self.wait(2)
        if not isinstance(chosen, GiveUp):
            space = turn_event(state, chosen).spaces[side]
            if space != state.spaces[side]:
                yield from self.move(side, space)
        yield from self.wait(6)
        if isinstance(chosen, GiveUp):
            yield from self.press(side)
            yield from self.wait(8)
        yield from self.press(side)
        yield from self.until_after(state)

    def show_hand(self, side: Side) -> Script:
        """Lay all cards of this side's hand in its half."""
        fan = next(fan for fan in self.hands.view.fans if fan.owner is side)
        for number, card in enumerate(fan.cards):
            yield from self.lay(card, (102.0 if side is Side.WHITE else 366.0) + 38.0 * number, -208.0)
            yield from self.wait(1)

    def free_place(self) -> tuple[float, float]:
        """Beside what was laid before, row after row."""
        row, place = divmod(sum(card.face_up for card in self.hands.view.cards), 7)
        below = row % 2 and not self.hands.view.slots_mm  # the companion's cards lie there
        return 108.0 + 66.0 * place + 4.0 * row, -205.0 if below else -118.0

    def wait(self, pictures: int) -> Script:
        for _ in range(3 * pictures if self.patience else pictures):
            self._hear()
            yield

    def until(self, seen: Callable[[ViewModel], bool], pictures: int = 150) -> Script:
        for _ in range(max(pictures, self.patience)):
            self._hear()
            if self.window.view is not None and seen(self.window.view):
                return
            yield
        raise AssertionError(f"this was never seen; the screen said {self.said[-5:]}")

    def until_after(self, state: PublicState) -> Script:
        """Until the game stands otherwise than so."""
        yield from self.until(lambda _: self.state != state)

    def key(self, key: int) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=""))

    def choose(self, line: Line) -> Script:
        """Tap this line of the page that is shown, further down if it has to be."""
        for _ in range(80):
            page, drawn = self.window.page, self.window._menu
            assert page is not None
            assert drawn is not None
            number = next((number for number, item in enumerate(page.items) if item.key == line), None)
            assert number is not None, (line, [item.key for item in page.items])
            for target in drawn.targets:
                if target.part is MenuPart.ROW and target.number == number:
                    yield from self.tap(target.box.center)
                    yield from self.wait(3)
                    return
            self.key(pygame.K_DOWN)
            yield
            yield
        raise AssertionError(f"{line} is never shown")

    def lay_values(self, values: Iterable[int]) -> Script:
        """Lay cards of these values, one after the other."""
        for value in values:
            yield from self.lay(next(card for card in self.cards if card.value == value), *self.free_place())
            yield from self.wait(2)

    def write(self, text: str) -> Script:
        """Type this, and confirm it."""
        for letter in text:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=ord(letter.lower()), unicode=letter))
            yield
            yield
        self.key(pygame.K_RETURN)
        yield
        yield

    def press(self, side: Side) -> Script:
        """Tap the one button beside the hand; this side's own where there is one, as in a lesson for two."""
        assert self.hands.places is not None
        box = self.window.places.buttons.get(side.value, self.hands.places.act)
        self._mouse(pygame.MOUSEBUTTONDOWN, box.center)
        self._mouse(pygame.MOUSEBUTTONUP, box.center)
        yield

    def tap(self, at: tuple[float, float]) -> Script:
        self._mouse(pygame.MOUSEBUTTONDOWN, at)
        self._mouse(pygame.MOUSEBUTTONUP, at)
        yield

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, notches: int = 0) -> Script:
        """Down, along in steps, turned by the wheel, and up."""
        self._mouse(pygame.MOUSEBUTTONDOWN, start)
        for number in range(1, 5):
            here = start[0] + (end[0] - start[0]) * number / 4, start[1] + (end[1] - start[1]) * number / 4
            self._mouse(pygame.MOUSEMOTION, here)
            if number % 2:
                yield
        if notches:
            pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notches))
        self._mouse(pygame.MOUSEBUTTONUP, end)
        yield

    def lay(self, card: Card, x_mm: float, y_mm: float, *, notches: int = 0) -> Script:
        """Drag a card out of the hand onto the table."""
        yield from self.drag(self.in_hand(card), self.px(x_mm, y_mm), notches=notches)

    def take_back(self, card: Card) -> Script:
        lying = next(each for each in self.hands.view.cards if each.card == card)
        assert self.hands.places is not None
        fan = self.hands.places.fan
        yield from self.drag(self.px(lying.x_mm, lying.y_mm), (fan.left + 20, fan.bottom - 8))

    def move(self, side: Side, space: int) -> Script:
        x_mm, y_mm = self.hands.view.figures[side]
        yield from self.drag(self.px(x_mm, y_mm), self.px(28.0 * (space - 1), 0.0))

    def in_hand(self, card: Card) -> tuple[float, float]:
        assert self.hands.places is not None
        fans = self.hands.view.fans
        boxes = fan_boxes(self.hands.places, tuple(len(fan.cards) for fan in fans))
        for fan, row in zip(fans, boxes, strict=True):
            for each, box in zip(fan.cards, row, strict=True):
                if each == card:
                    return box.centerx, box.top + 12
        raise AssertionError(f"{card} is in no hand")

    def px(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        assert self.hands.places is not None
        return self.hands.places.px(x_mm, y_mm)

    def _hear(self) -> None:
        view = self.window.view
        if view is not None and (not self.said or self.said[-1] != view.verdict.headline):
            self.said.append(view.verdict.headline)

    def _mouse(self, kind: int, at: tuple[float, float]) -> None:
        pos = round(at[0]), round(at[1])
        more = {"rel": (0, 0), "buttons": (1, 0, 0)} if kind == pygame.MOUSEMOTION else {"button": 1}
        pygame.event.post(pygame.event.Event(kind, pos=pos, touch=False, **more))


class PlainRenderer:
    """Stands in for the camera: a frame is the scene itself."""

    scenes: ClassVar[dict[int, Scene]] = {}

    def __init__(self, *_: Any) -> None:
        self.scenes.clear()

    def render(self, scene: Scene, index: int, t_s: float) -> Frame:
        self.scenes[index] = scene
        return Frame(index, t_s, np.full((36, 64), 120, np.uint8))


EYES: list[Callable[[Table], Any]] = []
"""What makes the eyes of a test; the last one counts."""


class PlainEyes:
    """Eyes that see the scene as it is, once the hands are gone."""

    calibration = best_calibration = run = None
    back_areas: tuple[Any, ...] = ()
    back_tokens: tuple[str, ...] = ()

    def __init__(self, table: Table, *_: Any, **__: Any) -> None:
        self.table = table
        self._agreed = EYES[-1](table)
        self._backs: dict[tuple[str | None, float, float], float] = {}

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None:
        self.back_areas, self.back_tokens = tuple(areas), tuple(tokens)

    def look(self, frame: Frame) -> Look:
        scene = PlainRenderer.scenes[frame.index]
        up = replace(scene, cards=tuple(card for card in scene.cards if card.face_up))
        seen = self._agreed.look(up, frame.t_s)
        lying = {(card.back, card.x_mm, card.y_mm) for card in scene.cards if not card.face_up and not scene.hands}
        if not scene.hands:
            self._backs = {back: self._backs.get(back, frame.t_s) for back in sorted(lying, key=str)}
        backs = tuple(BackReading(str(token), x, y, since) for (token, x, y), since in self._backs.items())
        return Look(Seen(), replace(seen, backs=backs), Drawn(), None, self.table)


class NoReaders:
    """Stands in for the readers' own process, which eyes that see the scene never ask."""

    def __init__(self, *_: Any) -> None:
        pass

    def close(self) -> None:
        pass


class Unpaced:
    """The table as fast as the machine can: nobody waits for the clock on the wall."""

    def __new__(cls, source: Any) -> Any:
        return source


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., int]:
    """``engarde play`` at the simulated table, White beginning, with a deal, a scorebook and settings of this test."""
    settings = tmp_path / "config.toml"
    settings.write_text("")
    own = ["--scorebook", str(tmp_path / "book.sqlite"), "--config", str(settings), "--starter", "white", "--seed", "0"]
    return lambda *options: main(["play", "--camera", "synthetic", *own, *options])


@pytest.fixture
def at_window(
    monkeypatch: pytest.MonkeyPatch, perfect_eyes: Callable[[Table], Any]
) -> Iterator[Callable[..., list[TriedWindow]]]:
    """Has whatever opens a window open one at which somebody plays. ``plain``: the eyes see the scene itself."""
    monkeypatch.setenv("SDL_VIDEODRIVER", os.environ.get("SDL_VIDEODRIVER", "dummy"))  # else x11, under Xvfb
    monkeypatch.setattr("firmware.extras.hands.played_table.PacedSource", Unpaced)
    monkeypatch.setattr(asking, "PICTURE_S", 0.0)
    windows: list[TriedWindow] = []
    EYES.append(perfect_eyes)

    def plays(script: Plays, size: tuple[int, int] = (800, 480), *, plain: bool = True) -> list[TriedWindow]:
        if plain:
            monkeypatch.setattr(sitting, "Eyes", PlainEyes)
            monkeypatch.setattr(sitting, "guard_beside", NoReaders)
            monkeypatch.setattr("firmware.extras.hands.played_table.Renderer", PlainRenderer)

        def opens(**_: Any) -> TriedWindow:
            pygame.display.init()
            windows.append(TriedWindow(size, script))
            return windows[-1]

        for module in (screens, demo):
            monkeypatch.setattr(module, "open_window", opens)
        return windows

    yield plays
    pygame.display.quit()


Sits = Callable[..., None]


@pytest.fixture
def sit(at_window: Callable[..., list[TriedWindow]], play: Callable[..., int]) -> Sits:
    """Has somebody sit down at the window of ``engarde play`` with these options, to the end of what they do there."""

    def sits(person: Plays, *options: str, **window: Any) -> None:
        at_window(person, **window)
        assert play(*options) == 0

    return sits
