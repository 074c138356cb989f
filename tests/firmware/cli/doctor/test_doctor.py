"""Facts in, findings out: every verdict of every check, and what ``--bench`` measures, without the machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import cv2
import numpy as np
import pytest
from jsonschema import Draft202012Validator

from display.i18n import LANGUAGES, words
from display.lamps import LAMPS
from engine.table.presses import Button, Press
from firmware.cli.doctor import bench as measuring
from firmware.cli.doctor import checkup
from firmware.cli.doctor.bench import bench_row, bench_text
from firmware.cli.doctor.camera import CameraFacts, camera_facts, camera_findings, look_through
from firmware.cli.doctor.checkup import program_findings
from firmware.cli.doctor.findings import (
    CHECKS,
    CheckResult,
    Finding,
    Program,
    ToldFinding,
    report_text,
    summary,
    without_names,
    worst,
)
from firmware.cli.doctor.machine import MachineFacts, gather_machine, machine_findings, machine_lines
from firmware.cli.doctor.panel import (
    GAP_S,
    PAGE_S,
    TIMES,
    PanelFacts,
    ask_about,
    panel_findings,
    read_out,
    readout_lamps,
)
from firmware.cli.doctor.system import (
    LEAST,
    OPENBLAS,
    REFERENCE,
    SystemFacts,
    blas_in_use,
    gather_libraries,
    gather_programs,
    library_findings,
    system_findings,
    version_numbers,
)
from firmware.cli.main import main
from firmware.core.io.files import reports_beside
from firmware.table.camera.setup import TABLE_FILE
from firmware.table.panel.devices import Buttons, Panel, Sounder, no_panel
from firmware.table.panel.header import PinProblem, PinTrouble
from firmware.table.readers.guard import pictures_beside
from tests.fakes.pictured import Pictured
from tests.firmware.conftest import LampRecord, SetClock
from vision.board.calibration import SpaceView
from vision.camera.settling import Automatics, CameraFeedback, Focus, Settling
from vision.frame import GONE, Frame
from vision.marks.foreign import in_process
from vision.printed.table import Table
from vision.synthetic.camera import NONE, camera_variant
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import Scene

PASS, WARN, FAIL = CheckResult.PASS, CheckResult.WARN, CheckResult.FAIL
PI = MachineFacts("Raspberry Pi 4 Model B Rev 1.4", 0, 51.0, 20_000)
APT = "/usr/lib/python3/dist-packages/"
WHOLE = {name: Program("99.0", f"{APT}{name}.py") for name in (*LEAST, "lgpio", "picamera2")}
WHOLE["python"] = Program("3.11.2", "/usr/bin/python3")
OF_TRIXIE = {"python": Program("3.13.5", "/usr/bin/python3"), "numpy": Program("2.4", "/x/.venv/numpy")}
BOOKWORM = SystemFacts(True, "Debian 12", "bookworm", 64, WHOLE, "kmsdrm", ("kmsdrm",), "", "enabled", ())
SPACES = tuple(SpaceView(space, True, 50.0) for space in range(1, 24))
SEEN = CameraFacts("picamera2", "", (2304, 1296), 100.0, 2.0, "", SPACES)
WIRED = PanelFacts((), "The panel is in use.", wired=True, on_a_pi=True, dark=(), dead=(), silent=False)
BROKEN = (PinProblem(PinTrouble.NO_CHIP),)
FINDINGS: dict[type, Any] = {
    MachineFacts: machine_findings,
    SystemFacts: system_findings,
    CameraFacts: camera_findings,
    PanelFacts: panel_findings,
}


def by_name(findings: Iterable[Finding]) -> dict[str, ToldFinding]:
    """Findings by their checks' names; a cure is named exactly where there is something to cure."""
    found = list(findings)
    for each in found:
        told = each.told()
        assert told.found
        assert told.expected
        assert bool(told.cure) is (each.verdict is not PASS)
        assert CHECKS[each.number] == each.name
    named = {each.name: each.told() for each in found}
    assert len(named) == len(found)
    return named


