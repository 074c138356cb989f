"""The wishes of a command: its arguments over the menu's settings, the owner's and the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn
from firmware.core.config import Config, load_config
from firmware.table.camera.camera import CameraWanted
from firmware.ui.coach.coach import Mode


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


@dataclass(frozen=True, slots=True)
class MatchWish:
    """The match to referee; what is None is as it was recorded, else as in the settings.

    ``new``: none that was not finished is gone on with. ``companion`` is the side that it plays, under its name among
    ``names``. ``proposed`` is what both players are asked to agree to. ``kept``: written down even where a recording's
    match was when it was played.
    """

    names: BySide[str | None]
    rules: str | None = None
    starter: str | None = None
    points: int | None = None
    new: bool = False
    companion: Side | None = None
    proposed: tuple[Mode, ...] = ()
    end_turn: EndTurn | None = None
    settle_s: float | None = None
    kept: bool = False

    @property
    def is_another(self) -> bool:
        """Whether it is another than a recorded one."""
        return bool(self.new or self.rules or self.starter or self.points)

    @property
    def is_named(self) -> bool:
        """Whether the command names the match to begin, so that no question is asked."""
        return bool(self.is_another or self.names.white or self.names.black)


@dataclass(frozen=True, slots=True)
class PlayWish:
    """A match at a table, and who is told of it: ``web`` is the address and the port of a scoreboard, ``club`` the
    card of a club that was named. ``typed`` are its options as they came, None where no command line asked for it."""

    table: TableWish
    match: MatchWish
    as_json: bool = False
    web: tuple[str, int] | None = None
    record: Path | None = None
    club: Path | None = None
    typed: tuple[str, ...] | None = None
