"""``engarde watch --survey``: pictures with their truth, and a bench that reads them."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from display.i18n import words
from engine.rules.cards import DECK
from engine.rules.track import Side
from firmware.cli.commands.survey import Survey
from firmware.core.errors import EngardeError
from tests.tables import TABLE, renderer_of
from vision.frame import Frame
from vision.printed.arrangements import ARRANGEMENTS, Arrangement, Laid
from vision.printed.table import load_table
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]
TABLE_FILE = ROOT / "hardware" / "table.toml"
SAY = words("en")


def laid(asked: Arrangement) -> Scene:
    """Somebody did what was asked for: covered cards lie beneath the last, held ones are out of the picture."""
    places = [(110.0 + 75.0 * index, -150.0) for index in range(len(asked.cards))]
    pile = [SceneCard(card, *places[0]) for card in asked.covered]
    flat = [SceneCard(card, *place) for card, place in zip(asked.cards, places, strict=True)]
    figures = figure_at(TABLE, Side.WHITE, asked.white), figure_at(TABLE, Side.BLACK, asked.black)
    return Scene((*pile, *flat), *figures)


class Laying:
    """A camera over a table at which ``number`` says how far somebody has come; it shows nothing else."""

    def __init__(self) -> None:
        self._renderer = renderer_of(TABLE, "typical", 2)
        self.number, self.index, self.closed = 0, 0, False
        self.blank = False

    def read(self) -> Frame | None:
        self.index += 1
        frame = self._renderer.render(laid(ARRANGEMENTS[self.number]), self.index, self.index / 10)
        return Frame(frame.index, frame.t_s, np.zeros_like(frame.y)) if self.blank else frame

    def close(self) -> None:
        self.closed = True


def survey(folder: Path, table: Laying, typed: list[str], text: str = "") -> str:
    """What is said while these lines are typed, the next arrangement being laid before each."""
    out = io.StringIO()

    def answers() -> Iterator[str]:
        for number, line in enumerate(typed):
            table.number = min(number, len(ARRANGEMENTS) - 1)
            yield line

    asking = Survey(folder, SAY, text or TABLE_FILE.read_text(), out, answers())
    assert asking.conduct(table, TABLE, None, live=False) == 0
    assert table.closed
    return out.getvalue()


def test_the_pictures_are_kept_with_what_was_asked_for_and_the_bench_reads_them(tmp_path: Path) -> None:
    survey(tmp_path, Laying(), ["\n"] * 3)
    told = json.loads((tmp_path / "survey.json").read_text())
    assert [each["laid"] for each in told["arrangements"]] == ["empty", "side_by_side", "side_by_side"]
    assert [each["white"] for each in told["arrangements"]] == [1, 2, 3]
    assert told["arrangements"][1]["cards"] == ["1a", "1b", "1c", "1d", "1e"]
    bench = ROOT / "tests" / "bench" / "bench_survey.py"
    whole = {"cwd": ROOT, "env": {"PYTHONPATH": "."}, "capture_output": True, "text": True}
    read = subprocess.run([sys.executable, str(bench), str(tmp_path)], check=False, **whole)  # type: ignore[call-overload]
    assert read.returncode == 0, read.stderr
    assert read.stdout.splitlines()[-1].split() == ["all", "6", "0", "0", "10", "0", "0", "0"]

    told["arrangements"][1]["cards"][0] = "5a"
    (tmp_path / "survey.json").write_text(json.dumps(told))
    wrong = subprocess.run([sys.executable, str(bench), str(tmp_path)], check=False, **whole)  # type: ignore[call-overload]
    assert wrong.returncode == 1
    assert wrong.stdout.splitlines()[-1].split() == ["all", "6", "0", "0", "9", "1", "1", "0"]


def test_nothing_private_is_kept(tmp_path: Path) -> None:
    text = "# Ana Muster, Hauptstr. 1\n" + TABLE_FILE.read_text().replace('letter = "A"', 'letter = "A"  # Bo\'s deck')
    survey(tmp_path, Laying(), ["\n"], text)
    assert load_table(tmp_path / "table.toml") == TABLE
    everything = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [word for word in (b"Ana", b"Bo's", str(tmp_path).encode()) if word in everything]
    picture = cv2.imread(str(tmp_path / "01-1.png"))
    assert picture is not None
    assert not picture[:8].any()  # what is beyond the table
    assert picture[picture.shape[0] // 2].any()


def test_leaving_out_going_back_and_ending(tmp_path: Path) -> None:
    table = Laying()
    survey(tmp_path, table, ["s\n", "\n", "b\n", "\n", "q\n"])
    told = json.loads((tmp_path / "survey.json").read_text())
    assert [each["white"] for each in told["arrangements"]] == [ARRANGEMENTS[1].white]
    with pytest.raises(EngardeError, match="has a survey already"):
        survey(tmp_path, table, [])
    table.blank = True
    said = survey(tmp_path / "blank", table, ["\n", "\n"])
    assert said.count(SAY.say("survey.no_board")) == 2, "a table that is not found is asked for again"
    assert not list((tmp_path / "blank").glob("*.png"))


def test_a_live_camera_that_ends_ends_the_survey(tmp_path: Path) -> None:
    """Nobody has typed anything, and nobody is waited for."""
    over = threading.Event()

    def answers() -> Iterator[str]:
        over.wait()
        yield "\n"

    class Ended(Laying):
        def read(self) -> Frame | None:
            return super().read() if self.index < 2 else None

    asking = Survey(tmp_path, SAY, TABLE_FILE.read_text(), io.StringIO(), answers())
    try:
        assert asking.conduct(table := Ended(), TABLE, None, live=True) == 0
    finally:
        over.set()
    assert table.closed


def test_every_card_and_space_is_asked_for() -> None:
    assert {card for asked in ARRANGEMENTS if asked.laid is Laid.SIDE_BY_SIDE for card in asked.cards} == set(DECK)
    assert {space for asked in ARRANGEMENTS for space in (asked.white, asked.black)} == set(range(1, 24))
