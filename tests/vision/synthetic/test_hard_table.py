"""The simulated table at its hardest: nothing wrong is ever agreed on. Its long version is bench_hard.py."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine.table.observation import CardReading
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look
from vision.printed.table import load_table
from vision.synthetic import PRESETS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
TABLE = load_table(ROOT / "hardware" / "table.toml")
FRAMES = 45


def _loaded() -> ModuleType:
    spec = spec_from_file_location("hard_table", ROOT / "tests" / "bench" / "hard_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


HARD: Any = _loaded()


@pytest.mark.parametrize(("seed", "width"), [(4, 1792), (23, 2304)])
def test_no_wrong_card_or_space_is_agreed_on_and_cards_are_read_in_time(seed: int, width: int) -> None:
    score = HARD.watch_story(HARD.with_width(TABLE, width), PRESETS["hard"], seed, FRAMES)
    assert score.failures == []
    assert (score.frames, score.wrong_cards, score.wrong_spaces, score.late) == (FRAMES, 0, 0, 0)
    assert score.legible >= 1
    assert score.read_in_time == score.legible
    assert len(score.figure_errors_mm) > 20


def test_a_wrong_card_and_a_wrong_space_would_be_called_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score itself can fail: eyes that see what is not there are found out."""
    from dataclasses import replace

    from engine.rules.cards import Card
    from engine.rules.track import Side
    from engine.table.observation import FigureReading

    look = Eyes.look

    def deluded(self: Eyes, frame: Frame) -> Look:
        seen = look(self, frame)
        cards = (*seen.table.cards, CardReading(Card.parse("5e"), 300.0, -150.0, 0.0, False))
        figures = seen.table.figures.put(Side.WHITE, FigureReading(19, None, 504.0))
        return replace(seen, table=replace(seen.table, cards=cards, figures=figures))

    monkeypatch.setattr(Eyes, "look", deluded)
    failed: list[tuple[int, str]] = []
    score = HARD.watch_story(
        TABLE, PRESETS["none"], 4, 12, lambda frame, look, said: failed.append((frame.index, said))
    )
    assert (score.wrong_cards, score.wrong_spaces) == (1, 1)
    assert [index for index, _ in failed[:2]] == [0, 0]
    assert any("5e was agreed on and does not lie there" in said for said in score.failures)
