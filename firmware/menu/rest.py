"""What the menu needs of the rest of the companion."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from display.menu.settings import MenuSetting
from engine.rules.track import BySide
from firmware.loop.moment import Journal


class Machine(Protocol):
    """The rest of the companion, as far as the menu shows and changes it. Lines are in the language asked for.

    What returns text answers a choice in one sentence; empty for nothing to say.
    """

    def begin(self, names: BySide[str]) -> Journal: ...

    def known_names(self) -> tuple[str, ...]: ...

    def history(self, language: str) -> tuple[str, ...]: ...

    def sight(self, language: str) -> tuple[str, ...]: ...

    def health(self, language: str) -> tuple[str, ...]: ...

    def test(self) -> None: ...

    def calibrate(self) -> None: ...

    def back_up(self, language: str) -> str: ...

    def backups(self) -> tuple[Path, ...]: ...

    def whole(self, backup: Path) -> bool: ...

    def shut_down(self, language: str) -> str: ...

    def set(self, setting: MenuSetting, value: str | int) -> bool: ...
