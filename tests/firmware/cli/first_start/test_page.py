"""The page of the first start: every answer does what it says, whatever phones, guessers and nonsense send."""

from __future__ import annotations

import http.client
import json
import math
import re
import socket
import stat
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from display.i18n import LANGUAGES, words
from firmware.cli.first_start.answers import PAGE, FirstStart, Site
from firmware.cli.first_start.mark import STEPS
from firmware.cli.first_start.table import MAX_OFF_MM, TableEye, sentence_of
from firmware.extras.simulation.camera import untouched_table
from firmware.table.camera.live_camera import PacedSource
from firmware.table.camera.setup import TABLE_FILE
from firmware.web.login import VALID_S, Login, new_code
from tests.fakes.pictured import Pictured
from tests.firmware.cli.first_start.conftest import first_start
from tests.firmware.cli.first_start.nmcli import NetworkManager
from tests.waiting import HANG_S, until
from vision.board.aim import in_view
from vision.board.calibration import Calibration
from vision.board.lens_fit import unit_square
from vision.board.measure import Fault, MeasuredTable, MeasureError, measure
from vision.camera.modules import MODULES, CameraModule
from vision.frame import Frame, Picture
from vision.geometry import Camera, look_at
from vision.marks.foreign import in_process
from vision.marks.markers import Marker
from vision.printed.table import CameraFrame, TablePoint, load_table
from vision.synthetic import default_camera

pytestmark = pytest.mark.slow

TABLE = load_table(TABLE_FILE)
SIZE = (2304, 1296)
CODE = "234567"


def _seen(camera: Camera, without: Sequence[int] = ()) -> tuple[Marker, ...]:
    places = {corner.id: (np.array(corner[1:]), TABLE.board_size_mm) for corner in TABLE.corners}
    places |= {4: (np.array(TABLE.tag_mm(1)), 20.0), 5: (np.array(TABLE.tag_mm(23)), 20.0)}
    found = []
    for number, (place, side) in places.items():
        px = camera.project(place + unit_square() * side / 2)
        if number not in without and (px > 0).all() and (px < SIZE).all():
            found.append(Marker(number, px))
    return tuple(found)


def _measured(camera: Camera, without: Sequence[int] = ()) -> MeasuredTable:
    return measure({marker.id: marker.corners for marker in _seen(camera, without)}, TABLE, SIZE)


def _above(x: float = 308.0, y: float = -108.0, high: float = 700.0) -> Camera:
    return look_at((x, y, high), (x, y, 0.0), hfov_deg=66.0)


def grey() -> Pictured:
    """A camera that shows one picture again and again."""
    return Pictured(lambda number: Frame(0, 0.01 * (number + 1), np.full((SIZE[1], SIZE[0]), 90, np.uint8)))


@pytest.fixture
def site(first: FirstStart) -> Iterator[Site]:
    with closing(Site(first, "127.0.0.1", 0, CODE)) as served:
        yield served


def _ask(site: Site, method: str, path: str, body: bytes = b"", code: str = CODE) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=HANG_S)) as connection:
        connection.request(method, path, body, {"X-Engarde-Code": code})
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_only_who_knows_the_code_comes_further_than_the_page(site: Site) -> None:
    assert _ask(site, "GET", "/", code="")[0] == 200
    assert _ask(site, "GET", "/state.json")[0] == 200
    for path in ("/state.json", "/picture.jpg"):
        assert _ask(site, "GET", path, code="765432")[0] == 403
    for body, status in ((b'{"what": "play", "what": "aim"}', 400), (b"[" * 9_000, 400), (b"x" * 10_001, 413)):
        assert _ask(site, "POST", "/do", body, code="")[0] == 403
        assert _ask(site, "POST", "/do", body)[0] == status


