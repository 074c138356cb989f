"""Four catalogues that say the same things, completely, in letters the font has, each as its language writes them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import MappingProxyType

import pygame
import pytest

from display.draw.canvas import font
from display.i18n import (
    GLOSSARY,
    LANGUAGES,
    LOCALE_FILE,
    LOCALES,
    Sentence,
    Words,
    flat,
    next_language,
    placeholders,
    plural_category,
    system_language,
    words,
)
from display.view import NO_NAMES, DeviceSituation, MissingPart, Situation, TableSituation
from display.words.ends import decided_keys, ending_view
from display.words.present import present
from display.words.sentences import eyes_reason, figure_problem, refusal, remedy_views, words_for
from display.words.verdicts import choice_text
from display.words.watching import Watched, watch_view
from engine.companion.companion import name_of
from engine.rules import endings
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import ActionKind, Fact, Parry, Remedy, RemedyKind, Ruling, RulingCode, Working
from engine.rules.state import Attack, AttackKind, Phase, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from engine.table.observation import FigureProblem, Sight, Why
from engine.table.presses import Note, NoteKind
from tests.facts import FACTS

FACT_SAMPLES: Mapping[str, tuple[Fact, ...]] = {
    "problem": ("no JSON",),
    "event": ("match", "round", "turn", "yield", "reveal", "time", "undo", "what?"),
    "phase": ("no_match", *(phase.value for phase in Phase)),
    "card": ("3b",),
    "side": ("white", "black"),
    "expected": (1, 5),
    "found": (0, 1, 5, 7),
    "missing": ((), ("4a",), ("4a", "4b")),
    "opponent": (12,),
    "rules": tuple(RULE_SETS),
    "value": (1, 5),
    "count": (1, 2, 5),
}
OWN_SAMPLES: Mapping[tuple[RulingCode, str], tuple[Fact, ...]] = {
    (RulingCode.OPPONENT_MOVED, "found"): (0, 24, -3, 10**9),
    (RulingCode.OFF_TRACK, "found"): (0, 24, 10**9),
    (RulingCode.WRONG_DISTANCE, "expected"): ((2,), (2, 3, 5)),
    (RulingCode.MIXED_VALUES, "found"): ((1, 2), (1, 2, 4)),
    (RulingCode.ATTACK_AFTER_RETREAT, "found"): (("3a",), ("3a", "3b")),
}
"""Facts that are lists, or may be any number, for some codes only (``FACTS``)."""
DECIDED_BY = tuple(value for name, value in vars(endings).items() if name.startswith("BY_"))


def texts(language: str) -> Iterator[tuple[str, str]]:
    for key, sentence in words(language).entries.items():
        for text in sentence.forms.values():
            yield key, text


def samples(code: RulingCode, name: str) -> tuple[Fact, ...]:
    return OWN_SAMPLES.get((code, name), FACT_SAMPLES[name])


def refusals() -> Iterator[Ruling]:
    """Every code with every sample of every one of its facts."""
    for code in RulingCode:
        for name in FACTS[code]:
            for sample in samples(code, name):
                facts = {other: samples(code, other)[0] for other in FACTS[code]}
                facts[name] = sample
                yield Ruling(False, "turn", Side.WHITE, code=code, facts=MappingProxyType(facts))


@pytest.mark.parametrize(
    ("named", "language"), [("de_AT.UTF-8", "de"), ("fr", "fr"), ("C.UTF-8", "en"), ("dezza", "en")]
)
def test_the_language_of_the_system_is_taken_where_there_is_a_catalogue(named: str, language: str) -> None:
    assert system_language({"LC_ALL": named}) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_keys_and_placeholders_as_english(language: str) -> None:
    english, other = words("en").entries, words(language).entries
    assert set(other) == set(english)
    assert {key: placeholders(entry) for key, entry in other.items()} == {
        key: placeholders(entry) for key, entry in english.items()
    }
    assert {key for key, entry in other.items() if entry.plurals} == {
        key for key, entry in english.items() if entry.plurals
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_has_every_form_its_numbers_take(language: str) -> None:
    counted = {plural_category(language, count) for count in range(26)}
    wrong = [key for key, entry in words(language).entries.items() if entry.plurals and set(entry.forms) != counted]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_control_characters_no_stray_spaces_nothing_empty(language: str) -> None:
    for key, text in texts(language):
        assert text.strip() == text != "", key
        assert "  " not in text, key
        assert not [letter for letter in text if unicodedata.category(letter).startswith("C")], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_font_has_every_letter(language: str) -> None:
    # A letter that is missing is drawn as one and the same box: compare with one nobody uses.
    face = font(96)
    missing = image_bytes(face.render("\u2694", True, (0, 0, 0)))
    letters = {letter for _, text in texts(language) for letter in text if letter != " "} | {"\u00d7"}
    assert [letter for letter in letters if image_bytes(face.render(letter, True, (0, 0, 0))) == missing] == []


def image_bytes(surface: pygame.Surface) -> bytes:
    return surface.get_buffer().raw


def test_languages_are_really_different() -> None:
    numbers = {f"lessons.distance.count.{side.value}" for side in Side}
    same_everywhere = {
        "decided.source",
        "preset.brettspielnetz",
        "call.round",
        "aloud.told",
        "puzzle.why.next",
        "tiles.puzzle_name",
        *("missing.home", "missing.pin", "missing.camera", "missing.menu", "missing.club"),
        *("portrait.panda", "portrait.lion", "home.rating", "home.against"),
        *("doctor.power.ask", "doctor.temperature.found", "doctor.system.found"),
        *numbers,
    }
    for language in LANGUAGES[1:]:
        english, other = words("en").entries, words(language).entries
        same = {key for key in english if english[key] == other[key]}
        assert len(same - same_everywhere) < 13, (language, same)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_is_in_one_topic_only(language: str) -> None:
    topics = {
        path.stem: flat(tomllib.loads(path.read_text(encoding="utf-8")))
        for path in (LOCALES / language).glob("*.toml")
        if path.name not in (GLOSSARY, LOCALE_FILE)
    }
    assert sum(map(len, topics.values())) == len(words(language).entries)
    assert set(topics) == {path.stem for path in (LOCALES / "en").glob("*.toml")} - {
        Path(each).stem for each in (GLOSSARY, LOCALE_FILE)
    }


def test_languages_go_round() -> None:
    seen = ["en"]
    while (language := next_language(seen[-1])) != "en":
        seen.append(language)
    assert tuple(seen) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_sentence(language: str) -> None:
    say = words(language)
    for ruling in refusals():
        sentence = refusal(say, ruling)
        assert sentence.strip().endswith((".", "?")), (ruling.code, sentence)
        assert "{" not in sentence
        assert "None" not in sentence
        assert "1000000000" not in sentence, "a space nobody could stand on is not worth its digits"


def test_every_member_has_words(shown: Mapping[str, Situation]) -> None:
    say = words("en")
    for why, side in ((why, side) for why in Why for side in (None, Side.BLACK)):
        assert eyes_reason(say, why, side)
    for problem in FigureProblem:
        assert figure_problem(say, Side.WHITE, problem)
    for kind in RemedyKind:
        remedy = Remedy(kind, card=Card(3, "b"), side=Side.WHITE, space=4, value=5, count=2)
        assert remedy_views(say, (remedy,), None)[0].text
    for may in ({"advance"}, {"retreat"}, {"direct_attack"}, {"advance", "retreat"}, {"advance", "direct_attack"}):
        assert choice_text(say, Side.WHITE, frozenset(map(ActionKind, may)))
    for decided_by in DECIDED_BY:
        for compared in (True, False):
            explanation, name, number = decided_keys(decided_by, compared)
            if decided_by != endings.BY_DECLARATION:  # the verdict says so itself
                assert say.say(explanation, loser="White")
            assert say.say(name, number=number)
    for situation in every_situation(shown):
        assert present(situation).verdict.headline
    for watched in every_watched(shown):
        assert watch_view(watched, "en").frame


@pytest.mark.parametrize("failed", [False, True])
def test_whatever_part_is_missing_is_named(failed: bool) -> None:
    missing = "camera sound pin port network broker home"
    failing = "eyes words menu coach companion teacher recording pictures printed club house buttons lights screen"
    named = f"{failing} referee other" if failed else missing
    parts = tuple(MissingPart(part, failed=failed) for part in named.split())
    told = {
        present(Situation(None, devices=DeviceSituation(missing=parts, restarts=restarts))).eyes.text
        for restarts in (True, False)
    }
    assert len(told) == (1 if failed else 2), "a part that is looked for comes back by itself, or after a new start"


def every_watched(shown: Mapping[str, Situation]) -> Iterator[Watched]:
    """Everything the window of ``engarde watch`` can say."""
    seen = shown["advance"].table.observation
    assert seen is not None
    for paused in (True, False):
        yield Watched(seen, BySide(1, None), (Card(3, "b"),), (0.2, 0.1), 9.5, 3.0, paused)
        yield Watched(seen, BySide(None, 23), (), None, None, 3.0, paused)


def every_situation(shown: Mapping[str, Situation]) -> Iterator[Situation]:
    """The showcase, and what it leaves out: every preset, ending, attack, note and sight."""
    yield from shown.values()
    yield replace(shown["advance"], devices=replace(shown["advance"].devices, kept_by_hand=True, no_camera=True))
    yield replace(shown["match_over"], next_pair=BySide("A", "B"))
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    seen = shown["advance"].table.observation
    assert seen is not None
    for rules in RULE_SETS.values():
        yield Situation(state._replace(rules=rules))
    for reason in Reason:
        winner = None if reason is Reason.DRAW else Side.WHITE
        for phase in (Phase.ROUND_OVER, Phase.MATCH_OVER):
            for counts in (BySide(1, 1), None):
                working = Working(reason, winner, 4, counts, BySide(9, 9), "last card 2", "FERTI-FR")
                over = state._replace(phase=phase, round=1, result=Result(winner, reason))
                assert ending_view(words("en"), over, working) is not None
                yield Situation(over, Ruling(True, "reveal", working=working))
    for phase in (Phase.TURN, Phase.FINAL):
        for kind in AttackKind:
            attack = Attack(Side.WHITE, kind, 4, 2)
            yield Situation(state._replace(phase=phase, to_act=Side.BLACK, attack=attack, round=1, distance=4))
    yield Situation(state._replace(phase=Phase.REVEAL, round=1))
    yield from (
        Situation(state, table=TableSituation(note=Note(note, 1.0, Side.WHITE, Why.DARK, FigureProblem.LYING)))
        for note in NoteKind
    )
    yield replace(shown["compare"], table=replace(shown["compare"].table, waiting=True))
    for sight in Sight:
        for why in (None,) if sight is Sight.STEADY else (None, Why.HAND):
            yield replace(
                shown["advance"], table=replace(shown["advance"].table, observation=replace(seen, sight=sight, why=why))
            )
    yield replace(
        shown["advance"], table=replace(shown["advance"].table, observation=replace(seen, foreign_decks=("B", "C")))
    )
    for action in (*ActionKind, None):
        for parried in (False, True):
            if action is not None or parried:
                yield from turns(state, action, parried)


def turns(state: PublicState, action: ActionKind | None, parried: bool) -> Iterator[Situation]:
    """The last verdict was this kind of turn."""
    before = state._replace(round=1, phase=Phase.TURN, to_act=Side.WHITE)
    laid = tuple(Card(4, letter) for letter in "abc")
    after = before._replace(to_act=Side.BLACK, played=laid, previous=before, pile=12, distance=4)
    yield Situation(after, Ruling(True, "turn", Side.WHITE, action, Parry(4, 1) if parried else None))


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
    assert told == [*("0 kart", "1 karta", "2 karty", "4 karty"), *("5 kart", "12 kart", "21 kart", "22 karty")]


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


def test_a_missing_key_or_fact_names_itself() -> None:
    with pytest.raises(KeyError, match=r"'en' has no key 'no\.such'"):
        words("en").say("no.such")
    with pytest.raises(KeyError, match="needs the fact 'round'"):
        words("en").say("label.round")
    with pytest.raises(ValueError, match="no catalogue for language 'la'"):
        words("la")


def test_french_never_breaks_before_its_high_punctuation() -> None:
    assert [text for _, text in texts("fr") for mark in ":;!?" if f" {mark}" in text] == []
    assert "\u00a0:" in words("fr").entries["hint.parry"].other


def test_french_puts_nothing_before_a_name_that_a_vowel_would_shorten() -> None:
    """“de Émile” is wrong, and so is “que Ana”: which name it will be, the catalogue can't know."""
    people = {"White", "Black", "who", "rival", "winner", "loser", "name", "starter", "one", "other"}
    shortened = re.compile(r"\b(?:de|que|le|la|ne|jusque|lorsque|puisque|quoique) \{(\w+)\}", re.IGNORECASE)
    cards = {"companion.register.back_taken"}  # the other card, not the other player
    found = {key for key, text in texts("fr") for name in shortened.findall(text) if name in people}
    assert found - cards == set()


