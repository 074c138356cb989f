"""Beside the referee while a deck's backs are registered: what is shown, and the file kept up to date."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from display.i18n import words
from display.view import Situation
from display.words.companion import registering_panel, registering_text, registering_verdict
from engine.companion.backs import PAIRED, CardShown, DeckBacks, Registration, look_at
from engine.table.desk import Desk
from engine.table.observation import TableObservation
from engine.table.presses import Button, Press
from firmware.loop.moment import Helper
from firmware.loop.requests import Stop
from vision.look import Look

_ENOUGH_S: Final = 6.0
"""How long it stays on the screen that the deck is complete."""


class Registrar(Helper):
    """A helper: no card that is shown is played. ``keep`` is handed the deck after every change of it.

    ``say`` is told in English what came of each card. It ends once all are known.
    """

    vital: Final = True  # nothing else is done meanwhile

    def __init__(
        self,
        backs: DeckBacks,
        keep: Callable[[DeckBacks], None],
        say: Callable[[str], None],
        *,
        checking: bool = False,
        leaves: bool = False,
    ) -> None:
        """``leaves``: a game waits meanwhile, to which the button for taking back leads."""
        super().__init__()
        self._leaves = leaves
        self.registration = Registration(backs, checking)
        self._keep = keep
        self._say = say
        self._complete_s: float | None = None

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """Take note of what lies there; the referee sees an empty table."""
        before, now = self.registration, look_at(self.registration, seen)
        if now.backs != before.backs:
            self._keep(now.backs)  # where that fails, the card was not registered
        self.registration = now
        if now.count != before.count or (now.said is not before.said and now.said not in PAIRED | {CardShown.WAITING}):
            known = f"  ({25 - len(now.backs.missing)} of 25)" if now.said in PAIRED else ""
            self._say(registering_text(words("en"), now) + known)
        if now.backs.complete and not now.checking:
            if self._complete_s is None:
                self._complete_s = seen.t_s
            if seen.t_s - self._complete_s >= _ENOUGH_S:
                self._asked.append(Stop())
        else:
            self._complete_s = None
        return replace(seen, cards=(), backs=(), doubts=())

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """Nothing is judged: a press can only mean to go back to the game that waits."""
        if self._leaves and any(press.button in (Button.UNDO, Button.MENU) for press in presses):
            self._asked.append(Stop())
        return () if self._leaves else presses

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The words of registering in the place of the game's."""
        say = words(situation.language)
        return replace(
            situation,
            verdict=registering_verdict(say, self.registration),
            panel=registering_panel(say, self.registration, leaves=self._leaves),
            remedies=(),
        )
