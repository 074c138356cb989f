"""Bytes from outside become plain values within bounds, or one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.cards import DECK, Card
from engine.rules.track import BySide, Side
from engine.strict.text import MAX_DIGITS, MAX_NUMBER, Bounds, MalformedError, json_of, shown, text_of, toml_of
from engine.strict.values import (
    LINE,
    Alias,
    AsList,
    Converter,
    Discriminator,
    Flattened,
    Length,
    OneOf,
    Pattern,
    Range,
    did_you_mean,
    expected,
    plain,
    read,
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


Shown: TypeAlias = Annotated[Card, Converter(Card.parse, str, "a card")]


class Place(NamedTuple):
    x_mm: Annotated[float, Range(-1000, 1000)]
    y_mm: Annotated[float, Range(-1000, 1000)] = 0.0


@dataclass(frozen=True, slots=True)
class Lay:
    name: ClassVar[str] = "lay"
    card: Shown
    at: Place
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Press:
    name: ClassVar[str] = "press"
    side: Side


@dataclass(frozen=True, slots=True)
class Act:
    t_s: Annotated[float, Range(0, 60), Alias("t")]
    act: Annotated[Lay | Press, Discriminator("do"), Flattened()]
    by: Annotated[str, Length(1, 10)] | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    version: Literal[2]
    spaces: BySide[Annotated[int, Range(1, 23)]]
    names: Annotated[Mapping[str, str], Length(0, 3)]
    acts: tuple[Act, ...] = ()
    key: Annotated[str, Pattern("[0-9a-f]{4}", "4 hexadecimal digits")] = "0000"
    size: tuple[int, int] = (1, 2)
    corner: Annotated[Place, AsList()] | None = None
    words: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.spaces.white >= self.spaces.black:
            raise ValueError("White stands left of Black")


WHOLE: dict[str, Any] = {
    "version": 2,
    "spaces": {"white": 1, "black": 23},
    "names": {"white": "Ann"},
    "acts": [
        {"t": 1, "do": "lay", "card": "3b", "at": {"x_mm": 4.5}, "face_up": False},
        {"t": 2.5, "do": "press", "side": "black", "by": "Ann"},
    ],
    "key": "00ff",
    "size": [3, 4],
    "corner": [5, 6],
    "words": ["b", "a"],
}
SITTINGS = st.builds(
    Sitting,
    st.just(2),
    st.builds(BySide, st.integers(1, 11), st.integers(12, 23)),
    st.dictionaries(TEXTS, TEXTS, max_size=3),
    st.lists(
        st.builds(
            Act,
            st.floats(0, 60),
            st.builds(
                Lay,
                st.sampled_from(DECK),
                st.builds(Place, st.floats(-1000, 1000), st.floats(-1000, 1000)),
                st.booleans(),
            )
            | st.builds(Press, st.sampled_from(Side)),
            st.none() | st.text(st.characters(codec="utf-8"), min_size=1, max_size=10),
        ),
        max_size=3,
    ).map(tuple),
    st.integers(0, 0xFFFF).map("{:04x}".format),
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
    st.none() | st.builds(Place, st.floats(-1000, 1000), st.floats(-1000, 1000)),
    st.frozensets(TEXTS, max_size=3),
)


def test_a_whole_value_is_read() -> None:
    found = read(Sitting, WHOLE)
    lay, press = found.acts
    assert lay == Act(1.0, Lay(Card(3, "b"), Place(4.5), face_up=False))
    assert type(lay.t_s) is float
    assert press == Act(2.5, Press(Side.BLACK), "Ann")
    assert found.spaces == BySide(1, 23)
    assert (found.key, found.size) == ("00ff", (3, 4))
    assert (found.corner, found.words) == (Place(5.0, 6.0), frozenset({"a", "b"}))
    assert plain(Sitting, found)["words"] == ["a", "b"]


@given(SITTINGS)
def test_what_is_written_is_read_back(sitting: Sitting) -> None:
    assert read(Sitting, json_of(json.dumps(plain(Sitting, sitting)))) == sitting


@given(PLAIN, st.booleans())
def test_any_value_is_read_or_refused_in_one_sentence(value: Any, others: bool) -> None:
    for kind in (
        Sitting,
        Act,
        BySide[int],
        tuple[Shown, ...],
        Mapping[str, Place],
        Annotated[Lay | Press, Discriminator("do")],
    ):
        assert "\n" not in refusal(partial(read, kind, value, others=others))


@given(st.data())
def test_one_wrong_member_anywhere_is_refused_or_read_never_worse(data: st.DataObject) -> None:
    value = json.loads(json.dumps(WHOLE))
    here: Any = value
    while isinstance(here, dict | list) and here:
        keys = list(here) if isinstance(here, dict) else range(len(here))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(here[key], dict | list) or data.draw(st.booleans()):
            here[key] = data.draw(PLAIN)
            break
        here = here[key]
    try:
        found = read(Sitting, value)
    except MalformedError:
        return
    assert read(Sitting, plain(Sitting, found)) == found


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("version",), 3, "version"),
        (("version",), True, "version"),
        (("version",), 2.0, "version"),
        (("spaces", "white"), 0, "spaces.white"),
        (("spaces", "white"), 4.0, "spaces.white"),
        (("spaces", "white"), True, "spaces.white"),
        (("spaces", "white"), None, "spaces.white"),
        (("spaces", "red"), 1, "spaces.red"),
        (("names", "white"), 1, "names.white"),
        (("names",), {"a": "", "b": "", "c": "", "d": ""}, "names"),
        (("acts",), {}, "acts"),
        (("acts", 0, "t"), 61, "acts[0].t"),
        (("acts", 0, "t"), "1", "acts[0].t"),
        (("acts", 0, "do"), "lie", "acts[0].do"),
        (("acts", 0, "card"), "9z", "acts[0].card"),
        (("acts", 0, "card"), ["3b"], "acts[0].card"),
        (("acts", 0, "at", "x_mm"), 1001, "acts[0].at.x_mm"),
        (("acts", 0, "face_up"), 1, "acts[0].face_up"),
        (("acts", 1, "side"), "Black", "acts[1].side"),
        (("acts", 1, "by"), "", "acts[1].by"),
        (("acts", 1, "by"), "eleven char", "acts[1].by"),
        (("key",), "00FF", "key"),
        (("key",), "00ff0", "key"),
        (("size",), [1], "size"),
        (("size",), [1, "2"], "size[1]"),
        (("sice",), [1, 2], "sice"),
        (("corner",), [1], "corner"),
        (("corner",), {"x_mm": 1}, "corner"),
        (("corner",), [1, 1001], "corner.y_mm"),
        (("words",), ["a", 1], "words[1]"),
        (("acts", 0, "side"), "black", "acts[0].side"),
    ],
)
def test_a_wrong_member_is_named_with_its_place(path: tuple[str | int, ...], value: object, place: str) -> None:
    wrong = json.loads(json.dumps(WHOLE))
    here = wrong
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    with pytest.raises(MalformedError) as refused:
        read(Sitting, wrong)
    assert str(refused.value).startswith(f"{place}: ")


def test_a_missing_member_is_named() -> None:
    for name in ("version", "spaces", "names"):
        with pytest.raises(MalformedError, match=f"^{name}: "):
            read(Sitting, {key: value for key, value in WHOLE.items() if key != name})


def test_members_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(MalformedError, match="White stands left"):
        read(Sitting, WHOLE | {"spaces": {"white": 23, "black": 1}})


def test_members_that_nobody_declared_pass_where_they_may() -> None:
    more = WHOLE | {"spaces": {"white": 1, "black": 23, "middle": 12}, "later": [1]}
    assert read(Sitting, more, others=True) == read(Sitting, WHOLE)
    with pytest.raises(MalformedError):
        read(Sitting, more)


def test_a_word_gets_the_nearest_known_one() -> None:
    assert did_you_mean("blakc", ["white", "black"]) == ", did you mean black?"
    assert did_you_mean("xyz", ["white", "black"]) == ""
    assert did_you_mean("x" * 10_000_000, ["white", "black"]) == ""
    with pytest.raises(MalformedError, match="did you mean black"):
        read(Side, "blakc")


def test_values_known_only_at_run_time_are_told_like_literals() -> None:
    kind = Annotated[int, OneOf((50, 60))]
    assert read(kind, 60) == 60
    assert refusal(partial(read, kind, 55)) == "expected one of 50, 60, found 55"
    assert refusal(partial(read, kind, True)) == "expected one of 50, 60, found true"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (bool, "true or false"),
        (Annotated[float, Range(0.5, 60, "seconds")], "a number of seconds from 0.5 to 60"),
        (Annotated[int, Range(0, 100)], "a whole number from 0 to 100"),
        (Literal["on", "off"], "one of on, off"),
        (Annotated[Card, Converter(Card.parse, str, "a card such as 3b")], "a card such as 3b"),
    ],
)
def test_what_is_expected_is_said_without_a_value(kind: Any, told: str) -> None:
    assert expected(kind) == told
    assert refusal(partial(read, kind, None)) == f"expected {told}, found null"


def test_an_annotation_that_nobody_can_read_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError):
        read(complex, 1)


@pytest.mark.parametrize("text", ["Été : 5:3 !", "Jürgen “Lu” O’Neil", "木村", "=1+1", "<b>"])
def test_a_line_is_whatever_people_write(text: str) -> None:
    assert read(Annotated[str, LINE], text) == text


@pytest.mark.parametrize("sign", [chr(code) for code in (0, 9, 10, 13, 27, 127, 155, 0x200F, 0x2028, 0x202E, 0x2069)])
def test_a_line_has_no_sign_that_steers_or_turns(sign: str) -> None:
    with pytest.raises(MalformedError):
        read(Annotated[str, LINE], f"a{sign}b")
