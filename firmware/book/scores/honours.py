"""A player's honours: feats that the matches show, each with the match in which it was first done.

Read off what the referee came to, so that nobody can be given one. A match whose score was set by a correction shows no
feat of points, since no turns tell how it came about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from typing import Final

from engine.rules.track import BySide
from firmware.book.scores.history import How, strength_of
from firmware.book.scores.players import Fight, House, Player
from firmware.book.scores.ratings import UNSURE_DEVIATION, Rating

BEHIND: Final = 3
"""Points behind, from which winning is a comeback."""
MIN_POINTS: Final = 3
"""A match to fewer points is no feat to win without losing one."""
STRONGER: Final = 150.0
"""Points of rating by which the other was stronger."""
ROW: Final = 5
OFTEN: Final = 10
MANY_POINTS: Final = 100
_WAYS: Final = frozenset(How) - {How.CORRECTED}


class Honour(Enum):
    """A feat."""

    FIRST = "first"  # a match won
    CLEAN = "clean"  # without losing a point
    COMEBACK = "comeback"  # after being so many points behind
    LAST_TOUCH = "last_touch"  # when either of the two would have won with the next point
    ROW = "row"  # so many one after the other
    STRONGER = "stronger"  # against somebody rated well above
    ALL_WAYS = "all_ways"  # points made in each way there is
    RIVALS = "rivals"  # so many matches with the same opponent
    MAESTRO = "maestro"  # against the strongest companion
    POINTS = "points"  # so many made


def honours(player: Player, whole: House) -> dict[Honour, int]:
    """Everything this player has earned, each with the number of the match that completed it."""
    first: dict[Honour, int] = {}
    for honour, match in _found(player, whole):
        first.setdefault(honour, match)
    return first


def _found(player: Player, whole: House) -> Iterator[tuple[Honour, int]]:
    """Every time, in the order of the book."""
    run = points = 0
    ways: set[How] = set()
    met: Counter[str] = Counter()
    for fight in player.fights:
        number = fight.summary.match.id
        run = run + 1 if fight.won else 0
        met[fight.opponent] += 1
        made = fight.summary.points_by(fight.side)
        points += fight.points_for - made[How.CORRECTED]
        ways |= {how for how in _WAYS if made[how]}
        if fight.won:
            yield Honour.FIRST, number
            yield from ((honour, number) for honour in _of_points(fight))
            if _was_stronger(fight, player, whole):
                yield Honour.STRONGER, number
            if strength_of(fight.opponent) == "maestro":
                yield Honour.MAESTRO, number
        reached = {
            Honour.ROW: run >= ROW,
            Honour.ALL_WAYS: ways == _WAYS,
            Honour.RIVALS: met[fight.opponent] >= OFTEN,
            Honour.POINTS: points >= MANY_POINTS,
        }
        yield from ((honour, number) for honour, done in reached.items() if done)


def _of_points(fight: Fight) -> Iterator[Honour]:
    """Feats of how the points came one after the other."""
    summary = fight.summary
    if any(summary.points_by(side)[How.CORRECTED] for side in (fight.side, fight.side.other)):
        return
    if fight.points_against == 0 and fight.points_for >= MIN_POINTS:
        yield Honour.CLEAN
    before, behind, level = BySide(0, 0), 0, False
    for _, score in summary.scores:
        level = all(summary.points - points == 1 for _, points in before.items())
        behind = max(behind, score[fight.side.other] - score[fight.side])
        before = score
    if behind >= BEHIND:
        yield Honour.COMEBACK
    if level and summary.points > 1:
        yield Honour.LAST_TOUCH


def _was_stronger(fight: Fight, player: Player, whole: House) -> bool:
    """Whether the opponent was rated well above this player before the match, and surely enough to say so."""
    other = whole.player(whole.name(fight.opponent))
    own, theirs = (_before(each, fight.summary.match.id) for each in (player, other))
    if theirs is None or theirs.deviation > UNSURE_DEVIATION:
        return False
    return theirs.points - (own or Rating()).points >= STRONGER


def _before(player: Player | None, match: int) -> Rating | None:
    """The player's rating before this match; None where there was none yet."""
    after = () if player is None or player.rating is None else player.rating.after
    earlier = [place for place, (number, _) in enumerate(after) if number == match]
    return after[earlier[0] - 1][1] if earlier and earlier[0] > 0 else None
