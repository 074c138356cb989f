"""Sounds, synthesised: samples as a pure function of the cue, and a player that is silent where there is no sound card.

Every cue sounds the same for both sides. Source: FIE rule book, by hardware/PLATFORM.md, "Fencing lamps".
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from display.menu.settings import VOICE, VOLUME, MenuSetting
from display.view import Cue
from firmware.loop.moment import Moment
from firmware.sound.reader import Reader
from firmware.sound.recordings import recording
from firmware.sound.voice import Voice

RATE_HZ: Final = 44_100
FADE_S: Final = 0.008  # at both ends of a tone: without it there is a click
PEAK: Final = 0.8  # of the full range


@dataclass(frozen=True, slots=True)
class Tone:
    """``pitches_hz`` sounding together from ``start_s`` for ``length_s``; falls to 1/e in ``decay_s`` (None: held)."""

    start_s: float
    length_s: float
    pitches_hz: tuple[float, ...]
    decay_s: float | None = None


TONES: Final[Mapping[Cue, tuple[Tone, ...]]] = {
    Cue.TOUCH: (Tone(0.0, 1.5, (880.0, 1108.7)),),
    Cue.ATTACK: (Tone(0.0, 0.10, (659.3,)), Tone(0.13, 0.30, (987.8,), 0.12)),
    Cue.PARRY: (Tone(0.0, 0.45, (1318.5, 2093.0, 2794.0), 0.10),),
    Cue.REFUSED: (Tone(0.0, 0.18, (196.0, 207.7)), Tone(0.26, 0.30, (164.8, 174.6))),
    Cue.LAST_CARD: tuple(Tone(0.22 * place, 0.5, (587.3,), 0.15) for place in range(3)),
    Cue.MOVE: (Tone(0.0, 0.12, (440.0,), 0.03),),
    Cue.WIN: (
        Tone(0.0, 0.18, (523.3,)),
        Tone(0.2, 0.18, (659.3,)),
        Tone(0.4, 0.18, (784.0,)),
        Tone(0.6, 1.0, (523.3, 659.3, 1046.5), 0.5),
    ),
}
"""The cues as notes: a touch is a held major third, a refusal is low and beats, a parry rings like steel."""


def samples(cue: Cue) -> NDArray[np.int16]:
    """The cue as mono samples at ``RATE_HZ``, shape (n,); the same every time."""
    tones = TONES[cue]
    end_s = max(tone.start_s + tone.length_s for tone in tones)
    mixed = np.zeros(round(end_s * RATE_HZ))
    for tone in tones:
        first = round(tone.start_s * RATE_HZ)
        wave = _wave(tone)[: len(mixed) - first]
        mixed[first : first + len(wave)] += wave
    loudest = float(np.abs(mixed).max())
    return np.rint(mixed * (PEAK * np.iinfo(np.int16).max / loudest)).astype(np.int16)


def _wave(tone: Tone) -> NDArray[np.float64]:
    count = round(tone.length_s * RATE_HZ)
    t_s = np.arange(count) / RATE_HZ
    wave = np.zeros(count)
    for pitch_hz in tone.pitches_hz:
        wave += np.sin(2 * np.pi * pitch_hz * t_s) + 0.3 * np.sin(4 * np.pi * pitch_hz * t_s)
    if tone.decay_s is not None:
        wave *= np.exp(-t_s / tone.decay_s)
    fade = np.minimum(1.0, np.minimum(t_s, t_s[::-1]) / FADE_S)
    return np.asarray(wave * fade, dtype=np.float64)


class Player(Protocol):
    """Plays cues and calls. ``notice`` is empty, or says in one sentence why nothing is heard."""

    @property
    def notice(self) -> str: ...

    def play(self, cue: Cue) -> None: ...

    def say(self, wav: bytes) -> None: ...

    def set_volume(self, volume: float) -> None: ...

    def close(self) -> None: ...


class SilentPlayer:
    """Plays nothing, for the reason its notice gives."""

    def __init__(self, notice: str) -> None:
        self.notice = notice

    def play(self, cue: Cue) -> None:
        """Nothing is heard."""

    def say(self, wav: bytes) -> None:
        """Nothing is heard."""

    def set_volume(self, volume: float) -> None:
        """Nothing is heard."""

    def close(self) -> None:
        """Nothing to let go of."""


class MixerPlayer:
    """Plays through pygame's mixer, which has been opened by ``open_player``. A new cue cuts off whatever sounds.

    ``recordings`` are files that sound instead of the cues they are named after; ``notice`` names those that cannot.
    """

    def __init__(self, mixer: Any, volume: float, recordings: Mapping[Cue, Path]) -> None:
        self._mixer = mixer
        self._volume = volume
        self._channel: Any = None
        self.notice = ""
        _, _, channels = mixer.get_init()
        self._sounds = {cue: mixer.Sound(buffer=_interleaved(samples(cue), channels)) for cue in Cue}
        for cue, path in recordings.items():
            sound = self._loaded(path)
            if sound is not None:
                self._sounds[cue] = sound
        self.set_volume(volume)

    def set_volume(self, volume: float) -> None:
        """From 0 to 1, for whatever comes."""
        self._volume = volume
        for sound in self._sounds.values():
            sound.set_volume(volume)

    def play(self, cue: Cue) -> None:
        self._mixer.stop()
        self._channel = self._sounds[cue].play()

    def say(self, wav: bytes) -> None:
        """Say this, a WAV or OGG file's bytes, once the cue is over. What cannot be played is left out."""
        sound = self._loaded(BytesIO(wav))
        if sound is None:
            return
        sound.set_volume(self._volume)
        if self._channel is not None and self._channel.get_busy():
            self._channel.queue(sound)
        else:
            self._channel = sound.play()

    def close(self) -> None:
        self._mixer.quit()

    def _loaded(self, file: Path | BytesIO) -> Any:
        import pygame

        try:
            return self._mixer.Sound(file if isinstance(file, BytesIO) else str(file))
        except (pygame.error, OSError) as error:
            if isinstance(file, Path):
                self.notice = f"{file}: expected a sound (WAV or OGG), found none ({error}); our own is played instead."
            return None


