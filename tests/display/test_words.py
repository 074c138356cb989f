"""What a sentence is made of: the form its number takes, the word for a value, the name of a player."""

from __future__ import annotations

import pytest

from display.i18n import LANGUAGES, Sentence, Words, words
from display.view import NO_NAMES
from display.words.sentences import words_for
from engine.companion.companion import name_of
from engine.rules.track import BySide


@pytest.mark.parametrize(
    ("language", "count", "expected"),
    [
        ("en", 1, "White draws 1 card"),
        ("en", 2, "White draws 2 cards"),
        ("fr", 0, "Blanc pioche 0 carte"),
        ("fr", 1, "Blanc pioche 1 carte"),
        ("fr", 2, "Blanc pioche 2 cartes"),
        ("nl", 1, "Wit trekt 1 kaart"),
        ("nl", 5, "Wit trekt 5 kaarten"),
        ("de", 0, "Weiß zieht 0 Karten nach"),
        ("de", 1, "Weiß zieht 1 Karte nach"),
    ],
)
def test_plurals(language: str, count: int, expected: str) -> None:
    say = words(language)
    assert say.say("draws.cards", side=say.say("name.white"), count=count) == expected


def test_counts_are_words_up_to_five_and_digits_beyond() -> None:
    say = words("en")
    assert say.say("remedy.lay_cards", count=5, value=2) == "Lay five 2s"
    assert say.say("remedy.lay_cards", count=6, value=2) == "Lay 6 2s"
    assert say.say("remedy.lay_cards", count=1, value=2) == "Lay a 2"


def test_a_language_with_more_plural_forms_has_them_all() -> None:
    """Polish: 1 card, 2 to 4, 5 and more; 22 as 2. Source: Unicode CLDR."""
    cards = Sentence("{count} karty", {"one": "{count} karta", "few": "{count} karty", "many": "{count} kart"})
    number = {f"number.{count}": Sentence(str(count)) for count in range(1, 6)}
    polish = Words("pl", {"cards": cards, **number})
    told = [polish.say("cards", count=count) for count in (0, 1, 2, 4, 5, 12, 21, 22)]
    assert told == [
        *("0 kart", "1 karta", "2 karty", "4 karty"),
        *("5 kart", "12 kart", "21 kart", "22 karty"),
    ]


def test_cards_of_a_value_have_a_plural_of_their_own() -> None:
    told = {language: words(language).say("remedy.lay_cards", count=2, value=5) for language in LANGUAGES}
    assert told == {
        "en": "Lay two 5s",
        "de": "zwei Fünfen hinlegen",
        "fr": "Poser deux cartes 5",
        "nl": "Leg twee vijven",
    }


def test_who_is_called_by_name_where_names_are_known() -> None:
    say = words_for("en", BySide("Ana", NO_NAMES.black))
    assert say.say("accepted.advance", side="White", moved=3) == "Ana advances 3"
    assert say.say("accepted.advance", side="Black", moved=3) == "Black advances 3"
    assert say.say("remedy.move_figure", side="White", space=4) == "White’s fencer to 4", "a thing keeps its colour"
    assert say.say("reason.match", winner="White", score="5 : 2") == "Ana wins the match 5 : 2"
    against = words_for("en", BySide("Ana", name_of("novice")))
    assert against.say("reason.match", winner="Black", score="5 : 2") == "Companion (novice) wins the match 5 : 2"
    assert against.say("accepted.advance", side="Black", moved=3) == "Black advances 3"


def test_french_elides_before_no_name() -> None:
    """``de Ana`` would be wrong, ``d’Ana`` cannot be known: a name stands only where nothing is elided."""
    elided = ("de {who}", "que {who}", "de {winner}", "que {winner}", "de {loser}", "que {loser}")
    assert [
        text
        for entry in words("fr").entries.values()
        for text in entry.forms.values()
        for each in elided
        if each in text
    ] == []


def test_a_missing_key_or_fact_names_itself() -> None:
    with pytest.raises(KeyError, match=r"'en' has no key 'no\.such'"):
        words("en").say("no.such")
    with pytest.raises(KeyError, match="needs the fact 'round'"):
        words("en").say("label.round")
    with pytest.raises(ValueError, match="no catalogue for language 'la'"):
        words("la")
