"""Text that goes out does nothing where it arrives, whoever chose its words; how large libraries are loaded."""

from __future__ import annotations

import csv
import gc
import io
import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cli.main import main
from firmware.core.io.libraries import loading
from firmware.core.io.output import PlainStream, csv_bytes, csv_text, plain, plain_streams


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
    before = sys.stdout, sys.stderr
    with plain_streams():
        assert isinstance(sys.stdout, PlainStream)
    assert (sys.stdout, sys.stderr) == before
    stream = PlainStream(io.StringIO())
    assert stream.write("a\x1bb") == 3
    stream.writelines(["\x07", "c"])
    stream.flush()
    assert stream.getvalue() == "a?b?c"
    assert not stream.isatty()


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


NASTY = st.text(st.sampled_from("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n \u3000\"',;|a1(é"), max_size=8)


@given(
    st.lists(st.lists(NASTY | st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=4), max_size=4)
)
def test_no_text_begins_a_formula_and_each_is_found_again(rows: list[list[str]]) -> None:
    read = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    cells = [cell for row in read for cell in row]
    assert not any(cell.lstrip(" \u3000").startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20\t\r")) for cell in cells)
    wanted = [cell for row in rows for cell in row]
    assert all(cell in (text, f"'{text}") for cell, text in zip(cells, wanted, strict=True))


def test_numbers_stay_numbers_and_excel_takes_it_for_utf_8() -> None:
    assert csv_text([[-3, -1.5, 0]]) == "-3,-1.5,0\r\n"
    assert csv_bytes("Jürgen").decode("utf-8-sig") == "Jürgen"
    assert csv_bytes("Jürgen").startswith(b"\xef\xbb\xbf")
