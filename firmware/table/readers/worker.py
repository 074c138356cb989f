"""The readers' process: a question in, an answer out, until the other side is gone."""

from __future__ import annotations

import importlib
import os
import resource
import signal
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

MAX_CPU_S: Final = 20.0
"""The processor time one question may take: more than any is given, for a process whose program was killed."""
MAX_WALL_S: Final = 600.0
"""The same on the clock on the wall, for one that sleeps: many times what a busy machine makes of a question."""
MAX_MB: Final = 400
"""Memory for answering, beside the libraries': a film's frames of forty million pixels need half of that."""


def work(link: Connection, module: str) -> None:
    """Answers every question of the other side with the ``FUNCTIONS`` of this module.

    Says first that it is ready. A question is a function's name, the picture's shape and how to look, then the picture,
    which goes missing with its shape; an answer is whether the function came to an end by itself, and what it gave, or
    what it stumbled over.
    """
    # Who presses Ctrl-C means the program, which ends this process by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Where the program was killed while it waited, nobody is left to end this one: the kernel does.
    for alarm in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(alarm, signal.SIG_DFL)
    cv2.setNumThreads(1)
    _be_quiet()
    functions: Mapping[str, Callable[..., Any]] = importlib.import_module(module).FUNCTIONS
    _bound_memory()
    link.send(None)
    while True:
        try:
            name, shape, how = link.recv()
            about = () if shape is None else (np.frombuffer(link.recv_bytes(), np.uint8).reshape(shape),)
        except (EOFError, OSError, MemoryError):
            return
        signal.setitimer(signal.ITIMER_PROF, MAX_CPU_S)
        signal.setitimer(signal.ITIMER_REAL, MAX_WALL_S)
        try:
            answer = (True, functions[name](*about, *how))
        except Exception as error:  # of other people's code anything may come
            answer = (False, f"{type(error).__name__}: {error}")
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0.0)
        try:
            link.send(answer)
        except (OSError, MemoryError):  # an answer that finds no room is none
            return


def _be_quiet() -> None:
    """Libraries print what they think of a damaged file, each in its own way: whoever asked tells it, once."""
    with open(os.devnull, "wb") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)


def _bound_memory() -> None:
    """Let what a file unpacks to run out of memory here, before it takes the whole machine's."""
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmData:"):
            most = int(line.split()[1]) * 1024 + MAX_MB * 1_000_000
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