def verdicts(facts: object) -> dict[str, CheckResult]:
    return {name: each.verdict for name, each in by_name(FINDINGS[type(facts)](facts)).items()}


@pytest.mark.parametrize(
    ("facts", "check", "verdict"),
    [
        (replace(PI, model="Raspberry Pi 5 Model B Rev 1.0"), "model", PASS),
        (replace(PI, model="Raspberry Pi 3 Model B Plus Rev 1.3"), "model", WARN),
        (replace(PI, model=None), "model", WARN),
        (replace(PI, memory_mb=(1800, 900)), "model", PASS),
        (replace(PI, memory_mb=(1800, 150)), "model", WARN),
        (replace(PI, throttled=0x1), "power", FAIL),
        (replace(PI, throttled=0x10000), "power", WARN),
        (replace(PI, throttled=0x50005), "power", FAIL),
        (replace(PI, throttled=None), "power", WARN),
        (replace(PI, throttled=0x4), "throttling", FAIL),
        (replace(PI, throttled=0x40000), "throttling", WARN),
        (replace(PI, throttled=0x80000), "throttling", WARN),
        (replace(PI, temperature_c=70.0), "temperature", WARN),
        (replace(PI, temperature_c=80.0), "temperature", FAIL),
        (replace(PI, free_mb=400), "disk", WARN),
        (replace(PI, free_mb=10), "disk", FAIL),
        (replace(PI, free_mb=None), "disk", FAIL),
        (replace(PI, forgets=True), "disk", WARN),
        (replace(PI, card_errors=0), "disk", PASS),
        (replace(PI, card_errors=3), "disk", WARN),
        (replace(PI, closed=True), "disk", FAIL),
        (replace(PI, worn_percent=70), "disk", PASS),
        (replace(PI, worn_percent=80), "disk", WARN),
        (replace(BOOKWORM, codename="bullseye"), "system", WARN),
        (replace(BOOKWORM, bits=32), "system", FAIL),
        (replace(BOOKWORM, programs={**WHOLE, "numpy": Program("1.23.5", f"{APT}numpy")}), "programs", FAIL),
        (replace(BOOKWORM, programs={**WHOLE, "numpy": Program("2.2", "/x/.venv/numpy")}), "programs", WARN),
        (replace(BOOKWORM, programs={**WHOLE, **OF_TRIXIE}), "programs", PASS),
        (replace(BOOKWORM, programs={**WHOLE, "cv2": Program(problem="ImportError: libGL")}), "programs", FAIL),
        (replace(BOOKWORM, programs={**WHOLE, "lgpio": Program(problem="an empty package")}), "programs", FAIL),
        (replace(BOOKWORM, on_a_pi=False, programs={n: WHOLE[n] for n in LEAST}), "programs", PASS),
        (replace(BOOKWORM, driver=""), "screen", WARN),
        (replace(BOOKWORM, driver="", tried=()), "screen", WARN),
        (replace(BOOKWORM, silence="There is no sound."), "sound", WARN),
        (replace(BOOKWORM, service=""), "service", WARN),
        (replace(BOOKWORM, service="disabled"), "service", WARN),
        (replace(BOOKWORM, missing_groups=("gpio",)), "service", FAIL),
        (replace(BOOKWORM, on_a_pi=False), "service", None),
        (replace(SEEN, problem="no cable"), "camera seen", FAIL),
        (replace(SEEN, brightness=12.0), "camera bright", FAIL),
        (replace(SEEN, brightness=251.0), "camera bright", FAIL),
        (replace(SEEN, edge_px=4.0), "camera sharp", WARN),
        (replace(SEEN, edge_px=9.0), "camera sharp", FAIL),
        (replace(SEEN, board="two markers are missing"), "board found", FAIL),
        (replace(SEEN, spaces=(*SPACES[1:], SpaceView(1, False, 50.0))), "spaces in view", FAIL),
        (replace(SEEN, spaces=(*SPACES[1:], SpaceView(1, True, 10.0))), "spaces in view", WARN),
        (replace(WIRED, faults=("GPIO 22 is used twice",)), "pin table", FAIL),
        (replace(WIRED, wired=False, missing=BROKEN), "pins", FAIL),
        (replace(WIRED, wired=False, on_a_pi=False, notice="This is no Pi."), "pins", WARN),
        (replace(WIRED, dark=("touch_left",)), "lamps seen", FAIL),
        (replace(WIRED, dead=("menu",)), "buttons pressed", FAIL),
        (replace(WIRED, silent=True), "buzzer heard", FAIL),
        (replace(WIRED, silent=None), "buzzer heard", None),
    ],
)
def test_each_check_by_its_facts(facts: object, check: str, verdict: CheckResult | None) -> None:
    assert verdicts(facts).get(check) is verdict


