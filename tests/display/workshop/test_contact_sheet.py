"""The command for people who look."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rules.events import RoundEvent
from tests.display.contact_sheet import main, other_screens
from tests.display.menu_showcase import EVERY_PAGE
from tests.display.showcase import play, turn


@pytest.mark.slow
def test_it_draws_what_was_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--out", str(tmp_path), "--language", "fr", "--size", "800x480", "--theme", "parchment"]
    assert main([*asked, "--screen", "touch", "--screen", "draw"]) == 0
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.png"))
    assert written == ["fr-800x480/draw.png", "fr-800x480/touch.png", "sheet-fr-800x480.png"]
    assert "faults of texts: 0" in capsys.readouterr().out


@pytest.mark.slow
def test_menu_review_and_watching_are_drawn_in_every_theme(tmp_path: Path) -> None:
    screens = ["--screen", "menu-settings", "--screen", "review-judged", "--screen", "watch-blind"]
    assert main(["--out", str(tmp_path), "--language", "de", "--size", "800x480", *screens]) == 0
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.png")}
    folders = ["de-800x480", "de-800x480-clear", "de-800x480-large", "de-800x480-clear-large"]
    names = ["menu-settings", "review-judged", "watch-blind"]
    pictures = {f"{folder}/{name}.png" for folder in folders for name in names}
    assert written == pictures | {f"menu-{folder}.png" for folder in folders}
    contents = [(tmp_path / name).read_bytes() for name in sorted(pictures)]
    assert len(set(contents)) == len(contents)


@pytest.mark.slow
def test_every_page_of_the_menu_is_among_the_screens() -> None:
    names = set(other_screens("en"))
    assert {f"menu-{page}" for page in EVERY_PAGE} <= names
    assert any(name.startswith("review-") for name in names)
    assert any(name.startswith("watch-") for name in names)


@pytest.mark.slow
def test_a_wrong_size_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path), "--size", "large"])
    assert "such as 800x480, not 'large'" in capsys.readouterr().err


def test_the_showcase_plays_by_the_rules() -> None:
    with pytest.raises(ValueError, match="event 1 is refused"):
        play(RoundEvent(), turn("3a", 5, 23), turn("1a", 5, 22))
