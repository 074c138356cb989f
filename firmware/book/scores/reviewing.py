"""A match reviewed, as a page, as text and as a list for other programs: chances, a sign for each turn, the better one.

On a page the fight is told from the match's record, the ratings from everybody's history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from display.i18n import words
from display.page.page import About, match_page
from display.page.story import story
from display.page.svg import Curve
from display.words.retelling import retold_lines
from display.words.review import note_on, review_lines, review_view, turning_lines
from display.words.sentences import words_for
from engine.record.retelling import finished_rounds, retell
from engine.review.chance import Chance
from engine.review.judging import Kind
from engine.review.review import Reviewed, better_event, review
from engine.rules.events import event_to_json
from engine.rules.track import BySide
from firmware.book.scorebook.book import MatchRow, Played
from firmware.book.scorebook.file import ScorebookError
from firmware.book.scorebook.schema import AT_A_TABLE
from firmware.book.scores.history import Summary
from firmware.book.scores.players import House, house
from firmware.book.scores.telling import day_of
from firmware.core.errors import EngardeError
from firmware.core.names import person_key

DIGITS: Final = 4
"""Of a chance: more than its limits leave open."""
OnProgress = Callable[[str], None]


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


def _curves(match_id: int, names: BySide[str], house: House) -> Iterator[Curve]:
    """How both players' ratings went up to this match; nobody's who has none by then."""
    for side, name in names.items():
        player = house.player(person_key(name))
        after = player.rating.after if player is not None and player.rating is not None else ()
        values = tuple((number, rating.points, *rating.range_95) for number, rating in after if number <= match_id)
        if values:
            yield Curve(side, values)


def review_json(played: Played, tell: OnProgress = lambda _: None) -> list[dict[str, Any]]:
    """Every turn of the rounds that are over. Raises EngardeError where there is none.

    An object each: ``round`` ``turn`` (in its round, from 1) ``player`` (null for both) ``chance_before``
    ``chance_after`` (White's, the least and the most) ``sign`` ``kind`` ``price_played`` ``price_better`` ``proved``
    and ``better``, as ``FORMATS.md`` has them.
    """
    told = []
    for number, found in _some_round(played, tell):
        steps = [each.step for each in found]
        for each in found:
            event = None if each.better is None else better_event(steps, each.number - 1, each.better)
            judged = each.judged
            kind = None if judged is None or event is None else judged.kind
            told.append(
                {
                    "round": number,
                    "turn": each.number,
                    "player": None if each.side is None else each.side.value,
                    "chance_before": _limits(each.before),
                    "chance_after": _limits(each.after),
                    "sign": None if judged is None or judged.sign is None else judged.sign.value,
                    "kind": None if kind is None else kind.value,
                    "price_played": None if judged is None else _price(judged.price_taken),
                    "price_better": None if judged is None else _price(judged.price_better),
                    "proved": kind is Kind.MISTAKE,
                    "better": None if event is None else event_to_json(event),
                }
            )
    return told


def review_text(played: Played, language: str, tell: OnProgress = lambda _: None) -> str:
    """The same for people, in this language. Raises EngardeError where no round is over."""
    say = words_for(language, played.match.names)
    rounds = _some_round(played, tell)
    views = (review_view(say, number, found, len(found)) for number, found in rounds)
    told = ("\n".join(review_lines(say, number, found)) for number, found in rounds)
    turning = turning_lines(say, rounds)
    headed = ["\n".join((say.say("review.turning_points"), *turning))] if turning else []
    return "\n\n".join((*told, *headed, note_on(views)))


def _price(chance: float | None) -> float | None:
    return None if chance is None else round(chance, DIGITS)


def _limits(chance: Chance) -> list[float]:
    return [round(chance.low, DIGITS), round(chance.high, DIGITS)]


def reviewed_rounds(played: Played, tell: OnProgress = lambda _: None) -> list[tuple[int, list[Reviewed]]]:
    """The rounds that are over, each with its number. It takes some seconds a round: ``tell`` hears how far it is."""
    rounds = finished_rounds(played.course)
    told = []
    for place, steps in enumerate(rounds, 1):
        found: list[Reviewed] = []
        for each in review(steps):
            found.append(each)
            tell(f"round {place} of {len(rounds)}, turn {each.number} of {each.of}")
        told.append((steps[-1].state.round, found))
    tell("")
    return told


def _some_round(played: Played, tell: OnProgress) -> list[tuple[int, list[Reviewed]]]:
    rounds = reviewed_rounds(played, tell)
    if not rounds:
        raise EngardeError(f"match {played.match.id} has no round that is over, so there is none to review.")
    return rounds


def retold(played: Played, number: int | None, language: str) -> str:
    """The round of this number (None: the last that is over), with a heading, in this language.

    Raises EngardeError where the match has no such round, or none that is over.
    """
    rounds = finished_rounds(played.course)
    told = {steps[-1].state.round: steps for steps in rounds}
    match = f"match {played.match.id}"
    if not told:
        raise EngardeError(f"{match} has no round that is over, so there is none to tell again.")
    wanted = max(told) if number is None else number
    if wanted not in told:
        raise EngardeError(f"{match} has no round {wanted} that is over: its rounds are 1 to {max(told)}.")
    steps = told[wanted]
    names, score = played.match.names, steps[-1].state.score
    say = words(language)
    heading = f"{say.say('retold.title', round=wanted)}: {names.white} {score.white}:{score.black} {names.black}"
    return "\n".join((heading, *retold_lines(retell(steps), language, names)))
