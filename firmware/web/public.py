"""What of a view may leave the machine: the score, the piste and the verdict, and never a hand or an unseen card."""

from __future__ import annotations

from typing import Any, Final

from display.view import Tone, ViewModel

_TOLD: Final = (Tone.LEGAL, Tone.READY, Tone.WON)


def public(view: ViewModel) -> dict[str, Any]:
    """The view as plain values for a scoreboard, everything in words in the language of the screen.

    Hands, counts of unseen cards and what the eyes read of a turn that is not ended stay here, during a round and
    after it. Source: engine/RULES.md ruling 11.
    """
    spaces = view.fencers.map(lambda fencer: fencer.space if fencer.from_space is None else fencer.from_space)
    return {
        "language": view.language,
        "serial": view.serial,
        "names": {side.value: name for side, name in view.names.items()},
        "sides": {side.value: name for side, name in view.side_names.items()},
        "score": {side.value: points for side, points in view.score.items()},
        "points": view.points,
        "points_text": view.points_text,
        "history": [winner.value if winner is not None else None for winner in view.history],
        "round_text": view.round_text,
        "to_act": view.to_act.value if view.to_act is not None else None,
        "turn_text": view.turn_text,
        "spaces": {side.value: space for side, space in spaces.items()},
        "distance": spaces.black - spaces.white,
        "distance_text": view.distance_text,
        "pile": view.pile,
        "pile_text": view.pile_text,
        "attack": None if view.attack is None else {"by": view.attack.by.value, "text": view.attack.text},
        "verdict": _verdict(view),
        "ending": None if view.ending is None else _ending(view),
        "preset_text": view.preset_text,
    }


def _verdict(view: ViewModel) -> dict[str, str]:
    """What was ruled. What is only seen so far, refused or asked about names cards that go back into a hand."""
    said = view.verdict
    if said.tone in _TOLD:
        return {"tone": said.tone.value, "tag": said.tag, "headline": said.headline}
    refused = said.tone is Tone.REFUSED
    return {"tone": said.tone.value if refused else "ready", "tag": said.tag if refused else "", "headline": ""}


def _ending(view: ViewModel) -> dict[str, Any]:
    assert view.ending is not None
    winner = view.ending.winner
    return {
        "winner": winner.value if winner is not None else None,
        "reason": view.ending.reason.value,
        "title": view.ending.title,
        "match_over": view.ending.match_over,
    }
