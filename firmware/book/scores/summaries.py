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
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import engine.record
import engine.rules
from engine.rules.track import BySide, Side
from engine.strict.text import Bounds, MalformedError, Plain, json_of
from engine.strict.values import AsList, plain, read
from firmware.book.scorebook import book as scorebook
from firmware.book.scorebook.book import MatchRow, Scorebook
from firmware.book.scorebook.people import event_texts
from firmware.book.scores import history
from firmware.book.scores.history import RoundFacts, Summary, summarise
from firmware.core.config import NoHomeError, cache_folder
from firmware.core.io.files import read_text, write_state

MAX_KEPT: Final = 1 << 27
"""Bytes: several hundred thousand matches."""


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
                kept[digest] = plain(_KEPT, summary)
    if file is not None and kept != known:
        _save(file, kept)
    return tuple(summaries), tuple(problems)


def digests(book: Scorebook) -> Mapping[int, str]:
    """Of every match by its number: equal digests are equal events in the same order."""
    hashes: dict[int, Any] = {}
    for match_id, seq, event in event_texts(book):
        digest = hashes.get(match_id) or hashes.setdefault(match_id, hashlib.blake2b(digest_size=16))
        digest.update(f"{seq} {event}\n".encode("utf-8", "surrogatepass"))
    return {match_id: digest.hexdigest() for match_id, digest in hashes.items()}


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


class _Kept(NamedTuple):
    """A finished match's result, without names."""

    rules: str
    points: int
    starter: Side
    score: BySide[int]
    winner: Side | None
    rounds: int
    turns: int
    ended: tuple[Annotated[RoundFacts, AsList()], ...]


_KEPT: Final = Annotated[_Kept, AsList()]


class _File(NamedTuple):
    code: str
    matches: Mapping[str, Any]
    """Each a ``_Kept``, read where its match is looked for."""


def _known(match: MatchRow, raw: Plain) -> Summary | None:
    """The finished match that the cache has; None where it has none that can be used."""
    try:
        kept: _Kept = read(_KEPT, raw)
    except MalformedError:
        return None
    return Summary(match=match, finished=True, problem="", **kept._asdict())


def _load(file: Path) -> Mapping[str, Any]:
    try:
        kept = read(_File, json_of(read_text(file, MAX_KEPT), Bounds(MAX_KEPT)))
    except (OSError, MalformedError):
        return {}
    return kept.matches if kept.code == code_digest() else {}


def _save(file: Path, kept: Mapping[str, Any]) -> None:
    """A folder that is read-only means doing without."""
    with contextlib.suppress(OSError):
        write_state(file, json.dumps(plain(_File, _File(code_digest(), kept))))
