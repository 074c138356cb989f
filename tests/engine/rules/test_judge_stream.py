"""``engarde judge`` as a stream: every line answered once and at once, whatever it holds."""

from __future__ import annotations

import io
import json
import os
import threading
from random import Random
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record.answers import answer_to_json
from engine.rules.events import event_to_json
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from firmware.cli.commands.judge import FLUSH_BYTES, MAX_LINE_BYTES, LineReferee, parse_event, run_judge
from firmware.core.errors import EngardeError
from tests.engine.conftest import random_match
from tests.waiting import HANG_S

MATCH = b'{"event":"match","rules":"ferti-advanced"}'
ROUND = b'{"event":"round"}'
TURN = b'{"event":"turn","cards":["3a"],"white":4,"black":23}'


def strict_json(line: bytes) -> dict[str, Any]:
    """The line as JSON without Python's extras: no NaN, no lone surrogates, ASCII."""

    def refuse(name: Any) -> None:
        raise AssertionError(f"{name} is no JSON")

    value = json.loads(line.decode("ascii"), parse_constant=refuse)
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    assert isinstance(value, dict)
    return value


def answers(*lines: bytes) -> list[dict[str, Any]]:
    out = io.BytesIO()
    assert run_judge(io.BytesIO(b"".join(line + b"\n" for line in lines)), out) == 0
    assert out.getvalue().count(b"\n") == len(lines)
    return [strict_json(line) for line in out.getvalue().splitlines()]


JUNK = {
    "blank": b"",
    "spaces": b"  \t ",
    "text": b"hello",
    "half": b'{"event":"round"',
    "two": b'{"event":"round"}{"event":"round"}',
    "list": b'[{"event":"round"}]',
    "number": b"5",
    "null": b"null",
    "nan": b'{"event":"round","x":NaN}',
    "infinity": b'{"event":"match","rules":"ferti-advanced","points":Infinity}',
    "duplicate": b'{"event":"round","event":"undo"}',
    "duplicate inside": b'{"event":"round","x":{"a":1,"a":1}}',
    "single quotes": b"{'event':'round'}",
    "deep list": b"[" * 200_000,
    "deep object": b'{"event":' * 100_000,
    "deep value": b'{"event":"match","rules":' + b"[" * 900 + b"]" * 900 + b"}",
    "not utf-8": b'{"event":"\xff"}',
    "nul": b"\x00",
    "bom": b"\xef\xbb\xbf" + ROUND,
    "many digits": b'{"event":"turn","cards":["3a"],"white":' + b"9" * 5000 + b',"black":23}',
    "float space": b'{"event":"turn","cards":["3a"],"white":4.0,"black":23}',
    "true": b'{"event":"turn","cards":["3a"],"white":true,"black":23}',
    "unhashable": b'{"event":[]}',
    "long": b'{"event":"round","x":"' + b"y" * MAX_LINE_BYTES + b'"}',
    "longer": b"z" * (3 * MAX_LINE_BYTES),
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK.keys())
def test_junk_is_a_bad_event_and_changes_nothing(junk: bytes) -> None:
    found = answers(MATCH, junk, ROUND, junk, TURN)
    assert [answer["ok"] for answer in found] == [True, False, True, False, True]
    for before, refused in ((found[0], found[1]), (found[2], found[3])):
        assert refused["code"] == "bad_event"
        assert refused["state"] == before["state"]
        assert len(refused["message"]) < 300


def test_an_int_of_thousands_of_digits_is_a_space_far_away() -> None:
    line = b'{"event":"turn","cards":["3a"],"white":' + b"9" * 4000 + b',"black":23}'
    assert answers(MATCH, ROUND, line)[2]["code"] == "off_track"


def test_lone_surrogates_do_not_come_back() -> None:
    found = answers(MATCH, ROUND, b'{"event":"turn","cards":["\\ud800"],"white":4,"black":23}')
    assert found[2]["code"] == "unknown_card"


