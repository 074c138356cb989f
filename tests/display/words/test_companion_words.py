"""Every word of playing against the companion is said, in every language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from display.i18n import LANGUAGES, words
from display.words.companion import (
    asked_text,
    companion_panel,
    companion_verdict,
    registering_panel,
    registering_verdict,
    what_it_does,
)
from engine.companion.backs import CardShown, DeckBacks, Registration
from engine.companion.companion import LEVELS, Asked, CompanionWish, Plan, Strange, TurnProgress
from engine.rules.cards import DECK, Card
from engine.rules.legal import GiveUp, Turn
from engine.rules.track import BySide, Side


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


@pytest.mark.parametrize(
    ("choice", "headline", "detail"),
    [
        (CHOICES[0], "Take the card from slot 1 and play it face up. Move me to space 14.", "I advance."),
        (
            CHOICES[3],
            "Take the cards from slots 1 and 2 and play them face up. My fencer stays.",
            "I attack with two cards.",
        ),
        (
            CHOICES[4],
            "Take the cards from slots 1, 2, 3, 4 and 5 and play them face up. Move me to space 14.",
            "I parry with two cards. I advance and attack with two cards.",
        ),
        (
            CHOICES[6],
            "Take the cards from slots 1 and 2 and play them face up. My fencer stays.",
            "I parry with two cards.",
        ),
    ],
)
def test_a_turn_is_asked_for_by_slots_and_space(choice: Turn, headline: str, detail: str) -> None:
    plan = Plan((), choice, tuple(range(1, len(choice.cards) + 1)), BySide(3, 14))
    asked = Asked(CompanionWish.TURN, plan.slots, len(plan.cards), plan)
    band = companion_verdict(words("en"), asked, Side.BLACK, None, by_button=True)
    assert band is not None
    assert (band.headline, band.detail, band.hint) == (headline, detail, "Then press Black\u2019s button.")
    by_itself = companion_verdict(words("en"), asked, Side.BLACK, None, by_button=False)
    assert by_itself is not None
    assert by_itself.hint == ""


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
