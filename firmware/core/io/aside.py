"""Programs of our own that work beside the game."""

from __future__ import annotations

import sys
from typing import Final

NICE: Final = 10
"""What is made beside the game yields to it."""


def yielding(module: str, *arguments: str) -> list[str]:
    """The command that runs this module of ours so that it yields to the game."""
    return ["nice", "-n", str(NICE), sys.executable, "-m", module, *arguments]