class _Zeros(io.RawIOBase):
    """A file without end, as a device is one."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        buffer[:] = bytes(len(buffer))
        return len(buffer)


def test_a_line_without_end_is_answered_and_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.cli.commands.judge.MAX_SKIPPED_BYTES", 4 * MAX_LINE_BYTES)
    out = io.BytesIO()
    with pytest.raises(EngardeError, match="no end: expected events, one a line"):
        run_judge(io.BufferedReader(_Zeros()), out)
    assert [strict_json(line)["code"] for line in out.getvalue().splitlines()] == ["bad_event"]


def test_nothing_in_nothing_out() -> None:
    assert answers() == []


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=60).map(lambda line: line.replace(b"\n", b"")), max_size=8))
def test_any_bytes_give_one_answer_a_line(lines: list[bytes]) -> None:
    for answer in answers(*lines):
        assert answer["ok"] is False


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_stream_says_what_the_referee_says(rules: str) -> None:
    lines, expected, state = [], [], None
    for event, _, _ in random_match(rules, Random(rules)):
        lines.append(json.dumps(event_to_json(event)).encode())
        state, ruling = judge(state, event)
        expected.append(answer_to_json(state, ruling))
    found = answers(*lines)
    assert found == expected
    assert found[-1]["state"]["phase"] == "match_over"


@given(st.lists(st.sampled_from((MATCH, ROUND, TURN, b'{"event":"undo"}', b"{}", b"junk", None)), max_size=40))
def test_a_line_sent_again_is_answered_as_by_one_who_never_saw_it(lines: list[bytes | None]) -> None:
    referee = LineReferee()
    for line in lines:
        fresh = LineReferee()
        fresh.state, fresh._text = referee.state, referee._text
        assert fresh.answer(line) == referee.answer(line)
        assert fresh.state == referee.state


def test_a_line_that_is_refused_again_and_again_is_judged_once() -> None:
    count, out = 10_000, io.BytesIO()
    with mock.patch("firmware.cli.commands.judge.parse_event", wraps=parse_event) as parsed:
        run_judge(io.BytesIO(b"{}\n" * count), out)
    assert parsed.call_count == 1
    assert out.getvalue().count(b"\n") == count


def test_a_pipe_gets_each_answer_before_the_next_line_is_sent() -> None:
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()

    def work() -> None:
        with os.fdopen(read_in, "rb") as stream_in, os.fdopen(write_out, "wb") as stream_out:
            run_judge(stream_in, stream_out)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    with os.fdopen(write_in, "wb", buffering=0) as send, os.fdopen(read_out, "rb") as receive:
        for line, ok in ((MATCH, True), (b"junk", False), (ROUND, True), (TURN, True), (TURN, False)):
            send.write(line + b"\n")
            assert strict_json(receive.readline())["ok"] is ok
        send.close()
        assert receive.read() == b""
    thread.join(HANG_S)
    assert not thread.is_alive()


def test_a_file_is_answered_in_larger_pieces() -> None:
    class Counting(io.BytesIO):
        flushes = 0

        def flush(self) -> None:
            self.flushes += 1

    out = Counting()
    lines = 1000
    run_judge(io.BytesIO((MATCH + b"\n") * lines), out)
    assert len(out.getvalue().splitlines()) == lines
    assert out.flushes == len(out.getvalue()) // FLUSH_BYTES + 1


@pytest.mark.slow
def test_memory_does_not_grow_with_the_matches() -> None:
    import gc
    import tracemalloc

    block = (MATCH + b"\n" + ROUND + b"\n" + TURN + b"\n") * 300
    out = io.BytesIO()
    tracemalloc.start()
    try:
        run_judge(io.BytesIO(block), io.BytesIO())
        gc.collect()  # what waits to be collected is not kept
        first, _ = tracemalloc.get_traced_memory()
        run_judge(io.BytesIO(block * 5), out)
        gc.collect()
        second, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert second - first < len(out.getvalue()) + 100_000
