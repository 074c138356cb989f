"""A Mosquitto started for a demo or a test, on loopback, and stopped again. We write none of our own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from firmware.club.topics import ClubError

PATIENCE_S: Final = 5.0
_PLACES: Final = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")


def mosquitto() -> str:
    """Where Mosquitto is; empty where it is not installed."""
    return shutil.which("mosquitto") or next((place for place in _PLACES if Path(place).is_file()), "")


def free_port() -> int:
    """A port of loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """Mosquitto with the configuration in ``folder``, until ``stop``."""

    def __init__(self, folder: Path, port: int) -> None:
        """Raises ClubError where there is none, or it does not come up."""
        self._program, self._folder, self._port = mosquitto(), folder, port
        if not self._program:
            raise ClubError("there is no broker on this machine; install Mosquitto: sudo apt-get install mosquitto.")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, again after ``stop``. Raises ClubError."""
        command = [self._program, "-c", str(self._folder / "mosquitto.conf")]
        with open(self._folder / "mosquitto.log", "ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self._port), 0.5).close()
            except OSError:
                time.sleep(0.03)
            else:
                return
        self.stop()
        raise ClubError(f"Mosquitto did not come up; {self._folder / 'mosquitto.log'} says why.")

    @property
    def pid(self) -> int:
        """Its process; 0 where it is stopped."""
        return 0 if self._process is None else self._process.pid

    def stop(self, *, at_once: bool = False) -> None:
        """Stop it; ``at_once`` as a power cut would."""
        if self._process is None:
            return
        if at_once:
            self._process.kill()
        else:
            self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
