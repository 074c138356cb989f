"""A file system of its own, as large as a picture. The kernel is asked itself: a bare Debian has no ``mount``."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

_DETACH: Final = 2  # MNT_DETACH of umount2(2)
_READ_ONLY: Final = 32 | 1  # MS_REMOUNT and MS_RDONLY of mount(2)


@contextmanager
def small_disk(folder: Path, size: str = "64k") -> Iterator[None]:
    """Skips the test of whoever may not mount one."""
    if not hasattr(libc := ctypes.CDLL(None), "umount2") or libc.mount(
        b"none", bytes(folder), b"tmpfs", 0, f"size={size},mode=0777".encode()
    ):
        pytest.skip("only root mounts a file system")
    try:
        yield
    finally:
        unmount(folder)


def make_read_only(folder: Path) -> None:
    """As a worn card becomes, or a stick with its switch turned."""
    assert not ctypes.CDLL(None).mount(b"none", bytes(folder), b"tmpfs", _READ_ONLY, None)


def unmount(folder: Path) -> None:
    """Take it away, whoever has a file of it open."""
    ctypes.CDLL(None).umount2(bytes(folder), _DETACH)
