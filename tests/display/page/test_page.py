"""A match's page: whole, self-contained, escaped, in every language, and it shows what happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.draw.theme import DEFAULT
from display.i18n import LANGUAGES, words
from display.page.page import About, match_page, notice_page
from display.page.story import Role, Shot, Story, story
from display.page.svg import Curve, Markup, chart, element, joined
from engine.rules.events import Event, MatchEvent
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from tests.matches import match_of

VOID = {"meta", "br", "link", "img", "input", "hr"}
NAMES = BySide("Annegret", "Jean-Baptiste")
ABOUT = About(12, "2027-01-31", True)
Judged = list[tuple[Event, PublicState, Ruling]]


def a_match(seed: int, points: int = 2, rules: str = "ferti-advanced") -> Judged:
    """A whole match of two bots, judged."""
    played = match_of(MatchEvent(rules, Side.WHITE, points), Random(seed))
    return [(each.event, each.state, each.ruling) for each in played]


class Checker(HTMLParser):
    """Notes what is wrong with a page's tags, and gathers what it refers to and what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.tags: set[str] = set()
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href", "action", "data", "srcset", "poster"):
                self.references.append(value or "")
            if name.startswith("on") or name == "style":
                self.wrong.append(f"{tag} {name}")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.said.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.said).split())


