"""``engarde tournament``: bots against bots, and a table of how strong each is."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from multiprocessing.pool import Pool
from random import Random
from statistics import fmean
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot, RandomBot
from engine.players.simulation import play_round
from engine.review.chance import limits
from engine.rules.events import MatchEvent
from engine.rules.legal import GiveUp, Turn
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_POINTS, DEFAULT_RULES, RULE_SETS
from engine.rules.state import Phase, PlayerView
from engine.rules.track import BySide, Side
from engine.strict.values import did_you_mean
from firmware.book.scores.terminal import Terminal, table
from firmware.cli.commands.declared import option, switch
from firmware.cli.commands.options import count
from firmware.core.errors import EngardeError

ENTRANTS: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot, **STRENGTHS}
)
"""Every bot that may enter. ``greedy`` weighs and counts as the fencer does, who forgets what was played."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to play: everything that makes it what it is. ``pair``: who meets, in the order of the entrants."""

    pair: tuple[str, str]
    number: int
    seed: int
    rules: str
    points: int

    @property
    def players(self) -> BySide[str]:
        """Colours change with every match."""
        one, other = self.pair
        return BySide(one, other) if self.number % 2 == 0 else BySide(other, one)

    @property
    def starter(self) -> Side:
        """Who begins changes with every second match, so that in four each has begun twice with each colour."""
        return Side.WHITE if self.number // 2 % 2 == 0 else Side.BLACK

    @property
    def rng_seed(self) -> str:
        """The match's own: what others play, and in which order, changes nothing in it."""
        return f"{self.seed}:{self.pair[0]}:{self.pair[1]}:{self.number}"


Seconds: TypeAlias = tuple[float, ...]
"""How long each of a player's answers took, of processor time."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Matches of one pair. ``rounds``: won by the first, the other, and nobody; ``took_s``: the answers of each."""

    pair: tuple[str, str]
    won: int
    played: int
    rounds: tuple[int, int, int]
    took_s: tuple[Seconds, Seconds]

    def __add__(self, more: Meeting) -> Meeting:
        """These matches and more of the same first one, under this pair's names."""
        won, lost, drawn = (had + new for had, new in zip(self.rounds, more.rounds, strict=True))
        took_s = self.took_s[0] + more.took_s[0], self.took_s[1] + more.took_s[1]
        return Meeting(self.pair, self.won + more.won, self.played + more.played, (won, lost, drawn), took_s)

    @property
    def share(self) -> float:
        return self.won / self.played

    def turned(self) -> Meeting:
        """The same as the other one sees it."""
        won, lost, drawn = self.rounds
        return Meeting(self.pair[::-1], self.played - self.won, self.played, (lost, won, drawn), self.took_s[::-1])


