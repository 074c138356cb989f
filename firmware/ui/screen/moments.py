"""Pictures of the moments of a match that matter, on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.record.corrections import Correction
from engine.rules.events import MatchEvent, TimeEvent, UndoEvent
from engine.rules.rulings import ActionKind
from engine.rules.state import Phase
from firmware.core.io.files import make_folder
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part

MAX_OF_A_KIND: Final = 2
"""Pictures of each kind of moment, the endings apart: of those all are kept."""

DrawMoment = Callable[[Moment, Path], None]


def kind_of(moment: Moment) -> str | None:
    """What kind of moment this is, named for a file; None where nothing fell.

    A preview counts as one: an open turn on which the screen already says what it sees.
    """
    if not moment.entries:
        turn_seen = moment.view.piste.distance_pending and moment.view.verdict.hint and moment.view.eyes.why is None
        return "open-turn" if turn_seen else None
    entry = moment.entries[-1]
    ruling, state = entry.ruling, entry.state
    if not ruling.ok:
        return f"refused-{ruling.code.value}" if ruling.code else "refused"
    if state is None or isinstance(entry.event, MatchEvent):
        return None
    if isinstance(entry.event, UndoEvent):
        return "undo"
    if isinstance(entry.event, Correction):
        return "correction"
    if isinstance(entry.event, TimeEvent) and state.phase is not Phase.MATCH_OVER:
        return "time"
    if state.phase is Phase.MATCH_OVER:
        return "match-over"
    if state.result is not None:
        return f"round-over-{state.result.reason.value}"
    if state.phase is Phase.REVEAL:
        return "reveal"
    if state.phase is Phase.FINAL:
        return "final-defence"
    if ruling.parry is not None:
        return "parry"
    kind = ruling.action
    return "round" if kind is None else _ACTIONS[kind]


_ACTIONS: Final = {
    ActionKind.ADVANCE: "advance",
    ActionKind.RETREAT: "retreat",
    ActionKind.DIRECT_ATTACK: "direct-attack",
    ActionKind.INDIRECT_ATTACK: "indirect-attack",
}
_ENDINGS: Final = ("round-over", "match-over", "final", "reveal")


class MomentWriter:
    """Has pictures made of the moments that matter: ``012-refused-wrong_distance.png``, numbered as they fell."""

    part: Final = Part.PICTURES

    def __init__(self, folder: Path, draw: DrawMoment) -> None:
        """``draw`` puts a picture of a moment into a file; an earlier run's pictures in the folder make way.

        Raises OSError where the folder cannot be made or cleared of them.
        """
        make_folder(folder)
        for earlier in folder.glob("[0-9][0-9][0-9]-*.png"):
            earlier.unlink()
        self._folder = folder
        self._draw = draw
        self._counts: dict[str, int] = {}
        self.written = 0

    def attend(self, moment: Moment) -> None:
        """Draw this moment if there are not enough pictures of its kind."""
        kind = kind_of(moment)
        if kind is None:
            return
        count = self._counts.get(kind, 0)
        if count >= MAX_OF_A_KIND and not kind.startswith(_ENDINGS):
            return
        self._counts[kind] = count + 1
        self.written += 1
        self._draw(moment, self._folder / f"{self.written:03}-{kind}.png")
