"""What the service runs after a game that was killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.core.config import PanelSettings
from firmware.table.panel import lights_out
from firmware.table.panel.devices import NoPart, Panel
from tests.firmware.conftest import LampRecord


def test_the_owners_panel_is_taken_and_let_go_of_dark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engarde").mkdir()
    (tmp_path / "engarde" / "config.toml").write_text("[panel]\nbuzzer = false\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    record, asked = LampRecord(), []

    def opened(settings: PanelSettings, _: object) -> Panel:
        asked.append(settings)
        return Panel(record, NoPart(), NoPart(), "")

    monkeypatch.setattr(lights_out, "open_panel", opened)
    lights_out.main()
    assert asked == [PanelSettings(buzzer=False)]
    assert record.shown == [""]


def test_where_there_is_no_panel_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    lights_out.main()
    assert capsys.readouterr() == ("", "")
