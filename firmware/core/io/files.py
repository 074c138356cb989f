"""The only place that opens files for writing, and reading within bounds.

Nothing is written through a link, wherever it lies: a new file is made in the opened folder, synced and renamed there.
Private files are private from their creation. Files that others may have made are read through ``read_text`` or after
``expect_file``.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from engine.strict import text as strict
from engine.strict.text import MalformedError

MAX_TEXT: Final = 1 << 18
"""Bytes. Settings, tables and the like are a hundredth of it."""
MAX_LIST: Final = 1 << 24
"""Bytes of a list that may be long: presses, tokens, what was learned."""

STICK_FOLDERS: Final = (Path("/media"), Path("/run/media"))
"""Folders in which USB sticks are mounted, one or two levels deeper."""
MAX_STICK_DEPTH: Final = 2
MAX_KEPT: Final = 20
REPORTS: Final = "reports"
MAX_REPORT_LETTERS: Final = 200_000
_PRIVATE, _ORDINARY = 0o600, 0o644
_PRIVATE_FOLDER, _ORDINARY_FOLDER = 0o700, 0o755
_SAFELY: Final = os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_PART: Final = re.compile(r"\.[0-9a-f]{8}\.part$")
_NO_FILE: Final = "a file is expected, this is a pipe or a device"


class NotTextError(OSError, ValueError):
    """A file holds other bytes than text in UTF-8; the message says what was found, and the cure."""


def read_text(path: Path, most: int = MAX_TEXT) -> str:
    """The text of a file in UTF-8, without the byte order mark that Windows begins it with.

    Raises OSError as ``expect_file`` does, and NotTextError.
    """
    expect_file(path, most)
    return text_of(path.read_bytes(), str(path))


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """The content of a file. Raises OSError as ``expect_file`` does."""
    expect_file(path, most)
    return path.read_bytes()


def text_of(data: bytes, name: str) -> str:
    """These bytes of the file ``name`` as text, lines ending in newlines. Raises NotTextError."""
    try:
        return strict.text_of(data).replace("\r\n", "\n").replace("\r", "\n")
    except MalformedError as error:
        raise NotTextError(errno.EILSEQ, str(error), name) from error


def expect_file(path: Path, most: int | None = MAX_TEXT) -> None:
    """Make sure that this is a file and of at most so many bytes: reading a pipe or a device might never end.

    Raises OSError, whose text is for people.
    """
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, _NO_FILE, str(path))
    if most is not None and found.st_size > most:
        raise OSError(errno.EFBIG, f"at most {most} bytes are expected, it has {found.st_size}", str(path))


def write_whole(path: Path, content: str | bytes, *, private: bool = False, devices: bool = False) -> None:
    """Have this content under this name: after a power cut there is the old file or the new one.

    A link of that name is replaced by the file, and what it led to stays as it was. ``private``: nobody else on this
    machine may read it. ``devices``: the user named this path, and a pipe or a device just gets the content.
    Raises OSError that names the file.
    """
    data = content.encode() if isinstance(content, str) else content
    if devices and _is_device(path):
        with _naming(path), open(os.open(path, os.O_WRONLY | os.O_CLOEXEC), "wb") as stream:
            stream.write(data)
        return
    with whole_file(path, private=private) as stream:
        stream.write(data)


def write_state(path: Path, content: str | bytes) -> None:
    """Keep private content under this name, as ``write_whole``, with the folders that are missing. Raises OSError."""
    make_folder(path.parent, private=True)
    write_whole(path, content, private=True)


def write_new(path: Path, parts: Iterable[bytes], *, private: bool = False) -> None:
    """A new file of these parts, there whole or not at all. Raises FileExistsError, and OSError that names the file."""
    with whole_file(path, private=private, new=True) as stream:
        stream.writelines(parts)


@contextmanager
def whole_file(path: Path, *, private: bool = False, new: bool = False) -> Iterator[BinaryIO]:
    """A stream into a file that has this name, whole, once the block ends; after an error there is what was before.

    ``new``: raises FileExistsError where there is something of this name. Raises OSError that names the file.
    """
    with _naming(path), _opened_folder(path.parent) as folder, _beside(folder, path.name) as (part, handle):
        with open(handle, "wb", closefd=False) as stream:
            yield stream
        with suppress(OSError):  # FAT knows no rights
            os.fchmod(handle, _PRIVATE if private else _rights(folder, path.name))
        os.fsync(handle)  # else a power cut may leave the new name with nothing under it
        if new:
            _name_new(folder, part, path.name)
        else:
            os.replace(part, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        _sync_folder(folder)


def expect_on_disk(path: Path, content: bytes) -> None:
    """Make sure that the file's bytes are these, from the disk itself. Raises OSError."""
    with _naming(path), path.open("rb") as stream:
        os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        if stream.read() != content:
            raise OSError(errno.EIO, "the disk gives back other bytes than were written; take another one")


