"""The facts that each code of a refusal carries."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.rules.rulings import RulingCode

FACTS: Final[Mapping[RulingCode, tuple[str, ...]]] = MappingProxyType(
    {
        RulingCode.BAD_EVENT: ("problem",),
        RulingCode.NOT_NOW: ("event", "phase"),
        RulingCode.UNKNOWN_CARD: ("card",),
        RulingCode.REPEATED_CARD: ("card",),
        RulingCode.CARD_ALREADY_PLAYED: ("card",),
        RulingCode.NO_CARDS: ("side",),
        RulingCode.HAND_EXCEEDED: ("side", "expected", "found"),
        RulingCode.HAND_SIZE: ("side", "expected", "found", "missing"),
        RulingCode.OPPONENT_MOVED: ("side", "expected", "found"),
        RulingCode.OFF_TRACK: ("side", "found"),
        RulingCode.PASSED_OPPONENT: ("side", "found", "opponent"),
        RulingCode.WRONG_DISTANCE: ("side", "expected", "found"),
        RulingCode.ATTACK_VALUE: ("side", "expected", "found"),
        RulingCode.MIXED_VALUES: ("side", "expected", "found"),
        RulingCode.ATTACK_AFTER_RETREAT: ("side", "found"),
        RulingCode.TOO_MANY_CARDS: ("side", "expected", "found"),
        RulingCode.INDIRECT_NOT_ALLOWED: ("side", "rules"),
        RulingCode.MUST_PARRY: ("side", "value", "count", "found"),
        RulingCode.MUST_ANSWER: ("side", "value", "count", "found"),
        RulingCode.NO_ACTION_AFTER_PARRY: ("side", "value", "count"),
        RulingCode.FINAL_PARRY_ONLY: ("side", "value", "count"),
    }
)
"""The facts each code always carries: what a sentence about it may name.

``side`` is ``white`` or ``black``: who acted (for ``opponent_moved``: whose figure moved; for ``hand_size``: whose
hand). ``expected`` and ``found`` are numbers: cards, spaces, values or the distance, as the code says; for
``wrong_distance`` ``expected`` lists the values of the cards that could be the move and ``found`` is the number of
spaces moved; for ``mixed_values`` ``found`` lists the values, for ``attack_after_retreat`` the extra cards' names.
``missing`` lists the cards (names) that are neither played nor shown. ``phase`` is the phase's public name, or
``no_match``.
"""
