"""What the display's tests share."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pygame
import pytest

import display
from display.draw.canvas import DrawnText
from display.i18n import Words, flat
from display.view import Situation
from tests.display.faults import text_faults
from tests.display.showcase import situations
from tests.display.trouble_showcase import trouble_situations


@pytest.fixture(scope="session")
def shown() -> Mapping[str, Situation]:
    """One situation of every kind, by name."""
    return {**situations(), **trouble_situations()}


@pytest.fixture(scope="session")
def check_texts() -> Callable[[Sequence[DrawnText], pygame.Rect, object], None]:
    """Asserts that all texts are whole, inside the box, legible, and on no other text."""

    def check(texts: Sequence[DrawnText], box: pygame.Rect, where: object) -> None:
        assert list(text_faults(texts, box)) == [], where

    return check


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The keys that are said from now on."""
    keys: set[str] = set()
    really_say = Words.say

    def say_and_note(self: Words, key: str, **facts: object) -> str:
        keys.add(key)
        return really_say(self, key, **facts)

    monkeypatch.setattr(Words, "say", say_and_note)
    return keys


@pytest.fixture(scope="session")
def topic_keys() -> Callable[[str], set[str]]:
    """All keys of one topic: of one file of the English catalogue."""

    def keys_of(topic: str) -> set[str]:
        path = Path(display.__file__).parent / "locales" / "en" / f"{topic}.toml"
        return set(flat(tomllib.loads(path.read_text(encoding="utf-8"))))

    return keys_of
