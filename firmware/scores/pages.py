"""A match of the scorebook as a page: the fight from its record, the ratings from everybody's history."""

from __future__ import annotations

from collections.abc import Iterator

from display.page.curve import Curve
from display.page.page import About, match_page
from display.page.story import story
from engine.rules.track import BySide
from firmware.names import person_key
from firmware.scorebook.book import Played
from firmware.scorebook.exchange import date_of
from firmware.scorebook.file import ScorebookError
from firmware.scores.players import House


def page_of(played: Played, house: House, language: str) -> str:
    """The page of this match in this language. Raises ScorebookError when not even its first event can be read."""
    if played.course is None:
        raise ScorebookError(f"nothing of match {played.match.id} can be read: {played.problem}.")
    match = played.match
    steps = ((step.entry, step.state, step.ruling) for step in played.course.steps)
    about = About(match.id, date_of(match), played.finished, tuple(_curves(match.id, match.names, house)))
    return match_page(story(steps, match.names, language), about)


def _curves(match_id: int, names: BySide[str], house: House) -> Iterator[Curve]:
    """How both players' ratings went up to this match; nobody's who has none by then."""
    for side, name in names.items():
        player = house.player(person_key(name))
        after = player.rating.after if player is not None and player.rating is not None else ()
        values = tuple((number, rating.points, *rating.range_95) for number, rating in after if number <= match_id)
        if values:
            yield Curve(side, values)
