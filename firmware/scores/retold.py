"""A round of a match in the scorebook told again, as text."""

from __future__ import annotations

from display.i18n import words
from display.words.retelling import retold_lines
from engine.record.retelling import finished_rounds, retell
from firmware.errors import EngardeError
from firmware.scorebook.book import Played


def retold(played: Played, number: int | None, language: str) -> str:
    """The round of this number (None: the last that is over), with a heading, in this language.

    Raises EngardeError where the match has no such round, or none that is over.
    """
    rounds = finished_rounds(played.course)
    told = {steps[-1].state.round: steps for steps in rounds}
    match = f"match {played.match.id}"
    if not told:
        raise EngardeError(f"{match} has no round that is over, so there is none to tell again.")
    wanted = max(told) if number is None else number
    if wanted not in told:
        raise EngardeError(f"{match} has no round {wanted} that is over: its rounds are 1 to {max(told)}.")
    steps = told[wanted]
    names, score = played.match.names, steps[-1].state.score
    say = words(language)
    heading = f"{say.say('retold.title', round=wanted)}: {names.white} {score.white}:{score.black} {names.black}"
    return "\n".join((heading, *retold_lines(retell(steps), language, names)))