def _interleaved(mono: NDArray[np.int16], channels: int) -> bytes:
    return np.repeat(mono, channels).tobytes()


def open_player(volume_percent: int, recordings: Path | None = None) -> Player:
    """A player at this volume; a silent one, which says why, where the volume is 0 or there is no sound card.

    A file in the folder ``recordings`` sounds instead of the cue it is named after, such as ``touch.wav``.
    """
    if volume_percent == 0:
        return SilentPlayer("The sound is switched off.")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        from pygame import mixer
    except ImportError as error:
        return SilentPlayer(f"There is no sound: pygame's mixer cannot be loaded ({error}).")
    import pygame

    try:
        with _drivers_are_quiet():
            mixer.init(frequency=RATE_HZ, size=-16, channels=2, allowedchanges=0)
    except pygame.error as error:
        return SilentPlayer(f"There is no sound: no sound card answers ({error}).")
    try:
        found = {} if recordings is None else {cue: recording(recordings, cue.value) for cue in Cue}
        return MixerPlayer(mixer, volume_percent / 100, {cue: path for cue, path in found.items() if path is not None})
    except BaseException:
        with contextlib.suppress(pygame.error):
            mixer.quit()
        raise


@contextlib.contextmanager
def _drivers_are_quiet() -> Iterator[None]:
    """ALSA tells about a missing sound card in eight lines of its own, past Python; ours says it in one sentence."""
    try:
        before = os.dup(2)
    except OSError:  # stderr is closed: nothing can be told there anyway
        yield
        return
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


ASKED: Final = "asked"
"""The call that says what the companion asks for, as a recording is named."""


class SoundAudience:
    """Plays the cue of every verdict, once, and has it called by the voice."""

    def __init__(self, player: Player, voices: Callable[[str], Voice | None] | None = None, way: str = "off") -> None:
        """``voices`` opens the voice that speaks in this way (a value of ``VOICE``); without it there is none."""
        self._player = player
        self._voices = voices
        self._voice = voices(way) if voices is not None else None
        self._heard: int | None = None
        self._asked = ""
        self._reader = Reader()

    @property
    def notice(self) -> str:
        """What of the voice is missing, empty for nothing."""
        return self._voice.notice if self._voice is not None else ""

    @property
    def silent(self) -> bool:
        """Whether nothing is heard at all."""
        return isinstance(self._player, SilentPlayer)

    def change(self, setting: MenuSetting, value: str | int) -> None:
        """Another VOLUME in percent, or another VOICE, from now on."""
        if setting is VOLUME:
            self._player.set_volume(int(value) / 100)
            self._player.play(Cue.MOVE)
        elif setting is VOICE and self._voices is not None:
            self.close()
            self._voice = self._voices(str(value))

    def test(self) -> None:
        """A touch, to be heard."""
        self._player.play(Cue.TOUCH)

    def close(self) -> None:
        """Let the voice go."""
        if self._voice is not None:
            self._voice.close()

    def attend(self, moment: Moment) -> None:
        """Play what is new at this moment, and say what the voice has ready."""
        view = moment.view
        new = view.serial != self._heard
        asked = view.spoken if view.spoken != self._asked else ""
        self._heard, self._asked = view.serial, view.spoken
        if new and view.cue is not None:
            self._player.play(view.cue)
        if self._voice is not None and self._voice.full:
            news = self._reader.news(view.aloud, moment.frame.t_s, view.aloud_page)
            if news:
                self._voice.prepare(view.language, "", news)
        elif self._voice is not None and asked:
            call = f"{view.call} " if new and view.call_key else ""
            self._voice.prepare(view.language, ASKED, f"{call}{asked}")
        elif self._voice is not None and new:
            self._voice.prepare(view.language, view.call_key, view.call)
        if self._voice is not None:
            wav = self._voice.take()
            if wav is not None:
                self._player.say(wav)
