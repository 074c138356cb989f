"""One turn cut out of a recording: the same frames to the pixel, the same ruling, and never more than was allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.rules.events import Event, MatchEvent, RoundEvent, event_to_json
from firmware.cli.main import main
from firmware.core.errors import EngardeError
from firmware.extras.film import _times
from firmware.table.camera.recorded import RecordedCamera, header_of
from firmware.table.camera.setup import TABLE_FILE, Setup
from firmware.table.recording.excerpt import cut_out
from tests.matches import course_of
from tests.matches import turn as played
from vision.frame import Picture
from vision.printed.table import load_table
from vision.recording.keeper import Keeper
from vision.recording.recording import RecordedFrames, frame_bytes, header_bytes, note_bytes

BEGIN = {"event": "match", "rules": "ferti-advanced", "starter": "white", "points": 5}
FRAMES_A_SECOND = 5


def turn(card: str, white: int) -> dict[str, Any]:
    return {"event": "turn", "cards": [card], "white": white, "black": 23}


def verdict(t_s: float, opened_s: float, event: dict[str, Any], *, ok: bool = True) -> dict[str, Any]:
    ruling = {"ok": ok, "ruling": event["event"], "code": "wrong_distance", "message": "no", "state": None}
    return {"verdict": {"t": t_s, "event": event, "ruling": ruling, "opened_s": opened_s}}


def recorded(path: Path, noise: float = 3.0) -> list[Picture]:
    """Thirty seconds of a match: a round at 2 s, turns at 10, 20 (refused) and 25. The kept frames."""
    rng = np.random.default_rng(1)
    header = header_of(Setup(load_table(TABLE_FILE), TABLE_FILE.read_text()))
    header["match"] = {
        "names": {"white": "A", "black": "B"},
        "end_turn": "button",
        "settle_s": 3.0,
        "opened": True,
        "entries": [BEGIN],
    }
    notes = {
        2.0: verdict(2.0, 0.0, {"event": "round"}),
        10.0: verdict(10.0, 2.0, turn("3b", 4)),
        20.0: verdict(20.0, 10.0, turn("2a", 9), ok=False),
        25.0: verdict(25.0, 10.0, turn("2a", 6)),
    }
    keeper, kept, data = Keeper(), [], header_bytes(header)
    for index in range(30 * FRAMES_A_SECOND):
        t_s = index / FRAMES_A_SECOND
        y = np.clip(rng.normal(120 + index % 7, noise, (48, 64)), 0, 255).astype(np.uint8)
        y[8 : 8 + index % 30, 8:40] = 30
        picture, patch = keeper.keep(y)
        kept.append(picture)
        data += frame_bytes(index, t_s, patch)
        if t_s in notes:
            data += note_bytes(notes[t_s])
    path.write_bytes(data)
    return kept


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    recorded(tmp_path / "match.engarde")
    return tmp_path / "match.engarde"


@pytest.mark.slow
def test_an_excerpt_has_the_frames_to_the_pixel_and_begins_with_the_round(tmp_path: Path) -> None:
    kept = recorded(tmp_path / "match.engarde")
    out = tmp_path / "turn.engarde"
    done = cut_out(tmp_path / "match.engarde", 2, out)
    assert done.left_out_s == 0
    with RecordedFrames(out) as source:
        assert source.header["match"]["entries"] == [BEGIN, {"event": "round"}]
        notes = list(source.all_notes())
        count = 0
        while (frame := source.read()) is not None:
            assert (frame.y == kept[frame.index]).all()
            count += 1
    assert count == done.frames == 20 * FRAMES_A_SECOND + 1  # what was judged is the last
    assert [note["verdict"]["t"] for note in notes] == [10.0, 20.0]
    assert done.size_bytes == out.stat().st_size
    camera = RecordedCamera(out)
    assert camera.setup.match is not None
    camera.close()


@pytest.mark.slow
def test_what_finds_no_room_is_left_out_from_the_beginning(recording: Path, tmp_path: Path) -> None:
    whole = cut_out(recording, 3, tmp_path / "whole").size_bytes
    later = cut_out(recording, 3, tmp_path / "later", whole - 1)
    assert later.size_bytes < whole
    with RecordedFrames(tmp_path / "later") as source:
        assert source.header["match"]["entries"] == [BEGIN, {"event": "round"}, turn("3b", 4)]
    late = cut_out(recording, 3, tmp_path / "late", later.size_bytes * 2 // 3)
    assert late.left_out_s > 0
    assert late.size_bytes <= later.size_bytes * 2 // 3
    with pytest.raises(EngardeError, match="not even its last seconds"):
        cut_out(recording, 3, tmp_path / "never", 1000)
    assert not (tmp_path / "never").exists()


def test_a_turn_that_is_not_there_and_a_file_that_is(recording: Path, tmp_path: Path) -> None:
    with pytest.raises(EngardeError, match="--turn 4: this recording has turns 1 to 3"):
        cut_out(recording, 4, tmp_path / "out")
    with pytest.raises(EngardeError, match="left as it is"):
        cut_out(recording, 1, recording)


def test_the_command_says_what_it_wrote(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "turn.engarde"
    assert main(["watch", "--camera", str(recording), "--turn", "2", "--record", str(out)]) == 0
    said = capsys.readouterr().out
    assert "refused, wrong_distance" in said
    assert f"101 frames, {out.stat().st_size / 1e6:.1f} MB: {out}" in said


FIRST, WRONG, SECOND = played("4a", 5, 23), played("3b", 5, 20), played("2b", 5, 21)
PLAYED: tuple[Event, ...] = (MatchEvent("ferti-advanced"), RoundEvent(), FIRST, SECOND)


def told_verdict(event: dict[str, Any], t_s: float, *, ok: bool = True) -> dict[str, Any]:
    return {"event": event, "t": t_s, "ruling": {"ok": ok}}


def test_what_was_refused_or_taken_back_has_no_picture() -> None:
    told = [told_verdict(event_to_json(event), 1.0 + number) for number, event in enumerate(PLAYED[:3])]
    told.append(told_verdict(event_to_json(SECOND), 4.0, ok=False))
    told += [
        told_verdict(event_to_json(WRONG), 5.0),
        told_verdict({"event": "undo"}, 6.0),
        told_verdict(event_to_json(SECOND), 7.0),
    ]
    assert _times(Path("r"), told, course_of(*PLAYED).steps) == {0: 1.0, 1: 2.0, 2: 3.0, 3: 7.0}
    assert _times(Path("r"), told[1:], course_of(*PLAYED).steps) == {1: 2.0, 2: 3.0, 3: 7.0}, (
        "recorded from the round on"
    )


def test_a_recording_of_another_match_is_refused() -> None:
    told = [told_verdict(event_to_json(event), 1.0) for event in (*PLAYED[:2], WRONG)]
    with pytest.raises(EngardeError, match="entry 2 of it is not that of the match; it records another one"):
        _times(Path("r"), told, course_of(*PLAYED).steps)