def test_the_machine_is_asked_where_its_kernel_says_it(tmp_path: Path) -> None:
    for name, text in {
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "proc/mounts": f"/dev/root / ext4 rw 0 0\noverlay {tmp_path} overlay ro,noatime 0 0\n",
        "proc/meminfo": "MemTotal:        2048000 kB\nMemFree: 1 kB\nMemAvailable:    1024000 kB\n",
        "sys/fs/ext4/mmcblk0p2/errors_count": "2\n",
        "sys/fs/ext4/sda1/errors_count": "1\n",
        "sys/block/mmcblk0/device/life_time": "0x02 0x09\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    facts = gather_machine(tmp_path / "not" / "yet" / "book", lambda words: "throttled=0x50000\n", tmp_path)
    found = ("Raspberry Pi 5 Model B Rev 1.0", 0x50000, 48.312, facts.free_mb, True, (2000, 1000), 3, True, 90)
    assert facts == MachineFacts(*found)
    assert facts.free_mb
    silent = gather_machine(tmp_path / "book", lambda words: None, tmp_path / "nothing")
    assert replace(silent, free_mb=None) == MachineFacts(None, None, None, None)


def test_a_sick_card_and_little_memory_are_said_in_words() -> None:
    found = by_name(machine_findings(replace(PI, card_errors=3, worn_percent=90, memory_mb=(1800, 150))))
    assert found["disk"].found == "20000 MB free, 3 errors found on the card’s file system, 90 % worn"
    assert found["disk"].cure.startswith("Copy the scorebook to a stick now")
    assert found["model"].found.endswith("150 of 1800 MB of memory to spare")


def test_players_are_told_how_the_machine_is_as_far_as_it_tells() -> None:
    well = MachineFacts("Raspberry Pi 5 Model B", 0, 51.2, 9000, memory_mb=(4000, 2900), card_errors=0)
    assert machine_lines(well, words("en").say) == (
        "Power: all right",
        "Temperature: 51 °C, all right",
        "Memory: 2900 MB free",
        "Memory card: 9000 MB free, all right",
    )
    sick = replace(well, throttled=1, temperature_c=85.0, forgets=True, card_errors=3)
    for say in (words(language).say for language in LANGUAGES):
        lines = machine_lines(sick, say)
        assert [say("menu.machine_bad") in line for line in lines] == [True, True, False, True, False]
        assert lines[-1] == say("menu.machine_forgets")
        assert machine_lines(MachineFacts(None, None, None, None), say) == ()


def test_what_we_run_on_here_is_found_with_its_version_and_place() -> None:
    programs = gather_programs()
    for name, least in LEAST.items():
        assert programs[name].problem == ""
        assert version_numbers(programs[name].version) >= least
        assert Path(programs[name].path).exists()
    assert (version_numbers("4.6.0-dev"), version_numbers("none")) == ((4, 6, 0), ())
    libraries = gather_libraries(programs)
    assert libraries["opencv"] == programs["cv2"]
    assert Path(libraries["blas"].path).exists()
    absent = dict.fromkeys(("libcamera", "picamera2", "lgpio"), Program(problem="ModuleNotFoundError"))
    for on_a_pi, verdict in ((True, FAIL), (False, PASS)):
        found = library_findings(absent, on_a_pi=on_a_pi)
        assert [(each.part, each.verdict) for each in found] == [(name, verdict) for name in absent]


MAPS = "7f00-7f10 r-xp 00000000 08:01 1234    {path}\n7f10-7f20 rw-p 00000000 00:00 0\n"
DEBIAN = "/usr/lib/aarch64-linux-gnu/"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (f"{DEBIAN}blas/libblas.so.3.12.0", REFERENCE),
        (f"{DEBIAN}openblas-pthread/libblas.so.3", OPENBLAS),
        ("/x/.venv/numpy.libs/libscipy_openblas64_-32a4b2a6.so", OPENBLAS),
        (f"{DEBIAN}blis-pthread/libblas.so.3", "BLIS"),
        (f"{DEBIAN}libm.so.6", ""),
    ],
)
def test_the_blas_is_told_by_what_is_loaded(path: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "maps").write_text(MAPS.format(path=path), encoding="utf-8")
    assert blas_in_use(tmp_path / "maps").version == kind


