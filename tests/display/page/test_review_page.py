"""The review of a round, in words and as a graph: it shows what was worked out, and mixes no mistake with luck."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from functools import cache

import pytest

from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT
from display.i18n import LANGUAGES
from display.page.page import About, match_page
from display.page.story import story
from display.page.svg import chances
from display.view import Mark
from display.words.review import ReviewView, better_text, review_lines, review_view, share_text, turning_lines
from display.words.sentences import words_for
from engine.record.course import Course, follow
from engine.record.retelling import finished_rounds
from engine.review.chance import Chance
from engine.review.judging import Judged, Kind, Method, Sign
from engine.review.proof import GIVES_UP, Basis, Better
from engine.review.review import Reviewed, Why, review
from engine.rules.events import RevealEvent, YieldEvent
from engine.rules.legal import Play
from engine.rules.state import Attack, AttackKind, Phase
from engine.rules.track import Side
from tests.display.drawn import draw_menu
from tests.display.menu_showcase import shown_pages
from tests.display.page.test_page import NAMES, a_match

FEW = 20
EVEN = Chance(0.5, 0.5, 0.5, exact=True)


@cache
def course_of(seed: int) -> Course:
    course: Course | None = None
    for event, _, _ in a_match(seed):
        course, _ = follow(course, event)
    assert course is not None
    return course


@cache
def reviewed(seed: int) -> tuple[tuple[int, tuple[Reviewed, ...]], ...]:
    return tuple((steps[-1].state.round, tuple(review(steps, FEW))) for steps in finished_rounds(course_of(seed)))


def views(seed: int, language: str) -> list[ReviewView]:
    say = words_for(language, NAMES)
    return [review_view(say, number, each, len(each)) for number, each in reviewed(seed)]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_better_is_said_and_only_mistakes_are_marked(language: str) -> None:
    for seed in range(3):
        for view, (_, each) in zip(views(seed, language), reviewed(seed), strict=True):
            better = [one for one in each if one.better is not None]
            assert len([line for line in view.lines if line.mark is Mark.GOOD]) == len(better)
            worse = [one.number for one in better if one.kind is not Kind.LUCK]
            assert [point.number for point in view.points if point.better] == worse
            assert len(view.points) == view.of + 1
            assert not view.progress


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_a_graph_for_every_round(language: str) -> None:
    course, told = course_of(0), tuple(views(0, language))
    events = ((step.entry, step.state, step.ruling) for step in course.steps)
    page = match_page(story(events, NAMES, language), About(1, "", True, (), told))
    assert page.count('class="review"') == len(told)
    assert page.count('class="curve"') == len(told)
    assert "<script" not in page
    assert not re.search(r"(https?:)?//(?!www\.w3\.org)", page)
    for view in told:
        assert view.title in page


def test_the_page_says_how_dashes_are_to_be_read_whichever_round_has_them() -> None:
    course, told = course_of(0), tuple(views(0, "en"))
    explained = words_for("en", NAMES).say("review.note_shown")
    without = replace(told[0], note="Without any.")
    with_dashes = replace(told[0], note=f"Without any. {explained}")
    events = [(step.entry, step.state, step.ruling) for step in course.steps]
    for reviews in ((without, with_dashes), (with_dashes, without)):
        page = match_page(story(events, NAMES, "en"), About(1, "", True, (), reviews))
        assert html.unescape(page).count(explained) == 1


def test_every_reason_sign_and_end_has_words() -> None:
    say = words_for("en", NAMES)
    number, each = reviewed(0)[0]
    review_view(say, number, each[:1], len(each))
    for basis in Basis:
        for value in (0.5, 1.0):
            better = Better(Side.WHITE, basis, Play(0, 0, 2), Play(0, 1, 0), value, 0.25)
            for why in Why:
                assert better_text(say, replace(each[0], why=why), better)
    for sign in (Sign.OK, Sign.GOOD, None):
        for number, found in reviewed(0):
            judged = [None if one.judged is None else replace(one.judged, sign=sign, better=None) for one in found]
            turning_lines(say, [(number, [replace(one, judged=what) for one, what in zip(found, judged, strict=True)])])
    step = next(one for one in each if one.judged is not None and one.step.state.result is None)
    for ended in ({"phase": Phase.REVEAL}, {"attack": Attack(Side.WHITE, AttackKind.DIRECT, 2, 1)}, {}):
        state = step.step.state._replace(**ended)
        end = replace(step, step=step.step._replace(state=state), judged=None, before=EVEN)
        for entry in (RevealEvent((), ()), YieldEvent()):
            last = replace(each[-1], step=each[-1].step._replace(entry=entry), judged=None)
            turning_lines(say, [(number, [end, last])])
    open_still = Judged(Side.WHITE, GIVES_UP, Method.JUDGED)
    review_lines(say, number, [replace(step, step=step.step._replace(entry=YieldEvent()), judged=open_still)])
    assert better_text(say, each[0], Better(Side.WHITE, Basis.SHOWN, Play(0, 2, 0), Play(0, 1, 0), 0.5, 0.25))
    turning = turning_lines(say, reviewed(0))
    assert turning
    about = About(1, "", True, (), tuple(views(0, "en")), turning)
    page = match_page(story(((step.entry, step.state, step.ruling) for step in course_of(0).steps), NAMES, "en"), about)
    assert html.unescape(page).count(turning[0]) == 1
    for seed in range(2):
        for number, each in reviewed(seed):
            assert review_lines(say, number, [replace(one, judged=None) for one in each])
    assert len({share_text(say, what) for what in ("scoreboard", "match", "play")}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_shown_hands_have_a_dashed_line_of_their_own_and_are_told(language: str) -> None:
    say, told = words_for(language, NAMES), 0
    for seed in range(4):
        for view, (number, each) in zip(views(seed, language), reviewed(seed), strict=True):
            lines = review_lines(say, number, each)
            drawn = str(chances(DEFAULT, view, ""))
            known = [point for point in view.points if point.shown is not None]
            assert bool(known) == ("stroke-dasharray" in drawn) == (say.say("review.note_shown") in view.note)
            assert drawn.count("<line") == 3 + sum(point.shown[1] < point.shown[2] for point in known if point.shown)
            for one in each:
                line = next(line for line in lines if line.startswith(f"{one.number}. "))
                if one.shown_before is not None and one.shown_after is not None and one.better is not None:
                    told += 1
                    assert "%" in line
    assert told


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_estimated_is_told_with_its_limits_and_what_is_counted_without(language: str) -> None:
    """In whole percent that leave nothing out, from the side of whoever gained; else who is ahead, or nothing new."""
    say = words_for(language, NAMES)
    number, each = reviewed(0)[0]
    begun, *others = each
    exact, near = Chance(0.25, 0.25, 0.25, exact=True), Chance(0.5, 0.432, 0.551, exact=False)
    worse, open_still = Chance(0.1, 0.0, 0.123, exact=False), Chance(0.6, 0.4, 0.61, exact=False)
    level = Chance(0.3, 0.2, 0.4, exact=False)
    half, tenth, sixty = ("50\u00a0(43\u201356)", "90\u00a0(87\u2013100)", "60\u00a0(40\u201361)")
    for after, shown, told in (
        (near, None, ["25", half]),
        (exact, None, []),
        (level, None, ["70"]),
        (worse, None, ["75", tenth]),
        (near, open_still, ["25", half, "25", sixty]),
    ):
        better = Better(Side.WHITE, Basis.EVERY_HAND, Play(0, 0, 2), Play(0, 1, 0))
        judged = Judged(Side.WHITE, better.taken, Method.JUDGED, Sign.BLUNDER, better, 0.25, 1.0)
        known = None if shown is None else exact
        one = replace(begun, before=exact, after=after, judged=judged, shown_before=known, shown_after=shown)
        text = review_lines(say, number, [one, *others])[1]
        place = 0
        for figure in told:
            place = text.index(figure, place) + len(figure)
        assert text.count("(") == sum("(" in figure for figure in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scale_is_written_as_the_language_writes_it(language: str) -> None:
    written = [label for _, label in views(1, language)[0].scale]
    assert written == (["0%", "50%", "100%"] if language in ("en", "nl") else ["0\u00a0%", "50\u00a0%", "100\u00a0%"])
    assert re.findall(r">(\d+\W?%)<", str(chances(DEFAULT, views(1, language)[0], ""))) == written
    each = next(each for each in shown_pages(language) if each.name == "past_round-last")
    drawn = [text.text for text in draw_menu(new_surface(800, 480), each.page, each.menu, language, DEFAULT).texts]
    assert [text for text in drawn if text in written] == written
