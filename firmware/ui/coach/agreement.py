"""Two players agree to something: each presses their own button, and either can say no or end it later."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.rules.track import Side
from engine.table.observation import Sight
from engine.table.presses import Button, Press
from engine.table.table_reading import OpenTurn


class Mode(Enum):
    """Help that both players have to agree to."""

    HINTS = "help"  # as recordings had it from the first
    OPEN = "open"


class Consent(Enum):
    """The state of a question."""

    WAITS = "waits"
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class ConsentAsked:
    """Whether both want ``mode``; ``agreed`` is who has said yes, None for nobody yet."""

    mode: Mode
    agreed: Side | None = None

    def pressed(self, button: Button) -> tuple[ConsentAsked, Consent]:
        """The question after this press. Nobody agrees for the other: the space bar says nothing."""
        if button is Button.UNDO:
            return self, Consent.NO
        if button.side is None or button.side is self.agreed:
            return self, Consent.WAITS
        if self.agreed is not None:
            return self, Consent.YES
        return replace(self, agreed=button.side), Consent.WAITS


class PlayedOn:
    """A player who plays on while a question waits for the other: the press ends the turn and is no answer.

    Only a legal turn laid since the question was put, or since the yes, is one: hands laid open too early
    and a second press out of impatience are not. The eyes are waited for, up to ``patience_s``.
    """

    def __init__(self) -> None:
        self._then: OpenTurn | None = None
        self._now: OpenTurn | None = None
        self._steady = False
        self._press: Press | None = None

    def saw(self, turn: OpenTurn | None, sight: Sight) -> None:
        """Take the turn that lies on the table, and whether the eyes are sure of it."""
        self._now, self._steady = turn, sight is Sight.STEADY

    def asked(self) -> None:
        """The question was put, or half answered: what lies there by now was laid before."""
        self._then, self._press = self._now, None

    def pressed(self, press: Press) -> None:
        """This press was no answer."""
        self._press = press

    def due(self, now_s: float, patience_s: float) -> tuple[Press, ...]:
        """The press that ended a turn, once it is sure that it did."""
        press, turn = self._press, self._now
        if press is None or (not self._steady and now_s - press.t_s <= patience_s):
            return ()
        self._press = None
        if now_s - press.t_s > patience_s:
            return ()
        played = turn is not None and turn.ruling.ok and turn != self._then
        if not played or turn is None or press.button.side not in (None, turn.player):
            return ()
        return (replace(press, t_s=now_s),)
