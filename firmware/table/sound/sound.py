"""Sounds: which layers make up each cue, and a player that is silent where there is no sound card.

Every cue sounds the same for both sides. Source: FIE rule book, by hardware/PLATFORM.md, "Fencing lamps".

The layers are files in ``waves``: steel, steps on wood, the scoring box, and people watching. They were computed once,
from the modes of a bar and of a board, a held major third, and some dozens who clap and call. All are equally loud to
the ear (A-weighted), so that volumes compare.
"""

from __future__ import annotations

import contextlib
import os
import wave
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from display.menu.settings import Setting
from display.view import Cue
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.table.sound.voice import Reader, Voice, recording

RATE_HZ: Final = 44_100
_GAIN: Final = 2.0
"""The files hold half of each sample: one of a stamping foot is more than the full range."""


class Layer(Enum):
    """A kind of sound, with a volume of its own."""

    BLADE = "blade"
    STEP = "step"
    TOUCH = "touch"
    CROWD = "crowd"


@cache
def wave_of(name: str) -> NDArray[np.float64]:
    """The mono samples of this file at ``RATE_HZ``, shape (n,), as shares of the full range."""
    with files(__package__).joinpath("waves", f"{name}.wav").open("rb") as stream, wave.open(stream) as file:
        data = file.readframes(file.getnframes())
    return np.asarray(np.frombuffer(data, "<i2") * (_GAIN / np.iinfo(np.int16).max), dtype=np.float64)


PEAK: Final = 0.8
"""No sample is farther out, as a share of the full range."""
WHOLE: Final = 100
"""A layer's own volume in percent, when nothing else is said."""


@dataclass(frozen=True, slots=True)
class CuePart:
    """One layer of a cue: the file of ``waves`` by this name, when, and how loud."""

    layer: Layer
    start_s: float
    share: float
    file: str


CUES: Final[Mapping[Cue, tuple[CuePart, ...]]] = {
    Cue.TOUCH: (CuePart(Layer.TOUCH, 0.0, 1.0, "box"), CuePart(Layer.CROWD, 0.35, 0.5, "applause")),
    Cue.ATTACK: (
        CuePart(Layer.BLADE, 0.0, 0.8, "whip"),
        CuePart(Layer.STEP, 0.11, 0.7, "stamp"),
        CuePart(Layer.BLADE, 0.14, 0.6, "scrape"),
    ),
    Cue.PARRY: (CuePart(Layer.BLADE, 0.0, 1.0, "clash"),),
    Cue.REFUSED: (CuePart(Layer.TOUCH, 0.0, 0.9, "buzz"),),
    Cue.LAST_CARD: tuple(CuePart(Layer.TOUCH, 0.22 * place, 0.9, "wood-587") for place in range(3)),
    Cue.MOVE: (CuePart(Layer.STEP, 0.0, 0.8, "step"),),
    Cue.WIN: (
        CuePart(Layer.TOUCH, 0.0, 0.7, "wood-523"),
        CuePart(Layer.TOUCH, 0.16, 0.8, "wood-784"),
        CuePart(Layer.CROWD, 0.2, 1.0, "ovation"),
    ),
}
"""The parts of each cue. A touch is held, a refusal is low and beats, a parry rings, and a victory is applauded."""


def samples(cue: Cue, volumes: Mapping[Layer, int] = MappingProxyType({})) -> NDArray[np.int16]:
    """The cue as mono samples at ``RATE_HZ``, shape (n,); the same every time.

    ``volumes`` in percent, ``WHOLE`` for a layer that is not in it.
    """
    laid = [(part, round(part.start_s * RATE_HZ), wave_of(part.file)) for part in CUES[cue]]
    mixed = np.zeros(max(first + len(mono) for _, first, mono in laid))
    for part, first, mono in laid:
        mixed[first : first + len(mono)] += part.share * volumes.get(part.layer, WHOLE) / WHOLE * mono
    # What a blow has above the rest is bent, not cut: the mean is what is loud.
    bent = PEAK * np.tanh(mixed / PEAK)
    return np.rint(bent * np.iinfo(np.int16).max).astype(np.int16)


class SoundPlayer:
    """Plays cues and calls; this one nothing. ``notice`` is empty, or says in one sentence why nothing is heard."""

    def __init__(self, notice: str = "") -> None:
        self.notice = notice

    def play(self, cue: Cue) -> None:
        """Let this cue be heard."""

    def say(self, wav: bytes) -> None:
        """Say this, a WAV or OGG file's bytes, once the cue is over. What cannot be played is left out."""

    def set_volume(self, volume: float) -> None:
        """From 0 to 1, for whatever comes."""

    def set_layer(self, layer: Layer, percent: int) -> None:
        """This layer's own volume in percent, for whatever comes of our own sounds."""

    def close(self) -> None:
        """Let go of the sound card."""


class SilentPlayer(SoundPlayer):
    """Plays nothing, for the reason its notice gives."""


