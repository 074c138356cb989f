"""What the firmware's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vision.table import Table, load_table


@pytest.fixture(scope="session")
def table() -> Table:
    return load_table(Path(__file__).parents[2] / "hardware" / "table.toml")


@pytest.fixture(autouse=True, scope="session")
def cache_of_our_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What commands keep for the next time stays out of the user's own cache folder."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
