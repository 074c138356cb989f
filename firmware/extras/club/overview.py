"""The evening as whoever runs it needs it at hand: its last events by number, which bout is called where or waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.competition.bouts import Bout
from engine.competition.competition import Competition
from engine.competition.events import (
    CompetitionEvent,
    Corrected,
    Entered,
    FencedAgain,
    LeagueBegun,
    Left,
    LotsDrawn,
    MatchFenced,
    Opened,
    PoolsBegun,
    TableauBegun,
    TakenBack,
)
from engine.competition.log import holding
from firmware.extras.club.evening import Evening

MAX_EVENTS: Final = 25
MAX_WAITING: Final = 25
MAX_REASONS: Final = 5


def overview(evening: Evening, refusals: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Lines of plain English, as the desk's other answers are: the numbers are those that ``back`` takes.

    ``refusals``: how often what was not believed, by table.
    """
    return [*_evening(evening), *_not_believed(refusals)]


def _not_believed(refusals: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for table, reasons in sorted(refusals.items()):
        yield f"Not believed of piste {table}, {sum(reasons.values())} in all:"
        for why, count in sorted(reasons.items(), key=lambda each: -each[1])[:MAX_REASONS]:
            yield f"  {count} times: {why}"


def _evening(evening: Evening) -> list[str]:
    now, events = evening.now, evening.log.events
    if now is None:
        return ["Nothing is open yet: open NAME begins."]
    found = [now.name]
    if len(events) > MAX_EVENTS:
        found.append(f"  (the last {MAX_EVENTS} of {len(events)} events)")
    numbered = list(enumerate(zip(events, holding(events), strict=True), 1))
    for number, (event, holds) in numbered[-MAX_EVENTS:]:
        found.append(f"{number:>4}  {_told(event, now)}{'' if holds else '  (taken back)'}")
    placed = {bout: table for table, bout in evening.placed.items()}
    here = [f"  piste {placed[bout.id]}: {_pair(bout, now)}" for bout in now.due() if bout.id in placed]
    waiting = [f"  {_pair(bout, now)}" for bout in now.due() if bout.id not in placed]
    found += ["Called:", *here] if here else []
    if waiting:
        found += ["Waiting:", *waiting[:MAX_WAITING]]
    if len(waiting) > MAX_WAITING:
        found.append(f"  and {len(waiting) - MAX_WAITING} more")
    for group in now.level() if now.over else ():
        names = ", ".join(_name(each, now) for each in group)
        found.append(f"Level, lots are to be drawn among them before the next phase: {names}")
    if now.over:
        found.append("All of this phase is fenced.")
    return found


def _told(event: CompetitionEvent, now: Competition) -> str:
    match event:
        case Opened(name):
            return f"open {name}"
        case Entered(fencer):
            return f"enter {fencer.id} {fencer.name}"
        case Left(fencer, why):
            return f"left {_name(fencer, now)} {why}".rstrip()
        case PoolsBegun(count):
            return f"pools {count}"
        case TableauBegun(cut):
            return "tableau" if cut is None else f"tableau cut={cut}"
        case LeagueBegun(legs):
            return f"league {legs}"
        case MatchFenced(bout, first, second):
            return f"result {_bout(bout, now)} {first}:{second}{'' if event.match else ', from the desk'}"
        case Corrected(bout, at, first, second, _, why):
            return f"correct {_bout(bout, now)} match {at}: {first}:{second} {why}".rstrip()
        case FencedAgain(bout, why):
            return f"again {_bout(bout, now)} {why}".rstrip()
        case LotsDrawn(order):
            return f"lots {', '.join(_name(each, now) for each in order)}"
        case TakenBack(number):
            return f"back {number}"
    return event.what


def _bout(bout: str, now: Competition) -> str:
    found = now.by_name.get(bout)
    return bout if found is None else _pair(found, now)


def _pair(bout: Bout, now: Competition) -> str:
    return f"{bout.id} {_name(bout.first, now)} – {_name(bout.second, now)}"


def _name(fencer: str | None, now: Competition) -> str:
    found = now.fencers.get(fencer or "")
    return "?" if found is None else f"{found.name} ({found.id})"
