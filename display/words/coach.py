"""The coach's own words: the question whether both agree, and what came of it."""

from __future__ import annotations

from dataclasses import replace

from display.view import Mark, PanelLine, PanelView, Situation, Tone, VerdictView
from display.words.sentences import side_name, words_for
from engine.rules.track import Side


def questioned(situation: Situation, mode: str, agreed: Side | None) -> Situation:
    """The situation with the question whether both want ``mode`` (``hints`` or ``open``); ``agreed`` has said yes."""
    say = words_for(situation.language, situation.names)
    undo = say.say("key.undo")
    hint = say.say("coach.agree", undo=undo)
    if agreed is not None:
        hint = say.say("coach.waits", side=side_name(say, agreed), opponent=side_name(say, agreed.other), undo=undo)
    question, detail = say.say(f"coach.{mode}_question"), say.say(f"coach.{mode}_detail")
    marks = {side: Mark.GOOD if side is agreed else Mark.NOW for side in Side}
    lines = (
        PanelLine(detail),
        *(
            PanelLine(say.say("coach.yes" if side is agreed else "coach.press", side=side_name(say, side)), marks[side])
            for side in Side
        ),
    )
    return replace(
        situation,
        panel=PanelView(say.say(f"coach.{mode}_title"), lines),
        verdict=VerdictView(Tone.QUESTION, say.say("coach.tag"), question, hint=hint),
    )


def noticed(situation: Situation, key: str) -> Situation:
    """The situation with a word on what was agreed to, or ended (a key of the catalogue's table ``coach``)."""
    say = words_for(situation.language, situation.names)
    tone = Tone.LEGAL if key.startswith("on_") else Tone.READY
    return replace(situation, verdict=VerdictView(tone, say.say(f"tone.{tone.value}"), say.say(f"coach.{key}")))
