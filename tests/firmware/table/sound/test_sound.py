"""Sounds: what the samples are, that they are played, and that a machine without a sound card says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import wave
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from display.i18n import LANGUAGES, locale_data
from display.view import Cue, HeardView
from display.words.present import CALL_KEYS
from firmware.core.config import SETTINGS
from firmware.table.sound import sound
from firmware.table.sound.sound import (
    CUES,
    PEAK,
    RATE_HZ,
    Layer,
    SilentPlayer,
    SoundAudience,
    SoundPlayer,
    open_player,
    samples,
)
from firmware.table.sound.voice import Speak, Voice, by_espeak, open_voice, ssml
from tests.waiting import until


def test_every_file_of_a_layer_is_heard_in_a_cue() -> None:
    folder = Path(sound.__file__).with_name("waves")
    assert {path.stem for path in folder.iterdir()} == {part.file for parts in CUES.values() for part in parts}


LENGTHS_S = {
    Cue.TOUCH: (1.5, 2.0),  # as fencing asks
    Cue.ATTACK: (0.3, 0.5),
    Cue.PARRY: (0.8, 1.2),
    Cue.REFUSED: (0.4, 0.7),
    Cue.LAST_CARD: (0.5, 0.8),
    Cue.MOVE: (0.15, 0.35),
    Cue.WIN: (3.0, 4.0),
}


@pytest.mark.parametrize("cue", Cue)
def test_every_cue_sounds_and_neither_clips_nor_clicks(cue: Cue) -> None:
    mono = samples(cue)
    assert mono.dtype == np.int16
    least_s, most_s = LENGTHS_S[cue]
    assert least_s <= len(mono) / RATE_HZ <= most_s
    full = np.iinfo(np.int16).max
    assert 0.1 * full < np.abs(mono.astype(int)).max() <= PEAK * full
    assert abs(int(mono[0])) < 0.01 * full
    assert abs(int(mono[-1])) < 0.01 * full
    assert abs(mono.astype(float).mean()) < 0.001 * full
    for layer in {part.layer for part in CUES[cue]}:
        alone = [samples(cue, {**dict.fromkeys(Layer, 0), layer: percent}).astype(float) for percent in (0, 50, 100)]
        silent, half, whole = (float(np.sqrt((each**2).mean())) for each in alone)
        assert silent == 0.0
        assert half == pytest.approx(whole / 2, rel=0.25)


def test_cues_are_told_apart_by_ear() -> None:
    assert len({samples(cue).tobytes() for cue in CUES}) == len(Cue)


def _in_a_process(code: str, tmp_path: Path, **environment: str) -> str:
    """What the code prints. Its own process: a mixer that was opened once keeps its driver."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


PLAY = """
import time
import pygame
from display.view import Cue, HeardView
from firmware.table.sound.sound import open_player
player = open_player(100)
player.play(Cue.TOUCH)
deadline_s = time.monotonic() + 20
while pygame.mixer.get_init() and pygame.mixer.get_busy() and time.monotonic() < deadline_s:
    time.sleep(0.02)
player.close()
print(type(player).__name__, player.notice)
"""


