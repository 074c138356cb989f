"""Files made on purpose, each with the command that a user would give it to. Used by ``bench_hostile.py``."""

from __future__ import annotations

import json
import os
import sqlite3
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware.book.scorebook.book import open_scorebook
from firmware.table.camera.recorded import header_of
from firmware.table.camera.setup import TABLE_FILE, Setup
from vision.printed.table import load_table
from vision.recording.recording import frame_bytes, header_bytes, note_bytes

Makes = Callable[[Path], list[str]]
_ENDLESS: Final = 5_000_000_000
_DEEP: Final = 200_000


def _nothing(folder: Path) -> dict[str, str]:
    return {}


@dataclass(frozen=True)
class Kind:
    """A kind of hostile file. ``may_pass``: the file is none that is needed, and may be let be."""

    name: str
    made: Makes
    may_pass: bool = False
    environ: Callable[[Path], dict[str, str]] = _nothing


CONTENTS: Final[dict[str, Callable[[Path], object]]] = {
    "empty": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(1_000_000)),
    "noise": lambda path: path.write_bytes(np.random.default_rng(1).bytes(1_000_000)),
    "5 GB of nothing": lambda path: _sparse(path),
    "a pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to nowhere": lambda path: path.symlink_to("nowhere"),
    "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
    "a link to /dev/tty": lambda path: path.symlink_to("/dev/tty"),
    "deep JSON": lambda path: path.write_text("[" * _DEEP),
    "deep JSON objects": lambda path: path.write_text('{"a":' * _DEEP),
    "deep TOML": lambda path: path.write_text("a = " + "[" * _DEEP),
    "a key of many parts": lambda path: path.write_text("a." * 100_000 + "a = 1"),
    "a number without end": lambda path: path.write_text("a = " + "9" * 1_000_000),
    "a line of 50 MB": lambda path: path.write_bytes(b"a" * 50_000_000),
    "lines without end": lambda path: path.write_bytes(b"{}\n" * 3_000_000),
    "half a surrogate": lambda path: path.write_bytes(b'{"a":"\\ud800"}\n'),
    "escapes": lambda path: path.write_bytes(b"\x1b]0;x\x07\x1b[2J = 1\n"),
}
"""What may lie wherever a file of text belongs."""


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(_ENDLESS)


def _texts() -> list[Kind]:
    places: dict[str, tuple[list[str], bool]] = {
        "settings": (["play", "--camera", "nothing", "--headless", "--config", "{}"], False),
        "table": (["watch", "--camera", "synthetic", "--frames", "1", "--headless", "--table", "{}"], False),
        "table to print": (["print", "--only", "guide", "--out", "{}.d", "--table", "{}"], False),
        "calibration": (
            ["watch", "--camera", "synthetic", "--frames", "1", "--headless", "--calibration", "{}"],
            False,
        ),
        "camera": (["watch", "--headless", "--frames", "3", "--camera", "{}"], False),
        "judge": (["judge", "{}"], True),
        "record": (["judge", "--record", "{}"], True),
        "import": (["book", "import", "{}"], True),
        "restore": (["book", "restore", "{}"], False),
        "scorebook": (["scores", "--scorebook", "{}"], True),
        "scorebook check": (["book", "check", "--scorebook", "{}"], True),
        "backs": (["print", "--only", "backs", "--companion", "--out", "{}.d", "--backs-from", "{}"], False),
    }

    def made(command: list[str], make: Callable[[Path], object]) -> Makes:
        def makes(folder: Path) -> list[str]:
            path = folder / "hostile"
            make(path)
            return [part.format(path) for part in command]

        return makes

    return [
        Kind(f"{place}: {content}", made(command, make), may_pass)
        for place, (command, may_pass) in places.items()
        for content, make in CONTENTS.items()
    ]


def _pictures() -> list[Kind]:
    def folder_with(make: Callable[[Path], object], name: str = "001.png", *, good: bool = False) -> Makes:
        def makes(folder: Path) -> list[str]:
            frames = folder / "frames"
            frames.mkdir()
            make(frames / name)
            if good:
                cv2.imwrite(str(frames / "000.png"), np.full((1296, 2304), 90, np.uint8))
            return ["watch", "--headless", "--camera", str(frames)]

        return makes

    def huge(path: Path) -> None:
        path.write_bytes(png(32_000, 32_000))

    def claims(path: Path) -> None:
        path.write_bytes(b"P5\n100000 100000\n255\n" + bytes(1000))

    def bitmap(path: Path) -> None:
        path.write_bytes(
            b"BM" + struct.pack("<IHHIIiiHHIIiiII", 1000, 0, 0, 54, 40, 100_000, 100_000, 1, 8, 0, 0, 0, 0, 0, 0)
        )

    def half(path: Path) -> None:
        path.write_bytes(png(2304, 1296)[:700])

    def many(side: int) -> Callable[[Path], None]:
        def makes(path: Path) -> None:
            data = png(side, side)
            for number in range(30):
                path.with_name(f"{number:03}.png").write_bytes(data)

        return makes

    kinds = {
        "a PNG of 32,000 by 32,000": folder_with(huge),
        "a PGM that claims 100,000 by 100,000": folder_with(claims, "001.pgm"),
        "a BMP that claims 100,000 by 100,000": folder_with(bitmap, "001.bmp"),
        "thirty PNG of 6,300 by 6,300": folder_with(many(6_300)),
        "half a PNG": folder_with(half),
        "a PNG named with escapes": folder_with(half, "\x1b[31m\x1b]0;x\x07.png"),
    }
    kinds |= {f"as the only picture {name}": folder_with(make) for name, make in CONTENTS.items()}
    good = {f"beside a good picture {name}": folder_with(make, good=True) for name, make in CONTENTS.items()}
    good["thirty PNG of 5,000 by 5,000"] = folder_with(many(5_000))
    good["beside a good picture a PNG of 32,000 by 32,000"] = folder_with(huge, good=True)
    return [Kind(f"pictures: {name}", makes) for name, makes in kinds.items()] + [
        Kind(f"pictures: {name}", makes, may_pass=True) for name, makes in good.items()
    ]


