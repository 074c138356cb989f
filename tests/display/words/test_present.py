"""From what the loop knows to what is shown: the right words, the right figures, and nothing the rules keep hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.draw.picture import new_surface
from display.i18n import LANGUAGES
from display.screens.table import draw_table
from display.view import Cue, Pose, Situation, Tone, ViewModel
from display.words.present import CALL_KEYS, present
from display.workshop.showcase import situations
from engine.players.players import RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import RemedyKind, Ruling
from engine.rules.state import AttackKind, Phase, PublicState, Reason
from engine.rules.track import BySide, Side
from engine.table.observation import Sight


def headline(shown: Mapping[str, Situation], name: str) -> tuple[Tone, str, str, str]:
    verdict = present(shown[name]).verdict
    return verdict.tone, verdict.headline, verdict.detail, verdict.hint


@pytest.mark.parametrize(
    ("name", "tone", "words"),
    [
        ("no_match", Tone.READY, "No match yet"),
        ("round", Tone.READY, "En garde! Round 1"),
        ("advance", Tone.LEGAL, "Annegret advances 4"),
        ("open_legal", Tone.PREVIEW, "Jean-Baptiste advances 5"),
        ("open_parry", Tone.PREVIEW, "Jean-Baptiste parries, advances 2 and attacks with two 3s"),
        ("open_or_parry", Tone.PREVIEW, "Annegret lays a 5"),
        ("open_answer", Tone.PREVIEW, "Jean-Baptiste lays a 5"),
        ("open_parried", Tone.PREVIEW, "Jean-Baptiste parries"),
        ("open_not_yet", Tone.PREVIEW, "Jean-Baptiste lays a 3"),
        ("open_figure", Tone.PREVIEW, "Black’s fencer moves"),
        ("open_attack", Tone.PREVIEW, "Jean-Baptiste advances 5 and attacks with two 5s"),
        ("attack_direct", Tone.LEGAL, "Annegret attacks with two 5s"),
        ("attack_indirect", Tone.LEGAL, "Jean-Baptiste advances 5 and attacks with two 5s"),
        ("attack_four", Tone.LEGAL, "Annegret advances 3 and attacks with four 5s"),
        ("parry_advance", Tone.LEGAL, "Jean-Baptiste parries and advances 2"),
        ("parry_attack", Tone.LEGAL, "Jean-Baptiste parries, advances 2 and attacks with two 3s"),
        ("more_cards", Tone.WON, "Annegret has more 4s and wins the round"),
        ("further", Tone.WON, "Annegret is further forward and wins the round"),
        ("draw", Tone.WON, "The round is a draw"),
        ("touch", Tone.WON, "Touch! Jean-Baptiste doesn’t parry: Annegret wins the round"),
        ("stuck", Tone.WON, "Jean-Baptiste gives up: Annegret wins the round"),
        ("match_over", Tone.WON, "Annegret wins the match 5 : 2"),
        ("undone", Tone.LEGAL, "Undone"),
        ("wrong_distance", Tone.REFUSED, "Black’s fencer moved 4, but the card says 3."),
        ("opponent_moved", Tone.REFUSED, "White’s fencer may not move now: it stood on 9, not 12."),
        ("card_played", Tone.REFUSED, "Card 4a has already been played this round."),
        ("must_parry", Tone.REFUSED, "Jean-Baptiste must first parry with two 5s (5s laid so far: 1)."),
        ("must_answer", Tone.REFUSED, "Annegret must parry with two 5s (5s laid so far: 1) or retreat."),
        ("give_up", Tone.QUESTION, "Jean-Baptiste laid no card."),
        ("not_your_turn", Tone.REFUSED, "It’s Jean-Baptiste’s turn."),
        ("came_later", Tone.UNSEEN, "Cards were laid after you pressed: nothing was judged."),
        ("cannot_see", Tone.UNSEEN, "The table couldn’t be seen, so nothing was judged."),
        ("between", Tone.UNSEEN, "Black’s fencer stands between two spaces"),
        ("waiting", Tone.UNSEEN, "One moment: the camera is still looking."),
        ("compare_looking", Tone.UNSEEN, "Comparing the table with the record"),
        ("compare", Tone.QUESTION, "The table differs from the record"),
        ("put_back", Tone.REFUSED, "Put everything back as recorded"),
        ("rebuild", Tone.REFUSED, "Back to the match: put everything back as it was"),
        ("corrected", Tone.LEGAL, "Corrected"),
        ("round_taken_up", Tone.READY, "The start was missed: the round goes on from here"),
        ("table_agrees", Tone.READY, "The table matches the record: play on"),
        ("book_salvaged", Tone.UNSEEN, "The scorebook was damaged: 12 matches were saved"),
        ("not_kept", Tone.REFUSED, "This couldn’t be saved, so it doesn’t count."),
    ],
)
def test_verdicts(shown: Mapping[str, Situation], name: str, tone: Tone, words: str) -> None:
    assert headline(shown, name)[:2] == (tone, words)


def test_what_differs_from_the_record_is_named_and_two_buttons_choose(shown: Mapping[str, Situation]) -> None:
    view = present(shown["compare"])
    assert (
        view.verdict.detail
        == "White’s fencer should stand on 9, not 11. Card 3b is on the table but not in the record."
    )
    assert view.verdict.hint == "White’s button: the table is right. Black’s button: the record is right."
    assert (view.keys["white"], view.keys["black"]) == ("Table is right", "Record is right")
    assert [remedy.kind for remedy in view.remedies] == [RemedyKind.MOVE_FIGURE, RemedyKind.TAKE_BACK_CARD]
    insisted = present(shown["put_back"])
    assert (insisted.keys["white"], insisted.keys["black"]) == ("Table is right", "Continue as it is")
    rebuilt = present(shown["rebuild"])
    assert rebuilt.verdict.detail == view.verdict.detail
    assert rebuilt.verdict.hint == "Then the game continues by itself."
    assert rebuilt.remedies == view.remedies
    assert (rebuilt.keys["white"], rebuilt.keys["black"]) == ("White’s button", "Black’s button")
    assert present(shown["compare_hidden"]).verdict.detail == "White’s fencer has fallen over."
    assert present(shown["advance"]).keys["white"] == "White’s button"
    with_news = replace(shown["compare"], note=shown["book_salvaged"].note)
    assert present(with_news).verdict == view.verdict, "what has to be chosen goes first"


def test_what_no_longer_holds_after_a_correction_is_said(shown: Mapping[str, Situation]) -> None:
    assert headline(shown, "corrected")[2] == "Everything after it is still valid."
    fallen = headline(shown, "corrected_fallen")[2]
    assert fallen == "Turn 4 is no longer valid. Black’s fencer moved 7, but the card says 5."


def test_the_open_turn_says_what_may_still_come(shown: Mapping[str, Situation]) -> None:
    _, _, detail, hint = headline(shown, "open_legal")
    assert detail == "You may still attack with a 5."
    assert hint == "Press your button to end the turn."
    assert headline(shown, "open_attack")[2] == ""


def test_the_defender_is_told_what_he_can_do(shown: Mapping[str, Situation]) -> None:
    assert headline(shown, "attack_direct")[3] == "Jean-Baptiste: parry with two 5s."
    assert headline(shown, "attack_indirect")[3] == "Annegret: parry with two 5s, or retreat."
    assert headline(shown, "last_attack")[3] == "Last defence, Jean-Baptiste: parry with a 4, or retreat."
    attack = present(shown["attack_indirect"]).attack
    assert attack is not None
    assert (attack.by, attack.kind, attack.value, attack.count) == (Side.BLACK, AttackKind.INDIRECT, 5, 2)
    assert present(shown["touch"]).attack is None


def test_draws(shown: Mapping[str, Situation]) -> None:
    draws = present(shown["attack_indirect"]).draws
    assert draws is not None
    assert (draws.side, draws.count, draws.text) == (Side.BLACK, 3, "Jean-Baptiste draws 3 cards")
    last = present(shown["last_attack"]).draws
    assert last is not None
    assert last.count == 1, "one card was left for two"
    assert present(shown["round"]).draws is None
    assert present(shown["touch"]).draws is None


def test_endings_show_their_working_and_name_the_ruling(shown: Mapping[str, Situation]) -> None:
    more = present(shown["more_cards"])
    assert more.ending is not None
    assert more.reveal is not None
    assert more.ending.reason is Reason.MORE_ATTACK_CARDS
    assert more.ending.counts == more.reveal.counts == BySide(2, 1)
    assert more.ending.working == ("Cards equal to the distance 4: Annegret 2, Jean-Baptiste 1.",)
    assert more.ending.source == "Last card, step 2 \u00b7 Ferti, advanced \u00b7 FERTI-FR"
    further = present(shown["further"]).ending
    assert further is not None
    assert further.working[1] == "Spaces advanced: Annegret 13, Jean-Baptiste 5."
    drawn = present(shown["draw"]).ending
    assert drawn is not None
    assert drawn.winner is None
    assert drawn.working == (
        "Cards equal to the distance 4: Annegret 1, Jean-Baptiste 1.",
        "Spaces advanced: Annegret 9, Jean-Baptiste 9.",
    )
    assert headline(shown, "draw")[2] == "Nobody scores."
    hidden = present(shown["hidden_hands"])
    assert hidden.reveal is None
    assert hidden.ending is not None
    assert hidden.ending.decided_by == "No cards could change it, so position decides."
    proven = present(shown["touch_proven"]).ending
    assert proven is not None
    assert proven.source.startswith("Ruling 13 ")


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
    assert view.top_discard == state.played[-1]
    counts = dict(view.unseen)
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


def test_figures_are_drawn_where_they_are_seen(shown: Mapping[str, Situation]) -> None:
    moved = present(shown["opponent_moved"]).fencers.white
    assert (moved.space, moved.from_space, moved.pending) == (12, 9, True)
    still = present(shown["opponent_moved"]).fencers.black
    assert (still.space, still.from_space, still.pending) == (19, None, False)
    unseen = present(shown["between"]).fencers.black
    assert unseen.space == 19


def test_while_hands_are_shown_it_is_still_told_where_the_record_has_the_figures(
    shown: Mapping[str, Situation],
) -> None:
    situation = shown["opponent_moved"]
    assert situation.state is not None
    for phase, recorded in ((Phase.REVEAL, 9), (Phase.ROUND_OVER, None)):
        state = situation.state._replace(phase=phase, to_act=None)
        white = present(replace(situation, state=state, ruling=None)).fencers.white
        assert (white.space, white.from_space) == (12, recorded)


def test_the_distance_follows_a_legal_open_turn_only(shown: Mapping[str, Situation]) -> None:
    preview = present(shown["open_legal"])
    assert (preview.distance, preview.distance_pending) == (5, True)
    refused = present(shown["wrong_distance"])
    assert (refused.distance, refused.distance_pending) == (10, False)
    assert (present(shown["open_figure"]).distance, present(shown["open_figure"]).distance_pending) == (10, False)


@pytest.mark.parametrize(
    ("name", "white", "black"),
    [
        ("round", Pose.GUARD, Pose.GUARD),
        ("attack_direct", Pose.LUNGE, Pose.GUARD),
        ("attack_indirect", Pose.GUARD, Pose.LUNGE),
        ("parry_advance", Pose.GUARD, Pose.PARRY),
        ("touch", Pose.LUNGE, Pose.HIT),
        ("more_cards", Pose.SALUTE, Pose.STAND),
        ("draw", Pose.STAND, Pose.STAND),
    ],
)
def test_poses(shown: Mapping[str, Situation], name: str, white: Pose, black: Pose) -> None:
    fencers = present(shown[name]).fencers
    assert (fencers.white.pose, fencers.black.pose) == (white, black)


@pytest.mark.parametrize(
    ("name", "cue", "call"),
    [
        ("round", None, "En garde!"),
        ("advance", Cue.MOVE, "Annegret advances 4"),
        ("attack_direct", Cue.ATTACK, "Attack!"),
        ("parry_advance", Cue.PARRY, "Parry!"),
        ("last_attack", Cue.LAST_CARD, "Last card."),
        ("touch", Cue.TOUCH, "Touch! Point to Annegret."),
        ("more_cards", Cue.WIN, "Round to Annegret."),
        ("draw", Cue.WIN, "The round is a draw."),
        ("match_over", Cue.WIN, "Annegret wins the match!"),
        ("wrong_distance", Cue.REFUSED, "Not allowed."),
        ("no_match", None, ""),
    ],
)
def test_sounds_and_calls(shown: Mapping[str, Situation], name: str, cue: Cue | None, call: str) -> None:
    view = present(shown[name])
    assert (view.cue, view.call) == (cue, call)


@pytest.mark.slow
def test_every_call_but_a_move_has_a_key_that_no_language_changes(shown: Mapping[str, Situation]) -> None:
    keys = set()
    for situation in shown.values():
        views = [present(replace(situation, language=language)) for language in LANGUAGES]
        assert len({view.call_key for view in views}) == 1
        keys.add(views[0].call_key)
        assert bool(views[0].call) == (bool(views[0].call_key) or views[0].cue is Cue.MOVE)
    assert keys - {""} <= set(CALL_KEYS)
    assert {"round", "attack", "parry", "refused", "last_card", "draw", "touch_white", "match_white"} <= keys


def test_remedies_are_pictured_data(shown: Mapping[str, Situation]) -> None:
    figure, card = present(shown["wrong_distance"]).remedies
    assert (figure.kind, figure.side, figure.from_space, figure.to_space) == (
        RemedyKind.MOVE_FIGURE,
        Side.BLACK,
        15,
        19,
    )
    assert (card.kind, card.cards) == (RemedyKind.TAKE_BACK_CARD, (Card(3, "a"),))
    take_back, lay, retreat = present(shown["must_answer"]).remedies
    assert take_back.cards == (Card(5, "d"), Card(2, "a"))
    assert take_back.text == "Take back cards 5d and 2a"
    assert (lay.kind, lay.value, lay.count, lay.text) == (RemedyKind.LAY_CARDS, 5, 2, "Lay two 5s")
    assert (retreat.kind, retreat.text) == (RemedyKind.RETREAT, "Or retreat with one card")
    assert "Or retreat with one card" in present(shown["must_answer"]).aloud


def test_history_is_one_entry_a_finished_round(shown: Mapping[str, Situation]) -> None:
    white, black = Side.WHITE, Side.BLACK
    assert present(shown["match_over"]).history == (white, white, black, white, black, white, white)
    assert present(shown["score"]).history == (white, black, black, white)
    assert present(shown["round"]).history == ()
    assert present(shown["draw"]).history == (None,)


def test_eyes_are_never_silent(shown: Mapping[str, Situation]) -> None:
    for situation in shown.values():
        eyes = present(situation).eyes
        assert eyes.text
        assert eyes.why is None or eyes.sight is not Sight.STEADY


def test_players_without_names_are_called_by_their_colours() -> None:
    assert present(Situation(None, language="fr")).names == BySide("Blanc", "Noir")
    assert present(Situation(None, language="fr", names=BySide("Ann", "Bo"))).names == BySide("Ann", "Bo")


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
    rng = Random(seed)
    state, ruling = judge(None, MatchEvent(rules))
    for _ in range(2):
        assert state is not None
        full = start_round(state, rng)
        while full.public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            shown_hands = reveal(full)
            if full.public.to_act is None:
                full, ruling = play(full, shown_hands)
                revealed = BySide(shown_hands.white, shown_hands.black)
            else:
                choice = RandomBot().choose(full.view(full.public.to_act), rng)
                full, ruling = play(full, choice_event(full.public, choice))
                revealed = None
            assert ruling.ok
            view = present(Situation(full.public, ruling, language=language, revealed=revealed))
            agrees(view, full.public, ruling)
            check_texts(draw_table(surface, view), surface.get_rect(), (full.public, ruling))
        state = full.public


def agrees(view: ViewModel, state: PublicState, ruling: Ruling) -> None:
    assert view.verdict.headline
    assert "{" not in view.verdict.headline + view.verdict.detail + view.verdict.hint
    assert (view.distance, view.pile, view.score, view.round) == (state.distance, state.pile, state.score, state.round)
    assert (view.ending is None) == (state.result is None)
    assert (view.attack is None) == (state.attack is None)
    assert view.lamps["turn_left"] == (state.to_act is Side.WHITE)
    if ruling.working is not None:
        assert view.ending is not None
        assert view.ending.source.endswith(ruling.working.source)
    if view.reveal is not None and view.reveal.hands is not None and ruling.working is not None:
        assert view.reveal.counts == ruling.working.counts


def test_only_the_side_without_a_name_is_called_by_its_colour() -> None:
    shown = replace(situations()["round"], language="de", names=BySide("Ana", "Black"))
    assert present(shown).names == BySide("Ana", "Schwarz")
    assert present(replace(shown, names=BySide("White", "Companion (master)"))).names.white == "Weiß"
    assert present(replace(shown, names=BySide("White", "Companion (master)"))).names.black == "Computer (Meister)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_much_differs_it_is_told_in_few_words(shown: Mapping[str, Situation], language: str) -> None:
    """Both fencers and cards took three sentences, which had to be small to fit beside the pictures."""
    much = present(replace(shown["compare_many"], language=language)).verdict.detail
    assert all(told in much for told in ("9", "11", "19", "14", "3b", "2a", "5c"))
    assert len(much) <= 90
    little = present(replace(shown["compare"], language=language)).verdict.detail
    assert len(little) > len(much) / 2, "whole sentences where there is room for them"
