"""A path-traced film of six turns, refereed frame by frame: every ruling is the one that was played, and none is more.

The pictures in ``narrow`` were traced by a program that shares nothing with ours, from a script of ours
(tests/bench/households/films): narrow cards that nobody measured, one half over another, real-looking hands, one
illegal turn put right, an attack, a parry. Frames are made of them here: arms that reach in, an arm over the board
before anything else, and a sensor's noise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.rulings import Ruling
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Settings
from engine.table.presses import Button, Press
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.panel.buttons import RecordedPresses
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.printed.table import Table, load_table

pytestmark = pytest.mark.slow

FILM = Path(__file__).parent / "narrow"
TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"
FPS = 5.0
COPIES = 4
"""Frames of a picture at rest that differ in their noise; they are shown in turn."""
START_FRAMES, ARM_FRAMES = 16, 2
REST_FRAMES = {EndTurn.BUTTON: 12, EndTurn.AUTO: 15}
PRESS_AFTER_FRAMES = 6
SETTLE_S = 1.5


class Film:
    """The film's pictures, put together again; (height, width) uint8 each."""

    def __init__(self) -> None:
        self.script: dict[str, Any] = json.loads((FILM / "film.json").read_text(encoding="utf-8"))
        self.pictures: dict[str, Picture] = {}
        image = np.zeros(tuple(reversed(self.script["size"])), np.uint8)
        for name, kept in self.script["pictures"].items():
            part = _read(f"{name}.jpg", cv2.IMREAD_GRAYSCALE)
            (x, y), (height, width) = kept["at_px"], part.shape
            image = image.copy()
            image[y : y + height, x : x + width] = part
            self.pictures[name] = image
        rng = np.random.default_rng(1)
        height, width = image.shape
        self._noise = (rng.standard_normal((height + 64, width + 64), np.float32) * 1.3).round().astype(np.int16)

    def with_arm(self, name: str, arm: str, shift_px: int) -> Picture:
        """A picture under an arm, pushed along its rows: first the arm's shadow, then the arm."""
        x, y = self.script["arms"][arm]["at_px"]
        planes = cv2.resize(_read(f"arm_{arm}.png", cv2.IMREAD_UNCHANGED), None, fx=2, fy=2).astype(np.float32)
        image = self.pictures[name].astype(np.float32)
        left, right = max(x + shift_px, 0), min(x + shift_px + planes.shape[1], image.shape[1])
        planes = planes[: image.shape[0] - y, left - x - shift_px : right - x - shift_px]
        here = (slice(y, y + planes.shape[0]), slice(left, right))
        alpha = planes[..., 1] / 255
        image[here] = image[here] * planes[..., 2] / 255 * (1 - alpha) + planes[..., 0] * alpha
        return np.clip(image, 0, 255).astype(np.uint8)

    def noisy(self, image: Picture, number: int) -> Picture:
        height, width = image.shape
        y, x = np.random.default_rng(number).integers(0, 64, 2)
        cut = self._noise[y : y + height, x : x + width]
        return np.asarray(np.clip(image + (cut if number % 2 else -cut), 0, 255), np.uint8)


def _read(name: str, how: int) -> np.ndarray:
    image = cv2.imread(str(FILM / name), how)
    assert image is not None, name
    return image


@dataclass
class Showing:
    """The film as a camera shows it, one frame after another, and the presses of its buttons."""

    film: Film
    end_turn: EndTurn
    arm_first: int

    def __post_init__(self) -> None:
        self._presses: list[Press] = []
        self._index = 0
        self._frames = list(self._shown())
        self.presses = RecordedPresses(self._presses)

    def read(self) -> Frame | None:
        return self._frames.pop(0) if self._frames else None

    def close(self) -> None:
        self._frames.clear()

    def _shown(self) -> Iterator[Frame]:
        start = "start"
        if self.arm_first:
            yield from self._frames_of(self.film.with_arm(start, "figure_white", 0), self.arm_first, self.arm_first)
        yield from self._frames_of(self.film.pictures[start], START_FRAMES, COPIES)
        before = start
        for turn in self.film.script["turns"]:
            arm = {"white": "figure_white", "black": "lay_black"}[turn["player"]]
            for name in (f"t{turn['turn']:02d}_wrong", f"t{turn['turn']:02d}"):
                if name not in self.film.pictures:
                    continue
                yield from self._frames_of(self.film.with_arm(before, arm, 60), ARM_FRAMES, ARM_FRAMES)
                yield from self._frames_of(self.film.with_arm(name, arm, -80), ARM_FRAMES, ARM_FRAMES)
                if self.end_turn is EndTurn.BUTTON:
                    press = Press((self._index + PRESS_AFTER_FRAMES) / FPS, Button(turn["player"]))
                    self._presses.append(press)
                yield from self._frames_of(self.film.pictures[name], REST_FRAMES[self.end_turn], COPIES)
                before = name

    def _frames_of(self, image: Picture, count: int, copies: int) -> Iterator[Frame]:
        noisy = [self.film.noisy(image, self._index + number) for number in range(min(copies, count))]
        for number in range(count):
            yield Frame(self._index, self._index / FPS, noisy[number % copies])
            self._index += 1