def test_the_reference_blas_is_told_on_a_pi_with_its_cure() -> None:
    facts = replace(BOOKWORM, libraries={"blas": Program(REFERENCE, f"{DEBIAN}blas/libblas.so.3")})
    assert verdicts(facts)["programs"] is WARN
    (blas,) = library_findings(facts.libraries, on_a_pi=True)
    assert blas.to_json()["id"] == "blas"
    assert blas.to_json()["ok"] is False
    assert "libopenblas0-pthread" in blas.told().helpers_cure


def test_what_the_camera_keeps_fixed_is_told_beside_what_is_seen() -> None:
    settling = Settling(CameraFeedback(), 0.0)
    facts = replace(SEEN, settling=settling)

    def found() -> dict[str, str]:
        return {name: each.found for name, each in by_name(camera_findings(facts)).items()}

    assert found()["camera bright"].endswith("exposure is automatic")
    assert found()["camera sharp"].endswith("the lens still looks for its focus")
    settling.step(Automatics(exposed=True, focus=Focus.SHARP), np.full((8, 8), 90, np.uint8), 5.0)
    assert found()["camera bright"].endswith("exposure is locked")
    assert found()["camera sharp"].endswith("the lens stays where it is")


def test_without_a_picture_nothing_else_is_said_and_nothing_can_be_played(table: Table) -> None:
    gone = replace(SEEN, problem="no cable")
    assert verdicts(gone) == {"camera seen": FAIL}
    assert summary(tuple(camera_findings(gone))).startswith("Cannot play here: no camera gives a picture. 1 of 1 ")
    assert camera_facts("0", [Frame(0, 0.0, np.empty((0, 0), np.uint8))], table).problem == "it gives no picture"


def gone() -> Pictured:
    """A camera that never comes."""
    return Pictured(lambda number: Frame(0, number + 1.0, GONE))


def test_a_camera_that_hardly_gives_a_picture_is_told_as_that(table: Table) -> None:
    facts = look_through("0", gone(), table, in_process, live=True)
    assert facts.problem.startswith("it gives no picture; no picture came in 30 tries")
    assert look_through("0", gone(), table, in_process, live=False).problem == "it gives no picture"


@pytest.fixture(scope="module")
def picture(table: Table) -> Any:
    return Renderer(table, camera_variant(table, 1), NONE, 1).render(Scene(), 0, 0.0).y


