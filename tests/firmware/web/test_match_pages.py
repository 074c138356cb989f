"""Pages of matches that are over, fetched from the scoreboard's own door: what is there, for whom, and at what cost."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from display.words.present import present
from engine.rules.events import Event
from engine.rules.track import BySide
from firmware.book.scorebook.book import Scorebook, mark_of, open_scorebook
from firmware.book.scorebook.people import make_change, plan_rename
from firmware.cli.main import main
from firmware.core.io.libraries import yielding
from firmware.web import match_pages
from firmware.web.page_maker import NOT_OVER
from firmware.web.scoreboard import Scoreboard, WebServer
from tests.display.showcase import situations
from tests.firmware.web.conftest import got
from tests.waiting import HANG_S, until

BotMatch = Callable[..., tuple[Event, ...]]
NAMES = BySide("Ana", "Bo")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the scorebook; whoever asks for a page waits for it, however busy this machine is."""
    monkeypatch.setattr(match_pages, "WAIT_S", HANG_S)
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(tmp_path / "book.sqlite"))
    return tmp_path / "book.sqlite"


@pytest.fixture
def book(path: Path, fill: Any, bot_match: BotMatch) -> Iterator[Scorebook]:
    """Match 1 is over, match 2 is not."""
    with open_scorebook(path) as opened:
        fill(opened, NAMES, bot_match(1, points=1))
        fill(opened, NAMES, bot_match(2, points=1)[:-1])
        yield opened


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Every page that a program was started for."""
    started: list[tuple[str, ...]] = []

    def noted(*command: str) -> list[str]:
        started.append(command)
        return yielding(*command)

    monkeypatch.setattr(match_pages, "yielding", noted)
    return started


@pytest.fixture
def server(book: Scorebook, made: list[tuple[str, ...]]) -> Iterator[WebServer]:
    with closing(WebServer(Scoreboard(), port=0, book=book.path)) as opened:
        yield opened


def sentence(text: str) -> str:
    (told,) = re.findall(r'<p class="result">(.*?)</p>', text)
    return str(told)


@pytest.mark.slow
def test_a_match_that_is_over_has_the_page_of_the_command_line(
    server: WebServer, made: list[tuple[str, ...]], tmp_path: Path
) -> None:
    answer = got(server.port, "/match/1")
    assert answer.status == HTTPStatus.OK
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert "script-src 'none'; style-src 'sha256-" in answer.headers["content-security-policy"]
    assert not re.search(r"<script|<[^>]*\s(?:on\w+|style)\s*=", answer.text), (
        "nothing that this policy would not let be"
    )
    file = tmp_path / "match.html"
    assert main(["scores", "--match", "1", "--language", "en", "--html", str(file)]) == 0
    assert re.sub(r"@font-face{[^}]*}", "", answer.text) == file.read_text(encoding="utf-8"), (
        "a file has no server for its font"
    )
    assert got(server.port, "/match/1?from=card").text == answer.text
    assert got(server.port, "/match/1", "HEAD").text == ""
    assert len(made) == 1, "it is made once"
    assert "Ana" in answer.text


@pytest.mark.parametrize(
    "asked",
    [
        *("/match/3", "/match/0", "/match/", "/match/01", "/match/-1", "/match/1.html", "/match/one", "/match/%31"),
        *("/match/999999999", "/match/99999999999999999999999999", "/match/..", "/match/%2e%2e%2fbook.sqlite"),
        *("/match/1%00", "/match/%D9%A1"),
    ],
)
def test_of_any_other_number_one_sentence_says_that_there_is_no_match(
    server: WebServer, made: list[tuple[str, ...]], asked: str
) -> None:
    answer = got(server.port, asked)
    assert answer.status == HTTPStatus.NOT_FOUND
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert sentence(answer.text) == words("en").say("served.unknown")
    assert made == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_are_in_the_language_of_the_screen(
    book: Scorebook, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_pages, "yielding", lambda *command: ["sh", "-c", f"exit {NOT_OVER}"])
    board = Scoreboard(language="en")
    with closing(WebServer(board, port=0, book=book.path)) as server:
        view = present(replace(situations()["advance"], language=language))
        board.attend(SimpleNamespace(match=view, desk=SimpleNamespace(course=None)))  # type: ignore[arg-type]
        for path, key in (("/match/77", "served.unknown"), ("/match/2", "served.not_over")):
            answer = got(server.port, path)
            assert (answer.status, sentence(answer.text)) == (HTTPStatus.NOT_FOUND, words(language).say(key))
            assert f'<html lang="{language}">' in answer.text


@pytest.mark.slow
def test_a_match_under_way_has_no_page_until_it_is_over(
    book: Scorebook,
    server: WebServer,
    made: list[tuple[str, ...]],
    bot_match: BotMatch,
    keep: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_pages, "NOT_OVER_S", HANG_S)
    for _ in range(3):
        assert sentence(got(server.port, "/match/2").text) == words("en").say("served.not_over")
    assert len(made) == 1, "it is not looked up again at once"
    monkeypatch.setattr(match_pages, "NOT_OVER_S", 0.2)
    with closing(WebServer(Scoreboard(), port=0, book=book.path)) as another:
        assert sentence(got(another.port, "/match/2").text) == words("en").say("served.not_over")
        journal, events = book.resume(book.replay(2)), bot_match(2, points=1)
        keep(journal, events[-1:], book.replay(2).state)
        assert book.written == 2
        assert until(lambda: "Ana" in got(another.port, "/match/2").text)


def test_who_may_not_ask_or_asks_for_no_number_starts_nothing(server: WebServer, made: list[tuple[str, ...]]) -> None:
    for asked in ("/match", "/match/1/", "/match//1", "/match/../book.sqlite", "/match/1/../../x"):
        assert got(server.port, asked).text == "404 Not Found\n"
    assert got(server.port, "/match/1", host="evil.example").status == HTTPStatus.MISDIRECTED_REQUEST
    assert got(server.port, "/match/1", "POST").status == HTTPStatus.METHOD_NOT_ALLOWED
    assert made == []


def test_without_a_scorebook_that_can_be_read_there_is_no_page_and_none_is_begun(tmp_path: Path) -> None:
    broken = tmp_path / "book.sqlite"
    broken.write_bytes(b"no scorebook at all" * 100)
    for book, status in ((None, 404), (tmp_path / "none.sqlite", 404), (broken, 503)):
        with closing(WebServer(Scoreboard(), port=0, book=book)) as server:
            assert got(server.port, "/match/1").status == status
            assert got(server.port, "/state.json").status == HTTPStatus.OK
    assert list(tmp_path.iterdir()) == [broken]


@pytest.mark.slow
def test_many_wait_for_one_page_while_a_match_goes_on(
    book: Scorebook, server: WebServer, bot_match: BotMatch, keep: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first match is played while its maker waits, and others while it makes the page: nobody waits for it."""
    goes_on, made = tmp_path / "goes_on", []

    def held(*command: str) -> list[str]:
        made.append(command)
        return ["sh", "-c", f'until [ -e {goes_on} ]; do sleep 0.02; done; exec "$@"', "sh", *yielding(*command)]

    monkeypatch.setattr(match_pages, "yielding", held)
    with ThreadPoolExecutor(5) as pool:
        visitors = [pool.submit(got, server.port, "/match/1") for _ in range(5)]
        assert until(lambda: made)
        seed = 3
        while not all(each.done() for each in visitors):
            state, journal = None, book.begin(NAMES, mode="play")
            for event in bot_match(seed):
                state = keep(journal, (event,), state)
                time.sleep(0.02)  # the maker yields to whatever is busy
            assert got(server.port, "/state.json").status == HTTPStatus.OK
            assert goes_on.exists() or not any(each.done() for each in visitors)
            goes_on.touch()
            seed += 1
    found = [each.result() for each in visitors]
    assert {each.status for each in found} == {HTTPStatus.OK}
    assert len({each.text for each in found}) == 1
    assert len(made) == 1


