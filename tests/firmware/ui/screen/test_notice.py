"""What the journal says of the screen when a game begins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from firmware.ui.screen.screens import screen_notice

WINDOW: Any = SimpleNamespace(alive=True, driver="x11")


def test_missing_letters_are_told_with_their_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = screen_notice(WINDOW, pictures=False)
    assert "x11" in whole
    monkeypatch.setattr("firmware.ui.screen.screens.family", tuple)
    told = screen_notice(WINDOW, pictures=False).removeprefix(whole)
    assert "font-source-sans-pro" in told
    assert "make" in told
    assert "font" not in screen_notice(None, pictures=True)