def new_stream(path: Path) -> io.FileIO:
    """A new, empty, private file to be written bit by bit, unbuffered: what is written is the system's at once.

    Raises FileExistsError, also for a link, and OSError that names the file.
    """
    return _stream(path, os.O_CREAT | os.O_EXCL, "wb")


def append_stream(path: Path) -> io.FileIO:
    """A private file that is written on at its end, made where there is none. Raises OSError, for a link too."""
    return _stream(path, os.O_CREAT | os.O_APPEND, "ab")


def edit_stream(path: Path) -> io.FileIO:
    """A private file to be read and changed in place, made where there is none. Raises OSError, for a link too."""
    return _stream(path, os.O_CREAT, "rb+")


def _stream(path: Path, flags: int, mode: str) -> io.FileIO:
    access = os.O_RDWR if "+" in mode else os.O_WRONLY
    with _naming(path), _opened_folder(path.parent) as folder:
        handle = os.open(path.name, access | flags | _SAFELY | os.O_NONBLOCK, _PRIVATE, dir_fd=folder)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise OSError(errno.EINVAL, _NO_FILE)
        return io.FileIO(handle, mode)


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Make a folder and those above it that are missing, so that no power cut takes them back. Raises OSError."""
    with _naming(folder), _opened_folder(folder, _PRIVATE_FOLDER if private else _ORDINARY_FOLDER):
        pass


@contextmanager
def _opened_folder(folder: Path, make: int | None = None) -> Iterator[int]:
    """A handle of this folder, whatever becomes of its name meanwhile; ``make``: with these rights where it is missing.

    Of a stick it is only had while that is in, and no link on it is followed. Raises OSError.
    """
    mount = _stick_of(folder)
    steps = [] if mount is None else list(Path(os.path.abspath(folder)).relative_to(mount).parts)
    if mount is None and make is not None:
        _make_missing(folder, make)
    handle = os.open(mount or folder, _FOLDER | (os.O_NOFOLLOW if mount else 0))
    try:
        if mount is not None and os.fstat(handle).st_dev == os.stat(mount.parent).st_dev:
            raise _no_stick()
        for step in steps:
            if make is not None:
                with suppress(FileExistsError):
                    os.mkdir(step, make, dir_fd=handle)
            following = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = following
        yield handle
    finally:
        os.close(handle)


def _make_missing(folder: Path, rights: int) -> None:
    if folder.is_dir():
        return
    _make_missing(folder.parent, rights)
    with suppress(FileExistsError):
        folder.mkdir(rights)
    sync(folder.parent)


def _stick_of(folder: Path) -> Path | None:
    """The mount of the stick that this folder is on by its name; None: it is on none. Raises OSError."""
    named = Path(os.path.abspath(folder))
    for place in STICK_FOLDERS:
        if place in named.parents:
            below = named.relative_to(place).parts[:MAX_STICK_DEPTH]
            found = [
                path for depth in range(len(below)) if os.path.ismount(path := place.joinpath(*below[: depth + 1]))
            ]
            if not found:
                raise _no_stick()
            return found[-1]
    return None


def _no_stick() -> OSError:
    return OSError(errno.ENODEV, "no stick is mounted there; put it in again, or name a folder elsewhere")


def _is_device(path: Path) -> bool:
    """Whether something that is no file has this name: a pipe of the user's, or the way to one, as /dev/stdout."""
    if path.absolute().parts[1] in ("dev", "proc"):
        return path.exists()
    try:
        found = path.lstat().st_mode
    except FileNotFoundError:
        return False
    return stat.S_ISFIFO(found) and _stick_of(path.parent) is None


