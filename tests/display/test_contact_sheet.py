"""The command for people who look."""

from __future__ import annotations

from pathlib import Path

import pytest

from display.contact_sheet import main
from display.showcase import play, turn
from engine.events import RoundEvent


def test_it_draws_what_was_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--out", str(tmp_path), "--language", "fr", "--size", "800x480", "--screen", "touch", "--screen", "draw"]
    assert main(asked) == 0
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.png"))
    assert written == ["fr-800x480/draw.png", "fr-800x480/touch.png", "sheet-fr-800x480.png"]
    assert "did not fit: 0" in capsys.readouterr().out


def test_a_wrong_size_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path), "--size", "large"])
    assert "such as 800x480, not 'large'" in capsys.readouterr().err


def test_the_showcase_plays_by_the_rules() -> None:
    with pytest.raises(ValueError, match="event 1 is refused"):
        play(RoundEvent(), turn("3a", 5, 23), turn("1a", 5, 22))