def test_the_page_has_the_steps_that_are_kept() -> None:
    assert tuple(re.findall(r'^  \{ name: "(\w+)"', PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == STEPS


@pytest.mark.parametrize(
    "wish",
    [
        None,
        {"what": "burn"},
        {"what": "language", "language": "tlh"},
        {"what": "join", "name": "--help", "password": ""},
        {"what": "join", "name": "x" * 33},
        {"what": "measure"},
        {"what": "correct", "first": [0, 0]},
        {"what": "measure", "level_mm": 10**400},
        {"what": "play", "now": True},
        {"what": "keep"},
        {"what": "lamps"},
        {"what": "aim"},
        {"what": "names", "white": "\x1b[2J", "black": "B"},
        {"what": "step", "step": "../home"},
    ],
)
def test_no_wish_does_harm(first: FirstStart, wish: object, tmp_path: Path) -> None:
    first.do({"what": "language", "language": "de"})
    answer = first.do(wish)
    assert answer["ok"] is False
    assert answer["said"] in {entry.other for entry in words("de").entries.values()} | {
        f"{words('de').say('setup.no_camera')} (no camera here)",
        words("de").say("menu.bad_name", count=40),
        f"{words('de').say('setup.wifi_not_found')} (The Wi-Fi network could not be found)",
    }
    assert not (tmp_path / "table.toml").exists()
    assert not first.done.is_set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_that_is_none_is_refused_in_the_language_of_the_page(
    first: FirstStart, language: str, tmp_path: Path
) -> None:
    assert first.do({"what": "language", "language": language})["ok"]
    say = words(language).say
    other = "\u05e9\u05e8\u05d4"  # nothing here sets it
    refused = {name: say("menu.bad_name", count=40) for name in ("", "  ", "\u200b", "x" * 41, "\x07")}
    for name, said in {**refused, other: say("menu.other_letters", letters=" ".join(other))}.items():
        assert first.do({"what": "names", "white": "Ana", "black": name}) == {"ok": False, "said": said}
    assert "Ana" not in (tmp_path / "menu.toml").read_text(encoding="utf-8")


def test_language_names_and_network_are_kept(first: FirstStart, site: Site, tmp_path: Path) -> None:
    def do(**wish: Any) -> dict[str, Any]:
        status, said = _ask(site, "POST", "/do", json.dumps(wish).encode())
        assert status == 200
        answer: dict[str, Any] = json.loads(said)
        return answer

    assert set(json.loads(_ask(site, "GET", "/state.json")[1])["languages"]) == set(LANGUAGES)
    told = do(what="language", language="nl")
    assert told["words"]["next"] == "Verder"
    assert told["names"] == {"white": "Wit", "black": "Zwart"}, "who has no name is called so in this language"
    assert do(what="names", **told["names"]) == {"ok": True}
    assert 'white = "White"' in (tmp_path / "menu.toml").read_text(encoding="utf-8"), "and has none still"
    assert "no camera here" in told["health"]
    assert any(line.startswith("Geheugenkaart: ") for line in told["health"])
    checks = do(what="checks")["checks"]
    assert not {"Scherm", "Geluid"} & {each["heading"] for each in checks}
    camera = next(each for each in checks if each["heading"] == "Beeld van de camera")
    assert camera["lines"][:2] == ["Werkt niet (3-1)", "Gevonden: het programma meldt (in het Engels): no camera here"]
    assert len(camera["lines"]) == 4
    assert do(what="names", white="Ana", black="Béla") == {"ok": True}
    assert do(what="join", name="Home", password="secret12") == {"ok": True, "connected": "Home"}
    refused = do(what="join", name="Other", password="secret12")
    assert refused["said"].startswith(words("nl").say("setup.wifi_not_found"))
    assert "The Wi-Fi network could not be found" in refused["said"]
    assert words("nl").say("setup.wifi_back", name="Home") in refused["said"]
    assert json.loads(_ask(site, "GET", "/state.json")[1])["join"] == refused, "for a phone that was away meanwhile"
    assert not first.done.is_set()
    assert do(what="play")["ok"]
    assert first.done.is_set()
    kept = (tmp_path / "menu.toml").read_text(encoding="utf-8")
    assert 'language = "nl"' in kept
    assert 'white = "Ana"' in kept
    assert 'black = "Béla"' in kept


def test_a_picture_is_sent_and_without_markers_that_is_said(tmp_path: Path) -> None:
    with closing(TableEye(grey(), TABLE)) as eye:
        assert until(lambda: len(eye.frames) > 2)
        first, say = first_start(tmp_path, lambda words: (1, ""), eye), words("en").say
        assert (first.picture() or b"").startswith(b"\xff\xd8")
        assert first.do({"what": "aim"})["key"] == "aim_none"
        for level_mm, key in ((0, "fault_white"), (101, "bad_level"), (-1e9, "bad_level")):
            told = first.do({"what": "measure", "level_mm": level_mm})
            assert told == {"ok": False, "said": say(f"setup.{key}", most=100)}


def test_what_cannot_be_measured_is_told_with_numbers_as_the_language_writes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(*_: object) -> MeasuredTable:
        raise MeasureError(Fault.SQUARES, board_mm=30.0, tag_mm=19.5)

    monkeypatch.setattr("firmware.cli.first_start.table.measure_frames", found)
    with closing(TableEye(grey(), TABLE)) as eye:
        assert until(lambda: len(eye.frames) > 2)
        first = first_start(tmp_path, lambda words: (1, ""), eye)
        for language, number in (("en", "19.5"), ("fr", "19,5")):
            first.do({"what": "language", "language": language})
            assert number in first.do({"what": "measure", "level_mm": 0})["said"]


def test_at_a_simulated_table_nobody_has_moved_when_it_is_measured(tmp_path: Path) -> None:
    """The pitch as the page shows it, in its language; what was dragged is told the same way."""
    with closing(TableEye(PacedSource(untouched_table(TABLE, 1), sleep=lambda s: None), TABLE)) as eye:
        assert until(lambda: len(eye.frames) > 5)
        first = first_start(tmp_path, lambda words: (1, ""), eye)
        first.do({"what": "language", "language": "de"})
        told = first.do({"what": "measure", "level_mm": 0})
        assert told["ok"], told
        assert told["pitch_mm"] == pytest.approx(TABLE.spaces_mm[1].x, abs=0.3)
        assert told["pitch"] == f"{told['pitch_mm']:.2f}".replace(".", ",")
        moved = first.do(
            {"what": "correct", "first": told["spaces"][0], "last": told["spaces"][22], "area": told["area"]}
        )
        assert moved["pitch"] == told["pitch"]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_with_every_camera_module_the_table_is_measured_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: CameraModule
) -> None:
    """Taken for Camera Module 3, a wide one would put space 23 some 50 mm beside its place, without a word."""
    high_mm = 480.0 / math.tan(math.radians(module.hfov_deg / 2))
    camera = look_at((308.0, -258.0, high_mm), (308.0, -108.0, 0.0), hfov_deg=module.hfov_deg)
    corners = {marker.id: marker.corners for marker in _seen(camera)}
    seen = lambda frames, table, level_mm, run: measure(corners, table, SIZE, level_mm)  # noqa: E731
    monkeypatch.setattr("firmware.cli.first_start.table.measure_frames", seen)
    monkeypatch.setattr(TableEye, "_checked", lambda eye, measured, frames: measured)
    with closing(TableEye(grey(), TABLE)) as eye:
        assert until(lambda: len(eye.frames) >= 3)
        first = first_start(tmp_path, lambda words: (1, ""), eye)
        assert first.state()["module"] == "Camera Module 3"
        assert module.name in first.state()["modules"]
        told = first.do({"what": "measure", "level_mm": 0, "module": module.name})
        assert told["pitch_mm"] == pytest.approx(TABLE.spaces_mm[1].x, abs=0.02)
        assert first.do({"what": "keep"})["ok"]
        kept = load_table(tmp_path / "table.toml").camera
        assert (kept.width, kept.height) == (module.width, module.height)
        assert kept.hfov_deg == pytest.approx(module.hfov_deg, abs=0.01)
        assert first.state()["module"] == module.name


def test_a_camera_that_is_no_module_stays_as_the_table_file_has_it(tmp_path: Path) -> None:
    with closing(TableEye(grey(), replace(TABLE, camera=CameraFrame(1280, 720, 78.0)))) as eye:
        state = first_start(tmp_path, lambda words: (1, ""), eye).state()
    assert (state["module"], state["modules"][0]) == ("78°", "78°")
    assert len(state["modules"]) == len(MODULES) + 1


def test_the_reader_is_asked_by_one_phone_at_a_time() -> None:
    """It answers in the order in which it was asked: two at once would each get the other's answer."""
    inside, most = 0, 0

    def run(name: str, y: Picture, *how: object) -> Any | None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.02)
        inside -= 1
        return in_process(name, y, *how)

    with closing(TableEye(grey(), TABLE, run)) as eye, ThreadPoolExecutor(4) as pool:
        assert until(lambda: len(eye.frames) >= 3)
        asked: list[Future[Any]] = [
            pool.submit(eye.aim),
            pool.submit(eye.facts, "0"),
            pool.submit(eye.measure, 0.0),
            pool.submit(eye.aim),
        ]
        assert isinstance(asked[2].exception(), MeasureError)
        assert asked[0].result() == asked[3].result()
    assert most == 1


