"""Past matches at the menu: opened from the book, reviewed beside the game, films made onto a stick."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import pytest
import zxingcpp

from display.i18n import LANGUAGES, words
from display.menu.model import Act, Goto, Key, Menu, MenuPlace, Mistake, PastRound, step
from display.screens.card import CARD_SIZE
from display.words.retelling import moment_text
from display.words.sentences import words_for
from engine.players.bots.strengths import rival_name
from engine.puzzles.puzzle import judge_answer
from engine.record.corrections import Setting
from engine.record.notation import Record, RoundRecord, parse_move, replay
from engine.record.retelling import finished_rounds, retell
from engine.rules.events import Event, RevealEvent
from engine.rules.legal import Play
from engine.rules.state import Reason, Result
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scores.history import How, RoundFacts
from firmware.book.scores.telling import facts_of, round_told
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu import errand
from firmware.ui.menu.errand import making_told
from firmware.ui.menu.machine import Household
from firmware.ui.menu.past import Past
from tests.display.menu_showcase import past_page, round_page
from tests.firmware.ui.scene_table import machine_of
from tests.waiting import until


@pytest.fixture
def machine(tmp_path: Path, fill: Any, bot_match: Any) -> Iterator[Household]:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        fill(book, BySide("Ana", "Bo"), bot_match(1))
        yield machine_of(book)


def reviewed(past: Past, where: tuple[int, int]) -> PastRound:
    """A round whose review is worked out."""

    def found() -> PastRound:
        shown = past.round(*where, "en")
        assert shown is not None
        return shown

    assert until(lambda: not found().review.progress)
    return found()


@pytest.mark.slow
def test_a_round_is_reviewed_while_it_is_looked_at(machine: Household) -> None:
    past: Any = Past(machine)
    (line,) = machine.history("en")
    opened = past.match(line.number, "en")
    assert opened.line == line
    number = opened.rounds[0].key.part
    where = line.number, number
    begun = past.round(*where, "en")
    assert len(begun.turns) == begun.review.of + 1
    assert begun.turns[0].text in ("Ana begins", "Bo begins")
    done = reviewed(past, where)
    assert len(done.review.points) == len(done.turns)
    german = past.round(*where, "de")
    assert german.review.title.startswith("Rückblick")
    assert not german.review.progress, "nothing is worked out again for another language"
    past.leave()
    assert past.round(line.number, 99, "en") is None
    assert past.match(77, "en") is None


def _made(past: Past, said: str) -> str:
    assert until(lambda: said in past.making.told("en")), past.making.told("en")
    return past.making.told("en")


class Board:
    """A scoreboard: whether it is switched on, and where phones find it."""

    url, reachable = "", ""


@pytest.mark.slow
def test_the_picture_has_a_code_to_the_matchs_page_while_that_is_served(machine: Household, tmp_path: Path) -> None:
    board: Any = Board()
    machine.board = lambda: board
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    past: Any = Past(machine)
    (line,) = machine.history("en")
    file = stick / f"engarde-match-{line.number}.png"
    served = "http://192.168.178.20:8765/"

    def drawn(url: str, reachable: str) -> tuple[str, set[str]]:
        board.url, board.reachable = url, reachable
        items = past_page(words("en"), past.match(line.number, "en")).items
        assert [item.key for item in items[-3:]] == [Act(do, line.number) for do in ("card", "gif", "record")]
        (note,) = (item.note for item in items if item.key == Act("card", line.number))
        past.make("card", line.number, "en")
        _made(past, "is on")
        grey = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        assert grey is not None
        assert grey.shape == CARD_SIZE[::-1]
        return note, {found.text for found in zxingcpp.read_barcodes(grey)}

    coded = "Names, score and a code to the match’s page, made while you go on."
    plain = "Names and score to send, made while you go on."
    switch = "Names and score. With the scoreboard on (Settings), a code to the match’s page, too."
    assert drawn("", "") == (switch, set())
    assert drawn("http://0.0.0.0:8765/", served) == (coded, {f"{served}match/{line.number}"})
    assert drawn("http://0.0.0.0:8765/", "") == (plain, set()), "no network: no code that leads nowhere"
    machine.board = lambda: None
    assert drawn("", "") == (plain, set()), "none to be switched on"


def test_what_takes_long_is_told_in_minutes() -> None:
    say = words("en")
    assert making_told(say, "a.html", 119.4) == "a.html is being made: 119 seconds so far."
    assert making_told(say, "a.html", 119.6) == "a.html is being made: 2 minutes so far."
    assert making_told(say, "a.html", 151.0) == "a.html is being made: 3 minutes so far."


@pytest.mark.parametrize(
    ("do", "option", "ending"), [("film", "film", "mp4"), ("gif", "film", "gif"), ("page", "html", "html")]
)
def test_what_is_made_is_asked_of_the_command(
    machine: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: str, option: str, ending: str
) -> None:
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    asked: list[list[str]] = []

    def noted(command: list[str], **more: Any) -> Any:
        asked.append(command)
        return subprocess.Popen(["true"], **more)

    monkeypatch.setattr(errand, "subprocess", SimpleNamespace(**{**vars(subprocess), "Popen": noted}))
    past: Any = Past(machine)
    (line,) = machine.history("en")
    past.make(do, line.number, "en")
    assert asked[0][asked[0].index(f"--{option}") + 1].endswith(f"engarde-match-{line.number}.{ending}")
    assert until(lambda: "being made" not in past.making.told("en"))
    assert past.making.told("en") == f"engarde-match-{line.number}.{ending} is on the stick STICK."
    assert "--recording" not in asked[0]
    machine.recording = tmp_path / "evening.engarde"
    past.make(do, line.number, "en")
    assert (str(machine.recording) in asked[1]) is (option == "film")
    assert until(lambda: "being made" not in past.making.told("en"))


def test_a_score_that_was_set_is_told_with_the_match(machine: Household) -> None:
    machine.history("en")
    (summary,) = machine.known.summaries
    more = replace(summary, score=summary.score.put(Side.WHITE, summary.score.white + 1))
    assert facts_of(words("en"), more)[-1] == "The score was set in the menu."


def test_a_round_that_was_given_up_says_so() -> None:
    say, names = words("en"), BySide("Ana", "Bo")
    hit = RoundFacts(Side.WHITE, 7, Result(Side.BLACK, Reason.HIT), How.DIRECT)
    stuck = RoundFacts(Side.WHITE, 1, Result(Side.BLACK, Reason.NO_LEGAL_MOVE), How.STUCK)
    told = {
        hit: "touch by a direct attack.",
        replace(hit, given_up=True): "touch by a direct attack, not parried.",
        stuck: "no turn was left.",
        replace(stuck, given_up=True): "Ana gave up.",
        replace(stuck, how=How.CORRECTED): "said in the menu.",
    }
    for facts, end in told.items():
        assert round_told(say, facts, names).endswith(f": {end}")
    drawn = RoundFacts(Side.WHITE, 12, Result(None, Reason.DRAW), None)
    assert "Ana" in round_told(say, drawn, names)
    assert "Bo" not in round_told(say, drawn, names)


def test_past_rounds_tell_what_the_round_told_again_does(machine: Household, fill: Any, bot_match: Any) -> None:
    """Every moment of the retelling, and both hands where they were shown, stand beneath the turn they belong to."""
    for seed in range(2, 1 + len(LANGUAGES)):
        fill(machine.book, BySide("Ana", "Bo"), bot_match(seed))
    machine.known_names()
    past: Any = Past(machine)
    told = 0
    for number, language in enumerate(LANGUAGES):  # each tells another match
        line = machine.history(language)[number]
        opened, course = past.match(line.number, language), machine.book.replay(line.number).course
        for place, steps in zip(opened.rounds, finished_rounds(course), strict=True):
            turns = past.round(line.number, place.key.part, language).turns
            say = words_for(language, BySide("Ana", "Bo"))
            for page, turn in zip(retell(steps), turns[1:], strict=True):
                for moment in page.moments:
                    assert moment_text(say, moment) in turn.note
                    told += 1
                if isinstance(page.step.entry, RevealEvent):
                    assert " ".join(str(card.value) for card in sorted(page.step.entry.black)) in turn.note
    assert told > 10
    past.leave()


@pytest.mark.slow
def test_a_film_that_is_stopped_half_way_leaves_nothing_behind(
    machine: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once pictures were written aside: neither they nor anything on the stick stays."""
    stick, aside = tmp_path / "media" / "STICK", tmp_path / "aside"
    stick.mkdir(parents=True)
    aside.mkdir()
    monkeypatch.setenv("TMPDIR", str(aside))
    past: Any = Past(machine)
    (line,) = machine.history("en")
    past.make("film", line.number, "en")
    assert until(lambda: any(film.stat().st_size for film in aside.glob("*/film.mp4"))), past.making.told("en")
    how_far = past.making.told("en")
    number = re.compile(r"engarde-match-\d+\.mp4 is being made: (\d+)% done\.")
    assert (first := number.fullmatch(how_far)), how_far
    assert (then := number.fullmatch(past.making.told("en"))), "no number is forgotten where no other came"
    assert int(then[1]) >= int(first[1])
    past.making.stop()
    assert _made(past, "not made") == f"engarde-match-{line.number}.mp4 was not made."
    assert list(stick.iterdir()) == list(aside.iterdir()) == []


