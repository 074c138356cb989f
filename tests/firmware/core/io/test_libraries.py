"""A program's modules are loaded without garbage collection, and libraries bound late, only where that is asked."""

from __future__ import annotations

import gc
import os
import sys

import pytest

from firmware.core.io.libraries import loading


def test_loading_binds_late_and_collects_nothing_meanwhile() -> None:
    before = sys.getdlopenflags()
    with loading():
        assert sys.getdlopenflags() & os.RTLD_LAZY
        assert not sys.getdlopenflags() & os.RTLD_NOW
        assert not gc.isenabled()
    assert sys.getdlopenflags() == before
    assert gc.isenabled()


def test_a_library_that_cannot_be_loaded_leaves_it_as_it_was() -> None:
    before = sys.getdlopenflags()
    with pytest.raises(ImportError), loading():
        raise ImportError("no such library")
    assert sys.getdlopenflags() == before
    assert gc.isenabled()
