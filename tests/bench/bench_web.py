"""A crowd at the web server's door: idle connections and half requests. Run it as a script.

A match at the simulated table runs alone and with the crowd: frames looked at by its clock, verdicts, the time its
processor took, what it said on standard error, and how soon a visitor from the table's own machine is answered. With
``--pages`` every page of scoreboard, first start and wall is asked for while the crowd stands there, also from the
crowd's own address.
"""

from __future__ import annotations

import argparse
import http.client
import json
import math
import os
import re
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]
HALF = b"GET /state.json HTTP/1.1\r\nHost: loc"


class Crowd:
    """So many connections from so many addresses of this machine; one that is closed on is opened again."""

    def __init__(self, port: int, idle: int, half: int, addresses: int) -> None:
        self._port, self._wanted, self._addresses = port, [b""] * idle + [HALF] * half, addresses
        self._selector = selectors.DefaultSelector()
        self._missing = [*range(len(self._wanted))]
        self._over = threading.Event()
        self.opened = self.closed = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()
        for key in [*self._selector.get_map().values()]:
            key.fileobj.close()  # type: ignore[union-attr]

    def _run(self) -> None:
        while not self._over.is_set():
            for _ in range(min(100, len(self._missing))):
                self._open(self._missing.pop())
            for key, _ in self._selector.select(timeout=0.05):
                self._hear(key)
            time.sleep(0.02)

    def _open(self, number: int) -> None:
        made = socket.socket()
        made.setblocking(False)
        with suppress(OSError):
            made.bind((f"127.0.1.{1 + number % self._addresses}", 0))
        with suppress(BlockingIOError):
            made.connect(("127.0.0.1", self._port))
        self.opened += 1
        self._selector.register(made, selectors.EVENT_WRITE, number)

    def _hear(self, key: selectors.SelectorKey) -> None:
        made = key.fileobj
        assert isinstance(made, socket.socket)
        try:
            if key.events == selectors.EVENT_WRITE:
                made.send(self._wanted[key.data])
                self._selector.modify(made, selectors.EVENT_READ, key.data)
                return
            if made.recv(4096):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._selector.unregister(made)
        made.close()
        self.closed += 1
        self._missing.insert(0, key.data)


@dataclass
class Seen:
    """What a while of refereeing came to."""

    verdicts: int = 0
    pace: float = float("nan")  # seconds of the table's clock in a second of ours
    cpu_s: float = 0.0
    most_open: int = 0
    said: str = ""
    asked_ms: list[float] = field(default_factory=list)
    refused: int = 0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def referee(seconds: float, crowd: tuple[int, int, int] | None, descriptors: int) -> Seen:
    """A match for so long; the crowd comes once the door is open."""
    port, seen = free_port(), Seen()
    with tempfile.TemporaryDirectory(prefix="engarde-web-") as there:
        words = ["play", "--camera", "synthetic", "--headless", "--json", "--new", "--web"]
        process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words, str(port), "--scorebook", str(Path(there) / "book.sqlite")],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)),
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": there, "HOME": there},
        )
        lines: list[tuple[float, str]] = []
        assert process.stdout is not None
        reading = threading.Thread(target=_listen, args=(process.stdout, lines), daemon=True)
        reading.start()
        while not asked(port, seen):
            time.sleep(0.2)
        seen.asked_ms.clear()
        seen.refused = 0
        began, before_s, until = time.monotonic(), cpu_s(process.pid), time.monotonic() + seconds
        outside = Crowd(port, *crowd) if crowd is not None else None
        while time.monotonic() < until:
            asked(port, seen)
            seen.most_open = max(seen.most_open, len(os.listdir(f"/proc/{process.pid}/fd")))
            time.sleep(0.25)
        seen.cpu_s = (cpu_s(process.pid) - before_s) / (time.monotonic() - began)
        if outside is not None:
            outside.end()
            print(f"        the crowd opened {outside.opened} connections, {outside.closed} were closed on it")
        process.terminate()
        assert process.stderr is not None
        seen.said = process.stderr.read()
        process.wait()
        reading.join()
        told = [(at_s, json.loads(line)["t"]) for at_s, line in lines if began <= at_s <= until]
        seen.verdicts = len(told)
        if len(told) > 1:
            seen.pace = (told[-1][1] - told[0][1]) / (told[-1][0] - told[0][0])
    return seen


def _listen(out: IO[str], lines: list[tuple[float, str]]) -> None:
    for line in out:
        lines.append((time.monotonic(), line))


def asked(port: int, seen: Seen) -> bool:
    began = time.perf_counter()
    try:
        with urlopen(f"http://127.0.0.1:{port}/state.json", timeout=5) as found:
            found.read()
    except OSError:
        seen.refused += 1
        return False
    seen.asked_ms.append((time.perf_counter() - began) * 1000)
    return True


