"""The evening as whoever runs it needs it at hand: its last events by number, which bout is called where or waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Final

from engine.competition.bouts import Bout
from engine.competition.competition import Competition
from engine.competition.events import CompetitionEvent, MatchFenced
from engine.competition.log import holding
from firmware.extras.club.evening import Evening

MAX_EVENTS: Final = 25
MAX_WAITING: Final = 25
MAX_REASONS: Final = 5
_SENTENCES: Final[Mapping[str, str]] = {
    "opened": "open {name}",
    "entered": "enter {fencer.id} {fencer.name}",
    "left": "left {fencer} {why}",
    "pools": "pools {count}",
    "tableau": "tableau{cut}",
    "league": "league {legs}",
    "fenced": "result {bout} {first}:{second}",
    "corrected": "correct {bout} match {at}: {first}:{second} {why}",
    "again": "again {bout} {why}",
    "lots": "lots {order}",
    "taken_back": "back {number}",
}
"""An event as the desk would say it, by its members; one that has none is its name."""


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
    members = {each.name: getattr(event, each.name) for each in fields(event)}
    for name, value in members.items():
        match name, value:
            case "bout", str():
                members[name] = _bout(value, now)
            case "fencer", str():
                members[name] = _name(value, now)
            case "order", _:
                members[name] = ", ".join(_name(each, now) for each in value)
            case "cut", _:
                members[name] = "" if value is None else f" cut={value}"
    from_desk = isinstance(event, MatchFenced) and not event.match
    return _SENTENCES.get(event.what, event.what).format(**members).rstrip() + (", from the desk" if from_desk else "")


def _bout(bout: str, now: Competition) -> str:
    found = now.by_name.get(bout)
    return bout if found is None else _pair(found, now)


def _pair(bout: Bout, now: Competition) -> str:
    return f"{bout.id} {_name(bout.first, now)} – {_name(bout.second, now)}"


def _name(fencer: str | None, now: Competition) -> str:
    found = now.fencers.get(fencer or "")
    return "?" if found is None else f"{found.name} ({found.id})"
