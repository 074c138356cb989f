"""``engarde scores --match NO``, with ``--review``, ``--json`` or ``--html``: every turn with its chances."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from display.i18n import LANGUAGES
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import RandomBot
from engine.review.proof import Basis, Better, play_of
from engine.review.review import better_event, mistakes
from engine.rules.cards import Card
from engine.rules.events import event_from_json
from engine.rules.referee import judge
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from tests.engine.review.conftest import Played, rounds_of
from tests.firmware.conftest import bot_match, keep_match
from tests.firmware.test_schemas import conforms

CARELESS = (64, 76)
"""Matches of random bots with mistakes of every kind."""


@cache
def found_mistakes() -> tuple[tuple[Played, int, Better], ...]:
    others = [(seed, STRENGTHS["fencer"]()) for seed in range(1)]
    return tuple(
        (each, place, better)
        for seed, other in (*((seed, RandomBot()) for seed in CARELESS), *others)
        for each in rounds_of(seed, BySide(RandomBot(), other))
        for place, better in mistakes(each.steps)
    )


@pytest.mark.slow
def test_what_is_better_is_a_turn_that_the_referee_allows_with_cards_that_were_there() -> None:
    found: dict[Basis, int] = {}
    for each, place, better in found_mistakes():
        before = each.steps[place].state.previous
        event = better_event(each.steps, place, better)
        assert event is not None
        assert before is not None
        after, ruling = judge(before, event)
        assert ruling.ok
        assert after is not None
        assert play_of(each.steps[place]) == better.taken
        assert len(event.cards) == better.play.parry + bool(better.play.move) + better.play.attack
        assert not set(event.cards) & set(before.played)
        held = [card.value for card in each.hidden[place].hands[better.side]]
        assert all(
            held.count(card.value) >= [one.value for one in event.cards].count(card.value) for card in event.cards
        )
        found[better.basis] = found.get(better.basis, 0) + 1
    assert set(found) == {Basis.EVERY_HAND, Basis.SHOWN}


@pytest.mark.slow
def test_what_somebody_laid_later_is_what_he_should_have_laid() -> None:
    """The cards themselves are those that are known to have been in his hand, as far as there are any."""
    each, place, better = next(case for case in found_mistakes() if case[2].basis is Basis.EVERY_HAND)
    event = better_event(each.steps, place, better)
    assert event is not None
    hand = each.hidden[place].hands[better.side]
    assert all(isinstance(card, Card) and card in hand for card in event.cards)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(path))
    with open_scorebook(path) as made:
        for seed in (1, 0, 2, 3):
            keep_match(made, "Ana <3", "Bo", bot_match(seed, points=1))
        keep_match(made, "Cem", "Bo", bot_match(9)[:6])
    return path


@pytest.mark.slow
def test_a_match_is_reviewed_for_other_programs(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores", "--match", "1", "--review", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    conforms("review.json", [told], spoil=1)
    numbers = [each["turn"] for each in told if each["round"] == told[0]["round"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(low <= high for each in told for low, high in (each["chance_before"], each["chance_after"]))
    assert told[-1]["chance_after"] in ([0.0, 0.0], [1.0, 1.0], [0.5, 0.5])
    for each in told:
        assert each["proved"] == (each["kind"] == "mistake")
        assert (each["kind"] is None) == (each["better"] is None)
        assert (each["sign"] in ("?", "??")) >= (each["kind"] in ("mistake", "likely_mistake"))
        assert each["sign"] is None or 0.0 <= each["price_played"] <= each["price_better"] <= 1.0
    assert {each["sign"] for each in told} >= {"ok"}
    for each in told:
        assert each["better"] is None or event_from_json(each["better"])


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_is_reviewed_for_people(book: Path, capsys: pytest.CaptureFixture[str], language: str) -> None:
    assert main(["scores", "--match", "1", "--review", "--language", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    turns = [line for line in lines if line[:1].isdigit()]
    assert [line.split(".")[0] for line in turns] == [str(number) for number in range(1, len(turns) + 1)]
    assert all("Ana" in line or "Bo" in line for line in turns)
    assert lines[-1], "how the chances are to be read"


@pytest.mark.slow
def test_a_page_in_a_file_and_in_a_folder(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    assert main(["scores", "--match", "3", "--html", str(file), "--language", "nl"]) == 0
    assert capsys.readouterr().out == f"Match 3 was written to {file}.\n"
    page = file.read_text(encoding="utf-8")
    assert "Ana &lt;3 tegen Bo" in page
    assert "Ana <3" not in page
    folder = tmp_path / "pages"
    folder.mkdir()
    assert main(["scores", "--match", "3", "--html", str(folder), "--language", "nl"]) == 0
    assert (folder / "match-3.html").read_text(encoding="utf-8") == page


@pytest.fixture
def unreviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without the review of their rounds, which takes most of the time."""
    monkeypatch.setattr("firmware.book.scores.reviewing.reviewed_rounds", lambda played, tell: [])


@pytest.mark.slow
@pytest.mark.usefixtures("unreviewed")
def test_ratings_go_up_to_the_match_and_no_further(book: Path, tmp_path: Path) -> None:
    pages = {}
    for number in (1, 2, 4, 5):
        file = tmp_path / f"{number}.html"
        assert main(["scores", "--match", str(number), "--html", str(file)]) == 0
        pages[number] = file.read_text(encoding="utf-8")
    assert "<polyline" not in pages[1]
    assert pages[2].count("<polyline") == 2
    widths = [len(page.partition("<polyline")[2].partition("/>")[0].split(",")) for page in (pages[2], pages[4])]
    assert widths[0] < widths[1]
    assert pages[5].count("<polyline") == 1, "Cem has finished no match yet"
    assert "Not played to its end" in pages[5]


@pytest.mark.slow
@pytest.mark.usefixtures("unreviewed")
def test_a_rating_under_all_presets_is_shown_whatever_is_asked_for(book: Path, tmp_path: Path) -> None:
    plain, chosen = tmp_path / "plain.html", tmp_path / "chosen.html"
    assert main(["scores", "--match", "4", "--html", str(plain)]) == 0
    assert main(["scores", "--match", "4", "--preset", "ferti-advanced", "--html", str(chosen)]) == 0
    assert plain.read_bytes() == chosen.read_bytes()
