"""A first start that writes into a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.cli.first_start.answers import FirstStart
from firmware.cli.first_start.mark import StartMark
from firmware.cli.first_start.table import TableEye
from firmware.cli.first_start.wifi import Wifi
from firmware.core.config import load_config
from firmware.table.panel.devices import no_panel
from tests.firmware.cli.first_start.nmcli import Air, NetworkManager


@pytest.fixture
def first(tmp_path: Path) -> FirstStart:
    return first_start(tmp_path, NetworkManager(air={"Home": Air("secret12")}), None, "no camera here")


def first_start(
    tmp_path: Path, nmcli: Callable[[tuple[str, ...]], tuple[int, str]], eye: TableEye | None, problem: str = ""
) -> FirstStart:
    """A first start that writes into this folder; ``nmcli`` answers for the network's own command."""
    own, table = tmp_path / "menu.toml", tmp_path / "table.toml"
    return FirstStart(
        load_config(None), own, table, Wifi(nmcli), eye, no_panel(""), problem, mark=StartMark(tmp_path / "first-start")
    )
