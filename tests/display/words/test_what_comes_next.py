"""What the band says that comes next: kindly while a turn is under way, and only what can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from display.i18n import LANGUAGES, words
from display.view import Situation, Tone
from display.words.present import present
from display.words.sentences import refusal
from display.words.verdicts import answer_hint
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.rules.track import BySide, Side


@pytest.mark.parametrize(
    ("events", "hint"),
    [
        ("", "White: play a card and step forward."),
        ("5a 6 23", "Black: play a card and step forward."),
        ("5a 6 23/5b 6 18", "White: advance or retreat."),
        ("5a 6 23/5b 6 18/5c 11 18", "Black: advance, retreat or attack."),
        ("4a 5 23/5a 5 18/5b 10 18/5c 10 13", "White: advance, retreat or attack."),
        ("5a 6 23/5b 6 18/5c 11 18/2a 5d 11 16", "White: parry with a 5, or retreat."),
    ],
)
def test_only_what_can_be_done_by_counting_is_offered(events: str, hint: str) -> None:
    state = judge(judge(None, MatchEvent("ferti-advanced"))[0], RoundEvent())[0]
    ruling = None
    for each in filter(None, events.split("/")):
        *cards, white, black = each.split()
        laid = tuple(Card(int(card[0]), card[1]) for card in cards)
        state, ruling = judge(state, TurnEvent(laid, int(white), int(black)))
        assert ruling.ok
    assert present(Situation(state, ruling=ruling)).verdict.hint == hint


def test_a_defender_with_no_room_behind_is_offered_no_retreat_and_one_who_cannot_parry_no_parry(
    shown: Mapping[str, Situation],
) -> None:
    attacked = shown["attack_indirect"].state
    assert attacked is not None
    assert attacked.to_act is Side.WHITE
    say = words("en")
    assert answer_hint(say, attacked) == "White: parry with two 5s, or retreat."
    cornered = attacked._replace(spaces=BySide(1, 6))
    assert answer_hint(say, cornered) == "White: parry with two 5s."
    fives = tuple(Card(5, letter) for letter in "abcd")
    played = tuple(dict.fromkeys((*attacked.played, *fives)))
    assert answer_hint(say, attacked._replace(played=played)) == "White: retreat."
    last = attacked._replace(played=played, phase=Phase.FINAL)
    assert answer_hint(say, last) == "Last defence, White: retreat."
    assert answer_hint(say, last, counted=False) == "Last defence, White: parry with two 5s, or retreat."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_that_is_begun_is_not_scolded(shown: Mapping[str, Situation], language: str) -> None:
    for name in ("not_yet", "going", "figure", "answer", "parried", "other", "wild"):
        begun = shown[f"open_{name}"]
        verdict = present(replace(begun, language=language)).verdict
        assert verdict.tone is Tone.PREVIEW
        assert begun.table.open_turn is not None
        assert refusal(words(language), begun.table.open_turn.ruling) not in f"{verdict.headline} {verdict.detail}"
