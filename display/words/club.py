"""What a table says between two matches of an evening: whom the hall calls to it, and who of them is there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from display.i18n import Words, words
from display.view import Mark, PanelLine, PanelView, Situation, Tone, VerdictView
from engine.rules.events import Limit
from engine.rules.track import BySide, Side


@dataclass(frozen=True, slots=True)
class Call:
    """A match that the hall wants here: who, to how many ``points``, and with which touches they begin.

    ``limit`` is how long, with the lot that was drawn for one of them; None: as long as it takes.
    """

    names: BySide[str]
    points: int
    ahead: BySide[int]
    limit: Limit | None = None


def called(situation: Situation, call: Call, here: Collection[Side]) -> Situation:
    """The situation with the question whether these two are there; ``here`` have said so."""
    say = words(situation.language)
    names = call.names
    lines = [PanelLine(say.say("club.call_detail", count=call.points))]
    if call.ahead != BySide(0, 0):
        both = {"one": names.white, "other": names.black}
        lines.append(PanelLine(say.say("club.call_ahead", white=call.ahead.white, black=call.ahead.black, **both)))
    if call.limit is not None:
        lines.append(PanelLine(_time_text(say, call.limit, names)))
    for side, name in names.items():
        key, mark = ("call_yes", Mark.GOOD) if side in here else ("call_press", Mark.NOW)
        lines.append(PanelLine(say.say(f"club.{key}", name=name), mark))
    question = say.say("club.call_question", one=names.white, other=names.black)
    hint = say.say("club.call_hint", undo=say.say("key.undo"))
    return replace(
        situation,
        names=names,
        helped=replace(
            situation.helped,
            panel=PanelView(say.say("club.call_title"), tuple(lines)),
            verdict=VerdictView(Tone.QUESTION, say.say("coach.tag"), question, hint=hint),
        ),
    )


def _time_text(say: Words, limit: Limit, names: BySide[str]) -> str:
    time = say.say("club.call_time", left=_lasting(say, limit.time_s))
    if limit.priority is None:
        return f"{time} {say.say('club.call_touch')}"
    key = "extra" if limit.extra_s else "lot"
    return f"{time} {say.say(f'club.call_{key}', name=names[limit.priority], left=_lasting(say, limit.extra_s))}"


def _lasting(say: Words, seconds: int) -> str:
    """``2 minutes 30 seconds``, in words: a voice reads 3:00 as an hour of the day."""
    parts = (("call_minutes", seconds // 60), ("call_seconds", seconds % 60))
    return " ".join(say.say(f"club.{key}", count=count) for key, count in parts if count)
