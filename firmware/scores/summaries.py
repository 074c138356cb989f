"""All matches of a scorebook in a line each, judged again only where that was not done before.

Refereeing a thousand matches takes a Pi a while, so what came out is kept in the user's cache folder: by a digest of
the match's rows and of the engine's own source, which is all that decides it. A changed row, a changed rule or a lost
cache costs time, never a wrong number. No name and no card is in it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import engine.record
import engine.rules
from engine.rules.state import Reason, Result
from engine.rules.track import BySide, Side
from engine.strict.text import Bounds, MalformedError, json_of
from firmware.config import NoHomeError, cache_folder
from firmware.io.files import read_text, write_state
from firmware.scorebook import book as scorebook
from firmware.scorebook.book import MatchRow, Scorebook
from firmware.scorebook.texts import digests
from firmware.scores import history
from firmware.scores.history import How, RoundFacts, Summary, summarise

MOST_KEPT: Final = 1 << 27
"""Bytes: several hundred thousand matches."""
SIDES: Final = {side.value: side for side in Side}


def read_summaries(book: Scorebook) -> tuple[tuple[Summary, ...], tuple[str, ...]]:
    """Every match in the book's order, and a sentence for each whose rows cannot all be read."""
    file: Path | None = None
    with contextlib.suppress(NoHomeError):
        file = cache_file(book.path)
    known = {} if file is None else _load(file)
    kept: dict[str, Any] = {}
    summaries: list[Summary] = []
    problems: list[str] = []
    known_digests = digests(book)
    for match in book.matches():
        digest = known_digests.get(match.id, "")
        summary = _known(match, known.get(digest))
        if summary is None:
            played = book.replay(match)
            summary = summarise(played)
            problems += [played.problem] if played.problem else []
        if summary is not None:
            summaries.append(summary)
            if summary.finished and not summary.problem:
                kept[digest] = to_json(summary)
    if file is not None and kept != known:
        _save(file, kept)
    return tuple(summaries), tuple(problems)


def cache_file(book: Path) -> Path:
    """Where the results of this book's matches are kept."""
    name = hashlib.blake2b(os.fsencode(book.resolve()), digest_size=8).hexdigest()
    return cache_folder() / f"matches-{name}.json"


@cache
def code_digest() -> str:
    """A digest of the source that turns rows into results."""
    digest = hashlib.blake2b(digest_size=16)
    sources = sorted(source for room in (engine.rules, engine.record) for source in Path(room.__path__[0]).glob("*.py"))
    for source in (*sources, *(Path(str(module.__file__)) for module in (scorebook, history)), Path(__file__)):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def to_json(summary: Summary) -> list[Any]:
    """What a match came to, without whose it was."""
    return [
        summary.rules,
        summary.points,
        summary.starter.value,
        [summary.score.white, summary.score.black],
        summary.winner and summary.winner.value,
        summary.rounds,
        summary.turns,
        [
            [
                each.starter.value,
                each.turns,
                each.result.winner and each.result.winner.value,
                each.result.reason.value,
                each.how and each.how.value,
                each.given_up,
            ]
            for each in summary.ended
        ],
    ]


def from_json(match: MatchRow, kept: Sequence[Any]) -> Summary:
    """The finished match this is. Raises ValueError, TypeError or KeyError for what ``to_json`` did not make."""
    rules, points, starter, (white, black), winner, rounds, turns, ended = kept
    return Summary(
        match=match,
        rules=rules,
        points=points,
        starter=SIDES[starter],
        score=BySide(white, black),
        winner=winner and SIDES[winner],
        finished=True,
        rounds=rounds,
        turns=turns,
        ended=tuple(
            RoundFacts(
                SIDES[began],
                parts,
                Result(won and SIDES[won], Reason(reason)),
                How(made) if made is not None else None,
                given_up,
            )
            for began, parts, won, reason, made, given_up in ended
        ),
        problem="",
    )


def _known(match: MatchRow, kept: Sequence[Any] | None) -> Summary | None:
    if kept is None:
        return None
    try:
        return from_json(match, kept)
    except (ValueError, TypeError, KeyError):
        return None


def _load(file: Path) -> Mapping[str, Any]:
    try:
        whole = json_of(read_text(file, MOST_KEPT), Bounds(MOST_KEPT))
    except (OSError, MalformedError):
        return {}
    if not isinstance(whole, dict) or whole.get("code") != code_digest() or not isinstance(whole.get("matches"), dict):
        return {}
    found: Mapping[str, Any] = whole["matches"]
    return found


def _save(file: Path, kept: Mapping[str, Any]) -> None:
    """A folder that is read-only means doing without."""
    with contextlib.suppress(OSError):
        write_state(file, json.dumps({"code": code_digest(), "matches": kept}))
