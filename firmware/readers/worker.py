"""What runs in the readers' own process: a picture in, an answer out, until the other side is gone."""

from __future__ import annotations

import importlib
import signal
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

import cv2
import numpy as np


def work(link: Connection, module: str) -> None:
    """Answers every question of the other side with the ``FUNCTIONS`` of this module.

    Says first that it is ready. A question is a function's name, the picture's shape and how to look, then the picture;
    an answer is whether the function came to an end by itself, and what it gave, or what it stumbled over.
    """
    # Who presses Ctrl-C means the program, which ends this process by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    functions: Mapping[str, Callable[..., Any]] = importlib.import_module(module).FUNCTIONS
    link.send(None)
    while True:
        try:
            name, shape, how = link.recv()
            y = np.frombuffer(link.recv_bytes(), np.uint8).reshape(shape)
        except (EOFError, OSError):
            return
        try:
            answer = (True, functions[name](y, *how))
        except Exception as error:  # of other people's code anything may come
            answer = (False, f"{type(error).__name__}: {error}")
        try:
            link.send(answer)
        except OSError:
            return
