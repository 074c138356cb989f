"""What the firmware's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.table import Table, load_table


@pytest.fixture(scope="session")
def table() -> Table:
    return load_table(Path(__file__).parents[2] / "hardware" / "table.toml")
