"""Sticks that were put in, as the kernel tells of them now: never a disk that this machine runs from.

Source: proc_pid_mountinfo(5); Documentation/ABI/testing/sysfs-block; udev's links in /dev/disk/by-label.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from firmware.core.io.files import MAX_STICK_DEPTH, STICK_FOLDERS
from firmware.table.loop.guard import Guard, HungError
from firmware.table.readers.progress import Limits

T = TypeVar("T")

LIMITS: Final = Limits(cpu_s=10.0, asleep_s=2.0, wait_s=0.0)
"""What may be done on a stick at once: less than the menu that waits for it may take. A disk that spins up takes
longer: it is found when it is looked for again. Chosen."""

_OF_NETWORKS: Final = ("nfs", "cifs", "smb", "fuse.", "9p", "virtiofs")
"""File systems without a disk that people mount under /media, too."""
_OURS: Final = "engarde-"  # begins the folders of engarde-usb.rules, which name nothing that people know
_MAX_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class Stick:
    """A stick's mount point and name: its label, else the maker's name."""

    path: Path
    name: str


class StickWork:
    """Runs work on sticks in a thread with a deadline: a dead mount answers no ``stat`` and no signal.

    While one hangs, nothing else is done on sticks.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._guard = Guard(limits=limits)
        self._hung: Future[Any] | None = None
        self._one_at_a_time = Lock()

    @property
    def hangs(self) -> bool:
        """True while a stick does not answer."""
        return self._hung is not None and not self._hung.done()

    def do(self, work: Callable[[], T], otherwise: T) -> T:
        """Result of the work, or ``otherwise`` if a stick hangs. Exceptions pass through."""
        with self._one_at_a_time:
            if self.hangs:
                return otherwise
            try:
                return self._guard.attempt(work)
            except HungError as error:
                self._hung = error.call
                return otherwise
            finally:
                self._guard.close()


@dataclass(frozen=True, slots=True)
class _Mount:
    """One line of mountinfo. ``disk`` is the whole disk's folder in sysfs; None: it is on none, or pulled out."""

    path: Path
    read_only: bool
    kind: str
    device: Path | None
    pulled_out: bool

    @property
    def disk(self) -> Path | None:
        return None if self.device is None else _disk_of(self.device)


def _can_write(path: Path) -> bool:
    return os.access(path, os.W_OK | os.X_OK)


@dataclass(frozen=True, slots=True)
class StickFinder:
    """Finds sticks for whoever keeps this scorebook. The others stand in for the machine in tests."""

    book: Path
    folders: tuple[Path, ...] = STICK_FOLDERS
    mountinfo: Path = Path("/proc/self/mountinfo")
    sysfs: Path = Path("/sys")
    labels: Path = Path("/dev/disk/by-label")
    can_write: Callable[[Path], bool] = field(default=_can_write)

    def __call__(self) -> list[Stick]:
        """Writable sticks, the newest first, and of one with several parts the largest first.

        A disk with anything mounted elsewhere, such as ``/`` and ``/boot``, or with the scorebook, is no stick. Sticks
        that were there from the start have the order of their mounts.
        """
        mounts = list(self._mounts())
        at: dict[Path, _Mount] = {}
        for mount in mounts:
            at.pop(mount.path, None)  # it is hidden by what is mounted over it
            at[mount.path] = mount
        book = self.book.absolute()
        books = next((at[path] for path in (book, *book.parents) if path in at), None)
        own = {mount.disk for mount in mounts if not self._may_hold(mount.path)} | {books and books.disk}
        found = []
        for age, mount in enumerate(at.values()):
            on_disk = mount.disk is not None and mount.disk not in own
            over_network = mount.device is None and mount.kind.startswith(_OF_NETWORKS)
            usable = self._may_hold(mount.path) and not mount.read_only and not mount.pulled_out
            if usable and (on_disk or over_network) and self.can_write(mount.path):
                found.append((age, mount))
        newest = {mount.disk: age for age, mount in found}
        found.sort(key=lambda each: (newest[each[1].disk], _size(each[1].device), each[0]), reverse=True)
        return [Stick(mount.path, self._name(mount)) for _, mount in found]

    def _may_hold(self, path: Path) -> bool:
        return any(folder in path.parents[:MAX_STICK_DEPTH] for folder in self.folders)

    def _mounts(self) -> Iterator[_Mount]:
        for line in _lines(self.mountinfo):
            before, _, behind = line.partition(" - ")
            try:
                _, _, number, _, where, options, *_ = before.split(" ")
                kind, source, more = behind.split(" ")[:3]
            except ValueError:
                continue
            device = self._device(number, _unescaped(source))
            path = Path(_unescaped(where))
            read_only = "ro" in (*options.split(","), *more.split(","))
            pulled_out = device is not None and not device.exists()
            yield _Mount(path, read_only, kind, device, pulled_out)

    def _device(self, number: str, source: str) -> Path | None:
        """The device's folder in sysfs; for Btrfs and FUSE, which have a number of their own, by its name."""
        if not number.startswith("0:"):
            return self.sysfs / "dev" / "block" / number
        return self.sysfs / "class" / "block" / os.path.basename(source) if source.startswith("/dev/") else None

    def _name(self, mount: _Mount) -> str:
        names = [mount.path.name]
        if mount.device is not None and mount.disk is not None and mount.path.name.startswith(_OURS):
            device = mount.device.resolve().name
            names = [_unescaped(link.name) for link in _links(self.labels) if Path(os.readlink(link)).name == device]
            names += [*_lines(mount.disk / "device" / "model"), mount.path.name]
        shown = ("".join(letter for letter in name if letter.isprintable()).strip() for name in names)
        return next((name[:_MAX_NAME] for name in shown if name), "USB")


def _disk_of(device: Path) -> Path:
    """The disk that a partition is of, and one that it is on where it is encrypted or made of several."""
    real = device.resolve()
    under = _links(real / "slaves")
    if under:
        return _disk_of(under[0])
    return real.parent if (real / "partition").exists() else real


def _size(device: Path | None) -> int:
    """Size in sectors of 512 bytes; 0 if unknown."""
    lines = () if device is None else _lines(device / "size")
    return int(lines[0]) if lines and lines[0].isdecimal() else 0


def _lines(file: Path) -> list[str]:
    """A file of the kernel's; empty where it is gone."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _links(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_symlink())
    except OSError:
        return []


def _unescaped(text: str) -> str:
    """A name with octal escapes for blanks and backslashes, as in mountinfo, or hexadecimal ones, as udev's."""
    return text.encode().decode("unicode_escape", "replace").encode("latin-1", "replace").decode(errors="replace")
