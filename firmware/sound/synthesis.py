"""The sounds of a fight, computed: steel, steps on wood, the touch of the scoring box, and people watching.

Each is samples as a pure function, the same every time, at ``RATE_HZ``. Steel is the modes of a thin bar, set going by
a short blow; wood is low modes that die at once under the felt of a sole; the box is a held major third; a crowd is
some dozens who clap each in their own time, and a dozen voices that call. Every layer is brought to the same loudness,
so that volumes compare. Source: N. H. Fletcher and T. D. Rossing, The Physics of Musical Instruments (the bar); G. E.
Peterson and H. L. Barney, Control Methods Used in a Study of the Vowels (the voices); IEC 61672 (the ear).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

RATE_HZ: Final = 44_100
FADE_S: Final = 0.008  # at both ends: without it there is a click
RELEASE_S: Final = 0.03  # what is held, or cut off while it rings, ends in
LOUDNESS: Final = 0.1
"""The loudness of every layer's loudest part, as the ear weighs it, of the full range."""
LOUDEST_S: Final = 0.2
BAR_MODES: Final = (1.0, 2.756, 5.404, 8.933)
"""The pitches of a bar that is free at both ends, the lowest one for one."""

Wave = NDArray[np.float64]


class Layer(Enum):
    """What sounds; each has a volume of its own."""

    BLADE = "blade"
    STEP = "step"
    TOUCH = "touch"
    CROWD = "crowd"


def clash() -> Wave:
    """Two blades that meet: both ring, at pitches that do not fit, chatter, and one slides off the other."""
    ringing = [
        share * _later(_bar(pitch_hz, 1.1 - at_s, decay_s, seed=seed), at_s)
        for seed, (at_s, share, pitch_hz, decay_s) in enumerate(_CHATTER, 1)
    ]
    return _sum(*ringing, 0.35 * _later(scrape(0.16), 0.03))


_CHATTER: Final = (
    *((0.0, 1.0, 1180.0, 0.34), (0.003, 0.8, 1423.0, 0.27)),
    *((0.021, 0.4, 1181.5, 0.16), (0.026, 0.3, 1421.0, 0.14), (0.049, 0.16, 1180.8, 0.1)),
)
"""When the blades touch, how hard, which of the two that is, by its pitch, and how long it rings."""


def scrape(length_s: float) -> Wave:
    """Steel along steel: high noise in quick waves, which fades."""
    t_s = _time(length_s)
    rattle = 0.6 + 0.4 * np.sin(2 * np.pi * (70 + 160 * t_s) * t_s)
    return _eased(_band(len(t_s), 2600.0, 7800.0, seed=3) * rattle * np.exp(-t_s / (0.4 * length_s)), 0.006)


def whip() -> Wave:
    """A blade through the air: noise whose pitch goes up and away."""
    t_s = _time(0.16)
    swell = np.sin(np.pi * t_s / t_s[-1]) ** 2
    low, high = _band(len(t_s), 500.0, 1500.0, seed=4), _band(len(t_s), 1500.0, 4200.0, seed=5)
    return np.asarray((low * (1 - t_s / t_s[-1]) + high * t_s / t_s[-1]) * swell, dtype=np.float64)


def step() -> Wave:
    """A felt sole on wood: the heel, then the ball of the foot."""
    return _sum(_stamp(0.2, 172.0, seed=6), 0.55 * _later(_stamp(0.16, 214.0, seed=7), 0.09))


def stamp() -> Wave:
    """The foot of a lunge: heavier than a step, and once."""
    return _stamp(0.3, 138.0, seed=8)


def box() -> Wave:
    """The scoring box: 880 and 1108.7 Hz, held for as long as fencing asks."""
    t_s = _time(1.5)
    wave = np.zeros(len(t_s))
    for pitch_hz in (880.0, 1108.7):
        for number, share in ((1, 1.0), (2, 0.3), (3, 0.16)):
            wave += share * np.sin(2 * np.pi * number * pitch_hz * t_s)
    return wave


def wood(pitch_hz: float) -> Wave:
    """A knock on a block of wood."""
    t_s = _time(0.22)
    wave = np.zeros(len(t_s))
    for ratio, share, decay_s in ((1.0, 1.0, 0.05), (2.42, 0.5, 0.03), (4.1, 0.25, 0.015)):
        wave += share * np.sin(2 * np.pi * ratio * pitch_hz * t_s) * np.exp(-t_s / decay_s)
    return _eased(wave, 0.002)


def buzz() -> Wave:
    """No: two low tones that beat, and lower once more."""
    first, second = (_held((high, high * 1.058), length_s) for high, length_s in ((196.0, 0.18), (164.8, 0.32)))
    return _sum(first, _later(second, 0.24))