@pytest.mark.slow
def test_a_real_picture_and_the_same_out_of_focus(table: Table, picture: Any) -> None:
    facts = camera_facts("synthetic", [Frame(0, 0.0, picture)], table)
    assert set(verdicts(facts).values()) == {PASS}
    soft = camera_facts("synthetic", [Frame(0, 0.0, cv2.GaussianBlur(picture, (0, 0), 4.0))], table)
    assert facts.edge_px is not None
    assert soft.edge_px is not None
    assert facts.edge_px < 3.0 < 5.0 < soft.edge_px
    black = camera_facts("synthetic", [Frame(0, 0.0, np.zeros_like(picture))], table)
    mirror = camera_facts("synthetic", [Frame(0, 0.0, np.ascontiguousarray(picture[:, ::-1]))], table)
    told = by_name(camera_findings(mirror))["board found"]
    assert (told.verdict, told.found) == (FAIL, "the picture is mirrored")
    assert re.fullmatch(r"Turn mirroring off .* no code can be read\. Its driver can .* table itself\.", told.cure)
    assert verdicts(black) == {"camera seen": PASS, "camera bright": FAIL, "board found": FAIL}


class Fingers(Buttons):
    """Buttons that are pressed at set times; as a buzzer it notes what it was told."""

    devices: Any = (True,)

    def __init__(self, *presses: Press) -> None:
        super().__init__()
        self._presses = list(presses)
        self.sounded: list[bool] = []
        self.sound = self.sounded.append

    def due(self, now_s: float) -> tuple[Press, ...]:
        due = tuple(press for press in self._presses if press.t_s <= now_s)
        self._presses = [press for press in self._presses if press.t_s > now_s]
        return due


class Ticking(SetClock):
    """A clock on which sleeping is all that takes time."""

    def sleep(self, for_s: float) -> None:
        self.now += for_s


def test_whoever_stands_before_the_panel_is_asked_about_every_part() -> None:
    clock, lamps, asked, said = Ticking(), LampRecord(), list[str](), list[str]()
    fingers: Any = Fingers(Press(1.0, Button.WHITE), Press(3.0, Button.UNDO), Press(4.0, Button.UNDO))
    panel = Panel(lamps, fingers, fingers, "")

    def ask(question: str) -> bool:
        asked.append(question)
        return "attack_right" not in question

    facts = ask_about(panel, replace(WIRED, dark=None), ask, said.append, clock.now_s, clock.sleep)
    assert lamps.shown == [*LAMPS, ""]
    assert len(asked) == len(LAMPS) + 1
    assert "touch_left (red)" in asked[0]
    assert facts.dark == ("attack_right",)
    assert facts.dead == ("black", "menu")  # undo answered for black, and nothing for the menu
    assert (facts.silent, fingers.sounded) == (False, [True, False])
    assert [line.split()[3] for line in said] == ["white", "black", "undo", "menu"]
    assert ask_about(no_panel(""), WIRED, ask, said.append, clock.now_s, clock.sleep) == WIRED, "nothing is there"
    found = by_name(panel_findings(facts))
    assert found["lamps seen"].found == "dark: lamp attack_right (GPIO 24)"
    assert found["buttons pressed"].found == "not felt: button black (GPIO 6), button menu (GPIO 27)"


def test_the_programs_own_things_are_found_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    book, table, settings = tmp_path / "new" / "book.sqlite", TABLE_FILE, tmp_path / "config.toml"

    def found() -> dict[str, ToldFinding]:
        config = settings if settings.exists() else None
        return by_name(program_findings(book=book, table=table, config=config))

    assert {each.verdict for each in found().values()} == {PASS}
    assert found()["scorebook"].found == f"0 matches in {book}"
    assert not book.exists()
    (tmp_path / "engarde").mkdir()
    (tmp_path / "engarde" / "menu.toml").write_text("[sound")
    assert found()["settings"].verdict is WARN
    settings.write_text("[panel]\nlamp = true\n")
    table, book = tmp_path / "none.toml", tmp_path / "book.sqlite"
    book.write_bytes(b"no database at all, however long" * 40)
    bad = found()
    assert [bad[name].verdict for name in ("settings", "table file", "scorebook")] == [FAIL] * 3
    assert "did you mean lamps" in bad["settings"].found
    assert "none.toml" in bad["table file"].found
    assert ("damaged" in bad["scorebook"].found, book.exists()) == (True, True)
    monkeypatch.setattr(checkup, "words", lambda language: type("Few", (), {"entries": dict.fromkeys([language])}))
    assert found()["languages"].verdict is FAIL


