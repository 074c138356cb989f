"""The recording's file: read back as written, cut anywhere, damaged anywhere, foreign, newer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.recording.keeper import Keeper
from vision.recording.recording import (
    RecordedFrames,
    RecordingError,
    frame_bytes,
    header_bytes,
    is_recording,
    note_bytes,
)

HEADER = {"table": "[deck]\nletter = 'é'", "size": [24, 16]}


def blocks() -> list[bytes]:
    """Three frames with notes, the second while the camera was gone."""
    keeper = Keeper()
    rng = np.random.default_rng(1)
    return [
        frame_bytes(0, 0.0, keeper.keep(rng.integers(0, 255, (16, 24), np.uint8))[1]),
        note_bytes({"press": "white"}),
        note_bytes({"press": "undo"}),
        frame_bytes(1, 0.1 + 0.2, None),
        frame_bytes(2, 1e6 / 3, keeper.keep(rng.integers(0, 255, (16, 24), np.uint8))[1]),
        note_bytes({"verdict": {"ok": True}}),
    ]


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def drained(path: Path) -> list[tuple[int, float, bool, int]]:
    with RecordedFrames(path) as source:
        found = []
        while (frame := source.read()) is not None:
            found.append((frame.index, frame.t_s, frame.y.size > 0, len(source.notes)))
        return found


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "match.bin", header_bytes(HEADER) + b"".join(blocks()))
    assert is_recording(path)
    with RecordedFrames(path) as source:
        assert source.header == HEADER
        assert source.cut_off == ""
        assert list(source.all_notes()) == [{"press": "white"}, {"press": "undo"}, {"verdict": {"ok": True}}]
    assert drained(path) == [(0, 0.0, True, 2), (1, 0.1 + 0.2, False, 0), (2, 1e6 / 3, True, 1)]


def test_the_header_is_text_for_people() -> None:
    text = header_bytes(HEADER).decode()
    assert text.startswith("engarde recording, version 2, ")
    assert '"size": [' in text


@pytest.mark.slow
def test_a_file_cut_off_anywhere_is_good_up_to_there_or_refused_in_a_sentence(tmp_path: Path) -> None:
    head, parts = header_bytes(HEADER), blocks()
    data = head + b"".join(parts)
    ends = [len(head) + len(b"".join(parts[:count])) for count in range(len(parts) + 1)]
    path = tmp_path / "cut"
    for length in range(len(data) + 1):
        write(path, data[:length])
        if length < len(head):
            with pytest.raises(RecordingError, match=r"cut: expected a recording.*found"):
                RecordedFrames(path)
            continue
        whole = max(end for end in ends if end <= length)
        frames = sum(part[:4] == b"FRAM" for part in parts[: ends.index(whole)])
        assert len(drained(path)) == frames
        with RecordedFrames(path) as source:
            assert bool(source.cut_off) is (whole != length)
            if source.cut_off and frames:
                assert f"{frames} whole frames" in source.cut_off


def test_zeros_behind_the_last_block_are_a_power_cut_too(tmp_path: Path) -> None:
    path = write(tmp_path / "cut", header_bytes(HEADER) + blocks()[0] + bytes(5000))
    assert len(drained(path)) == 1
    with RecordedFrames(path) as source:
        assert "was cut off" in source.cut_off


@pytest.mark.slow
def test_a_byte_damaged_anywhere_is_never_taken_for_good(tmp_path: Path) -> None:
    data = header_bytes(HEADER) + b"".join(blocks())
    good = drained(write(tmp_path / "good", data))
    path = tmp_path / "damaged"
    for place in range(len(data)):
        write(path, data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :])
        try:
            found = drained(path)
        except RecordingError:
            continue
        # Not noticed as damage: then the file seems to end before it, or a block has become one of another kind.
        assert [row[:3] for row in found] == [row[:3] for row in good][: len(found)]
        with RecordedFrames(path) as source:
            assert source.cut_off


def test_a_damaged_block_says_where(tmp_path: Path) -> None:
    head, parts = header_bytes(HEADER), blocks()
    data = bytearray(head + b"".join(parts))
    data[len(head) + 30] ^= 1
    path = write(tmp_path / "damaged", bytes(data))
    with RecordedFrames(path) as source, pytest.raises(RecordingError, match=rf"at byte {len(head)} is damaged"):
        source.read()


def test_another_kind_of_block_is_left_out(tmp_path: Path) -> None:
    other = note_bytes({})
    from vision.recording import recording

    strange = recording._block(b"XTRA", other)
    path = write(tmp_path / "later", header_bytes(HEADER) + strange + blocks()[0] + strange + blocks()[1])
    assert drained(path) == [(0, 0.0, True, 1)]


@pytest.mark.parametrize(("version", "cure"), [(1, "record anew"), (3, "up to date")])
def test_another_version_is_refused_with_its_cure(version: int, cure: str, tmp_path: Path) -> None:
    path = write(tmp_path / "other", header_bytes(HEADER).replace(b"version 2", f"version {version}".encode()))
    assert is_recording(path)
    with pytest.raises(RecordingError, match=rf"found version {version}; .*{cure}"):
        RecordedFrames(path)


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    foreign = write(tmp_path / "foreign", b"\x00\x00\x00\x18ftypmp42" + bytes(200))
    assert not is_recording(foreign)
    assert not is_recording(tmp_path)
    with pytest.raises(RecordingError, match="another kind of file"):
        RecordedFrames(foreign)


def test_more_notes_than_a_moment_can_have_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "notes.engarde"
    path.write_bytes(header_bytes({}) + frame_bytes(0, 1.0, None) + note_bytes({"press": 1}) * 5001)
    with RecordedFrames(path) as frames, pytest.raises(RecordingError, match="one frame has more than 5000 notes"):
        frames.read()
