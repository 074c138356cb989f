"""Keeps what was set in the menu, beside the owner's own settings; ``firmware.config`` reads it after them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

HEADER: Final = "# What was last set in the menu. It holds over config.toml; delete it to have that hold again.\n"


def save(path: Path, heading: str, key: str, value: str | int) -> bool:
    """Keep one setting; the others in the file stay. Whether it could be written."""
    try:
        kept = _read(path)
        kept.setdefault(heading, {})[key] = value
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.new")
        unfinished.write_text(HEADER + _toml(kept), encoding="utf-8")
        os.replace(unfinished, path)
    except OSError:
        return False
    return True


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return {heading: values for heading, values in read.items() if isinstance(values, dict)}


def _toml(kept: Mapping[str, Mapping[str, Any]]) -> str:
    """Headings with words and whole numbers under them: all that the menu sets."""
    lines: list[str] = []
    for heading, values in kept.items():
        lines += ["", f"[{heading}]"]
        lines += [f"{key} = {value if type(value) is int else _quoted(str(value))}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
