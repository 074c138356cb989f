"""``firmware/REFERENCE.md`` says what commands and settings declare today."""

from __future__ import annotations

import pytest

from firmware.cli.main import COMMANDS
from firmware.core.config import SETTINGS
from tests.firmware.tools.reference import FILE, reference

pytestmark = pytest.mark.slow


def test_the_reference_is_what_the_program_declares() -> None:
    told = FILE.read_text(encoding="utf-8")
    assert told == reference(), "python -m tests.firmware.tools.reference makes it anew"
    assert [name for name in COMMANDS if f"\n## engarde {name}\n" not in told] == []
    assert [name for name in SETTINGS if f"| `[{name.replace('.', '] ')}` |" not in told] == []
    assert "| `--film FILE` | with --match: make a film of it, .mp4 or .gif |" in told
    assert "\n### engarde club hall\n" in told
