"""A network camera's way into the game, from real servers: ``python tests/bench/bench_stream.py [SERVER …]``.

Needs Debian's gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly motion ffmpeg.
Four minutes; run it before each release, from the project's folder. Each server shows the time in its pictures, so
that the age of each picture is known. It is asked quickly and slowly, frozen, killed and begun again; then its password
is left out and a wrong one given. Exit status 1 where a picture was old, the camera did not come back, a sentence was
missing, or a secret stood in one of them, in the output of a reader, or in the arguments of any process.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final
from urllib.parse import quote

import numpy as np
from stream_servers import ACROSS, DOWN

from firmware.camera.camera import OpenCamera, camera_spec
from firmware.sitting.cameras import open_camera
from vision.camera.sources import Source, SourceError
from vision.frame import Frame
from vision.printed.table import load_table

USER, PASSWORD = "ana", "p@ss:w/örd"
LOGIN: Final = f"{USER}:{quote(PASSWORD, safe='')}@"
SECRETS: Final = (PASSWORD, quote(PASSWORD, safe=""), "p@ss", "p%40ss", "falsch")
MAX_AGE_S: Final = 1.0
"""Half of what ``quiet_s`` and the hands' rest take: people do not see it. Chosen."""
MAX_BACK_S: Final = 12.0
"""The longest wait between two looks in the first minute, with the time that an RTSP camera takes to open."""
SERVERS: Final = Path(__file__).with_name("stream_servers.py")


@dataclass(frozen=True, slots=True)
class Server:
    """``begin`` starts it for a port, in a folder for its files; ``url`` gives its address with this login in it.

    ``passed_over``: so many of its first pictures are not looked at, since it is late with them itself.
    ``one_caller``: it ends with the first connection, as it does where it is frozen for some seconds.
    """

    begin: Callable[[int, Path], list[subprocess.Popen[bytes]]]
    url: Callable[[int, str], str]
    asks_login: bool = True
    passed_over: int = 1
    one_caller: bool = False


def started(*words: object, feed: subprocess.Popen[bytes] | None = None) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    given = quiet if feed is None else feed.stdout
    return subprocess.Popen([str(word) for word in words], stdin=given, stdout=quiet, stderr=quiet)


def rtsp(port: int, codec: str, *login: str) -> subprocess.Popen[bytes]:
    return started("/usr/bin/python3", SERVERS, "rtsp", port, codec, *login)


def gstreamer(codec: str, how: str) -> Server:
    return Server(
        lambda port, _: [rtsp(port, codec, how, USER, PASSWORD)],
        lambda port, login: f"rtsp://{login}127.0.0.1:{port}/stream",
    )


def begin_ffmpeg(port: int, _: Path) -> list[subprocess.Popen[bytes]]:
    feed = subprocess.Popen(["/usr/bin/python3", str(SERVERS), "frames"], stdout=subprocess.PIPE)
    raw = ("-f", "rawvideo", "-pix_fmt", "gray", "-s", "640x480", "-r", "20", "-i", "-", "-c:v", "mjpeg", "-q:v", "3")
    kind = ("-f", "mpjpeg", "-content_type", "multipart/x-mixed-replace;boundary=ffmpeg", "-listen", "1")
    serving = started("ffmpeg", "-loglevel", "quiet", *raw, *kind, f"http://127.0.0.1:{port}/video", feed=feed)
    assert feed.stdout is not None
    feed.stdout.close()
    return [serving, feed]


def motion(method: int) -> Server:
    def begin(port: int, folder: Path) -> list[subprocess.Popen[bytes]]:
        source = free_port()
        (folder / "motion.conf").write_text(
            f"netcam_url rtsp://127.0.0.1:{source}/stream\nwidth 640\nheight 480\nframerate 20\n"
            f"stream_port {port}\nstream_localhost on\nstream_maxrate 20\nstream_quality 80\n"
            f"stream_auth_method {method}\nstream_authentication {USER}:{PASSWORD}\nwebcontrol_port 0\n"
            f"picture_output off\nmovie_output off\nemulate_motion off\ntext_right\ntarget_dir {folder}\n"
            f"log_file {folder}/motion.log\npid_file {folder}/motion.pid\ndaemon off\n",
            encoding="utf-8",
        )
        camera = rtsp(source, "h264")
        wait_for(source)
        return [started("motion", "-n", "-c", folder / "motion.conf"), camera]

    return Server(begin, lambda port, login: f"http://{login}127.0.0.1:{port}/0/stream", passed_over=60)


SERVERS_BY_NAME: Final = {
    "gstreamer-h264-digest": gstreamer("h264", "digest"),
    "gstreamer-jpeg-basic": gstreamer("jpeg", "basic"),
    "ffmpeg-mjpeg": Server(
        begin_ffmpeg, lambda port, login: f"http://{login}127.0.0.1:{port}/video", False, one_caller=True
    ),
    "motion-mjpeg-basic": motion(1),
    "motion-mjpeg-digest": motion(2),
}
bad: list[str] = []


def expect(what: str, good: bool) -> None:
    print(f"  {'ok ' if good else 'BAD'} {what}", flush=True)
    if not good:
        bad.append(what)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def wait_for(port: int) -> None:
    """Until somebody listens there. ``ffmpeg -listen 1`` serves one caller only: nobody calls."""
    wanted = f"0100007F:{port:04X}"
    until_s = time.monotonic() + 30
    while not any(line.split()[1] == wanted and line.split()[3] == "0A" for line in listening()):
        if time.monotonic() > until_s:
            raise SystemExit(f"the server does not listen on port {port}: are the packages installed?")
        time.sleep(0.05)


def listening() -> list[str]:
    return Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]


