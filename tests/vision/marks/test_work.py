"""What a frame may cost: the steps that can wait ask for it, and none waits for long."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.tables import TABLE
from vision.board.zones import Zones
from vision.frame import Picture
from vision.geometry import Box
from vision.marks.foreign import ARUCO, ZXING
from vision.marks.labels import LabelReader
from vision.marks.markers import MarkerFinder
from vision.marks.work import MAX_WORK, Work
from vision.reading.detect import Detections
from vision.reading.second_look import SecondLook

PICTURE: Picture = np.zeros((1296, 2304), np.uint8)
CALM = np.zeros((162, 288), np.uint8)
AT_REST = Detections((), (), (), CALM, False, False, CALM, False, True, CALM, CALM, CALM)
WHOLE = Box(0, 0, 2304, 1296)
ZONES = Zones(CALM, CALM, CALM, WHOLE, WHOLE, {}, 3.0)


class Reader:
    """Stands in for the libraries: counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, name: str, y: Picture, *how: object) -> Any:
        self.asked.append(name)
        return [] if name == ARUCO else ([], [])


def test_every_look_of_a_reader_is_paid_for_in_its_frame() -> None:
    reader = Reader()
    work = Work(reader)
    for name, how in ((ZXING, (False,)), (ZXING, (True,)), (ARUCO, ("a dictionary", "quick"))):
        before = work.spent
        work(name, PICTURE, *how)
        assert work.spent > before
    assert reader.asked == [ZXING, ZXING, ARUCO]
    assert not work.allows(MAX_WORK)
    work.begin()
    assert work.allows(MAX_WORK)


def test_the_plain_way_waits_for_a_frame_with_time_and_then_has_one_for_itself() -> None:
    reader = Reader()
    work = Work(reader)
    second = SecondLook(MarkerFinder(TABLE.dictionary, work), LabelReader(work), work)

    def looked(spent: float) -> bool:
        work.begin()
        work.spent = spent
        return second.look(PICTURE, 0.0, AT_REST, (), ZONES) is not None

    assert [looked(spent) for spent in (MAX_WORK, MAX_WORK, 0.0)] == [False, True, False]
    assert reader.asked == [ARUCO, ZXING]
    second.again()
    assert [looked(spent) for spent in (MAX_WORK, 0.0)] == [False, True]


def test_a_frame_with_a_hand_is_nobodys_alone() -> None:
    reader = Reader()
    work = Work(reader)
    second = SecondLook(MarkerFinder(TABLE.dictionary, work), LabelReader(work), work)
    work.spent = MAX_WORK
    second.look(PICTURE, 0.0, AT_REST, (), ZONES)
    assert second.is_next
    second.look(PICTURE, 0.1, replace(AT_REST, hand=True), (), ZONES)
    assert not second.is_next
    assert reader.asked == []
