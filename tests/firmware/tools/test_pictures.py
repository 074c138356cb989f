"""The pictures of the running program in README and guide are what it shows today."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.firmware.tools.pictures import FOLDER, MADE_OF, PAGE_MADE_OF, PICTURES, ROOT, made_of, main

MOVING: Final = "first-round.webp"
"""Made by ``tests/bench/first_minutes.py --moving``: a turn played wrongly and put right, and a touch."""
OTHER: Final = 24.0
"""Brightness levels by which two pixels differ, and not by another version's rounding of a letter's edge."""
FEW: Final = 0.002
"""Of a picture's pixels: less than one word of its smallest print."""


def _differ(name: str, folder: Path) -> float:
    """How much of the kept picture is not what is made now."""
    assert main([name, "--out", str(folder)]) == 0
    kept, now = (cv2.imread(str(each / name)) for each in (FOLDER, folder))
    assert kept is not None
    assert now is not None
    assert kept.shape == now.shape, "make it anew: python -m tests.firmware.tools.pictures"
    return float((np.abs(kept.astype(int) - now).max(axis=2) > OTHER).mean())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["setup-screen.png", "table-played.jpg", "table-screen.png"])
def test_a_picture_is_what_the_program_shows(name: str, tmp_path: Path) -> None:
    assert _differ(name, tmp_path) < FEW, f"{name} is out of date: python -m tests.firmware.tools.pictures {name}"


def test_the_phones_page_is_photographed_as_it_is() -> None:
    with Image.open(FOLDER / "setup-measure.png") as image:
        told = image.info.get(MADE_OF)
    assert told == made_of(PAGE_MADE_OF), "page or words changed: make setup-measure.png anew (CONTRIBUTING.md)"


@pytest.mark.slow
@pytest.mark.skipif(not any(map(shutil.which, ("chromium", "chromium-browser"))), reason="Chromium is not installed")
def test_the_phones_page_can_be_photographed(tmp_path: Path) -> None:
    """Letters look otherwise on another machine; its buttons and the picture of the table do not."""
    assert main(["setup-measure.png", "--out", str(tmp_path)]) == 0
    kept, now = (cv2.imread(str(each / "setup-measure.png")) for each in (FOLDER, tmp_path))
    assert kept is not None
    assert now is not None
    blurred = [cv2.GaussianBlur(each, (0, 0), 8).astype(int) for each in (kept, now)]
    assert kept.shape == now.shape
    assert (np.abs(blurred[0] - blurred[1]).max(axis=2) > OTHER).mean() < 10 * FEW


def test_every_picture_is_made_and_shown() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*PICTURES, MOVING}
    pages = [*ROOT.glob("README*.md"), *ROOT.glob("PLAYING*.md"), ROOT / "hardware" / "README.md"]
    shown = set(re.findall(r"pictures/([\w-]+\.\w+)", "\n".join(page.read_text(encoding="utf-8") for page in pages)))
    assert {*PICTURES, MOVING} <= shown


def test_the_moving_picture_moves_and_is_small() -> None:
    with Image.open(FOLDER / MOVING) as image:
        assert getattr(image, "n_frames", 1) > 50
    assert (FOLDER / MOVING).stat().st_size < 1_500_000


def test_what_cannot_be_made_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["setup-measure.png", "--out", str(tmp_path)]) == 1
    assert "Chromium, which is not here" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["setup-nothing.png"])
    assert "there is no picture setup-nothing.png" in capsys.readouterr().err
