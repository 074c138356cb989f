"""Hints, advice and a round told again in words: every sentence, in four languages, and on the smallest screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from display.draw.theme import LOOKS
from display.i18n import LANGUAGES, words
from display.view import NO_NAMES, Helped, PanelView, Situation, Tone
from display.words.advice import (
    advice_panel,
    hints_panel,
    noticed,
    percent,
    plain_chance,
    questioned,
    short_chance,
    wrong_hand_panel,
)
from display.words.present import present
from display.words.retelling import moment_text, retold_lines, retold_panel, retold_situation
from display.words.sentences import words_for
from engine.odds import options, public_hints
from engine.record.corrections import Correction, Setting
from engine.record.course import Course, follow
from engine.record.retelling import Highlight, HighlightKind, RetoldPage, finished_round, retell
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, YieldEvent
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, PlayerView
from engine.rules.track import BySide, Side
from tests.display.coach_showcase import coach_situations
from tests.display.covering import PRINTS
from tests.display.drawn import draw_table
from tests.display.print_sizes import unpainted
from tests.display.showcase import APPROACH, LONG_ROUND, cards, play, turn
from tests.matches import match_of

TOPICS = ("coach", "retelling")


@cache
def rounds() -> tuple[tuple[tuple[FullState, ...], Course], ...]:
    """Random rounds of every preset: the tables at which somebody was to act, and the course of the match."""
    made = []
    for seed in range(24):
        tables: list[FullState] = []
        course: Course | None = None
        for event, _, state, before, _ in match_of(MatchEvent(sorted(RULE_SETS)[seed % 3], points=9), Random(seed)):
            course, _ = follow(course, event)
            if before is not None and before.public.to_act is not None:
                tables.append(before)
            if state.result is not None:
                break
        assert course is not None
        made.append((tuple(tables), course))
    return tuple(made)


def panels(language: str) -> Iterator[PanelView]:
    """What would be shown in these rounds."""
    say = words(language)
    for tables, course in rounds():
        for full in tables:
            side = full.public.to_act
            assert side is not None
            told = public_hints(full.public)
            assert told is not None
            yield hints_panel(say, told)
            view = full.view(side)
            for other in (None, full.hands[side.other]):
                yield advice_panel(say, view, options(view, other))
        for page in (*retell(finished_round(course)), *retell(finished_round(corrected()))):
            yield retold_panel(say, page)
    state, _ = play(*LONG_ROUND, turn("5c 4c", 18, 22))
    pressed, _ = play(*APPROACH, turn("5a 5b 5c", 9, 14))
    told = public_hints(pressed._replace(spaces=BySide(1, 6)))
    assert told is not None
    yield hints_panel(say, told)
    last = PlayerView(state, Side.BLACK, cards("4d 1e 2d 3d 5d"))
    yield advice_panel(say, last, options(last))


def wrong_hands(language: str) -> Iterator[PanelView | None]:
    say = words(language)
    hand = cards("1a 2a 3a 4a 5a")
    yield wrong_hand_panel(say, Side.WHITE, hand, 5, ())
    yield wrong_hand_panel(say, Side.WHITE, (), 5, ())
    yield wrong_hand_panel(say, Side.BLACK, hand[:3], 5, ())
    yield wrong_hand_panel(say, Side.WHITE, hand, 4, ())
    yield wrong_hand_panel(say, Side.WHITE, hand, 5, cards("2b"))
    yield wrong_hand_panel(say, Side.WHITE, hand, 5, cards("2b 3c"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_hand_is_told_to_its_player_by_name(language: str) -> None:
    say = words_for(language, BySide("Ana", "Ben"))
    for gone in ("2b", "2b 3c"):
        panel = wrong_hand_panel(say, Side.BLACK, cards("1a 2a 3a 4a 5a"), 5, cards(gone))
        assert panel is not None
        assert "Ben" in panel.lines[0].text
        assert say.say("name.black") not in panel.lines[0].text


def corrected() -> Course:
    """A round in which the figures were set outright, given up then."""
    course: Course | None = None
    for entry in (
        MatchEvent("ferti-advanced"),
        *APPROACH,
        Correction((Setting(figures=BySide(9, 18)),)),
        YieldEvent(()),
    ):
        course, _ = follow(course, entry)
    assert course is not None
    return course


def all_moments() -> Iterator[Highlight]:
    for kind in HighlightKind:
        for count, left in ((1, 2), (2, 2), (2, 1)):
            yield Highlight(kind, Side.WHITE, 3, count, left, 4, 1, 2)
    yield Highlight(HighlightKind.POSITION, white=3, black=3)


@pytest.mark.slow
def test_every_moment_chance_and_question_has_words(shown: Mapping[str, Situation]) -> None:
    say = words("en")
    for moment in all_moments():
        assert moment_text(say, moment)
    for chance in (Fraction(0), Fraction(1, 1000), Fraction(1, 3), Fraction(999, 1000), Fraction(1)):
        assert short_chance(say, chance)
    for mode in ("hints", "open"):
        for agreed in (None, Side.BLACK):
            present(questioned(shown["advance"], mode, agreed))
        present(noticed(shown["advance"], f"on_{mode}"))
    for key in ("no", "off", "alone"):
        assert noticed(shown["advance"], key).helped.verdict.tone is Tone.READY  # type: ignore[union-attr]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_whole_in_every_language(language: str) -> None:
    seen = set()
    for panel in (*panels(language), *wrong_hands(language)):
        for line in panel.lines if panel is not None else ():
            assert line.text[0].isupper() or line.text[0].isdigit(), line
            assert line.text.endswith(".") or (line.cards and line.text[-1].isalpha()), "cards stand for what they show"
            assert "{" not in line.text
            assert "None" not in line.text
            seen.add(line.text)
    assert len(seen) > 300


def leaves(situation: Situation, size: tuple[int, int], theme: str, check: Callable[..., None]) -> int:
    """On how many leaves all lines of the panel are found."""
    view = present(situation)
    lines = () if view.panel is None else view.panel.lines
    wanted = {line.text for line in lines}
    for turned in range(max(1, len(lines))):
        surface = unpainted(*size)
        leaf = replace(view, panel=view.panel and replace(view.panel, turned=turned))
        texts = draw_table(surface, leaf, theme=LOOKS[theme])
        check(texts, surface.get_rect(), (situation.helped.panel, size, theme))
        wanted -= {text.text for text in texts}
        if not wanted:
            return turned + 1
    raise AssertionError(f"never shown: {wanted}")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_and_what_decided_a_round_fit_on_the_smallest_screen(
    language: str, check_texts: Callable[..., None]
) -> None:
    """All that is said: in usual print on two leaves at most, and in large print leaf by leaf."""
    rng = Random(1)
    say = words(language)
    sampled: list[tuple[FullState, PanelView]] = []
    for tables, _ in rounds():
        full = rng.choice(tables)
        told = public_hints(full.public)
        assert told is not None
        side = full.public.to_act
        assert side is not None
        view = full.view(side)
        sampled += [(full, hints_panel(say, told)), (full, advice_panel(say, view, options(view)))]
    for full, panel in sampled[:16]:
        state, ruling = play(RoundEvent())
        situation = Situation(full.public, ruling, language=language, helped=Helped(panel=panel))
        assert leaves(situation, (800, 480), "parchment", check_texts) <= 2
        assert leaves(situation, (800, 480), "large", check_texts) <= len(panel.lines)
        assert state.round == 1


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_told_again_fits_and_shows_the_table_of_each_turn(
    shown: Mapping[str, Situation], language: str, check_texts: Callable[..., None]
) -> None:
    now = replace(shown["more_cards"], language=language)
    for _, course in rounds()[:3]:
        for page in retell(finished_round(course)):
            situation = retold_situation(page, now)
            view = present(situation)
            assert view.piste.fencers.map(lambda fencer: fencer.space) == page.step.state.spaces
            assert view.serial == now.verdicts
            assert leaves(situation, (800, 480), "parchment", check_texts) == 1


def test_a_round_is_told_in_lines_of_text() -> None:
    pages = retell(finished_round(rounds()[0][1]))
    lines = retold_lines(pages, "en", NO_NAMES)
    assert [line[:4] for line in lines if line[3] == "."] == [f"{page.number:3}." for page in pages]
    assert len(lines) > len(pages)
    assert any("[" in line for line in lines)


@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (Fraction(1, 3), "about 1 in 3 (33.3%)"),
        (Fraction(37, 100), "about 2 in 5 (37.0%)"),
        (Fraction(1, 2), "about 1 in 2 (50.0%)"),
        (Fraction(1, 53130), "hardly ever (0.1%)"),
        (Fraction(53129, 53130), "almost always (99.9%)"),
        (Fraction(0), "impossible"),
        (Fraction(1), "certain"),
    ],
)
def test_a_chance_in_plain_words_with_the_figure(chance: Fraction, expected: str) -> None:
    assert short_chance(words("en"), chance) == expected


def test_no_chance_is_called_certain_that_is_not() -> None:
    say = words("en")
    for number in range(1, 200):
        chance = Fraction(number, 200)
        assert plain_chance(say, chance) not in ("certain", "impossible")
        shown = float(percent(say, chance).removesuffix("%"))
        assert abs(shown - 100 * float(chance)) <= 0.1
        assert 0 < shown < 100


def test_a_hand_that_lies_well_has_nothing_wrong() -> None:
    assert wrong_hand_panel(words("en"), Side.WHITE, cards("1a 2a 3a 4a 5a"), 5, ()) is None
    panel = wrong_hand_panel(words("en"), Side.WHITE, cards("1a 2a"), 5, (Card(3, "b"),))
    assert panel is not None
    assert [line.text.split()[0] for line in panel.lines] == ["3b", "White:"]


def test_the_turn_that_decided_is_marked() -> None:
    for _, course in rounds():
        pages = retell(finished_round(course))
        assert _decided(pages[-1]) or any(page.decided for page in pages)


def _decided(page: RetoldPage) -> bool:
    return "decided" in retold_panel(words("en"), page).title


@pytest.mark.slow
@pytest.mark.parametrize("theme", PRINTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_coachs_screens_fit(language: str, theme: str, check_texts: Callable[..., None]) -> None:
    """At the smallest and at a common size; on leaves in large print, and in usual print where six turns are told."""
    for name, situation in coach_situations(language).items():
        for size in ((800, 480), (1280, 720)):
            count = leaves(situation, size, theme, check_texts)
            most = 2 if name == "open_attack_direct" else 1
            assert count <= most or LOOKS[theme].large_print, (name, size, count)
