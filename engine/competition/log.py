"""The log of a competition: events judged one after the other, and taken back."""

from __future__ import annotations

from dataclasses import dataclass

from engine.competition.bouts import CompetitionError
from engine.competition.competition import Competition
from engine.competition.events import CompetitionEvent, Lost, Opened, TakenBack


@dataclass(frozen=True)
class Log:
    """All events in the order they were told, and the competition as it stands after those that hold."""

    events: tuple[CompetitionEvent, ...] = ()
    now: Competition | None = None

    def and_then(self, event: CompetitionEvent) -> Log:
        """The log with one event more. Raises CompetitionError where it has no place, with the log as it was."""
        events = (*self.events, event)
        if isinstance(event, TakenBack):
            return Log(events, _fold(events))
        return Log(events, _after(self.now, event))

    @property
    def standing(self) -> Competition:
        """The competition. Raises CompetitionError before it was opened."""
        if self.now is None:
            raise CompetitionError("the first event opens the competition, there is none yet")
        return self.now


def holding(events: tuple[CompetitionEvent, ...]) -> tuple[bool, ...]:
    """Whether each event holds; an event that takes another back may be taken back too."""
    holds = [True] * len(events)
    for at in reversed(range(len(events))):
        event = events[at]
        if isinstance(event, TakenBack) and holds[at]:
            if not 1 <= event.number <= at:
                raise CompetitionError(f"event {event.number} cannot be taken back: there are {at} before this one")
            holds[event.number - 1] = False
    return tuple(holds)


def _fold(events: tuple[CompetitionEvent, ...]) -> Competition | None:
    now: Competition | None = None
    for number, (event, holds) in enumerate(zip(events, holding(events), strict=True), 1):
        if holds:
            try:
                now = _after(now, event)
            except CompetitionError as error:
                raise CompetitionError(
                    f"that cannot be taken back, event {number} ({event.what}) needs it: {error}"
                ) from error
    return now


def _after(now: Competition | None, event: CompetitionEvent) -> Competition | None:
    match event:
        case Lost() | TakenBack():
            return now
        case Opened():
            return event.after(now)
    if now is None:
        raise CompetitionError(f"the first event opens the competition, this one is {event.what}")
    return event.after(now)
