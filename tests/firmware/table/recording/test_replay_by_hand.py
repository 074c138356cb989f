"""What was entered by hand while a match was recorded: asked for again, unless a recorded press brings it about."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from firmware.table.camera.recorded import RecordedCamera, header_of
from firmware.table.camera.setup import Setup
from firmware.table.loop.requests import Enter
from vision.printed.table import load_table
from vision.recording.recording import frame_bytes, header_bytes, note_bytes

TABLE_FILE = Path(__file__).parents[4] / "hardware" / "table.toml"
TURN = {"event": "turn", "cards": ["3b"], "white": 4, "black": 23}


@pytest.mark.parametrize(
    ("said", "noted", "again"),
    [
        ({}, False, 0),
        ({"by_hand": True}, False, 1),
        ({"by_hand": True, "confirmed": True}, False, 0),
        ({"by_hand": True}, True, 0),  # what was asked for has a note of its own there
    ],
)
def test_only_what_no_recorded_press_brings_about_is_asked_for_again(
    said: dict[str, bool], noted: bool, again: int, tmp_path: Path
) -> None:
    header = header_of(Setup(load_table(TABLE_FILE), TABLE_FILE.read_text(encoding="utf-8"))) | {"requests": noted}
    verdict = {"t": 1.0, "event": TURN, "ruling": {"ok": True, "state": None}, **said}
    path = tmp_path / "one.engarde"
    path.write_bytes(header_bytes(header) + frame_bytes(0, 1.0, None) + note_bytes({"verdict": verdict}))
    camera = RecordedCamera(path)
    assert camera.asks() == (Enter(TurnEvent((Card.parse("3b"),), 4, 23)),) * again
    frame = camera.read()
    assert frame is not None
    assert (frame.t_s, camera.verdicts()) == (1.0, (verdict,))
    camera.close()
