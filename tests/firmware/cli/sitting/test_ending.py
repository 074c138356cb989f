"""A game that is told to stop: lamps off, camera released, scorebook whole, within two seconds; whatever hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from firmware.book.scorebook.book import open_scorebook
from firmware.table.service.watchdog import GRACE_S, ends_in_time
from tests.waiting import HANG_S, until

pytestmark = pytest.mark.slow

GAME = textwrap.dedent("""
    import ctypes, functools, signal, sys
    from types import SimpleNamespace
    import numpy as np
    from firmware.cli.sitting import cameras
    from firmware.table.panel import devices
    from firmware.cli.main import main
    from firmware.table.loop.loop import Loop
    from vision.frame import Frame

    log, how, *words = sys.argv[1:]

    # An orderly end is what is looked at here, also on a machine that is busy for longer than its limits.
    import firmware.cli.sitting.sitting as sitting
    import firmware.table.camera.live_camera as live_camera
    sitting.ends_in_time = functools.partial(sitting.ends_in_time, grace_s=300.0)
    if how != "hang":
        live_camera._LET_GO_S = 300.0

    def tell(line):
        with open(log, "a", encoding="utf-8") as file:
            print(line, file=file)

    def on_fire(*_):
        raise RuntimeError("the sensor is on fire")

    class Camera:
        index = 0
        def __init__(self, number, size, **_):
            self.size = size
        def read(self):
            self.index += 1
            if self.index == 3:
                tell("playing")
                if how == "crash":
                    Loop.advance = on_fire
                if how == "hang":
                    # A driver that does not come back: the main thread hears no signal while it sleeps.
                    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
                    ctypes.CDLL(None).sleep(600)
            return Frame(self.index, self.index / 10, np.zeros((self.size.height, self.size.width), np.uint8))
        def reopen(self):
            pass  # a frame that a busy machine brings late is followed by a look for the camera
        def close(self):
            tell("camera released")

    import vision.camera.picamera
    vision.camera.picamera.PiCamera = Camera
    for part in (devices.Lights, devices.Sounder, devices.Buttons):
        def close(self, before=part.close, name=part.__name__):
            before(self)
            tell(f"{name} closed")
        part.close = close
    sys.exit(main(words))
""")


def _hears_signals() -> None:
    """A shell that runs the tests in the background has its programs ignore Ctrl-C, nohup that the line was lost."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _play(tmp_path: Path, how: str) -> tuple[subprocess.Popen[str], Path]:
    settings = tmp_path / "config.toml"
    settings.write_text('[panel]\npins = "mock"\n')
    log = tmp_path / "log"
    words = ["play", "--camera", "picamera2", "--headless", "--config", str(settings)]
    words += ["--scorebook", str(tmp_path / "book.sqlite")]
    game = subprocess.Popen(
        [sys.executable, "-c", GAME, str(log), how, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        preexec_fn=_hears_signals,
    )
    return game, log


ALL_CLOSED = ["Buttons closed", "Lights closed", "Sounder closed", "camera released"]


@pytest.mark.parametrize(
    ("how", "number", "closed"),
    [
        ("play", signal.SIGTERM, ALL_CLOSED),
        ("play", signal.SIGINT, ALL_CLOSED),
        ("play", signal.SIGHUP, ALL_CLOSED),
        ("hang", signal.SIGTERM, ALL_CLOSED[:3]),  # the driver still has the camera
    ],
)
def test_a_signal_ends_the_game_in_time_whatever_hangs(
    how: str, number: signal.Signals, closed: list[str], tmp_path: Path
) -> None:
    game, log = _play(tmp_path, how)
    assert until(lambda: (log.exists() and "playing" in log.read_text()) or game.poll() is not None)
    game.send_signal(number)
    _, said = game.communicate(timeout=HANG_S)
    assert game.returncode == 0, said
    assert "Traceback" not in said
    assert said.endswith("Stopped. What was played is in the scorebook.\n")
    assert sorted(log.read_text().splitlines()[1:]) == closed
    with open_scorebook(tmp_path / "book.sqlite") as book:
        assert [(len(played.rows), played.problem) for played in book.replay_all()] == [(1, "")]


def test_a_crash_closes_everything_too(tmp_path: Path) -> None:
    game, log = _play(tmp_path, "crash")
    _, said = game.communicate(timeout=HANG_S)
    assert game.returncode == 1
    assert "the sensor is on fire" in said.splitlines()[-1]
    assert sorted(log.read_text().splitlines()[1:]) == ALL_CLOSED


def test_what_ends_by_itself_or_hears_another_signal_is_left_in_peace() -> None:
    left: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        with ends_in_time(lambda: left.append(-1), grace_s=0.0, leave=left.append):
            os.kill(os.getpid(), signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert left == []
    assert not [thread for thread in threading.enumerate() if thread.name == "last resort"]
    assert signal.set_wakeup_fd(-1) == -1
    assert 1.0 <= GRACE_S <= 1.6, "enough of the two seconds to put the lamps out"


COUNTS = """
import ctypes, os, sys, threading
from firmware.cli.sitting.sitting import share_one_heap
library = ctypes.CDLL(None)
if not hasattr(library, "malloc_info"):
    sys.exit("none")
library.fdopen.restype = library.malloc.restype = ctypes.c_void_p
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


def test_threads_share_one_heap(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", COUNTS], cwd=tmp_path, capture_output=True, text=True)
    if done.stderr == "none\n":
        pytest.skip("this C library does not tell of its heaps")
    assert (done.stderr, done.stdout) == ("", "1\n")
