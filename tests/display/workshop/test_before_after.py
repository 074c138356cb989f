"""What was found on the screen once, beside what is there now."""

from __future__ import annotations

from pathlib import Path

import pytest

from display.workshop.before_after import FINDINGS, main
from display.workshop.contact_sheet import other_screens, table_screens


def test_every_finding_has_its_number_and_screens_there_are() -> None:
    screens = {*table_screens("en"), *other_screens("en")}
    assert [finding.number for finding in FINDINGS] == list(range(1, 25))
    for finding in FINDINGS:
        assert set(finding.after) <= screens, finding.number


@pytest.mark.slow
def test_the_table_holds_pictures_of_then_and_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, more, out = (tmp_path / name for name in ("before", "more", "out"))
    before.mkdir()
    more.mkdir()
    (before / "web_phone.jpg").write_bytes(b"then")
    (before / "te4.jpg").write_bytes(b"then")
    (more / "21-phone.png").write_bytes(b"now")
    assert main(["--before", str(before), "--more", str(more), "--out", str(out)]) == 0
    page = (out / "table.html").read_text(encoding="utf-8")
    assert page.count("<tr>") == len(FINDINGS)
    shown = {part.split('"')[0] for part in page.split('src="')[1:]}
    assert shown == {file.name for file in out.iterdir()} - {"table.html"}
    assert {"web_phone.jpg", "te4.jpg", "21-phone.png", "15-round.png"} <= shown
    assert str(out / "table.html") in capsys.readouterr().out