class MixerPlayer(SoundPlayer):
    """Plays through pygame's mixer, which has been opened by ``open_player``. A new cue cuts off whatever sounds.

    ``recordings`` are files that sound instead of the cues they are named after; ``notice`` names those that cannot.
    """

    def __init__(self, mixer: Any, volume: float, recordings: Mapping[Cue, Path], layers: Mapping[Layer, int]) -> None:
        self._mixer = mixer
        self._volume = volume
        self._channel: Any = None
        self._layers = {layer: layers.get(layer, WHOLE) for layer in Layer}
        self._own: set[Cue] = set(Cue)
        super().__init__()
        self._sounds = {cue: self._made(cue) for cue in Cue}
        for cue, path in recordings.items():
            sound = self._loaded(path)
            if sound is not None:
                self._sounds[cue] = sound
                self._own.discard(cue)
        self.set_volume(volume)

    def set_volume(self, volume: float) -> None:
        self._volume = volume
        for sound in self._sounds.values():
            sound.set_volume(volume)

    def set_layer(self, layer: Layer, percent: int) -> None:
        self._layers[layer] = percent
        for cue in self._own:
            if any(part.layer is layer for part in CUES[cue]):
                self._sounds[cue] = self._made(cue)
        self.set_volume(self._volume)

    def play(self, cue: Cue) -> None:
        self._mixer.stop()
        self._channel = self._sounds[cue].play()

    def say(self, wav: bytes) -> None:
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

    def _made(self, cue: Cue) -> Any:
        _, _, channels = self._mixer.get_init()
        return self._mixer.Sound(buffer=np.repeat(samples(cue, self._layers), channels).tobytes())

    def _loaded(self, file: Path | BytesIO) -> Any:
        import pygame

        try:
            return self._mixer.Sound(file if isinstance(file, BytesIO) else str(file))
        except (pygame.error, OSError) as error:
            if isinstance(file, Path):
                self.notice = f"{file}: expected a sound (WAV or OGG), found none ({error}); our own is played instead."
            return None


def open_player(
    volume_percent: int, recordings: Path | None = None, layers: Mapping[Layer, int] = MappingProxyType({})
) -> SoundPlayer:
    """A player at this volume; a silent one, which says why, where the volume is 0 or there is no sound card.

    ``layers`` have each their own in percent, of that one.

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
        there = {cue: path for cue, path in found.items() if path is not None}
        return MixerPlayer(mixer, volume_percent / 100, there, layers)
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


HEARD: Final = {Layer.BLADE: Cue.PARRY, Layer.STEP: Cue.MOVE, Layer.TOUCH: Cue.TOUCH, Layer.CROWD: Cue.WIN}
"""The cue to play for each layer when its volume is set."""
ASKED: Final = "asked"
"""The call that says what the companion asks for, as a recording is named."""


class SoundAudience:
    """Plays the cue of every verdict, once, and has it called by the voice."""

    part: Final = Part.SOUND

    def __init__(
        self,
        player: SoundPlayer,
        voices: Callable[[str], Voice | None] | None = None,
        way: str = "off",
        opens: Callable[..., SoundPlayer] = open_player,
        volume_percent: int = WHOLE,
        layers: Mapping[Layer, int] = MappingProxyType({}),
    ) -> None:
        """``voices`` opens the voice that speaks in this way (a value of ``VOICE``); without it there is none.

        ``opens`` opens another player, as ``open_player`` does, at the volumes that are in force then.
        """
        self._player, self._opens = player, opens
        self._voices, self._way = voices, way
        self._volume_percent, self._layers = volume_percent, dict(layers)
        self._voice = self._spoken()
        self._heard: int | None = None
        self._asked = ""
        self._reader = Reader()

    @property
    def notice(self) -> str:
        """Why the voice is missing, empty where it is not."""
        return self._voice.notice if self._voice is not None else ""

    @property
    def silent(self) -> bool:
        """Whether nothing is heard at all."""
        return isinstance(self._player, SilentPlayer)

    @property
    def wanted(self) -> bool:
        """Whether anything is to be heard."""
        return self._volume_percent > 0

    def reopen(self) -> bool:
        """Look for a sound card again; whether there is one now."""
        if self.silent:
            self._player = self._opens(self._volume_percent, layers=self._layers)
            self._voice = self._spoken()
        return not self.silent

    def change(self, setting: Setting, value: str | int) -> None:
        """Another volume in percent, of all or of a layer, or another voice, from now on."""
        if setting.name == "volume_percent":
            self._volume_percent = int(value)
            if self.wanted:
                self.reopen()  # at volume 0 none was opened
            self._player.set_volume(self._volume_percent / 100)
            self._player.play(Cue.MOVE)
        elif setting.name.endswith("_percent"):
            layer = Layer(setting.name.removesuffix("_percent"))
            self._layers[layer] = int(value)
            self._player.set_layer(layer, int(value))
            self._player.play(HEARD[layer])
        elif setting.name == "voice" and self._voices is not None:
            self._hush()
            self._way = str(value)
            self._voice = self._spoken()

    def test(self) -> None:
        """A touch, to be heard."""
        self._player.play(Cue.TOUCH)

    def close(self) -> None:
        """Let voice and player go."""
        self._hush()
        self._player.close()

    def _spoken(self) -> Voice | None:
        return None if self._voices is None or self.silent else self._voices(self._way)

    def _hush(self) -> None:
        if self._voice is not None:
            self._voice.close()

    def attend(self, moment: Moment) -> None:
        """Play what is new at this moment, and say what the voice has ready."""
        view = moment.view
        new = view.serial != self._heard
        asked = view.heard.spoken if view.heard.spoken != self._asked else ""
        self._heard, self._asked = view.serial, view.heard.spoken
        if new and view.heard.cue is not None:
            self._player.play(view.heard.cue)
        if self._voice is not None and self._voice.full:
            news = self._reader.news(view.heard.aloud, moment.frame.t_s, view.heard.aloud_page)
            if news:
                self._voice.prepare(view.language, "", news)
        elif self._voice is not None and asked:
            call = f"{view.heard.call} " if new and view.heard.call_key else ""
            self._voice.prepare(view.language, ASKED, f"{call}{asked}")
        elif self._voice is not None and new:
            self._voice.prepare(view.language, view.heard.call_key, view.heard.call)
        if self._voice is not None:
            wav = self._voice.take()
            if wav is not None:
                self._player.say(wav)
