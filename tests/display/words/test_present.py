"""From what the loop knows to what is shown: the right words, each once, and nothing the rules keep hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.draw.pictures import new_surface
from display.i18n import LANGUAGES, words
from display.menu.model import Goto, Menu, MenuPlace
from display.page.page import About, match_page
from display.page.story import JudgedEntry, story
from display.view import Cue, Situation, Tone, ViewModel
from display.words.aloud import standing
from display.words.ends import ending_title
from display.words.present import CALL_KEYS, present
from display.words.sentences import capital, refusal, words_for
from engine.players.bots.strengths import RIVALS
from engine.rules.cards import CARD_BY_NAME, Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import Sight
from tests.display.drawn import draw_table
from tests.display.menu_showcase import MenuContext, page_of
from tests.display.showcase import situations
from tests.matches import match_of


def test_what_has_to_be_chosen_goes_before_news(shown: Mapping[str, Situation]) -> None:
    with_news = replace(shown["compare"], table=replace(shown["compare"].table, note=shown["book_salvaged"].table.note))
    assert present(with_news).verdict == present(shown["compare"]).verdict


def test_hands_are_shown_only_after_the_reveal(shown: Mapping[str, Situation]) -> None:
    waiting = present(shown["reveal"]).reveal
    assert waiting is not None
    assert waiting.hands is None
    assert waiting.counts is None
    assert waiting.sizes == BySide(5, 5)
    sneaky = replace(shown["advance"], revealed=BySide((Card(1, "a"),), (Card(2, "a"),)))
    assert present(sneaky).reveal is None


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: str(rules.name))
def test_ruling_11(shown: Mapping[str, Situation], rules: object) -> None:
    """Of the discards only the top one is shown; counts of unseen cards only where the preset shows them."""
    situation = shown["attack_direct"]
    assert situation.state is not None
    state = situation.state._replace(rules=rules)  # type: ignore[arg-type]
    view = present(replace(situation, state=state))
    assert view.piles.top_discard == state.played[-1]
    counts = dict(view.piles.unseen)
    assert counts == (state.unseen_counts if state.rules.shows_unseen_counts else {})
    assert cards_in(view) == {state.played[-1]}


def cards_in(value: object) -> set[Card]:
    """Every card anywhere in a value."""
    if isinstance(value, Card):
        return {value}
    if is_dataclass(value):
        return set().union(*(cards_in(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, tuple):
        return set().union(*(cards_in(item) for item in value))
    return set()


@pytest.mark.slow
def test_every_call_but_a_move_has_a_key_that_no_language_changes(shown: Mapping[str, Situation]) -> None:
    keys = set()
    for situation in shown.values():
        views = [present(replace(situation, language=language)) for language in LANGUAGES]
        assert len({view.heard.call_key for view in views}) == 1
        keys.add(views[0].heard.call_key)
        assert bool(views[0].heard.call) == (bool(views[0].heard.call_key) or views[0].heard.cue is Cue.MOVE)
    assert keys - {""} <= set(CALL_KEYS)
    assert {"round", "attack", "parry", "refused", "last_card", "draw", "touch_white", "match_white"} <= keys


def test_eyes_are_never_silent(shown: Mapping[str, Situation]) -> None:
    for situation in shown.values():
        eyes = present(situation).eyes
        assert eyes.text
        assert eyes.why is None or eyes.sight is not Sight.STEADY


def test_players_without_names_are_called_by_their_colours() -> None:
    assert present(Situation(None, language="fr")).match.names == BySide("Blanc", "Noir")
    assert present(Situation(None, language="fr", names=BySide("Ann", "Bo"))).match.names == BySide("Ann", "Bo")


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(ValueError, match="no catalogue for language 'xx'"):
        present(Situation(None, language="xx"))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), rules=st.sampled_from(sorted(RULE_SETS)), language=st.sampled_from(LANGUAGES))
def test_whole_rounds_have_words_for_everything(
    check_texts: Callable[..., None], seed: int, rules: str, language: str
) -> None:
    """Two random bots play two rounds: every moment presents, in words, with the state's own numbers, and fits."""
    surface = new_surface(800, 480)
    for each in match_of(MatchEvent(rules), Random(seed)):
        if each.state.round > 2:
            break
        event, state, ruling = each.event, each.state, each.ruling
        revealed = BySide(event.white, event.black) if isinstance(event, RevealEvent) else None
        view = present(Situation(state, ruling, language=language, revealed=revealed))
        agrees(view, state, ruling)
        check_texts(draw_table(surface, view), surface.get_rect(), (state, ruling))


def agrees(view: ViewModel, state: PublicState, ruling: Ruling) -> None:
    assert view.verdict.headline
    assert "{" not in view.verdict.headline + view.verdict.detail + view.verdict.hint
    assert (view.piste.distance, view.piles.pile, view.match.score, view.match.round) == (
        state.distance,
        state.pile,
        state.score,
        state.round,
    )
    assert (view.ending is None) == (state.result is None)
    assert (view.piste.attack is None) == (state.attack is None)
    assert view.lamps["turn_left"] == (state.to_act is Side.WHITE)
    if ruling.working is not None:
        assert view.ending is not None
        assert view.ending.source.endswith(ruling.working.source)
    if view.reveal is not None and view.reveal.hands is not None and ruling.working is not None:
        assert view.reveal.counts == ruling.working.counts


