"""Every word of playing against the companion is said, in every language."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from display.i18n import LANGUAGES, words
from display.registering import registering_panel, registering_verdict
from engine.backs import DeckBacks, Registration, Shown
from engine.cards import DECK, Card


def registrations() -> Iterator[Registration]:
    """Every outcome, with nothing known and with everything."""
    full = DeckBacks("A")
    for number, card in enumerate(DECK):
        full = full.with_back(card, f"ABCDE{'ABCDEFGHJKLMNPQRSTUVWXYZ23'[number]}")
    for said in Shown:
        for backs in (DeckBacks("A"), full):
            yield Registration(backs, said=said, card=Card(3, "b"), other=Card(4, "a"))


def say_everything(language: str) -> list[str]:
    say = words(language)
    texts = []
    for registration in registrations():
        verdict, panel = registering_verdict(say, registration), registering_panel(say, registration)
        texts += [verdict.headline, verdict.hint, panel.title, *(line.text for line in panel.lines)]
    return texts


def test_every_key_is_said(said: set[str], topic_keys: Callable[[str], set[str]]) -> None:
    say_everything("en")
    assert topic_keys("partner") - said == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_sentences_with_their_facts(language: str) -> None:
    for text in say_everything(language):
        assert text
        assert "{" not in text
        assert "None" not in text
