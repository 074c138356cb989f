"""Runs other people's code that looks at pictures in a process of its own, and gives up on it when it hangs.

A process that hangs is ended, one that crashes is gone, and the next question goes to a fresh one. Whether it hangs is
told by its work (``firmware.table.readers.progress``); one that only waits for its turn on a busy machine goes on.

The processes come from a server that has loaded the libraries once and forks (``multiprocessing``'s fork server): a
fresh one is there in some hundredths of a second, and shares its memory with the server. On a machine that is busy it
takes longer: it is left to begin while nothing can be asked, and neither ended nor blamed for that.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import resource
import signal
import socket
import struct
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from firmware.table.readers.progress import SAMPLE_EVERY_S, Limits, Progress, Sample, sample_of
from vision.camera.files import PICTURE, VIDEO_FPS, VIDEO_FRAME, NotDecodedError
from vision.frame import Picture

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


READERS: Final = "vision.marks.foreign"
DECODERS: Final = "vision.camera.files"
_LOADED_ONCE: Final = ("firmware.table.readers.preload", READERS, DECODERS, "zxingcpp", "pyzbar.pyzbar")
START_S: Final = 20.0
"""So long a process may take to begin."""
_AGAIN_S: Final = 1.0


class Fate(Enum):
    """How a question ended without an answer."""

    HUNG = "hung"
    CRASHED = "crashed"
    STUMBLED = "stumbled"
    BEGINNING = "is only beginning"
    BUSY = "waits for its turn on a busy machine"


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A function's name and the picture it is asked about, with how far the process is."""

    name: str
    y: Picture | None
    progress: Progress


class NoAnswerError(Exception):
    """No answer came: ``fate`` is what became of whoever was asked, the message what is known of it.

    ``earlier`` is the question that failed, where it was one from before.
    """

    def __init__(self, fate: Fate, said: str, earlier: Question | None = None) -> None:
        super().__init__(said)
        self.fate, self.earlier = fate, earlier


class Apart:
    """A process that answers with the ``FUNCTIONS`` of this module. ``close`` when nothing more is asked."""

    def __init__(self, module: str, patience_s: float = _AGAIN_S) -> None:
        """``patience_s``: how long whoever asks waits in all for a process that follows one that is gone."""
        self._module, self._patience_s = module, patience_s
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([*_LOADED_ONCE])
        self._process: ForkServerProcess | None = None
        self._link: Connection | None = None
        self._ready = False
        self._began_s = 0.0
        self._asked: Question | None = None  # it has no answer yet
        self._begin(START_S)

    def ask(self, limits: Limits, name: str, y: Picture | None, *how: object) -> Any:
        """The result of this function for this picture, told ``how``. Raises NoAnswerError.

        ``y`` None: the function is not about a picture, and called without one. A question that was given up on while
        the machine was busy is ended first; its answer is about an older picture, and dropped.
        """
        if not self._ready and not self._begin(self._patience_s):
            if self._link is not None:
                raise NoAnswerError(Fate.BEGINNING, "no process to ask is there yet")
            raise NoAnswerError(Fate.CRASHED, "no process to ask can be begun")
        assert self._link is not None
        earlier = self._asked
        try:
            if earlier is not None:
                self._answer(limits.wait_s)
                earlier = None
            before = self._sample()
            self._link.send((name, None if y is None else y.shape, how))
            if y is not None:
                self._link.send_bytes(np.ascontiguousarray(y).reshape(-1).data)
            self._asked = Question(name, y, Progress(limits, before, before))
            ended, answer = self._answer(limits.wait_s)
        except (EOFError, OSError) as error:
            self.close()
            raise NoAnswerError(Fate.CRASHED, "its process ended", earlier) from error
        except NoAnswerError as error:
            error.earlier = earlier
            raise
        if not ended:
            raise NoAnswerError(Fate.STUMBLED, str(answer))
        return answer

    def _answer(self, wait_s: float) -> tuple[bool, Any]:
        """The answer to what was asked, waited for so long. Raises NoAnswerError, EOFError, OSError."""
        assert self._link is not None
        assert self._asked is not None
        until_s = time.monotonic() + wait_s
        while not self._link.poll(SAMPLE_EVERY_S):
            progress = self._asked.progress.after(self._sample())
            self._asked = replace(self._asked, progress=progress)
            if progress.hung:
                self.close()
                raise NoAnswerError(Fate.HUNG, progress.hung)
            if time.monotonic() > until_s:
                raise NoAnswerError(Fate.BUSY, "no answer yet")
        self._asked = None
        ended, answer = self._link.recv()
        return ended, answer

    def _sample(self) -> Sample:
        assert self._process is not None
        assert self._process.pid is not None
        return sample_of(self._process.pid)

    def close(self) -> None:
        """End the process; the next question would begin another."""
        if self._link is not None:
            self._link.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(_AGAIN_S)
            if self._process.exitcode is not None:
                self._process.close()
        self._link = self._process = self._asked = None
        self._ready = False

    def _begin(self, within_s: float) -> bool:
        """Whether there is a process to ask: a fresh one, or the one that had not begun yet when last asked.

        It is waited for until so long after it was made.
        """
        with suppress(EOFError, OSError):  # of a machine that has no room for another process, too
            if self._link is None:
                self._link = self._fresh()
            if self._link.poll(max(0.0, self._began_s + within_s - time.monotonic())):
                self._link.recv()
                self._ready = True
                return True
            if time.monotonic() < self._began_s + START_S:
                return False
        self.close()
        return False

    def _fresh(self) -> Connection:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self._module), name="readers", daemon=True)
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._process, self._began_s = process, time.monotonic()
        _bound_sending(ours)
        return ours


def _bound_sending(link: Connection) -> None:
    """Have sending fail where nobody takes what is sent, as a process that was stopped does not."""
    with socket.socket(fileno=os.dup(link.fileno())) as sending:
        sending.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(START_S), 0))


# Decodes picture files and videos in another process, and gives up on one that hangs or is too much work.

LIMITS: Final = Limits(cpu_s=1.5, asleep_s=1.5, wait_s=START_S)
"""Twelve megapixels take a Raspberry Pi 4 less than half of that; a stick that was asleep takes a second to answer."""


class Decoders:
    """A ``Decoder`` that neither hangs nor crashes. ``module``: as in ``Apart``."""

    def __init__(self, *, limits: Limits = LIMITS, module: str = DECODERS) -> None:
        self._limits = limits
        self._apart = Apart(module, START_S)  # no game waits: what is not decoded would be left out

    def picture(self, path: str, colour: bool) -> Picture | None:
        answer: Picture | None = self._ask(PICTURE, path, colour)
        return answer

    def video_fps(self, path: str) -> float | None:
        answer: float | None = self._ask(VIDEO_FPS, path)
        return answer

    def video_frame(self, path: str, index: int, colour: bool) -> tuple[Picture, float] | None:
        answer: tuple[Picture, float] | None = self._ask(VIDEO_FRAME, path, index, colour)
        return answer

    def close(self) -> None:
        self._apart.close()

    def _ask(self, name: str, *how: object) -> Any:
        try:
            return self._apart.ask(self._limits, name, None, *how)
        except NoAnswerError as error:
            raise NotDecodedError(f"what decodes it {error.fate.value} ({error})") from error
