"""What the verdict band says of corrections, and while the table is compared with the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from display.i18n import Words
from display.view import Situation, Tone, VerdictView
from display.words.sentences import eyes_reason, figure_problem, listed, refusal, side_name
from engine.record.course import Fallen
from engine.table.comparison import Comparing, Difference

MUCH: Final = 3
"""So many sentences are too long to be read at a glance."""


def verdict(words: Words, tone: Tone, headline: str, detail: str = "", hint: str = "", *, tag: str = "") -> VerdictView:
    """A verdict band; its tag is the word for its tone, or the one under the key ``tag``."""
    return VerdictView(tone, words.say(tag or f"tone.{tone.value}"), headline, detail, hint)


def comparison_view(words: Words, situation: Situation, comparing: Comparing) -> VerdictView:
    """What differs between table and record, and which button says which of them is right."""
    difference, seen = comparing.difference, situation.table.observation
    if not difference:
        why = eyes_reason(words, seen.why, seen.why_side) if seen is not None and seen.why is not None else ""
        return verdict(words, Tone.UNSEEN, words.say("compare.looking"), why, words.say("compare.looking_hint"))
    detail = difference_text(words, difference)
    if comparing.rebuilding:
        hint = words.say("compare.rebuild_hint")
        return verdict(words, Tone.REFUSED, words.say("compare.rebuild"), detail, hint, tag="compare.tag")
    if situation.table.waiting:
        return verdict(words, Tone.UNSEEN, words.say("hint.waiting"), detail)
    if comparing.insisted_s is not None:
        hint = words.say("compare.put_back_hint")
        return verdict(words, Tone.REFUSED, words.say("compare.put_back"), detail, hint, tag="compare.tag")
    hint = words.say("compare.which")
    return verdict(words, Tone.QUESTION, words.say("compare.differs"), detail, hint, tag="compare.tag")


def difference_text(words: Words, difference: Difference) -> str:
    """Every figure that stands elsewhere and every card the record does not know, by name; many in short."""
    figures = sum(space is not None for _, space in difference.figures.items())
    brief = "_brief" if figures + bool(difference.cards) + (difference.unreadable is not None) >= MUCH else ""
    said = [
        words.say(
            f"compare.figure{brief}", side=side_name(words, side), recorded=difference.recorded[side], found=space
        )
        for side, space in difference.figures.items()
        if space is not None
    ]
    if difference.cards:
        count = len(difference.cards)
        said.append(words.say(f"compare.cards{brief}", count=count, cards=listed(words, difference.cards, "and")))
    if difference.unreadable is not None:
        said.append(figure_problem(words, difference.unreadable.side, difference.unreadable.problem) + ".")
    return " ".join(said)


def fallen_text(words: Words, fallen: Sequence[Fallen]) -> str:
    """How many turns no longer hold after a correction, and why the first does not."""
    if not fallen:
        return words.say("corrected.all_hold")
    said = words.say("corrected.fallen", count=len(fallen), turn=fallen[0].turn)
    why = refusal(words, fallen[0].ruling) if fallen[0].ruling is not None else ""
    return f"{said} {why}".strip()
