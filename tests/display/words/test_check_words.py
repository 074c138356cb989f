"""Every check of the self-test has its heading and its verdicts, in every language."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock
from unittest.mock import MagicMock

import pytest

from display.i18n import LANGUAGES, Words, words
from display.lamps import LAMPS
from display.menu.model import Goto, Menu, MenuPlace, Open, Page
from engine.table.presses import Button, Press
from firmware.cli.doctor.camera import MIRRORED, NOT_YET, CameraFacts, camera_findings
from firmware.cli.doctor.checkup import program_findings
from firmware.cli.doctor.findings import (
    CHECKS,
    CheckResult,
    Finding,
    Program,
    check_lines,
    report_text,
    sentence,
    summary,
)
from firmware.cli.doctor.machine import MachineFacts, machine_findings
from firmware.cli.doctor.panel import PanelFacts, ask_about, panel_findings
from firmware.cli.doctor.system import LEAST, ON_A_PI, REFERENCE, SystemFacts, library_findings, system_findings
from firmware.core.io.files import reports_beside
from firmware.table.camera.setup import TABLE_FILE
from firmware.table.panel.buttons import Gesture
from firmware.table.panel.devices import Panel
from firmware.table.panel.gpio import Buttons, Sounder
from firmware.table.panel.header import PinProblem, PinTrouble
from firmware.table.panel.pins import PANEL_BUTTONS
from firmware.table.readers.guard import pictures_beside
from firmware.ui.menu.machine import CheckLine
from tests.display.menu_showcase import MenuContext, page_of
from tests.firmware.conftest import LampRecord
from vision.board.calibration import SpaceView
from vision.camera.settling import Settling

ALL = tuple(Finding(name, CheckResult.FAIL, "it is dark", "light", "Light a lamp.") for name in CHECKS.values())


LIBRARIES = ("numpy", "opencv", "libcamera", "picamera2", "lgpio")
PI = MachineFacts("Raspberry Pi 5 Model B", 0, 45.0, 9000, memory_mb=(4000, 3000), card_errors=0)
APT = "/usr/lib/python3/dist-packages/"
SYSTEM = SystemFacts(
    True,
    "Debian 12",
    "bookworm",
    64,
    {"python": Program("3.11.2"), **{name: Program("99.0", f"{APT}{name}.py") for name in (*LEAST, *ON_A_PI)}},
    "kmsdrm",
    service="enabled",
)
CAMERA = CameraFacts("auto", "", (1280, 720), 100.0, 2.0, "", (SpaceView(1, True, 50.0),))
SETTLED, OPEN = (
    cast(Settling, SimpleNamespace(exposure_locked=locked, focus_locked=locked)) for locked in (True, False)
)
PANEL = PanelFacts((), "On the pins.", wired=True, on_a_pi=True, dark=(), dead=(), silent=False)


def checks_page(say: Words, checks: tuple[CheckLine, ...], page: Open = Goto.CHECKS) -> Page:
    return page_of(Menu((MenuPlace(page),)), MenuContext(say.language, checks=checks))


def check_page(say: Words, checks: tuple[CheckLine, ...], number: str) -> Page:
    return checks_page(say, checks, Goto.CHECK.of(number))


def of_the_program(folder: Path) -> Iterator[Finding]:
    """Each outcome of the checks of files: all well, then damaged, then what only is not quite as it should be."""
    book, settings, menu = folder / "book.sqlite", folder / "config.toml", folder / "engarde" / "menu.toml"
    shutil.rmtree(folder)
    menu.parent.mkdir(parents=True)
    yield from program_findings(book=folder / "none.sqlite", table=TABLE_FILE)
    settings.write_text("[panel]\nlamp = true\n")
    book.write_bytes(b"no database" * 100)
    with mock.patch("firmware.cli.doctor.checkup.words", lambda each: SimpleNamespace(entries=(each,))):
        yield from program_findings(book=book, table=folder / "none.toml", config=settings)
    menu.write_text("[sound")
    for kept in (pictures_beside(book) / "a.png", reports_beside(book) / "a.txt"):
        kept.parent.mkdir(exist_ok=True)
        kept.touch()
    for bad, writable in (("?", True), ("", False)):
        read = MagicMock(replay_all=lambda bad=bad: [SimpleNamespace(problem=bad)])
        with (
            mock.patch("firmware.cli.doctor.checkup.read_scorebook", lambda _, read=read: read),
            mock.patch("os.access", lambda *_, writable=writable: writable),
        ):
            yield from program_findings(book=book, table=TABLE_FILE)


def every_finding(folder: Path) -> Iterator[Finding]:
    """Each outcome of each check."""
    sick = replace(PI, card_errors=2, closed=True, worn_percent=90)
    slow = replace(PI, model="Raspberry Pi 3", free_mb=None, throttled=None)
    tight = replace(PI, memory_mb=(1000, 100), throttled=0x50005, temperature_c=82.0, free_mb=10)
    for machine in (
        *(PI, sick, slow, tight, replace(PI, model=None, throttled=0x50000, temperature_c=71.0, free_mb=200)),
        *(replace(PI, forgets=True), replace(PI, card_errors=None)),
    ):
        yield from machine_findings(machine)
    mixed = {**SYSTEM.programs, "numpy": Program("99.0", "/x/.venv/numpy")}
    old = {**SYSTEM.programs, "numpy": Program("1.0", f"{APT}numpy")}
    for system in (
        *(SYSTEM, replace(SYSTEM, on_a_pi=False, programs={}), replace(SYSTEM, bits=32, programs=old, driver="")),
        replace(
            SYSTEM, codename="sid", programs=mixed, driver="", tried=("x11",), silence=sentence("doctor.sound.silent")
        ),
        *(replace(SYSTEM, service=""), replace(SYSTEM, service="disabled"), replace(SYSTEM, missing_groups=("gpio",))),
    ):
        yield from system_findings(system)
    libraries = {"blas": Program("OpenBLAS", "/x/libopenblas.so"), **{n: Program("1.0", "/x") for n in LIBRARIES}}
    reference = {"blas": Program(REFERENCE, "/x/libblas.so.3")}
    yield from system_findings(replace(SYSTEM, libraries=reference))
    none = {"lgpio": Program()}
    for found, on_a_pi in ((libraries, True), (reference, True), (none, True), (none, False)):
        yield from library_findings(found, on_a_pi=on_a_pi)
    small, away = (SpaceView(1, True, 5.0),), (SpaceView(1, False, 50.0),)
    for camera in (
        *(CAMERA, replace(CAMERA, problem="gone"), replace(CAMERA, brightness=1.0, edge_px=4.0, spaces=small)),
        *(
            replace(CAMERA, brightness=250.0, edge_px=9.0, spaces=away),
            replace(CAMERA, board="two markers are missing"),
        ),
        *(replace(CAMERA, board=NOT_YET), replace(CAMERA, board=MIRRORED, mirrored=True)),
        *(replace(CAMERA, settling=settling) for settling in (SETTLED, OPEN)),
    ):
        yield from camera_findings(camera)
    facts = {name: name for name in ("gpio", "part", "holder", "said", "file", "chips", "labels")}
    problems = tuple(PinProblem(trouble, facts) for trouble in PinTrouble)
    busy = replace(PANEL, missing=problems, dark=("draw",), dead=("menu",), silent=True)
    listed = replace(PANEL, chips=("gpiochip0 (pinctrl-rp1, 54)",), holders={"": (17, 22), "engarde": (4,)})
    for panel in (PANEL, busy, listed, replace(PANEL, faults=("twice",)), replace(PANEL, wired=False, on_a_pi=False)):
        yield from panel_findings(panel)
    yield from of_the_program(folder)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_speaks_the_language_of_its_reader(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    findings = tuple(every_finding(tmp_path))
    assert {finding.name for finding in findings} == set(CHECKS.values())
    told, english = ([finding.told(words(each).say) for finding in findings] for each in (language, "en"))
    if language != "en":
        assert {a.cure for a, b in zip(told, english, strict=True) if a.cure and a.cure == b.cure} == set()


class Fingers(Buttons):
    """White's button, whenever one looks."""

    def due(self, now_s: float) -> tuple[Press, ...]:
        return (Press(now_s, Button.WHITE),)

    def gestures(self, now_s: float) -> tuple[tuple[Button, Gesture], ...]:
        return ()

    @property
    def devices(self) -> list[Any]:
        return [self]


