"""The public part of a view: score, piste and verdict, never a hand or an unseen card."""

from __future__ import annotations

from typing import Any, Final

from display.view import AttackView, Pose, Tone, ViewModel
from display.words.sentences import side_name, words_for
from display.words.verdicts import step_text
from engine.record.course import Course

MAX_TURNS: Final = 4
_TOLD: Final = {Tone.LEGAL: "legal", Tone.READY: "ready", Tone.PAUSED: "ready", Tone.WON: "won"}


Turns = tuple[dict[str, str | None], ...]
"""Turns of a round in words, each with its ``side``."""


def last_turns(course: Course | None, view: ViewModel) -> Turns:
    """The last few turns of this round as they were ruled, the newest first, in the words of the screen."""
    if course is None:
        return ()
    say = words_for(view.language, view.match.names)
    told = []
    for step in reversed(course.round_steps[-MAX_TURNS:]):
        side = step.state.previous.to_act if step.state.previous is not None else None
        told.append({"text": step_text(say, step), "side": None if side is None else side.value})
    return tuple(told)


def public(view: ViewModel, turns: Turns = ()) -> dict[str, Any]:
    """The view as plain values for a scoreboard, everything in words in the language of the screen.

    ``turns``: the last ones of this round.

    Hands, counts of unseen cards and what the eyes read of a turn that is not ended stay here, during a round and
    after it. Source: engine/RULES.md ruling 11.
    """
    spaces = view.piste.fencers.map(lambda fencer: fencer.space if fencer.from_space is None else fencer.from_space)
    return {
        "language": view.language,
        "serial": view.serial,
        "names": {side.value: name for side, name in view.match.names.items()},
        "sides": {side.value: name for side, name in view.match.side_names.items()},
        "score": {side.value: points for side, points in view.match.score.items()},
        "points": view.match.points,
        "points_text": view.match.points_text,
        "history": [winner.value if winner is not None else None for winner in view.match.history],
        "round_text": view.match.round_text,
        "clock_s": view.match.clock_s,
        "to_act": view.piste.to_act.value if view.piste.to_act is not None else None,
        "turn_text": view.turn_text,
        "spaces": {side.value: space for side, space in spaces.items()},
        "distance": spaces.black - spaces.white,
        "distance_text": view.piste.distance_text,
        "pile": view.piles.pile,
        "pile_text": view.piles.pile_text,
        "poses": {
            side.value: (fencer.pose if fencer.from_space is None else Pose.GUARD).value
            for side, fencer in view.piste.fencers.items()
        },
        "attack": None if view.piste.attack is None else _attack(view.piste.attack),
        "turns": list(turns),
        "verdict": _verdict(view),
        "ending": None if view.ending is None else _ending(view),
        "preset_text": view.match.preset_text,
    }


def _attack(attack: AttackView) -> dict[str, str]:
    return {"by": attack.by.value, "text": attack.text, "cards": f"{attack.count} \u00d7 {attack.value}"}


def _verdict(view: ViewModel) -> dict[str, str]:
    """The verdict of a ruling. Others may name cards that go back into a hand: they say whose turn it is."""
    said = view.verdict
    if said.tone in _TOLD:
        return {"tone": _TOLD[said.tone], "tag": said.tag, "headline": said.headline}
    refused = said.tone is Tone.REFUSED
    say = words_for(view.language, view.match.names)
    turn = "" if view.piste.to_act is None else say.say("ready.turn", side=side_name(say, view.piste.to_act))
    return {"tone": said.tone.value if refused else "ready", "tag": said.tag if refused else "", "headline": turn}


def _ending(view: ViewModel) -> dict[str, Any]:
    assert view.ending is not None
    winner = view.ending.winner
    return {
        "winner": winner.value if winner is not None else None,
        "reason": view.ending.reason.value,
        "title": view.ending.title,
        "match_over": view.ending.match_over,
    }
