"""Every format that is read from outside: whatever its bytes are, they are used or refused in a sentence.

A module that reads JSON, TOML or text from outside and that no format names here fails the first test.
"""

from __future__ import annotations

import ast
import base64
import json
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from fuzz_targets import CORPUS, TARGETS, close_book

from engine.competition.bouts import Entrant
from engine.competition.events import CompetitionEvent, Entered, Opened, PoolsBegun, event_to_json
from engine.record.notation import Record, RoundRecord, print_record
from engine.rules.cards import Card
from engine.rules.events import Limit, MatchEvent, RoundEvent, TurnEvent
from engine.rules.track import BySide
from engine.strict.text import Bounds, MalformedError, json_of
from engine.strict.values import read
from engine.table.desk import enter, open_match
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.people import make_change, plan_rename
from firmware.book.scorebook.records import record_of, take_in
from firmware.book.scorebook.schema import seal
from firmware.book.scores.summaries import cache_file, code_digest, read_summaries
from firmware.cli.commands.judge import run_judge
from firmware.cli.first_start.answers import FirstStart
from firmware.cli.first_start.mark import StartMark
from firmware.cli.first_start.wifi import Wifi
from firmware.core.config import ConfigError, load_config, save, saved_path
from firmware.core.errors import EngardeError
from firmware.core.io.files import read_text
from firmware.extras.club.at_table import Timekeeper
from firmware.extras.club.card import BEGINNING, card_of, read_card
from firmware.extras.club.desk import AnsweringDesk, AskingDesk
from firmware.extras.club.evening import Evening
from firmware.extras.club.hall_book import HallBook
from firmware.extras.club.messages import START, call_of, dumped, event_of, framed, sealed, shown_of, told
from firmware.extras.club.publisher import AskAgain, Outbox
from firmware.extras.club.wall import Wall
from firmware.extras.hands.table_top import read_acts
from firmware.table.camera.recorded import RecordedCamera, header_of
from firmware.table.camera.remembered_lens import remembered_lens
from firmware.table.camera.setup import TABLE_FILE, Setup, table_of
from firmware.table.loop.moment import People
from firmware.table.panel.buttons import load_presses
from firmware.table.panel.devices import no_panel
from firmware.ui.companion.deck_file import draw_tokens, load_deck, load_tokens, tokens_text
from firmware.ui.lessons.progress import Progress, RecallGrade
from firmware.ui.lessons.solving import warm_up
from firmware.web.requests import MAX_BODY_BYTES
from vision.board.calibration import CalibrationError
from vision.board.calibration_text import load_calibration
from vision.printed.table import TableError, load_table
from vision.recording.recording import RecordingError, frame_bytes


@dataclass(frozen=True)
class Format:
    """``good``: bytes that are read. ``take`` gives bytes to the program in a folder of their own, and the sentence
    that refuses them, empty where they were used; whatever it raises is a find. ``modules`` read the format.
    """

    good: bytes
    take: Callable[[bytes, Path], str]
    modules: tuple[str, ...]
    fewer: int = 1
    """Every so-manieth value is tried: for what takes long."""


def refused(raises: type[Exception] | tuple[type[Exception], ...], do: Callable[[], object]) -> str:
    """The sentence of an error that is expected."""
    try:
        do()
    except raises as error:
        return str(error)
    return ""


def of_file(name: str, load: Callable[[Path], object], *raises: type[Exception]) -> Callable[[bytes, Path], str]:
    """A format that is a whole file of this name."""

    def take(data: bytes, folder: Path) -> str:
        (folder / name).write_bytes(data)
        return refused(raises or (EngardeError,), lambda: load(folder / name))

    return take


def of_message(load: Callable[[bytes], object]) -> Callable[[bytes, Path], str]:
    """A format that a broker or a page brings."""
    return lambda data, _: refused(MalformedError, lambda: load(data))


def _settings_of_the_menu(path: Path) -> None:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("XDG_DATA_HOME", str(path.parent))
        saved_path().parent.mkdir(exist_ok=True)
        saved_path().write_bytes(path.read_bytes())
        load_config(None)
        save(saved_path(), "players.language", "de")
        assert load_config(None).language == "de"


def _deck(path: Path) -> None:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("ENGARDE_DECKS", str(path.parent))
        load_deck("A")


def _progress(path: Path) -> None:
    progress = Progress(path)
    progress.met(["Ana"], "x 0", RecallGrade.MISSED, 740_000)
    warm_up([progress.of("Ana")], 740_001)
    assert Progress(path).of("Ana").memory, "lessons go on"


