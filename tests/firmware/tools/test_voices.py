"""Calls spoken once by piper: every call that is always the same, in the folder where a voice looks for recordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from display.i18n import LANGUAGES
from display.words.present import CALL_KEYS
from firmware.table.sound.voice import recording
from firmware.tools.voices import calls, main

PIPER = """#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in --output_file) out=$2 ;; --model) model=$2 ;; esac
    shift
done
grep -q broken "$model" && { echo "no such voice" >&2; exit 3; }
cat > "$out"
"""


@pytest.fixture
def piper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A piper that writes down what it is to say; and a folder of voices."""
    program = tmp_path / "bin" / "piper"
    program.parent.mkdir()
    program.write_text(PIPER)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    models = tmp_path / "models"
    models.mkdir()
    (models / "de_DE-thorsten-medium.onnx").write_text("whole")
    return models


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_call_there_is_has_its_words(language: str) -> None:
    spoken = dict(calls(language))
    assert set(CALL_KEYS) <= set(spoken)
    assert "lessons.first.touch.do" in spoken
    assert all(text and "{" not in text for text in spoken.values())


@pytest.mark.slow
def test_what_was_spoken_is_found_as_a_recording(piper: Path, tmp_path: Path) -> None:
    out = tmp_path / "recordings"
    assert main(["--models", str(piper), "--out", str(out), "--calls-only"]) == 0
    for key in CALL_KEYS:
        found = recording(out / "de", key)
        assert found is not None
        assert found.read_text() == dict(calls("de"))[key]
    (out / "de" / "attack.wav").write_text("mine")
    assert main(["--models", str(piper), "--out", str(out), "--calls-only"]) == 0
    assert (out / "de" / "attack.wav").read_text() == "mine", "what is there is somebody's own"


def test_what_is_missing_is_said(
    piper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ["--out", str(tmp_path / "recordings")]
    assert main(["--models", str(piper), *out, "--language", "fr"]) == 1
    assert "expected a voice for fr" in capsys.readouterr().err
    (piper / "de_DE-thorsten-medium.onnx").write_text("broken")
    assert main(["--models", str(piper), *out]) == 1
    assert "no such voice" in capsys.readouterr().err
    assert main(["--models", str(tmp_path), *out]) == 1
    assert "found none" in capsys.readouterr().err
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["--models", str(piper), *out]) == 1
    assert "piper is not installed" in capsys.readouterr().err
