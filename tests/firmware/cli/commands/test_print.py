"""``engarde print`` as its user runs it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from firmware.cli.commands.declared import parsed
from firmware.cli.commands.print import Print, with_cards
from firmware.cli.main import main
from firmware.core.config import load_config
from firmware.table.camera.setup import TABLE_FILE
from vision.printed.table import CardSize, LabelMargin, load_table

pytestmark = pytest.mark.slow

EVERYWHERE = ["start", "labels", "tabs", "corners", "mat", "guide"]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def made(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def words_of(file: Path) -> str:
    document = pdfium.PdfDocument(file.read_bytes())
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def test_both_papers_by_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "sheets"
    assert main(["print", "--out", str(out)]) == 0
    assert made(out) == sorted(f"{name}-{paper}.pdf" for name in EVERYWHERE for paper in ("a4", "letter"))
    said = capsys.readouterr().out
    assert f"{out / 'labels-a4.pdf'}  3 pages" in said
    assert f"{out / 'labels-letter.pdf'}  4 pages" in said
    assert f"{out / 'tabs-letter.pdf'}  1 page\n" in said
    assert "100 %" in said
    for file in out.iterdir():
        document = pdfium.PdfDocument(file.read_bytes())
        sides = {round(side / 72 * 25.4, 1) for page in document for side in page.get_size()}
        document.close()
        assert sides == ({210.0, 297.0} if "-a4" in file.name else {215.9, 279.4})


def test_only_what_was_asked_for_of_another_table_in_the_language_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, settings, out = tmp_path / "mine.toml", tmp_path / "config.toml", tmp_path / "out"
    table.write_text(TABLE_FILE.read_text(encoding="utf-8").replace('letter = "A"', 'letter = "M"'), encoding="utf-8")
    settings.write_text('[players]\nlanguage = "nl"\n', encoding="utf-8")
    monkeypatch.setattr("firmware.cli.commands.print.load_config", lambda: load_config(settings))
    asked = ["print", "--out", str(out), "--table", str(table), "--card-mm", "59x91"]
    assert main([*asked, "--paper", "letter", "--only", "mat", "--only", "start"]) == 0
    assert made(out) == ["mat-letter.pdf", "start-letter.pdf"], "without labels nothing is said to the eyes"
    assert "Kaartspel M · mine.toml" in words_of(out / "mat-letter.pdf")
    assert "Speelmat" in words_of(out / "mat-letter.pdf")
    assert "59 \u00d7 91" in words_of(out / "start-letter.pdf")
    assert main([*asked, "--paper", "a4", "--only", "mat", "--language", "de"]) == 0
    assert "Spielmatte" in words_of(out / "mat-a4.pdf")
    wish = parsed(Print, ["--out", "x", "--cards", "--track", "--spares"])
    assert set(wish.sheets) == {"start", "labels", "spares", "tabs", "mat", "guide", "cards", "track"}


def test_a_table_that_cannot_be_printed_is_one_sentence_and_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spaces = ", ".join(f"[{28 * n}, 0, {n // 8 * 6}]" for n in range(23))
    text = TABLE_FILE.read_text(encoding="utf-8")
    start, end = text.index("spaces = 23"), text.index("[board]")
    table = tmp_path / "stepped.toml"
    table.write_text(text[:start] + f"spaces_mm = [{spaces}]\n" + text[end:], encoding="utf-8")
    out = tmp_path / "out"
    assert main(["print", "--out", str(out), "--table", str(table), "--track"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("engarde print: a flat track cannot stand for this table: space 9 lies at z = 6 mm; leave")
    assert not out.exists()
    assert main(["print", "--out", str(out), "--table", str(table), "--paper", "a4"]) == 0
    assert len(made(out)) == len(EVERYWHERE)


def test_cards_of_another_size_are_told_to_the_eyes_by_a_table_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["print", "--out", str(tmp_path), "--paper", "a4", "--only", "labels"]
    assert main(asked) == 0
    assert made(tmp_path) == ["labels-a4.pdf"]
    assert main([*asked, "--card-mm", "59x91.5"]) == 0
    said = capsys.readouterr().out
    file = tmp_path / "table-59x91.5.toml"
    assert f"{file}  your table with size_mm = [59.0, 91.5] and label_mm = [6.0, 6.0]" in said
    assert str(tmp_path / "config" / "engarde" / "table.toml") in said
    table = load_table(file)
    assert (table.card_size, table.label_margin) == ((59.0, 91.5), (6.0, 6.0))
    assert replace(table, card_size=None, label_margin=None) == load_table(TABLE_FILE)
    # Printed with it again, the size is known and nothing is left to say.
    again = tmp_path / "again"
    assert main([*asked[:2], str(again), *asked[3:], "--table", str(file)]) == 0
    assert made(again) == ["labels-a4.pdf"]
    assert "59 x 91.5 mm" in words_of(again / "labels-a4.pdf")
    assert main([*asked[:2], str(again), *asked[3:], "--table", str(file), "--card-mm", "59x91.5"]) == 0
    assert f"{file}  says so of these cards" in capsys.readouterr().out
    assert made(again) == ["labels-a4.pdf"]
    # Cards of another size take the place of those that the file had.
    assert main([*asked[:2], str(again), *asked[3:], "--table", str(file), "--card-mm", "63x88"]) == 0
    assert load_table(again / "table-63x88.toml").card_size == (63.0, 88.0)


def test_labels_are_printed_where_the_table_file_has_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "mine.toml"
    table.write_text(with_cards(TABLE_FILE.read_text(encoding="utf-8"), CardSize(63, 88), LabelMargin(7, 8)), "utf-8")
    asked = ["print", "--out", str(tmp_path / "out"), "--paper", "a4", "--only", "labels", "--table", str(table)]
    assert main([*asked, "--card-mm", "64x90"]) == 0
    assert load_table(tmp_path / "out" / "table-64x90.toml").label_margin == (7.0, 8.0)
    table.write_text(with_cards(TABLE_FILE.read_text(encoding="utf-8"), CardSize(63, 88), LabelMargin(1, 8)), "utf-8")
    assert main(asked) == 1
    assert "[cards] qr_mm: codes of 25 mm" in capsys.readouterr().err