def test_what_was_dragged_last_is_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Keep it* waits for what is still being looked at."""
    begun, seen = threading.Event(), threading.Event()

    def looked_at(measured: MeasuredTable, *given: object) -> MeasuredTable:
        begun.set()
        assert seen.wait(HANG_S)
        return measured

    own = tmp_path / "table.toml"
    with closing(TableEye(grey(), TABLE)) as eye, ThreadPoolExecutor(2) as pool:
        camera = _above()
        eye.measured = _measured(camera)
        monkeypatch.setattr(eye, "_checked", looked_at)
        px = camera.project(np.array([(-22.0, 0.0, 0.0), (22 * TABLE.spaces_mm[1].x, 0.0, 0.0)]))
        area = camera.project(np.array([(x, y, 0.0) for x, y in ((0, -200), (600, -200), (600, -60), (0, -60))]))
        moved = pool.submit(eye.correct, px[0], px[1], area)
        assert begun.wait(HANG_S)
        kept = pool.submit(eye.keep, own)
        with pytest.raises(TimeoutError):
            kept.result(timeout=0.1)
        seen.set()
        assert kept.result() is None
        assert load_table(own).spaces_mm[22].x == pytest.approx(moved.result().table.spaces_mm[22].x, abs=0.01)
        assert load_table(own).spaces_mm[1].x == pytest.approx(TABLE.spaces_mm[1].x + 1.0, abs=0.05)


@pytest.mark.parametrize(
    ("camera", "without", "key"),
    [
        (_above(), (), "setup.aim_good"),
        (_above(x=150.0), (), "setup.aim_move"),
        (_above(), (0,), "setup.aim_covered"),
        (_above(), range(6), "setup.aim_none"),
        (_above(high=560.0), (), "setup.aim_higher"),
        (_above(high=1200.0), (), "setup.aim_lower"),
    ],
)
def test_it_is_said_what_is_to_be_done_about_the_camera(camera: Camera, without: Sequence[int], key: str) -> None:
    assert sentence_of(in_view(_seen(camera, without), TABLE, SIZE, at_start=True), TABLE) == key
    assert words("en").say(key)


@pytest.mark.parametrize("hidden", [(), (2,), (1, 2), (0, 2), (0, 1)])
def test_measured_with_two_markers_it_plays_with_two(hidden: tuple[int, ...], tmp_path: Path) -> None:
    own = tmp_path / "table.toml"
    with closing(TableEye(grey(), TABLE)) as eye:
        eye.measured = _measured(_above(), hidden)
        assert eye.keep(own) is None
        text, kept = own.read_text(), load_table(own)
        assert kept.corners == eye.measured.table.corners
        assert eye.keep(own) == tmp_path / "table-1.toml"
    assert (tmp_path / "table-1.toml").read_text() == text, "what was there before is kept beside it"
    assert {corner.id for corner in kept.corners} == {0, 1, 2, 3} - {*hidden}
    assert stat.S_IMODE(own.stat().st_mode) == 0o600


def test_a_file_that_could_not_be_played_on_replaces_nothing(tmp_path: Path) -> None:
    own = tmp_path / "table.toml"
    own.write_text("the one before")
    with closing(TableEye(grey(), TABLE)) as eye:
        measured = _measured(_above())
        eye.measured = replace(measured, table=replace(measured.table, corners=measured.table.corners[:1]))
        with pytest.raises(MeasureError, match="unsure"):
            eye.keep(own)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("table.toml", "the one before")]


@pytest.mark.parametrize(
    ("likely_mm", "worst_mm", "kept"),
    [(MAX_OFF_MM, 9.0, True), (MAX_OFF_MM + 0.1, 9.0, False), (None, MAX_OFF_MM + 0.1, False), (None, None, True)],
)
def test_how_sure_its_spaces_are_likely_to_be_decides(
    monkeypatch: pytest.MonkeyPatch, likely_mm: float | None, worst_mm: float | None, kept: bool
) -> None:
    camera = _above()
    measured = MeasuredTable(TABLE, camera, 0.1, {})
    told = Calibration(camera, 0.1, 0.1, worst_mm=worst_mm, likely_mm=likely_mm)
    monkeypatch.setattr("firmware.cli.first_start.table.calibrate", lambda frames, table, run: told)
    with closing(TableEye(Pictured(lambda _: None), TABLE)) as eye:
        if kept:
            assert eye._checked(measured, ()) is measured
        else:
            with pytest.raises(MeasureError, match="unsure"):
                eye._checked(measured, ())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
HARMLESS = st.sampled_from(("language", "join", "aim", "measure", "correct", "keep", "lamps", "step", "burn"))
CAMERA = default_camera(TABLE)


class Phones(RuleBasedStateMachine):
    """What is kept is what somebody with the code on the screen last chose, whatever else was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.held = ExitStack()
        self.folder = Path(self.held.enter_context(tempfile.TemporaryDirectory()))
        changed = self.held.enter_context(pytest.MonkeyPatch.context())
        self.seen = TABLE
        changed.setattr(
            "firmware.cli.first_start.table.measure_frames", lambda *_: MeasuredTable(self.seen, CAMERA, 0.1, {})
        )
        changed.setattr("firmware.cli.first_start.table.calibrate", lambda *_, **__: Calibration(CAMERA, 0.1, 0.1))
        dark = np.zeros((64, 64), np.uint8)
        eye = TableEye(Pictured(lambda number: Frame(number, 0.1 * number, dark) if number < 3 else None), TABLE)
        self.held.callback(eye.close)
        assert until(lambda: len(eye.frames) >= 3)
        self.first = first_start(self.folder, NetworkManager(), eye)
        (self.folder / "first-start").write_text("language\n")
        self.now_s = 0.0
        self.site = Site(self.first, "127.0.0.1", 0)
        self.held.callback(self.site.close)
        self.site.login = Login(clock=lambda: self.now_s)
        self.photographed, self.photographed_s = self.site.login.code, 0.0
        self.language, self.step = "en", "language"

    def teardown(self) -> None:
        self.held.close()

    def said(self, sent: bytes, source: str = "127.0.0.1") -> tuple[int, bytes]:
        """Status and body; what every answer has is looked at here."""
        with socket.create_connection(("127.0.0.1", self.site.port), HANG_S, source_address=(source, 0)) as phone:
            phone.sendall(sent)
            found = b""
            while more := phone.recv(65536):
                found += more
        head, _, body = found.partition(b"\r\n\r\n")
        for field in (b"Content-Security-Policy: default-src 'none'", b"X-Content-Type-Options: nosniff"):
            assert field in head
        assert b"unsafe-inline" not in head
        assert b"<html" not in body.lower() or b"sha256-" in head
        return int(head.split()[1]), body

    def post(self, body: bytes, code: str, source: str = "127.0.0.1") -> tuple[int, bytes]:
        head = f"POST /do HTTP/1.1\r\nHost: localhost\r\nX-Engarde-Code: {code}\r\nContent-Length: {len(body)}\r\n\r\n"
        return self.said(head.encode() + body, source)

    def do(self, **wish: Any) -> bool:
        """Whether it was done for the phone at the table, which scans the code again where its own has ended."""
        status, said = self.post(json.dumps(wish).encode(), self.photographed)
        if status == 403:
            assert self.now_s - self.photographed_s >= VALID_S, "a code holds for an hour"
            self.photographed = self.site.login.code
            status, said = self.post(json.dumps(wish).encode(), self.photographed)
        self.photographed_s = self.now_s
        assert status == 200
        return bool(json.loads(said)["ok"])

    @rule(language=st.sampled_from(LANGUAGES))
    def chooses_a_language(self, language: str) -> None:
        assert self.do(what="language", language=language)
        self.language = language

    @rule(step=st.sampled_from(STEPS))
    def reaches_a_step(self, step: str) -> None:
        assert self.do(what="step", step=step)
        self.step = step

    @rule(white=st.sampled_from(("Ana", "Bo", "")), black=st.sampled_from(("Bo", "Cleo")))
    def gives_names(self, white: str, black: str) -> None:
        assert self.do(what="names", white=white, black=black) == (white not in ("", black))

    @rule(what=HARMLESS, facts=st.dictionaries(st.sampled_from(("level_mm", "first", "now", "module")), JSON))
    def sends_nonsense(self, what: str, facts: dict[str, Any]) -> None:
        status, said = self.post(json.dumps({**facts, "what": what}).encode(), self.site.login.code)
        assert status == 400 or (status == 200 and (json.loads(said)["ok"] or json.loads(said)["said"]))

    @rule(body=st.binary(max_size=60))
    def sends_rubbish(self, body: bytes) -> None:
        status, said = self.post(body, self.site.login.code)
        assert status == 400 or (status == 200 and not json.loads(said)["ok"])

    @rule(sent=st.binary(max_size=60))
    def sends_no_request(self, sent: bytes) -> None:
        assert self.said(sent.replace(b"\r\n\r\n", b"") + b"\r\n\r\n")[0] in (400, 421)

    @rule(what=st.sampled_from(("language", "play", "names", "join")), here=st.booleans(), code=st.booleans())
    def changes_nothing_without_the_code(self, what: str, here: bool, code: bool) -> None:
        wish = {"what": what, "language": "fr", "white": "X", "black": "Y", "name": "Home"}
        status, _ = self.post(json.dumps(wish).encode(), new_code() if code else "", f"127.0.0.{1 if here else 9}")
        assert status in (403, 429)
        if here and status == 429:
            self.now_s += 60.0

    @rule(corners=st.integers(1, 4), pitch_mm=st.sampled_from((0.5, 30.0, 33.0, 1e6)))
    def measures(self, corners: int, pitch_mm: float) -> None:
        """With so many of the corner markers in view."""
        spaces = tuple(TablePoint(pitch_mm * number, 0.0, 0.0) for number in range(len(TABLE.spaces_mm)))
        self.seen = replace(TABLE, corners=TABLE.corners[:corners], spaces_mm=spaces)
        self.do(what="measure")

    @rule()
    def keeps_the_table(self) -> None:
        kept = self.do(what="keep")
        assert kept == self.table.exists(), "kept is what is there, and refused was what could not be measured"

    @rule(damaged=st.booleans())
    def everybody_leaves(self, damaged: bool) -> None:
        """The first start is over where there is a table to play on, and else goes on at its step the next time."""
        mark, kept = self.folder / "first-start", self.table.read_bytes() if self.table.exists() else b""
        if damaged:
            self.table.write_text("[board]\ncorners = []\n", encoding="utf-8")
        self.first.leave()
        assert mark.exists() == (damaged or not kept)
        if damaged:
            assert self.first.state()["step"] == self.step
            self.table.write_bytes(kept) if kept else self.table.unlink()
        mark.write_text(f"{self.step}\n")

    @property
    def table(self) -> Path:
        return self.folder / "table.toml"

    @rule(after_s=st.sampled_from((1.0, VALID_S / 2, VALID_S)))
    def time_passes(self, after_s: float) -> None:
        self.now_s += after_s

    @invariant()
    def it_stands_as_somebody_at_the_table_left_it(self) -> None:
        assert self.first.language == self.language
        assert (self.folder / "first-start").read_text() == f"{self.step}\n"
        assert not self.first.done.is_set()

    @invariant()
    def the_program_can_play_on_what_was_kept(self) -> None:
        assert not self.table.exists() or load_table(self.table).corners


Phones.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestPhones = Phones.TestCase