def png(width: int, height: int) -> bytes:
    """A grey PNG of this size, all of one grey, in few bytes."""
    row = bytes(1 + width)
    squeeze = zlib.compressobj(9)
    body = b"".join(squeeze.compress(row) for _ in range(height)) + squeeze.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _videos() -> list[Kind]:
    def video(width: int, height: int, frames: int) -> Makes:
        def makes(folder: Path) -> list[str]:
            path = folder / "film.avi"
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (width, height))
            for _ in range(frames):
                writer.write(np.zeros((height, width, 3), np.uint8))
            writer.release()
            return ["watch", "--headless", "--camera", str(path)]

        return makes

    def presses(text: str) -> Makes:
        def makes(folder: Path) -> list[str]:
            arguments = video(320, 240, 2)(folder)
            (folder / "film.avi.buttons.json").write_text(text, encoding="utf-8")
            return ["play", *arguments[1:]]

        return makes

    def lying(folder: Path) -> list[str]:
        arguments = video(12_000, 12_000, 2)(folder)
        path = folder / "film.avi"
        data, sizes = path.read_bytes(), struct.pack("<II", 12_000, 12_000)
        path.write_bytes(data[:300].replace(sizes, struct.pack("<II", 320, 240)) + data[300:])
        return arguments

    return [
        Kind("videos: of 12,000 by 12,000", video(12_000, 12_000, 2)),
        Kind("videos: of 12,000 by 12,000 that says 320 by 240", lying, may_pass=True),
        Kind("videos: of 8,000 by 4,900, five frames", video(8_000, 4_900, 5)),
        Kind("videos: of 5,000 by 5,000, thirty frames", video(5_000, 5_000, 30), may_pass=True),
        Kind("presses: deep", presses("[" * _DEEP)),
        Kind("presses: a time without end", presses('[{"t": ' + "9" * 400 + ', "button": "white"}]')),
        Kind("presses: a million", presses(json.dumps([{"t": 1, "button": "white"}] * 1_000_000)), may_pass=True),
    ]


_HEAD: Final = struct.Struct(">HHBI")