def _learned() -> bytes:
    solving = {"tried": ["1-01"], "rating": [1500.0, 350.0, 0.06], "streak": 1, "longest": 2}
    ana = {"name": "Ana", "lessons": ["moving"], "puzzles": ["1-01"], "at": {"lesson": "ends", "place": 1}}
    more = {"portrait": "fox", "stars": {"moving": 3}, "memory": {"ends 1": [2.5, 5.0, 740_000, 739_999]}, "own": []}
    return json.dumps({"version": 1, "people": [{**ana, **more, "solving": solving, "row": 1}], "looked": 3}).encode()


MATCH: Final = MatchEvent("ferti-advanced", limit=Limit(60))
TURN: Final = TurnEvent((Card.parse("3b"),), 4, 23)


def _book(folder: Path) -> Path:
    path = folder / "book.sqlite"
    with open_scorebook(path) as book:
        take_in(book, [Record(BySide("Ana", "Ben"), "2026-11-28", rounds=(RoundRecord((), None),))])
    return path


def _book_row(column: str) -> Callable[[bytes, Path], str]:
    """A row of a scorebook whose sums are right."""

    def take(data: bytes, folder: Path) -> str:
        path = folder / "book.sqlite"
        path = path if path.exists() else _book(folder)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"UPDATE events SET {column} = ? WHERE seq = 2", (data.decode("utf-8", "replace"),))
            seal(connection, [1])
            connection.commit()
        said: list[str] = []

        def do() -> None:
            with open_scorebook(path) as book:
                read_summaries(book)
                make_change(book, plan_rename(book, "Ana", "Ana"))
                said.extend(played.problem for played in book.replay_all())

        return refused(EngardeError, do) or " ".join(said)

    return take


def _results(path: Path) -> None:
    book = path.with_name("book.sqlite")
    book = book if book.exists() else _book(path.parent)
    with open_scorebook(book) as opened:
        read_summaries(opened)
        cache_file(book).parent.mkdir(exist_ok=True)
        cache_file(book).write_bytes(path.read_bytes().replace(b"CODE", code_digest().encode()))
        assert len(read_summaries(opened)[0]) == 1


def _record_text() -> bytes:
    return print_record(Record(BySide("Ana", "Ben"), "2026-11-28", rounds=(RoundRecord((), None),))).encode()


def _import(path: Path) -> None:
    with open_scorebook(path.with_name("imported.sqlite")) as book:
        take_in(book, [record_of(read_text(path))])


def _judge(data: bytes, _: Path) -> str:
    out = BytesIO()
    assert run_judge(BytesIO(data), out) == 0
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    return next((answer["message"] for answer in answers if not answer["ok"]), "")


def _event() -> dict[str, Any]:
    _, entries = open_match(MATCH)
    body = told(entries[0], BySide("Ana", "Ben"), "P1-1")
    assert body is not None
    return sealed(START, framed("1", "0" * 32, 1, 1.8e9, body))


def _sealed_again(data: bytes) -> bytes:
    """A table that means it writes a sum that holds."""
    try:
        event = json.loads(data)
        return dumped(
            sealed(event["prev"], {name: event[name] for name in event if name not in ("prev", "sum")})
        ).encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return data


def _hall_row(data: bytes, folder: Path) -> str:
    with closing(HallBook(folder / "club.sqlite")) as book:
        if not book.counts()[0]:
            book.take(_event())
    with closing(sqlite3.connect(folder / "club.sqlite")) as connection:
        connection.execute("UPDATE matches SET last = CAST(? AS TEXT)", (data,))
        connection.execute("UPDATE events SET event = CAST(? AS TEXT)", (data,))
        connection.commit()
    shown: list[Any] = []

    def do() -> None:
        with closing(HallBook(folder / "club.sqlite")) as book:
            shown.extend([*book.latest(), *book.events("0" * 32)])

    said = refused(EngardeError, do)
    wall = Wall()
    for event in shown:
        wall.take(event)
    return said or ("" if shown else "left out")


def _outbox_row(data: bytes, folder: Path) -> str:
    _, entries = open_match(MATCH)
    body = told(entries[0], BySide("Ana", "Ben"))
    assert body is not None
    with closing(Outbox(folder / "outbox.sqlite", "1")) as outbox:
        outbox.tell(body, 1.8e9)
    with closing(sqlite3.connect(folder / "outbox.sqlite")) as connection:
        connection.execute("UPDATE told SET event = CAST(? AS TEXT)", (data,))
        connection.commit()
    said = ["left out"]

    def do() -> None:
        with closing(Outbox(folder / "outbox.sqlite", "1")) as outbox:
            outbox.goes_on(body)
            assert outbox.unsent(0, 1)
            said[0] = "" if outbox.underway else "left out"

    return refused(EngardeError, do) or said[0]