class Buzzer(Sounder):
    """One that nobody hears."""

    def sound(self, on: bool) -> None:
        pass

    @property
    def devices(self) -> list[Any]:
        return [self]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_terminal_is_told_and_asked_in_the_language_of_its_reader(language: str) -> None:
    say = words(language).say
    findings = (
        *ALL,
        Finding("disk", CheckResult.PASS, "roomy", "room"),
        Finding("sound", CheckResult.WARN, "faint", "loud", "Turn it up."),
    )
    text = report_text(findings, say)
    *_, failing = text.splitlines()
    assert failing == summary(findings, say)
    assert say("checks.of.camera_seen") in failing
    marks = {line[5:].split("  ")[0] for line in text.splitlines() if line[:1].isdigit() and line[1] == "-"}
    assert len(marks) == len(CheckResult)
    assert summary(findings[-2:], say) != summary(findings[-2:-1], say)
    panel = Panel(LampRecord(), Fingers(), Buzzer(), "")
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return True

    ask_about(panel, PANEL, ask, asked.append, lambda: 0.0, lambda _: None, say)
    assert len(asked) == len(set(asked)) == len(LAMPS) + len(PANEL_BUTTONS) + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_check_opens_with_what_was_found_expected_and_helps(language: str) -> None:
    say = words(language)
    lines = check_lines(ALL, say.say)
    page = checks_page(say, lines)
    assert [item.key for item in page.items] == [Goto.CHECK.of(number) for number in CHECKS]
    assert len({item.text for item in page.items}) == len(CHECKS)
    assert {item.value for item in page.items} == {""}
    assert all(item.text.endswith(say.say("checks.fail")) for item in page.items)
    one = check_page(say, lines, "3-2")
    assert one.title == say.say("checks.of.camera_bright")
    assert one.lines[0].casefold() == f"{say.say('checks.fail')} (3-2)".casefold(), "how it is; the number for helpers"
    assert one.lines[0][0].isupper()
    assert [any(text in line for line in one.lines) for text in ("it is dark", "light", "Light a lamp.")] == [True] * 3


def test_what_passed_has_no_cure_and_a_warning_says_so() -> None:
    say = words("en")
    good, bad = check_lines(
        (
            Finding("power", CheckResult.PASS, "5.1 V", "5 V"),
            Finding("disk", CheckResult.WARN, "full", "room", "Make room."),
        ),
        say.say,
    )
    assert (good.heading, good.verdict, good.lines) == (
        "Power supply",
        "all right",
        ("All right (1-2)", "Found: 5.1 V"),
    )
    assert [(item.text, item.value) for item in checks_page(say, (good, bad)).items] == [
        ("Power supply", "all right"),
        ("Memory card – could be better", ""),
    ]
    assert bad.lines == ("Could be better (1-5)", "Found: full", "Expected: room", "What helps: Make room.")


def test_while_they_are_made_the_pages_say_so() -> None:
    say = words("en")
    for page in (checks_page(say, ()), check_page(say, (), "1-2")):
        assert (page.title, page.items, page.lines) == ("All checks", (), ("The checks are being made…",))
