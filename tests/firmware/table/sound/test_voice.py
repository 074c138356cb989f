"""The voice: every language is spoken, recordings come first, and a machine without espeak-ng says so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from display.i18n import LANGUAGES, locale_data
from display.words.present import CALL_KEYS
from firmware.table.sound.voice import Voice, by_espeak, open_voice, ssml
from tests.waiting import until


def said(voice: Voice, language: str, key: str, text: str) -> bytes | None:
    """What comes of a call, waited for."""
    voice.prepare(language, key, text)
    taken: list[bytes | None] = []

    def came() -> bool:
        taken.append(voice.take())
        return taken[-1] is not None or voice._coming is None

    assert until(came)
    return taken[-1]


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed here")
@pytest.mark.parametrize("language", LANGUAGES)
def test_espeak_speaks_it(language: str) -> None:
    wav = by_espeak(language, "En garde!")
    assert wav[:4] == b"RIFF"
    assert len(wav) > 10_000


def test_calls_are_spoken_and_moves_only_when_asked_for() -> None:
    spoken: list[tuple[str, str]] = []

    def speak(language: str, text: str) -> bytes:
        spoken.append((language, text))
        return text.encode()

    calls, everything = Voice(speak), Voice(speak, moves=True)
    assert said(calls, "de", "attack", "Angriff!") == b"Angriff!"
    assert said(calls, "de", "", "Weiß rückt 3 vor") is None
    assert said(everything, "de", "", "Weiß rückt 3 vor") == "Weiß rückt 3 vor".encode()
    assert said(calls, "de", "attack", "Angriff!") == b"Angriff!"
    assert spoken.count(("de", "Angriff!")) == 1
    calls.close()
    everything.close()


@pytest.mark.parametrize("key", CALL_KEYS)
def test_any_call_can_be_recorded_in_each_language(tmp_path: Path, key: str) -> None:
    (tmp_path / "fr").mkdir()
    (tmp_path / "fr" / f"{key}.ogg").write_bytes(b"the owner's own")
    voice = Voice(lambda language, text: b"spoken", tmp_path)
    assert said(voice, "fr", key, "Touche") == b"the owner's own"
    assert said(voice, "nl", key, "Treffer") == b"spoken"
    voice.close()


def test_a_voice_that_fails_is_silent_and_goes_on() -> None:
    def fails(language: str, text: str) -> bytes:
        raise OSError("gone")

    voice = Voice(fails)
    assert said(voice, "en", "draw", "The round is a draw.") is None
    assert said(Voice(lambda language, text: b""), "en", "draw", "The round is a draw.") is None
    voice.close()


def test_without_espeak_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    voice = open_voice("calls")
    assert voice is not None
    assert voice.notice.startswith("There is no voice: espeak-ng is not installed, calls are shown only;")
    assert by_espeak("en", "Touch!") == b""
    assert said(voice, "en", "touch_white", "Touch!") is None
    voice.close()
    assert open_voice("off") is None


@pytest.mark.parametrize(
    ("language", "text", "marked"),
    [
        ("de", "En garde! Runde 2", '<speak><voice xml:lang="fr">En garde!</voice> Runde 2</speak>'),
        ("nl", "Maestro wint", '<speak><voice xml:lang="it">Maestro</voice> wint</speak>'),
        ("en", "R&D: en garde", '<speak>R&amp;D: <voice xml:lang="fr">en garde</voice></speak>'),
        ("de", "Das war die Parade.", "<speak>Das war die  [[paR'A:d@]] </speak>"),
        ("nl", "Indirecte aanval: Ana", "<speak> [[Indi:r'Ekt@]]  aanval: Ana</speak>"),
        ("fr", "En garde\u00a0! <1>", "<speak>En garde\u00a0! &lt;1&gt;</speak>"),
    ],
)
def test_fencing_words_are_marked_for_the_voice_that_says_them_right(language: str, text: str, marked: str) -> None:
    assert ssml(language, text) == marked


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed here")
@pytest.mark.parametrize("language", LANGUAGES)
def test_en_garde_is_french_in_every_language(language: str) -> None:
    asked = {"fr-fr": "En garde!", locale_data(language).voice: ssml(language, "En garde!")}
    command = ["espeak-ng", "-m", "-q", "--ipa", "-v"]
    said = {
        subprocess.run([*command, voice, text], capture_output=True, text=True, check=True).stdout.strip()
        for voice, text in asked.items()
    }
    assert len(said) == 1, said


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed here")
@pytest.mark.parametrize(
    ("language", "word"), [(each, word) for each in LANGUAGES for word in locale_data(each).sounds]
)
def test_words_of_the_game_are_stressed_right_wherever_they_stand(language: str, word: str) -> None:
    sounds = locale_data(language).sounds[word]
    assert sounds not in _sounds_of(language, f"<speak>{word}</speak>"), "its own voice says it right now"
    for text in (word, f"{word}.", f"Ana: {word}, Ben.", f"({word})", f"Ben {word}! Ana"):
        said = _sounds_of(language, ssml(language, text))
        assert sounds in said
        others = _sounds_of(language, f"<speak>{text.replace(word, 'a')}</speak>")
        assert len(said.split()) <= len(others.split()) + 1, "nothing is spelled out beside it"


def _sounds_of(language: str, marked: str) -> str:
    command = ["espeak-ng", "-m", "-q", "-x", "-v", locale_data(language).voice, "--stdin"]
    return subprocess.run(command, input=marked, capture_output=True, text=True, check=True).stdout


def test_the_setting_that_reads_everything_opens_a_voice_that_does() -> None:
    full, every_turn = open_voice("full"), open_voice("all")
    assert full is not None
    assert every_turn is not None
    assert (full.full, every_turn.full) == (True, False)
    full.close()
    every_turn.close()
