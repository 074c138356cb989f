"""What a match that was fenced at a table means for a bout, and what follows where it is put right after it counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.competition.bouts import Bout, Score
from engine.competition.competition import Competition
from engine.competition.events import CompetitionEvent, Corrected, FencedAgain, MatchFenced, TakenBack
from engine.competition.log import Log, holding

MAX_OF_A_BOUT: Final = 40
"""Results of one bout that are taken by themselves, those taken back among them: a table that takes back without end
fills no log."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The event of the log with which a match counts, its ``number`` there, and the how manyth of its bout it is."""

    event: MatchFenced
    number: int
    at: int


def fenced_of(now: Competition, bout: Bout, event: Mapping[str, Any]) -> MatchFenced | None:
    """How a match of this bout ended; None where it is nobody's. ``event`` is its last, and of the two of that bout."""
    score = event["score"]
    winner = None if event["result"] is None else event["result"]["winner"]
    level = score["white"] == score["black"]
    first = "white" if now.fencers[bout.first or ""].name == event["names"]["white"] else "black"
    other = "black" if first == "white" else "white"
    if level and winner is None:
        return None  # a match of a competition is somebody's
    won = winner == first if level else score[first] > score[other]
    return MatchFenced(bout.id, score[first], score[other], won, event["match"])


def counted(log: Log, match: str) -> Counted | None:
    """With what this match counts now; None where it does not."""
    found: Counted | None = None
    at: dict[str, int] = {}
    for number, (event, holds) in enumerate(zip(log.events, holding(log.events), strict=True), 1):
        if not holds:
            continue
        if isinstance(event, FencedAgain):
            at[event.bout] = 0
            found = None if found is not None and found.event.bout == event.bout else found
        elif isinstance(event, MatchFenced):
            at[event.bout] = at.get(event.bout, 0) + 1
            if event.match == match:
                found = Counted(event, number, at[event.bout])
    return found


def put_right(log: Log, event: Mapping[str, Any]) -> tuple[CompetitionEvent, ...]:
    """What makes a match that counted stand as its table tells it now; nothing where it stands so."""
    now = log.now
    if now is None or event["match"] not in now.matches:
        return ()
    before = counted(log, event["match"])
    if before is None:
        return ()
    bout, back = now.bout(before.event.bout), TakenBack(before.number)
    after = fenced_of(now, bout, event) if event["phase"] == "match_over" else None
    if after is None:
        return (back,)
    score = Score(after.first, after.second, after.first_won)
    if bout.scores[before.at - 1] == score:
        return ()
    why = f"put right at table {event['table']}"
    return (Corrected(bout.id, before.at, after.first, after.second, after.first_won, why),)


def is_taken(log: Log, bout: str) -> bool:
    """Whether another result of this bout is taken by itself: not after too many."""
    return sum(isinstance(each, MatchFenced | Corrected) and each.bout == bout for each in log.events) < (MAX_OF_A_BOUT)
