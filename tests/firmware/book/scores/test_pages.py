"""``engarde scores --match NO --html``: the page of a match in the book."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from tests.firmware.conftest import bot_match, keep_match

pytestmark = pytest.mark.slow


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(path))
    with open_scorebook(path) as book:
        for seed in range(4):
            keep_match(book, "Ana <3", "Bo", bot_match(seed, points=1))
        keep_match(book, "Cem", "Bo", bot_match(9)[:6])
    return path


def test_a_page_in_a_file_and_in_a_folder(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    assert main(["scores", "--match", "3", "--html", str(file), "--language", "nl"]) == 0
    assert capsys.readouterr().out == f"Match 3 was written to {file}.\n"
    page = file.read_text(encoding="utf-8")
    assert "Ana &lt;3 tegen Bo" in page
    assert "Ana <3" not in page
    folder = tmp_path / "pages"
    folder.mkdir()
    assert main(["scores", "--match", "3", "--html", str(folder), "--language", "nl"]) == 0
    assert (folder / "match-3.html").read_text(encoding="utf-8") == page


@pytest.fixture
def unreviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without the review of their rounds, which takes most of the time."""
    monkeypatch.setattr("firmware.book.scores.reviewing.reviewed_rounds", lambda played, tell: [])


@pytest.mark.usefixtures("unreviewed")
def test_ratings_go_up_to_the_match_and_no_further(book: Path, tmp_path: Path) -> None:
    pages = {}
    for number in (1, 2, 4, 5):
        file = tmp_path / f"{number}.html"
        assert main(["scores", "--match", str(number), "--html", str(file)]) == 0
        pages[number] = file.read_text(encoding="utf-8")
    assert "<polyline" not in pages[1]
    assert pages[2].count("<polyline") == 2
    widths = [len(page.partition("<polyline")[2].partition("/>")[0].split(",")) for page in (pages[2], pages[4])]
    assert widths[0] < widths[1]
    assert pages[5].count("<polyline") == 1, "Cem has finished no match yet"
    assert "Not played to its end" in pages[5]


@pytest.mark.usefixtures("unreviewed")
def test_a_rating_under_all_presets_is_shown_whatever_is_asked_for(book: Path, tmp_path: Path) -> None:
    plain, chosen = tmp_path / "plain.html", tmp_path / "chosen.html"
    assert main(["scores", "--match", "4", "--html", str(plain)]) == 0
    assert main(["scores", "--match", "4", "--preset", "ferti-advanced", "--html", str(chosen)]) == 0
    assert plain.read_bytes() == chosen.read_bytes()
