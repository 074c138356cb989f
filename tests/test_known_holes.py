"""The lock is asked about whole, and an answer is told library by library."""

from __future__ import annotations

import json
import re

import pytest
from known_holes import LOCK, asked, holes, locked

from engine.strict.text import MalformedError

LIBRARIES = [("pillow", "13.0.0"), ("gpiozero", "2.0.1.post3")]


def test_every_locked_library_is_asked_about_with_its_version() -> None:
    text = LOCK.read_text(encoding="utf-8")
    assert len(locked(text)) == len(re.findall("^[a-z]", text, re.MULTILINE)) > 20
    queries = json.loads(asked(LIBRARIES))["queries"]
    assert queries[0] == {"package": {"name": "pillow", "ecosystem": "PyPI"}, "version": "13.0.0"}


def test_each_hole_is_told_with_its_page() -> None:
    answer = b'{"results": [{"vulns": [{"id": "GHSA-1", "modified": "2026"}, {"id": "GHSA-2"}]}, {}]}'
    assert holes(LIBRARIES, answer) == [
        "pillow 13.0.0: https://osv.dev/vulnerability/GHSA-1",
        "pillow 13.0.0: https://osv.dev/vulnerability/GHSA-2",
    ]
    for wrong in (b'{"results": [{}]}', b"{}", b"<html>"):
        with pytest.raises(MalformedError):
            holes(LIBRARIES, wrong)
