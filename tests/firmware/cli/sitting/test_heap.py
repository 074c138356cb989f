"""Threads that begin at a table take memory from one heap: asked of the C library itself, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

COUNTS = """
import ctypes, os, sys, threading
from firmware.cli.sitting.sitting import share_one_heap
library = ctypes.CDLL(None)
if not hasattr(library, "malloc_info"):
    sys.exit("none")
library.fdopen.restype = library.malloc.restype = ctypes.c_void_p
if sys.argv[1] == "shared":
    share_one_heap()
threads = [threading.Thread(target=library.malloc, args=(5000,)) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
where = os.open("heaps.xml", os.O_CREAT | os.O_WRONLY)
stream = ctypes.c_void_p(library.fdopen(where, b"w"))
library.malloc_info(0, stream)
library.fclose(stream)
print(open("heaps.xml").read().count("<heap nr="))
"""


def test_threads_share_one_heap_where_they_were_told_to(tmp_path: Path) -> None:
    found = {}
    for how in ("shared", "apart"):
        done = subprocess.run([sys.executable, "-c", COUNTS, how], cwd=tmp_path, capture_output=True, text=True)
        if done.stderr == "none\n":
            pytest.skip("this C library does not tell of its heaps")
        assert done.stderr == ""
        found[how] = int(done.stdout)
    assert found["shared"] == 1
    assert found["apart"] > 1
