"""The events of a competition: as values, as JSON, what each makes of the competition, and the log of them.

Another event corrects a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from engine.competition.bouts import MAX_POINTS, CompetitionError, Entrant, Score, Terms
from engine.competition.competition import Competition, CompetitionPhase
from engine.competition.phases import League, Pools, Swiss, Tableau, composed
from engine.rules.events import MAX_TIME_S
from engine.strict.text import MalformedError, shown
from engine.strict.values import LINE, Length, Range, did_you_mean, plain, read

Text: TypeAlias = Annotated[str, Length(0, 200), LINE]
Number: TypeAlias = Annotated[int, Range(0, 10**6 - 1)]
PLAIN: Final = Terms()
MAX_FENCERS: Final = 1024
_OF_RELAYS: Final[Mapping[str, object]] = {"relay": False, "members": []}
"""Members that logs have from before version 2, which had team relays, with what they are where there is none."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The competition begins: always the first event, and only once."""

    what: ClassVar[str] = "opened"
    name: Text
    terms: Terms = PLAIN

    def after(self, now: Competition | None) -> Competition:
        if now is not None:
            raise CompetitionError(f"{now.name} is open already: another competition has a log of its own")
        return Competition(self.name, _good(self.terms))


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry; a late one joins the phase being fenced where that is possible."""

    what: ClassVar[str] = "entered"
    fencer: Entrant

    def after(self, now: Competition) -> Competition:
        new = self.fencer
        if not new.id or not new.name or new.id in now.fencers or len(now.fencers) >= MAX_FENCERS:
            raise CompetitionError(
                f"{new.name[:40]!r} ({new.id[:40]!r}) cannot enter: everybody has a name and an id of their own, and "
                f"there is room for {MAX_FENCERS}"
            )
        if new.handicap >= now.terms.points:
            raise CompetitionError(f"{new.name}: a handicap is less than the {now.terms.points} touches of a bout")
        with_new = replace(now, fencers={**now.fencers, new.id: new})
        if not now.phases:
            return with_new
        if isinstance(now.phase, Tableau):
            raise CompetitionError(f"{new.name} comes too late: a tableau is closed once it is drawn")
        return replace(with_new, phases=(*now.phases[:-1], now.phase.joined(new.id))).checked()


@dataclass(frozen=True, slots=True)
class Left:
    """A withdrawal. In pools none of the fencer's bouts count; in a tableau the next opponent goes on."""

    what: ClassVar[str] = "left"
    fencer: Text
    why: Text = ""

    def after(self, now: Competition) -> Competition:
        _expect_here(now, self.fencer)
        between = not now.phases or now.over  # then the bouts fenced so far stand
        return replace(now, left={**now.left, self.fencer: len(now.phases) - (not between)}).checked()


@dataclass(frozen=True, slots=True)
class PoolsBegun:
    """``count`` pools are dealt from the ranking."""

    what: ClassVar[str] = "pools"
    count: Number = 1

    def after(self, now: Competition) -> Competition:
        ranked = _ranked(now)
        return _begun(now, Pools(len(now.phases) + 1, composed(ranked, self.count), now.terms.best_of))


@dataclass(frozen=True, slots=True)
class TableauBegun:
    """The first ``cut`` of the ranking (all, where it is None) fence for the victory."""

    what: ClassVar[str] = "tableau"
    cut: Number | None = None
    third: bool = False
    points: Number | None = None
    best_of: Number | None = None

    def after(self, now: Competition) -> Competition:
        ranked, terms = _ranked(now), now.terms
        if self.cut is not None and self.cut < 2:
            raise CompetitionError(f"a tableau is of at least 2, not of {self.cut}")
        terms = replace(terms, points=self.points or terms.points, best_of=self.best_of or terms.best_of)
        phase = Tableau(len(now.phases) + 1, ranked[: self.cut], _good(terms).best_of, self.third)
        return _begun(now, phase, terms)