def applause(length_s: float, hands: int) -> Wave:
    """So many people who clap, more of them at first than in the end, and who are heard to be pleased."""
    rng = np.random.default_rng(9)
    whole = np.zeros(round(length_s * RATE_HZ))
    claps = [_clap(number) for number in range(12)]
    for _ in range(hands):
        period_s, at_s = rng.uniform(0.19, 0.30), rng.uniform(0.0, 0.35)
        until_s, share = length_s * rng.uniform(0.55, 1.0), rng.uniform(0.25, 1.0)
        clap = claps[rng.integers(len(claps))]
        while at_s < until_s:
            first = round(at_s * RATE_HZ)
            there = min(len(clap), len(whole) - first)
            whole[first : first + there] += share * clap[:there]
            at_s += period_s * rng.uniform(0.9, 1.12)
    t_s = _time(length_s)
    swell = np.minimum(1.0, t_s / 0.25) * np.minimum(1.0, (length_s - t_s) / (0.5 * length_s))
    return _sum(whole * swell, 0.9 * float(np.abs(whole).max()) * _cheer(length_s))


def _cheer(length_s: float) -> Wave:
    """Voices that call: each a train of pulses at a pitch of its own that slides and trembles, all through a vowel."""
    t_s = _time(length_s)
    rng = np.random.default_rng(20)
    pulses = np.zeros(len(t_s))
    for _ in range(_VOICES):
        pitch_hz, begins_s = 115.0 * 2 ** rng.uniform(0.0, 1.5), rng.uniform(0.0, 0.45)
        slide = 1.0 + rng.uniform(0.06, 0.2) * np.sin(np.pi * np.minimum(1.0, t_s / (0.7 * length_s)))
        tremble = 1.0 + 0.012 * np.sin(2 * np.pi * rng.uniform(4.5, 6.5) * t_s + rng.uniform(0, 6))
        periods = np.cumsum(pitch_hz * slide * tremble) / RATE_HZ + rng.uniform()
        since_s = np.maximum(0.0, t_s - begins_s)
        swell = np.minimum(1.0, since_s / 0.15) * np.exp(-np.maximum(0.0, since_s - 0.4) / (0.3 * length_s))
        pulses += rng.uniform(0.4, 1.0) * swell * np.diff(np.floor(periods), prepend=np.floor(periods[0]))
    pitches_hz = np.asarray(np.fft.rfftfreq(len(t_s), 1 / RATE_HZ), dtype=np.float64)
    spectrum = np.fft.rfft(pulses) * _vowel(pitches_hz)
    voices = np.fft.irfft(spectrum, n=len(t_s))
    return np.asarray(voices / np.abs(voices).max(), dtype=np.float64)


_VOICES: Final = 14
_OPEN_A: Final = ((730.0, 90.0, 1.0), (1090.0, 110.0, 0.6), (2440.0, 160.0, 0.22), (3400.0, 260.0, 0.08))
"""The resonances of an open vowel: where, half how wide, how strong."""


def _vowel(pitch_hz: Wave) -> Wave:
    """What a mouth that says *ah* leaves of each pitch; the throat gives the higher ones less."""
    mouth = sum((share / (1 + ((pitch_hz - at) / half) ** 2) for at, half, share in _OPEN_A), np.zeros(len(pitch_hz)))
    return np.asarray(mouth / (1 + pitch_hz / 400.0), dtype=np.float64)


@cache
def levelled(make: str, *numbers: float) -> Wave:
    """The layer that this function of ours makes with these numbers, without clicks and at ``LOUDNESS``."""
    wave = _MAKERS[make](*numbers)
    edge = np.minimum(1.0, np.minimum(np.arange(len(wave)), np.arange(len(wave))[::-1]) / (FADE_S * RATE_HZ))
    wave = (wave - wave.mean()) * edge
    return np.asarray(wave * (LOUDNESS / loudness(wave)), dtype=np.float64)


def loudness(wave: Wave) -> float:
    """How loud the loudest ``LOUDEST_S`` are to the ear, as a share of the full range: A-weighted root mean square."""
    heard = np.fft.irfft(np.fft.rfft(wave) * _weights(len(wave)), n=len(wave))
    window = min(len(heard), round(LOUDEST_S * RATE_HZ))
    summed = np.concatenate(((0.0,), np.cumsum(heard**2)))
    return float(np.sqrt((summed[window:] - summed[:-window]).max() / round(LOUDEST_S * RATE_HZ)))


def _weights(count: int) -> Wave:
    """How the ear weighs each pitch of a transform of so many samples. Source: IEC 61672, A-weighting."""
    squared = np.fft.rfftfreq(count, 1 / RATE_HZ) ** 2
    above = 12194.0**2 * squared**2
    below = (squared + 20.6**2) * np.sqrt((squared + 107.7**2) * (squared + 737.9**2)) * (squared + 12194.0**2)
    return np.asarray(1.2589 * above / below, dtype=np.float64)


