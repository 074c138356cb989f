"""Recording a match with mistakes at the simulated table, and refereeing it again from the file."""

from __future__ import annotations

import errno
import io
import json
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.rules.events import RoundEvent
from engine.rules.track import BySide
from engine.table.desk import EndTurn
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.commands.watch import run_watch
from firmware.cli.main import main
from firmware.cli.sitting.cameras import open_camera, open_with_table
from firmware.table.camera.camera import CameraWanted, camera_spec
from firmware.table.camera.recorded import RecordedCamera, header_of
from firmware.table.camera.setup import TABLE_FILE, RecordedMatch, Setup
from firmware.table.panel.buttons import RecordedPresses
from firmware.table.recording.recorder import Recorder
from tests.firmware.conftest import RECORDED_FRAMES, RECORDED_MATCH
from tests.waiting import HANG_S
from vision.camera.sources import Source, SourceError
from vision.frame import GONE, Frame
from vision.printed.table import Table, load_table
from vision.recording.codec import Patch
from vision.recording.recording import RecordingError, frame_bytes, header_bytes

pytestmark = pytest.mark.slow
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def beginning(recorded: tuple[Path, Lines]) -> Path:
    """The same recording, cut off early."""
    path = recorded[0].with_name("cut.rec")
    path.write_bytes(recorded[0].read_bytes()[: recorded[0].stat().st_size * 4 // 5])
    return path


def told(capsys: pytest.CaptureFixture[str]) -> tuple[Lines, str]:
    captured = capsys.readouterr()
    return [json.loads(line) for line in captured.out.splitlines()], captured.err


def test_a_match_with_mistakes_is_ruled_the_same_from_its_recording(
    recorded: tuple[Path, Lines], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, live = recorded
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(tmp_path / "book.sqlite"))
    assert main(["play", "--camera", str(path), "--headless", "--json"]) == 0
    lines, said = told(capsys)
    assert lines[0]["event"] == {"event": "match", "rules": "ferti-advanced", "starter": "white", "points": 2}
    assert lines[1:] == live
    assert lines[-1]["event"]["event"] == "correct"
    assert sum(not line["ruling"]["ok"] for line in live) >= 1
    assert sum(line["event"]["event"] == "turn" for line in live) >= 3
    assert f"{len(live)} rulings, the same as when it was recorded." in said
    assert not (tmp_path / "book.sqlite").exists()  # it was written down when it was played


def test_another_rule_set_is_told_to_rule_otherwise(
    beginning: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    book = str(tmp_path / "book.sqlite")
    arguments = ["play", "--camera", str(beginning), "--headless", "--json", "--scorebook", book]
    assert main([*arguments, "--starter", "black"]) == 0
    lines, said = told(capsys)
    assert lines[1]["ruling"]["state"]["to_act"] == "black"
    assert "The rulings differ from the recorded ones: at " in said


def test_what_is_watched_and_recorded_is_seen_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "watched.rec"
    watch = ["watch", "--camera", "synthetic", "--seed", "3", "--frames", "15", "--json"]
    assert main([*watch, "--record", str(path)]) == 0
    lines, _ = told(capsys)
    assert main(["watch", "--camera", str(path), "--json"]) == 0
    again, said = told(capsys)
    assert again == lines
    assert len(lines) == 15
    assert said == ""
    assert lines[-1]["table"]["white"] == 1


def test_recording_does_not_change_what_is_read(table: Table, tmp_path: Path) -> None:
    """Kept frames are a little coarser than the camera's; what is agreed on them has to be the same."""
    setup = Setup(table, TABLE_FILE.read_text())
    agreed = []
    for recording in (True, False):
        out = io.StringIO()
        source = open_camera(CameraWanted(camera_spec("synthetic"), seed=4), table).source
        recorder = None
        if recording:
            recorder = Recorder(tmp_path / "kept.rec", header_of(setup), 1000, pytest.fail)
            source = recorder.source(source)
        look = [] if recorder is None else [lambda _, look, recorder=recorder: recorder.look(look)]
        run_watch(source, table, None, out, as_json=True, frames=45, witnesses=look)
        if recorder is not None:
            recorder.close()
        agreed.append([json.loads(line)["table"] for line in out.getvalue().splitlines()])
    kept, plain = agreed
    assert kept[-1] == plain[-1]
    assert kept[-1]["cards"]
    late = sum(one != other for one, other in zip(kept, plain, strict=True))
    assert late <= 3


def test_turns_are_listed_and_the_frames_they_were_read_from_written(
    recorded: tuple[Path, Lines], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, live = recorded
    turns = [line for line in live if line["event"]["event"] == "turn"]
    assert main(["watch", "--camera", str(path), "--turns"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == len(turns)
    refused = next(number for number, line in enumerate(turns, 1) if not line["ruling"]["ok"])
    assert f"refused, {turns[refused - 1]['ruling']['code']}" in listed[refused - 1]
    assert main(["watch", "--camera", str(path), "--turn", str(refused), "--out", str(tmp_path / "shown")]) == 0
    pictures = sorted((tmp_path / "shown").iterdir())
    # A card and a fencer were put down, and then it was judged.
    assert 2 <= len(pictures) <= 8
    judged = turns[refused - 1]["t"]
    camera = RecordedCamera(path)
    times = {f"{frame.index:06d}.png": frame.t_s for frame in iter(camera.read, None)}
    camera.close()
    assert len(times) == RECORDED_FRAMES
    assert times[pictures[-1].name] == pytest.approx(judged, abs=1e-3)
    drawn = np.asarray(cv2.imread(str(pictures[-1])))
    assert drawn.shape == (1008, 1792, 3)
    assert (drawn[..., 0] != drawn[..., 2]).any()  # outlines in colour over a grey picture


def test_turns_before_a_damaged_place_are_still_shown(
    recorded: tuple[Path, Lines], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", "--camera", str(recorded[0]), "--turns"]) == 0
    whole = capsys.readouterr().out.splitlines()
    data, path = recorded[0].read_bytes(), tmp_path / "damaged.engarde"
    path.write_bytes(data[: (cut := len(data) * 3 // 4)] + b"??" + data[cut + 2 :])
    assert main(["watch", "--camera", str(path), "--turns"]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert [] != shown == whole[: len(shown)] != whole
    for turn, status in (("1", 0), (str(len(whole)), 1)):
        assert main(["watch", "--camera", str(path), "--turn", turn, "--out", str(tmp_path / "shown")]) == status
    assert "damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--turn", "99", "--out", "o"], "has turns 1 to "),
        (["--json", "--record", "copy.rec"], "a recording already; copy that file"),
        (["--json", "--fps", "5"], "times of its own; leave --fps out"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    recorded: tuple[Path, Lines],
    options: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["watch", "--camera", str(recorded[0]), *options]) == 1
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_recording_that_was_cut_off_is_read_up_to_there_and_it_is_said(
    beginning: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["watch", "--camera", str(beginning), "--json"]) == 0
    lines, said = told(capsys)
    assert 0 < len(lines) < RECORDED_FRAMES
    assert f"its {len(lines)} whole frames" in said
    data = bytearray(beginning.read_bytes())
    data[len(data) * 3 // 4] ^= 9
    path = tmp_path / "damaged.rec"
    path.write_bytes(data)
    assert main(["watch", "--camera", str(path), "--json"]) == 1
    fewer, said = told(capsys)
    assert 0 < len(fewer) < len(lines)
    assert "is damaged" in said


def test_a_header_of_another_program_is_refused(tmp_path: Path) -> None:
    good = header_of(Setup(load_table(TABLE_FILE), TABLE_FILE.read_text()))
    path = tmp_path / "odd.rec"
    for header in ({}, good | {"table": 3}, good | {"match": {"entries": []}}, good | {"calibration": "x"}):
        path.write_bytes(header_bytes(header))
        with pytest.raises(RecordingError, match=r"odd\.rec: this recording's header"):
            RecordedCamera(path)


def test_a_match_that_was_gone_on_with_is_recorded_with_what_came_before(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = RecordedMatch((RECORDED_MATCH, RoundEvent()), BySide("A", "B"), EndTurn.AUTO, 2.0, opened=True)
    path = tmp_path / "later.rec"
    Recorder(path, header_of(Setup(table, TABLE_FILE.read_text(), None, begun)), 10, pytest.fail).close()
    camera, setup = open_with_table(CameraWanted(camera_spec(str(path))))
    assert setup.match == begun
    assert setup.match.course is not None
    assert setup.match.course.state.round == 1
    assert camera.source.read() is None
    camera.source.close()
    with pytest.raises(SourceError):
        open_with_table(CameraWanted(camera_spec(str(path), 3.0)))
    # Into a scorebook of its own only when one is named, and then with all that it had before.
    book_path = tmp_path / "book.sqlite"
    assert main(["play", "--camera", str(path), "--headless", "--json", "--scorebook", str(book_path)]) == 0
    assert capsys.readouterr().out == ""
    with open_scorebook(book_path) as book:
        (played,) = book.replay_all()
    assert tuple(row.event for row in played.rows) == begun.entries
    assert played.match.names == begun.names


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine"
    path.write_text("holiday pictures")
    for command in (["watch", "--json"], ["play", "--headless", "--scorebook", str(tmp_path / "book.sqlite")]):
        assert main([*command, "--camera", "synthetic", "--record", str(path)]) == 1
        assert "there is such a file already" in capsys.readouterr().err
        assert path.read_text() == "holiday pictures"


class Camera:
    """So many noisy frames, the sixth without a picture. ``asked`` counts how often it was read."""

    def __init__(self, frames: int = 12, fails_at: int | None = None) -> None:
        self._frames, self._fails_at, self.asked = frames, fails_at, 0

    def read(self) -> Frame | None:
        index, self.asked = self.asked, self.asked + 1
        if index == self._fails_at:
            raise SourceError("the camera burns")
        if index >= self._frames:
            return None
        noise = np.random.default_rng(index).integers(0, 255, (256, 256), np.uint8)
        return Frame(index, index / 8, GONE if index == 5 else noise)

    def close(self) -> None:
        pass


def recorder_of(
    table: Table, path: Path, said: Callable[[str], None] = pytest.fail, most_mb: float = 1000, **how: Any
) -> Recorder:
    return Recorder(path, header_of(Setup(table, TABLE_FILE.read_text())), most_mb, said, **how)


def all_of(source: Source) -> dict[int, Frame]:
    return {frame.index: frame for frame in iter(source.read, None)}


def test_what_was_looked_at_and_pressed_is_in_the_file_as_it_was(table: Table, tmp_path: Path) -> None:
    recorder = recorder_of(table, tmp_path / "kept.rec")
    given = RecordedPresses([Press(0.2, Button.WHITE), Press(0.25, Button.UNDO)])
    source, plain, handed = recorder.source(Camera()), all_of(Camera()), {}
    looked_at = []
    while (frame := source.read()) is not None:
        looked_at.append(frame)
        due = given.due(frame.t_s + 1 / 7)  # a panel's clock may be ahead of the frames'
        handed[frame.index] = recorder.hear(due, frame.t_s)
    recorder.close()
    assert [frame.index for frame in looked_at] == list(plain)
    assert any((frame.y != plain[frame.index].y).any() for frame in looked_at), "kept frames are a little coarser"
    camera = RecordedCamera(tmp_path / "kept.rec")
    for before in looked_at:
        again = camera.read()
        assert again is not None
        assert (again.index, again.t_s) == (before.index, before.t_s)
        assert np.array_equal(again.y, before.y)
        assert camera.due(again.t_s) == handed[again.index]
    assert camera.read() is None
    camera.close()
    assert sum(map(len, handed.values())) == 2


def test_a_frame_is_packed_once_the_loop_is_done_with_it(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: queue.SimpleQueue[int] = queue.SimpleQueue()

    def packs(index: int, t_s: float, patch: Patch | None) -> bytes:
        packed.put(index)
        return frame_bytes(index, t_s, patch)

    monkeypatch.setattr("firmware.table.recording.recorder.frame_bytes", packs)
    recorder = recorder_of(table, tmp_path / "kept.rec")
    source = recorder.source(Camera())
    for number in range(3):
        assert source.read() is not None
        if number:
            assert packed.get(timeout=HANG_S) == number - 1
        with pytest.raises(queue.Empty):
            packed.get(timeout=0.1)
    recorder.close()
    assert packed.get(timeout=HANG_S) == 2


def test_what_the_camera_raises_is_raised_where_the_frame_is_read(table: Table, tmp_path: Path) -> None:
    recorder = recorder_of(table, tmp_path / "kept.rec")
    source = recorder.source(Camera(fails_at=3))
    assert [source.read() is not None for _ in range(3)] == [True] * 3
    with pytest.raises(SourceError, match="burns"):
        source.read()
    after = source.read()
    assert after is not None
    assert after.index == 4
    recorder.close()


def test_a_hand_shown_in_private_is_in_no_recording(table: Table, tmp_path: Path) -> None:
    """The page is opened at frame 4 and left at frame 8."""
    camera = Camera()
    recorder = recorder_of(table, tmp_path / "private.rec", is_private=lambda: camera.asked in range(5, 10))
    looked_at = all_of(recorder.source(camera))
    recorder.close()
    again = RecordedCamera(tmp_path / "private.rec")
    kept = all_of(again)
    again.close()
    assert list(looked_at) == list(range(12)), "what is not kept is looked at all the same"
    # Frame 5 has no picture: that the camera was gone may be known.
    assert list(kept) == [0, 1, 2, 3, 5, 9, 10, 11]
    for index, frame in kept.items():
        assert np.array_equal(frame.y, looked_at[index].y)
        assert frame.t_s == looked_at[index].t_s


class FullDisk(io.FileIO):
    """A file that finds no room for more than half a megabyte."""

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > 500_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data) or 0


@pytest.mark.parametrize(
    ("most_mb", "free_mb", "file", "said"),
    [
        (1.0, (), io.FileIO, "recording.most_mb allows 1"),
        (1000, (1000.0, 1000.0, 1000.0, 1000.0, 250.0), io.FileIO, "only 250 MB are left on the disk"),
        (1000, (), FullDisk, "it could not be written: No space left on device; the game goes on"),
    ],
)
def test_what_ends_a_recording_does_not_end_the_game(
    most_mb: float,
    free_mb: tuple[float, ...],
    file: type[io.FileIO],
    said: str,
    table: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("firmware.table.recording.recorder._SYNCED_EVERY_S", 0.0)  # it is looked at after every frame
    monkeypatch.setattr("firmware.table.recording.recorder._new_file", lambda path: file(path, "xb"))
    path, sentences, left_mb = tmp_path / "ended.rec", list[str](), iter(free_mb)
    recorder = recorder_of(table, path, sentences.append, most_mb, free_mb=lambda _: next(left_mb, 1e6))
    assert len(all_of(recorder.source(Camera(60)))) == 60
    recorder.close()
    (sentence,) = sentences
    assert said in sentence
    assert path.stat().st_size < 1.3e6
    camera = RecordedCamera(path)
    assert 3 <= len(all_of(camera)) <= 30
    camera.close()


def test_a_disk_that_does_not_keep_up_ends_the_recording_and_not_the_game(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    class Stuck(io.FileIO):
        def write(self, data: Any) -> int:
            goes_on.wait(HANG_S)
            return super().write(data) or 0

    monkeypatch.setattr("firmware.table.recording.recorder._new_file", lambda path: Stuck(path, "xb"))
    said: list[str] = []
    recorder = recorder_of(table, tmp_path / "stuck.rec", said.append, patience_s=0.01)
    assert len(all_of(recorder.source(Camera(30)))) == 30
    goes_on.set()
    recorder.close()
    (sentence,) = said
    assert "the disk does not keep up with the camera; the game goes on" in sentence


def test_a_reason_to_stop_stands_though_the_writer_finds_none_at_that_moment(table: Table, tmp_path: Path) -> None:
    looks_at_disk, found = threading.Event(), threading.Event()

    def free_mb(path: Path) -> float:
        looks_at_disk.set()
        found.wait()
        return 1e6

    answers, said = iter([False, False]), list[str]()
    with pytest.MonkeyPatch.context() as instant:
        instant.setattr("firmware.table.recording.recorder._SYNCED_EVERY_S", 0.0)
        recorder = recorder_of(
            table, tmp_path / "race.rec", said.append, is_private=lambda: next(answers), free_mb=free_mb
        )
        looks_at_disk.wait()
        source = recorder.source(Camera())
        for _ in range(3):
            source.read()
        found.set()
        recorder.close()
    (sentence,) = said
    assert "could not be packed (StopIteration: )" in sentence
