"""A round told again, as words beside the piste: what was done in each turn, and what decided the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from display.i18n import Words
from display.view import Helped, Mark, PanelLine, PanelView, Situation, TableSituation, Tone, VerdictView
from display.words.sentences import capital, side_name, words_for
from display.words.verdicts import step_text
from engine.record.corrections import Setting
from engine.record.course import CourseStep
from engine.record.retelling import Highlight, HighlightKind, RetoldPage
from engine.rules.cards import Card
from engine.rules.events import RevealEvent, TurnEvent, YieldEvent
from engine.rules.track import BySide
from engine.table.observation import FigureReading

_MARKS: Final = {
    HighlightKind.SURE: Mark.GOOD,
    HighlightKind.PARRY_SPENT: Mark.BAD,
    HighlightKind.LAST_CARD: Mark.NOW,
    HighlightKind.LAST_DEFENCE: Mark.NOW,
}


def retold_panel(say: Words, page: RetoldPage) -> PanelView:
    """One page of the retelling: the turn in words, the new distance, and what is worth telling of the turn."""
    step = page.step
    entry = step.entry
    cards: tuple[Card, ...] = entry.cards if isinstance(entry, TurnEvent | YieldEvent) else ()
    lines = [PanelLine(_done(say, step), cards=cards), *_after(say, page)]
    lines += [PanelLine(moment_text(say, moment), _mark(moment)) for moment in page.moments]
    title = say.say("retold.deciding" if page.decided else "retold.title", round=step.state.round)
    return PanelView(title, tuple(lines), f"{page.number} / {page.of}")


def _done(say: Words, step: CourseStep) -> str:
    if isinstance(step.entry, RevealEvent):
        return say.say("retold.hands")
    if isinstance(step.entry, Setting):
        return say.say("retold.corrected")
    return f"{step_text(say, step)}."


def _after(say: Words, page: RetoldPage) -> list[PanelLine]:
    """How the turn changed the table; both hands where they were shown."""
    step = page.step
    if isinstance(step.entry, RevealEvent):
        hands = BySide(step.entry.white, step.entry.black)
        return [
            PanelLine(say.say("retold.showed", side=side_name(say, side)), cards=hand) for side, hand in hands.items()
        ]
    before = step.state.previous
    if before is None or not isinstance(step.entry, TurnEvent):
        return []
    told = []
    if before.distance != step.state.distance:
        told.append(say.say("retold.distance", before=before.distance, after=step.state.distance))
    if before.pile != step.state.pile > 0:
        told.append(capital(say, "retold.pile", count=step.state.pile))
    return [PanelLine(" ".join(told))] if told else []


def _mark(moment: Highlight) -> Mark:
    if moment.kind is HighlightKind.TOUCH_PROVEN:
        return Mark.PLAIN if _is_luck(moment) else Mark.BAD
    return _MARKS.get(moment.kind, Mark.PLAIN)


def _is_luck(moment: Highlight) -> bool:
    return moment.kind is HighlightKind.TOUCH_PROVEN and moment.count <= moment.left


def moment_text(say: Words, moment: Highlight) -> str:
    """What is worth telling of a turn, in a sentence."""
    key = "retold.touch_luck" if _is_luck(moment) else f"retold.{moment.kind.value}"
    if moment.kind is HighlightKind.POSITION:
        key = "retold.position" if moment.side is not None else "retold.position_level"
    other = side_name(say, moment.side.other) if moment.side is not None else ""
    return capital(
        say,
        key,
        side=side_name(say, moment.side),
        other=other,
        value=moment.value,
        count=moment.count,
        left=moment.left,
        turn=moment.turn,
        white=moment.white,
        black=moment.black,
    )


def retold_situation(page: RetoldPage, now: Situation) -> Situation:
    """The table as it stood after this turn, with what is told of it, instead of ``now``. No sound is made anew."""
    say = words_for(now.language, now.names)
    step = page.step
    entry = step.entry
    hint = say.say("retold.keys", undo=say.say("key.undo"))
    seen = now.table.observation
    if seen is not None:  # the fencers are drawn where they stood then
        seen = replace(seen, figures=step.state.spaces.map(FigureReading), cards=())
    return Situation(
        step.state,
        step.ruling,
        verdict_age_s=now.verdict_age_s,
        verdicts=now.verdicts,
        table=TableSituation(observation=seen),
        names=now.names,
        language=now.language,
        revealed=BySide(entry.white, entry.black) if isinstance(entry, RevealEvent) else None,
        mode=now.mode,
        helped=Helped(
            panel=retold_panel(say, page),
            retold=True,
            verdict=VerdictView(Tone.READY, say.say("retold.tag"), _done(say, step), hint=hint),
        ),
    )


def retold_lines(pages: Sequence[RetoldPage], language: str, names: BySide[str]) -> tuple[str, ...]:
    """The whole round as lines of text, where there is no screen: a number, what was done, below it the rest."""
    say = words_for(language, names)
    told: list[str] = []
    for page in pages:
        first, *more = retold_panel(say, page).lines
        told.append(f"{page.number:3}. {_named(first)}")
        told += [f"     {_named(line)}" for line in more]
    return tuple(told)


def _named(line: PanelLine) -> str:
    cards = f" [{' '.join(str(card) for card in line.cards)}]" if line.cards else ""
    return f"{line.text}{cards}"