class TimedBot:
    """A bot, and the seconds of processor time that each of its answers took."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.took_s: list[float] = []

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        begun_s = time.thread_time()
        choice = self._bot.choose(view, rng)
        self.took_s.append(time.thread_time() - begun_s)
        return choice


def fixtures(bots: Sequence[str], matches: int, seed: int, rules: str, points: int) -> Iterator[Fixture]:
    """Every match of a tournament in which each plays ``matches`` against each other, a match of every pair in turn."""
    for number in range(matches):
        for pair in combinations(bots, 2):
            yield Fixture(pair, number, seed, rules, points)


def play_fixture(fixture: Fixture) -> Meeting:
    """Plays a match to its end. Raises EngardeError, naming the bot, where the referee refuses what one chose."""
    rng = Random(fixture.rng_seed)
    names = fixture.players
    timed = names.map(lambda name: TimedBot(ENTRANTS[name]()))
    bots: BySide[Bot] = BySide(timed.white, timed.black)
    state, _ = judge(None, MatchEvent(fixture.rules, fixture.starter, fixture.points))
    won: dict[Side | None, int] = {Side.WHITE: 0, Side.BLACK: 0, None: 0}
    assert state is not None
    while state.phase is not Phase.MATCH_OVER:
        try:
            state = play_round(state, bots, rng)
        except ValueError as refused:
            raise EngardeError(f"{names.white} (White) against {names.black} (Black): {refused}.") from refused
        won[None if state.result is None else state.result.winner] += 1
    first = Side.WHITE if names.white == fixture.pair[0] else Side.BLACK
    return Meeting(
        fixture.pair,
        int(state.score[first] > state.score[first.other]),
        1,
        (won[first], won[first.other], won[None]),
        (tuple(timed[first].took_s), tuple(timed[first.other].took_s)),
    )


CHUNK: Final = 2
"""Matches handed to a process at a time: a tournament that is stopped loses no more than these of each."""


def play_all(fixtures: Sequence[Fixture], jobs: int) -> Generator[Meeting, None, None]:
    """The matches as they end, in any order. What each brings is the same whatever ``jobs`` is.

    Closing the iterator ends the processes. Raises what ``play_fixture`` raises.
    """
    jobs = min(jobs, len(fixtures))
    if jobs <= 1:
        yield from map(play_fixture, fixtures)
        return
    # Started anew rather than forked: a copy of a process with threads, as pygame's has, may hang.
    with closing(_started(jobs)) as pool:
        try:
            yield from pool.imap_unordered(play_fixture, fixtures, CHUNK)
        finally:
            pool.terminate()


def _started(jobs: int) -> Pool:
    """Processes to which Ctrl-C means nothing from their first moment: they inherit it, and the parent ends them."""
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return multiprocessing.get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, ours)


def meetings(played: Iterable[Meeting], bots: Sequence[str]) -> list[Meeting]:
    """One for each pair that has met, the stronger of the two named first; in the order of the entrants."""
    found: dict[tuple[str, str], Meeting] = {}
    for match in played:
        found[match.pair] = found[match.pair] + match if match.pair in found else match
    order = {name: place for place, name in enumerate(bots)}
    ranked = sorted(found.values(), key=lambda each: (order[each.pair[0]], order[each.pair[1]]))
    return [each if 2 * each.won >= each.played else each.turned() for each in ranked]


def standings(met: Iterable[Meeting]) -> dict[str, Meeting]:
    """Every bot that has played against all others, the one with the largest share of its matches first."""
    found: dict[str, Meeting] = {}
    for meeting in met:
        for view in (meeting, meeting.turned()):
            name = view.pair[0]
            found[name] = found[name] + view if name in found else view
    return dict(sorted(found.items(), key=lambda each: (-each[1].share, each[0])))


DEFAULT_MATCHES: Final = 20
MAX_POINTS: Final = 1000


def _bots(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in ENTRANTS:
            known = ", ".join(ENTRANTS)
            raise argparse.ArgumentTypeError(f"there is no bot {name!r}{did_you_mean(name, ENTRANTS)}: {known}")
        if names.count(name) > 1:
            raise argparse.ArgumentTypeError(f"{name} is named twice: a bot plays the others, not itself")
    if len(names) < 2:
        raise argparse.ArgumentTypeError(f"it takes two to play, and only {names[0]} is named")
    return names


def _points(text: str) -> int:
    points = count(text)
    if points > MAX_POINTS:
        raise argparse.ArgumentTypeError(f"{text} points are more than a tournament plays a match to: {MAX_POINTS}")
    return points


@dataclass(frozen=True, slots=True)
class Tournament:
    """Every pair of ``bots`` plays so many ``matches``, in so many processes at once (``jobs``)."""

    bots: tuple[str, ...] = option(
        f"who plays: {', '.join(ENTRANTS)} (default: {','.join(STRENGTHS)})",
        default=tuple(STRENGTHS),
        type=_bots,
        metavar="A,B,…",
    )
    matches: int = option("each pair plays (default: %(default)s)", default=DEFAULT_MATCHES, type=count, metavar="N")
    points: int = option("that win a match (default: %(default)s)", default=DEFAULT_POINTS, type=_points, metavar="P")
    rules: str = option("default: %(default)s", default=DEFAULT_RULES.name, choices=sorted(RULE_SETS))
    seed: int = option("which cards and choices (default: %(default)s)", default=1)
    jobs: int | None = option("processes at once (default: one for each core)", type=count, metavar="N")
    json: bool = switch("one JSON object instead of the table")

    def do(self) -> int:
        """Play all matches and print what they say; 1 when it was stopped before, after printing what was played."""
        to_play = list(fixtures(self.bots, self.matches, self.seed, self.rules, self.points))
        played: list[Meeting] = []
        stopped = False
        progress = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
        try:
            with closing(play_all(to_play, self.jobs or len(os.sched_getaffinity(0)))) as matches:
                for match in matches:
                    played.append(match)
                    if progress is not None:
                        print(f"\r{len(played)} of {len(to_play)} matches", end="", file=progress, flush=True)
        except KeyboardInterrupt:
            stopped = True
        finally:
            if progress is not None:
                print("\r\x1b[K", end="", file=progress, flush=True)
        met = meetings(played, self.bots)
        if self.json:
            print(json.dumps(_as_json(self, met, len(to_play)), indent=2))
        else:
            print(f"Matches to {self.points}, rules {self.rules}, seed {self.seed}.")
            for line in _tables(met):
                print(line)
        if stopped:
            print(f"engarde tournament: stopped after {len(played)} of {len(to_play)} matches.", file=sys.stderr)
        return 1 if stopped else 0


def _tables(met: Sequence[Meeting]) -> Iterator[str]:
    """Every pair with its share and limits, then every bot against all others; nothing before a match was played."""
    if not met:
        return
    head = ("bot", "against", "won", "share", "95 % limits", "rounds won, lost, drawn", "an answer", "longest")
    pairs = [
        (
            *each.pair,
            f"{each.won} of {each.played}",
            f"{each.share:.1%}",
            "{:.1%} to {:.1%}".format(*limits(each.share, each.played)),
            " ".join(f"{count:6}" for count in each.rounds),
            *_times(each.took_s[0]),
        )
        for each in met
    ]
    yield from ("", *table(Terminal(), head, pairs, right=range(2, 8)))
    overall = [
        (name, f"{each.won} of {each.played}", f"{each.share:.1%}", *_times(each.took_s[0]))
        for name, each in standings(met).items()
    ]
    if len(overall) > 2:
        yield from ("", *table(Terminal(), ("bot", "won", "share", "an answer", "longest"), overall, right=range(1, 5)))


def _times(took_s: Seconds) -> tuple[str, str]:
    return f"{fmean(took_s or [0.0]) * 1000:.1f} ms", f"{max(took_s, default=0.0) * 1000:.0f} ms"


def _as_json(wish: Tournament, met: Sequence[Meeting], asked: int) -> dict[str, object]:
    """Shares and limits between 0 and 1; times in milliseconds of one core."""
    return {
        "rules": wish.rules,
        "points": wish.points,
        "seed": wish.seed,
        "matches_asked": asked,
        "matches_played": sum(each.played for each in met),
        "pairs": [
            {
                "bot": each.pair[0],
                "against": each.pair[1],
                "won": each.won,
                "played": each.played,
                "share": each.share,
                "limits_95": list(limits(each.share, each.played)),
                "rounds": dict(zip(("won", "lost", "drawn"), each.rounds, strict=True)),
                "thinking": {name: _thinking(of) for name, of in zip(each.pair, each.took_s, strict=True)},
            }
            for each in met
        ],
        "bots": [
            {"bot": name, "won": each.won, "played": each.played, "thinking": _thinking(each.took_s[0])}
            for name, each in standings(met).items()
        ],
    }


def _thinking(took_s: Seconds) -> dict[str, float]:
    mean_s, longest_s = fmean(took_s or [0.0]), max(took_s, default=0.0)
    return {"answers": len(took_s), "mean_ms": round(mean_s * 1000, 3), "longest_ms": round(longest_s * 1000, 3)}
