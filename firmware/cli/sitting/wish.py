"""What a command wants of the devices: its arguments over the menu's settings, the owner's and the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firmware.core.config import Config, load_config
from firmware.table.camera.camera import CameraWanted


@dataclass(frozen=True, slots=True)
class TableWish:
    """The devices to sit at. ``settings`` are those in force, those ``given`` with the command among them.

    ``pictures`` is where those of the moments that matter go, None for nowhere; ``settings_file`` the one named
    instead of the owner's.
    """

    settings: Config
    camera: CameraWanted
    scorebook: Path
    headless: bool = False
    pictures: Path | None = None
    settings_file: Path | None = None
    given: Mapping[str, str | bool] = field(default_factory=dict)

    def reread(self) -> TableWish:
        """The same with what was set in the menu meanwhile. Raises ConfigError."""
        return replace(self, settings=settings_with(self.given, self.settings_file))


def settings_with(given: Mapping[str, str | bool], file: Path | None) -> Config:
    """The settings in force, those ``given`` over them. Raises ConfigError."""
    over: dict[str, Any] = dict(given)
    return replace(load_config(file), **over)