@contextmanager
def served(server: Server, port: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    with tempfile.TemporaryDirectory() as folder:
        processes = server.begin(port, Path(folder))
        try:
            wait_for(port)
            yield processes
        finally:
            for process in processes:
                process.kill()
                process.wait()


def age_s(frame: Frame) -> float:
    """How long ago the picture was made, from its squares."""
    height, width = frame.y.shape
    middle = frame.y[height // DOWN // 2 :: height // DOWN, width // ACROSS // 2 :: width // ACROSS][:DOWN, :ACROSS]
    bits = (np.asarray(middle) > 128).ravel()
    shown_ms = sum(1 << place for place, bit in enumerate(bits) if bit)
    whole_ms = 1 << ACROSS * DOWN
    return ((int(time.monotonic() * 1000) - shown_ms + 60_000) % whole_ms - 60_000) / 1000


def ages(camera: OpenCamera, pictures: int, pause_s: float = 0.0) -> list[float]:
    """Of so many pictures, asked for one after the other."""
    found: list[float] = []
    for _ in range(10 * pictures):
        time.sleep(pause_s)
        frame = camera.source.read()
        if frame is not None and frame.y.size:
            found.append(age_s(frame))
        if len(found) == pictures:
            break
    return found


def fresh(camera: OpenCamera, what: str, pictures: int, pause_s: float = 0.0) -> None:
    found = ages(camera, pictures, pause_s)
    told = f"{median(found):.2f} s in the middle, {max(found):.2f} s at most" if found else "none"
    expect(f"{what}: {len(found)} pictures, {told} old", len(found) == pictures and max(found) < MAX_AGE_S)


def until(camera: OpenCamera, there: bool, within_s: float) -> float | None:
    """Seconds until a picture is there or not; None if that takes longer."""
    began_s = time.monotonic()
    while time.monotonic() - began_s < within_s:
        frame = camera.source.read()
        if frame is not None and bool(frame.y.size) == there:
            return time.monotonic() - began_s
    return None


def until_served(source: Source) -> None:
    """Until a picture has come with the right login: a server that has just begun turns everybody away."""
    while (frame := source.read()) is not None and not frame.y.size:
        pass


def comes_back(camera: OpenCamera, what: str, within_s: float = MAX_BACK_S) -> None:
    """The first picture of a connection may have waited in the server: how old it is is left out."""
    took_s = until(camera, True, within_s)
    expect(f"{what}: pictures {'never' if took_s is None else f'after {took_s:.1f} s'}", took_s is not None)


def goes(camera: OpenCamera, what: str) -> None:
    took_s = until(camera, False, 3.0)
    expect(f"{what}: noticed {'not' if took_s is None else f'after {took_s:.1f} s'}", took_s is not None)


def frozen(camera: OpenCamera, processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        os.kill(process.pid, signal.SIGSTOP)
    goes(camera, "server frozen")
    time.sleep(3)
    for process in processes:
        os.kill(process.pid, signal.SIGCONT)
    comes_back(camera, "server goes on")
    ages(camera, 2)  # what stood in the server meanwhile
    fresh(camera, "asked again", 10)


def lived_through(server: Server) -> None:
    port = free_port()
    table = load_table("hardware/table.toml")
    url = server.url(port, LOGIN if server.asks_login else "")
    with served(server, port) as processes:
        camera = open_camera(camera_spec(url), table, waits=True)
        comes_back(camera, "server begun", 2 * MAX_BACK_S)
        ages(camera, server.passed_over)
        fresh(camera, "asked at once", 30)
        fresh(camera, "asked every 0.7 s", 8, 0.7)
        fresh(camera, "asked after 15 s of nothing", 1, 15.0)
        if not server.one_caller:
            frozen(camera, processes)
    with closing(camera.source):
        goes(camera, "server killed")
        until(camera, True, 4.0)
        with served(server, port):
            comes_back(camera, "server begun again")
            ages(camera, server.passed_over)
            fresh(camera, "asked again", 10)
    if server.asks_login:
        with served(server, port), closing(open_camera(camera_spec(url), table, waits=True).source) as source:
            until_served(source)
            for what, login in (("no password", ""), ("wrong password", f"{USER}:falsch@")):
                try:
                    open_camera(camera_spec(server.url(port, login)), table).source.close()
                    expect(f"{what}: refused", False)
                except SourceError as error:
                    expect(f"{what}: {error}", "password" in str(error).lower())


def watch_arguments(session: int, seen: set[str]) -> None:
    """Every process of this session but the servers."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) != session:
                continue
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if "stream_servers" not in words and any(secret in words for secret in SECRETS):
            seen.add(words.replace("\0", " "))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("servers", nargs="*", choices=[[], *SERVERS_BY_NAME], help="default: all", metavar="SERVER")
    arguments.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    wanted = arguments.parse_args()
    if wanted.inside:
        for name in wanted.servers or SERVERS_BY_NAME:
            print(name, flush=True)
            lived_through(SERVERS_BY_NAME[name])
        return 1 if bad else 0
    # What it prints and what its readers print, libraries included, comes through here.
    child = subprocess.Popen(
        [sys.executable, __file__, "--inside", *wanted.servers],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    seen: set[str] = set()
    printed = []
    for line in child.stdout:
        print(line, end="", flush=True)
        printed.append(line)
        watch_arguments(child.pid, seen)
    leaked = [line for line in printed if any(secret in line for secret in SECRETS)]
    expect(f"secrets in the output: {leaked}", not leaked)
    expect(f"secrets in arguments of processes: {sorted(seen)}", not seen)
    return 1 if child.wait() or bad else 0


if __name__ == "__main__":
    sys.exit(main())
