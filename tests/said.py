"""``--all-said``: some test of the whole run says every sentence of the catalogues, in whatever process it runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from display.i18n import Words, words

FRAGMENTS: Final = ("language", "number.", "values.")
"""Keys that other sentences fill themselves from."""
PAGES: Final = {"club": "firmware/extras/club/pages", "setup": "firmware/cli/first_start/pages"}
"""Topics whose sentences are handed to a page's own script, which names them."""
NAMED: Final = re.compile(r'\bwords\.(\w+)|\bsay\("(\w+)"|\bname: "(\w+)"')
SAID: set[str] = set()
"""The keys said so far, in this process and in those that have ended."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-said", action="store_true", help="fail where no test says a sentence of the catalogues")


def pytest_configure() -> None:
    really_say = Words.say

    def say_and_note(self: Words, key: str, **facts: object) -> str:
        SAID.add(key)
        return really_say(self, key, **facts)

    Words.say = say_and_note  # type: ignore[method-assign]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    SAID.update(getattr(node, "workeroutput", {}).get("said", ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["said"] = sorted(SAID)
    elif session.config.option.all_said and unsaid():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.option.all_said and (missed := unsaid()):
        terminalreporter.section("sentences that no test says", red=True)
        terminalreporter.write_line(" ".join(missed))


def unsaid() -> list[str]:
    """The keys that no test said and no page names."""
    root = Path(__file__).parent.parent
    named = {
        f"{topic}.{next(filter(None, found.groups()))}"
        for topic, folder in PAGES.items()
        for page in (root / folder).iterdir()
        for found in NAMED.finditer(page.read_text(encoding="utf-8"))
    }
    return sorted(key for key in words("en").entries if not key.startswith(FRAGMENTS) and key not in SAID | named)
