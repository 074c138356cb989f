"""Which way the camera is to be turned, in words: shown with its picture, and spoken."""

from __future__ import annotations

from display.i18n import Words
from display.trouble import TroubleView
from display.view import Situation, Tone, VerdictView
from display.words.comparison import verdict
from engine.table.aim import Aim


def aim_text(words: Words, aim: Aim) -> str:
    """What is to be done with the camera, in one sentence."""
    if aim.turn is not None:
        return words.say(f"aim.{aim.turn.value}")
    return words.say("aim.hidden" if aim.seen else "aim.nothing")


def aim_view(words: Words, situation: Situation) -> TroubleView | None:
    """The camera's picture with what is to be done; None while nobody aims."""
    aim = situation.aim
    if aim is None:
        return None
    return TroubleView(None, words.say("aim.count", seen=aim.seen, of=aim.of), aim_text(words, aim), ())


def aim_verdict(words: Words, situation: Situation) -> VerdictView | None:
    """The same in the verdict band, and how to go on all the same; None while nobody aims."""
    aim = situation.aim
    if aim is None:
        return None
    count, hint = words.say("aim.count", seen=aim.seen, of=aim.of), words.say("aim.go_on")
    return verdict(words, Tone.UNSEEN, aim_text(words, aim), count, hint)