def test_what_a_driver_says_past_python_is_not_heard(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def init(**_: object) -> None:
        os.write(2, b"ALSA lib confmisc.c: cannot find card\n")
        raise pygame.error("no card")

    monkeypatch.setattr(pygame.mixer, "init", init)
    silent = open_player(0), open_player(100)
    assert all(isinstance(player, SilentPlayer) for player in silent)
    assert [player.notice for player in silent] == [
        "The sound is switched off.",
        "There is no sound: no sound card answers (no card).",
    ]
    os.write(2, b"still there")
    assert capfd.readouterr().err == "still there"


@pytest.mark.slow
def test_what_is_played_is_what_was_made(tmp_path: Path) -> None:
    out = tmp_path / "played.raw"
    told = _in_a_process(PLAY, tmp_path, SDL_AUDIODRIVER="disk", SDL_DISKAUDIOFILE=str(out))
    assert told == "MixerPlayer"
    played = np.frombuffer(out.read_bytes(), dtype=np.int16).reshape(-1, 2)
    assert np.array_equal(played[:, 0], played[:, 1])
    loud = np.flatnonzero(played[:, 0])
    assert len(loud) > 0
    first = int(loud[0])
    made = samples(Cue.TOUCH)
    skipped = int(np.flatnonzero(made)[0])
    count = min(4000, len(played) - first)
    assert count > 1000
    heard = played[first : first + count, 0].astype(int)
    # The mixer's full volume is 128 of 128: nothing is lost but rounding.
    assert np.abs(heard - made[skipped : skipped + count]).max() <= 2


class Recorder(SoundPlayer):
    """A player that remembers."""

    def __init__(self) -> None:
        super().__init__()
        self.played: list[Cue] = []
        self.said: list[bytes] = []
        self.volume = 1.0

    def play(self, cue: Cue) -> None:
        self.played.append(cue)

    def say(self, wav: bytes) -> None:
        self.said.append(wav)

    def set_volume(self, volume: float) -> None:
        self.volume = volume


def heard(audience: SoundAudience, serial: int, heard: HeardView) -> None:
    """The audience at a moment at which this is to be heard."""
    view = SimpleNamespace(serial=serial, language="en", heard=heard)
    audience.attend(SimpleNamespace(view=view))  # type: ignore[arg-type]


def test_every_verdict_is_heard_once_and_what_the_companion_asks_for_with_the_call_before_it() -> None:
    prepared: list[tuple[str, str]] = []

    class Listened(Voice):
        def prepare(self, language: str, key: str, text: str) -> None:
            prepared.append((key, text))

    recorder = Recorder()
    audience = SoundAudience(recorder, lambda way: Listened(None))
    for serial, cue, key, call, spoken in (
        (0, None, "", "", ""),
        (1, Cue.ATTACK, "attack", "Attack!", ""),
        (1, Cue.ATTACK, "attack", "Attack!", "Lay the card in slot 2."),
        (1, Cue.ATTACK, "attack", "Attack!", "Lay the card in slot 2."),
        (2, Cue.PARRY, "parry", "Parry!", "Deal me one card."),
        (3, None, "", "White advances 3", ""),
        (4, Cue.PARRY, "", "White advances 1", "Lay the card in slot 1."),
    ):
        heard(audience, serial, HeardView(cue, call, key, spoken))
    assert recorder.played == [Cue.ATTACK, Cue.PARRY, Cue.PARRY]
    assert prepared == [
        ("", ""),
        ("attack", "Attack!"),
        ("asked", "Lay the card in slot 2."),
        ("asked", "Parry! Deal me one card."),
        ("", "White advances 3"),
        ("asked", "Lay the card in slot 1."),
    ]


@pytest.mark.parametrize("came", ["by itself", "when it was switched on"])
def test_a_sound_card_that_comes_up_later_is_heard_at_the_volumes_of_then(came: str) -> None:
    """The volume is set meanwhile in the menu; or the sound was off at the start, and is switched on there."""
    there: list[SoundPlayer] = []
    opened: list[tuple[int, dict[Layer, int]]] = []
    voices: list[str] = []

    def opens(volume_percent: int, layers: Mapping[Layer, int]) -> SoundPlayer:
        opened.append((volume_percent, dict(layers)))
        return there[0] if there else SilentPlayer("no card")

    def spoken(way: str) -> Voice | None:
        voices.append(way)
        return None if way == "off" else Voice(None)

    percent = 80 if came == "by itself" else 0
    audience = SoundAudience(SilentPlayer("no card"), spoken, "calls", opens, percent, {Layer.CROWD: 10})
    assert audience.wanted is (percent > 0)
    assert not audience.reopen()
    audience.change(SETTINGS["sound.volume_percent"], 40)
    audience.change(SETTINGS["sound.step_percent"], 30)
    assert audience.wanted
    recorder = Recorder()
    there.append(recorder)
    assert audience.reopen()
    assert not audience.silent
    assert opened[-1] == (40, {Layer.CROWD: 10, Layer.STEP: 30})
    assert voices == ["calls"]
    tries = len(opened)
    assert audience.reopen()
    assert len(opened) == tries, "one that is open stays open"
    audience.test()
    assert recorder.played == [Cue.TOUCH]
    audience.change(SETTINGS["sound.voice"], "off")
    audience.change(SETTINGS["sound.voice"], "all")
    assert voices == ["calls", "off", "all"]
    audience.change(SETTINGS["sound.volume_percent"], 0)
    assert (audience.wanted, recorder.volume, recorder.played) == (False, 0.0, [Cue.TOUCH, Cue.MOVE])
    audience.close()


@pytest.mark.slow
def test_the_owners_recordings_replace_our_sounds(tmp_path: Path) -> None:
    """A recording of constant loudness instead of the touch; the other cues stay ours; a broken file is named."""
    folder, out = tmp_path / "mine", tmp_path / "played.raw"
    folder.mkdir()
    with wave.open(str(folder / "touch.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.full(RATE_HZ // 2, 4321, dtype=np.int16).tobytes())
    (folder / "parry.ogg").write_bytes(b"no sound")
    code = PLAY.replace("open_player(100)", f"open_player(100, Path({str(folder)!r}))")
    told = _in_a_process(
        "from pathlib import Path\n" + code, tmp_path, SDL_AUDIODRIVER="disk", SDL_DISKAUDIOFILE=str(out)
    )
    assert told.startswith(f"MixerPlayer {folder / 'parry.ogg'}: expected a sound (WAV or OGG), found none (")
    played = np.frombuffer(out.read_bytes(), dtype=np.int16)
    heard = played[np.flatnonzero(played)].astype(int)
    assert len(heard) > RATE_HZ // 2
    assert np.abs(heard - 4321).max() <= 2  # rounding, which is not the same on every processor


def test_a_call_is_said_when_it_is_ready_and_only_the_newest() -> None:
    recorder, voice = Recorder(), Voice(lambda language, text: f"{language}:{text}".encode())
    audience = SoundAudience(recorder, lambda way: voice)
    calls = [("touch_white", "Touch!", 1), ("", "White advances 3", 1), ("draw", "The round is a draw.", 2)]
    for serial, (key, text, said) in enumerate(calls):
        view = HeardView(Cue.MOVE, text, key)

        def came(serial: int = serial, view: HeardView = view, said: int = said) -> bool:
            heard(audience, serial, view)
            return len(recorder.said) == said

        assert until(came)
    voice.close()
    assert recorder.said == [b"en:Touch!", b"en:The round is a draw."]


def said(voice: Voice, language: str, key: str, text: str) -> bytes | None:
    """What comes of a call, waited for."""
    voice.prepare(language, key, text)
    taken: list[bytes | None] = []

    def came() -> bool:
        taken.append(voice.take())
        return taken[-1] is not None or voice._coming is None

    assert until(came)
    return taken[-1]


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


def test_any_call_can_be_recorded_in_each_language(tmp_path: Path) -> None:
    (tmp_path / "fr").mkdir()
    voice = Voice(lambda language, text: b"spoken", tmp_path)
    for key in CALL_KEYS:
        (tmp_path / "fr" / f"{key}.ogg").write_bytes(b"the owner's own")
        assert said(voice, "fr", key, "Touche") == b"the owner's own"
        assert said(voice, "nl", key, "Treffer") == b"spoken"
    voice.close()


def fails(language: str, text: str) -> bytes:
    raise OSError("gone")


@pytest.mark.parametrize("speak", [fails, lambda language, text: b""])
def test_a_voice_that_fails_is_silent_and_goes_on(speak: Speak) -> None:
    voice = Voice(speak)
    assert said(voice, "en", "draw", "The round is a draw.") is None
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
    full, every_turn = open_voice("full"), open_voice("all")
    assert full is not None
    assert every_turn is not None
    assert (full.full, every_turn.full) == (True, False)


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
