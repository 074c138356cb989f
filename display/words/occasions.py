"""A rule that a match gives the first example of, explained beside the game."""

from __future__ import annotations

from display.i18n import Words
from display.view import PanelLine, PanelView
from display.words.lessons import lesson_title
from display.words.sentences import side_name
from engine.lessons.occasions import Occasion
from engine.rules.state import PublicState


def occasion_panel(words: Words, occasion: Occasion, state: PublicState) -> PanelView:
    """What this state is the first example of: the lesson's title and one sentence, with the players' names."""
    acts = state.to_act
    if state.result is not None and state.result.winner is not None:
        acts = state.result.winner.other
    facts = {"side": side_name(words, acts), "opponent": side_name(words, acts.other if acts is not None else None)}
    sentence = words.say(f"lessons.met.{occasion.value}", **facts)
    title = words.say("lessons.met.title", title=lesson_title(words, occasion.lesson))
    return PanelView(title, (PanelLine(sentence),))
