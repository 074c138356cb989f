"""Hints in a real game as words beside it: what the distance means and what can still be answered, for both players."""

from __future__ import annotations

from collections.abc import Sequence

from display.i18n import Words
from display.view import Mark, PanelLine, PanelView
from display.words.chances import short_chance
from display.words.sentences import capital, listed, side_name
from engine.chances.hints import Defence, PublicHints, Reach
from engine.rules.cards import VALUES
from engine.rules.legal import Counts
from engine.rules.state import AttackKind


def hints_panel(say: Words, told: PublicHints) -> PanelView:
    """All that can be said of this position to both players."""
    if told.defence is not None:
        lines = _defence(say, told, told.defence)
    else:
        lines = [PanelLine(_distance(say, told))]
        if told.attack is not None and told.reach is not Reach.AWAY:
            chance = short_chance(say, told.attack)
            lines.append(PanelLine(say.say("hints.attack", side=side_name(say, told.side), chance=chance)))
        if told.closing:
            values = listed(say, told.closing, "or")
            lines.append(PanelLine(say.say("hints.closing", values=values)))
    if told.few:
        lines.append(PanelLine(capital(say, "hints.few", count=told.pile), Mark.NOW))
    lines.append(PanelLine(say.say("hints.unseen", counts=counts_text(say, told.unseen))))
    return PanelView(say.say("hints.title"), tuple(lines))


def counts_text(say: Words, counts: Counts) -> str:
    """How many cards of each value, those of the value 1 first: ``five 1s, a 2 and three 4s``."""
    held = [(value, count) for value, count in zip(VALUES, counts, strict=True) if count]
    return listed(say, [say.say("open.card", value=value, count=count) for value, count in held], "and")


def _distance(say: Words, told: PublicHints) -> str:
    steps = listed(say, [f"{step} + {value}" for step, value in told.steps], "or")
    key = f"hints.{told.reach.value}"
    if told.reach is Reach.DIRECT and told.steps:
        key += "_steps"
    return say.say(key, distance=told.distance, farthest=told.farthest, steps=steps)


def _defence(say: Words, told: PublicHints, defence: Defence) -> list[PanelLine]:
    """The attack that waits: who can still parry it, and whether a retreat is left."""
    attack, side = defence.attack, side_name(say, told.side)
    parries = say.say("hints.parry", count=attack.count, value=attack.value, side=side, unseen=defence.unseen)
    lines = [PanelLine(parries)]
    mark = Mark.BAD if defence.parry == 0 else Mark.PLAIN
    key = "hints.parry_impossible" if defence.parry == 0 else "hints.parry_chance"
    chance = short_chance(say, defence.parry)
    lines.append(PanelLine(say.say(key, side=side, chance=chance, value=attack.value), mark))
    if defence.retreat is not None:
        retreat = short_chance(say, defence.retreat)
        lines.append(PanelLine(say.say("hints.retreat", side=side, chance=retreat)))
        lines.append(PanelLine(say.say("hints.answer", chance=short_chance(say, defence.answer))))
    else:
        key = "hints.no_retreat" if attack.kind is AttackKind.DIRECT else "hints.no_room"
        lines.append(PanelLine(say.say(key, side=side)))
    if defence.last:
        lines.append(PanelLine(say.say("hints.last_defence"), Mark.NOW))
    return lines


def joined(texts: Sequence[str]) -> str:
    """Sentences one after the other."""
    return " ".join(text for text in texts if text)
