"""The first start's page in a browser, step by step: what is typed there is kept, what is wrong is said there."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.common.actions.action_builder import ActionBuilder

from display.i18n import words
from firmware.cli.first_start.answers import FirstStart, Site
from firmware.cli.first_start.mark import StartMark
from firmware.cli.first_start.table import TableEye
from firmware.extras.simulation.camera import untouched_table
from firmware.table.camera.live_camera import PacedSource
from firmware.table.camera.setup import TABLE_FILE
from tests.browser.conftest import HOSTILE, Browser
from tests.firmware.cli.first_start.conftest import first_start
from tests.firmware.cli.first_start.nmcli import Air, NetworkManager
from tests.waiting import HANG_S
from vision.printed.table import load_table

pytestmark = pytest.mark.slow
CODE: Final = "234567"
NO_PICTURE: Final = "503"
SSID: Final = HOSTILE[0][:32]


@contextmanager
def served(first: FirstStart, port: int = 0) -> Iterator[str]:
    """The address with its code, as the screen's QR code has it."""
    with closing(Site(first, "127.0.0.1", port, CODE)) as site:
        yield f"http://127.0.0.1:{site.port}/#{CODE}"


@pytest.fixture
def first(tmp_path: Path) -> FirstStart:
    air = {"Home": Air("secret12"), SSID: Air("secret12")}
    return first_start(tmp_path, NetworkManager(air=air), None, "no camera here")


def said(key: str, language: str = "de", **facts: object) -> str:
    """The sentence as it is seen: with plain spaces."""
    return words(language).say(f"setup.{key}", **facts).replace("\u00a0", " ")


def type_into(browser: Browser, number: int, text: str) -> None:
    """Write into a field of the step, as by hand."""
    assert browser.until(lambda: len(browser.all("#step input")) > number)
    field = browser.all("#step input")[number]
    field.clear()
    field.send_keys(text)


def test_the_whole_way_without_a_camera(browser: Browser, first: FirstStart, tmp_path: Path) -> None:
    browser.noise = [NO_PICTURE]
    StartMark(tmp_path / "first-start").begin()
    with served(first) as url:
        browser.open(url)
        assert browser.shows("#title", said("language", "en"))
        assert not browser.all("#back")[0].is_displayed()
        browser.click("Deutsch")
        assert browser.until(lambda: said("next") in browser.text("nav")), "in the language that was chosen"
        assert browser.driver.execute_script("return document.documentElement.lang") == "de"
        browser.click(said("next"))
        assert browser.shows("#title", said("wifi"))

        browser.click(SSID)
        assert browser.shows("#step p", SSID)
        assert browser.unharmed()
        browser.click(said("back"))
        browser.click(said("next"))
        browser.click("Home")
        type_into(browser, 0, "wrong password")
        browser.click(said("join"))
        assert browser.until(lambda: browser.all("#said.bad")), browser.text("body")
        type_into(browser, 0, "secret12")
        browser.all("#step input")[0].send_keys(Keys.ENTER)  # as the keyboard of a phone
        assert browser.shows("#title", said("aim"))
        browser.click(said("back"))
        assert browser.shows("#step p", said("wifi_now").replace("…", "Home"))
        browser.click(said("next"))

        assert browser.shows("#said.bad", "no camera here")
        browser.click(said("next"))
        assert browser.until(lambda: browser.text("#title") != said("aim"))
        assert browser.text("#title") != said("measure"), "there is nothing to measure with"
        assert browser.until(lambda: first.state()["step"] == "health"), "kept, for after a power cut"
        done = len(browser.all("#way .done"))
        browser.open(url)
        assert browser.until(lambda: len(browser.all("#way .done")) == done), "it goes on where it was left"

        while browser.text("#title") != said("names"):
            browser.click(said("next"))
        assert not browser.all("#next")[0].is_displayed()
        type_into(browser, 0, "Anna")
        browser.all("#step input")[0].send_keys(Keys.ENTER)
        assert browser.until(lambda: browser.driver.switch_to.active_element == browser.all("#step input")[1])
        type_into(browser, 1, "anna")
        browser.click(said("play"))
        assert browser.shows("#said.bad", words("de").say("menu.same_name"))
        assert not first.done.is_set()
        type_into(browser, 1, HOSTILE[2][:40])
        browser.click(said("play"))
        assert browser.shows("#step", said("playing"))
        assert first.done.wait(HANG_S)
        assert browser.unharmed()
    kept = tomllib.loads((tmp_path / "menu.toml").read_text(encoding="utf-8"))["players"]
    assert kept == {"language": "de", "white": "Anna", "black": HOSTILE[2][:40]}


