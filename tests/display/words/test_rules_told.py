"""What the screen says of the rules is what the referee rules: each sentence beside the ruling it tells.

Each test first has the referee rule, and then asks the sentence, in every language, for the words that say so and for
none that say otherwise. Source: engine/RULES.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from display.i18n import LANGUAGES, words
from display.words.advice import hints_panel
from display.words.puzzles import puzzle_text
from display.words.sentences import refusal
from engine.lessons.lesson import LESSON_BY_ID, Position, Step
from engine.lessons.positions import state_of
from engine.odds import public_hints
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import PuzzleTheme, solutions
from engine.rules.cards import Card
from engine.rules.events import TurnEvent, UndoEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Ruling, RulingCode
from engine.rules.state import Attack, AttackKind, Phase, PublicState
from engine.rules.track import BySide, Side

Told = Mapping[str, str]
"""A pattern for each language."""
RETREAT: Told = {"en": "retreat|step back", "de": "[zZ]urück", "fr": "retraite|recul", "nl": "terug"}
DEFENCE: Told = {"en": "defence", "de": "Verteidigung", "fr": "défense", "nl": "verdediging"}
ALL_OFF: Told = {"en": "off the table|on the table", "de": "vom Tisch|auf dem Tisch", "fr": "table", "nl": "tafel"}
AREA: Told = {"en": "play area", "de": "Spielfläche", "fr": "zone de jeu", "nl": "speelveld"}
FIVE: Told = {"en": "five|5", "de": "fünf|5", "fr": "cinq|5", "nl": "vijf|5"}


def says(key: str, told: Told) -> None:
    """Every form of the sentence, in every language, has words for it."""
    assert [(each, text) for each, text in forms(key) if not re.search(told[each], text, re.IGNORECASE)] == []


def never_says(key: str, told: Told) -> None:
    assert [(each, text) for each, text in forms(key) if re.search(told[each], text, re.IGNORECASE)] == []


def forms(key: str) -> list[tuple[str, str]]:
    return [(each, text) for each in LANGUAGES for text in words(each).entries[key].forms.values()]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in text.split())


def at(
    white: int, black: int, *, pile: int = 10, phase: Phase = Phase.TURN, rules: str = "ferti-advanced"
) -> PublicState:
    """White is to act, and nobody attacks."""
    return state_of(Position(white, black, pile=pile, phase=phase))._replace(rules=RULE_SETS[rules], played=())


def attacked(kind: AttackKind, phase: Phase) -> PublicState:
    """White on 10 is attacked with one 3 by Black on 13."""
    return at(10, 13, pile=0 if phase is Phase.FINAL else 10, phase=phase)._replace(
        attack=Attack(Side.BLACK, kind, 3, 1), played=cards("3a")
    )


def ruled(state: PublicState, laid: str, white: int) -> tuple[PublicState, Ruling]:
    """What becomes of White's turn."""
    after, ruling = judge(state, TurnEvent(cards(laid), white, state.spaces.black))
    assert after is not None
    return after, ruling


def test_one_card_moves_and_several_may_attack() -> None:
    assert ruled(at(8, 13), "5a 5b", 8)[1].ok
    assert not ruled(at(8, 13), "2a 1a", 11)[1].ok
    says(
        "lessons.moving.advance.two_cards",
        {"en": "to move", "de": "zum gehen", "fr": "pour se déplacer", "nl": "voor een stap"},
    )


def test_after_a_parry_comes_a_turn_of_any_kind() -> None:
    waiting = attacked(AttackKind.DIRECT, Phase.TURN)
    for laid, white in (("3b 1a", 11), ("3b 1a", 9), ("3b 3c", 10)):
        assert ruled(waiting, laid, white)[1].ok
    says("lessons.parry.goal", {"en": r"\bturn\b", "de": "Zug", "fr": "tour", "nl": "beurt"})
    never_says("lessons.parry.goal", {"en": "str(ike|uck)", "de": "stoß", "fr": "frapp", "nl": "stoot"})


