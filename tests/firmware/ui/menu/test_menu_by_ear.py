"""The menu by ear: where the match stands, every line, a hand read to one player alone, and the last verdict again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from display.menu.lines import Goto
from engine.table.presses import Button
from firmware.table.sound.voice import Reader


def by_ear(at: Any) -> Reader:
    """All that the screen says is read out, as the settings say."""
    at.menu.now.config = replace(at.menu.now.config, voice="full")
    return Reader()


def heard(at: Any, reader: Reader, button: Button | None = None) -> str:
    """What is read out after this button, once the screen stands still."""
    said = []
    if button is not None:
        at.pressed.append(button)
    for _ in range(12):
        at.moment = at.loop.advance()
        said.append(reader.news(at.moment.view.heard.aloud, at.t_s, at.moment.view.heard.aloud_page))
    return " ".join(filter(None, said))


def test_one_press_says_where_the_match_stands_and_back_says_the_last_verdict_again(at: Any) -> None:
    reader = by_ear(at)
    first = heard(at, reader)
    assert first.startswith("En garde! Round 1.")
    stands = heard(at, reader, Button.MENU)
    assert stands.startswith("Round 1. Ana plays White, on the left. Bo plays Black, on the right. Score: Ana 0, Bo 0.")
    assert "Ana on 1, Bo on 23, distance 22. 15 cards in the draw pile." in stands
    assert "Ana\u2019s turn. Ana: play a card and step forward. Menu." in stands
    assert heard(at, reader, Button.UNDO) == first


def play(at: Any, reader: Reader, side: Button, white: int, black: int, cards: str) -> str:
    """What is heard of this turn once its player pressed."""
    at.put(white, black, cards)
    heard(at, reader)
    return heard(at, reader, side)


def test_where_the_match_stands_tells_of_an_attack_and_of_an_ending(at: Any) -> None:
    reader = by_ear(at)
    heard(at, reader)
    turns = (Button.WHITE, 6, 23, "5a"), (Button.BLACK, 6, 18, "5a 5b"), (Button.WHITE, 11, 18, "5a 5b 5c")
    for side, white, black, cards in (*turns, (Button.BLACK, 11, 16, "5a 5b 5c 2a")):
        assert play(at, reader, side, white, black, cards).startswith("Allowed.")
    play(at, reader, Button.WHITE, 11, 16, "5a 5b 5c 2a 5d")
    stands = heard(at, reader, Button.MENU)
    assert "distance 5. 10 cards in the draw pile. Direct attack: Ana attacks with a 5. Bo\u2019s turn." in stands
    assert "Bo: parry with a 5. Menu." in stands
    heard(at, reader, Button.UNDO)
    refused = play(at, reader, Button.BLACK, 11, 16, "5a 5b 5c 2a 5d 4a")
    heard(at, reader, Button.MENU)
    again = heard(at, reader, Button.UNDO)
    for sentence in ("Not allowed.", "Bo must first parry with a 5", "Take back card 4a.", "Lay a 5."):
        assert sentence in refused
        assert sentence in again
    play(at, reader, Button.BLACK, 11, 16, "5a 5b 5c 2a 5d")
    assert "Touch! Bo doesn’t parry: Ana wins the round." in heard(at, reader, Button.BLACK)
    stands = heard(at, reader, Button.MENU)
    assert "Score: Ana 1, Bo 0. Touch! Bo doesn’t parry: Ana wins the round." in stands
    assert "Next round: fencers on 1 and 23" in stands


@pytest.mark.slow
def test_every_line_is_heard_with_its_value_and_its_note_as_the_four_buttons_reach_it(at: Any) -> None:
    reader = by_ear(at)
    heard(at, reader, Button.MENU)
    page = at.menu.page
    lines = [heard(at, reader, Button.BLACK) for _ in page.items]
    for item in page.items:
        [said] = [line for line in lines if line.startswith(f"{item.text}.")]
        assert item.note.rstrip(".") in said
    at.go_to(Goto.MORE)
    at.to(Goto.SETTINGS)
    assert heard(at, reader, Button.ACT).startswith("Settings. Language: English.")


def test_a_hand_is_read_to_who_shows_it_and_shown_nowhere(at: Any) -> None:
    reader = by_ear(at)
    heard(at, reader, Button.MENU)
    at.go_to(Goto.MORE)
    at.to(Goto.HAND)
    assert not at.menu.is_private
    assert "earphone" in heard(at, reader, Button.ACT)
    assert at.menu.is_private
    at.lay("3a 1b 3c 5d 2e")
    assert heard(at, reader) == "You hold 1, 2, 3, 3 and 5."
    shown = (*at.menu.page.lines, *(item.text for item in at.menu.page.items), at.moment.view.verdict.headline)
    assert not any("You hold" in text for text in shown)
    at.lay("")
    for _ in range(3):
        heard(at, reader, Button.UNDO)
    assert not at.menu.is_private
    state = at.loop.desk.state
    assert state is not None
    assert state.played == ()
    assert at.moment.entries == ()


def test_a_hand_still_in_view_is_not_told_to_all_by_going_back(at: Any) -> None:
    reader = by_ear(at)
    heard(at, reader, Button.MENU)
    at.go_to(Goto.MORE)
    at.to(Goto.HAND)
    heard(at, reader, Button.ACT)
    at.lay("3a 1b 3c 5d 2e")
    heard(at, reader)
    for button in (Button.UNDO, Button.ACT):
        warned = heard(at, reader, button)
        assert warned.startswith("Take your cards back first"), warned
        assert warned.count("Take your cards back first") == 1, "once, though two places show it"
        assert at.menu.menu.here.page == Goto.HAND
        at.lay("")
        heard(at, reader)
        at.lay("3a 1b 3c 5d 2e")
        heard(at, reader)
    heard(at, reader, Button.UNDO)
    heard(at, reader, Button.UNDO)
    assert at.menu.menu.here.page != Goto.HAND, "whoever insists leaves"
    heard(at, reader, Button.UNDO)  # to the six tiles
    heard(at, reader, Button.UNDO)
    assert at.menu.menu is None


def test_who_does_not_play_by_ear_is_offered_no_hand_to_be_read(at: Any) -> None:
    heard(at, Reader(), Button.MENU)
    assert Goto.HAND not in [item.key for item in at.menu.page.items]
