"""``engarde play``: the events it reads off a recording's frames, and what it proposes to the players."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import ExitStack, redirect_stdout
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import cv2
import pytest

from display.view import NO_NAMES
from engine.table.presses import Button, Press
from firmware.cli.commands import play
from firmware.cli.main import main
from firmware.cli.sitting import cameras
from firmware.extras.simulation.camera import TICK_S, unwatched_table
from firmware.table.loop.moment import People
from firmware.table.loop.requests import Agree
from firmware.ui.coach.coach import Mode
from vision.printed.table import Table

FRAMES = 100
FPS = f"{1 / TICK_S:g}"


@pytest.fixture(scope="session")
def recording(table: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some turns at the simulated table as a folder of pictures, with the presses beside it."""
    folder = tmp_path_factory.mktemp("recording") / "frames"
    folder.mkdir()
    camera = unwatched_table(table, seed=2)
    presses = []
    for _ in range(FRAMES):
        frame = camera.read()
        assert frame is not None
        presses += [{"t": press.t_s, "button": press.button.value} for press in camera.due(frame.t_s)]
        name = str(folder / f"{frame.index:04}.jpg")
        assert cv2.imwrite(name, frame.y, [cv2.IMWRITE_JPEG_QUALITY, 90])
    folder.with_name("frames.buttons.json").write_text(json.dumps(presses))
    return folder


def played(recording: Path, book: Path, *options: str) -> list[dict[str, Any]]:
    arguments = ["play", "--camera", str(recording), "--fps", FPS, "--headless", "--json", "--starter", "white"]
    with redirect_stdout(io.StringIO()) as out:
        assert main([*arguments, "--settle", "1", "--scorebook", str(book), *options]) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("played") / "book.sqlite"


@pytest.fixture(scope="module")
def pressed(recording: Path, book: Path) -> list[dict[str, Any]]:
    """What is ruled of the recording with its presses, and kept in the book."""
    return played(recording, book)


@pytest.mark.slow
def test_a_recording_is_refereed_from_its_presses(
    recording: Path, pressed: list[dict[str, Any]], tmp_path: Path
) -> None:
    lines = pressed
    assert [line["event"]["event"] for line in lines[:2]] == ["match", "round"]
    assert all(line["ruling"]["ok"] for line in lines)
    turns = [line for line in lines if line["event"]["event"] == "turn"]
    assert len(turns) >= 3
    presses = json.loads(recording.with_name("frames.buttons.json").read_text())
    assert len(presses) - len(turns) <= 1
    for press, turn in zip(presses, turns, strict=False):
        assert press["button"] == turn["ruling"]["player"]
        assert 0 <= turn["t"] - press["t"] < 3
    for turn in turns:
        assert turn["event"]["white"] == turn["ruling"]["state"]["white"]
    assert played(recording, tmp_path / "again.sqlite") == lines


@pytest.mark.slow
def test_a_recording_flashes_no_lamp_and_says_so(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, mark = tmp_path / "config.toml", tmp_path / "flashed"
    config.write_text(f'[events]\nat_turn = "touch {mark}"\n')
    arguments = ["play", "--camera", str(recording), "--fps", FPS, "--headless", "--config", str(config)]
    assert main([*arguments, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert "under [events] and [home] is left out" in "".join(capsys.readouterr())
    assert not mark.exists()


@pytest.mark.slow
def test_auto_ends_the_same_turns_without_presses(
    recording: Path, pressed: list[dict[str, Any]], tmp_path: Path
) -> None:
    bare = tmp_path / "bare"
    bare.symlink_to(recording)
    automatic = played(bare, tmp_path / "book.sqlite", "--end-turn", "auto")
    assert [line["event"] for line in automatic][: len(pressed)] == [line["event"] for line in pressed]


@pytest.mark.slow
def test_a_match_that_was_cut_off_is_compared_with_the_table_before_it_goes_on(
    recording: Path,
    pressed: list[dict[str, Any]],
    book: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The recording's table stands at its beginning again: that is not where the match was cut off."""
    really_open = cameras.open_camera
    monkeypatch.setattr(cameras, "open_camera", lambda *args: replace(really_open(*args), live=True))
    assert main(["play", "--camera", str(recording), "--fps", FPS, "--headless", "--scorebook", str(book)]) == 0
    told = capsys.readouterr()
    assert "Going on with the match" in told.err
    score = pressed[-1]["ruling"]["state"]["score"]
    assert f"{score['white']}:{score['black']}" in told.err
    assert "Compare: The table differs from the record" in told.out
    assert "White’s fencer should stand on" in told.out
    assert "White’s button: the table is right. Black’s button: the record is right." in told.out
    assert not [line for line in told.out.splitlines() if "En garde" in line], "no event falls meanwhile"


@pytest.mark.slow
def test_the_first_start_that_was_asked_for_takes_the_games_place_with_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The devices are closed by then, and the process stays the same: systemd goes on with it."""
    open_ones: list[ExitStack] = []
    became: list[tuple[str, ...]] = []

    def sits(wish: Any, say: Any, held: ExitStack) -> None:
        open_ones.append(held)
        held.callback(open_ones.pop)

    def execv(program: str, words: list[str]) -> NoReturn:
        assert not open_ones
        became.append((program, *words))
        raise SystemExit(0)

    monkeypatch.setattr(play, "open_sitting", lambda wish, held, say, window: sits(wish, say, held))
    monkeypatch.setattr(play, "play", lambda wish, sitting, held: "setup")
    monkeypatch.setattr(os, "execv", execv)
    with pytest.raises(SystemExit):
        main(["play", "--new", "--camera", "picamera2", "--white", "Ana", "--scorebook", str(tmp_path / "book.sqlite")])
    words = ("-m", "firmware", "setup", "--then-play", "--camera", "picamera2", "--white", "Ana", "--scorebook")
    assert became == [(sys.executable, sys.executable, *words, str(tmp_path / "book.sqlite"))]


@pytest.mark.parametrize(
    ("proposed", "shown", "recorded", "said", "asked"),
    [
        ((), False, False, [], None),
        ((Mode.HINTS,), False, False, ["--coach shows its words on a screen, and there is none: "], None),
        ((Mode.HINTS, Mode.OPEN), True, False, ["--coach and --open are asked one at a time: "], (Agree(("help",)),)),
        ((Mode.OPEN,), False, True, ["--open is left out: a recording is refereed with what both "], ()),
    ],
    ids=["nothing", "without a screen", "one question at a time", "a recording knows what was agreed to"],
)
def test_both_are_asked_for_the_coach_where_a_screen_has_its_words(
    proposed: tuple[Mode, ...],
    shown: bool,
    recorded: bool,
    said: list[str],
    asked: tuple[Agree, ...] | None,
    table: Table,
) -> None:
    told: list[str] = []
    people, window = People(NO_NAMES, "en"), object() if shown else None
    camera, setup = SimpleNamespace(recorded=recorded or None), SimpleNamespace(table=table)
    sitting: Any = SimpleNamespace(window=window, shown=shown, setup=setup, camera=camera)
    coach = play.open_coach(proposed, sitting, people, told.append, at_hand=False)
    assert [each[: len(start)] for each, start in zip(told, said, strict=True)] == said
    if coach is None:
        assert asked is None
        return
    presses = tuple(Press(1.0, button) for button in (Button.WHITE, Button.BLACK))
    assert bool(coach.hear(presses, 1.0)) is recorded
    assert coach.asks() == asked
    people.agreed = ("open", "of a later program")
    assert (coach.is_on(Mode.OPEN), coach.is_on(Mode.HINTS)) == (True, False)
