"""How the system's large libraries are loaded."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Modules are loaded meanwhile, which a program keeps: nobody looks for garbage among what they make.

    Libraries look their functions up when these are first called. Python has all of them looked up at once. apt's
    OpenCV 4.6 brings 150 libraries with 70,000 functions that nobody calls here: a fifth of its loading. Only for what
    the program cannot do without, as a library that does not fit another then ends the program where it calls it, and
    raises no ImportError.
    """
    collects, flags = gc.isenabled(), 0
    gc.disable()
    if hasattr(sys, "setdlopenflags"):
        flags = sys.getdlopenflags()
        sys.setdlopenflags(flags & ~os.RTLD_NOW | os.RTLD_LAZY)
    try:
        yield
    finally:
        if collects:
            gc.enable()
        if hasattr(sys, "setdlopenflags"):
            sys.setdlopenflags(flags)