def checked(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    assert checker.wrong == []
    assert len(checker.ids) == len(set(checker.ids))
    return checker


def test_a_page_is_whole_and_fetches_nothing() -> None:
    page = match_page(story(a_match(3), NAMES, "en"), ABOUT)
    found = checked(page)
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert found.references != []
    for reference in found.references:
        assert reference.startswith("#")
        assert reference[1:] in found.ids
    assert found.tags.isdisjoint({"script", "link", "img", "iframe", "object", "embed", "image", "foreignobject"})
    assert "url(" not in page
    assert "@import" not in page
    assert "://" not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_players_language(language: str) -> None:
    say = words(language)
    text = checked(match_page(story(a_match(3), NAMES, language), ABOUT)).text
    assert say.say("page.title", white=NAMES.white, black=NAMES.black) in text
    assert say.say("label.round", round=1) in text
    assert say.say("page.score") in text
    assert f'lang="{language}"' in match_page(story(a_match(3), NAMES, language), ABOUT)
    begins = {"en": "begins", "de": "beginnt", "fr": "commence", "nl": "begint"}[language]
    assert f"{say.say('label.round', round=1)} · {NAMES.white} {begins}" in text
    ends = re.findall(r"<p>([^<]+) \d : \d ([^<]+)</p>", match_page(story(a_match(3), NAMES, language), ABOUT))
    assert ends
    assert set(ends) == {(NAMES.white, NAMES.black)}, "by name, as everywhere on the page"
    if language != "en":
        assert "advances" not in text
        assert "Distance" not in text or language == "fr"


@pytest.mark.slow
@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
@settings(max_examples=25, deadline=None)
def test_a_name_is_never_markup(white: str, black: str) -> None:
    checked(_page_with(white, black))


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><svg onload=x>', "</title><b>", "&amp;", "]]>", "'"])
def test_a_name_that_would_be_markup_is_shown_as_it_is(name: str) -> None:
    found = checked(_page_with(name, "Bo"))
    assert "script" not in found.tags
    assert "b" not in found.tags
    assert " ".join(name.split()) in found.text


def _page_with(white: str, black: str) -> str:
    return match_page(story(SHORT, BySide(white, black), "en"), ABOUT)


SHORT = a_match(1, points=1)
"""One round, for tests that make many pages."""


def shots(told: Story) -> Iterator[Shot]:
    for chapter in told.chapters:
        yield from chapter.shots


@pytest.mark.slow
def test_what_each_card_was_laid_for() -> None:
    found = {}
    for seed in range(30):
        for shot in shots(story(a_match(seed), NAMES, "en")):
            roles = tuple(laid.role for laid in shot.laid)
            if "parries, advances" in shot.text:
                found["all"] = roles
            elif "advances" in shot.text and "attacks" in shot.text:
                found["indirect"] = roles
    assert found["indirect"][0] is Role.MOVE
    assert set(found["indirect"][1:]) == {Role.ATTACK}
    parried = [role for role in found["all"] if role is Role.PARRY]
    assert found["all"][: len(parried)] == tuple(parried)
    assert found["all"][len(parried)] is Role.MOVE
    assert set(found["all"][len(parried) + 1 :]) == {Role.ATTACK}


def test_a_match_that_was_cut_off_says_so() -> None:
    judged = a_match(3)
    cut = match_page(story(judged[:4], NAMES, "en"), About(1, "", False))
    assert "Not played to its end" in checked(cut).text
    assert "wins the match" not in cut
    opened = checked(match_page(story(judged[:1], NAMES, "en"), About(1, "", False)))
    assert "Score, round by round" not in opened.text
    assert "Score, round by round" in checked(match_page(story(judged, NAMES, "en"), ABOUT)).text
    with pytest.raises(ValueError, match="begins with a match event"):
        story(judged[1:1], NAMES, "en")


def test_what_a_correction_set_is_told() -> None:
    judged = a_match(3)
    state = judged[4][1]
    corrected = state._replace(spaces=BySide(2, 20), distance=18, previous=state)
    found = checked(
        match_page(story([*judged[:5], (object(), corrected, Ruling(True, "correct"))], NAMES, "en"), ABOUT)
    )
    assert "Set by a correction" in found.text
    assert "White on 2, Black on 20, distance 18" in found.text


def test_players_without_names_are_called_by_their_colours() -> None:
    text = checked(match_page(story(SHORT, BySide("White", "Black"), "de"), ABOUT)).text
    assert "Wei\u00df gegen Schwarz" in text
    assert "White" not in text


CURVES = (
    Curve(Side.WHITE, ((1, 1500.0, 900.0, 2100.0), (3, 1600.0, 1200.0, 2000.0))),
    Curve(Side.BLACK, ((1, 1500.0, 900.0, 2100.0), (2, 1400.0, 900.0, 1900.0), (3, 1420.0, 1000.0, 1840.0))),
)


def test_ratings_are_drawn_with_their_range() -> None:
    page = match_page(story(SHORT, NAMES, "en"), About(3, "", True, CURVES))
    found = checked(page)
    assert "Annegret 1600 \u00b1 400" in found.text
    assert "Jean-Baptiste 1420 \u00b1 420" in found.text
    assert page.count("<polyline") == 2
    assert "95 of 100" in found.text
    one = About(3, "", True, (Curve(Side.WHITE, CURVES[0].values[:1]),))
    assert "<polyline" not in match_page(story(SHORT, NAMES, "en"), one), "one match is no curve"


@given(
    st.lists(
        st.tuples(st.integers(1, 99), st.floats(500, 2500), st.floats(0, 700)),
        min_size=1,
        max_size=9,
        unique_by=lambda value: value[0],
    )
)
@settings(max_examples=40, deadline=None)
def test_a_curve_stays_in_its_picture(values: list[tuple[int, float, float]]) -> None:
    line = tuple((step, value, value - reach, value + reach) for step, value, reach in sorted(values))
    drawn = chart(DEFAULT, (Curve(Side.BLACK, line),), "x")
    for points in re.findall(r'points="([^"]*)"', drawn):
        for pair in points.split():
            x, y = (float(number) for number in pair.split(","))
            assert 0 <= x <= 640
            assert 0 <= y <= 240


def test_markup_escapes_what_is_none() -> None:
    assert element("p", "a < b & c") == "<p>a &lt; b &amp; c</p>"
    assert element("p", element("b", '"'), class_='x"y') == '<p class="x&quot;y"><b>&quot;</b></p>'
    assert joined("<", Markup("<")) == "&lt;<"
    assert element("use", href="#a", stroke_width=2, y=None) == '<use href="#a" stroke-width="2"/>'


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_a_whole_page(language: str) -> None:
    page = notice_page(language, "1 < 2 & 3")
    assert page.startswith(f'<!DOCTYPE html>\n<html lang="{language}">')
    assert '<p class="result">1 &lt; 2 &amp; 3</p>' in page
    assert "refresh" not in page
    assert '<meta http-equiv="refresh" content="5"/>' in notice_page(language, "Soon.", 5)
