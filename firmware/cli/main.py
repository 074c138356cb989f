"""The ``engarde`` command. Source: FORMATS.md, "Starting".

Each subcommand lives in a module of its own, as a class of its name, or as ``TASKS`` with a class for each of its tasks
(``firmware.cli.commands.declared``). Only the one that was asked for is imported, so that ``engarde judge`` starts
without a camera library or a window.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from engine.strict.values import did_you_mean
from firmware.cli.commands.declared import Declared, add_options, made
from firmware.core.errors import TEMPORARY_FAILURE, EngardeError
from firmware.core.io.files import MAX_REPORT_LETTERS, REPORTS, keep_among
from firmware.core.io.libraries import loading
from firmware.core.io.output import plain_streams
from vision.limits import MAX_PIXELS


def _listed() -> Mapping[str, str]:
    found = {}
    for path in sorted(Path(__file__).with_name("commands").glob("*.py")):
        with path.open(encoding="utf-8") as file:
            if (line := _FIRST_LINE.match(file.readline())) is not None:
                found[line[1]] = line[2]
    return found


_FIRST_LINE: Final = re.compile(r'"""``engarde (\w+)``: (.+?)\.(?:""".*| Source: .*)?$')
COMMANDS: Final = _listed()
"""Every subcommand and its line in the help: the files in ``commands`` that begin so."""

STILLS: Final = frozenset({"demo", "play", "setup", "teach"})
"""Commands that open a window whatever else they are told, and keep it."""

FAILED: Final = 1
_OURS: Final = frozenset({"engine", "vision", "display", "firmware"})
"""Packages whose errors are sentences for people; any other's may say anything."""
_NO_MEMORY: Final = -4
"""The code of OpenCV's errors for want of memory."""
_NO_ROOM: Final = ("failed to map segment", "cannot allocate memory", "cannot map zero-fill pages")
"""Words of the system's loader for a library that finds no memory."""
MIN_FILES: Final = 64
"""So many files open at once are enough for every command: readers in processes of their own, book, camera, sound."""
ENDINGS: Final = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a command. Ctrl-C does so by itself."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command: 0 when done, 1 for a failure, told in one sentence on stderr. Wrong use exits with 2."""
    with plain_streams():
        return _main(sys.argv[1:] if argv is None else list(argv))


def _main(words: list[str]) -> int:
    for ending in ENDINGS:
        if signal.getsignal(ending) is not signal.SIG_IGN:  # nohup's wish is kept
            signal.signal(ending, _stop)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # A camera that is missing or a file that is no video is told by us, once.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # The eyes multiply small matrices many times a second: threads that wait for one another take ten times as long.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A small file may unpack to a picture that no camera makes and no machine of ours can hold.
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
    name = "engarde"
    try:
        _show_still(words)
        args = parse(words)
        name = f"engarde {args.command}"
        _expect_descriptors()
        status = made(args).do()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except SystemExit as leaving:  # help was asked for, or the use is wrong
        return _left(name, leaving)
    except KeyboardInterrupt:
        # Ended by systemd: any other status would be a failed service at every shutdown.
        if os.environ.get("NOTIFY_SOCKET"):
            return 0
        return _fail(name, "stopped before it was done.")
    except Exception as error:
        if os.environ.get("ENGARDE_DEBUG"):
            raise
        return _fail(name, _sentence(error), error.status if isinstance(error, EngardeError) else FAILED)


def entry() -> NoReturn:
    """``main`` as a program: one that ends because a driver hangs does not wait for that driver on its way out."""
    status = main()
    if status == TEMPORARY_FAILURE:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.flush()
        os._exit(status)
    sys.exit(status)


def _show_still(words: list[str]) -> None:
    """A picture before a command is loaded that is going to open a window: its libraries take most of a second."""
    if words and words[0] in STILLS:
        with loading():
            still = importlib.import_module("firmware.cli.commands.still")
        still.show_still(words[1:])


def parse(words: list[str]) -> argparse.Namespace:
    """Parse these words. Raises SystemExit, as argparse does, for help and for wrong use."""
    asked = next((word for word in words if not word.startswith("-")), None)
    parser = parser_with(asked)
    if asked is not None and asked not in COMMANDS:
        parser.error(f"there is no command {asked!r}{did_you_mean(asked, COMMANDS)}")
    args = parser.parse_args(words)
    args.typed = tuple(words[words.index(args.command) + 1 :])
    return args


def parser_with(asked: str | None) -> argparse.ArgumentParser:
    """The parser of every command, of which this one alone has its options: only its module is loaded."""
    parser = argparse.ArgumentParser(
        prog="engarde", description="Referees the fencing game En Garde on a real board.", allow_abbrev=False
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the program's version number and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    for name, line in COMMANDS.items():
        one = commands.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.", allow_abbrev=False)
        if name == asked:
            add_options(one, _command(name))
    return parser


class _Version(argparse.Action):
    """Tells the version. What knows it takes two megabytes, in every process that reads pictures once more."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"engarde {version('engarde-companion')}")
        parser.exit()


def _command(name: str) -> Declared:
    with loading():
        module = importlib.import_module(f"firmware.cli.commands.{name}")
    declared: Declared = getattr(module, "TASKS", None) or getattr(module, name.capitalize())
    return declared


def _expect_descriptors() -> None:
    """Take as many as are needed where the system allows them. Raises EngardeError where it does not.

    With fewer the libraries fail wherever they happen to be, each in its own words.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= MIN_FILES:
        return
    if hard != resource.RLIM_INFINITY and hard < MIN_FILES:
        raise EngardeError(
            f"expected at least {MIN_FILES} files that may be open at once, found {hard}; raise it (ulimit -n)."
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (MIN_FILES, hard))


def _found_no_room(error: BaseException | None) -> bool:
    """Whether a library could not be loaded for want of memory; others tell it on in words of their own."""
    while error is not None:
        if isinstance(error, ImportError) and any(words in str(error).lower() for words in _NO_ROOM):
            return True
        error = error.__cause__ or error.__context__
    return False


def _left(name: str, leaving: SystemExit) -> int:
    """Leave; help or a version that could not be printed is a failure like any other."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        return _fail(name, _sentence(error))
    raise leaving


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    """A signal ends a command as Ctrl-C does: all it holds is let go of on the way out. A second changes nothing."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


def _sentence(error: Exception) -> str:
    if isinstance(error, BrokenPipeError):
        return "whoever read the output has gone away."
    if isinstance(error, MemoryError) or getattr(error, "code", None) == _NO_MEMORY or _found_no_room(error):
        return "there is not enough memory; end other programs, or give this one more."
    if isinstance(error, OSError) and error.strerror is not None:
        about = f"{error.filename}: " if error.filename is not None else ""
        return f"{about}{error.strerror}."
    meant_for_people = isinstance(error, OSError) or type(error).__module__.partition(".")[0] in _OURS
    if meant_for_people and str(error):
        return str(error)
    where = _reported(error)
    kept = "" if where is None else f"; it is kept for a report as {where}"
    return (
        f"this should not have happened ({type(error).__name__}: {error}){kept}; "
        "ENGARDE_DEBUG=1 before the command shows where it did."
    )


def _reported(error: Exception) -> Path | None:
    """The file that keeps this error for a report; None where none can be written."""
    from firmware.core.config import data_folder

    name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{type(error).__name__}"
    told = "".join(traceback.format_exception(error))[-MAX_REPORT_LETTERS:]
    try:
        return keep_among(data_folder() / REPORTS, name, {".txt": told.encode(errors="replace")})
    except EngardeError:  # no folder of ours can be had
        return None


def _fail(name: str, sentence: str, status: int = FAILED) -> int:
    # The rest of the buffer cannot be written either; the interpreter would complain about it at exit.
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.__stdout__.fileno() if sys.__stdout__ is not None else 1)
    if sys.stderr is not None:
        print(f"{name}: {' '.join(sentence.split())}", file=sys.stderr)
    return status
