"""Rules of the advanced lessons that an event of a match is an example of."""

from __future__ import annotations

from enum import Enum
from typing import Final

from engine.rules.events import RoundEvent
from engine.rules.rulings import ActionKind, Ruling
from engine.rules.state import AttackKind, Phase, PublicState, Reason, room_behind

NEARLY_EMPTY: Final = 2
"""With so few cards in the pile the next turn may draw the last one: an indirect attack draws two or more."""
CERTAIN: Final = 3
"""From so many cards on no attack can be parried, whatever was played: the classic lessons teach that."""


class Occasion(Enum):
    """A rule that a match gives an example of; the values are keys of the catalogue (``lessons.met``)."""

    INDIRECT = "indirect"  # an indirect attack waits for its answer
    RETREAT = "retreat"  # somebody retreated from an indirect attack
    STUCK = "stuck"  # somebody had no legal action, or said so, and lost the round
    NEARLY_EMPTY = "nearly_empty"  # the last card is about to be drawn, which ends the round
    DEFENCE = "defence"  # the last card was drawn with an attack: one defence, and nothing else
    LAST_RETREAT = "last_retreat"  # that attack was indirect, and there is room to retreat from it
    STARTER = "starter"  # the second round begins, with the other player
    PROVEN = "proven"  # the cards played prove that nobody could parry, and the touch was awarded at once

    @property
    def lesson(self) -> str:
        """The id of the lesson that teaches this rule."""
        return _LESSONS[self]


_LESSONS: Final = {
    Occasion.INDIRECT: "indirect",
    Occasion.RETREAT: "fall_back",
    Occasion.STUCK: "stuck",
    Occasion.NEARLY_EMPTY: "last_card",
    Occasion.DEFENCE: "final",
    Occasion.LAST_RETREAT: "last_retreat",
    Occasion.STARTER: "score",
    Occasion.PROVEN: "curious",
}


def occasions(ruling: Ruling, state: PublicState) -> tuple[Occasion, ...]:
    """The rules that this accepted ruling, which led to this state, is an example of; the most urgent first."""
    before = state.previous
    if not ruling.ok or before is None or state.phase is Phase.MATCH_OVER:  # then the match is what counts
        return ()
    if ruling.event == RoundEvent.name:
        return (Occasion.STARTER,) if state.round > 1 else ()
    if state.result is not None:
        if state.result.reason is Reason.NO_LEGAL_MOVE:
            return (Occasion.STUCK,)
        attacked = ruling.attack_count(len(state.played) - len(before.played))
        return (Occasion.PROVEN,) if 0 < attacked < CERTAIN else ()
    attack = state.attack
    found: list[Occasion] = []
    indirect = attack is not None and attack.kind is AttackKind.INDIRECT
    if state.phase is Phase.FINAL and state.to_act is not None:
        found.append(Occasion.DEFENCE)
        if indirect and room_behind(state.spaces, state.to_act):
            found.append(Occasion.LAST_RETREAT)
    elif state.phase is Phase.TURN:
        if before.attack is not None and ruling.action is ActionKind.RETREAT and ruling.parry is None:
            found.append(Occasion.RETREAT)
        if indirect:
            found.append(Occasion.INDIRECT)
        if state.pile <= NEARLY_EMPTY:
            found.append(Occasion.NEARLY_EMPTY)
    return tuple(found)