@dataclass(frozen=True, slots=True)
class SwissBegun:
    """Swiss rounds begin, with the first of them paired."""

    what: ClassVar[str] = "swiss"

    def after(self, now: Competition) -> Competition:
        return _paired(_begun(now, Swiss(len(now.phases) + 1, _ranked(now), (), now.terms.best_of)))


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The next Swiss round is paired."""

    what: ClassVar[str] = "round"

    def after(self, now: Competition) -> Competition:
        return _paired(now)


@dataclass(frozen=True, slots=True)
class LeagueBegun:
    """Everybody meets everybody, ``legs`` times."""

    what: ClassVar[str] = "league"
    legs: Number = 1

    def after(self, now: Competition) -> Competition:
        ranked = _ranked(now)
        if not 1 <= self.legs <= 4:
            raise CompetitionError(f"in a league each two meet 1 to 4 times, not {self.legs}")
        return _begun(now, League(len(now.phases) + 1, ranked, self.legs, now.terms.best_of))


@dataclass(frozen=True, slots=True)
class MatchFenced:
    """One match of a bout is over. ``match`` is its name in the scorebook: one match counts once.

    ``day``, as 2026-11-24, is for people; empty where nobody knew it.
    """

    what: ClassVar[str] = "fenced"
    bout: Text
    first: Number
    second: Number
    first_won: bool
    match: Text = ""
    day: Text = ""

    def after(self, now: Competition) -> Competition:
        bout, match = self.bout, self.match
        if match and match in now.matches:
            raise CompetitionError(f"match {match[:40]} counts already, for bout {now.matches[match]}")
        if not now.bout(bout).due:
            raise CompetitionError(f"bout {bout} is not to be fenced: it is over, or nobody knows yet who fences it")
        scores = (*now.scores.get(bout, ()), Score(self.first, self.second, self.first_won))
        matches = {**now.matches, match: bout} if match else now.matches
        days = {**now.days, bout: (*now.days.get(bout, ()), self.day)}
        return replace(now.with_scores(bout, scores), matches=matches, days=days)


@dataclass(frozen=True, slots=True)
class Corrected:
    """The ``at``-th match of a bout (from 1) really ended like this."""

    what: ClassVar[str] = "corrected"
    bout: Text
    at: Number
    first: Number
    second: Number
    first_won: bool
    why: Text = ""

    def after(self, now: Competition) -> Competition:
        scores = list(now.scores.get(self.bout, ()))
        if not 1 <= self.at <= len(scores):
            raise CompetitionError(
                f"bout {self.bout[:40]}: match {self.at} is to be corrected, there are {len(scores)}"
            )
        scores[self.at - 1] = Score(self.first, self.second, self.first_won)
        return now.with_scores(self.bout, scores)


@dataclass(frozen=True, slots=True)
class FencedAgain:
    """This bout is annulled and fenced again."""

    what: ClassVar[str] = "again"
    bout: Text
    why: Text = ""

    def after(self, now: Competition) -> Competition:
        if self.bout not in now.scores:
            raise CompetitionError(f"bout {self.bout[:40]} has no score yet: it is still to be fenced")
        days = {name: each for name, each in now.days.items() if name != self.bout}
        return replace(now, days=days).with_scores(self.bout, ())  # a match that counted once counts never again


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """Among these, who are level, lots were drawn: they stand in this order."""

    what: ClassVar[str] = "lots"
    order: tuple[Text, ...]

    def after(self, now: Competition) -> Competition:
        for fencer in self.order:
            _expect_here(now, fencer)
        drawn = max(now.lots.values(), default=0)
        return replace(now, lots={**now.lots, **{name: drawn + at for at, name in enumerate(self.order, 1)}})


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The event of this number (the first is 1) did not happen. Taking this back brings it to life again."""

    what: ClassVar[str] = "taken_back"
    number: Number


@dataclass(frozen=True, slots=True)
class Lost:
    """An event whose line in the log could not be used. It changes nothing and keeps its number."""

    what: ClassVar[str] = "lost"
    why: Text = ""


CompetitionEvent: TypeAlias = (
    Opened
    | Entered
    | Left
    | PoolsBegun
    | TableauBegun
    | SwissBegun
    | RoundPaired
    | LeagueBegun
    | MatchFenced
    | Corrected
    | FencedAgain
    | LotsDrawn
    | TakenBack
    | Lost
)
KINDS: Final[Mapping[str, type[CompetitionEvent]]] = {
    kind.what: kind for kind in CompetitionEvent.__args__ if kind is not Lost
}


def event_to_json(event: CompetitionEvent) -> dict[str, Any]:
    """The event as the log has it; ``event_from_json`` gives it back."""
    return {"event": event.what, **plain(type(event), event)}


def event_from_json(obj: object) -> CompetitionEvent:
    """The event this JSON value is. Raises CompetitionError."""
    if not isinstance(obj, dict):
        raise CompetitionError(f"expected a JSON object, found {shown(obj)}")
    what = obj.get("event")
    kind = KINDS.get(what) if isinstance(what, str) else None
    if kind is None:
        raise CompetitionError(f"event is one of {', '.join(KINDS)}, not {shown(what)}{did_you_mean(str(what), KINDS)}")
    try:
        members = {name: _without_relays(value) for name, value in obj.items() if name != "event"}
        return read(kind, members)
    except MalformedError as error:
        raise CompetitionError(f"{kind.what}: {error}") from error


def _without_relays(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if name not in _OF_RELAYS or each != _OF_RELAYS[name]}


def _good(terms: Terms) -> Terms:
    if not 1 <= terms.points <= MAX_POINTS or terms.best_of % 2 == 0 or not 1 <= terms.best_of <= 9:
        raise CompetitionError(f"a bout is fenced to 1 to {MAX_POINTS} points, best of 1, 3, 5, 7 or 9, not as {terms}")
    if terms.time_s is not None and not 1 <= terms.time_s <= MAX_TIME_S:
        raise CompetitionError(f"the time of a match is 1 to {MAX_TIME_S} seconds, not {terms.time_s}")
    return terms


def _expect_here(now: Competition, fencer: str) -> None:
    if fencer not in now.fencers or fencer in now.left:
        raise CompetitionError(f"{fencer[:40]!r} is not among those who fence in {now.name}")


def _ranked(now: Competition) -> tuple[str, ...]:
    """The fencers of the next phase, best first. Raises CompetitionError while it cannot begin."""
    if now.phases and not now.over:
        raise CompetitionError(f"{len(now.due())} bouts of this phase are still to be fenced before the next begins")
    ranked = now.ranked_for_next()
    if len(ranked) < 2:
        raise CompetitionError(f"at least 2 are needed, {len(ranked)} entered")
    return ranked


def _begun(now: Competition, phase: CompetitionPhase, terms: Terms | None = None) -> Competition:
    return replace(now, phases=(*now.phases, phase), phase_terms=(*now.phase_terms, terms or now.terms))


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