def mistaken_match() -> list[Event]:
    """White, who holds three 4s, steps back at distance 4, and hits with them two turns later."""
    moves = tuple(map(parse_move, ("+5a", "+5b", "+4a", "+4b", "-1a", "+1b", "x4c4d4e")))
    events = [entry for entry, _, _ in replay(Record(points=1, rounds=(RoundRecord(moves, None),)))]
    return [event for event in events if not isinstance(event, Setting)]


@pytest.mark.slow
def test_one_click_makes_a_proved_mistake_a_puzzle_of_whoever_made_it(
    machine: Household, tmp_path: Path, fill: Any
) -> None:
    fill(machine.book, BySide("Ana", "Bo"), mistaken_match())
    machine.known_names()
    progress = Progress(tmp_path / "lessons.json")
    past: Any = Past(machine, progress)
    line = machine.history("en")[0]
    where = line.number, 1
    shown = reviewed(past, where)
    assert shown.mistakes == (Mistake(5, "Ana"),)
    say = words("en")
    at = len(shown.turns)
    page = round_page(say, Menu((MenuPlace(Goto.ROUND.of(*where), at),)), shown)
    assert page.past is not None
    assert page.past.at == 5
    assert page.past.offer == ("Make it a puzzle for Ana", at)
    assert page.items[at].key == Act("keep_puzzle", 5)
    opened = Menu((MenuPlace(Goto.ROUND.of(*where)),))
    above, nothing = step(opened, Key.UP, round_page(say, opened, shown))
    assert above is not None
    chosen = step(above, Key.CHOOSE, round_page(say, above, shown))[1]
    assert (nothing, chosen) == (None, page.items[at].key), "two keys: up, from the first line to the last, and Enter"
    past.keep(5)
    past.keep(5)  # twice is once
    assert past.round(*where, "en").mistakes == (Mistake(5, "Ana", kept=True),)
    (puzzle,) = Progress(tmp_path / "lessons.json").of("Ana").own
    assert judge_answer(puzzle, Play(0, 0, 2)).right
    assert not judge_answer(puzzle, Play(0, -1, 0)).right
    assert past.round(*where, "en") is not None
    without: Any = Past(machine)
    without.round(*where, "en")
    without.keep(5)
    assert without.round(*where, "en").mistakes == ()
    fill(machine.book, BySide(rival_name("club"), "Bo"), mistaken_match())
    machine.known_names()
    assert reviewed(past, (line.number + 1, 1)).mistakes == (), "a bot gets no puzzles"
