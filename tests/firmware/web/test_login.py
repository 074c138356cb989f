"""The code on the screen: who gets in by it, for how long, and how often somebody may guess."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.web.login import MAX_GUESSES, MAX_WRONG, VALID_S, WRONG_S, Login, new_code


class Clock:
    def __init__(self) -> None:
        self.now_s = 5.0

    def __call__(self) -> float:
        return self.now_s


def test_the_shown_code_holds_and_an_old_one_ends() -> None:
    clock = Clock()
    login = Login(clock=clock)
    first = login.code
    assert login.refused(first, "phone") is None
    assert login.refused("", "phone") is HTTPStatus.FORBIDDEN
    clock.now_s += VALID_S
    second = login.code
    assert second != first
    assert login.refused(first, "phone") is None, "it was photographed a moment before"
    clock.now_s += VALID_S - 1
    assert login.refused(first, "phone") is None, "whoever goes on keeps his login"
    clock.now_s += VALID_S
    assert login.refused(first, "phone") is HTTPStatus.FORBIDDEN
    assert login.refused(second, "phone") is None


def test_whoever_guesses_is_not_listened_to_and_others_are() -> None:
    clock = Clock()
    login = Login(clock=clock)
    for _ in range(MAX_WRONG):
        assert login.refused(new_code(), "guesser") is HTTPStatus.FORBIDDEN
    assert login.refused(login.code, "guesser") is HTTPStatus.TOO_MANY_REQUESTS
    assert login.refused(login.code, "phone") is None
    clock.now_s += WRONG_S
    assert login.refused(login.code, "guesser") is None


def test_a_page_left_open_with_an_old_code_locks_its_phone_out_of_nothing() -> None:
    login = Login()
    for _ in range(10 * MAX_WRONG):
        assert login.refused("oldcode2", "phone") is HTTPStatus.FORBIDDEN
    assert login.refused(login.code, "phone") is None


@pytest.mark.slow
def test_many_guessers_only_have_another_code_shown() -> None:
    login = Login()
    used, seen = login.code, set()
    assert login.refused(used, "phone") is None
    for number in range(MAX_GUESSES * 3):
        seen.add(login.code)
        assert login.refused(new_code(), f"10.0.{number // 250}.{number % 250}") is not None
    assert len(seen) == 3
    assert login.refused(used, "phone") is None, "whoever is in stays in"
    shown = login.code
    assert all(login.refused(each, "late") is HTTPStatus.FORBIDDEN for each in seen - {used, shown})


@pytest.mark.slow
@given(st.text(max_size=12))
def test_no_other_text_is_the_code(text: str) -> None:
    login = Login("abcdefgh")
    given_text = text.encode("latin-1", "replace").decode("latin-1")
    assert (login.refused(given_text, "phone") is None) == (given_text == "abcdefgh")
