"""A match of the scorebook as a page: the fight from its record, the ratings from everybody's history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from display.i18n import Words, words
from display.page.page import About, match_page
from display.page.story import story
from display.page.svg import Curve
from display.words.review import review_view, turning_lines
from display.words.sentences import words_for
from engine.rules.track import BySide
from firmware.book.scorebook.book import MatchRow, Played
from firmware.book.scorebook.file import ScorebookError
from firmware.book.scorebook.modes import AT_A_TABLE
from firmware.book.scores.history import Summary
from firmware.book.scores.players import House, house
from firmware.book.scores.reviewing import OnProgress, reviewed_rounds
from firmware.core.clock import calendar
from firmware.core.names import person_key


def page_of(played: Played, house: House, language: str, tell: OnProgress = lambda _: None) -> str:
    """The page of this match in this language. Raises ScorebookError when not even its first event can be read.

    ``tell`` is told how far the review is, which takes some seconds a round.
    """
    if played.course is None:
        raise ScorebookError(f"nothing of match {played.match.id} can be read: {played.problem}.")
    match = played.match
    steps = ((step.entry, step.state, step.ruling) for step in played.course.steps)
    curves = tuple(_curves(match.id, match.names, house))
    say = words_for(language, match.names)
    rounds = reviewed_rounds(played, tell)
    views = tuple(review_view(say, number, found, len(found)) for number, found in rounds)
    turning = turning_lines(say, rounds)
    about = About(match.id, day_of(words(language), match), played.finished, curves, views, turning)
    return match_page(story(steps, match.names, language), about)


def those_like(match: MatchRow, everybody: Sequence[Summary]) -> House:
    """Everybody in the matches among which this one counts: those at a table, or those played where it was."""
    return house(everybody, modes=AT_A_TABLE if match.mode in AT_A_TABLE else (match.mode,))


def day_of(say: Words, match: MatchRow) -> str:
    """The day of a match as the players' language writes it, empty where the machine had no clock."""
    began = calendar(match.wall_s)
    return "" if began is None else say.day(began.date())


def _curves(match_id: int, names: BySide[str], house: House) -> Iterator[Curve]:
    """How both players' ratings went up to this match; nobody's who has none by then."""
    for side, name in names.items():
        player = house.player(person_key(name))
        after = player.rating.after if player is not None and player.rating is not None else ()
        values = tuple((number, rating.points, *rating.range_95) for number, rating in after if number <= match_id)
        if values:
            yield Curve(side, values)
