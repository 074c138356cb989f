"""Files read and written with care: what is written is there whole or not at all, what is read has bounds.

Whatever keeps a state of ours writes with ``write_whole``; whatever reads a file that somebody else may have made asks
``read_text`` or ``expect_file`` first.
"""

from __future__ import annotations

import errno
import glob
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from engine.strict import text as strict
from engine.strict.text import MalformedError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

MOST_TEXT: Final = 1 << 18
"""Bytes. Settings, tables and the like are a hundredth of it."""
MOST_LIST: Final = 1 << 24
"""Bytes of a list that may be long: presses, tokens, what was learned."""


class NotTextError(OSError, ValueError):
    """A file holds other bytes than text in UTF-8; the message says what was found, and the cure."""


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """The text of a file in UTF-8, without the byte order mark that Windows begins it with.

    Raises OSError as ``expect_file`` does, and NotTextError.
    """
    expect_file(path, most)
    return text_of(path.read_bytes(), str(path))


def text_of(data: bytes, name: str) -> str:
    """These bytes of the file ``name`` as text, lines ending in newlines. Raises NotTextError."""
    try:
        return strict.text_of(data).replace("\r\n", "\n").replace("\r", "\n")
    except MalformedError as error:
        raise NotTextError(errno.EILSEQ, f"{error}; save it as UTF-8", name) from error


def csv_bytes(text: str) -> bytes:
    """A table in CSV as a file that Excel opens, too: without a byte order mark it takes UTF-8 for Windows-1252."""
    return text.encode("utf-8-sig")


def expect_file(path: Path, most: int | None = MOST_TEXT) -> None:
    """Make sure that this is a file and of at most so many bytes: reading a pipe or a device might never end.

    Raises OSError, whose text is for people.
    """
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "a file is expected, this is a pipe or a device", str(path))
    if most is not None and found.st_size > most:
        raise OSError(errno.EFBIG, f"at most {most} bytes are expected, it has {found.st_size}", str(path))


def write_whole(path: Path, content: str | bytes) -> None:
    """Have this content under this name, whatever was there: after a power cut there is the old file or the new one.

    A link stays and its file is written; a pipe or a device just gets the content. Raises OSError that names the file.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and (not path.is_file() or path.absolute().parts[1] in ("dev", "proc")):
            path.write_bytes(data)
            return
        _put(Path(os.path.realpath(path)), [data], new=False)
    except OSError as error:
        raise _naming(error, path) from error


def write_state(path: Path, content: str | bytes) -> None:
    """As ``write_whole``, with the folders that are missing. Raises OSError that names what could not be made."""
    make_folder(path.parent)
    write_whole(path, content)


def write_new(path: Path, lines: Iterable[str]) -> None:
    """A new file of these lines, there whole or not at all. Raises FileExistsError, and OSError that names the file."""
    try:
        _put(path, (f"{line}\n".encode() for line in lines), new=True)
    except OSError as error:
        raise _naming(error, path) from error


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing, so that no power cut takes them back. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync(folder.parent)


def sync(path: Path) -> None:
    """Have this file or folder on the disk itself; a file system that cannot sync a folder is let be."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        if not path.is_dir():
            raise
    finally:
        os.close(handle)


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """An empty file beside this one, to be written and then given its name; afterwards it is gone.

    It is this writer's alone, whoever else writes ``target`` meanwhile. What a writer left behind that was killed is
    removed: nobody holds its lock any more. Raises OSError.
    """
    for left in target.parent.glob(f"{glob.escape(target.name)}.*.part"):
        with suppress(OSError), open(left, "rb") as stream:
            if _locked(stream.fileno(), wait=False):
                left.unlink()
    while True:
        aside = target.with_name(f"{target.name}.{os.urandom(4).hex()}.part")
        handle = os.open(aside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
        try:
            _locked(handle, wait=True)
            if aside.exists():  # else another writer took it for one that was left behind, just before it was locked
                yield aside
                return
        finally:
            os.close(handle)
            aside.unlink(missing_ok=True)


def _locked(handle: int, *, wait: bool) -> bool:
    """Whether this file's lock is ours now; a file system that has no locks gives none."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _put(target: Path, parts: Iterable[bytes], *, new: bool) -> None:
    with beside(target) as aside:
        with open(aside, "wb") as stream:
            if target.exists():
                with suppress(OSError):
                    shutil.copymode(target, aside)
            stream.writelines(parts)
            stream.flush()
            os.fsync(stream.fileno())  # else a power cut may leave the new name with nothing under it
        if not (new and _linked(aside, target)):
            os.replace(aside, target)
        sync(target.parent)


def _linked(aside: Path, target: Path) -> bool:
    """Give the whole file its new name, whoever else writes here. False where the name is ours, and nothing under it
    yet: a stick's file system knows no second name for a file. Raises FileExistsError."""
    try:
        os.link(aside, target)
    except FileExistsError:
        raise
    except OSError:
        with open(target, "xb"):
            return False
    return True


def _naming(error: OSError, path: Path) -> OSError:
    """The same failure, naming the file that was to be written and not the one beside it."""
    return OSError(error.errno or errno.EIO, error.strerror or str(error), str(path))
