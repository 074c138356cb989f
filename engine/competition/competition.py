"""A competition as it stands after the events of its log, each of which can be taken back.

Nothing here is kept: bouts, standings and pairings follow from the events, so that the whole evening can be replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from engine.competition.bouts import (
    Bout,
    CompetitionError,
    Entrant,
    Fenced,
    Placed,
    Scores,
    Terms,
    expect_score,
    level,
    lines_of,
    placed,
)
from engine.competition.phases import League, Pools, Swiss, Tableau

CompetitionPhase: TypeAlias = Pools | Tableau | Swiss | League


@dataclass(frozen=True)
class Competition:
    """``phases`` in the order they were begun, each with its own terms in ``phase_terms``; the last one is fenced now.

    ``left`` says in which phase somebody left, ``pairs`` who fenced each bout that has a score, ``matches`` which bout
    a match of the scorebook counted for, ``days`` when each match of a bout was fenced, ``lots`` the numbers drawn.
    """

    name: str
    terms: Terms
    fencers: Mapping[str, Entrant] = field(default_factory=dict)
    phases: tuple[CompetitionPhase, ...] = ()
    phase_terms: tuple[Terms, ...] = ()
    scores: Scores = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)
    pairs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    matches: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lots: Mapping[str, int] = field(default_factory=dict)

    @property
    def phase(self) -> CompetitionPhase:
        """The one that is being fenced. Raises CompetitionError before the first."""
        if not self.phases:
            raise CompetitionError("nothing is fenced yet: begin pools, a tableau, Swiss rounds or a league first")
        return self.phases[-1]

    def fenced(self, at: int = -1) -> Fenced:
        """The input of the phase of this index, with those who left before it was over."""
        index = at % max(1, len(self.phases))
        return Fenced(self.scores, frozenset(name for name, phase in self.left.items() if phase <= index))

    @cached_property
    def bouts(self) -> tuple[Bout, ...]:
        """Every bout of every phase as it stands."""
        return tuple(bout for at, phase in enumerate(self.phases) for bout in phase.bouts(self.fenced(at)))

    @cached_property
    def by_name(self) -> Mapping[str, Bout]:
        """The bouts by their names."""
        return {bout.id: bout for bout in self.bouts}

    def bout(self, name: str) -> Bout:
        """The bout of this name. Raises CompetitionError."""
        found = self.by_name.get(name)
        if found is None:
            raise CompetitionError(
                f"there is no bout {name[:40]!r}: those of {self.name} are named like 1P1-1x4 or 2T8-1"
            )
        return found

    def terms_of(self, bout: str) -> Terms:
        """The terms of this bout; its name begins with the number of its phase."""
        number = int(bout[: next((at for at, sign in enumerate(bout) if not sign.isdigit()), 0)] or 0)
        return self.phase_terms[number - 1] if 0 < number <= len(self.phase_terms) else self.terms

    def due(self) -> tuple[Bout, ...]:
        """The bouts that can be fenced now, in the order they should be."""
        if not self.phases:
            return ()
        return tuple(bout for bout in self.phase.bouts(self.fenced()) if bout.due)

    @property
    def over(self) -> bool:
        """Whether all of the phase that is being fenced is fenced."""
        bouts = self.phase.bouts(self.fenced()) if self.phases else ()
        return bool(bouts) and all(bout.winner is not None or bout.annulled for bout in bouts)

    def standing(self, at: int = -1) -> tuple[Placed, ...]:
        """Everybody's line in one phase, best first; a tableau's says who is how far. Who left a pool is not in it."""
        phase, fenced = self.phases[at], self.fenced(at)
        if isinstance(phase, Tableau):
            lines = {line.fencer: line for line in lines_of(phase.seeds, phase.bouts(fenced))}
            return tuple(Placed(place, lines[fencer]) for place, fencer in phase.ranking(fenced))
        if isinstance(phase, Swiss):
            return placed(phase.lines(fenced), self.lots, victories=True)
        here = [fencer for fencer in phase.fencers if isinstance(phase, League) or fencer not in fenced.gone]
        return placed(lines_of(here, phase.bouts(fenced)), self.lots, victories=isinstance(phase, League))

    def ranking(self) -> tuple[tuple[int, str], ...]:
        """Everybody with their place, from all phases; those who reached a later phase come first."""
        if not self.phases:
            return tuple(enumerate(self.entry_order(), 1))
        found: list[tuple[int, str]] = []
        for at in reversed(range(len(self.phases))):
            behind, known = len(found), {fencer for _, fencer in found}
            rest = [(each.place, each.line.fencer) for each in self.standing(at) if each.line.fencer not in known]
            first = {place: number for number, (place, _) in reversed([*enumerate(rest)])}
            found += [(behind + first[place] + 1, fencer) for place, fencer in rest]
        return tuple(found)

    def entry_order(self) -> tuple[str, ...]:
        """Those who are here, by the seed they came with, then as they entered."""
        here = [name for name in self.fencers if name not in self.left]
        return tuple(sorted(here, key=lambda name: (self.fencers[name].seed is None, self.fencers[name].seed or 0)))

    def ranked_for_next(self) -> tuple[str, ...]:
        """Those who are here in the order in which the next phase seeds them.

        Raises CompetitionError where somebody is level with another, and lots have to be drawn.
        """
        if not self.phases:
            return self.entry_order()
        if groups := self.level():
            names = ", ".join(self.fencers[name].name for name in groups[0])
            raise CompetitionError(f"{names} are level in victories, indicator and touches: draw lots among them first")
        return tuple(each.line.fencer for each in self.standing() if each.line.fencer not in self.left)

    def level(self) -> tuple[tuple[str, ...], ...]:
        """Those among whom lots have to be drawn before the next phase."""
        if not self.phases or isinstance(self.phase, Tableau):
            return ()
        return level(each for each in self.standing() if each.line.fencer not in self.left)

    def checked(self) -> Competition:
        """The same, where every bout with a score still is of those who fenced it. Raises CompetitionError."""
        for name, pair in self.pairs.items():
            bout = self.by_name.get(name)
            if bout is None or (bout.first, bout.second) != pair:
                first, second = (self.fencers[each].name if each in self.fencers else "nobody" for each in pair)
                raise CompetitionError(
                    f"bout {name} was fenced by {first} and {second}, who would not meet there then: have it fenced "
                    "again first"
                )
        return self

    def with_scores(self, name: str, scores: Iterable[Any]) -> Competition:
        """The same with these matches of a bout, all of which can have ended so. Raises CompetitionError."""
        bout = self.bout(name)
        if bout.first is None or bout.second is None:
            raise CompetitionError(f"bout {name}: nobody knows yet who fences it")
        new, terms = tuple(scores), self.terms_of(name)
        handicaps = (self.fencers[bout.first].handicap, self.fencers[bout.second].handicap)
        for score in new:
            expect_score(score, terms, handicaps, name)
        over = replace(bout, scores=new[:-1])
        if new and over.forfeit is None and over.winner is not None:
            raise CompetitionError(f"bout {name} was won already, after {len(new) - 1} matches")
        all_scores, pairs = {**self.scores, name: new}, {**self.pairs, name: (bout.first, bout.second)}
        if not new:
            del all_scores[name], pairs[name]
        return replace(self, scores=all_scores, pairs=pairs).checked()