def sync(path: Path) -> None:
    """Sync this file or folder to the disk; file systems that cannot sync a folder are excused."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if path.is_dir():
            _sync_folder(handle)
        else:
            os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(handle: int) -> None:
    with suppress(OSError):
        os.fsync(handle)


@contextmanager
def _beside(folder: int, name: str) -> Iterator[tuple[str, int]]:
    """A new, private file in this folder, its name and handle, to be written and given another name; then it is gone.

    Writers of the same name do not meet: each has a file of its own. Files that a killed writer left, whose locks are
    free, are removed.
    """
    for left in os.listdir(folder):
        if left.startswith(f"{name}.") and _PART.search(left):
            _remove_left(folder, left)
    while True:
        part = f"{name}.{os.urandom(4).hex()}.part"
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR | _SAFELY, _PRIVATE, dir_fd=folder)
        try:
            _locked(handle, wait=True)
            if os.fstat(handle).st_nlink:  # else another writer took it for one that was left behind
                yield part, handle
                return
        finally:
            os.close(handle)
            with suppress(FileNotFoundError):
                os.unlink(part, dir_fd=folder)


def _remove_left(folder: int, left: str) -> None:
    with suppress(OSError):
        handle = os.open(left, os.O_RDONLY | os.O_NONBLOCK | _SAFELY, dir_fd=folder)
        try:
            if _locked(handle, wait=False):
                os.unlink(left, dir_fd=folder)
        finally:
            os.close(handle)


def _locked(handle: int, *, wait: bool) -> bool:
    """Whether this file's lock is ours now; a file system that has no locks gives none."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _rights(folder: int, name: str) -> int:
    """Those of the file that is replaced, else what files for everybody have."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return _ORDINARY
    return found & 0o777 if stat.S_ISREG(found) else _ORDINARY


def _name_new(folder: int, part: str, name: str) -> None:
    """Give the whole file its name, safe against other writers. Raises FileExistsError."""
    try:
        os.link(part, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        return
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
    # A stick's file system knows no second name for a file: an empty one holds it for a moment.
    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _SAFELY, _PRIVATE, dir_fd=folder))
    try:
        os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(name, dir_fd=folder)
        raise


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """A failure in here names the file that was to be written, and not the one beside it."""
    try:
        yield
    except OSError as error:
        if error.filename == str(path):
            raise
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(path)) from error


# Files kept for reports of failures: few, private, beside the scorebook.


def reports_beside(book: Path) -> Path:
    """The folder for reports of what failed in the middle of a game, beside this scorebook."""
    return book.with_name(REPORTS)


def keep_among(folder: Path, name: str, files: Mapping[str, bytes]) -> Path | None:
    """Keep these files, by their endings, for their owner alone; the first one's path, None where that cannot be.

    Of each ending the oldest give way.
    """
    try:
        for ending, data in files.items():
            path = folder / f"{name}{ending}"
            write_state(path, data)
            # The newest by what was written last: a clock may have been years ahead once.
            for old in [each for each in kept_in(folder, ending) if each != path][: 1 - MAX_KEPT]:
                old.unlink(missing_ok=True)
    except OSError:
        return None
    return folder / f"{name}{next(iter(files))}"


def kept_in(folder: Path, ending: str = ".png") -> list[Path]:
    """The kept files of this ending, the oldest first; none where nothing was ever kept."""
    return sorted(folder.glob(f"*{ending}"))