class _Bomb:
    """A frame that unpacks to much more than it is."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height

    def packed(self) -> bytes:
        rows, columns = -(-self.height // 8), -(-self.width // 8)
        plan = zlib.compress(np.full(rows * columns, 1, np.uint8).tobytes(), 9)
        squeeze = zlib.compressobj(9)
        body = b"".join(squeeze.compress(bytes(columns * 64)) for _ in range(rows)) + squeeze.flush()
        return _HEAD.pack(self.width, self.height, 0, len(plan)) + plan + body


def _recordings() -> list[Kind]:
    def recording(*parts: bytes, command: str = "watch", **header: object) -> Makes:
        def makes(folder: Path) -> list[str]:
            setup = Setup(load_table(TABLE_FILE), TABLE_FILE.read_text(encoding="utf-8"))
            path = folder / "made.engarde"
            path.write_bytes(header_bytes({**header_of(setup), **header}) + b"".join(parts))
            return [command, "--headless", "--camera", str(path)]

        return makes

    def bombs(width: int, height: int, count: int) -> tuple[bytes, ...]:
        one = _Bomb(width, height)
        return tuple(frame_bytes(number, float(number), one) for number in range(count))  # type: ignore[arg-type]

    def bare(data: bytes) -> Makes:
        def makes(folder: Path) -> list[str]:
            (folder / "made.engarde").write_bytes(data)
            return ["watch", "--headless", "--camera", str(folder / "made.engarde")]

        return makes

    first = b"engarde recording, version 2, header of %d bytes, checksum %08x\n%s"
    deep = b"[" * _DEEP
    notes = b"".join(note_bytes({"press": {"t": 1.0, "button": "white"}}) for _ in range(200_000))
    return [
        Kind("recording: a header that is a list", bare(first % (2, zlib.crc32(b"[]"), b"[]"))),
        Kind("recording: a deep header", bare(first % (len(deep), zlib.crc32(deep), deep))),
        Kind("recording: a header of a gigabyte", bare(first % (999_999_999, 0, b""))),
        Kind("recording: a frame of 16,384 by 16,384", recording(*bombs(16_384, 16_384, 1))),
        Kind("recording: a frame of 6,300 by 6,300", recording(*bombs(6_300, 6_300, 1))),
        Kind("recording: thirty frames of 5,000 by 5,000", recording(*bombs(5_000, 5_000, 30)), may_pass=True),
        Kind("recording: sizes that change", recording(*bombs(2304, 1296, 1), *bombs(64, 64, 1)), may_pass=True),
        Kind(
            "recording: a note that is no verdict",
            recording(frame_bytes(0, 1, None), note_bytes({"verdict": "zzz"}), command="play"),
        ),
        Kind("recording: 200,000 presses", recording(frame_bytes(0, 1, None), notes, command="play")),
        Kind("recording: a table of absurd numbers", recording(table="[camera]\nwidth = 1e308\n")),
        Kind("recording: times that go back", recording(frame_bytes(0, 9, None), frame_bytes(1, 1, None))),
    ]


def _books() -> list[Kind]:
    def evil(sql: str, *, command: tuple[str, ...]) -> Makes:
        def makes(folder: Path) -> list[str]:
            path = folder / "evil.sqlite"
            with open_scorebook(path):
                pass
            book = sqlite3.connect(path)
            book.executescript(sql)
            book.close()
            return [part.format(path) for part in command]

        return makes

    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    sqls = {
        "a foreign trigger": "CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM matches; END",
        "a view without end": f"CREATE VIEW evil AS {endless}",
        "a view in a table's place": f"DROP TABLE events; CREATE VIEW events AS {endless}",
        "a blob of 300 MB": "CREATE TABLE extra (x); INSERT INTO extra VALUES (zeroblob(300000000))",
        "a million players": "PRAGMA ignore_check_constraints=1; CREATE TABLE more AS WITH RECURSIVE n(x) AS "
        "(SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000) SELECT x, 'name' || x AS y FROM n",
    }
    commands = {
        "restore": ("book", "restore", "{}"),
        "check": ("book", "check", "--scorebook", "{}"),
        "scores": ("scores", "--scorebook", "{}"),
    }
    sqls["five hundred long rows that were changed"] = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 500) "
        "INSERT INTO matches SELECT x, 'A', 'B', 'play', 1, 1.0, 'u' || x FROM n;"
        "INSERT INTO events SELECT id, 1, 'match', '{\"x\":\"' || hex(zeroblob(9500)) || '\"}', '{}', 1.0, 1.0, 5 "
        "FROM matches"
    )
    sqls["300,000 rows that were changed"] = (
        "INSERT INTO matches VALUES (1, 'A', 'B', 'play', 1, 1.0, 'u');"
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 300000) "
        "INSERT INTO events SELECT 1, x, 'turn', '{\"event\":\"round\"}', '{}', 1.0, 1.0, 5 FROM n"
    )
    return [
        Kind(f"book: {name}, {what}", evil(sql, command=command), may_pass=True)
        for name, sql in sqls.items()
        for what, command in commands.items()
    ]


def _exports() -> list[Kind]:
    def text(data: bytes) -> Makes:
        def makes(folder: Path) -> list[str]:
            (folder / "export.json").write_bytes(data)
            return ["book", "import", str(folder / "export.json")]

        return makes

    names = '[White "\x1b[31mAna\x1b]0;x\x07"]\n[Black "Bo\u202e"]\n[Rules "ferti-advanced"]\n[Points "1"]\n\nRound 1\n'
    turns = '[White "Ana"]\n[Black "Bo"]\n[Rules "ferti-advanced"]\n\nRound 1\n' + "1. +1a +1b\n" * 200_000
    wide = json.dumps({"format": 1, "matches": [{}] * 500_000})
    return [
        Kind("export: escapes for names", text(names.encode()), may_pass=True),
        Kind("export: a round of 200,000 turns", text(turns.encode())),
        Kind("export: half a million empty matches", text(wide.encode())),
    ]


def _folders() -> list[Kind]:
    def state(name: str, content: str) -> Makes:
        def makes(folder: Path) -> list[str]:
            for base in (".config/engarde", ".local/share/engarde", ".local/state/engarde"):
                (folder / "home" / base).mkdir(parents=True)
                CONTENTS[content](folder / "home" / base / name)
            return ["doctor", "--camera", "nothing", "--scorebook", str(folder / "home" / "b.sqlite")]

        return makes

    return [
        Kind(f"in the owner's folder, {name}: {content}", state(name, content), may_pass=True)
        for name in ("config.toml", "menu.toml", "table.toml", "progress.json")
        for content in ("a pipe", "deep TOML", "5 GB of nothing", "a link to /dev/zero", "noise")
    ]


KINDS: Final[tuple[Kind, ...]] = (
    *_pictures(), *_videos(), *_recordings(), *_books(), *_exports(), *_folders(), *_texts(),
)  # fmt: skip