def test_how_everything_is_can_be_looked_at(browser: Browser, first: FirstStart) -> None:
    browser.noise = [NO_PICTURE]
    with served(first) as url:
        browser.open(url)
        health = words("en").say("menu.health")
        assert browser.shows("#title", said("language", "en"))
        while browser.text("#title") != health:
            browser.click(said("next", "en"))
        assert "no camera here" in browser.text("#step")
        browser.click(words("en").say("menu.checks"))
        assert browser.until(lambda: len(browser.all("#step h2")) > 2)


def test_another_code_is_told_where_the_code_is(browser: Browser, first: FirstStart) -> None:
    browser.noise = ["403"]
    with served(first) as url:
        browser.open(url.replace(CODE, "765432"))
        assert browser.shows("#step", "scan the code")
        assert not browser.all("#next")[0].is_displayed()


def test_a_table_that_goes_away_is_waited_for(browser: Browser, first: FirstStart) -> None:
    browser.noise = [NO_PICTURE]
    with served(first) as url:
        browser.open(url)
        assert browser.shows("#title", said("language", "en"))
        while browser.text("#title") != said("names", "en"):
            browser.click(said("next", "en"))
        port = int(url.split(":")[2].split("/")[0])
    type_into(browser, 0, "Anna")
    browser.click(said("play", "en"))
    assert browser.shows("#said.bad", said("lost", "en"))
    assert not first.done.is_set()
    with served(first, port):
        browser.click(said("play", "en"))
        assert browser.shows("#step", said("playing", "en"))
    assert first.done.is_set()


def ring(browser: Browser) -> tuple[float, float]:
    """Where in the window the ring of space 23 is; each new picture draws it anew."""
    found = browser.driver.execute_script(
        "const box = document.querySelectorAll('.view circle[r=\"0.022\"]')[1].getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]"
    )
    return found[0], found[1]


def drag(browser: Browser, start: tuple[float, float], by_px: int) -> None:
    actions = ActionBuilder(browser.driver)
    finger = actions.pointer_action
    finger.move_to_location(*start)  # type: ignore[no-untyped-call]
    finger.pointer_down()  # type: ignore[no-untyped-call]
    finger.move_to_location(start[0] + by_px, start[1])  # type: ignore[no-untyped-call]
    finger.pointer_up()  # type: ignore[no-untyped-call]
    actions.perform()


def test_the_table_is_aimed_at_measured_put_right_and_kept(browser: Browser, tmp_path: Path) -> None:
    """By the simulated table's camera; a ring of the piste is dragged as with a finger."""
    table = load_table(TABLE_FILE)
    with closing(TableEye(PacedSource(untouched_table(table, 1), sleep=lambda s: None), table)) as eye:
        assert browser.until(eye.picture), "the camera has no picture yet"
        with served(first_start(tmp_path, lambda asked: (1, ""), eye)) as url:
            browser.open(url)
            assert browser.shows("#title", said("language", "en"))
            while browser.text("#title") != said("aim", "en"):
                browser.click(said("next", "en"))
            assert browser.until(lambda: len(browser.all(".view polygon")) > 3), browser.text("body")
            assert browser.until(lambda: browser.driver.execute_script("return document.images[0].naturalWidth") > 0)
            browser.click(said("next", "en"))
            assert browser.shows("#title", said("measure", "en"))
            assert said("keep", "en") not in browser.text("#step").split("\n"), "nothing is measured yet"
            browser.click(said("measure_now", "en"))
            measured = said("measured", "en").split("…")[0]
            assert browser.shows("#said", measured), browser.text("#said")
            assert browser.until(lambda: len(browser.all(".view circle[r='0.006']")) == 23), "every space is shown"
            assert browser.until(lambda: ring(browser)[0] > 0)

            browser.driver.execute_script("document.querySelector('.view').scrollIntoView()")
            before, place = browser.text("#said"), ring(browser)
            drag(browser, place, -12)
            assert browser.until(lambda: measured in browser.text("#said") and browser.text("#said") != before)
            assert ring(browser)[0] < place[0]
            browser.click(said("keep", "en"))
            assert browser.until(lambda: browser.text("#title") != said("measure", "en")), browser.text("#said")
            assert browser.text("#said") == said("kept", "en")
    assert load_table(tmp_path / "table.toml").spaces_mm[1].x != table.spaces_mm[1].x
