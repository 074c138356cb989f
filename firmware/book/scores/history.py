"""One match of the scorebook as values: who scored how, in how many turns. No file, no printing.

Everything is read off the states that judging the rows again gave; nothing is kept twice. What was
undone or corrected away is in none of them, because such a state is before no other. Figures or a score set by hand
are a step of their own: nobody's turn, and the end of no round; so is time that is up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final

from engine.companion.companion import NAMES
from engine.players.bots.strengths import RIVALS, OwnLevel, own_level
from engine.rules.endings import given_up_in
from engine.rules.state import BY_TIME, AttackKind, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow, Played, Scorebook
from firmware.core.names import person_key


class How(Enum):
    """How a point was made."""

    DIRECT = "touch_direct"
    INDIRECT = "touch_indirect"
    CARDS = "cards"
    DISTANCE = "distance"
    STUCK = "stuck"
    CORRECTED = "corrected"  # no turns tell: the score, or who won the round, was said outright


_HOW = {
    Reason.NO_LEGAL_MOVE: How.STUCK,
    Reason.MORE_ATTACK_CARDS: How.CARDS,
    Reason.FURTHER_ADVANCED: How.DISTANCE,
    Reason.SAID: How.CORRECTED,
}


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A finished round. ``how`` the point was made; None exactly when it was drawn. ``turns``: parts of both players,
    giving up counts as one. ``given_up``: the loser gave up, so that no rule and no card proves the hand."""

    starter: Side
    turns: int
    result: Result
    how: How | None
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """One match in a line. ``rounds`` are those begun; ``turns`` those that stand: what was undone does not count.

    ``ended`` are the finished rounds in order. ``problem`` is empty, or says where reading its rows stopped.
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
    ended: tuple[RoundFacts, ...]
    problem: str

    @property
    def scores(self) -> Iterator[tuple[RoundFacts, BySide[int]]]:
        """Every finished round, and the score after it as the rounds alone make it."""
        score = BySide(0, 0)
        for each in self.ended:
            winner = each.result.winner
            score = score if winner is None else score.put(winner, score[winner] + 1)
            yield each, score

    @property
    def reasons(self) -> Mapping[Reason, int]:
        """How often rounds ended for each reason, in the order of ``Reason``."""
        counts = Counter(each.result.reason for each in self.ended)
        return {reason: counts[reason] for reason in Reason if counts[reason]}

    def points_by(self, side: Side) -> Mapping[How, int]:
        """How this side came to its points, in the order of ``How``; together they are its score.

        ``CORRECTED`` is what the score was set to beyond the points made, and may be negative.
        """
        won = [each.how for each in self.ended if each.result.winner is side]
        counts: Counter[How | None] = Counter(how for how in won if how is not How.CORRECTED)
        counts[How.CORRECTED] = self.score[side] - counts.total()
        return {how: counts[how] for how in How}


def summarise(played: Played) -> Summary | None:
    """The match in a line; None when not even its first event can be read."""
    state = played.state
    if state is None:
        return None
    ended: list[RoundFacts] = []
    turns = in_this_round = 0
    for before, after in standing(state):
        if after.result is not None and after.result.reason in BY_TIME:
            break  # the end of the match, and of no round
        if before.round != after.round:
            in_this_round = 0
        elif before.to_act is not after.to_act and before.to_act is not None:
            turns += 1
            in_this_round += 1
        if after.result is not None and before.result is None:
            ended.append(RoundFacts(after.starter, in_this_round, after.result, how(before, after), gave_up(after)))
    return Summary(
        match=played.match,
        rules=state.rules.name,
        points=played.states[0].points,
        starter=played.states[0].starter,
        score=state.score,
        winner=state.result.winner if played.finished and state.result is not None else None,
        finished=played.finished,
        rounds=state.round,
        turns=turns,
        ended=tuple(ended),
        problem=played.problem,
    )


def standing(state: PublicState) -> Iterator[tuple[PublicState, PublicState]]:
    """Every step this state rests on, from the match's beginning: the state before it and the state after it."""
    chain = [state]
    while (previous := chain[-1].previous) is not None:
        chain.append(previous)
    chain.reverse()
    yield from pairwise(chain)


def gave_up(after: PublicState) -> bool:
    """Whether the loser gave up instead of a parry, or of a turn. Who parries and has no turn then has not."""
    before = given_up_in(after)
    assert after.result is not None
    return before is not None and (before.attack is None or after.result.reason is Reason.HIT)


def how(before: PublicState, after: PublicState) -> How | None:
    """How the point of the step that ended a round was made; None for a drawn round.

    A touch is as direct as its attack. A player who acted and won had just made an unanswerable attack (ruling
    13), standing or after an advance. Otherwise the attack that waited for its answer hit.
    """
    assert after.result is not None
    if after.result.winner is None:
        return None
    if after.result.reason is not Reason.HIT:
        return _HOW[after.result.reason]
    if before.to_act is after.result.winner:
        direct = before.spaces == after.spaces
    else:
        assert before.attack is not None
        direct = before.attack.kind is AttackKind.DIRECT
    return How.DIRECT if direct else How.INDIRECT


LATELY: Final = 60
"""So many matches of the book, the last ones, say what strength suits somebody now."""
_STRENGTHS: Final = {person_key(name): strength for name, strength in {**NAMES, **RIVALS}.items()}


def levels_in(book: Scorebook, players: Iterable[str]) -> dict[str, OwnLevel]:
    """The same off this book, of which only late matches against bots are judged again. Raises ScorebookError."""
    against = [
        match for match in book.matches(last=LATELY) if any(strength_of(name) for _, name in match.names.items())
    ]
    return levels_of(players, tuple(filter(None, map(summarise, map(book.replay, against)))))


def levels_of(players: Iterable[str], summaries: Sequence[Summary]) -> dict[str, OwnLevel]:
    """The strength of bot that suits each of these now; who lately ended no match against one is left out.

    ``summaries``: all matches of the scorebook, the oldest first.
    """
    levels = ((name, own_level(_results(person_key(name), summaries[-LATELY:]))) for name in players)
    return {name: level for name, level in levels if level is not None}


def _results(player: str, summaries: Iterable[Summary]) -> Iterator[tuple[str, bool]]:
    for summary in summaries:
        for side in Side:
            strength = strength_of(summary.match.names[side.other])
            if summary.winner is not None and strength and person_key(summary.match.names[side]) == player:
                yield strength, summary.winner is side


def strength_of(name: str) -> str | None:
    """The strength of the bot or companion of this name; None for a person."""
    return _STRENGTHS.get(person_key(name))
