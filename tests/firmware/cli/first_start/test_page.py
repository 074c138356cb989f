"""The page of the first start: who may come in, and that every answer does what it says."""

from __future__ import annotations

import http.client
import json
import math
import re
import stat
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from display.i18n import LANGUAGES, words
from firmware.cli.first_start.answers import PAGE, FirstStart, Site
from firmware.cli.first_start.mark import STEPS, StartMark
from firmware.cli.first_start.table import MAX_OFF_MM, TableEye, sentence_of
from firmware.extras.simulation.camera import untouched_table
from firmware.table.camera.live_camera import PacedSource
from firmware.table.camera.setup import TABLE_FILE
from tests.fakes.pictured import Pictured
from tests.firmware.cli.first_start.conftest import first_start
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
from vision.printed.table import CameraFrame, Table, load_table

pytestmark = pytest.mark.slow

TABLE = load_table(TABLE_FILE)
SIZE = (2304, 1296)
CODE = "234567"


def _seen(camera: Camera, table: Table = TABLE, without: Sequence[int] = ()) -> tuple[Marker, ...]:
    places = {corner.id: (np.array(corner[1:]), table.board_size_mm) for corner in table.corners}
    places |= {4: (np.array(table.tag_mm(1)), 20.0), 5: (np.array(table.tag_mm(23)), 20.0)}
    found = []
    for number, (place, side) in places.items():
        px = camera.project(place + unit_square() * side / 2)
        if number not in without and (px > 0).all() and (px < SIZE).all():
            found.append(Marker(number, px))
    return tuple(found)


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
    ("table", "measured"),
    [("", False), ("[board]\ncorners = []\n", False), (TABLE_FILE.read_text(encoding="utf-8"), True)],
    ids=["none", "refused", "good"],
)
def test_who_leaves_before_the_table_is_measured_is_asked_again(
    first: FirstStart, table: str, measured: bool, tmp_path: Path
) -> None:
    mark = StartMark(tmp_path / "first-start")
    mark.begin()
    assert first.do({"what": "language", "language": "de"})["ok"]
    assert first.do({"what": "step", "step": "measure"})["ok"]
    if table:
        (tmp_path / "table.toml").write_text(table, encoding="utf-8")
    first.leave()
    assert (tmp_path / "first-start").exists() is not measured
    assert first.state()["step"] == ("language" if measured else "measure")


