"""A real Chromium for the pages: Debian's, steered by the driver that Debian ships with it.

Where one of the two is missing the tests are skipped, or fail with ENGARDE_CHROMIUM=required. .ci/run installs both and
requires them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.waiting import until

HOSTILE: Final = (
    '<img src=x onerror="window.owned=1">',
    "</script><script>window.owned=1</script>",
    "\"'><svg onload=window.owned=1>",
    "${window.owned=1}{table}&lt;b&gt;",
)
"""Names that would run where a page takes them for HTML or for code."""


@dataclass
class Browser:
    """One tab. ``noise`` names errors that a test expects in the console; any other fails the test."""

    driver: Chrome
    noise: list[str] = field(default_factory=list)

    def open(self, url: str) -> None:
        self.driver.get("about:blank")  # an address that differs behind the # only would not be loaded anew
        self.driver.get(url)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The text that is seen there, with plain spaces; empty where there is nothing."""
        seen = "return [...document.querySelectorAll(arguments[0])].map(each => each.innerText).join('\\n')"
        return str(self.driver.execute_script(seen, selector)).replace("\u00a0", " ").strip()

    def until(self, holds: Callable[[], object]) -> bool:
        """Wait for it; whether it came. What a page replaces in the middle of a look is looked for again."""

        def looked() -> object:
            try:
                return holds()
            except WebDriverException:
                return False

        return until(looked)

    def shows(self, selector: str, text: str) -> bool:
        """Whether this text comes to be seen there."""
        return self.until(lambda: text in self.text(selector))

    def click(self, text: str) -> None:
        """Press the button or the link that says so, once it is there."""
        assert self.until(lambda: self._pressed(text)), f"no button {text!r}, but: {self.text('body')}"

    def _pressed(self, text: str) -> bool:
        found = [each for each in self.all("button, a") if text in each.text]
        if found:
            found[0].click()
        return bool(found)

    def unharmed(self) -> bool:
        """Whether no name has become part of the page."""
        return not self.driver.execute_script("return window.owned") and not self.all("img[src=x], body svg[onload]")

    def errors(self) -> list[str]:
        """Exceptions, answers that are none, and what the page's policy refuses, since last asked; not a
        server that is gone."""
        log = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        said = [str(each["message"]) for each in log if each["level"] == "SEVERE"]
        return [each for each in said if not any(known in each for known in (*self.noise, "net::ERR_", "favicon.ico"))]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chrome]:
    found, steered = shutil.which("chromium"), shutil.which("chromedriver")
    if found is None or steered is None:
        missing = "Chromium or its driver is not installed: apt-get install chromium chromium-driver"
        if os.environ.get("ENGARDE_CHROMIUM") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    options = ChromeOptions()
    options.binary_location = found
    # Without a sandbox it also starts as root and in a container; it opens only the pages of this project.
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", "window-size=1280,720"):
        options.add_argument(f"--{argument}")
    options.add_experimental_option("prefs", {"intl.accept_languages": "de,en"})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(steered))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Chrome) -> Iterator[Browser]:
    made = Browser(chromium)
    made.errors()
    yield made
    left = made.errors()
    chromium.get("about:blank")  # ends what the page asks for, before its server is gone
    assert left == []
