"""From what the eyes see, without a game, to the words under the picture of ``engarde watch``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from display.i18n import Words, words
from display.view import WatchView
from display.words.present import eyes_view
from display.words.sentences import side_name
from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from engine.table.observation import TableObservation

MINUTES_FROM_S: Final = 120
"""From so many seconds on a time is told in minutes: nobody thinks in 156 seconds."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One moment of watching. ``spaces`` and ``cards`` are what the last frame alone shows.

    ``misses`` is how far the corner markers are from where the calibration has them, root mean square in pixels and
    millimetres; None before the board was found. ``fps`` is frames looked at in a second, None while unknown.
    ``mirrored``: the picture is a mirror image.
    """

    table: TableObservation
    spaces: BySide[int | None]
    cards: Sequence[Card]
    misses: tuple[float, float] | None
    fps: float | None
    t_s: float
    paused: bool = False
    mirrored: bool = False


def watch_view(watched: Watched, language: str) -> WatchView:
    """The words for this moment. Raises ValueError for a language there is no catalogue of."""
    say = words(language)
    table = watched.table
    agreed_spaces = BySide(table.figures.white.space, table.figures.black.space)
    # A card in brackets lies under others.
    agreed = [f"({reading.card})" if reading.covered else str(reading.card) for reading in table.cards]
    return WatchView(
        eyes=eyes_view(say, table, mirrored=watched.mirrored),
        agreed=say.say("watch.agreed", table=_table(say, agreed_spaces, agreed)),
        frame=say.say("watch.frame", table=_table(say, watched.spaces, [str(card) for card in watched.cards])),
        technical=_technical(say, watched),
        keys=say.say("watch.paused" if watched.paused else "watch.keys"),
    )


def _table(say: Words, spaces: BySide[int | None], cards: Sequence[str]) -> str:
    stands = [_stands(say, side, space) for side, space in spaces.items()]
    lie = say.say("watch.cards", cards=" ".join(cards)) if cards else say.say("watch.no_cards")
    return " · ".join((*stands, lie))


def _stands(say: Words, side: Side, space: int | None) -> str:
    name = side_name(say, side)
    return say.say("watch.hidden", side=name) if space is None else say.say("watch.stands", side=name, space=space)


def _technical(say: Words, watched: Watched) -> str:
    parts = [f"{say.decimal(watched.t_s)} s"]
    if watched.fps is not None:
        parts.append(say.say("watch.fps", fps=say.decimal(watched.fps)))
    if watched.misses is None:
        parts.append(say.say("watch.no_board"))
    else:
        px, mm = watched.misses
        parts.append(say.say("watch.board", px=say.decimal(px, 2), mm=say.decimal(mm, 2)))
    return " · ".join(parts)


def review_caption(language: str, place: int, total: int, ago_s: float, *, judged: bool) -> str:
    """What is shown when looking back: the ``place``-th (from 1) of ``total`` frames, and how old it is."""
    key, say = "review.judged" if judged else "review.frame", words(language)
    return say.say(key, place=place, total=total, ago=age_text(say, ago_s))


def age_text(say: Words, ago_s: float) -> str:
    """How long ago something was: in seconds, and in minutes from two minutes on."""
    unit, count = seconds_or_minutes(ago_s)
    return say.say(f"review.{unit}", count=count)


def seconds_or_minutes(span_s: float) -> tuple[str, int]:
    """The unit this time is told in, ``seconds`` or from two minutes on ``minutes``, and how many of them it is."""
    seconds = round(span_s)
    return ("seconds", seconds) if seconds < MINUTES_FROM_S else ("minutes", round(span_s / 60))


def nothing_to_review(language: str) -> str:
    """What is said to whoever looks back before anything was kept."""
    return words(language).say("review.none")
