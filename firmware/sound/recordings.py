"""The owner's own recordings, found by the name of the sound they are heard instead of."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SUFFIXES: Final = (".wav", ".ogg")


def recording(folder: Path, key: str) -> Path | None:
    """The file in a folder of recordings that is named after this sound key; None without one."""
    return next((path for suffix in SUFFIXES if (path := folder / f"{key}{suffix}").is_file()), None)
