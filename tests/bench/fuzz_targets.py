"""Whatever takes bytes from outside, each as a function of bytes: it takes them, or says in one sentence why not.

Used by ``bench_fuzz.py``, which looks for bytes that do something else, and by ``test_fuzz_cases.py``, which tries
again what was found. Anything raised here is a find.
"""

from __future__ import annotations

import functools
import io
import json
import os
import socket
import struct
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.record.notation import RecordError, parse_record, replay
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.records import record_of, take_in
from firmware.cli.commands.judge import run_judge
from firmware.core.errors import EngardeError
from firmware.table.camera.recorded import RecordedCamera
from firmware.web.server import Scoreboard, WebServer
from vision.board.calibration import CalibrationError
from vision.board.calibration_text import read_calibration
from vision.printed.table import TableError, read_table
from vision.recording.recording import RecordingError, header_bytes

CORPUS: Final = Path(__file__).parent / "corpus"
_MAX_FRAMES: Final = 200
_PATIENCE_S: Final = 5.0
_TABLE: Final = Path(__file__).parents[2] / "hardware" / "table.toml"
_KINDS: Final = (b"FRAM", b"NOTE", b"XTRA")


def judge(data: bytes) -> None:
    """Judge lines: an answer to each, and nothing else."""
    out = io.BytesIO()
    assert run_judge(io.BytesIO(data), out) == 0
    for line in out.getvalue().splitlines():
        assert isinstance(json.loads(line)["ok"], bool)
    assert out.getvalue().count(b"\n") == data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


def record(data: bytes) -> None:
    """A game record, played."""
    try:
        for _ in replay(parse_record(_text(data))):
            pass
    except RecordError as error:
        _one_sentence(error)


def table(data: bytes) -> None:
    """A table file."""
    try:
        read_table(_text(data))
    except TableError as error:
        _sentences(error)


def calibration(data: bytes) -> None:
    """A calibration."""
    try:
        read_calibration(_text(data))
    except CalibrationError as error:
        _one_sentence(error)


def book(data: bytes) -> None:
    """What ``engarde book import`` is given."""
    try:
        take_in(_book(), [record_of(_text(data))])
    except (EngardeError, RecordError) as error:
        _one_sentence(error)


def recording(data: bytes) -> None:
    """A recording as it is."""
    path = _folder() / "fuzz.engarde"
    path.write_bytes(data)
    try:
        camera = RecordedCamera(path)
        try:
            for _ in camera.all_verdicts():
                pass
            for _ in range(_MAX_FRAMES):
                camera.asks()
                if camera.read() is None:
                    break
                camera.due(0.0)
        finally:
            camera.close()
    except (RecordingError, EngardeError) as error:
        _one_sentence(error)


def blocks(data: bytes) -> None:
    """The blocks of a recording, with checksums that are right: kind, length (16 bits), content, and so on."""
    first_version, head = (
        data[:1] == b"1",
        header_bytes({"table": _table_text(), "calibration": None, "requests": True}),
    )
    if first_version:
        head = head.replace(b"version 2", b"version 1")
    at, made = 1, [head]
    while at + 3 <= len(data):
        kind, length = struct.unpack_from(">BH", data, at)
        payload = data[at + 3 : at + 3 + length]
        name = _KINDS[kind % len(_KINDS)]
        if name == b"FRAM" and kind & 0x40:
            # Packed here, so that what is inside the packing is reached.
            payload = payload[:19] + struct.pack(">I", len(_packed(payload[19:60]))) + _packed(payload[19:60])
            payload += _packed(data[at + 63 : at + 3 + length])
        made.append(struct.pack(">4sII", name, len(payload), zlib.crc32(payload, zlib.crc32(name))) + payload)
        at += 3 + length
    recording(b"".join(made))


def web(data: bytes) -> None:
    """What somebody sends to the scoreboard: answered as HTTP, or hung up on."""
    port = int(_server().url.rsplit(":", 1)[1].strip("/"))
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_S) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(4096)
        except OSError:
            answer = b""
    assert not answer or answer.startswith(b"HTTP/1.1 "), answer[:80]
    assert not answer.startswith((b"HTTP/1.1 500", b"HTTP/1.1 503")), answer[:80]
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_S) as connection:
        connection.sendall(b"GET /state.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 200")


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    target.__name__: target for target in (judge, record, table, calibration, book, recording, blocks, web)
}


def _text(data: bytes) -> str:
    """As the commands read a file: what is no UTF-8 never gets as far as a parser."""
    return data.decode("utf-8", errors="replace")


def _one_sentence(error: Exception) -> None:
    assert "\n" not in str(error).strip(), repr(str(error))
    _sentences(error)


def _sentences(error: Exception) -> None:
    said = str(error)  # what of it would steer a terminal is left out where it is printed
    assert said.strip()
    assert len(said) < 4000, len(said)


def _packed(data: bytes) -> bytes:
    return zlib.compress(data, 1)


@functools.cache
def _table_text() -> str:
    return _TABLE.read_text(encoding="utf-8")


@functools.cache
def _folder() -> Path:
    shared = Path("/dev/shm")
    where = shared if os.access(shared, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="engarde-fuzz-", dir=where))


@functools.cache
def _book() -> Scorebook:
    return open_scorebook(_folder() / "book.sqlite")


def close_book() -> None:
    """Close the scorebook that ``book`` takes texts into; the next text opens it again."""
    if _book.cache_info().currsize:
        _book().close()
        _book.cache_clear()


@functools.cache
def _server() -> WebServer:
    return WebServer(Scoreboard(), port=0)
