"""A program's modules are loaded without garbage collection, and libraries bound late, only where that is asked."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

import pytest

from firmware.core.io.libraries import loading


@pytest.mark.parametrize("error", [None, ImportError("no such library")])
def test_loading_binds_late_and_collects_nothing_meanwhile(error: ImportError | None) -> None:
    before = sys.getdlopenflags()
    with suppress(ImportError), loading():
        assert sys.getdlopenflags() & os.RTLD_LAZY
        assert not sys.getdlopenflags() & os.RTLD_NOW
        assert not gc.isenabled()
        if error is not None:
            raise error
    assert sys.getdlopenflags() == before
    assert gc.isenabled()
