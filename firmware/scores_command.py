"""``engarde scores``: the matches that were played, and by whom."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engine.state import Reason
from engine.track import Side
from firmware import book_exchange
from firmware.config import SCOREBOOK_VARIABLE, scorebook_path
from firmware.history import PlayerLine, Summary, players, summarise
from firmware.scorebook import read_scorebook
from firmware.scorebook_file import ScorebookError

DEFAULT_LAST: Final = 20
FIRST_YEAR: Final = 2026  # a Pi without a clock believes in something earlier
REASON_WORDS: Final = {
    Reason.HIT: "touch",
    Reason.NO_LEGAL_MOVE: "no move",
    Reason.MORE_ATTACK_CARDS: "cards",
    Reason.FURTHER_ADVANCED: "position",
    Reason.DRAW: "drawn",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``engarde scores``."""
    parser.add_argument("--json", action="store_true", help="one JSON object with everything")
    parser.add_argument(
        "--last", type=_count, metavar="N", default=DEFAULT_LAST, help="so many matches (default: %(default)s)"
    )
    parser.add_argument("--record", type=_count, metavar="NO", help="print this match as a game record to keep or mail")
    parser.add_argument("--all", action="store_true", help="every match there is")
    parser.add_argument(
        "--scorebook",
        metavar="FILE",
        help=f"the scorebook to read (default: what {SCOREBOOK_VARIABLE} says, else the one in your data folder)",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of matches from 1 is expected, not {text!r}")
    return min(int(text), 10**9)


def run(args: argparse.Namespace) -> int:
    """Print the matches. Raises ScorebookError when the book cannot be read."""
    path = scorebook_path(args.scorebook)
    if args.record is not None:
        print(record_text(path, args.record), end="")
        return 0
    summaries, problems = _read(path, None if args.all else args.last)
    if args.json:
        print(json.dumps(scores_json(path, summaries), indent=1))
    else:
        print(scores_text(path, summaries))
    for problem in problems:
        print(f"engarde scores: what follows in the scorebook cannot be read: {problem}.", file=sys.stderr)
    return 0


def _read(path: Path, last: int | None) -> tuple[tuple[Summary, ...], tuple[str, ...]]:
    book = read_scorebook(path)
    if book is None:
        return (), ()
    with book:
        all_played = tuple(book.replay_all(last=last))
    summaries = tuple(summary for played in all_played if (summary := summarise(played)) is not None)
    return summaries, tuple(played.problem for played in all_played if played.problem)


def record_text(path: Path, match_id: int) -> str:
    """One match as a game record. Raises ScorebookError when there is no such match."""
    book = read_scorebook(path)
    if book is None:
        raise ScorebookError(f"there is no scorebook {path} yet: play a match first.")
    with book:
        return book_exchange.record_text(book.replay(match_id))


def scores_json(path: Path, summaries: Sequence[Summary]) -> dict[str, Any]:
    """Everything as JSON. Times are ISO 8601 in local time, and only as right as the machine's clock was."""
    return {
        "scorebook": str(path),
        "matches": [_match_json(summary) for summary in summaries],
        "players": [
            {
                "name": line.name,
                "played": line.played,
                "won": line.won,
                "points_for": line.points_for,
                "points_against": line.points_against,
            }
            for line in players(_by_people(summaries))
        ],
    }


def _match_json(summary: Summary) -> dict[str, Any]:
    match = summary.match
    return {
        "id": match.id,
        "begun": _local(match.wall_s).isoformat(timespec="seconds"),
        "mode": match.mode,
        "seed": match.seed,
        "white": match.names.white,
        "black": match.names.black,
        "rules": summary.rules,
        "points": summary.points,
        "starter": summary.starter.value,
        "score": {"white": summary.score.white, "black": summary.score.black},
        "winner": summary.winner.value if summary.winner is not None else None,
        "finished": summary.finished,
        "rounds": summary.rounds,
        "turns": summary.turns,
        "reasons": {reason.value: count for reason, count in summary.reasons.items()},
        "readable": not summary.problem,
    }


def scores_text(path: Path, summaries: Sequence[Summary]) -> str:
    """The tables as text: matches, then the players of those that people played."""
    if not summaries:
        return f"No matches yet in {path}."
    lines = table(
        ("no.", "begun", "white", "black", "score", "winner", "rules", "rounds", "turns", "rounds ended by"),
        [_match_line(summary) for summary in summaries],
        right=(0, 7, 8),
    )
    people = players(_by_people(summaries))
    if people:
        lines += ["", *table(("player", "matches", "won", "points"), [_player_line(line) for line in people], (1, 2))]
    return "\n".join(lines)


def _by_people(summaries: Sequence[Summary]) -> list[Summary]:
    """Bots' matches say nothing about the players in this house."""
    return [summary for summary in summaries if summary.match.mode != "demo"]


def _match_line(summary: Summary) -> tuple[str, ...]:
    match, score = summary.match, summary.score
    unknown = "?" if summary.problem else "not finished"
    begun = _local(match.wall_s)
    return (
        str(match.id),
        begun.strftime("%Y-%m-%d %H:%M") if begun.year >= FIRST_YEAR else "no clock",
        *(match.names[side] for side in Side),
        f"{score.white}:{score.black}",
        match.names[summary.winner] if summary.winner is not None else unknown,
        summary.rules + (f" demo {match.seed}" if match.mode == "demo" else ""),
        str(summary.rounds),
        str(summary.turns),
        ", ".join(f"{count} {REASON_WORDS[reason]}" for reason, count in summary.reasons.items()) or "-",
    )


def _player_line(line: PlayerLine) -> tuple[str, ...]:
    return (line.name, str(line.played), str(line.won), f"{line.points_for}:{line.points_against}")


def _local(wall_s: float) -> datetime:
    try:
        return datetime.fromtimestamp(wall_s).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0).astimezone()


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Lines of columns as wide as their widest cell, under a ruled heading; ``right`` are flush right."""
    cells = [[_printable(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(head))]
    lines = [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def _printable(text: str) -> str:
    """A name cannot move the cursor or break the table."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
