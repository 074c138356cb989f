"""Hours that the guide gives are counted from what it has built."""

from __future__ import annotations

from firmware.workshop.guide.bill import printing_h
from firmware.workshop.guide.files import HARDWARE


def test_printing_takes_as_long_as_the_parts_weigh() -> None:
    assert f"(about {printing_h():.0f} hours of printing)" in (HARDWARE / "README.md").read_text(encoding="utf-8")
