"""The eyes at cards that lie upon one another: what is left of a label is enough, or is told as unread."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight, Why
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.eyes import Eyes
from vision.look import Look
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, SceneHand, figure_at

pytestmark = pytest.mark.slow


class Watched:
    """Eyes before which cards and hands come and go, ten frames a second."""

    def __init__(self) -> None:
        self.eyes = Eyes(TABLE)
        self._renderer = renderer_of(TABLE)
        self._cards: tuple[SceneCard, ...] = ()
        self._index = 0

    def push(self) -> None:
        """Somebody pushes the camera."""
        camera = self._renderer.camera
        moved = replace(camera, t=camera.t + np.array([12.0, 5.0, 0.0]))
        self._renderer = Renderer(TABLE, moved, PRESETS["typical"], 1)

    def show(
        self,
        times: int,
        cards: tuple[SceneCard, ...] | None = None,
        hands: tuple[SceneHand, ...] = (),
        light: float = 1.0,
    ) -> Look:
        self._cards = self._cards if cards is None else cards
        scene = Scene(self._cards, figure_at(TABLE, Side.WHITE, 3), figure_at(TABLE, Side.BLACK, 20), hands)
        for _ in range(times):
            frame = self._renderer.render(scene, self._index, self._index / 10)
            look = self.eyes.look(replace(frame, y=(frame.y * np.float32(light)).astype(np.uint8)))
            self._index += 1
        return look


def card(name: str, x_mm: float, level: int = 0) -> SceneCard:
    return SceneCard(Card.parse(name), x_mm, -150.0, 0.0, level)


def test_a_card_laid_half_under_another_at_once_is_read() -> None:
    """Two cards laid down as a fan: neither was ever seen whole."""
    watched = Watched()
    watched.show(times=8)
    fan = (card("2c", 300.0), card("4a", 322.0, level=1))
    table = watched.show(times=12, cards=fan).table
    assert {str(reading.card) for reading in table.cards} == {"2c", "4a"}
    assert table.sight is Sight.STEADY
    assert table.unread == ()


def test_what_is_left_of_a_label_stands_again_once_the_hand_that_passed_it_is_gone() -> None:
    watched = Watched()
    watched.show(times=8)
    fan = (card("2c", 300.0), card("4a", 322.0, level=1))
    watched.show(times=12, cards=fan)
    for x_mm in (330.0, 310.0, 290.0, 270.0):
        watched.show(1, hands=(SceneHand(Side.BLACK, x_mm, -120.0, height_mm=60.0),))
    for _ in range(20):
        look = watched.show(1, hands=())
        assert {str(reading.card) for reading in look.table.cards} == {"2c", "4a"}
    assert {str(one) for one in look.seen.cards} == {"2c", "4a"}
    assert look.table.unread == ()


def test_however_long_an_arm_lay_on_a_fan_nothing_is_steady_before_all_of_it_was_looked_at() -> None:
    watched = Watched()
    watched.show(times=8)
    fan = (card("2c", 300.0), card("4a", 322.0, level=1))
    arm = SceneHand(Side.WHITE, 300.0, -95.0, height_mm=20.0)
    assert watched.show(45, cards=fan, hands=(arm,)).table.why is Why.HAND
    looks = [watched.show(1).table for _ in range(16)]
    assert looks[-1].sight is Sight.STEADY
    for table in looks:
        assert table.sight is not Sight.STEADY or {str(one.card) for one in table.cards} == {"2c", "4a"}


def test_a_whole_label_that_the_reader_loses_is_found_from_its_finder_patterns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = Watched()
    watched.show(times=14, cards=(card("2c", 300.0),))
    reader = watched.eyes._detector._reader
    monkeypatch.setattr(reader, "_by_zxing", lambda crop: ([], []))
    watched.eyes._detector._due |= watched.eyes._detector._zones.table  # type: ignore[union-attr]
    watched.eyes._carried = watched.eyes._carried._replace(rests=None)
    look = watched.show(times=5)
    assert [str(one) for one in look.seen.cards] == ["2c"]
    assert [str(reading.card) for reading in watched.show(times=8).table.cards] == ["2c"]


def test_a_card_of_which_too_little_is_left_is_told_as_unread_until_it_is_freed() -> None:
    watched = Watched()
    watched.show(times=8)
    fan = (card("2c", 300.0), card("4a", 315.5, level=1))
    table = watched.show(times=12, cards=fan).table
    assert [str(reading.card) for reading in table.cards] == ["4a"]
    (label,) = table.unread
    assert abs(label.x_mm - (300.0 - 13.0 - 8.3)) < 3.0
    table = watched.show(times=12, cards=(card("2c", 300.0), card("4a", 370.0))).table
    assert {str(reading.card) for reading in table.cards} == {"2c", "4a"}
    assert table.unread == ()


def test_the_cut_label_of_a_card_that_is_known_is_no_question() -> None:
    watched = Watched()
    watched.show(times=8, cards=(card("2c", 300.0),))
    table = watched.show(times=12, cards=(card("2c", 300.0), card("4a", 315.5, level=1))).table
    assert {str(reading.card) for reading in table.cards} == {"2c", "4a"}
    assert table.unread == ()


def test_a_label_that_is_cut_now_is_looked_for_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched()
    watched.show(times=8, cards=(card("2c", 300.0),))
    monkeypatch.setattr("vision.marks.remnants.find_finders", lambda *given: ())
    look = watched.show(times=12, cards=(card("2c", 300.0), card("4a", 322.0, level=1)))
    assert {str(reading.card) for reading in look.table.cards} == {"2c", "4a"}
    assert {str(label.card) for label in look.detections.labels if label.cut} == {"2c"}


def test_a_cut_label_is_looked_for_where_the_camera_shows_it_now(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched()
    watched.show(times=8, cards=(card("2c", 300.0),))
    watched.show(times=12, cards=(card("2c", 300.0), card("4a", 322.0, level=1)))
    monkeypatch.setattr("vision.marks.remnants.find_finders", lambda *given: ())
    watched.push()
    look = watched.show(times=26)
    assert look.table.sight is Sight.STEADY
    assert {str(label.card) for label in look.detections.labels if label.cut} == {"2c"}
    assert [reading.covered for reading in look.table.cards] == [False, False]


def test_another_card_where_a_cut_one_lay_is_not_taken_for_it() -> None:
    watched = Watched()
    watched.show(times=8, cards=(card("2c", 300.0),))
    watched.show(times=12, cards=(card("2c", 300.0), card("4a", 322.0, level=1)))
    look = watched.show(times=14, cards=(card("3b", 300.0), card("4a", 322.0, level=1)))
    assert {str(one) for one in look.seen.cards} == {"3b", "4a"}
    # For all that can be seen the new card may have been laid upon it.
    assert {str(reading.card): reading.covered for reading in look.table.cards} == {
        "2c": True,
        "3b": False,
        "4a": False,
    }


def test_in_other_light_what_was_left_of_labels_is_found_again_with_one_look_each() -> None:
    """Nine cards, four under others, as lamps go out and on: looking at each cut code twice would take eleven looks."""
    watched = Watched()
    watched.show(times=8)
    names = ("2c", "4a", "1b", "3d", "5e", "2a", "3a", "1c", "4e")
    fans = tuple(card(name, 120.0 + 22.0 * k + 90.0 * (k // 3), level=k) for k, name in enumerate(names))
    watched.show(times=40, cards=fans)
    for light in (0.4, 1.0):
        looks = [watched.show(times=1, light=light).table for _ in range(18)]
        unsteady = [number for number, table in enumerate(looks) if table.sight is not Sight.STEADY]
        assert unsteady == list(range(len(unsteady)))
        assert len(unsteady) <= 8
        assert sorted(str(reading.card) for reading in looks[-1].cards) == sorted(names)
        assert looks[-1].unread == ()
