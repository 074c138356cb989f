"""What French asks for that no other of our languages does."""

from __future__ import annotations

import re

from display.i18n import words


def texts() -> list[tuple[str, str]]:
    """Every key and each of its texts."""
    return [(key, text) for key, sentence in words("fr").entries.items() for text in sentence.forms.values()]


def test_french_never_breaks_before_its_high_punctuation() -> None:
    assert [text for _, text in texts() for mark in ":;!?" if f" {mark}" in text] == []
    assert "\u00a0:" in words("fr").entries["hint.parry"].other


def test_french_puts_nothing_before_a_name_that_a_vowel_would_shorten() -> None:
    """“de Émile” is wrong, and so is “que Ana”: which name it will be, the catalogue can't know."""
    people = {"White", "Black", "who", "rival", "winner", "loser", "name", "starter", "one", "other"}
    shortened = re.compile(r"\b(?:de|que|le|la|ne|jusque|lorsque|puisque|quoique) \{(\w+)\}", re.IGNORECASE)
    cards = {"companion.register.back_taken"}  # the other card, not the other player
    found = {key for key, text in texts() for name in shortened.findall(text) if name in people}
    assert found - cards == set()