@pytest.mark.parametrize(
    "wish",
    [
        None,
        [],
        {},
        {"what": "burn"},
        {"what": "language", "language": "tlh"},
        {"what": "language"},
        {"what": "join", "name": ["x"]},
        {"what": "join", "name": "--help", "password": ""},
        {"what": "join", "name": "x" * 33},
        {"what": "measure"},
        {"what": "correct", "first": [0, 0]},
        {"what": "correct", "first": [0, 9], "last": [0, 0], "area": [[0, 0]] * 4},
        {"what": "measure", "level_mm": 10**400},
        {"what": "measure", "level_mm": "0"},
        {"what": ["play"]},
        {"what": "play", "now": True},
        {"what": "keep"},
        {"what": "lamps"},
        {"what": "aim"},
        {"what": "names", "white": "\x1b[2J", "black": "B"},
        {"what": "names", "white": "A"},
        {"what": "step", "step": "../home"},
        {"what": "step"},
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


def test_whoever_types_nonsense_for_the_level_is_told_what_belongs_there(tmp_path: Path) -> None:
    with closing(TableEye(grey(), TABLE)) as eye:
        first = first_start(tmp_path, lambda words: (1, ""), eye)
        for level in (101, -1e9):
            answer = first.do({"what": "measure", "level_mm": level})
            assert answer == {"ok": False, "said": words("en").say("setup.bad_level", most=100)}


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
    assert camera["lines"][:2] == [
        "Werkt niet (3-1)",
        "Gevonden: het programma meldt (in het Engels): no camera here",
    ]
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


def test_a_picture_is_sent_and_without_markers_that_is_said(first: FirstStart) -> None:
    with closing(TableEye(grey(), TABLE)) as eye:
        assert until(lambda: len(eye.frames) > 2)
        picture = eye.picture()
        assert picture is not None
        assert picture.startswith(b"\xff\xd8")
        aim = eye.aim()
        assert aim is not None
        assert aim["key"] == "aim_none"
        assert words("en").say(f"setup.{aim['key']}")
        with pytest.raises(MeasureError, match="white"):
            eye.measure(0.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_measured_is_told_in_the_players_language(tmp_path: Path, language: str) -> None:
    """Each fault, as the page gets it; ``raising`` stands in for a camera that finds it."""

    class Raising(TableEye):
        def measure(self, level_mm: float, module: CameraModule | None = None) -> MeasuredTable:
            raise fault

    facts = {Fault.SQUARES: {"board_mm": 30.0, "tag_mm": 19.5}, Fault.PITCH: {"pitch_mm": 3.75}}
    said = set()
    with closing(Raising(grey(), TABLE)) as eye:
        first = first_start(tmp_path, lambda words: (1, ""), eye)
        first.do({"what": "language", "language": language})
        for each in Fault:
            fault = MeasureError(each, **facts.get(each, {}))
            answer = first.do({"what": "measure", "level_mm": 0})
            assert not answer["ok"]
            assert "in English" not in answer["said"]
            said.add(answer["said"])
    assert len(said) == len(Fault)
    assert any(("19.5" if language == "en" else "19,5") in each for each in said)


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
        eye.measured = measure({marker.id: marker.corners for marker in _seen(camera)}, TABLE, SIZE)
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
    ("camera", "without", "key", "way"),
    [
        (_above(), (), "setup.aim_good", None),
        (_above(x=150.0), (), "setup.aim_move", (1, 0)),
        (_above(x=460.0), (), "setup.aim_move", (-1, 0)),
        (_above(y=-330.0, high=900.0), (), "setup.aim_move", (0, -1)),
        (_above(), (0,), "setup.aim_covered", None),
        (_above(high=560.0), (), "setup.aim_higher", None),
        (_above(high=1200.0), (), "setup.aim_lower", None),
    ],
)
def test_the_arrow_points_to_what_is_missing(
    camera: Camera, without: Sequence[int], key: str, way: tuple[int, int] | None
) -> None:
    view = in_view(_seen(camera, without=without), TABLE, SIZE, at_start=True)
    assert sentence_of(view, TABLE) == key
    assert words("en").say(key)
    if way is None:
        assert view.off is None
    else:
        assert view.off is not None
        assert [round(part / max(map(abs, view.off))) for part in view.off] == list(way)


@pytest.mark.parametrize("hidden", [(), (2,), (1, 2), (0, 3), (0, 2), (1, 3), (0, 1), (2, 3)])
def test_measured_with_two_markers_it_plays_with_two(hidden: tuple[int, ...], tmp_path: Path) -> None:
    own = tmp_path / "table.toml"
    with closing(TableEye(grey(), TABLE)) as eye:
        seen = _seen(_above(), without=hidden)
        eye.measured = measure({marker.id: marker.corners for marker in seen}, TABLE, SIZE)
        eye.keep(own)
    kept = load_table(own)
    assert {corner.id for corner in kept.corners} == {0, 1, 2, 3} - {*hidden}
    assert stat.S_IMODE(own.stat().st_mode) == 0o600


def test_a_file_that_could_not_be_played_on_replaces_nothing(tmp_path: Path) -> None:
    own = tmp_path / "table.toml"
    own.write_text("the one before")
    with closing(TableEye(grey(), TABLE)) as eye:
        measured = measure({marker.id: marker.corners for marker in _seen(_above())}, TABLE, SIZE)
        eye.measured = replace(measured, table=replace(measured.table, corners=measured.table.corners[:1]))
        with pytest.raises(MeasureError, match="unsure"):
            eye.keep(own)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("table.toml", "the one before")]


def test_a_measured_table_is_kept_beside_the_one_before(tmp_path: Path) -> None:
    own = tmp_path / "table.toml"
    with closing(TableEye(grey(), TABLE)) as eye:
        camera = _above()
        eye.measured = measure({marker.id: marker.corners for marker in _seen(camera)}, TABLE, SIZE)
        assert eye.keep(own) is None
        first = own.read_text()
        assert load_table(own).corners == eye.measured.table.corners
        assert eye.keep(own) == tmp_path / "table-1.toml"
        assert (tmp_path / "table-1.toml").read_text() == first


@pytest.mark.parametrize(
    ("likely_mm", "worst_mm", "kept"),
    [
        (MAX_OFF_MM, 9.0, True),  # told as if a marker lay off, which is not likely
        (MAX_OFF_MM + 0.1, 9.0, False),
        (None, MAX_OFF_MM + 0.1, False),
        (None, None, True),
    ],
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