WRITTEN = {"en": "Nov 2, 2026", "de": "02.11.2026", "fr": "2 nov. 2026", "nl": "2 nov 2026"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_is_written_as_the_language_writes_it(language: str) -> None:
    assert words(language).day(date(2026, 11, 2)) == WRITTEN[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_is_written_as_the_language_writes_it(language: str) -> None:
    assert words(language).decimal(7.44) == ("7.4" if language == "en" else "7,4")
    assert words(language).decimal(0.0) == ("0.0" if language == "en" else "0,0")
    assert words(language).percent(30) == ("30%" if language in ("en", "nl") else "30\u00a0%")
    assert words(language).decimal(0.314, 2) == ("0.31" if language == "en" else "0,31")


COMMAND = re.compile(
    r"\bengarde (?!companion\b)[a-z]+|\.(?:toml|py|sh|sqlite|venv)\b|(?<!\w)--\w|\bsh \w|\bmake\b \.|\bsudo\b"
    r"|raspi-config|vcgencmd|v4l2-ctl|ENGARDE_"
)
OWNERS = {
    "sheet.start.measure"  # on paper, for whoever measures a board and writes its table file
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_names_a_command(language: str) -> None:
    found = {
        key: text
        for key, entry in words(language).entries.items()
        for text in entry.forms.values()
        if COMMAND.search(text)
    }
    assert {key: text for key, text in found.items() if key not in OWNERS} == {}