@pytest.mark.slow
def test_a_page_that_takes_long_says_so_and_comes_by_itself(
    server: WebServer, made: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_pages, "WAIT_S", 0.0)
    answer = got(server.port, "/match/1")
    assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE
    assert answer.headers["retry-after"] == str(match_pages.AGAIN_S)
    assert f'<meta http-equiv="refresh" content="{match_pages.AGAIN_S}"/>' in answer.text
    assert sentence(answer.text) == words("en").say("served.later")
    assert until(lambda: got(server.port, "/match/1").status == HTTPStatus.OK)
    assert len(made) == 1


def test_what_cannot_be_made_is_told_and_the_others_are_served_on(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_pages, "yielding", lambda *command: ["false"])
    monkeypatch.delenv("ENGARDE_DEBUG", raising=False)
    assert got(server.port, "/match/1").status == HTTPStatus.INTERNAL_SERVER_ERROR
    assert got(server.port, "/").status == HTTPStatus.OK


def test_no_more_pages_are_waited_for_than_there_is_room_for(
    path: Path, tmp_path: Path, fill: Any, bot_match: BotMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a maker that hangs is ended with the scoreboard."""
    began, pid = tmp_path / "began", tmp_path / "pid"
    hangs = f"echo >> {began}; echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 60"
    wanted: list[str] = []

    def hanging(module: str, book: str, number: str, language: str) -> list[str]:
        wanted.append(number)
        return ["sh", "-c", hangs]

    monkeypatch.setattr(match_pages, "yielding", hanging)
    monkeypatch.setattr(match_pages, "WAIT_S", 0.0)
    with open_scorebook(path) as book:
        for _ in range(match_pages.MAX_WANTED + 2):
            fill(book, NAMES, bot_match(1, points=1))
    with closing(WebServer(Scoreboard(), port=0, book=path)) as server:
        for number in range(1, match_pages.MAX_WANTED + 3):
            assert got(server.port, f"/match/{number}").status == HTTPStatus.SERVICE_UNAVAILABLE
        assert until(pid.exists)
    assert began.read_text() == "\n", "one at a time"
    assert len(wanted) == match_pages.MAX_WANTED
    maker = Path("/proc") / pid.read_text().strip()
    assert until(lambda: not maker.exists())


def test_only_the_last_pages_are_kept(
    path: Path, fill: Any, bot_match: BotMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def noted(module: str, book: str, number: str, language: str) -> list[str]:
        made.append(number)
        return ["echo", number, language]

    monkeypatch.setattr(match_pages, "yielding", noted)
    count = match_pages.MAX_KEPT + 2
    with open_scorebook(path) as book:
        for _ in range(count):
            fill(book, NAMES, bot_match(1, points=1))
    with closing(WebServer(Scoreboard(language="nl"), port=0, book=path)) as server:
        for number in (*range(1, count + 1), *range(3, count + 1), 1):
            assert got(server.port, f"/match/{number}").text == f"{number} nl\n"
    assert made == [*map(str, range(1, count + 1)), "1"]


def test_a_mark_tells_of_what_changes_in_a_page(book: Scorebook, fill: Any, bot_match: BotMatch) -> None:
    first, second = mark_of(book.path, 1), mark_of(book.path, 2)
    assert first
    assert first != second
    fill(book, NAMES, bot_match(3, points=1))
    assert mark_of(book.path, 1) == first, "what comes later is in no earlier page"
    make_change(book, plan_rename(book, "Bo", "Al"))
    assert mark_of(book.path, 1) != first
    assert mark_of(book.path, 9) == ""


def test_the_scoreboard_leads_to_the_page_of_a_match_that_is_over(server: WebServer) -> None:
    board = Scoreboard(lambda: 12)
    told: Any = SimpleNamespace(match=present(situations()["match_over"]), desk=SimpleNamespace(course=None))
    board.attend(told)
    assert '"page": {"address": "match/12", "text": "This match, turn by turn"}' in board.now
    for name in ("advance", "touch", "no_match"):
        board.attend(SimpleNamespace(match=present(situations()[name]), desk=told.desk))  # type: ignore[arg-type]
        assert '"page"' not in board.now
    nowhere = Scoreboard()
    nowhere.attend(told)
    assert '"page"' not in nowhere.now
    assert 'id="page"' in got(server.port, "/").text