def cpu_s(pid: int) -> float:
    """What this process has used of the processor, with its helpers."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


WALL = """
from types import SimpleNamespace
from firmware.extras.club.server import WallServer
from firmware.web.serving import Changing
import sys, threading
hall = SimpleNamespace(evening=SimpleNamespace(now=None), snapshot=Changing(), fencers={"1": "{}"})
server = WallServer(hall, "en", port=int(sys.argv[1]))
threading.Event().wait()
"""
# The command of each server, and its pages.
SERVERS = {
    "scoreboard": (
        ["-m", "firmware", "play", "--camera", "synthetic", "--headless", "--new", "--web"],
        ("/", "/overlay", "/state.json", "/match/1"),
    ),
    "first start": (
        ["-m", "firmware", "setup", "--headless", "--camera", "synthetic", "--port"],
        ("/", "/state.json", "/picture.jpg"),
    ),
    "wall": (["-c", WALL], ("/", "/wall.json", "/words.json", "/fencers", "/fencers.json", "/fencer/1")),
}


def pages(name: str, seconds: float, crowd: tuple[int, int, int], descriptors: int) -> bool:
    """Whether each page of this server answered every time, the program lived on and kept within its descriptors."""
    command, paths = SERVERS[name]
    port, waits = free_port(), {path: list[float]() for path in paths}
    with tempfile.TemporaryDirectory(prefix="engarde-web-") as there:
        with open(Path(there) / "said", "w+", encoding="utf-8") as said:
            process = subprocess.Popen(
                [sys.executable, *command, str(port)],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=said,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)),
                env={
                    **os.environ,
                    "PYTHONPATH": str(ROOT),
                    "XDG_CONFIG_HOME": there,
                    "XDG_DATA_HOME": there,
                    "HOME": there,
                },
            )
            while not status_of(port, "/", ""):
                time.sleep(0.2)
            code = re.search(r"/#(\w+)", (Path(there) / "said").read_text(encoding="utf-8"))
            outside, most_open, failed = Crowd(port, *crowd), 0, 0
            until = time.monotonic() + seconds
            while time.monotonic() < until and process.poll() is None:
                for path, waited in waits.items():
                    began = time.perf_counter()
                    if status_of(port, path, "" if code is None else code[1], source=f"127.0.1.{1 + len(waited) % 2}"):
                        waited.append(time.perf_counter() - began)
                    else:
                        failed += 1
                most_open = max(most_open, len(os.listdir(f"/proc/{process.pid}/fd")))
                time.sleep(0.1)
            outside.end()
            lived = process.poll() is None
            process.terminate()
            process.wait()
        for path, waited in waits.items():
            middle, slowest = statistics.median(waited or [math.nan]), max(waited, default=math.nan)
            print(f"{name:12} {path:14} {len(waited)} answers in {middle:.2f} s, the slowest in {slowest:.2f} s")
        print(f"{name:12} {failed} not answered; at most {most_open} descriptors; {'lived' if lived else 'ENDED'}")
    return lived and not failed and most_open <= descriptors


def status_of(port: int, path: str, code: str, source: str = "127.0.0.1") -> int:
    """The status of this page's answer; 0 for none within ten seconds."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    try:
        asked.request("GET", path, headers={"X-Engarde-Code": code})
        answer = asked.getresponse()
        answer.read()
        return answer.status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        asked.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="of each run (default: %(default)s)")
    parser.add_argument("--idle", type=int, default=5000, help="idle connections (default: %(default)s)")
    parser.add_argument("--half", type=int, default=1000, help="half requests (default: %(default)s)")
    parser.add_argument("--addresses", type=int, default=200, help="they come from (default: %(default)s)")
    parser.add_argument("--descriptors", type=int, default=1024, help="the program may open (default: %(default)s)")
    parser.add_argument("--pages", action="store_true", help="ask for every page of every server")
    args = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if args.pages:
        outside = args.idle, args.half, args.addresses
        kept = {name: pages(name, args.seconds, outside, args.descriptors) for name in SERVERS}
        return 0 if all(kept.values()) else 1
    crowds = {"alone": None, "crowd": (args.idle, args.half, args.addresses), "one address": (args.idle, args.half, 1)}
    quiet = True
    for name, crowd in crowds.items():
        seen = referee(args.seconds, crowd, args.descriptors)
        asked_ms = sorted(seen.asked_ms) or [float("nan")]
        print(
            f"{name:12} {seen.verdicts} verdicts; {seen.pace / seen.cpu_s:.1f} s of the table in one of the processor; "
            f"at most {seen.most_open} descriptors; {len(seen.asked_ms)} visits answered in "
            f"{statistics.median(asked_ms):.0f} ms (slowest {asked_ms[-1]:.0f}), {seen.refused} turned away; "
            f"on standard error: {seen.said.strip()!r}"
        )
        quiet = quiet and "Traceback" not in seen.said and "cannot be opened" not in seen.said
    return 0 if quiet else 1


if __name__ == "__main__":
    sys.exit(main())
