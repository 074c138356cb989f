"""What the scorebook tells about matches and players, as values: no file, no printing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.events import TurnEvent, YieldEvent
from engine.state import PublicState, Reason, Result
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
    standing = _standing(state, played.states)
    winner = state.result.winner if played.finished and state.result is not None else None
    turns = sum(isinstance(played.rows[place].event, TurnEvent | YieldEvent) for place in standing)
    results = tuple(result for place in standing if (result := played.states[place].result) is not None)
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


def _standing(state: PublicState, states: tuple[PublicState, ...]) -> list[int]:
    """Which rows the state rests on, in order: those whose state is in its chain of previous states."""
    places = {id(each): place for place, each in reversed(list(enumerate(states)))}
    chain = []
    link: PublicState | None = state
    while link is not None:
        chain.append(places[id(link)])
        link = link.previous
    return chain[::-1]


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