def _state() -> bytes:
    state = {"table": "1", "match": "0" * 32, "seq": 1, "verdict": {"headline": "White is to act"}, "clock_s": 3}
    return json.dumps({**state, "told": [{"match": "0" * 32, "seq": 1}], "more": [1]}).encode()


def _call() -> bytes:
    handicap = {"white": 0, "black": 2}
    call = {"version": 1, "bout": "P1-1", "match": 1, "names": {"white": "Ana", "black": "Ben"}, "handicap": handicap}
    return json.dumps({**call, "points": 5, "best_of": 1, "time_s": 180, "tie": "extra"}).encode()


def _question() -> bytes:
    return json.dumps(
        {"id": "a" * 32, "ask": "do", "ticket": "b" * 32, "event": {"event": "opened", "name": "Cup"}}
    ).encode()


def _asked_at_the_desk(data: bytes) -> None:
    desk = AnsweringDesk(lambda event: len(event.what), list)
    ticket = json.loads(desk.answer(json.dumps({"id": "c" * 32, "ask": "ticket"}).encode(), 0.0))["ticket"]
    answer = json.loads(desk.answer(data.replace(b"b" * 32, ticket.encode()), 0.0))
    if not answer["ok"]:
        raise MalformedError(answer["message"])


def _evening_lines() -> bytes:
    fencers = (Entered(Entrant(name, name)) for name in ("Ana", "Ben", "Cem"))
    events: list[CompetitionEvent] = [Opened("Cup"), *fencers, PoolsBegun(1)]
    return b"".join(json.dumps(event_to_json(event)).encode() + b"\n" for event in events)


def _evening(data: bytes, folder: Path) -> str:
    """Lines with sums that hold, as somebody writes them who means it."""
    lines = [line + b"\t%08x\n" % zlib.crc32(line) for line in data.split(b"\n") if line.strip()]
    (folder / "evening.jsonl").write_bytes(b"".join(lines))
    evening = Evening(folder / "evening.jsonl")
    evening.place(["1"])
    return " ".join(evening.skipped)


def _placed(data: bytes, folder: Path) -> str:
    _evening(_evening_lines(), folder)
    (folder / "evening-placed.json").write_bytes(data)
    evening = Evening(folder / "evening.jsonl")
    return "" if evening.call_of("1") else "left out"


def _clock(path: Path) -> None:
    desk, entries = open_match(MATCH)
    desk, more = enter(desk, RoundEvent(), 1.0)
    moment: Any = type("Shown", (), {})()
    moment.frame, moment.desk, moment.entries = type("At", (), {"t_s": 1.0}), desk, (*entries, *more)
    Timekeeper(path, People(BySide("Ana", "Ben"), "en")).attend(moment)


def _first_start(data: bytes, folder: Path) -> str:
    mark = StartMark(folder / "first-start")
    page = FirstStart(
        load_config(None), folder / "m.toml", folder / "t.toml", Wifi(lambda _: (1, "")), None, no_panel(""), mark=mark
    )
    try:
        wish = json_of(data, Bounds(MAX_BODY_BYTES))
    except MalformedError as error:
        return str(error)
    return str(page.do(wish).get("said", ""))


def _header() -> bytes:
    header = header_of(Setup(load_table(TABLE_FILE), TABLE_FILE.read_text(encoding="utf-8")))
    match = {"entries": [{"event": "match", "rules": "ferti-advanced"}], "names": {"white": "Ana", "black": "Ben"}}
    return json.dumps({**header, "match": {**match, "end_turn": "auto", "settle_s": 1.5, "opened": True}}).encode()


def _recording(header: bytes, *blocks: bytes) -> bytes:
    first = b"engarde recording, version 2, header of %d bytes, checksum %08x\n" % (len(header), zlib.crc32(header))
    return first + header + b"".join(blocks)


def _taken_recording(data: bytes, folder: Path) -> str:
    path = folder / "a.engarde"
    path.write_bytes(data)

    def do() -> None:
        with closing(RecordedCamera(path)) as camera:
            list(camera.all_notes())
            for _ in range(3):
                camera.asks()
                camera.read()
                camera.due(0.0)

    return refused((RecordingError, EngardeError), do)