def test_nobody_draws_after_the_last_parry() -> None:
    waiting = attacked(AttackKind.DIRECT, Phase.FINAL)
    after, ruling = ruled(waiting, "3b", 10)
    assert ruling.ok
    assert after.phase is Phase.REVEAL
    assert after.hands == BySide(waiting.hands.white - 1, waiting.hands.black)
    hands = next(step for step in LESSON_BY_ID["final"].steps if step.id == "hands")
    assert isinstance(hands, Step)
    assert hands.position is not None
    assert hands.position.hands.map(len) == BySide(4, 3), "White laid two and drew the last card, Black parried"
    never_says("lessons.final.hands.missing", FIVE)
    never_says("lessons.final.hands.do", FIVE)


@pytest.mark.parametrize("kind", AttackKind)
def test_a_refused_last_defence_names_the_retreat_where_there_is_one(kind: AttackKind) -> None:
    waiting = attacked(kind, Phase.FINAL)
    _, ruling = ruled(waiting, "3b 1a", 11)
    assert ruling.code is RulingCode.FINAL_PARRY_ONLY
    retreats = ruled(waiting, "2a", 8)[1].ok
    assert retreats is (kind is AttackKind.INDIRECT)
    for language in LANGUAGES:
        told = refusal(words(language), ruling, waiting.attack)
        assert bool(re.search(RETREAT[language], told)) is retreats, told
        assert re.search(RETREAT[language], refusal(words(language), ruling)), (
            "it holds for either where neither is known"
        )
    says("lessons.common.parry_only", RETREAT)


def test_whoever_can_attack_has_a_turn_left() -> None:
    assert ruled(at(1, 3), "2a", 1)[1].ok
    never_says("reason.no_legal_move", {"en": r"\bmoves?\b", "de": "zieh", "fr": "bouger|avanc", "nl": "lopen|bewegen"})
    says("lessons.stuck.goal", {"en": "attack", "de": "angreifen", "fr": "attaquer", "nl": "aanvallen"})


def test_the_pile_stays_on_the_table_between_rounds() -> None:
    for key in ("hint.next_round", "lessons.said.no_cards", "lessons.score.next_round.do"):
        says(key, AREA)
        never_says(key, ALL_OFF)


def test_the_pile_that_is_drawn_from_and_the_other_have_two_names() -> None:
    for language in LANGUAGES:
        say = words(language)
        assert say.say("label.pile") != say.say("sheet.mat.pile_title")


def test_counts_are_shown_by_one_preset_and_by_hints() -> None:
    assert [name for name, rules in RULE_SETS.items() if rules.shows_unseen_counts] == ["brettspielnetz"]
    told = public_hints(at(8, 13))
    assert told is not None
    for language in LANGUAGES:
        say = words(language)
        counts = say.say("hints.unseen", counts="").rstrip(" .")
        assert any(line.text.startswith(counts[:12]) for line in hints_panel(say, told).lines), "hints show them always"
    says(
        "lessons.curious.counts.black",
        {
            "en": "Brettspielnetz.*hints",
            "de": "Brettspielnetz.*Tipps",
            "fr": "Brettspielnetz.*conseils",
            "nl": "Brettspielnetz.*tips",
        },
    )


def test_the_last_card_ends_the_round_but_an_attack_is_answered() -> None:
    moved, _ = ruled(at(1, 23, pile=1), "3a", 4)
    assert moved.phase is Phase.ROUND_OVER
    assert moved.hands.white == 5, "even with full hands"
    struck, _ = ruled(at(8, 13, pile=1), "5a", 8)
    assert struck.phase is Phase.FINAL
    says("hints.few", DEFENCE)
    says("advice.last_attack", DEFENCE)
    says(
        "lessons.last_card.goal",
        {"en": "even if.*attack", "de": "auch mit.*Angriff", "fr": "même avec.*attaque", "nl": "ook met.*aanval"},
    )


def test_two_cards_laid_and_one_to_draw() -> None:
    after, ruling = ruled(at(8, 12, pile=1), "4a 4b", 8)
    assert ruling.ok
    assert (after.phase, after.hands.white, after.pile) == (Phase.FINAL, 4, 0)
    says("lessons.final.attack.why", DEFENCE)
    never_says("lessons.final.attack.why", {"en": r"\bplay with\b", "de": "spielst", "fr": "jouez", "nl": "speelt"})