class Book:
    """Keeps nothing; ``rulings`` are those that were heard."""

    def __init__(self) -> None:
        self.rulings: list[tuple[object, ...]] = []

    def append(self, entry: object, ruling: Ruling, t_s: float) -> None:
        pass

    def attend(self, moment: Moment) -> None:
        for entry in moment.entries:
            if isinstance(entry.event, TurnEvent):
                cards, ruling = " ".join(sorted(map(str, entry.event.cards))), entry.ruling
                what = (cards, entry.event.white, entry.event.black)
                self.rulings.append((*what, *_said(ruling)))
            else:
                self.rulings.append((type(entry.event).name, entry.ruling.ok))


def _said(ruling: Ruling) -> tuple[object, ...]:
    if not ruling.ok:
        assert ruling.code is not None
        return (ruling.code.value,)
    assert ruling.player is not None
    action = None if ruling.action is None else ruling.action.value
    parry = None if ruling.parry is None else (ruling.parry.value, ruling.parry.count)
    return ruling.player.value, action, parry


def expected(film: Film, end_turn: EndTurn) -> list[tuple[object, ...]]:
    """What was played, as rulings: an illegal turn that nobody ends is not ruled."""
    rulings: list[tuple[object, ...]] = [(RoundEvent.name, True)]
    for turn in film.script["turns"]:
        wrong = turn.get("wrong")
        if wrong is not None and end_turn is EndTurn.BUTTON:
            rulings.append((" ".join(sorted(wrong["cards"])), wrong["white"], wrong["black"], wrong["code"]))
        parry = None if turn["parry"] is None else (turn["parry"]["value"], turn["parry"]["count"])
        cards = " ".join(sorted(turn["cards"]))
        rulings.append((cards, turn["white"], turn["black"], turn["player"], turn["action"], parry))
    return rulings


@pytest.fixture(scope="module")
def film() -> Film:
    return Film()


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE_FILE)


@pytest.mark.parametrize(("end_turn", "arm_first"), [(EndTurn.BUTTON, 6), (EndTurn.AUTO, 1)])
def test_every_turn_of_a_film_is_ruled_as_it_was_played(
    film: Film, table: Table, end_turn: EndTurn, arm_first: int
) -> None:
    showing, book = Showing(film, end_turn, arm_first), Book()
    settings = Settings(end_turn=end_turn, settle_s=SETTLE_S, middle_x_mm=table.play_area.middle[0])
    people = People(BySide("White", "Black"), "en")
    loop = Loop(showing, Eyes(table), showing.presses, book, (book,), settings, people, mode="play")
    loop.open(MatchEvent(film.script["rules"], Side.WHITE))
    loop.run()
    assert book.rulings == expected(film, end_turn)


def test_the_film_shows_what_it_is_kept_for(film: Film, table: Table) -> None:
    """Cards that the table file does not describe, one half over another, an illegal turn and a parry."""
    turns = film.script["turns"]
    assert film.script["cards"]["size"] == [52, 80]
    assert [turn["wrong"]["code"] for turn in turns if "wrong" in turn] == ["opponent_moved"]
    assert [turn["action"] for turn in turns] == [
        "advance",
        "advance",
        "advance",
        "advance",
        "direct_attack",
        "retreat",
    ]
    assert [turn["parry"] for turn in turns if turn["parry"] is not None] == [{"value": 5, "count": 1}]
    assert sum(file.stat().st_size for file in FILM.iterdir()) < 1_000_000
