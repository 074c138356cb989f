"""Players: what the finished matches say about each of them, and about each two.

Only matches that people played to the end count; those of bots and those cut off do not. A player is found by any
spelling of the name (``names.person_key``) and called by the last one in the book. Order is the book's, never a
clock's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.rules.rulesets import RULE_SETS
from engine.rules.track import Side
from firmware.book.scorebook.schema import AT_A_TABLE
from firmware.book.scores.history import How, Summary
from firmware.book.scores.ratings import RatingLine, rating_lines
from firmware.core.names import person_key

FORM_MATCHES: Final = 10


@dataclass(frozen=True, slots=True)
class Fight:
    """One finished match as one of its two players had it."""

    summary: Summary
    side: Side
    opponent: str

    @property
    def won(self) -> bool:
        return self.summary.winner is self.side

    @property
    def points_for(self) -> int:
        return self.summary.score[self.side]

    @property
    def points_against(self) -> int:
        return self.summary.score[self.side.other]


@dataclass(frozen=True, slots=True)
class Tally:
    """Matches and points added up."""

    played: int
    won: int
    points_for: int
    points_against: int

    @staticmethod
    def of(fights: Sequence[Fight]) -> Tally:
        """These matches added up."""
        made = sum(fight.points_for for fight in fights), sum(fight.points_against for fight in fights)
        return Tally(len(fights), sum(fight.won for fight in fights), *made)

    @property
    def lost(self) -> int:
        return self.played - self.won


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody with a match in the book. ``opponents`` are keys; ``unfinished`` counts matches cut off."""

    key: str
    name: str
    fights: tuple[Fight, ...]
    unfinished: int
    rating: RatingLine | None

    @property
    def tally(self) -> Tally:
        return Tally.of(self.fights)

    @property
    def form(self) -> tuple[bool, ...]:
        """The last matches, the newest last: True for one won."""
        return tuple(fight.won for fight in self.fights[-FORM_MATCHES:])

    @property
    def longest_streak(self) -> int:
        """The most matches won one after another."""
        longest = run = 0
        for fight in self.fights:
            run = run + 1 if fight.won else 0
            longest = max(longest, run)
        return longest

    @property
    def streak(self) -> int:
        """The matches won one after another until now; negative for matches lost."""
        run = 0
        for fight in reversed(self.fights):
            if fight.won is not self.fights[-1].won:
                break
            run += 1
        return run if self.fights and self.fights[-1].won else -run

    @property
    def points_by(self) -> Mapping[How, int]:
        """The points made, by how."""
        return _added(fight.summary.points_by(fight.side) for fight in self.fights)

    @property
    def conceded_by(self) -> Mapping[How, int]:
        """The points conceded, by how."""
        return _added(fight.summary.points_by(fight.side.other) for fight in self.fights)

    @property
    def against(self) -> Mapping[str, Tally]:
        """Head to head: every opponent's key with this player's results against them, most matches first."""
        by_key: dict[str, list[Fight]] = {}
        for fight in self.fights:
            by_key.setdefault(fight.opponent, []).append(fight)
        tallies = [(key, Tally.of(fights)) for key, fights in by_key.items()]
        return dict(sorted(tallies, key=lambda item: (-item[1].played, item[0])))

    @property
    def lengths(self) -> Lengths:
        return Lengths.of(fight.summary for fight in self.fights)

    @property
    def starts(self) -> Starts:
        """How often this player begins, and wins then."""
        rounds = [(fight, each) for fight in self.fights for each in fight.summary.ended]
        begun = [(fight, each) for fight, each in rounds if each.starter is fight.side]
        return Starts(
            matches=sum(fight.summary.starter is fight.side for fight in self.fights),
            rounds=len(begun),
            rounds_won=sum(each.result.winner is fight.side for fight, each in begun),
            other_rounds=len(rounds) - len(begun),
            other_rounds_won=sum(
                each.result.winner is fight.side for fight, each in rounds if each.starter is not fight.side
            ),
        )


