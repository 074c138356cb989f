"""Nothing that is printed can steer a terminal, whoever chose its words; how large libraries are loaded."""

from __future__ import annotations

import gc
import io
import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.cli.main import main
from firmware.core.io.libraries import loading
from firmware.core.io.output import PlainStream, plain, plain_streams


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a,b\r\nc,d\r\n", "a,b\r\nc,d\r\n"),
        ("\r\x1b[K3 of 9", "\r\x1b[K3 of 9"),
        ("\x1b[1mhead\x1b[0m", "\x1b[1mhead\x1b[0m"),
        ("\x1b[2J\x1b]0;title\x07", "?[2J?]0;title?"),
        ("\x9b31m", "?31m"),
        ("back\x08\x7f", "back??"),
        ("over\rwritten", "over?written"),
        ("\u202efdp.exe", "?fdp.exe"),
        ("\u2028 Zo\u00eb \u200d", "\u2028 Zo\u00eb \u200d"),
    ],
)
def test_only_what_the_program_prints_itself_steers(text: str, printed: str) -> None:
    assert plain(text) == printed


def test_a_plain_stream_is_the_one_beneath_for_everything_else() -> None:
    beneath = io.StringIO()
    stream = PlainStream(beneath)
    assert stream.write("a\x1bb") == 3
    stream.writelines(["\x07", "c"])
    stream.flush()
    assert stream.getvalue() == "a?b?c"
    assert not stream.isatty()


def test_the_streams_are_as_they_were_afterwards() -> None:
    before = sys.stdout, sys.stderr
    with plain_streams():
        assert isinstance(sys.stdout, PlainStream)
    assert (sys.stdout, sys.stderr) == before


def test_no_command_prints_an_escape_it_was_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["scores", "--scorebook", str(tmp_path / "a\x1b[31mb")],
        ["play", "--headless", "--camera", "none\x1b]0;x\x07"],
        ["book", "restore", "\x1b[2J"],
        ["judge", "no\x9bfile"],
    ):
        main(words)
        told = capsys.readouterr()
        assert told.out + told.err
        assert not set(told.out + told.err) & {"\x1b", "\x07", "\x9b"}
    with pytest.raises(SystemExit):
        main(["sc\x1b[31m"])
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("error", [None, ImportError("no such library")])
def test_loading_binds_late_and_collects_nothing_meanwhile(error: ImportError | None) -> None:
    before = sys.getdlopenflags()
    with suppress(ImportError), loading():
        assert sys.getdlopenflags() & os.RTLD_LAZY
        assert not sys.getdlopenflags() & os.RTLD_NOW
        assert not gc.isenabled()
        if error is not None:
            raise error
    assert sys.getdlopenflags() == before
    assert gc.isenabled()
