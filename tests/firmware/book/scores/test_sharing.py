"""What is shared: the play link as BG Stats documents it, and codes that a telephone can read."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import cv2
import numpy as np
import pygame
import pytest
import zxingcpp

from display.draw.canvas import Canvas
from display.draw.theme import DEFAULT
from display.i18n import LANGUAGES, words
from display.screens.card import CARD_SIZE, draw_card_of
from display.screens.qr import ScanCode, draw_codes
from display.view import ViewModel
from display.words.present import present
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.cli.sitting.board import BG_STATS, Codes, play_link
from firmware.web.address import is_in_this_network, own_address, reachable
from tests.display.showcase import situations
from tests.firmware.conftest import bot_match, keep_match
from vision.printed.tags import qr_rows

pytestmark = pytest.mark.slow

BEGAN = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)
RESULT = (BySide("Zoë & Ana", "Bo"), BySide(5, 3), Side.WHITE, Side.BLACK, BEGAN)
ADDRESS = "http://192.168.178.20:8765/"


def read(surface: pygame.Surface) -> set[str]:
    """What a telephone reads on this picture."""
    width, height = surface.get_size()
    rows = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)
    return {found.text for found in zxingcpp.read_barcodes(cv2.cvtColor(rows, cv2.COLOR_RGB2GRAY))}


def shown(codes: tuple[ScanCode, ...], size: tuple[int, int]) -> set[str]:
    surface = pygame.Surface(size)
    draw_codes(Canvas(surface, DEFAULT), codes, surface.get_rect())
    return read(surface)


@pytest.fixture(scope="module")
def views() -> dict[str, ViewModel]:
    return {name: present(situation) for name, situation in situations().items()}


def test_the_link_is_a_play_as_bg_stats_takes_it() -> None:
    link = play_link(*RESULT)
    assert link.startswith(BG_STATS)
    play = json.loads(unquote(link.removeprefix(BG_STATS)))
    assert play["playDate"] == "2026-11-22 20:00:00"
    assert play["game"]["name"] == "En Garde"
    assert [player["name"] for player in play["players"]] == ["Zoë & Ana", "Bo"]
    assert [player["winner"] for player in play["players"]] == [True, False]
    assert [player["startPlayer"] for player in play["players"]] == [False, True]
    assert [player["score"] for player in play["players"]] == [5, 3]
    assert play_link(*RESULT) == link


@pytest.mark.parametrize("size", [(312, 269), (400, 340), (500, 400), (749, 600)])
def test_a_telephone_reads_both_codes_where_the_lamps_are(size: tuple[int, int]) -> None:
    link = play_link(*RESULT)
    assert shown((ScanCode(qr_rows(link), "BG Stats"),), size) == {link}
    assert shown((ScanCode(qr_rows(ADDRESS), "board"),), size) == {ADDRESS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_codes_are_shown_while_nobody_is_at_work(views: dict[str, ViewModel], language: str) -> None:
    codes = Codes(lambda: ADDRESS, lambda: 12)
    over = replace(views["match_over"], language=language, mode="play")
    before = replace(views["no_match"], language=language)
    assert [code.rows for code in codes(before)] == [qr_rows(ADDRESS)]
    assert len(codes(over)) == 2
    assert codes(over)[0].rows == qr_rows(f"{ADDRESS}match/12"), "then it is the match's own page"
    assert codes(over)[0].text != codes(before)[0].text
    nowhere = Codes(lambda: ADDRESS)
    assert nowhere(over)[0].rows == qr_rows(ADDRESS), "a match in no scorebook has no page"
    assert nowhere(over)[0].text == codes(before)[0].text
    assert codes(over)[1] is codes(over)[1], "the same code while it is shown"
    assert codes(over)[0] is codes(over)[0], "and it is made once"
    assert codes(replace(over, piste=replace(over.piste, joy_s=1.0))) == (), "first the victory"
    assert len(codes(replace(over, mode="demo"))) == 1
    assert codes(replace(over, mode="teach"))[0].rows == qr_rows(ADDRESS), "a lesson is in no scorebook"
    for name in ("round", "attack_direct", "touch"):
        assert codes(views[name]) == ()
    assert Codes()(before) == ()


def test_the_scoreboards_code_is_made_anew_for_another_address_or_language(views: dict[str, ViewModel]) -> None:
    other = "http://10.0.0.7:8765/"
    addresses = iter((ADDRESS, ADDRESS, other, other))
    codes = Codes(lambda: next(addresses))
    english, german = views["no_match"], replace(views["no_match"], language="de")
    first, again, moved, translated = (codes(view)[0] for view in (english, english, english, german))
    assert again is first
    assert (moved.rows, moved.text) == (qr_rows(other), first.text)
    assert translated.rows == moved.rows
    assert translated.text != moved.text


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", ""),
        ("localhost", ""),
        ("::1", ""),
        ("192.168.1.5", "http://192.168.1.5:80/"),
        ("fd00::5", "http://[fd00::5]:80/"),
        ("table.local", "http://table.local:80/"),
    ],
)
def test_the_address_is_one_that_others_reach(host: str, expected: str) -> None:
    assert reachable(host, 80) == expected


@pytest.mark.parametrize(
    ("routed", "told"), [("10.1.2.3", "10.1.2.3"), ("127.0.0.1", "192.168.4.1"), (None, "192.168.4.1")]
)
def test_of_several_networks_the_one_a_route_leads_out_of_is_told(
    monkeypatch: pytest.MonkeyPatch, routed: str | None, told: str
) -> None:
    class Socket(socket.socket):
        def connect(self, address: object) -> None:
            if routed is None:
                raise OSError(101, "Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            assert routed is not None
            return routed, 9

    def asked(fileno: int, request: int, name: bytes) -> bytes:
        if name.startswith(b"wlan0"):
            return bytes(20) + bytes([192, 168, 4, 1]) + bytes(8)
        if name.startswith(b"lo"):
            return bytes(20) + bytes([127, 0, 0, 1]) + bytes(8)
        raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr("socket.socket", Socket)
    monkeypatch.setattr("socket.if_nameindex", lambda: [(1, "lo"), (2, "eth0"), (3, "wlan0")])
    monkeypatch.setattr("fcntl.ioctl", asked)
    assert own_address() == told
    assert reachable("0.0.0.0", 80) == f"http://{told}:80/"


def test_the_card_shows_the_result_and_a_code_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says where the code opens."""
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(path))
    with open_scorebook(path) as book:
        keep_match(book, "Ana", "Bo", bot_match(1))
        keep_match(book, "Ana", "Bo", bot_match(1)[:9])
    file, link = tmp_path / "card.png", "https://example.org/match-1.html"
    assert main(["scores", "--match", "1", "--card", str(file), "--link", link]) == 0
    assert read(pygame.image.load(str(file))) == {link}
    assert main(["scores", "--match", "1", "--card", str(file)]) == 0
    assert read(pygame.image.load(str(file))) == set()
    long = ["1", "--card", str(file), "--link", "x" * 400]
    for wrong in (["2", "--card", str(file)], ["1", "--card", "card.jpg"], long):
        assert main(["scores", "--match", *wrong]) != 0
    drawn: list[ScanCode | None] = []
    monkeypatch.setattr(
        "firmware.cli.commands.scores.draw_card_of", lambda surface, view, facts, code, look: drawn.append(code)
    )
    for link in ("https://example.org/1", f"{ADDRESS}match/1"):
        assert main(["scores", "--match", "1", "--language", "de", "--card", str(file), "--link", link]) == 0
    say = words("de")
    assert [code and code.text for code in drawn] == [say.say("served.code"), say.say("served.code_here")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [BySide("Ana", "Bo"), BySide("Maximiliane von der Heide", "Jean-Baptiste-Emmanuel")])
