"""Four catalogues that say the same things, completely, in letters the font has."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pygame
import pytest

import display
from display.draw.canvas import font
from display.draw.picture import new_surface
from display.i18n import (
    GLOSSARY,
    LANGUAGES,
    LOCALE_FILE,
    Words,
    next_language,
    placeholders,
    plural_category,
    system_language,
    words,
)
from display.menu.board import GivenUp
from display.menu.lines import Goto, Line, Pick
from display.menu.model import Menu, MenuPlace
from display.menu.settings import MENU_SETTINGS
from display.page.curve import Curve
from display.page.page import About, match_page
from display.page.story import story
from display.screens.menu import draw_menu
from display.view import NO_NAMES, DeviceSituation, MissingPart, PanelView, Situation, TableSituation
from display.words.aloud import hand_aloud, standing
from display.words.ends import decided_keys, ending_view
from display.words.present import present
from display.words.sentences import eyes_reason, figure_problem, refusal, remedy_views
from display.words.verdicts import answer_hint, choice_text, step_text
from display.words.watching import Watched, nothing_to_review, review_caption, watch_view
from engine.record.corrections import Setting
from engine.record.course import CORRECTED, CourseStep
from engine.rules import endings
from engine.rules.cards import VALUES, Card
from engine.rules.events import MatchEvent, RevealEvent, RoundEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import FACTS, ActionKind, Fact, Parry, Remedy, RemedyKind, Ruling, RulingCode, Working
from engine.rules.state import Attack, AttackKind, Phase, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from engine.table.notes import Note, NoteKind
from engine.table.observation import FigureProblem, Sight, Why
from engine.table.possible_turns import rest_of
from engine.table.table_reading import OpenTurn
from firmware.cli.doctor.machine import MachineFacts, machine_lines
from firmware.ui.menu.state import TurnLine
from tests.display.menu_showcase import EVERY_PAGE, MenuContext, page_of
from tests.tables import TABLE
from vision.printed.table import CardSize
from vision.sheets.catalogue import SHEETS
from vision.sheets.page import PAPERS, Job

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
"""Facts that are lists, or may be any number, for some codes only (``rulings.FACTS``)."""
TOPICS = ("table", "menu", "keeper", "sheets")  # whose every key is said by a test in this file
TOPICS_HELD_ELSEWHERE: Mapping[str, str] = {
    "served": "display/page/test_notice.py",
    "home": "display/menu/test_home_pages.py",
    "aim": "display/words/test_aim_words.py",
    "checks": "display/words/test_check_words.py",
    "club": "display/words/test_club_words.py",
    "doctor": "display/words/test_check_words.py",
    "hands": "display/words/test_hands_words.py",
    "coach": "display/words/test_coach_words.py",
    "lessons": "display/words/test_lessons.py",
    "past": "display/menu/test_past_pages.py",
    "people": "display/menu/test_home_pages.py",
    "pages": "display/menu/test_class_pages.py",
    "tiles": "display/menu/test_tiles.py",
    "companion": "display/words/test_companion_words.py",
    "puzzles": "display/words/test_puzzles.py",
    "setup": "display/words/test_setup_words.py",
    "retelling": "display/words/test_coach_words.py",
    "review": "display/page/test_review_page.py",
    "solve": "display/menu/test_puzzle_pages.py",
    "survey": "display/words/test_survey_words.py",
}
"""The other topics, each with the test (under tests/) that says its every key."""
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


@pytest.mark.slow
def test_every_key_is_used_and_every_member_has_words(
    shown: Mapping[str, Situation], said: set[str], topic_keys: Callable[[str], set[str]]
) -> None:
    say = words("en")
    for situation in every_situation(shown):
        present(situation)
        assert standing(say, situation)
        if situation.table.observation is not None:
            hand_aloud(say, situation.table.observation, ())
    counting, explaining = PanelView("Lesson 4", (), asks=True), PanelView("Lesson 4", (), goes_on=True)
    helped = shown["round"].helped
    assert present(replace(shown["round"], helped=replace(helped, panel=explaining))).act.ready
    counted = present(replace(shown["round"], helped=replace(helped, panel=counting))).heard.aloud
    assert "Annegret on 1, Jean-Baptiste on 23" in counted
    assert not any("22" in told for told in counted), "the distance is what has to be counted"
    for ruling in refusals():
        refusal(say, ruling)
        refusal(say, ruling, Attack(Side.BLACK, AttackKind.DIRECT, 4, 2))
    for why, side in ((why, side) for why in Why for side in (None, Side.BLACK)):
        eyes_reason(say, why, side)
    for problem in FigureProblem:
        figure_problem(say, Side.WHITE, problem)
    for kind in RemedyKind:
        remedy = Remedy(kind, card=Card(3, "b"), side=Side.WHITE, space=4, value=5, count=2)
        assert remedy_views(say, (remedy,), None)[0].text
    for may in ({"advance"}, {"retreat"}, {"direct_attack"}, {"advance", "retreat"}, {"advance", "direct_attack"}):
        assert choice_text(say, Side.WHITE, frozenset(map(ActionKind, may)))
    assert choice_text(say, Side.WHITE, frozenset({ActionKind.RETREAT, ActionKind.INDIRECT_ATTACK}))
    cornered = shown["attack_indirect"].state
    assert cornered is not None
    fives = tuple(Card(5, letter) for letter in "abcd")
    cornered = cornered._replace(played=tuple(dict.fromkeys((*cornered.played, *fives))), phase=Phase.FINAL)
    assert answer_hint(say, cornered)
    for decided_by in DECIDED_BY:
        for compared in (True, False):
            explanation, name, number = decided_keys(decided_by, compared)
            if decided_by != endings.BY_DECLARATION:  # the verdict says so itself
                say.say(explanation, loser="White")
            say.say(name, number=number)
    attacked = shown["attack_direct"]
    assert attacked.state is not None
    for ruling in (
        Ruling(True, "turn", Side.BLACK, parry=Parry(3, 2)),
        Ruling(True, "turn", Side.BLACK, ActionKind.RETREAT),
    ):
        spaces = attacked.state.spaces.put(Side.BLACK, 23)
        present(
            replace(
                attacked,
                table=replace(attacked.table, open_turn=OpenTurn(Side.BLACK, (Card(3, "b"),), spaces, ruling, None)),
            )
        )
    pages()
    for watched in every_watched(shown):
        watch_view(watched, "en")
    assert review_caption("en", 1, 2, 300.0, judged=True) != review_caption("en", 1, 2, 3.0, judged=False)
    nothing_to_review("en")
    missing = tuple(MissingPart(part) for part in ("camera", "sound", "pin", "port", "network", "broker", "home"))
    parts = (
        "eyes words menu coach companion teacher recording pictures printed club house buttons lights screen referee"
    )
    present(
        Situation(
            None,
            devices=DeviceSituation(
                missing=tuple(MissingPart(part, failed=True) for part in (*parts.split(), "other"))
            ),
        )
    )
    assert (
        len(
            {
                present(
                    Situation(
                        None,
                        devices=DeviceSituation(missing=missing, restarts=restarts),
                    )
                ).eyes
                for restarts in (True, False)
            }
        )
        == 2
    )
    print_every_sheet(say)
    machine_lines(MachineFacts("Raspberry Pi 5", 1, 55.0, 9000, forgets=True, memory_mb=(4000, 3000)), say.say)
    assert (
        len(
            {
                say.say(f"menu.{key}", stick="STICK")
                for key in ("sheet_making", "sheet_made", "sheet_not_made", "hand_there", "focus_told", "still_at_work")
            }
        )
        == 6
    )
    assert say.say("menu.scoreboard_at", address="http://engarde.local:8765/")
    open_every_menu_page(shown, say)
    written_in_numbers = {f"{table}.{count}" for table in ("number", "values") for count in range(1, 6)}
    keys = {key for topic in TOPICS for key in topic_keys(topic)}
    assert keys - said - written_in_numbers - {"language"} == set()
    assert said & written_in_numbers == set(), "they are said within others"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_is_in_one_topic_and_every_topic_has_a_test(language: str, topic_keys: Callable[[str], set[str]]) -> None:
    files = sorted((Path(display.__file__).parent / "locales" / language).glob("*.toml"))
    assert {path.stem for path in files} == {
        *TOPICS,
        *TOPICS_HELD_ELSEWHERE,
        *(Path(each).stem for each in (GLOSSARY, LOCALE_FILE)),
    }
    assert sum(len(topic_keys(topic)) for topic in (*TOPICS, *TOPICS_HELD_ELSEWHERE)) == len(words("en").entries)
    for test in TOPICS_HELD_ELSEWHERE.values():
        assert "topic_keys(" in (Path(__file__).parents[1] / test).read_text(encoding="utf-8")


def every_watched(shown: Mapping[str, Situation]) -> Iterator[Watched]:
    """Everything the window of ``engarde watch`` can say."""
    seen = shown["advance"].table.observation
    assert seen is not None
    for paused in (True, False):
        yield Watched(seen, BySide(1, None), (Card(3, "b"),), (0.2, 0.1), 9.5, 3.0, paused)
        yield Watched(seen, BySide(None, 23), (), None, None, 3.0, paused)


def open_every_menu_page(shown: Mapping[str, Situation], say: Words) -> None:
    """Every page in every phase of a match, paused and not, with what the machine answers there."""
    played = shown["attack_direct"].state
    assert played is not None
    for number, situation in enumerate(shown.values()):
        starter = ("white", "black", "lot")[number % 3]
        for paused in (True, False):
            full = MenuContext("en", settings={"voice": "full"}, can_set_up=True, can_focus=True)
            context = replace(full, state=situation.state, paused=paused, last="White advances 3")
            lines = replace(context, turns=(TurnLine(1, "White advances 3", (Card(3, "b"),)),), backups=("STICK",))
            for where in (*EVERY_PAGE.values(), Goto.TURN.of(1)):
                on = lines if situation.state is not None else replace(lines, state=played)
                values: dict[Line, str] = {row: row.values[number % len(row.values)] for row in MENU_SETTINGS}
                menu = Menu((MenuPlace(where),), values={**values, Pick.STARTER: starter})
                page = page_of(menu, on)
                if not number:  # what drawing says itself is the same in every situation
                    draw_menu(new_surface(320, 200), page, menu, "en", panel=paused)
        tap_every_card(situation.state or played, on)
    adjusting = Menu((MenuPlace(Goto.SETTINGS),), adjusting=True)
    for panel in (True, False):
        draw_menu(new_surface(320, 200), page_of(adjusting, lines), adjusting, "en", panel=panel)
    step_text(say, CourseStep(Setting(figures=BySide(1, 2)), CORRECTED, played))
    # What firmware.ui.menu answers: tests/firmware/ui/menu holds the words themselves.
    for key, facts in MENU_ANSWERS.items():
        say.say(key, **facts)


def tap_every_card(state: PublicState, context: MenuContext) -> None:
    """Where turns are entered by hand: each first card, a whole hand at the end, giving up, and a refusal."""
    named = [(), *((value,) for value in VALUES), rest_of(state, ())[: state.hands.white]]
    for cards, way in ((cards, way) for cards in named for way in (None, GivenUp.GIVEN_UP)):
        page_of(Menu((MenuPlace(Goto.MANUAL),), {Pick.NAMED: cards, Pick.WAY: way}), replace(context, told="Not so."))


MENU_ANSWERS: Mapping[str, Mapping[str, object]] = {
    "menu.history_line": {"date": "2026-11-21", "white": "Ana", "black": "Bo", "score": "5:3"},
    "menu.falls": {"count": 2, "what": "White advances 3; Black advances 2"},
    "menu.cannot_score": {"count": 5},
    "menu.other_letters": {"letters": "ש"},
    "menu.copied": {"where": "STICK", "count": 12},
    "menu.copy": {"where": "STICK", "number": 3},
    "menu.own_copy": {"number": 12},
    **{f"menu.sight_{name}": {"error_mm": "0.2", "count": 23} for name in ("error", "spaces")},
    **{f"menu.{name}": {"count": 12} for name in ("bad_name", "health_book")},
    **{f"menu.health_{name}": {"what": "works"} for name in ("eyes", "lamps", "sound")},
    **{
        f"menu.{name}": {}
        for name in (
            "lamps_ready",
            "lamps_none",
            "no_sound",
            "cannot",
            "cannot_figures",
            "same_name",
            "no_shut_down",
            "not_kept",
            "no_copy",
            "bad_copy",
            "no_stick",
            "stick_hangs",
            "sight_none",
            "works",
            "not_there",
        )
    },
}


def print_every_sheet(say: Words) -> None:
    """Also one so large that it takes more than one row of pages."""
    table = TABLE
    tokens = tuple(f"ABCD{one}{two}" for one in "23456" for two in "23456")
    wide = replace(table, play_area=table.play_area._replace(y0=-460.0))
    for drawn in (table, wide):
        for make in SHEETS.values():
            make(Job(drawn, "table.toml", PAPERS["a4"], CardSize(63.0, 88.0), say.say, tokens, slots=True))


def every_situation(shown: Mapping[str, Situation]) -> Iterator[Situation]:
    """The showcase, and what it leaves out: every preset, ending, attack, note and sight."""
    yield from shown.values()
    yield replace(
        shown["advance"],
        devices=replace(shown["advance"].devices, kept_by_hand=True, no_camera=True),
    )
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


def pages() -> None:
    """A match's page with everything it can say: shown hands, a correction, ratings; finished and cut off."""
    judged: list[tuple[object, PublicState, Ruling]] = []
    state: PublicState | None = None
    for event in (MatchEvent("ferti-advanced", points=1), RoundEvent(), YieldEvent()):
        state, ruling = judge(state, event)
        assert state is not None
        judged.append((event, state, ruling))
    begun, ruling = judged[1][1:]
    told = story([*judged[:2], (RevealEvent((), ()), begun, ruling), (None, begun, ruling), judged[2]], NO_NAMES, "en")
    curve = Curve(Side.WHITE, ((1, 1500.0, 900.0, 2100.0), (2, 1600.0, 1100.0, 2100.0)))
    for finished in (True, False):
        match_page(told, About(1, "2027-01-31", finished, (curve,)))


def turns(state: PublicState, action: ActionKind | None, parried: bool) -> Iterator[Situation]:
    """The last verdict was this kind of turn."""
    before = state._replace(round=1, phase=Phase.TURN, to_act=Side.WHITE)
    laid = tuple(Card(4, letter) for letter in "abc")
    after = before._replace(to_act=Side.BLACK, played=laid, previous=before, pile=12, distance=4)
    yield Situation(after, Ruling(True, "turn", Side.WHITE, action, Parry(4, 1) if parried else None))
