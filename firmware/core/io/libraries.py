"""How the system's large libraries are loaded."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NICE: Final = 10
"""The nice value of work beside the game."""


def yielding(module: str, *arguments: str) -> list[str]:
    """The command that runs this module of ours so that it yields to the game."""
    return ["nice", "-n", str(NICE), sys.executable, "-m", module, *arguments]


@contextmanager
def loading() -> Iterator[None]:
    """Load a program's modules with garbage collection off and library functions bound at their first call.

    Modules stay, so that a collection among them finds nothing. Python binds all functions of a library as it loads it:
    apt's OpenCV 4.6 brings 150 libraries with 70,000 functions that nobody calls here, a fifth of its loading. Use it
    only for what the program cannot do without: a library that does not fit another then ends the program where it is
    called, and raises no ImportError.
    """
    collects, flags = gc.isenabled(), sys.getdlopenflags()
    gc.disable()
    sys.setdlopenflags(flags & ~os.RTLD_NOW | os.RTLD_LAZY)
    try:
        yield
    finally:
        if collects:
            gc.enable()
        sys.setdlopenflags(flags)
