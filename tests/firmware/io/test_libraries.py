"""Libraries are bound late only where that was asked for."""

from __future__ import annotations

import os
import sys

import pytest

from firmware.io.libraries import loading


def test_only_what_is_loaded_meanwhile_is_loading() -> None:
    before = sys.getdlopenflags()
    with loading():
        assert sys.getdlopenflags() & os.RTLD_LAZY
        assert not sys.getdlopenflags() & os.RTLD_NOW
    assert sys.getdlopenflags() == before


def test_a_library_that_cannot_be_loaded_leaves_it_as_it_was() -> None:
    before = sys.getdlopenflags()
    with pytest.raises(ImportError), loading():
        raise ImportError("no such library")
    assert sys.getdlopenflags() == before
