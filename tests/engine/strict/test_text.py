"""Bytes from outside become plain values within bounds, or one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.strict.text import (
    MAX_DIGITS,
    MAX_NUMBER,
    Bounds,
    MalformedError,
    json_of,
    shown,
    text_of,
    toml_of,
)

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_NUMBER, MAX_NUMBER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def refusal(reads: Callable[[], object]) -> str:
    """Why this was refused; empty where it was read. Any other exception is a failure."""
    try:
        reads()
    except MalformedError as error:
        return str(error)
    return ""


@given(PLAIN)
def test_whatever_json_can_say_within_the_bounds_comes_back(value: object) -> None:
    assert json_of(json.dumps(value)) == value
    assert json_of(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_bytes_become_a_value_or_one_sentence(data: bytes | str) -> None:
    for reader in (json_of, toml_of, text_of):
        sentence = refusal(partial(reader, data))
        assert "\n" not in sentence
        sentence.encode()


@pytest.mark.parametrize(
    "data",
    [
        rb'"\ud800"',
        rb'{"\udc00": 1}',
        rb'["\ud800\ud800"]',
        '"\ud800"',
        b'{"a": 1, "a": 2}',
        b'[{"a": 1, "b": 3, "a": 1}]',
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"1e999",
        b"-1e999",
        b"1" * (MAX_DIGITS + 1),
        b"-" + b"1" * (MAX_DIGITS + 1),
        b"1" * 5_000,
        b"[" * 40 + b"]" * 40,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000,
        b"\xff",
        "{}".encode("utf-16"),
        b"",
        b"{} {}",
        b"[1,]",
        b"{'a': 1}",
        b'"\x00"',
    ],
)
def test_json_that_would_harm_whoever_uses_it_is_refused(data: bytes | str) -> None:
    with pytest.raises(MalformedError):
        json_of(data)


@pytest.mark.parametrize(
    "text",
    [
        "a = inf",
        "a = nan",
        "a = 1e999",
        "a = " + "1" * 30,
        "a = " + "1" * 5_000,
        "a = 0x" + "1" * 9_000,
        "a = 1979-05-27",
        "a = 07:32:00",
        "a = " + "[" * 40 + "]" * 40,
        "a = " + "[" * 100_000,
        ".".join("a" * 100) + " = 1",
        "a = 1\na = 2",
        'a = "\\ud800"',
        "a = ",
    ],
)
def test_toml_that_would_harm_whoever_uses_it_is_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        toml_of(text)


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert json_of(rb'"\ud83e\udd3a"') == "\N{FENCER}"


def test_a_byte_order_mark_and_any_line_end_are_read() -> None:
    assert json_of(b"\xef\xbb\xbf{}") == {}
    assert toml_of(b"\xef\xbb\xbfa = 1\r\nb = 2\rc = 3\n") == {"a": 1, "b": 2, "c": 3}


def test_bounds_hold_to_the_byte_and_the_level() -> None:
    assert json_of(b"[[1]]", Bounds(bytes=5, depth=2)) == [[1]]
    for bounds in (Bounds(bytes=4), Bounds(depth=1)):
        with pytest.raises(MalformedError):
            json_of(b"[[1]]", bounds)
    with pytest.raises(MalformedError):
        text_of("é" * 3, 5)
    assert text_of("é" * 3, 6) == "éée".replace("e", "é")


def test_the_sentence_leads_to_the_place() -> None:
    with pytest.raises(MalformedError, match="line 2"):
        text_of(b"a\nb\xe9c")
    with pytest.raises(MalformedError, match="UTF-16"):
        text_of("a".encode("utf-16"))
    with pytest.raises(MalformedError, match=r"^a\.b\[1\]: "):
        toml_of("a.b = [1, nan]")
    with pytest.raises(MalformedError, match='"b" twice'):
        json_of('{"a": 1, "b": 1, "b": 2}')


@given(st.text() | st.binary() | PLAIN | st.just(math.nan) | st.just({1, 2}))
def test_any_value_can_be_shown_in_a_sentence(value: object) -> None:
    assert 0 < len(shown(value)) <= 40
