"""One program at a time at a table: a lock beside the scorebook, which ends with whoever holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware.book.scorebook.file import NotKeptError, ScorebookError, is_there
from firmware.core.io.files import edit_stream


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Holds the scorebook at ``path`` for this program: to referee a table by it, or to put another in its place.

    The lock lies in ``PATH.lock`` and is the kernel's, so a program that was killed holds none. Raises ScorebookError
    at once when another program has it, and where there is something else in its place.
    """
    is_there(path)
    name = path.with_name(f"{path.name}.lock")
    try:
        held = edit_stream(name)
    except OSError as error:
        raise NotKeptError(
            f"the scorebook {path} cannot be written in ({error.strerror}); "
            "name a place that can be written with --scorebook."
        ) from error
    with held:
        handle = held.fileno()
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise ScorebookError(
                f"the scorebook {path} is in use by another program (process {holder}); "
                "end that one first, or name another scorebook with --scorebook."
            ) from error
        # Who holds it is for others to name; a full disk keeps nobody from holding it.
        with suppress(OSError):
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
