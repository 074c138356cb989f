"""Whether a match can go like that: what a table tells next, against what it told before.

A hostile table can lie about its own match within these bounds and those of its words' shape (``firmware.club.shape``),
and about nothing else. What is not believed is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.rules.state import Reason
from firmware.club.telling import RESUMED

_SIDES: Final = ("white", "black")


def impossible(before: Mapping[str, Any] | None, event: Mapping[str, Any]) -> str:
    """Why no match can go from ``before`` (None: the beginning) to this, both as read; empty where one can."""
    score, kind = event["score"], event["kind"]
    over = max(score.values()) >= event["points"]
    if kind not in ("correct", "undo", "time") and over != (event["phase"] == "match_over"):
        return "the match is over and is not"
    if max(score.values()) > event["points"]:
        return "more touches than the match has"
    if before is None:
        begins = kind == RESUMED.event or (kind == "match" and score == {"white": 0, "black": 0})
        return "" if begins else "it does not begin with a match"
    if kind in ("match", RESUMED.event):
        return "a match begins once"
    terms = ("rules", "bout") if kind in ("time", "undo") else ("rules", "points", "bout")  # see _by_time
    if [event.get(name) for name in terms] != [before.get(name) for name in terms]:
        return "its terms change in the middle"
    if kind in ("correct", "undo"):  # people may put right anything, and it stays told
        return ""
    gained = sum(score.values()) - sum(before["score"].values())
    if gained not in (0, 1) or any(score[side] < before["score"][side] for side in _SIDES):
        return "touches come from nowhere"
    if gained and (event["result"] is None or event["result"]["winner"] is None):
        return "a touch without a round that is won"
    if event["round"] != before["round"] + (kind == "round"):
        return "rounds are left out"
    if before["phase"] == "match_over":
        return "it goes on after its end"
    if kind == "time" and (gained or not _by_time(before, event)):
        return "time does not end it so"
    return "" if kind == "round" or event["pile"] <= before["pile"] else "the pile grows"


def _by_time(before: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Whether time can have been called so: the match over, or one more touch to be played where it is level."""
    (low, high), result = sorted(event["score"].values()), event["result"]
    if event["phase"] == "match_over":
        ahead = "white" if event["score"]["white"] == high else "black"
        drawn = {"winner": None, "reason": Reason.TIME.value}
        level = low == high and result is not None and (result["reason"] == Reason.PRIORITY.value or result == drawn)
        timed = low < high and result == {"winner": ahead, "reason": Reason.TIME.value}
        return bool(event["points"] == before["points"] and (level or timed))
    return bool(low == high and event["points"] == low + 1 <= before["points"] and event["phase"] == before["phase"])
