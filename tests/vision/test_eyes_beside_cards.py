"""What came to lie beside a card with it, and shows no code at all, is told; what only looks a little so is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight, TableObservation
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.geometry import Camera
from vision.printed.table import load_table
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, SceneHand, default_camera, figure_at

pytestmark = pytest.mark.slow

TABLE = load_table(Path(__file__).parents[2] / "hardware" / "table.toml")
CAMERA = default_camera(TABLE)
Spoil = Callable[[Picture], Picture]


def boxed(x_mm: float, y_mm: float, wide_mm: float, high_mm: float, camera: Camera = CAMERA) -> tuple[slice, slice]:
    """The pixels at a rectangle of the table with this middle."""
    px = camera.project([(x_mm - wide_mm / 2, y_mm - high_mm / 2, 0.0), (x_mm + wide_mm / 2, y_mm + high_mm / 2, 0.0)])
    (x0, x1), (y0, y1) = (sorted(px[:, axis].round().astype(int).tolist()) for axis in (0, 1))
    return slice(y0, y1), slice(x0, x1)


def smudged(at: tuple[slice, slice]) -> Spoil:
    """Something soft on the lens, before this part of the picture."""

    def spoil(y: Picture) -> Picture:
        mask = np.zeros(y.shape, np.float32)
        mask[at] = 1.0
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 6.0), np.float32)
        return np.asarray(y * (1.0 - mask) + cv2.GaussianBlur(y, (0, 0), 9.0) * mask, dtype=np.uint8)

    return spoil


def painted(at: tuple[slice, slice], grey: float) -> Spoil:
    """A thing of one grey there."""

    def spoil(y: Picture) -> Picture:
        out = y.copy()
        out[at] = grey
        return out

    return spoil


def shaded(at: tuple[slice, slice], share: float) -> Spoil:
    """So much of the light is left there, with a hard edge."""

    def spoil(y: Picture) -> Picture:
        out = y.copy()
        out[at] = (out[at] * share).astype(np.uint8)
        return out

    return spoil


def card(name: str, x_mm: float, level: int = 0) -> SceneCard:
    return SceneCard(Card.parse(name), x_mm, -150.0, 0.0, level)


FIRST = (card("1a", 150.0),)
UPPER = card("4a", 322.0, 2)
FAN = (*FIRST, card("2c", 300.0, 1), UPPER)


class Watched:
    def __init__(self, strength: str = "typical") -> None:
        self.eyes, self._index = Eyes(TABLE), 0
        self._renderer = Renderer(TABLE, CAMERA, PRESETS[strength], 1)

    def show(
        self, times: int, cards: tuple[SceneCard, ...], spoil: Spoil, hand: bool = False
    ) -> list[TableObservation]:
        hands = (SceneHand(Side.WHITE, 300.0, -150.0, height_mm=30.0),) if hand else ()
        scene = Scene(cards, figure_at(TABLE, Side.WHITE, 3), figure_at(TABLE, Side.BLACK, 20), hands)
        seen = []
        for _ in range(times):
            y = spoil(self._renderer.render(scene, self._index, self._index / 10).y)
            seen.append(self.eyes.look(Frame(self._index, self._index / 10, y)).table)
            self._index += 1
        return seen

    def laid(self, cards: tuple[SceneCard, ...], before: Spoil, after: Spoil) -> list[TableObservation]:
        """A hand lays these cards beside the first; ``before`` and ``after`` say how all of it looks."""
        assert self.show(14, FIRST, before)[-1].sight is Sight.STEADY
        self.show(3, FIRST, before, hand=True)
        self.show(3, cards, after, hand=True)
        return self.show(30, cards, after)


def names(seen: TableObservation) -> list[str]:
    return [str(reading.card) for reading in seen.cards]


@pytest.mark.parametrize("strength", ["none", "typical"])
def test_a_half_covered_card_under_a_smudge_is_told_until_it_can_be_read(strength: str) -> None:
    watched, smudge = Watched(strength), smudged(boxed(277.0, -150.0, 30.0, 110.0))
    seen = watched.laid(FAN, smudge, smudge)
    assert names(seen[-1]) == ["1a", "4a"]
    assert not [at for at in seen if at.sight is Sight.STEADY and not at.unread]
    (told,) = seen[-1].unread
    assert seen[-1].sight is Sight.STEADY
    assert (abs(told.x_mm - 277.0), abs(told.y_mm + 150.0)) < (8.0, 8.0)
    assert not told.glares
    apart = (*FIRST, card("2c", 420.0, 1), UPPER)
    watched.show(3, apart, smudge, hand=True)
    seen = watched.show(20, apart, smudge)
    assert set(names(seen[-1])) == {"1a", "2c", "4a"}
    assert seen[-1].unread == ()


def test_it_is_taken_back_once_it_is_gone_or_the_card_it_lay_beside_is() -> None:
    smudge = smudged(boxed(277.0, -150.0, 30.0, 110.0))
    for left in ((*FIRST, UPPER), FIRST):
        watched = Watched()
        assert watched.laid(FAN, smudge, smudge)[-1].unread
        watched.show(3, left, smudge, hand=True)
        seen = watched.show(25, left, smudge)
        assert (seen[-1].unread, seen[-1].sight) == ((), Sight.STEADY)


def test_a_hand_that_passes_does_not_make_it_forgotten() -> None:
    watched, smudge = Watched(), smudged(boxed(277.0, -150.0, 30.0, 110.0))
    watched.laid(FAN, smudge, smudge)
    seen = [*watched.show(5, FAN, smudge, hand=True), *watched.show(15, FAN, smudge)]
    assert all(len(at.unread) == 1 for at in seen)


BESIDE = boxed(272.0, -150.0, 26.0, 80.0)  # up to some six millimetres from the card


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (lambda y: y, shaded(BESIDE, 0.6)),  # shade
        (painted(BESIDE, 230.0), lambda y: y),  # a thing that was taken away
        (painted(BESIDE, 230.0), painted(BESIDE, 230.0)),  # one that lay there before
        (lambda y: y, painted(boxed(200.0, -220.0, 30.0, 60.0), 230.0)),  # one that lies beside no card
        (lambda y: y, painted(boxed(286.0, -150.0, 8.0, 80.0), 230.0)),  # a wide edge, as sleeves have
    ],
)
def test_nothing_is_told_of_shade_edges_and_things_of_the_household(before: Spoil, after: Spoil) -> None:
    seen = Watched().laid((*FIRST, UPPER), before, after)
    assert names(seen[-1]) == ["1a", "4a"]
    assert all(at.unread == () for at in seen)


def test_a_thing_of_a_cards_size_that_came_beside_a_card_is_told() -> None:
    """What the test above lays elsewhere, or edgewise, is told where a card would be."""
    (told,) = Watched().laid((*FIRST, UPPER), lambda y: y, painted(BESIDE, 230.0))[-1].unread
    assert abs(told.x_mm - 272.0) < 5.0


def test_a_calibration_that_is_only_more_exact_does_not_make_it_forgotten() -> None:
    watched, smudge = Watched(), smudged(boxed(277.0, -150.0, 30.0, 110.0))
    watched.laid(FAN, smudge, smudge)
    calibration, zones = watched.eyes.calibration, watched.eyes._pose.zones
    assert calibration is not None
    assert zones is not None
    camera = calibration.camera
    for t_mm, elsewhere, told in ((0.3, 0, 1), (40.0, 1, 0)):
        off = Camera(camera.K, camera.dist, camera.R, camera.t + t_mm, camera.width, camera.height)
        watched.eyes._pose.places += elsewhere
        watched.eyes._aim(replace(calibration, camera=off), zones)
        assert len(watched.eyes._beside.places) == told
