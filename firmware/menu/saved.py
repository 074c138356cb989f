"""Keeps what was set in the menu, beside the owner's own settings; ``firmware.config`` reads it after them."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engine.strict.text import MalformedError, toml_of
from firmware.config import usable
from firmware.io.files import NotTextError, read_text, write_state

HEADER: Final = "# What was last set in the menu. It holds over config.toml; delete it to have that hold again.\n"


def save(path: Path, heading: str, key: str, value: str | int) -> bool:
    """Keep one setting; the others in the file stay, as far as they can be used. Whether it could be written."""
    try:
        kept = _read(path)
        kept.setdefault(heading, {})[key] = value
        write_state(path, HEADER + _toml(kept))
    except OSError:
        return False
    return True


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        read = toml_of(read_text(path))
    except (FileNotFoundError, MalformedError, NotTextError):
        return {}
    except OSError as error:
        if error.errno != errno.EFBIG:  # else the menu never wrote that
            raise
        return {}
    return usable(read)


def _toml(kept: Mapping[str, Mapping[str, Any]]) -> str:
    """Headings with words, numbers and switches under them: all that a setting can be."""
    lines: list[str] = []
    for heading, values in kept.items():
        lines += ["", f"[{heading}]"]
        lines += [f"{key} = {_value(value)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    # JSON writes all of these as TOML does, but for letters beyond the first plane, which stay as they are.
    return json.dumps(value, ensure_ascii=False)
