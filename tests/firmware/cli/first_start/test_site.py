"""The first start as browsers, guessers and nonsense meet it over the network."""

from __future__ import annotations

import json
import socket
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from display.i18n import LANGUAGES
from firmware.cli.first_start.answers import Site
from firmware.cli.first_start.mark import STEPS
from firmware.cli.first_start.table import TableEye
from firmware.table.camera.setup import TABLE_FILE
from firmware.web.login import VALID_S, Login, new_code
from tests.fakes.pictured import Pictured
from tests.firmware.cli.first_start.conftest import first_start
from tests.firmware.cli.first_start.nmcli import NetworkManager
from tests.waiting import HANG_S, until
from vision.board.calibration import Calibration
from vision.board.measure import MeasuredTable
from vision.frame import Frame
from vision.printed.table import TablePoint, load_table
from vision.synthetic import default_camera

pytestmark = pytest.mark.slow

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
HARMLESS = st.sampled_from(("language", "join", "aim", "measure", "correct", "keep", "lamps", "step", "burn"))
TABLE = load_table(TABLE_FILE)
CAMERA = default_camera(TABLE)


class Phones(RuleBasedStateMachine):
    """What is kept is what somebody with the code on the screen last chose, whatever else was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.held = ExitStack()
        self.folder = Path(self.held.enter_context(tempfile.TemporaryDirectory()))
        changed = self.held.enter_context(pytest.MonkeyPatch.context())
        self.seen = TABLE
        changed.setattr(
            "firmware.cli.first_start.table.measure_frames", lambda *_: MeasuredTable(self.seen, CAMERA, 0.1, {})
        )
        changed.setattr("firmware.cli.first_start.table.calibrate", lambda *_, **__: Calibration(CAMERA, 0.1, 0.1))
        dark = np.zeros((64, 64), np.uint8)
        eye = TableEye(Pictured(lambda number: Frame(number, 0.1 * number, dark) if number < 3 else None), TABLE)
        self.held.callback(eye.close)
        assert until(lambda: len(eye.frames) >= 3)
        self.first = first_start(self.folder, NetworkManager(), eye)
        (self.folder / "first-start").write_text("language\n")
        self.now_s = 0.0
        self.site = Site(self.first, "127.0.0.1", 0)
        self.held.callback(self.site.close)
        self.site.login = Login(clock=lambda: self.now_s)
        self.photographed, self.photographed_s = self.site.login.code, 0.0
        self.language, self.step = "en", "language"

    def teardown(self) -> None:
        self.held.close()

    def said(self, sent: bytes, source: str = "127.0.0.1") -> tuple[int, bytes]:
        """Status and body; what every answer has is looked at here."""
        with socket.create_connection(("127.0.0.1", self.site.port), HANG_S, source_address=(source, 0)) as phone:
            phone.sendall(sent)
            found = b""
            while more := phone.recv(65536):
                found += more
        head, _, body = found.partition(b"\r\n\r\n")
        for field in (b"Content-Security-Policy: default-src 'none'", b"X-Content-Type-Options: nosniff"):
            assert field in head
        assert b"unsafe-inline" not in head
        assert b"<html" not in body.lower() or b"sha256-" in head
        return int(head.split()[1]), body

    def post(self, body: bytes, code: str, source: str = "127.0.0.1") -> tuple[int, bytes]:
        head = f"POST /do HTTP/1.1\r\nHost: localhost\r\nX-Engarde-Code: {code}\r\nContent-Length: {len(body)}\r\n\r\n"
        return self.said(head.encode() + body, source)

    def do(self, **wish: Any) -> bool:
        """Whether it was done for the phone at the table, which scans the code again where its own has ended."""
        status, said = self.post(json.dumps(wish).encode(), self.photographed)
        if status == 403:
            assert self.now_s - self.photographed_s >= VALID_S, "a code holds for an hour"
            self.photographed = self.site.login.code
            status, said = self.post(json.dumps(wish).encode(), self.photographed)
        self.photographed_s = self.now_s
        assert status == 200
        return bool(json.loads(said)["ok"])

    @rule(language=st.sampled_from(LANGUAGES))
    def chooses_a_language(self, language: str) -> None:
        assert self.do(what="language", language=language)
        self.language = language

    @rule(step=st.sampled_from(STEPS))
    def reaches_a_step(self, step: str) -> None:
        assert self.do(what="step", step=step)
        self.step = step

    @rule(white=st.sampled_from(("Ana", "Bo", "")), black=st.sampled_from(("Bo", "Cleo")))
    def gives_names(self, white: str, black: str) -> None:
        assert self.do(what="names", white=white, black=black) == (white not in ("", black))

    @rule(what=HARMLESS, facts=st.dictionaries(st.sampled_from(("level_mm", "first", "now", "module")), JSON))
    def sends_nonsense(self, what: str, facts: dict[str, Any]) -> None:
        status, said = self.post(json.dumps({**facts, "what": what}).encode(), self.site.login.code)
        assert status == 400 or (status == 200 and (json.loads(said)["ok"] or json.loads(said)["said"]))

    @rule(body=st.binary(max_size=60))
    def sends_rubbish(self, body: bytes) -> None:
        status, said = self.post(body, self.site.login.code)
        assert status == 400 or (status == 200 and not json.loads(said)["ok"])

    @rule(sent=st.binary(max_size=60))
    def sends_no_request(self, sent: bytes) -> None:
        assert self.said(sent.replace(b"\r\n\r\n", b"") + b"\r\n\r\n")[0] in (400, 421)

    @rule(what=st.sampled_from(("language", "play", "names", "join")), here=st.booleans(), code=st.booleans())
    def changes_nothing_without_the_code(self, what: str, here: bool, code: bool) -> None:
        wish = {"what": what, "language": "fr", "white": "X", "black": "Y", "name": "Home"}
        status, _ = self.post(json.dumps(wish).encode(), new_code() if code else "", f"127.0.0.{1 if here else 9}")
        assert status in (403, 429)
        if here and status == 429:
            self.now_s += 60.0

    @rule(corners=st.integers(1, 4), pitch_mm=st.sampled_from((0.5, 30.0, 33.0, 1e6)))
    def measures(self, corners: int, pitch_mm: float) -> None:
        """With so many of the corner markers in view."""
        spaces = tuple(TablePoint(pitch_mm * number, 0.0, 0.0) for number in range(len(TABLE.spaces_mm)))
        self.seen = replace(TABLE, corners=TABLE.corners[:corners], spaces_mm=spaces)
        self.do(what="measure")

    @rule()
    def keeps_the_table(self) -> None:
        kept = self.do(what="keep")
        assert kept == self.table.exists(), "kept is what is there, and refused was what could not be measured"

    @rule()
    def everybody_leaves(self) -> None:
        """The first start is over where there is a table to play on, and else begins again."""
        mark = self.folder / "first-start"
        self.first.leave()
        assert mark.exists() != self.table.exists()
        mark.write_text(f"{self.step}\n")

    @property
    def table(self) -> Path:
        return self.folder / "table.toml"

    @rule(after_s=st.sampled_from((1.0, VALID_S / 2, VALID_S)))
    def time_passes(self, after_s: float) -> None:
        self.now_s += after_s

    @invariant()
    def it_stands_as_somebody_at_the_table_left_it(self) -> None:
        assert self.first.language == self.language
        assert (self.folder / "first-start").read_text() == f"{self.step}\n"
        assert not self.first.done.is_set()

    @invariant()
    def the_program_can_play_on_what_was_kept(self) -> None:
        assert not self.table.exists() or load_table(self.table).corners


Phones.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestPhones = Phones.TestCase
