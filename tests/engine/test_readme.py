"""What engine/README.md shows runs as shown."""

from __future__ import annotations

import doctest
from pathlib import Path

import engine


def test_the_readme_runs() -> None:
    readme = Path(next(iter(engine.__path__))) / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted > 15
    assert result.failed == 0
