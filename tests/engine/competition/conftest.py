"""What the tests of competitions share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from random import Random

from engine.competition.bouts import Bout, Entrant, Terms
from engine.competition.events import CompetitionEvent, Entered, Log, MatchFenced, Opened


def replay(events: Iterable[CompetitionEvent]) -> Log:
    """The log of these events. Raises CompetitionError."""
    return reduce(Log.and_then, events, Log())


def begun(*events: CompetitionEvent, fencers: int = 6, terms: Terms | None = None) -> Log:
    """A competition of fencers ``1`` to ``N``, seeded in this order, and then these events."""
    entered = (Entered(Entrant(str(number), f"Fencer {number}", seed=number)) for number in range(1, fencers + 1))
    return replay((Opened("Evening", terms or Terms()), *entered, *events))


def decided(bout: Bout, rng: Random, points: int = 5) -> MatchFenced:
    """The next match of this bout with a result that chance decides."""
    first_won = rng.random() < 0.5
    loser = rng.randrange(points)
    return MatchFenced(bout.id, *((points, loser) if first_won else (loser, points)), first_won)
