"""The first start and the game hand over to each other: one process, so that whoever started it need not know."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn


def become(command: str, options: Sequence[str]) -> NoReturn:
    """Go on as ``engarde COMMAND`` with these options, under the same process id. Everything held has to be let go."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "firmware", command, *options])
