"""Matches and players for other programs: JSON and CSV. What was on the table, cards and hands, is in neither.

JSON, ``engarde scores --json``: ``scorebook`` (the file), ``preset`` (null for all), ``matches`` and ``players``.

A match: ``id`` ``begun`` (ISO 8601, local, as right as the machine's clock was) ``mode`` (where: ``play`` at a table,
``by_hand`` at one without a camera, ``simulated`` by people, ``demo`` by bots) ``seed`` ``white`` ``black`` (names)
``rules`` ``points`` (to win) ``starter`` ``score`` ``winner`` (a side or null) ``finished`` ``rounds`` (begun)
``turns`` ``reasons`` (how often rounds ended so) ``points_by`` (for each side, how its points were made) ``readable``
(false: its rows end before it does).

A player: ``name`` ``played`` ``won`` ``lost`` (finished matches) ``unfinished`` ``points_for`` ``points_against``
``form`` (the last ten matches, newest last, ``"W"`` or ``"L"``) ``streak`` (matches won until now; negative: lost)
``longest_streak`` ``points_by`` ``conceded_by`` ``against`` (a list: ``name`` ``played`` ``won`` ``lost``
``points_for`` ``points_against``) ``starts`` (``matches`` ``rounds`` ``rounds_won`` begun by this player,
``other_rounds`` ``other_rounds_won`` by the opponents) ``rounds`` ``drawn_rounds`` ``turns`` (of finished rounds)
``rating`` (null, or ``points`` ``deviation`` ``volatility`` ``low_95`` ``high_95`` ``unsure``) ``ratings`` (after each
match: ``match`` ``points`` ``low_95`` ``high_95``) ``presets`` (a rating for each preset played).

How a point was made: ``touch_direct`` ``touch_indirect`` ``cards`` ``distance`` ``stuck``; ``corrected`` is what a
score set by hand has beyond the points made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from engine.rules.track import Side
from firmware.book.scores.history import How, Summary
from firmware.book.scores.players import House, Player
from firmware.book.scores.ratings import Rating, RatingLine
from firmware.core.io.output import csv_text

CSV_HEAD: Final = (
    *("id", "begun", "mode", "seed", "white", "black", "rules", "points", "starter", "white_points", "black_points"),
    *("winner", "finished", "rounds", "drawn_rounds", "turns"),
    *(f"{side.value}_{how.value}" for side in Side for how in How),
    "readable",
)


def match_json(summary: Summary) -> dict[str, Any]:
    """One match, see above."""
    match = summary.match
    return {
        "id": match.id,
        "begun": _local_time(match.wall_s).isoformat(timespec="seconds"),
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
        "points_by": {side.value: _by_how(summary.points_by(side)) for side in Side},
        "readable": not summary.problem,
    }


def _local_time(wall_s: float) -> datetime:
    """This moment in local time; 1970 for what is no time."""
    try:
        return datetime.fromtimestamp(wall_s).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0).astimezone()


def scores_json(book: str, whole: House, last: int | None, preset: str | None) -> dict[str, Any]:
    """Everything, see above; only the last so many matches (None: all), but every player's whole history."""
    shown = whole.summaries if last is None else whole.summaries[-last:]
    return {
        "scorebook": book,
        "preset": preset,
        "matches": [match_json(summary) for summary in shown],
        "players": [player_json(player, whole) for player in whole.players],
    }


def player_json(player: Player, whole: House) -> dict[str, Any]:
    """One player of the house, see above."""
    counted, length = player.tally, player.lengths
    after = player.rating.after if player.rating is not None else ()
    return {
        "name": player.name,
        **asdict(counted),
        "lost": counted.lost,
        "unfinished": player.unfinished,
        "form": ["W" if won else "L" for won in player.form],
        "streak": player.streak,
        "longest_streak": player.longest_streak,
        "points_by": _by_how(player.points_by),
        "conceded_by": _by_how(player.conceded_by),
        "against": [
            {"name": whole.name(key), **asdict(each), "lost": each.lost} for key, each in player.against.items()
        ],
        "starts": asdict(player.starts),
        "rounds": length.rounds,
        "drawn_rounds": length.drawn,
        "turns": length.turns,
        "rating": _rating_json(player.rating),
        "ratings": [
            {"match": match_id, "points": round(rating.points, 1), **_range_json(rating)} for match_id, rating in after
        ],
        "presets": {preset: _rating_json(same.rating) for preset, same in whole.under(player).items()},
    }


def _by_how(counts: Mapping[How, int]) -> dict[str, int]:
    return {how.value: count for how, count in counts.items()}


def _rating_json(line: RatingLine | None) -> dict[str, Any] | None:
    if line is None:
        return None
    now = line.now
    return {
        "points": round(now.points, 1),
        "deviation": round(now.deviation, 1),
        "volatility": round(now.volatility, 5),
        **_range_json(now),
        "unsure": line.unsure,
    }


def _range_json(rating: Rating) -> dict[str, float]:
    low, high = rating.range_95
    return {"low_95": round(low, 1), "high_95": round(high, 1)}


def matches_csv(summaries: Sequence[Summary]) -> str:
    """A line of ``CSV_HEAD`` and one for each match."""
    return csv_text([CSV_HEAD, *map(_csv_row, summaries)])


def _csv_row(summary: Summary) -> tuple[object, ...]:
    told = match_json(summary)
    return (
        *(told[key] for key in ("id", "begun", "mode", "seed", "white", "black", "rules", "points", "starter")),
        *(summary.score[side] for side in Side),
        told["winner"],
        _yes_no(summary.finished),
        summary.rounds,
        sum(each.how is None for each in summary.ended),
        summary.turns,
        *(count for side in Side for count in summary.points_by(side).values()),
        _yes_no(not summary.problem),
    )


def _yes_no(true: bool) -> str:
    return "yes" if true else "no"