def _bar(pitch_hz: float, length_s: float, decay_s: float, seed: int) -> Wave:
    """A bar that is struck: the higher a mode, the sooner it is gone; each a little out of tune, as steel is."""
    t_s = _time(length_s)
    rng = np.random.default_rng(seed)
    wave = np.zeros(len(t_s))
    for number, ratio in enumerate(BAR_MODES, 1):
        for _ in range(2):  # a blade is no round bar: each mode is two, close together
            pitch = pitch_hz * ratio * rng.uniform(0.996, 1.004)
            if pitch < 0.4 * RATE_HZ:
                wave += (
                    np.sin(2 * np.pi * pitch * t_s + rng.uniform(0, 6)) * np.exp(-t_s * number / decay_s) / number**0.7
                )
    blow = _band(len(t_s), 3000.0, 12000.0, seed=seed + 50) * np.exp(-t_s / 0.004)
    return wave + 0.8 * blow


def _stamp(length_s: float, pitch_hz: float, seed: int) -> Wave:
    """A foot on a board: felt gives way for some milliseconds, so that nothing of it is sharp."""
    t_s = _time(length_s)
    wave = np.zeros(len(t_s))
    for ratio, share, decay_s in _BOARD:
        wave += share * np.sin(2 * np.pi * ratio * pitch_hz * t_s) * np.exp(-t_s / decay_s)
    felt = _band(len(t_s), 250.0, 1600.0, seed) * np.exp(-t_s / 0.03)
    return _eased(wave + 1.6 * felt, 0.004)


_BOARD: Final = (
    *(
        (1.0, 0.5, 0.06),
        (1.63, 0.8, 0.05),
        (2.37, 0.8, 0.04),
        (3.41, 0.6, 0.03),
        (4.73, 0.4, 0.022),
        (6.2, 0.25, 0.016),
    ),
)
"""The modes of a board that is trodden on: ratio to the lowest, share, and how soon it is gone."""


def _clap(number: int) -> Wave:
    """One pair of hands: a short burst of noise, each pair at its own pitch."""
    t_s = _time(0.06)
    middle_hz = 900.0 + 130.0 * number
    return _eased(_band(len(t_s), 0.6 * middle_hz, 1.7 * middle_hz, seed=30 + number) * np.exp(-t_s / 0.009), 0.0015)


def _eased(wave: Wave, onset_s: float) -> Wave:
    """The same without a jump where it begins and where it is cut off."""
    at_s = _time(len(wave) / RATE_HZ)
    rise = np.sin(0.5 * np.pi * np.minimum(1.0, at_s / onset_s)) ** 2
    return np.asarray(wave * rise * np.minimum(1.0, at_s[::-1] / RELEASE_S), dtype=np.float64)


def _held(pitches_hz: tuple[float, ...], length_s: float) -> Wave:
    t_s = _time(length_s)
    wave = np.zeros(len(t_s))
    for pitch_hz in pitches_hz:
        wave += np.sin(2 * np.pi * pitch_hz * t_s) + 0.4 * np.sin(4 * np.pi * pitch_hz * t_s)
    return wave * np.minimum(1.0, np.minimum(t_s / FADE_S, t_s[::-1] / RELEASE_S))


def _band(count: int, low_hz: float, high_hz: float, seed: int) -> Wave:
    """Noise between two pitches, with soft edges, of about the height of one."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    pitch_hz = np.fft.rfftfreq(count, 1 / RATE_HZ)
    spectrum *= 1 / (1 + (low_hz / np.maximum(pitch_hz, 1.0)) ** 8) / (1 + (pitch_hz / high_hz) ** 8)
    wave = np.fft.irfft(spectrum, n=count)
    return np.asarray(wave / (3 * wave.std()), dtype=np.float64)


def _time(length_s: float) -> Wave:
    return np.asarray(np.arange(round(length_s * RATE_HZ)) / RATE_HZ, dtype=np.float64)


def _later(wave: Wave, by_s: float) -> Wave:
    return np.concatenate((np.zeros(round(by_s * RATE_HZ)), wave))


def _sum(*waves: Wave) -> Wave:
    whole = np.zeros(max(len(wave) for wave in waves))
    for wave in waves:
        whole[: len(wave)] += wave
    return whole


_MAKERS: Final[Mapping[str, Callable[..., Wave]]] = {
    "clash": clash,
    "scrape": scrape,
    "whip": whip,
    "step": step,
    "stamp": stamp,
    "box": box,
    "wood": wood,
    "buzz": buzz,
    "applause": lambda length_s, hands: applause(length_s, int(hands)),
}
