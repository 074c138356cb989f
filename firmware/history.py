"""What the scorebook tells about matches and players, as values: no file, no printing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from engine.course import Step
from engine.events import TurnEvent, YieldEvent
from engine.state import Reason, Result
from engine.track import BySide, Side
from firmware.scorebook import MatchRow, Played


@dataclass(frozen=True, slots=True)
class Summary:
    """One match in a line. ``rounds`` are those begun; ``turns`` those that stand: what was undone does not count.

    ``results`` are the finished rounds' in order. ``problem`` is empty, or says where reading its rows stopped.
    """

    match: MatchRow
    rules: str
    points: int
    starter: Side
    score: BySide[int]
    winner: Side | None
    finished: bool
    rounds: int
    turns: int
    results: tuple[Result, ...]
    problem: str

    @property
    def reasons(self) -> Mapping[Reason, int]:
        """How often rounds ended for each reason, in the order of ``Reason``."""
        counts = Counter(result.reason for result in self.results)
        return {reason: counts[reason] for reason in Reason if counts[reason]}


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player's finished matches."""

    name: str
    played: int
    won: int
    points_for: int
    points_against: int


def summarise(played: Played) -> Summary | None:
    """The match in a line; None when not even its first event can be read."""
    state = played.state
    if state is None:
        return None
    assert played.course is not None
    steps = played.course.steps
    winner = state.result.winner if played.finished and state.result is not None else None
    turns = sum(isinstance(step.entry, TurnEvent | YieldEvent) for step in steps)
    results = tuple(_results(steps))
    return Summary(
        match=played.match,
        rules=state.rules.name,
        points=state.points,
        starter=played.states[0].starter,
        score=state.score,
        winner=winner,
        finished=played.finished,
        rounds=state.round,
        turns=turns,
        results=results,
        problem=played.problem,
    )


def _results(steps: Sequence[Step]) -> Iterator[Result]:
    """How each finished round ended: as it stands after its last entry, which may be a correction of the score."""
    for step, following in zip_longest(steps, steps[1:]):
        if step.state.result is not None and (following is None or following.state.result is None):
            yield step.state.result


def players(summaries: Iterable[Summary]) -> tuple[PlayerLine, ...]:
    """Every player's finished matches, the most wins first."""
    lines: dict[str, PlayerLine] = {}
    for summary in summaries:
        if not summary.finished:
            continue
        for side, name in summary.match.names.items():
            line = lines.get(name, PlayerLine(name, 0, 0, 0, 0))
            lines[name] = PlayerLine(
                name,
                line.played + 1,
                line.won + (summary.winner is side),
                line.points_for + summary.score[side],
                line.points_against + summary.score[side.other],
            )
    return tuple(sorted(lines.values(), key=lambda line: (-line.won, line.played, line.name)))