def test_a_book_that_cannot_be_refereed_or_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, problems = tmp_path / "book.sqlite", [""]
    read = MagicMock(replay_all=lambda: [SimpleNamespace(problem=each) for each in problems])
    monkeypatch.setattr(checkup, "read_scorebook", lambda path: read)

    def told() -> tuple[CheckResult, str]:
        found = by_name(program_findings(book=book, table=TABLE_FILE))["scorebook"]
        return found.verdict, found.found

    assert told() == (PASS, f"1 match in {book}")
    problems.append("what follows is none")
    assert told()[0] is WARN
    monkeypatch.setattr("os.access", lambda *_: False)
    assert told()[0] is FAIL


THREE = (
    Finding("model", CheckResult.PASS, "a Pi", "a Pi"),
    Finding("disk", CheckResult.WARN, "tight", "room", "Delete."),
    Finding("camera bright", CheckResult.FAIL, "dark", "light", "Light it."),
)


def test_the_worst_counts_and_is_told_in_one_sentence() -> None:
    assert (worst(()), worst(THREE[:1]), worst(THREE[:2]), worst(THREE)) == (PASS, PASS, WARN, FAIL)
    assert summary(THREE) == "1 of 3 checks failed: Light (3-2)."
    assert summary(THREE[:2]) == "The game can be played; 1 of 2 checks warn: Memory card (1-5)."
    assert summary(THREE[:1]) == "All 1 checks passed."
    assert report_text(THREE).splitlines()[1:4] == [
        "1-5  WARN  Memory card: tight",
        "           Expected: room",
        "           What helps: Delete.",
    ]


def test_the_lamps_tell_the_numbers_page_after_page() -> None:
    def lit(t_s: float) -> str | None:
        lamps = readout_lamps(THREE, t_s)
        return None if lamps is None else " ".join(name for name, on in lamps.items() if on)

    disk = "refused alive score_left_1 " + " ".join(f"score_right_{number}" for number in range(1, 6))
    bright = "touch_left alive score_left_1 score_left_2 score_left_3 score_right_1 score_right_2"
    times_s = [page * PAGE_S + 1.0 for page in range(5)]
    assert [lit(t_s) for t_s in times_s] == [disk, bright, disk, bright, None]
    assert lit(PAGE_S - GAP_S / 2) == "alive"
    well = readout_lamps(THREE[:1], 1.0)
    assert well is not None
    assert [name for name, on in well.items() if on] == ["touch_right", "alive"]
    assert readout_lamps(THREE[:1], TIMES * PAGE_S) is None


@pytest.mark.parametrize(("pressed", "over_s", "changes"), [((), 2 * TIMES * PAGE_S, 4 * TIMES + 1), ((2.0,), 2.0, 2)])
def test_the_readout_ends_by_itself_or_at_a_press(pressed: tuple[float, ...], over_s: float, changes: int) -> None:
    clock, lamps = Ticking(), LampRecord()
    fingers = Fingers(*(Press(at_s, Button.BLACK) for at_s in pressed))
    read_out(Panel(lamps, fingers, Sounder(), ""), THREE, clock.now_s, clock.sleep)
    assert clock.now == pytest.approx(over_s, abs=0.1)
    assert (len(lamps.shown), lamps.shown[-1]) == (changes, "")


def test_nobody_is_named_in_a_report() -> None:
    text = "/srv/anna/en-garde on annas-pi: ANNA against Jean-Baptiste, annabelle and B; Anna's book"
    names = {
        "anna": "(the user)",
        "/srv/anna": "~",
        "annas-pi": "(this machine)",
        "Jean-Baptiste": "(a player)",
        "B": "x",
    }
    assert without_names(text, names) == (
        "~/en-garde on (this machine): (the user) against (a player), annabelle and B; (the user)'s book"
    )


