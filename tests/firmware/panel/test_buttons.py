"""Presses: handed out once, in their time, and a recording's file read strictly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.rules.track import Side
from engine.table.presses import Button, Press
from firmware.panel.buttons import LivePresses, RecordedPresses, load_presses


def test_recorded_presses_come_once_and_in_their_time() -> None:
    presses = RecordedPresses([Press(2.0, Button.BLACK), Press(1.0, Button.WHITE)])
    assert presses.due(0.9) == ()
    assert presses.due(1.0) == (Press(1.0, Button.WHITE),)
    assert presses.due(5.0) == (Press(2.0, Button.BLACK),)
    assert presses.due(9.0) == ()


def test_live_presses_carry_the_time_they_are_taken() -> None:
    presses = LivePresses()
    presses.post(Button.ACT)
    presses.post(Button.UNDO)
    assert presses.due(3.5) == (Press(3.5, Button.ACT), Press(3.5, Button.UNDO))
    assert presses.due(3.6) == ()


def test_only_players_own_buttons_have_a_side() -> None:
    assert {button: button.side for button in Button if button.side} == {
        Button.WHITE: Side.WHITE,
        Button.BLACK: Side.BLACK,
    }


def test_presses_lie_beside_their_recording(tmp_path: Path) -> None:
    recording = tmp_path / "match.mp4"
    assert load_presses(recording).due(99.0) == ()
    (tmp_path / "match.mp4.buttons.json").write_text('[{"t": 4.2, "button": "white"}, {"t": 1, "button": "undo"}]')
    assert load_presses(recording).due(99.0) == (Press(1.0, Button.UNDO), Press(4.2, Button.WHITE))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "not JSON"),
        ('{"t": 1}', "no list"),
        ('[{"t": "1", "button": "white"}]', "entry 0"),
        ('[{"t": true, "button": "white"}]', "entry 0"),
        ('[{"t": 1, "button": "white"}, {"t": 2, "button": "red"}]', "entry 1"),
        ("[3]", "entry 0"),
    ],
)
def test_a_broken_press_file_is_named_with_its_entry(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "clip.buttons.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=named) as caught:
        load_presses(tmp_path / "clip")
    assert str(path) in str(caught.value)


def test_every_button_can_be_recorded(tmp_path: Path) -> None:
    entries = [{"t": number, "button": button.value} for number, button in enumerate(Button)]
    (tmp_path / "all.buttons.json").write_text(json.dumps(entries))
    assert [press.button for press in load_presses(tmp_path / "all").due(99.0)] == list(Button)
