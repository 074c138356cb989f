"""Keeps what was set in the menu, beside the owner's own settings; ``firmware.config`` reads it after them."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from engine.strict.text import MalformedError, toml_of
from engine.strict.values import plain
from firmware.config import SETTINGS, checked
from firmware.io.files import NotTextError, read_text, write_state

HEADER: Final = "# What was last set in the menu. It holds over config.toml; delete it to have that hold again.\n"


def save(path: Path, setting: str, value: str | int) -> bool:
    """Keep one setting, such as ``sound.voice``; others in the file stay, as far as they can be used.

    Whether it could be written.
    """
    try:
        write_state(path, HEADER + _toml({**_read(path), setting: value}))
    except OSError:
        return False
    return True


def _read(path: Path) -> dict[str, Any]:
    try:
        read = toml_of(read_text(path))
    except (FileNotFoundError, MalformedError, NotTextError):
        return {}
    except OSError as error:
        if error.errno != errno.EFBIG:  # else the menu never wrote that
            raise
        return {}
    return checked(read)[0]


def _toml(kept: Mapping[str, Any]) -> str:
    lines: list[str] = []
    for heading, paths in groupby(sorted(kept), lambda path: path.partition(".")[0]):
        lines += ["", f"[{heading}]"]
        for path in paths:
            # JSON writes all of these as TOML does, but for letters beyond the first plane, which stay as they are.
            value = json.dumps(plain(SETTINGS[path].kind, kept[path]), ensure_ascii=False)
            lines.append(f"{path.partition('.')[2]} = {value}")
    return "\n".join(lines) + "\n"
