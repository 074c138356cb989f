"""Writes a file with a command again and again, each time killed at another moment. Run by ``test_killed_writing.py``.

    killed_writing.py FILE BEFORE WORDS OF THE COMMAND

Before each life FILE holds BEFORE, or is not there where that is empty. Prints for each moment, as JSON, how the life
ended and what FILE holds then, null where it is not there; so too for a life that nobody kills.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from unittest import mock

from firmware.cli.main import main

FSYNC: Final = os.fsync
BEGINNING: Final = 100
"""So many bytes are on the disk when it is killed in the middle of writing."""


def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class HalfWritten(io.FileIO):
    """A file whose writer is killed in the middle."""

    def write(self, data: Any) -> int:
        super().write(data[:BEGINNING])
        os.fsync(self.fileno())
        die()
        return 0


def opens_half(path: Any, mode: str = "r", closefd: bool = True, **__: Any) -> HalfWritten:
    return HalfWritten(path, mode, closefd)


def at_sync(then: Callable[[int], None]) -> Callable[[int], None]:
    """What syncs, but for the file beside the one that is written: that is synced like this."""

    def either(handle: int) -> None:
        written = os.readlink(f"/proc/self/fd/{handle}")
        (then if written.startswith(sys.argv[1]) and written.endswith(".part") else FSYNC)(handle)

    return either


def after_sync(handle: int) -> None:
    FSYNC(handle)
    die()


def named_by(then: Callable[..., Any]) -> Callable[..., Any]:
    """What gives files their names, and the end once the one that is written has its own."""

    def both(one: Any, other: Any, **folders: Any) -> None:
        then(one, other, **folders)
        if other == Path(sys.argv[1]).name:
            die()

    return both


MOMENTS: Final[dict[str, dict[str, Callable[..., Any]]]] = {
    "in the middle": {"firmware.core.io.files.open": opens_half},
    "before it is synced": {"firmware.core.io.files.os.fsync": at_sync(die)},
    "after it is synced": {"firmware.core.io.files.os.fsync": at_sync(after_sync)},
    "once it has its name": {
        "firmware.core.io.files.os.replace": named_by(os.replace),
        "firmware.core.io.files.os.link": named_by(os.link),
    },
}


def life(file: Path, held: str, instead: Mapping[str, Callable[..., Any]], words: list[str]) -> tuple[int, str | None]:
    prepare(file, held)
    child = os.fork()
    if not child:
        with ExitStack() as patched:
            for name, function in instead.items():
                patched.enter_context(mock.patch(name, function, create=True))
            os._exit(main(words))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), content(file)


def prepare(file: Path, held: str) -> None:
    file.unlink(missing_ok=True)
    if held:
        file.write_text(held, encoding="utf-8")


def content(file: Path) -> str | None:
    return file.read_bytes().decode("latin-1") if file.exists() else None


if __name__ == "__main__":
    named, held, *words = sys.argv[1:]
    prepare(Path(named), held)
    # The first life is this one: what it loads need not be loaded again.
    lives = {"never": (main(words), content(Path(named)))}
    lives |= {moment: life(Path(named), held, how, words) for moment, how in MOMENTS.items()}
    print(json.dumps(lives))