def test_everything_on_the_card_fits(views: dict[str, ViewModel], language: str, names: BySide[str]) -> None:
    situation = replace(situations()["match_over"], language=language, names=names)
    view = present(situation)
    say = words(language)
    sizes = set()
    for opens in ("", say.say("served.code"), say.say("served.code_here")):
        code = ScanCode(qr_rows(f"{ADDRESS}match/123"), opens) if opens else None
        texts = draw_card_of(
            pygame.Surface(CARD_SIZE), view, f"{view.match.preset_text} {view.match.points_text}", code
        )
        assert not [text.text for text in texts if text.cut]
        sizes |= {text.size_px for text in texts if text.text == opens}
    assert min(sizes) >= 18


@pytest.mark.parametrize("points", [(5, 2), (2, 5)])
def test_the_winners_blade_stays_below_the_head_of_the_card(points: tuple[int, int]) -> None:
    """Its tip stood in the golden rule."""
    view = present(situations()["match_over"])
    assert view.ending is not None
    winner = Side.WHITE if points[0] > points[1] else Side.BLACK
    view = replace(view, ending=replace(view.ending, winner=winner), match=replace(view.match, score=BySide(*points)))
    surface = pygame.Surface(CARD_SIZE)
    draw_card_of(surface, view, "")
    rule_y = round(CARD_SIZE[1] * 0.3)
    for y, colour in ((rule_y + 1, DEFAULT.gold), (rule_y + 9, DEFAULT.paper)):
        assert {tuple(surface.get_at((x, y)))[:3] for x in range(CARD_SIZE[0])} == {tuple(colour)[:3]}


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://192.168.178.20:8765/match/1", True),
        ("http://[fd00::5]:8765/match/1", True),
        ("http://table:8765/match/1", True),
        ("https://example.org/match-1.html", False),
        ("https://10.example.org/match-1.html", False),
        ("http://[2606:2800::1]/match", False),
        ("http://[broken/match", False),
    ],
)
def test_an_address_of_this_network_is_told_from_one_of_the_world(address: str, here: bool) -> None:
    assert is_in_this_network(address) is here
