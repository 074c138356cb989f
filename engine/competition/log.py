"""The log of a competition: events judged one after the other, taken back, and replayed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from engine.competition.bouts import MAX_POINTS, CompetitionError, Score, Terms
from engine.competition.competition import Competition
from engine.competition.events import (
    CompetitionEvent,
    Corrected,
    Entered,
    FencedAgain,
    LeagueBegun,
    Left,
    Lost,
    LotsDrawn,
    MatchFenced,
    Opened,
    PoolsBegun,
    RoundPaired,
    SwissBegun,
    TableauBegun,
    TakenBack,
)
from engine.competition.pools import League, Pools, composed
from engine.competition.swiss import Swiss
from engine.competition.tableau import Tableau
from engine.rules.events import MAX_TIME_S

MAX_FENCERS: Final = 1024


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


def replay(events: Iterable[CompetitionEvent]) -> Log:
    """The log of these events. Raises CompetitionError that names the first that has no place."""
    log = Log()
    for number, event in enumerate(events, 1):
        try:
            log = log.and_then(event)
        except CompetitionError as error:
            raise CompetitionError(f"event {number}: {error}") from error
    return log


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
        if holds and not isinstance(event, TakenBack):
            try:
                now = _after(now, event)
            except CompetitionError as error:
                raise CompetitionError(
                    f"that cannot be taken back, event {number} ({event.what}) needs it: {error}"
                ) from error
    return now


def _after(now: Competition | None, event: CompetitionEvent) -> Competition | None:
    if isinstance(event, Lost):
        return now
    if isinstance(event, Opened):
        if now is not None:
            raise CompetitionError(f"{now.name} is open already: another competition has a log of its own")
        return Competition(event.name, _good(event.terms))
    if now is None:
        raise CompetitionError(f"the first event opens the competition, this one is {event.what}")
    match event:
        case Entered():
            return _entered(now, event)
        case Left(fencer):
            _here(now, fencer)
            between = not now.phases or now.over  # then the bouts fenced so far stand
            return replace(now, left={**now.left, fencer: len(now.phases) - (not between)}).checked()
        case PoolsBegun() | TableauBegun() | SwissBegun() | LeagueBegun():
            return _begun(now, event)
        case RoundPaired():
            return _paired(now)
        case MatchFenced():
            return _match(now, event)
        case Corrected(bout, at, first, second, first_won):
            scores = list(now.scores.get(bout, ()))
            if not 1 <= at <= len(scores):
                raise CompetitionError(f"bout {bout[:40]}: match {at} is to be corrected, there are {len(scores)}")
            scores[at - 1] = Score(first, second, first_won)
            return now.with_scores(bout, scores)
        case FencedAgain(bout):
            if bout not in now.scores:
                raise CompetitionError(f"bout {bout[:40]} has no score yet: it is still to be fenced")
            days = {name: each for name, each in now.days.items() if name != bout}
            return replace(now, days=days).with_scores(bout, ())  # a match that counted once counts never again
        case LotsDrawn(order):
            for fencer in order:
                _here(now, fencer)
            drawn = max(now.lots.values(), default=0)
            return replace(now, lots={**now.lots, **{name: drawn + at for at, name in enumerate(order, 1)}})
    raise CompetitionError(f"{event.what} has no place here")


def _good(terms: Terms) -> Terms:
    if not 1 <= terms.points <= MAX_POINTS or terms.best_of % 2 == 0 or not 1 <= terms.best_of <= 9:
        raise CompetitionError(f"a bout is fenced to 1 to {MAX_POINTS} points, best of 1, 3, 5, 7 or 9, not as {terms}")
    if terms.time_s is not None and not 1 <= terms.time_s <= MAX_TIME_S:
        raise CompetitionError(f"the time of a match is 1 to {MAX_TIME_S} seconds, not {terms.time_s}")
    return terms


def _here(now: Competition, fencer: str) -> None:
    if fencer not in now.fencers or fencer in now.left:
        raise CompetitionError(f"{fencer[:40]!r} is not among those who fence in {now.name}")


def _entered(now: Competition, event: Entered) -> Competition:
    new = event.fencer
    if not new.id or not new.name or new.id in now.fencers or len(now.fencers) >= MAX_FENCERS:
        raise CompetitionError(
            f"{new.name[:40]!r} ({new.id[:40]!r}) cannot enter: everybody has a name and an id of his own, and there "
            f"is room for {MAX_FENCERS}"
        )
    if new.handicap >= now.terms.points:
        raise CompetitionError(f"{new.name}: a handicap is less than the {now.terms.points} touches of a bout")
    with_new = replace(now, fencers={**now.fencers, new.id: new})
    if not now.phases:
        return with_new
    phase = now.phase
    if isinstance(phase, Tableau):
        raise CompetitionError(f"{new.name} comes too late: a tableau is closed once it is drawn")
    joined = replace(phase, fencers=(*phase.fencers, new.id)) if isinstance(phase, Swiss) else phase.joined(new.id)
    return replace(with_new, phases=(*now.phases[:-1], joined)).checked()


def _begun(now: Competition, event: PoolsBegun | TableauBegun | SwissBegun | LeagueBegun) -> Competition:
    if now.phases and not now.over:
        raise CompetitionError(f"{len(now.due())} bouts of this phase are still to be fenced before the next begins")
    ranked, number, terms = now.ranked_for_next(), len(now.phases) + 1, now.terms
    if len(ranked) < 2:
        raise CompetitionError(f"at least 2 are needed, {len(ranked)} entered")
    phase: Pools | Tableau | Swiss | League
    match event:
        case PoolsBegun(count):
            phase = Pools(number, composed(ranked, count), terms.best_of)
        case TableauBegun(cut, third, points, best_of):
            if cut is not None and cut < 2:
                raise CompetitionError(f"a tableau is of at least 2, not of {cut}")
            terms = _good(replace(terms, points=points or terms.points, best_of=best_of or terms.best_of))
            phase = Tableau(number, ranked[:cut], terms.best_of, third)
        case LeagueBegun(legs):
            if not 1 <= legs <= 4:
                raise CompetitionError(f"in a league each two meet 1 to 4 times, not {legs}")
            phase = League(number, ranked, legs, terms.best_of)
        case SwissBegun():
            phase = Swiss(number, ranked, (), terms.best_of)
    grown = replace(now, phases=(*now.phases, phase), phase_terms=(*now.phase_terms, terms))
    return _paired(grown) if isinstance(phase, Swiss) else grown


def _paired(now: Competition) -> Competition:
    phase = now.phase
    if not isinstance(phase, Swiss):
        raise CompetitionError("rounds are paired in Swiss rounds only")
    if now.due():
        raise CompetitionError(f"{len(now.due())} bouts of this round are still to be fenced before the next is paired")
    pairs = phase.next_round(now.fenced(), now.lots)
    if not any(second is not None for _, second in pairs):
        raise CompetitionError("fewer than two are left: no round can be paired")
    return replace(now, phases=(*now.phases[:-1], replace(phase, rounds=(*phase.rounds, pairs))))


def _open_bout(now: Competition, bout: str, match: str) -> None:
    if match and match in now.matches:
        raise CompetitionError(f"match {match[:40]} counts already, for bout {now.matches[match]}")
    if not now.bout(bout).due:
        raise CompetitionError(f"bout {bout} is not to be fenced: it is over, or nobody knows yet who fences it")


def _match(now: Competition, event: MatchFenced) -> Competition:
    _open_bout(now, event.bout, event.match)
    scores = (*now.scores.get(event.bout, ()), Score(event.first, event.second, event.first_won))
    matches = {**now.matches, event.match: event.bout} if event.match else now.matches
    days = {**now.days, event.bout: (*now.days.get(event.bout, ()), event.day)}
    return replace(now.with_scores(event.bout, scores), matches=matches, days=days)