def test_only_the_side_without_a_name_is_called_by_its_colour() -> None:
    shown = replace(situations()["round"], language="de", names=BySide("Ana", "Black"))
    assert present(shown).match.names == BySide("Ana", "Schwarz")
    assert present(replace(shown, names=BySide("White", "Companion (master)"))).match.names.white == "Weiß"
    assert (
        present(replace(shown, names=BySide("White", "Companion (master)"))).match.names.black == "Computer (Meister)"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_much_differs_it_is_told_in_few_words(shown: Mapping[str, Situation], language: str) -> None:
    """Both fencers and cards took three sentences, which had to be small to fit beside the pictures."""
    much = present(replace(shown["compare_many"], language=language)).verdict.detail
    assert all(told in much for told in ("9", "11", "19", "14", "3b", "2a", "5c"))
    assert len(much) <= 90
    little = present(replace(shown["compare"], language=language)).verdict.detail
    assert len(little) > len(much) / 2, "whole sentences where there is room for them"


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_gave_up_is_said_once(shown: Mapping[str, Situation], language: str) -> None:
    """The verdict says so, or how it ended: over the fencers it stood again, and was spoken again."""
    for name, detail in (("touch", False), ("stuck", False), ("match_over", True)):
        view = present(replace(shown[name], language=language))
        assert view.ending is not None
        assert view.ending.decided_by == ""
        assert bool(view.verdict.detail) is detail
    proven = present(replace(shown["touch_proven"], language=language))
    assert proven.ending is not None
    assert proven.ending.decided_by
    would_have_parried = capital(words(language), "working.parry", value=5, count=3)
    assert proven.ending.steps == (would_have_parried, proven.ending.decided_by)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_has_one_name_in_the_line_of_the_players_and_in_every_sentence(
    shown: Mapping[str, Situation], language: str
) -> None:
    for rival in RIVALS:
        view = present(replace(shown["advance"], language=language, names=BySide(rival, "Ben")))
        assert view.match.names.white in view.verdict.headline
        assert view.match.names.white == words(language).say(f"hands.level.{RIVALS[rival]}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_that_is_begun_is_not_scolded(shown: Mapping[str, Situation], language: str) -> None:
    for name in ("not_yet", "going", "figure", "answer", "parried", "other", "wild"):
        begun = shown[f"open_{name}"]
        verdict = present(replace(begun, language=language)).verdict
        assert verdict.tone is Tone.PREVIEW
        assert begun.table.open_turn is not None
        assert refusal(words(language), begun.table.open_turn.ruling) not in f"{verdict.headline} {verdict.detail}"


NAMES = BySide("Ana", "Ben")
NOT_PARRIED = {
    "en": "Touch! Ben doesn’t parry: Ana wins the round",
    "de": "Treffer! Ben pariert nicht: Ana gewinnt die Runde",
    "fr": "Touché\u00a0! Ben ne pare pas\u00a0: Ana gagne la manche",
    "nl": "Geraakt! Ben pareert niet: Ana wint de ronde",
}
GIVEN_UP = {
    "en": "Ben gives up: Ana wins the round",
    "de": "Ben gibt auf: Ana gewinnt die Runde",
    "fr": "Ben abandonne\u00a0: Ana gagne la manche",
    "nl": "Ben geeft op: Ana wint de ronde",
}


def turn(cards: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(tuple(CARD_BY_NAME[name] for name in cards.split()), white, black)


ATTACKED = (turn("5a", 6, 23), turn("5b", 6, 18), turn("5c", 11, 18), turn("2a", 11, 16), turn("5d", 11, 16))
"""A direct attack of White's with one card, which waits for its answer."""


def judged(*events: Event, points: int = 1) -> list[JudgedEntry]:
    """A match of so many points, entry by entry."""
    state: PublicState | None = None
    entries: list[JudgedEntry] = []
    for event in (MatchEvent("ferti-advanced", points=points), RoundEvent(), *events):
        state, ruling = judge(state, event)
        assert ruling.ok
        assert state is not None
        entries.append((event, state, ruling))
    return entries


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("events", "told"), [((*ATTACKED, YieldEvent()), NOT_PARRIED), ((turn("5a", 6, 23), YieldEvent()), GIVEN_UP)]
)
@pytest.mark.parametrize("points", [1, 2])
def test_every_end_says_that_somebody_gave_up(
    events: tuple[Event, ...], told: dict[str, str], points: int, language: str
) -> None:
    """The verdict, what is read aloud, where the match stands, who keeps the score by hand, and the match's page."""
    entries = judged(*events, points=points)
    _, state, ruling = entries[-1]
    situation = Situation(state, ruling, names=NAMES, language=language)
    view, say = present(situation), words_for(language, NAMES)
    over = state.phase is Phase.MATCH_OVER
    assert over is (points == 1)
    assert (view.verdict.detail if over else f"{view.verdict.headline}.") == f"{told[language]}."
    assert f"{told[language]}." in {f"{each.rstrip('.')}." for each in view.heard.aloud}
    assert told[language] in standing(say, situation)
    board = page_of(Menu((MenuPlace(Goto.MANUAL),)), MenuContext(language=language, names=NAMES, state=state)).board
    assert board is not None
    assert view.ending is not None
    assert board.ask == view.ending.title == ending_title(say, state)
    assert (board.told == f"{told[language]}.") is over, "why, under who won the match"
    page = match_page(story(entries, NAMES, language), About(1, "", finished=over))
    assert page.replace("&#x27;", "’").count(told[language]) == 1