def test_hands_are_compared_only_where_that_can_matter() -> None:
    """Ruling 12: not beyond a distance of 5."""
    far, ruling = ruled(at(1, 23, pile=1), "3a", 4)
    assert (far.phase, ruling.working.decided_by if ruling.working else "") == (Phase.ROUND_OVER, "ruling 12")
    near, _ = ruled(at(8, 14, pile=1), "2a", 10)
    assert near.phase is Phase.REVEAL
    never_says("decided.ruling_12", {"en": "hand", "de": "Hände|Stand", "fr": "main", "nl": "hand"})


def test_undo_leaves_the_table_to_the_players() -> None:
    before = at(8, 20)
    moved, _ = ruled(before, "3a", 11)
    undone, ruling = judge(moved, UndoEvent())
    assert ruling.ok
    assert undone is not None
    assert undone.spaces.white == 8, "while the fencer still stands on 11"
    says("ready.undone_detail", {"en": "^Put", "de": "^Stellt|^Legt", "fr": "^Remettez", "nl": "^Zet"})


def test_cards_are_shuffled_before_the_round_begins() -> None:
    shuffle = {"en": "shuffle", "de": "misch", "fr": "mélang", "nl": "schud"}
    says("lessons.score.next_round.do", shuffle)
    never_says("lessons.score.next_round.why", shuffle)


def test_what_is_found_of_a_parry_counts_the_right_cards_only() -> None:
    """A 4 and a 1 lie against a 5: none of them parries."""
    _, ruling = ruled(attacked(AttackKind.DIRECT, Phase.TURN), "2a 1a", 10)
    assert ruling.code is RulingCode.MUST_PARRY
    assert ruling.facts["found"] == 0
    of_them = {
        "en": "3s laid so far: 0",
        "de": "davon gelegt: 0",
        "fr": "déjà posées.{1,3}0",
        "nl": "daarvan gelegd: 0",
    }
    for language in LANGUAGES:
        assert re.search(of_them[language], refusal(words(language), ruling))


@pytest.mark.slow
@pytest.mark.parametrize("theme", [PuzzleTheme.SLIP_AWAY, PuzzleTheme.HOLD_BACK, PuzzleTheme.RIPOSTE])
def test_why_a_turn_is_best_is_true_of_every_puzzle_that_says_so(theme: PuzzleTheme) -> None:
    told = [puzzle for puzzle in PUZZLES if puzzle.theme is theme]
    assert told
    for puzzle in told:
        best, *others = solutions(puzzle)
        if theme is PuzzleTheme.SLIP_AWAY:
            # "You cannot parry this. Of all the retreats, this one leaves you best placed."
            assert best.play.move < 0
            assert all(not each.play.parry for each in others), puzzle.id
        elif theme is PuzzleTheme.HOLD_BACK:  # "Attacking here is worth less."
            assert not best.play.attack
            assert all(each.value < best.value for each in others if each.play.attack), puzzle.id
        else:  # "Whoever parries plays on at once: the other has to answer the attack first."
            assert best.play.parry, puzzle.id
            assert best.play.attack, puzzle.id


def test_a_puzzle_shows_what_its_answer_hangs_on_and_not_the_answer() -> None:
    verbs = {
        "en": "parry|riposte|retreat|forward|step",
        "de": "pari|riposte|zurück|vor ",
        "fr": "par(e|a)d|riposte|recul|pas en|avanc",
        "nl": "pare|riposte|terug|vooruit|stap",
    }
    for language in LANGUAGES:
        for puzzle in PUZZLES:
            text = puzzle_text(words(language), puzzle)
            assert not re.search(verbs[language], text.title, re.IGNORECASE), text.title
            if puzzle.aim is not None:
                assert text.played, puzzle.id
                continue
            for card in puzzle.unseen if puzzle.public.phase is Phase.TURN else ():
                assert str(card.value) in text.task.rsplit(":", 1)[1], (puzzle.id, text.task)