@dataclass(frozen=True, slots=True)
class Starts:
    """Matches and rounds a player began, and the rounds the opponent began, each with those the player won."""

    matches: int
    rounds: int
    rounds_won: int
    other_rounds: int
    other_rounds_won: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long matches are. ``rounds`` are all finished ones, ``drawn`` those among them that nobody won."""

    matches: int
    rounds: int
    drawn: int
    turns: int

    @staticmethod
    def of(summaries: Iterable[Summary]) -> Lengths:
        """How long these matches were."""
        kept = tuple(summaries)
        rounds = [each for summary in kept for each in summary.ended]
        drawn = sum(each.how is None for each in rounds)
        return Lengths(len(kept), len(rounds), drawn, sum(each.turns for each in rounds))

    @property
    def rounds_a_match(self) -> float:
        return self.rounds / self.matches if self.matches else 0.0

    @property
    def turns_a_round(self) -> float:
        return self.turns / self.rounds if self.rounds else 0.0


@dataclass(frozen=True, slots=True)
class House:
    """Everybody who plays here, the best rated first, and all matches (``summaries``) there are to list.

    Players, ratings and what is added up come of those of these ``modes`` alone.
    """

    summaries: tuple[Summary, ...]
    players: tuple[Player, ...]
    by_preset: Mapping[str, tuple[Player, ...]]
    modes: tuple[str, ...] = AT_A_TABLE

    def player(self, name: str) -> Player | None:
        """The player of this name in any spelling; None for a stranger."""
        return _with_key(self.players, person_key(name))

    def name(self, key: str) -> str:
        """The name of the player with this key."""
        player = _with_key(self.players, key)
        return player.name if player is not None else key

    def under(self, player: Player) -> Mapping[str, Player]:
        """The player under each preset with a finished match."""
        found = {preset: _with_key(same, player.key) for preset, same in self.by_preset.items()}
        return {preset: same for preset, same in found.items() if same is not None and same.fights}


def house(summaries: Iterable[Summary], preset: str | None = None, modes: tuple[str, ...] = AT_A_TABLE) -> House:
    """Everybody in the matches of these modes (the book's order); only this preset's matches if one is given."""
    kept = tuple(summary for summary in summaries if preset in (None, summary.rules))
    return House(kept, players(kept, modes=modes), {name: players(kept, name, modes) for name in RULE_SETS}, modes)


def _with_key(everybody: Iterable[Player], key: str) -> Player | None:
    return next((player for player in everybody if player.key == key), None)


def players(
    summaries: Iterable[Summary], preset: str | None = None, modes: tuple[str, ...] = AT_A_TABLE
) -> tuple[Player, ...]:
    """Everybody in the matches of these modes (the book's order), the best rated first; of this preset if one is given.

    Players without a finished match come last, without a rating.
    """
    names: dict[str, str] = {}
    fights: dict[str, list[Fight]] = {}
    unfinished: Counter[str] = Counter()
    outcomes: list[tuple[int, str, str]] = []
    for summary in summaries:
        keys = summary.match.names.map(person_key)
        if summary.match.mode not in modes or keys.white == keys.black or preset not in (None, summary.rules):
            continue
        for side, key in keys.items():
            names[key] = summary.match.names[side]
            if summary.winner is None:
                unfinished[key] += not summary.finished  # one that time ended level is nobody's
            else:
                fights.setdefault(key, []).append(Fight(summary, side, keys[side.other]))
        if summary.winner is not None:
            outcomes.append((summary.match.id, keys[summary.winner], keys[summary.winner.other]))
    lines = rating_lines(outcomes)
    found = (
        Player(key, name, tuple(fights.get(key, ())), unfinished[key], lines.get(key)) for key, name in names.items()
    )
    return tuple(sorted(found, key=_best_first))


def _best_first(player: Player) -> tuple[bool, float, str]:
    rating = player.rating
    return rating is None, -rating.now.points if rating is not None else 0.0, player.key


def _added(counts: Iterable[Mapping[How, int]]) -> Mapping[How, int]:
    total: Counter[How] = Counter()
    for each in counts:
        total.update(each)
    return {how: total[how] for how in How}
