"""Eyes whose readers of labels give no answer for a while: nothing is called steady, and then everything is read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.belief import BRIEFLY_S
from vision.eyes import Eyes
from vision.frame import Picture
from vision.look import Look
from vision.marks.foreign import ZBAR, ZXING, in_process
from vision.reading.second_look import SecondLook
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow
STOOD = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))
FIRST, SECOND = SceneCard(Card.parse("3b"), 200.0, -150.0), SceneCard(Card.parse("4c"), 330.0, -150.0)


class Readers:
    """Those whose names are in ``silent`` give no answer."""

    def __init__(self) -> None:
        self.silent: set[str] = set()

    def __call__(self, name: str, y: Picture, *how: object) -> object:
        return None if name in self.silent else in_process(name, y, *how)


class Table:
    def __init__(self) -> None:
        self.readers, self._renderer, self._index = Readers(), renderer_of(TABLE), 0
        self.eyes = Eyes(TABLE, run=self.readers)

    def show(self, *cards: SceneCard, frames: int = 8) -> list[Look]:
        looks = []
        for _ in range(frames):
            frame = self._renderer.render(replace(STOOD, cards=cards), self._index, self._index / 10)
            self._index += 1
            looks.append(self.eyes.look(frame))
        return looks


def read(look: Look) -> list[str]:
    return sorted(str(reading.card) for reading in look.table.cards)


def test_while_nobody_answers_a_new_card_is_waited_for_and_the_old_one_stays() -> None:
    table = Table()
    before = table.show(FIRST, frames=14)[-1]
    assert (before.table.sight, read(before)) == (Sight.STEADY, ["3b"])
    table.readers.silent = {ZXING, ZBAR}
    blind = table.show(FIRST, SECOND, frames=30)
    assert all(look.table.sight is not Sight.STEADY for look in blind[3:])
    assert all(read(look) == ["3b"] for look in blind)
    table.readers.silent = set()
    after = table.show(FIRST, SECOND)[-1]
    assert (after.table.sight, read(after)) == (Sight.STEADY, ["3b", "4c"])


@pytest.mark.parametrize("silent", [ZXING, ZBAR])
def test_one_reader_is_enough(silent: str) -> None:
    table = Table()
    table.readers.silent = {silent}
    table.show(FIRST, frames=14)
    look = table.show(FIRST, SECOND, frames=14)[-1]
    assert (look.table.sight, read(look)) == (Sight.STEADY, ["3b", "4c"])


@pytest.mark.parametrize("fps", [4, 10])
def test_a_table_of_which_a_part_is_never_looked_at_is_told_of_after_three_seconds_at_any_rate(
    fps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SecondLook, "waiting", property(lambda self: True))
    renderer, eyes = renderer_of(TABLE), Eyes(TABLE)
    looks = [eyes.look(renderer.render(STOOD, index, index / fps)) for index in range(5 * fps)]
    steady_s = [look.table.t_s for look in looks if look.table.sight is Sight.STEADY]
    assert BRIEFLY_S <= steady_s[0] < BRIEFLY_S + 1.2
