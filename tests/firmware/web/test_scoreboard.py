"""The scoreboard: what is served, what is sent, and what never leaves the machine."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from display.draw.fonts import family
from display.view import Pose, Situation
from display.words.present import present
from engine.record.course import follow
from engine.rules.cards import DECK, Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.track import BySide, Side
from firmware.web.address import Port, WebError, network_name
from firmware.web.scoreboard import Scoreboard, WebServer, public
from firmware.web.switched import EVERYBODY, SwitchedScoreboard
from tests.display.showcase import situations
from tests.firmware.web.conftest import got
from tests.waiting import HANG_S

SHOWN = situations()


def moment(name: str, language: str = "en") -> Any:
    desk = SimpleNamespace(course=None)
    return SimpleNamespace(match=present(replace(SHOWN[name], language=language)), desk=desk)


@pytest.fixture
def served() -> Iterator[tuple[Scoreboard, WebServer]]:
    scoreboard = Scoreboard()
    with closing(WebServer(scoreboard, port=0)) as server:
        yield scoreboard, server


def test_both_pages_are_whole_and_fetch_only_the_letters_of_the_screen_which_are_kept(
    served: tuple[Scoreboard, WebServer],
) -> None:
    port = served[1].port
    for page in ("/", "/overlay"):
        _, headers, text = got(port, page)
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert "font-src 'self'" in headers["content-security-policy"]
        assert not re.findall(r"(?:src|href)\s*=|url\((?!/font/)|https?://(?!www\.w3\.org/2000/svg)", text)
        for side in Side:
            assert [pose for pose in Pose if f'id="{side.value}-{pose.value}"' not in text] == []
    assert "background: transparent" in text
    addresses = re.findall(r"url\((/font/[^)]*)\)", text)
    for address, file in zip(addresses, family(), strict=True):
        _, headers, text = got(port, address)
        assert headers["content-type"] == "font/ttf"
        assert int(headers["cache-control"].rpartition("=")[2]) >= 7 * 86400
        assert text.encode("utf-8", "surrogateescape") == file.read_bytes()
    assert got(port, "/font/other.ttf").status == 404


def test_what_changes_is_sent_at_once_and_nothing_twice(served: tuple[Scoreboard, WebServer]) -> None:
    scoreboard, server = served
    scoreboard.attend(moment("advance"))
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG_S)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")

    def event() -> dict[str, Any]:
        line = answer.readline().decode()
        assert answer.readline() == b"\n"
        sent: dict[str, Any] = json.loads(line.removeprefix("data: "))
        return sent

    assert event()["verdict"]["headline"] == "Annegret advances 4"
    scoreboard.attend(moment("advance"))
    scoreboard.attend(moment("touch", "de"))
    told = event()
    assert (told["language"], told["score"]) == ("de", {"white": 1, "black": 0})
    assert json.loads(got(server.port, "/state.json").text) == told
    connection.close()


def test_an_address_that_cannot_be_had_is_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            WebError, match=f"--web: expected to serve at 127.0.0.1 port {port}, found it cannot be had"
        ):
            WebServer(Scoreboard(), port=port)
    with pytest.raises(
        WebError, match=f"a port from 0 to 65535, found 99999; leave the number out for {Port.SCOREBOARD}"
    ):
        WebServer(Scoreboard(), port=99999)


@pytest.mark.parametrize("name", SHOWN)
def test_no_hand_and_no_card_of_an_open_turn_leaves_the_machine(name: str) -> None:
    """Swap every card that is not played yet for any other: what is sent stays the same to the letter."""
    situation = SHOWN[name]
    told = public(present(situation))
    swapped = _swapped(situation)
    # An open turn and a note are left out altogether, so that any others would do.
    assert public(present(swapped)) == told
    text = json.dumps(told)
    assert not [card for card in DECK if re.search(rf"\b{card}\b", text)]


@pytest.mark.parametrize(
    ("language", "turn"),
    [("en", "Bo’s turn"), ("de", "Bo ist am Zug"), ("fr", "À Bo de jouer"), ("nl", "Bo is aan de beurt")],
)
def test_where_nothing_is_ruled_it_says_by_name_whose_turn_it_is(language: str, turn: str) -> None:
    named = BySide("Ana", "Bo")
    for name in ("open_legal", "wrong_distance", "give_up"):
        told = public(present(replace(SHOWN[name], names=named, language=language)))
        assert told["verdict"]["headline"] == turn
        assert told["turn_text"] != turn, "beside the name it is the colour"
    assert public(present(replace(SHOWN["compare_looking"], language=language)))["verdict"]["tone"] == "ready"
    assert public(present(replace(SHOWN["hidden_hands"], names=named, language=language)))["verdict"]["headline"]


def _swapped(situation: Situation) -> Situation:
    revealed = situation.revealed
    if revealed is not None:
        revealed = BySide(revealed.black, revealed.white)
    note = situation.table.note
    if note is not None and note.cards:
        note = replace(note, cards=(Card(1, "a"),))
    opened = situation.table.open_turn
    if opened is not None:
        opened = replace(opened, cards=tuple(Card(card.value % 5 + 1, card.letter) for card in opened.cards))
    return replace(situation, revealed=revealed, table=replace(situation.table, note=note, open_turn=opened))


def test_the_last_turns_are_told(served: tuple[Scoreboard, WebServer]) -> None:
    scoreboard, server = served
    course = None
    events = (MatchEvent("ferti-advanced"), RoundEvent(), TurnEvent((Card(4, "a"),), 5, 23))
    for event in (*events, TurnEvent((Card(3, "b"),), 5, 20)):
        course, ruling = follow(course, event)
        assert ruling.ok
    assert course is not None
    view = present(Situation(course.state, names=BySide("Ana", "Bo"), language="de"))
    scoreboard.attend(SimpleNamespace(match=view, desk=SimpleNamespace(course=course)))  # type: ignore[arg-type]
    told = json.loads(got(server.port, "/state.json").text)
    assert [turn["side"] for turn in told["turns"]] == ["black", "white"]
    assert told["turns"][0]["text"] == "Bo geht 3 vor"
    assert told["poses"] == {"white": "guard", "black": "guard"}


def answers(port: int) -> bool:
    try:
        return got(port, "/").status == 200
    except ConnectionRefusedError:
        return False


def test_it_is_served_while_it_is_on(port: int) -> None:
    said: list[str] = []
    with closing(SwitchedScoreboard(said.append, (EVERYBODY, port))) as board:
        assert not answers(port)
        assert board.address == ""
        for _ in range(2):
            board.open()
            assert answers(port)
            assert board.address == f"http://{network_name()}:{port}/"
        assert said == [f"The scoreboard is at {board.url} (for a stream: {board.url}overlay)."]
        board.close()
        assert not answers(port)
        assert board.reopen()
        assert answers(port)


def test_one_for_this_machine_alone_has_no_address_for_others() -> None:
    with closing(SwitchedScoreboard(lambda said: None, ("127.0.0.1", 0))) as board:
        board.open()
        assert board.url.startswith("http://127.0.0.1:")
        assert board.address == ""


def test_a_network_that_comes_later_is_found(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    networks: list[str] = []
    monkeypatch.setattr("firmware.web.address.own_address", lambda: networks[-1] if networks else "")
    with closing(SwitchedScoreboard(lambda said: None, (EVERYBODY, port))) as board:
        assert board.reachable == ""
        board.open()
        assert not board.look_up()
        assert board.reachable == ""
        networks.append("192.168.4.1")
        assert board.look_up()
        assert board.reachable == f"http://192.168.4.1:{port}/"
        networks.append("10.0.0.7")
        assert board.look_up()
        assert board.reachable == f"http://10.0.0.7:{port}/"
        board.close()
        assert board.reachable == ""