def _note(data: bytes, folder: Path) -> str:
    block = b"NOTE" + len(data).to_bytes(4, "big") + zlib.crc32(data, zlib.crc32(b"NOTE")).to_bytes(4, "big") + data
    return _taken_recording(_recording(_header(), frame_bytes(0, 1.0, None), block), folder)


VERDICT: Final = {
    "t": 1.0,
    "event": {"event": "turn", "cards": ["3b"], "white": 4, "black": 23},
    "ruling": {"ok": True, "state": None},
}
BEGUN: Final = {"match": {"event": "match", "rules": "ferti-advanced"}, "names": {"white": "Ana", "black": "Ben"}}
CARD: Final = {"club": "fk", "table": "1", "host": "club.local", "port": 8883, "user": "1", "password": "secret"}
CALIBRATION: Final = b"""version = 1
rms_px = 0.1
rms_mm = 0.1
[lens]
width = 2304
height = 1296
focal_px = [2000.0, 2000.0]
middle_px = [1152.0, 648.0]
distortion = [0.0, 0.0, 0.0, 0.0, 0.0]
[pose]
rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
translation_mm = [0.0, 0.0, 900.0]
"""


def _lens(path: Path) -> None:
    kept = remembered_lens(path.parent, "usb", 2304, 1296, "")
    (path.parent / "usb-2304x1296.toml").write_bytes(f"{kept.heading}\n".encode() + path.read_bytes())
    remembered_lens(path.parent, "usb", 2304, 1296, "")


def _code(data: bytes, _: Path) -> str:
    return refused(EngardeError, lambda: card_of(BEGINNING + base64.b32encode(zlib.compress(data)).decode()))


JUDGED: Final = b"\n".join(
    json.dumps(each).encode()
    for each in (
        {"event": "match", "rules": "ferti-advanced", "starter": "white", "points": 5, "time": {"s": 9, "extra_s": 0}},
        {"event": "round"},
        {"event": "turn", "cards": ["3b"], "white": 4, "black": 23},
        {"event": "yield", "cards": ["5a"]},
        {"event": "reveal", "white": ["2a"], "black": ["1b"]},
        {"event": "time", "priority": "white", "drawn": False},
    )
)

