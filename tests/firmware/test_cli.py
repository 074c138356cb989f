"""The command line: help, exit statuses, and failures as one plain sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

import pytest

from firmware.cli import main as cli
from firmware.cli.main import COMMANDS, main
from firmware.core.errors import EngardeError
from vision.sheets.page import SheetError

MATCH_LINE = b'{"event":"match","rules":"ferti-classic"}\n'


def _run(*words: str, stdin: bytes = b"", **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "firmware", *words], input=stdin, capture_output=True, **more)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], int]], None]:
    """Makes ``engarde scores`` do something else."""

    def install(act: Callable[[], int]) -> None:
        @dataclass(frozen=True)
        class Fake:
            def do(self) -> int:
                return act()

        monkeypatch.setattr(cli, "_command", lambda name: Fake)

    return install


def test_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert leaving.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("engarde ")
    assert out.count("\n") == 1


@pytest.mark.parametrize("words", [[], *[[name] for name in COMMANDS]], ids=lambda words: " ".join(words) or "engarde")
def test_everything_has_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main([*words, "--help"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out.startswith(" ".join(["usage: engarde", *words]))


def _raise(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (EngardeError("the cake is\n  a lie."), "engarde scores: the cake is a lie."),
        (
            FileNotFoundError(2, "No such file or directory", "x.toml"),
            "engarde scores: x.toml: No such file or directory.",
        ),
        (SheetError("the table has 22 spaces, not 23."), "engarde scores: the table has 22 spaces, not 23."),
        (BrokenPipeError(32, "Broken pipe"), "engarde scores: whoever read the output has gone away."),
        (MemoryError(), "engarde scores: there is not enough memory; end other programs, or give this one more."),
        (KeyboardInterrupt(), "engarde scores: stopped before it was done."),
    ],
)
def test_a_failure_is_one_sentence_and_status_one(
    fake: Callable[[Callable[[], int]], None], capsys: pytest.CaptureFixture[str], error: BaseException, sentence: str
) -> None:
    fake(lambda: _raise(error))
    assert main(["scores"]) == 1
    captured = capsys.readouterr()
    assert captured.err == sentence + "\n"
    assert captured.out == ""


def test_a_service_that_is_stopped_has_not_failed(
    fake: Callable[[Callable[[], int]], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/systemd/notify")
    fake(lambda: _raise(KeyboardInterrupt()))
    assert (main(["scores"]), capsys.readouterr().err) == (0, "")
    fake(lambda: _raise(EngardeError("the cake is a lie.")))
    assert main(["scores"]) == 1, "begun again by systemd"


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), ValueError("math domain error")])
def test_what_nobody_foresaw_is_told_as_a_mistake_of_ours_with_where_its_report_lies(
    fake: Callable[[Callable[[], int]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    error: Exception,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    fake(lambda: _raise(error))
    monkeypatch.delenv("ENGARDE_DEBUG", raising=False)
    assert main(["scores"]) == 1
    [report] = tmp_path.rglob("*.txt")
    said = capsys.readouterr().err
    assert f"{type(error).__name__}: {error}" in said
    assert str(report) in said
    assert "Traceback" in report.read_text(encoding="utf-8")
    assert (report.stat().st_mode & 0o777, report.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    monkeypatch.setenv("ENGARDE_DEBUG", "1")
    with pytest.raises(type(error)):
        main(["scores"])


@pytest.mark.slow
def test_judge_reads_standard_input_or_a_file(tmp_path: Path) -> None:
    piped = _run("judge", stdin=MATCH_LINE)
    file = tmp_path / "events.jsonl"
    file.write_bytes(MATCH_LINE)
    assert piped.returncode == 0
    assert piped.stderr == b""
    assert piped.stdout.startswith(b'{"ok":true,"ruling":"match"')
    assert _run("judge", str(file)).stdout == piped.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("run", "unneeded"),
    [
        ("from firmware.cli.main import main; main(['judge'])", "cv2 pygame numpy gpiozero zxingcpp pyzbar"),
        ("import firmware.cli.commands.play", "reportlab PIL segno paho cryptography fsrs http.server"),
    ],
    ids=["judge", "play"],
)
def test_a_command_begins_without_what_its_beginning_does_not_need(run: str, unneeded: str) -> None:
    code = f"import sys; {run}; print(sorted({set(unneeded.split())!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], input=MATCH_LINE, capture_output=True)
    assert done.stdout.splitlines()[-1] == b"[]"


@contextmanager
def _judging() -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes], IO[bytes]]]:
    """``engarde judge`` while it waits for events, with its input, output and errors."""
    with subprocess.Popen(
        [sys.executable, "-m", "firmware", "judge"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_hears_ctrl_c,
    ) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        assert judge.stderr is not None
        yield judge, judge.stdin, judge.stdout, judge.stderr
    assert judge.returncode == 1


def _hears_ctrl_c() -> None:
    """A shell that runs the tests in the background has its programs ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
def test_a_reader_who_hangs_up_leaves_no_traceback() -> None:
    with _judging() as (_, stdin, stdout, stderr):
        stdout.close()
        stdin.write(MATCH_LINE)
        stdin.close()
        assert stderr.read() == b"engarde judge: whoever read the output has gone away.\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_ends_it_in_a_sentence(number: signal.Signals) -> None:
    with _judging() as (judge, stdin, stdout, stderr):
        stdin.write(MATCH_LINE)
        stdin.flush()
        stdout.readline()  # it is at work
        os.kill(judge.pid, number)
        assert stderr.read() == b"engarde judge: stopped before it was done.\n"


@pytest.mark.slow
def test_a_full_disk_behind_the_output_leaves_no_traceback() -> None:
    for word, said in (("judge", b"engarde judge"), ("--version", b"engarde")):
        with open("/dev/full", "wb") as full:
            run = [sys.executable, "-m", "firmware", word]
            done = subprocess.run(run, input=MATCH_LINE, stdout=full, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (1, said + b": No space left on device.\n")


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_standard_stream_is_said(closed: str) -> None:
    number = 0 if "<" in closed else 1
    asked = f'"{sys.executable}" -c "import os; os.fstat({number})" {closed}'
    if subprocess.run(asked, shell=True, stderr=subprocess.DEVNULL).returncode == 0:
        pytest.skip("an emulated processor opens a file of its own under the number that was closed")
    done = subprocess.run(f'"{sys.executable}" -m firmware judge {closed}', shell=True, capture_output=True)
    assert done.returncode == 1
    assert done.stderr == b"engarde judge: standard input or output is closed: open both, or name a FILE to read.\n"


@pytest.mark.slow
def test_too_few_files_open_at_once_are_told() -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12)); "
    words = ["watch", "--camera", "synthetic", "--headless"]
    run = f"{limit}from firmware.cli.main import main; raise SystemExit(main({words}))"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True)
    said = "engarde watch: expected at least 64 files that may be open at once, found 12; raise it (ulimit -n).\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def test_a_library_that_finds_no_memory_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(_: str) -> NoReturn:
        try:
            raise ImportError("libvision.so: failed to map segment from shared object")
        except ImportError as error:
            raise ImportError("PLEASE READ THIS") from error

    monkeypatch.setattr("firmware.cli.main._command", load)
    assert main(["scores"]) == 1
    said = "engarde: there is not enough memory; end other programs, or give this one more.\n"
    assert capsys.readouterr().err == said
