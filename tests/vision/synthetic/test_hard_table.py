"""The simulated table at its hardest: nothing wrong is ever agreed on. Its long version is bench_hard.py."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hard_table import watch_story, with_width

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import CardReading, FigureReading
from tests.tables import TABLE
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look
from vision.synthetic import PRESETS

pytestmark = pytest.mark.slow

FRAMES = 45


@pytest.mark.parametrize(("seed", "width"), [(4, 1792), (23, 2304)])
def test_no_wrong_card_or_space_is_agreed_on_and_cards_are_read_in_time(seed: int, width: int) -> None:
    score = watch_story(with_width(TABLE, width), PRESETS["hard"], seed, FRAMES)
    assert score.failures == []
    assert (score.frames, score.wrong_cards, score.wrong_spaces, score.late) == (FRAMES, 0, 0, 0)
    assert score.legible >= 1
    assert score.read_in_time == score.legible
    assert len(score.figure_errors_mm) > 20


def test_a_wrong_card_and_a_wrong_space_would_be_called_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score itself can fail: eyes that see what is not there are found out."""
    look = Eyes.look

    def deluded(self: Eyes, frame: Frame) -> Look:
        seen = look(self, frame)
        cards = (*seen.table.cards, CardReading(Card.parse("5e"), 300.0, -150.0, 0.0, False))
        figures = seen.table.figures.put(Side.WHITE, FigureReading(19, None, 504.0))
        return replace(seen, table=replace(seen.table, cards=cards, figures=figures))

    monkeypatch.setattr(Eyes, "look", deluded)
    failed: list[tuple[int, str]] = []
    score = watch_story(TABLE, PRESETS["none"], 4, 12, lambda frame, look, said: failed.append((frame.index, said)))
    assert (score.wrong_cards, score.wrong_spaces) == (1, 1)
    assert [index for index, _ in failed[:2]] == [0, 0]
    assert any("5e was agreed on and does not lie there" in said for said in score.failures)
