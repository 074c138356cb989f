"""What the menu needs of the rest of the companion: what is done there, and the settings in force."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.table.desk import EndTurn
from vision.look import Look


class Machine(Protocol):
    """The rest of the companion, as far as the menu shows and changes it. Lines are in the language asked for.

    What returns text answers a choice in one sentence; empty for nothing to say.
    """

    def known_names(self) -> tuple[str, ...]: ...

    def history(self, language: str) -> tuple[str, ...]: ...

    def sight(self, look: Look | None, language: str) -> tuple[str, ...]: ...

    def health(self, look: Look | None, language: str) -> tuple[str, ...]: ...

    def test(self) -> None: ...

    def back_up(self, language: str) -> str: ...

    def backups(self) -> tuple[Path, ...]: ...

    def whole(self, backup: Path) -> bool: ...

    def shut_down(self, language: str) -> str: ...

    def set(self, name: str, value: str | int) -> bool: ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings in force that the menu shows; ``rules``, ``starter`` and ``points`` are those of a first match."""

    volume_percent: int
    voice: str
    voices: tuple[str, ...]
    theme: str
    themes: tuple[str, ...]
    rules: str
    starter: str
    points: int
    end_turn: str = EndTurn.BUTTON.value
