"""The three presets, as data. Source: RULES.md, "Presets"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The differences between presets; everything else is the same game.

    ``compare_hands_after_final_retreat``: hands decide before position when the last indirect attack was retreated
    from. ``shows_unseen_counts``: everybody may be shown how many cards of each value are unseen (ruling 11).
    ``source``: short name of the rule text the preset follows.
    """

    name: str
    indirect_attacks: bool
    compare_hands_after_final_retreat: bool
    shows_unseen_counts: bool
    source: str


FERTI_CLASSIC: Final = RuleSet("ferti-classic", False, True, False, "FERTI-FR")
FERTI_ADVANCED: Final = RuleSet("ferti-advanced", True, True, False, "FERTI-FR")
BRETTSPIELNETZ: Final = RuleSet("brettspielnetz", True, False, True, "BSN-DE")

RULE_SETS: Final[dict[str, RuleSet]] = {rules.name: rules for rules in (FERTI_CLASSIC, FERTI_ADVANCED, BRETTSPIELNETZ)}
DEFAULT_RULES: Final = FERTI_ADVANCED
DEFAULT_POINTS: Final = 5
