"""Every check of the self-test has its heading and its verdicts, in every language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from display.i18n import LANGUAGES, words
from display.menu.checks import check_page, checks_page
from display.menu.lines import Goto, Of
from firmware.doctor.findings import CHECKS, Verdict, failed, passed, warned
from firmware.doctor.words import check_lines

ALL = tuple(failed(name, "it is dark", "light", "Light a lamp.") for name in CHECKS.values())


def test_every_key_is_said(topic_keys: Callable[[str], set[str]]) -> None:
    headings = {f"checks.of.{name.replace(' ', '_')}" for name in CHECKS.values()}
    verdicts = {f"checks.{each.value}" for each in Verdict}
    others = {f"checks.{key}" for key in ("wait", "found", "expected", "cure")}
    assert topic_keys("checks") == headings | verdicts | others


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_check_opens_with_what_was_found_expected_and_helps(language: str) -> None:
    say = words(language)
    lines = check_lines(ALL, say.say)
    page = checks_page(say, lines)
    assert [item.key for item in page.items] == [Of(Goto.CHECK, number) for number in CHECKS]
    assert len({item.text for item in page.items}) == len(CHECKS)
    assert {item.value for item in page.items} == {""}
    assert all(item.text.endswith(say.say("checks.fail")) for item in page.items)
    one = check_page(say, lines, "3-2")
    assert one.title == say.say("checks.of.camera_bright")
    assert [any(text in line for line in one.lines) for text in ("it is dark", "light", "Light a lamp.")] == [True] * 3


def test_what_passed_has_no_cure_and_a_warning_says_so() -> None:
    say = words("en")
    good, bad = check_lines((passed("power", "5.1 V", "5 V"), warned("disk", "full", "room", "Make room.")), say.say)
    assert (good.heading, good.verdict, good.lines) == (
        "Power supply",
        "all right",
        ("1-2: all right", "Found: 5.1 V"),
    )
    assert [(item.text, item.value) for item in checks_page(say, (good, bad)).items] == [
        ("Power supply", "all right"),
        ("Memory card – could be better", ""),
    ]
    assert bad.lines == ("1-5: could be better", "Found: full", "Expected: room", "What helps: Make room.")


def test_while_they_are_made_the_pages_say_so() -> None:
    say = words("en")
    for page in (checks_page(say, ()), check_page(say, (), "1-2")):
        assert (page.title, page.items, page.lines) == ("All checks", (), ("The checks are being made…",))
