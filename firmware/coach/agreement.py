"""Two players agree to something: each presses his own button, and either can say no or end it later."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.track import Side
from firmware.buttons import Button


class Mode(Enum):
    """What the coach does only when both agree."""

    HELP = "help"
    OPEN = "open"


class Answer(Enum):
    """What a question has come to."""

    WAITS = "waits"
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Question:
    """Whether both want ``mode``; ``agreed`` is who has said yes, None for nobody yet."""

    mode: Mode
    agreed: Side | None = None

    def pressed(self, button: Button) -> tuple[Question, Answer]:
        """The question after this press. Nobody agrees for the other: the space bar says nothing."""
        if button is Button.UNDO:
            return self, Answer.NO
        if button.side is None or button.side is self.agreed:
            return self, Answer.WAITS
        if self.agreed is not None:
            return self, Answer.YES
        return replace(self, agreed=button.side), Answer.WAITS
