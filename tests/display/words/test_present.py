"""From what the loop knows to what is shown: the right words, the right figures, and nothing the rules keep hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.draw.pictures import new_surface
from display.i18n import LANGUAGES
from display.view import Cue, Situation, ViewModel
from display.words.present import CALL_KEYS, present
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import Sight
from tests.display.drawn import draw_table
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
