"""When the players are shown what keeps the eyes from seeing, and where in the camera's picture it is."""

from __future__ import annotations

from typing import Final

from display.spots import TroubleSpot
from engine.rules.state import Phase
from engine.table.desk import Desk
from engine.table.notes import NoteKind
from engine.table.observation import Sight, Why
from engine.table.sight import half_hidden, outshone
from vision.frame import Frame
from vision.look import Look

TOLD_AFTER_S: Final = 3.0
"""For how long the eyes may be unsteady before that is shown; where a press waits, or found no answer, at once."""
SET_UP_S: Final = 15.0
"""The same for hands and hidden tags while nobody is to act: there is much to be laid and put then."""
_OF_HANDS: Final = (Why.HAND, Why.TAG_HIDDEN)


def trouble_told(desk: Desk, look: Look, frame: Frame) -> tuple[TroubleSpot, ...] | None:
    """The places to be shown, none where nobody knows them; None while the players need not be shown anything."""
    seen = look.table
    if desk.state is not None and desk.state.phase is Phase.MATCH_OVER:
        return None
    playing = desk.comparing is not None or (desk.state is not None and desk.state.to_act is not None)
    asked = desk.note is not None and desk.note.kind in (NoteKind.CANNOT_SEE, NoteKind.CARD_HIDDEN)
    if seen.sight is Sight.STEADY:
        hidden = half_hidden(desk.opened_s, seen) if playing and desk.comparing is None else ()
        if asked and not hidden:
            hidden = outshone(desk.opened_s, seen)
        if not any(asked or seen.t_s - label.since_s >= TOLD_AFTER_S for label in hidden):
            return None
        return _spots(look, frame, (None, Why.GLARE))
    if desk.unseen is None:
        return None
    at_once = asked or desk.waiting is not None or desk.offer is not None
    patience_s = TOLD_AFTER_S if playing or seen.why not in _OF_HANDS else SET_UP_S
    if not at_once and seen.t_s - desk.unseen.since_s < patience_s:
        return None
    return _spots(look, frame, (seen.why, None))


def _spots(look: Look, frame: Frame, of: tuple[Why | None, ...]) -> tuple[TroubleSpot, ...]:
    """The troubles of these kinds, in shares of the picture."""
    height, width = frame.y.shape
    return tuple(
        TroubleSpot(
            trouble.why,
            tuple((x / width, y / height) for x, y in trouble.outline.tolist()),
            trouble.side,
            trouble.too_small,
            trouble.mirrored,
        )
        for trouble in look.detections.trouble
        if trouble.why in of and len(trouble.outline)
    )
