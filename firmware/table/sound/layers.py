"""The layers that cues are made of, as files in ``waves``: steel, steps on wood, the scoring box, and people watching.

They were computed once, from the modes of a bar and of a board, a held major third, and some dozens who clap and call.
All are equally loud to the ear (A-weighted), so that volumes compare.
"""

from __future__ import annotations

import wave
from enum import Enum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

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


SUFFIXES: Final = (".wav", ".ogg")


def recording(folder: Path, key: str) -> Path | None:
    """The file in a folder of recordings that is named after this sound key; None without one."""
    return next((path for suffix in SUFFIXES if (path := folder / f"{key}{suffix}").is_file()), None)