FORMATS: Final[dict[str, Format]] = {
    "settings": Format(
        b'[players]\nlanguage = "de"\n[table]\nfps = 10\n[screen]\nrotate = 90\n',
        of_file("config.toml", load_config, ConfigError),
        ("firmware/core/config.py", "firmware/core/io/files.py"),
    ),
    "menu's settings": Format(
        b'[players]\nlanguage = "fr"\n[sound]\nvolume = 5\n',
        of_file("menu.toml", _settings_of_the_menu),
        ("firmware/core/config.py",),
    ),
    "table": Format(
        TABLE_FILE.read_bytes(),
        of_file("table.toml", table_of, EngardeError, TableError),
        (
            "vision/printed/table.py",
            "firmware/cli/first_start/table.py",
            "firmware/cli/sitting/cameras.py",
            "firmware/cli/commands/print.py",
        ),
    ),
    "calibration": Format(
        CALIBRATION,
        of_file("calibration.toml", load_calibration, CalibrationError),
        ("vision/board/calibration_text.py",),
    ),
    "remembered lens": Format(CALIBRATION, of_file("lens", _lens), ("firmware/table/camera/remembered_lens.py",), 3),
    "presses": Format(
        b'[{"t": 4.2, "button": "white"}]',
        of_file("film.buttons.json", lambda path: load_presses(path.with_name("film")), ValueError, OSError),
        ("firmware/table/panel/buttons.py",),
    ),
    "acts": Format(
        b'{"t": 1, "do": "lay", "card": "3b", "x_mm": 300, "y_mm": -150}\n',
        of_file("acts.jsonl", read_acts),
        ("firmware/extras/hands/table_top.py",),
    ),
    "recording's header": Format(
        _header(), lambda data, folder: _taken_recording(_recording(data), folder), ("vision/recording/recording.py",)
    ),
    "recorded press": Format(json.dumps({"press": {"t": 1.0, "button": "white"}}).encode(), _note, ()),
    "recorded verdict": Format(json.dumps({"verdict": {**VERDICT, "opened_s": 0.5}}).encode(), _note, ()),
    "recorded beginning": Format(json.dumps({"begin": BEGUN}).encode(), _note, ()),
    "deck": Format(
        b'{"version": 1, "deck": "A", "backs": {"1a": "ABCDEF", "1b": "GHJKLM"}}',
        of_file("deck-A.json", _deck),
        ("firmware/ui/companion/deck_file.py",),
    ),
    "tokens": Format(
        tokens_text(draw_tokens(), "A").encode(),
        of_file("tokens.txt", load_tokens),
        ("firmware/ui/companion/deck_file.py",),
    ),
    "progress": Format(_learned(), of_file("lessons.json", _progress), ("firmware/ui/lessons/progress.py",), 3),
    "kept results": Format(
        b'{"code": "CODE", "matches": {"0": ["ferti-advanced", 5, "white", {"white": 1, "black": 0}, null, 1, 2, []]}}',
        of_file("cache.json", _results),
        ("firmware/book/scores/summaries.py",),
        4,
    ),
    "scorebook's event": Format(
        b'{"event": "round"}',
        _book_row("event"),
        ("firmware/book/scorebook/book.py", "firmware/book/scorebook/people.py", "firmware/book/scorebook/salvage.py"),
        2,
    ),
    "scorebook's ruling": Format(b'{"ok": true, "ruling": "round"}', _book_row("ruling"), (), 2),
    "game record": Format(
        _record_text(),
        of_file("game.txt", _import, EngardeError, ValueError, OSError),
        ("engine/record/notation.py", "firmware/cli/commands/book.py"),
        2,
    ),
    "judge": Format(JUDGED, _judge, ("firmware/cli/commands/judge.py",)),
    "club's card": Format(
        "\n".join(f"{name} = {json.dumps(value)}" for name, value in CARD.items()).encode(),
        of_file("card.toml", read_card, EngardeError, OSError),
        ("firmware/extras/club/card.py", "firmware/extras/club/broker.py"),
    ),
    "code of a club's card": Format(json.dumps(CARD).encode(), _code, ()),
    "club's event": Format(
        dumped(_event()).encode(),
        of_message(lambda data: event_of(_sealed_again(data), "1")),
        ("firmware/extras/club/messages.py",),
    ),
    "club's state": Format(_state(), of_message(lambda data: shown_of(data, "1")), ()),
    "club's call": Format(_call(), of_message(call_of), ()),
    "hall's question": Format(
        b'{"match": "", "after": 3, "later": true}',
        of_message(lambda data: read(AskAgain, json_of(data))),
        ("firmware/extras/club/publisher.py",),
    ),
    "desk's question": Format(_question(), of_message(_asked_at_the_desk), ("firmware/extras/club/desk.py",)),
    "desk's answer": Format(
        b'{"id": "a", "ok": true, "lines": ["x"], "events": 3}',
        of_message(lambda data: AskingDesk(None).hear(data)),
        (),
    ),
    "evening": Format(_evening_lines(), _evening, ("firmware/extras/club/evening.py",), 2),
    "evening's places": Format(b'{"1": "1P1-2x3"}', _placed, ()),
    "hall's book": Format(dumped(_event()).encode(), _hall_row, ("firmware/extras/club/hall_book.py",), 5),
    "outbox": Format(
        dumped(_event()).encode(),
        _outbox_row,
        ("firmware/extras/club/publisher.py", "firmware/extras/club/messages.py"),
        9,
    ),
    "match's clock": Format(
        json.dumps({"match": "0" * 64, "events": 2, "used_s": 3.5}).encode(),
        of_file("clock.json", _clock),
        ("firmware/extras/club/at_table.py",),
    ),
    "first start": Format(
        json.dumps({"what": "names", "white": "Ana", "black": "Ben", "level_mm": 3, "first": [0.1, 0.2]}).encode(),
        _first_start,
        ("firmware/web/serving.py",),
    ),
    "first start's mark": Format(
        b"aim\n", of_file("first-start", lambda path: StartMark(path).step), ("firmware/cli/first_start/mark.py",)
    ),
}
OURS: Final = {
    "display/draw/poses.py",  # a file of the package
    "display/draw/theme.py",  # likewise
    "display/i18n.py",  # a language's own, a file of the package
    "engine/lessons/lesson.py",  # files of the package
    "engine/record/answers.py",  # what the same function has written
    "firmware/table/camera/recorded.py",  # likewise
    "vision/synthetic/solids.py",  # a file of the package
}
"""Modules that read only what comes with the program, or what they have written in the same moment."""
READERS: Final = {"json_of", "toml_of", "text_of", "read_text"}

