"""A Mosquitto started for a demo or a test, on loopback, and stopped again. We write none of our own."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from firmware.core.io.files import append_stream
from firmware.extras.club.topics import ClubError

PATIENCE_S: Final = 5.0
SETTINGS_OF_2_0: Final = "mosquitto.conf"
SETTINGS: Final = "mosquitto-2.1.conf"
"""For Mosquitto 2.1 and later."""
_PLUGINS: Final = ("/usr/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib", "/usr/local/lib*", "/opt/homebrew/lib")
_PLACES: Final = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")


def mosquitto() -> str:
    """Where Mosquitto is; empty where it is not installed."""
    return shutil.which("mosquitto") or next((place for place in _PLACES if Path(place).is_file()), "")


def settings_of(version: str) -> str:
    """The settings' file for the Mosquitto whose ``-h`` begins like this: ``mosquitto version 2.0.11``."""
    found = re.search(r"version (\d+)\.(\d+)", version)
    return SETTINGS if found is not None and (int(found[1]), int(found[2])) >= (2, 1) else SETTINGS_OF_2_0


def settings_here() -> str:
    """The settings' file for the Mosquitto of this machine; for 2.0 where there is none."""
    if not (program := mosquitto()):
        return SETTINGS_OF_2_0
    told = subprocess.run([program, "-h"], capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    return settings_of(told.stdout)


def library(name: str) -> str:
    """Where this plugin of Mosquitto is; its bare name, which the system's linker looks for, where it is not here."""
    root = Path("/")
    places = (place for folder in _PLUGINS for place in sorted(root.glob(f"{folder[1:]}/{name}")))
    return str(next(places, name))


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
        command = [self._program, "-c", str(self._folder / settings_here())]
        with append_stream(self._folder / "mosquitto.log") as log:
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
