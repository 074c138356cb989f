"""A user without a home, as a service may be: told in one sentence, and no ``~`` made in the folder it stands in."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from firmware.cli.main import main
from firmware.core.config import NoHomeError, config_path, in_home, scorebook_path


@pytest.fixture(autouse=True)
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def nobody(_: int) -> None:
        raise KeyError("no such user")

    for name in [name for name in os.environ if name.startswith(("XDG_", "ENGARDE_"))] + ["HOME"]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.chdir(tmp_path)


def test_where_nothing_can_be_kept_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["scores"],
        ["play", "--headless"],
        ["book", "check"],
        ["teach", "--headless"],
        ["demo", "--headless"],
    ):
        assert main(words) == 1
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        assert "HOME is not set and this user has no home; set HOME or XDG_" in told.err
    assert [*tmp_path.iterdir()] == []


def test_with_every_place_named_a_home_is_not_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scorebook_path(str(tmp_path / "b.sqlite")) == tmp_path / "b.sqlite"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_path() == tmp_path / "engarde" / "config.toml"
    assert main(["scores", "--scorebook", str(tmp_path / "b.sqlite")]) == 0
    with pytest.raises(NoHomeError, match="nobody knows where ~ is"):
        in_home("~/book.sqlite")


def test_results_are_worked_out_again_where_they_cannot_be_kept(tmp_path: Path) -> None:
    assert main(["book", "import", str(_record(tmp_path)), "--scorebook", str(tmp_path / "b.sqlite")]) == 0
    assert main(["scores", "--scorebook", str(tmp_path / "b.sqlite")]) == 0
    assert not [*tmp_path.glob("~*")]


def _record(folder: Path) -> Path:
    path = folder / "a.record"
    path.write_bytes((Path(__file__).parents[1] / "golden" / "short-ends.record").read_bytes())
    return path