ROOT: Final = Path(__file__).parents[2]


def test_whatever_reads_from_outside_is_tried_here() -> None:
    reading = {
        str(path.relative_to(ROOT))
        for package in ("engine", "vision", "display", "firmware")
        for path in (ROOT / package).rglob("*.py")
        if "workshop" not in path.parts and path.parent.name != "strict"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in READERS
    }
    tried = {module for each in FORMATS.values() for module in each.modules}
    assert reading - OURS == tried


WHOLES: Final[dict[str, Callable[[bytes], bytes]]] = {
    "empty": lambda good: b"",
    "blank": lambda good: b"\n",
    "zeros": lambda good: bytes(4096),
    "mark": lambda good: b"\xef\xbb\xbf" + good,
    "windows": lambda good: good.replace(b"\n", b"\r\n"),
    "utf-16": lambda good: good.decode().encode("utf-16"),
    "latin-1": lambda good: good + "é".encode("latin-1"),
    "surrogate": lambda good: good + b"\xed\xa0\x80",
    "half": lambda good: good[: len(good) // 2],
    "twice": lambda good: good + good,
    "list": lambda good: b"[" + good.strip() + b"]",
    "deep lists": lambda good: b"[" * 10_000,
    "deep objects": lambda good: b'{"a":' * 10_000,
    "deep table": lambda good: b"a = " + b"[" * 10_000,
    "deep in its place": lambda good: good.replace(b'"', b"[" * 10_000 + b'"', 1),
    "long key": lambda good: b"a." * 50_000 + b"a = 1",
    "digits": lambda good: b"9" * 5_000,
    "huge list": lambda good: b"[" + b"0," * 300_000 + b"0]",
    "too large": lambda good: good + b" " * (17 << 20),
    "huge text": lambda good: b'"' + b"x" * 3_000_000 + b'"',
    "doubled name": lambda good: re.sub(rb'("\w+": ?[^,{}\[\]]+)', rb"\1, \1", good, count=1),
    "doubled line": lambda good: re.sub(rb"(?m)^(\w+ = .*)$", rb"\1\n\1", good, count=1),
}
VALUES: Final = (
    *("NaN", "-Infinity", "nan", "inf", "1e999", "-0", "-0.0", "-3", "1.5", "0", "10000000", "9" * 30, "9" * 5000),
    *("true", "null", "[]", "{}", "[" + "0," * 5000 + "0]", '"1"', '""', '"\\ud800"', '"a\\nb"', '"\\u202egnp"'),
    *('"' + "x" * 100_000 + '"', '"=cmd|x"', '"$(touch x)"', '"<script>"'),
)
_VALUE: Final = re.compile(rb'(?<=[:=\[,])\s*("(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?!\s*[:=])')
_MEMBER: Final = re.compile(rb'"\w+": ?("[^"]*"|[-\d.]+|true|false|null),? ?|(?m:^\w+ = .*\n)')


def spoiled(good: bytes, fewer: int) -> Iterator[bytes]:
    """The bytes with one value replaced, or one member left out, each time."""
    values = list(_VALUE.finditer(good))[::fewer]
    for found in values[:: max(1, len(values) // 20)]:
        for value in VALUES:
            yield good[: found.start()] + b" " + value.encode() + good[found.end() :]
    for found in _MEMBER.finditer(good):
        yield good[: found.start()] + good[found.end() :]


def one_sentence(said: str) -> None:
    assert "Traceback" not in said
    assert "should not have happened" not in said
    assert len(said) < 5_000
    assert said.isprintable() or "\n" in said
    said.encode()


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_rightly_is_used(name: str, tmp_path: Path) -> None:
    if name == "judge":  # every kind of event, in no order
        return
    assert FORMATS[name].take(FORMATS[name].good, tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("spoil", WHOLES)
@pytest.mark.parametrize("name", FORMATS)
def test_whatever_the_bytes_are_they_are_used_or_refused_in_a_sentence(name: str, spoil: str, tmp_path: Path) -> None:
    one_sentence(FORMATS[name].take(WHOLES[spoil](FORMATS[name].good), tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_whatever_a_value_is_it_is_used_or_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    for data in spoiled(FORMATS[name].good, FORMATS[name].fewer):
        one_sentence(FORMATS[name].take(data, tmp_path))


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_by_changing_bytes_is_answered_as_it_should_be(name: str) -> None:
    cases = sorted((CORPUS / name).iterdir())
    assert cases
    for path in cases:
        TARGETS[name](path.read_bytes())
    close_book()
