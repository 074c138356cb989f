"""``engarde tournament``: bots against bots, and a table of how strong each is."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TextIO

from engine.players.bots.strengths import STRENGTHS
from engine.rules.rulesets import DEFAULT_POINTS, DEFAULT_RULES, RULE_SETS
from engine.strict.values import did_you_mean
from firmware.commands.declared import option, switch
from firmware.commands.options import count
from firmware.workshop.tournament.matches import (
    ENTRANTS,
    FixtureResult,
    Meeting,
    Thinking,
    cores,
    fixtures,
    meetings,
    play_all,
    standings,
)

DEFAULT_MATCHES: Final = 20
MAX_POINTS: Final = 1000
GAP: Final = "  "


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
        return _play(self)


COMMAND: Final = Tournament


def _play(wish: Tournament) -> int:
    to_play = list(fixtures(wish.bots, wish.matches, wish.seed, wish.rules, wish.points))
    played: list[FixtureResult] = []
    stopped = False
    progress = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
    try:
        with closing(play_all(to_play, wish.jobs or cores())) as matches:
            for match in _counted(matches, len(to_play), progress):
                played.append(match)
    except KeyboardInterrupt:
        stopped = True
    met = meetings(played, wish.bots)
    if wish.json:
        print(json.dumps(_as_json(wish, met, len(to_play)), indent=2))
    else:
        print(f"Matches to {wish.points}, rules {wish.rules}, seed {wish.seed}.")
        for line in _table(met):
            print(line)
    if stopped:
        print(f"engarde tournament: stopped after {len(played)} of {len(to_play)} matches.", file=sys.stderr)
    return 1 if stopped else 0


def _counted(matches: Iterator[FixtureResult], total: int, progress: TextIO | None) -> Iterator[FixtureResult]:
    """The same matches, counted on a terminal."""
    try:
        for number, match in enumerate(matches, 1):
            if progress is not None:
                print(f"\r{number} of {total} matches", end="", file=progress, flush=True)
            yield match
    finally:
        if progress is not None:
            print("\r\x1b[K", end="", file=progress, flush=True)


def _table(met: Sequence[Meeting]) -> Iterator[str]:
    """Every pair with its share and limits, then every bot against all others; nothing before a match was played."""
    if not met:
        return
    pairs = [("bot", "against", "won", "share", "95 % limits", "rounds won, lost, drawn", "an answer", "longest")]
    for each in met:
        low, high = each.limits
        pairs.append(
            (
                each.pair[0],
                each.pair[1],
                f"{each.won} of {each.played}",
                f"{each.share:.1%}",
                f"{low:.1%} to {high:.1%}",
                " ".join(f"{count:6}" for count in each.rounds),
                *_times(each.thinking[0]),
            )
        )
    yield ""
    yield from _columns(pairs)
    overall = [("bot", "won", "share", "an answer", "longest")]
    for one in standings(met):
        share = f"{one.won / one.played:.1%}"
        overall.append((one.name, f"{one.won} of {one.played}", share, *_times(one.thinking)))
    if len(overall) > 3:
        yield ""
        yield from _columns(overall)


def _times(thinking: Thinking) -> tuple[str, str]:
    return f"{thinking.mean_s * 1000:.1f} ms", f"{thinking.longest_s * 1000:.0f} ms"


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Names to the left, everything else to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if row[place].isalpha() and rows[1][place].isalpha() else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield GAP.join(cells).rstrip()


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
                "limits_95": list(each.limits),
                "rounds": dict(zip(("won", "lost", "drawn"), each.rounds, strict=True)),
                "thinking": {name: _thinking(of) for name, of in zip(each.pair, each.thinking, strict=True)},
            }
            for each in met
        ],
        "bots": [
            {"bot": one.name, "won": one.won, "played": one.played, "thinking": _thinking(one.thinking)}
            for one in standings(met)
        ],
    }


def _thinking(thinking: Thinking) -> dict[str, float]:
    return {
        "answers": thinking.answers,
        "mean_ms": round(thinking.mean_s * 1000, 3),
        "longest_ms": round(thinking.longest_s * 1000, 3),
    }