@pytest.mark.parametrize(
    ("beside", "kind", "part"), [(reports_beside, ".txt", "reports"), (pictures_beside, ".png", "")]
)
def test_what_was_kept_of_failures_is_counted_with_the_place_of_the_newest(
    beside: Any, kind: str, part: str, tmp_path: Path
) -> None:
    book = tmp_path / "book.sqlite"
    beside(book).mkdir()
    for name in ("20261127-a", "20261128-b"):
        (beside(book) / f"{name}{kind}").write_text("told")
    found = [each for each in program_findings(book=book, table=TABLE_FILE) if each.name == "readers"]
    (kept,) = (each for each in found if each.part == part)
    assert kept.verdict is WARN
    assert "2 " in kept.told().found
    assert kept.told().found.endswith(str(beside(book) / f"20261128-b{kind}"))


SCHEMA = json.loads(TABLE_FILE.parents[1].joinpath("firmware", "schemas", "bench.json").read_text(encoding="utf-8"))
MEASURED: dict[str, Any] = {
    "version": "1.0",
    "machine": "Raspberry Pi 5 Model B Rev 1.0",
    "memory_mb": 2000,
    "minutes": 10.0,
    "frames": 3000,
    "frames_a_second": 5.0,
    "core_percent": 12.5,
    "frame_ms": {"median": 20.0, "p99": 80.0},
    "verdict_s": {"median": 0.4, "p99": 1.2},
    "verdicts": 80,
    "used_mb": 300,
    "temperature_c": {"start": 45.0, "end": 61.4},
    "throttled": 0,
}
UNTOLD = {
    **MEASURED,
    "verdicts": 0,
    "temperature_c": {"start": None, "end": None},
    **dict.fromkeys(("memory_mb", "frame_ms", "verdict_s", "throttled")),
}


def test_what_is_not_known_is_said_to_be_so() -> None:
    said = bench_text(UNTOLD)
    assert "does not tell its temperature" in said
    assert "A verdict" not in said
    assert "it was never slowed down" in bench_text(MEASURED)
    assert "slowed down or short of voltage" in bench_text({**MEASURED, "throttled": 0x50000})
    assert bench_row({**MEASURED, "throttled": 0x4}).endswith("| yes, 0x4 |")
    assert bench_row(UNTOLD).endswith("| unknown | unknown |")


def test_a_machine_without_a_name_is_called_by_its_processor(tmp_path: Path) -> None:
    assert measuring._processor(tmp_path) == ""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Some | Core  i5 \nflags\t: x\n")
    assert measuring._processor(tmp_path) == "Some Core i5"


def test_the_spread_is_the_middle_and_the_one_of_a_hundred() -> None:
    assert measuring._spread([]) is None
    assert measuring._spread([3.0, 1.0, 2.0]) == {"median": 2.0, "p99": 3.0}
    assert measuring._spread([float(each) for each in range(1, 201)]) == {"median": 100.5, "p99": 199.0}


@pytest.mark.slow
def test_a_short_measurement_is_true_to_its_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["doctor", "--bench", "--json", "--minutes", "0.02", "--scorebook", str(tmp_path / "book")]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(told)] == []
    assert told["frames"] == 6
    assert told["minutes"] >= 0.02
    assert 0 < told["core_percent"] < 400
    assert told["used_mb"] > 50
    assert told["frame_ms"]["median"] > 0
    assert not (tmp_path / "book").exists()


@pytest.mark.parametrize("word", ["0", "soon", "1441", "nan"])
def test_a_time_that_is_none_is_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["doctor", "--bench", f"--minutes={word}"])
    assert left.value.code == 2
    assert "expected minutes, more than 0 and up to 1440" in capsys.readouterr().err
