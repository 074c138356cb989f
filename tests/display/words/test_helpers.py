"""What coach and companion say: every sentence, in four languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from display.i18n import LANGUAGES, words
from display.view import NO_NAMES, PanelView, Situation, Tone
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
from display.words.companion import (
    asked_text,
    companion_panel,
    companion_verdict,
    registering_panel,
    registering_verdict,
    what_it_does,
)
from display.words.present import present
from display.words.retelling import moment_text, retold_lines, retold_panel
from engine.companion.backs import CardShown, DeckBacks, Registration
from engine.companion.companion import LEVELS, Asked, CompanionWish, Plan, Strange, TurnProgress
from engine.odds import options, public_hints
from engine.record.corrections import Correction, Setting
from engine.record.course import Course, follow
from engine.record.retelling import Highlight, HighlightKind, finished_round, retell
from engine.rules.cards import DECK, Card
from engine.rules.events import MatchEvent, YieldEvent
from engine.rules.legal import GiveUp, Turn
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, PlayerView
from engine.rules.track import BySide, Side
from tests.display.showcase import APPROACH, LONG_ROUND, cards, play, turn
from tests.matches import match_of


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


def registrations() -> Iterator[Registration]:
    """Every outcome, with nothing known and with everything."""
    full = DeckBacks("A")
    for number, card in enumerate(DECK):
        full = full.with_back(card, f"ABCDE{'ABCDEFGHJKLMNPQRSTUVWXYZ23'[number]}")
    for said in CardShown:
        for backs in (DeckBacks("A"), full):
            yield Registration(backs, said=said, card=Card(3, "b"), other=Card(4, "a"))


ONE, TWO = (Card(2, "a"),), (Card(2, "a"), Card(2, "b"))
CHOICES = (
    Turn((), ONE[0]),
    Turn((), ONE[0], back=True),
    Turn((), None, ONE),
    Turn((), None, TWO),
    Turn(TWO, Card(1, "a"), TWO),
    Turn(ONE, Card(1, "a")),
    Turn(TWO, None),
    GiveUp(),
    GiveUp(ONE),
    GiveUp(TWO),
)


def asks() -> Iterator[Asked]:
    """Everything the companion asks for."""
    for wish in CompanionWish:
        if wish in (CompanionWish.TURN, CompanionWish.YIELD):
            for choice in CHOICES:
                if isinstance(choice, GiveUp) is (wish is CompanionWish.YIELD):
                    plan = Plan((), choice, tuple(range(1, len(choice.cards) + 1)), BySide(3, 14))
                    yield Asked(wish, plan.slots, len(plan.cards), plan)
        elif wish is CompanionWish.STRANGE:
            for strange in Strange:
                yield Asked(wish, (2,), 1, strange=strange)
                yield Asked(wish, (2, 4), 2, strange=strange)
        else:
            for slots in ((), (3,), (1, 2, 5)):
                yield Asked(wish, slots, len(slots))


def progresses() -> Iterator[TurnProgress | None]:
    """How far a turn may be."""
    yield None
    yield TurnProgress(ONE, (), (), 14, None, done=True)
    yield TurnProgress((), ONE, (), 14, 13, done=False)
    yield TurnProgress((), ONE, (Card(5, "e"),), 14, None, done=False)
    yield TurnProgress((), ONE, (Card(5, "e"), Card(4, "e")), 14, None, done=False)


HELD = (True, True, True, True, True)


def say_everything(language: str) -> list[str]:
    say = words(language)
    texts = [say.say(f"companion.level.{level}") for level in LEVELS]
    texts += [say.say(f"companion.menu.{name}") for name in ("against", "person")]
    texts += [say.say("companion.title", name="Companion (master)", side=say.say("name.black"))]
    texts += [say.say("companion.no_deck", known=3), say.say("companion.no_deck_hint")]
    for asked in asks():
        if asked.wish is not CompanionWish.NOTHING:
            texts.append(asked_text(say, asked, Side.BLACK))
        if asked.plan is not None:
            texts.append(what_it_does(say, asked.plan.choice))
        for progress in progresses():
            band = companion_verdict(say, asked, Side.BLACK, progress, by_button=True)
            texts += [band.headline, band.tag] if band is not None else []
            panel = companion_panel(say, "title", asked, Side.BLACK, progress, asked.plan, HELD)
            texts += [line.text for line in panel.lines]
    for registration in registrations():
        verdict, panel = registering_verdict(say, registration), registering_panel(say, registration, leaves=True)
        texts += [verdict.headline, verdict.hint, panel.title, *(line.text for line in panel.lines)]
    return texts


def test_the_band_is_the_referees_once_all_is_done_and_while_the_other_plays() -> None:
    done = TurnProgress(ONE, (), (), 14, None, done=True)
    plan = Plan((), CHOICES[0], (1,), BySide(3, 14))
    assert (
        companion_verdict(words("en"), Asked(CompanionWish.TURN, (1,), 1, plan), Side.BLACK, done, by_button=True)
        is None
    )
    for wish in (CompanionWish.YOUR_TURN, CompanionWish.GATHER, CompanionWish.REVEAL, CompanionWish.NOTHING):
        assert companion_verdict(words("en"), Asked(wish, (1,), 1), Side.BLACK, None, by_button=True) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_sentences_with_their_facts(language: str) -> None:
    for text in say_everything(language):
        assert text.strip() == text
        assert "{" not in text
        assert "None" not in text
