"""Cameras in the network: what real servers send, well and badly, over real connections to this machine."""

from __future__ import annotations

import base64
import hashlib
import http.server
import re
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli.main import main
from firmware.table.camera.stream import StreamCamera, open_stream
from tests.fakes.reopened import Reopened
from vision.camera.sources import SourceError
from vision.frame import Frame

pytestmark = pytest.mark.slow

USER, PASSWORD = "ana", "p@ss:w/örd"
LOGIN = "ana:p%40ss%3Aw%2F%C3%B6rd@"
FOREVER_S = 60.0


def jpeg(tone: int, width: int = 64, height: int = 48) -> bytes:
    """A picture that is noisy, as every camera's is, around a tone of grey."""
    noise = np.random.default_rng(tone).integers(-6, 7, (height, width, 3))
    done, data = cv2.imencode(".jpg", np.clip(noise + tone, 0, 255).astype(np.uint8))
    assert done
    return data.tobytes()


def part(data: bytes, boundary: bytes = b"frame", *, length: bool = True) -> bytes:
    """A part as mjpg-streamer sends it (input_uvc 1.0.0, output_http.c)."""
    told = b"Content-Length: %d\r\n" % len(data) if length else b""
    return b"--" + boundary + b"\r\nContent-Type: image/jpeg\r\n" + told + b"\r\n" + data + b"\r\n"


class Answers:
    """What the server does with each question: the n-th of ``ways``, the last of them for all that follow."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked = 0
        self.ways: list[Callable[[http.server.BaseHTTPRequestHandler], None]] = []
        self.stop = threading.Event()

    def answer(self, handler: http.server.BaseHTTPRequestHandler) -> None:
        self.asked += 1
        self.ways[min(self.asked, len(self.ways)) - 1](handler)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever asked has gone."""


@pytest.fixture
def server() -> Iterator[Answers]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers.answer(self)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with Server(("127.0.0.1", 0), Handler) as made:
        answers = Answers(f"http://127.0.0.1:{made.server_address[1]}/video?token=secret")
        serving = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        yield answers
        answers.stop.set()
        made.shutdown()
        serving.join()


def reopened(camera: StreamCamera) -> Reopened:
    """Read again after a camera failed as soon as a twentieth of the time has passed that it takes at a table."""
    return Reopened(camera, lambda: 20 * time.monotonic(), lambda seconds: time.sleep(seconds / 20))


@pytest.fixture
def opened() -> Iterator[Callable[[str], Reopened]]:
    cameras: list[Reopened] = []

    def open_it(url: str) -> Reopened:
        cameras.append(reopened(StreamCamera(url, "http://told")))
        return cameras[-1]

    yield open_it
    for camera in cameras:
        camera.close()


def batched(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def header(handler: http.server.BaseHTTPRequestHandler, kind: str, status: int = 200, **more: str) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    for name, value in more.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


def streaming(
    *parts: bytes, kind: str = "multipart/x-mixed-replace; boundary=frame", pause_s: float = 0.03, then: str = "again"
) -> Callable[[http.server.BaseHTTPRequestHandler], None]:
    """A stream of these parts; ``then`` it sends them ``again``, is ``cut`` off, or ``hang``s."""

    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        header(handler, kind)
        while True:
            for each in parts:
                handler.wfile.write(each)
                handler.wfile.flush()
                time.sleep(pause_s)
            if then == "cut":
                return
            if then == "hang":
                time.sleep(FOREVER_S)

    return answer


def seen_of(camera: Reopened, within_s: float = 15.0) -> Frame:
    """The next frame with a picture."""
    until_s = time.monotonic() + within_s
    while time.monotonic() < until_s:
        frame = camera.read()
        assert frame is not None
        if frame.y.size:
            return frame
    raise AssertionError("no picture came")


def test_a_stream_of_pictures_is_a_camera(server: Answers, opened: Callable[[str], Reopened]) -> None:
    server.ways = [streaming(part(jpeg(60)), part(jpeg(160)))]
    camera = opened(server.url)
    frames = [seen_of(camera) for _ in range(6)]
    assert {round(float(frame.y.mean()), -1) for frame in frames} == {60.0, 160.0}
    assert [frame.index for frame in frames] == list(range(6))
    assert all(before.t_s < after.t_s for before, after in pairwise(frames))
    assert frames[0].y.shape == (48, 64)
    assert frames[0].bgr().shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("multipart/x-mixed-replace; boundary=other", [part(jpeg(90))]),  # the header names another boundary
        ("multipart/x-mixed-replace; boundary=--frame", [part(jpeg(90))]),
        ("multipart/x-mixed-replace", [part(jpeg(90))]),
        ("multipart/x-mixed-replace; boundary=frame", [part(jpeg(90), length=False)]),
        ("multipart/x-mixed-replace; boundary=frame", [b"\r\n\r\n" + part(jpeg(90)).replace(b"\r\n", b"\n", 4)]),
        ("multipart/mixed; boundary=frame", [part(b"a word"), part(jpeg(90))]),
        ("multipart/x-mixed-replace; boundary=frame", [part(b"\xff\xd8 no picture"), part(jpeg(90))]),
        ("multipart/x-mixed-replace; boundary=frame", [part(jpeg(90)).replace(b"Content-Length", b"CONTENT-LENGTH ")]),
    ],
)
def test_a_picture_is_found_in_whatever_servers_send(
    server: Answers, opened: Callable[[str], Reopened], kind: str, parts: list[bytes]
) -> None:
    server.ways = [streaming(*parts, kind=kind)]
    camera = opened(server.url)
    for _ in range(3):
        assert abs(float(seen_of(camera).y.mean()) - 90) < 3


def test_pictures_that_nobody_asked_for_are_passed_over(server: Answers, opened: Callable[[str], Reopened]) -> None:
    """A slow reader sees what the camera sees now, not what it saw while he was busy."""
    now = [20]

    def counting(handler: http.server.BaseHTTPRequestHandler) -> None:
        header(handler, "multipart/x-mixed-replace; boundary=frame")
        while not server.stop.is_set():
            handler.wfile.write(part(jpeg(now[0])))
            time.sleep(0.02)

    server.ways = [counting]
    camera = opened(server.url)
    seen_of(camera)
    now[0] = 200
    time.sleep(0.5)  # what is on its way over the connection by now is read before the question
    assert float(seen_of(camera).y.mean()) > 150


def test_a_single_picture_is_asked_for_again_and_again(server: Answers, opened: Callable[[str], Reopened]) -> None:
    def photo(handler: http.server.BaseHTTPRequestHandler) -> None:
        header(handler, "image/jpeg")
        handler.wfile.write(jpeg(20 + 10 * server.asked))

    server.ways = [photo]
    camera = opened(server.url)
    tones = [float(seen_of(camera).y.mean()) for _ in range(4)]
    assert tones == sorted(tones)
    assert tones[-1] - tones[0] > 25
    assert server.asked <= 6


def test_a_film_over_http_is_read_by_opencv(server: Answers, opened: Callable[[str], Reopened], tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for _ in range(400):
        writer.write(np.full((48, 64, 3), 120, np.uint8))
    writer.release()

    def file(handler: http.server.BaseHTTPRequestHandler) -> None:
        header(handler, "video/x-msvideo", Content_Length=str(film.stat().st_size))
        for piece in batched(film.read_bytes(), 1000):
            handler.wfile.write(piece)
            time.sleep(0.005)

    server.ways = [file]
    assert abs(float(seen_of(opened(server.url)).y.mean()) - 120) < 4


@pytest.mark.parametrize(
    "lost",
    [
        streaming(part(jpeg(90)), then="cut"),
        streaming(part(jpeg(90)), part(jpeg(90))[:300], then="cut"),
        streaming(part(jpeg(90)), b"--frame\r\nContent-Length: 99999999999\r\n\r\n"),
        streaming(part(jpeg(90)), b"--frame\r\nContent-Length: -5\r\n\r\n"),
        streaming(part(jpeg(90)), b"--frame\r\nContent-Length: many\r\n\r\n"),
        streaming(part(jpeg(90)), part(jpeg(90, 96, 64))),  # a phone that was turned
    ],
)
def test_a_stream_that_is_lost_is_asked_for_again(
    server: Answers, opened: Callable[[str], Reopened], lost: Callable[..., None]
) -> None:
    refused = lambda handler: header(handler, "text/plain", 503)  # noqa: E731
    server.ways = [lost, refused, streaming(part(jpeg(200)))]
    camera = opened(server.url)
    frames = [camera.read()]
    while (frame := frames[-1]) is not None and (not frame.y.size or frame.y.mean() < 150):
        frames.append(camera.read())
    assert len({frame.y.shape for frame in frames if frame is not None and frame.y.size}) == 1
    assert any(frame is not None and not frame.y.size for frame in frames)
    assert server.asked == 3


@pytest.mark.parametrize("way", ["silent", "endless part", "trickle"])
def test_a_stream_that_stalls_is_gone_and_comes_back(
    server: Answers, opened: Callable[[str], Reopened], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stalled(handler: http.server.BaseHTTPRequestHandler) -> None:
        header(handler, "multipart/x-mixed-replace; boundary=frame")
        handler.wfile.write(part(jpeg(90)) + part(jpeg(90)))
        if way == "endless part":
            handler.wfile.write(b"--frame\r\n\r\n\xff\xd8")
        while not server.stop.is_set():
            if way == "endless part":
                handler.wfile.write(bytes(1_000_000))
            if way == "trickle":
                handler.wfile.write(b"x")
            time.sleep(0.01)

    monkeypatch.setattr("firmware.table.camera.stream.SILENCE_S", 0.5)
    server.ways = [stalled, streaming(part(jpeg(200)))]
    camera = opened(server.url)
    while float(seen_of(camera).y.mean()) < 150:
        pass
    assert server.asked == 2


def test_a_picture_that_unpacks_to_gigabytes_is_none(server: Answers, opened: Callable[[str], Reopened]) -> None:
    data = bytearray(jpeg(90))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = b"\xff\xdc\xff\xdc"
    server.ways = [streaming(part(bytes(data)), part(jpeg(120)))]
    assert abs(float(seen_of(opened(server.url)).y.mean()) - 120) < 3


def basic(handler: http.server.BaseHTTPRequestHandler) -> bool:
    return (
        handler.headers.get("Authorization", "") == f"Basic {base64.b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}"
    )


def digest(handler: http.server.BaseHTTPRequestHandler) -> bool:
    said = dict(re.findall(r'(\w+)="?([^",]+)"?', handler.headers.get("Authorization", "")))
    if not said:
        return False

    def hashed(text: str) -> str:
        return hashlib.new(said["algorithm"].lower().replace("-", ""), text.encode()).hexdigest()

    who, what = hashed(f"{USER}:camera:{PASSWORD}"), hashed(f"GET:{handler.path}")
    return str(said["response"]) == hashed(f"{who}:{said['nonce']}:{said['nc']}:{said['cnonce']}:{said['qop']}:{what}")


def offered(algorithm: str) -> str:
    return f'Digest realm="camera", nonce="abc", qop="auth", algorithm={algorithm}'


@pytest.mark.parametrize(
    ("let_in", "asks"),
    [
        (basic, ['Basic realm="camera"']),
        (digest, [offered("MD5")]),
        (digest, [offered("md5")]),  # libmicrohttpd 0.9.75, which Motion 4.5.1 serves with
        (digest, [offered("SHA-256")]),
        (digest, [offered("SHA-512-256"), offered('"SHA-256"'), offered("MD5"), 'Basic realm="camera"']),
    ],
)
@pytest.mark.parametrize("path", ["/video", "/there"])
def test_who_has_the_password_is_let_in(
    server: Answers,
    opened: Callable[[str], Reopened],
    let_in: Callable[[http.server.BaseHTTPRequestHandler], bool],
    asks: list[str],
    path: str,
) -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        if let_in(handler):
            streaming(part(jpeg(90)))(handler)
        elif handler.path == "/there":
            header(handler, "text/html", 302, Location="/video")
        else:
            handler.send_response(401)
            for offer in asks:
                handler.send_header("WWW-Authenticate", offer)
            handler.end_headers()

    server.ways = [answer]
    host = server.url.removeprefix("http://").partition("/")[0]
    seen_of(opened(f"http://{LOGIN}{host}{path}"))
    for wrong, times in (("", 1), ("ana:wrong@", 2)):
        server.asked = 0
        with pytest.raises(SourceError, match="USER:PASSWORD"):
            opened(f"http://{wrong}{host}/video")
        assert server.asked <= times, "cameras lock out whoever goes on trying"


@pytest.mark.parametrize(
    ("way", "cure"),
    [
        (lambda handler: header(handler, "text/html"), "the address of its video"),
        (lambda handler: header(handler, "text/html", 404), "404"),
        (lambda handler: header(handler, "text/html", 401, WWW_Authenticate='Secret realm="x"'), "login"),
        (lambda handler: header(handler, "text/html", 302, Location="file:///etc/passwd"), "302"),
        (lambda handler: header(handler, "text/html", 401, WWW_Authenticate=offered("SHA-512-256")), "login"),
        (lambda handler: handler.wfile.write(b"RTSP/1.0 400 Bad Request\r\n\r\n"), "no HTTP"),
        (lambda handler: None, "closed"),
        (lambda handler: header(handler, "video/mp4"), "video player"),
    ],
)
def test_what_is_no_stream_is_told_with_its_cure_and_without_the_address(
    server: Answers,
    way: Callable[[http.server.BaseHTTPRequestHandler], None],
    cure: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    server.ways = [way]
    url = server.url.replace("http://", f"http://{LOGIN}")
    words = ["watch", "--headless", "--frames", "1", "--camera", url]
    assert main(words) == 1
    told = "".join(capfd.readouterr())
    assert cure in told
    assert server.url.partition("/video")[0] in told
    for secret in ("ana", "p%40", "p@ss", "w/ord", "token", "secret"):
        assert secret not in told.replace(str(tmp_path), "")


RTSP = """
import time
import cv2, numpy as np
class VideoCapture:  # as much as OpenCV 4.6 (Debian 12) and 4.10 (Debian 13) have alike: neither has deadlines set
    def __init__(self, url, backend):
        assert (url, backend) == ("rtsp://ana:secret@camera/1", cv2.CAP_FFMPEG)
        self.grabbed = 0
        with open(COUNT, "a+") as file:
            file.write("x")
            file.seek(0)
            self.opened = len(file.read())
        if self.opened == 2: time.sleep(30)  # a camera that starts anew answers nobody
    def isOpened(self): return self.opened != 3
    def get(self, prop): return {cv2.CAP_PROP_FRAME_WIDTH: 64.0, cv2.CAP_PROP_FRAME_HEIGHT: 48.0}.get(prop, 0.0)
    def grab(self):
        time.sleep(0.02)
        self.grabbed += 1
        if self.opened == 1 and self.grabbed > 10: time.sleep(30)
        return True
    def retrieve(self): return True, np.full((48, 64, 3), 10 * self.opened, np.uint8)
cv2.VideoCapture = VideoCapture
from firmware.table.camera.stream import FUNCTIONS
"""


def test_rtsp_that_hangs_wherever_it_can_is_gone_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rtsp_stub.py").write_text(f"COUNT = {str(tmp_path / 'opened')!r}\n{RTSP}", encoding="utf-8")
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    stream = StreamCamera("rtsp://ana:secret@camera/1", "rtsp://camera/…", module="rtsp_stub")
    camera = reopened(stream)
    monkeypatch.setattr("firmware.table.camera.stream.OPEN_S", 1.0)
    monkeypatch.setattr("firmware.table.camera.stream.SILENCE_S", 0.5)
    tones = []
    while 40 not in tones:
        frame = camera.read()
        assert frame is not None
        tones.append(int(frame.y[0, 0]) if frame.y.size else None)
    camera.close()
    assert tones[0] == 10
    assert None in tones
    assert {10, 40, None} == set(tones)


def test_where_nobody_listens_that_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    for url in ("http://ana:geheim@127.0.0.1:9/video", "rtsp://ana:geheim@127.0.0.1:9/geheim"):
        assert main(["watch", "--headless", "--frames", "1", "--camera", url]) == 1
        told = "".join(capfd.readouterr())
        assert "127.0.0.1:9" in told
        assert "geheim" not in told


class Rtsp(socketserver.BaseRequestHandler):
    """A camera that answers every question with the same status (RFC 2326), as its own words have it."""

    status = ""

    def handle(self) -> None:
        while asked := self.request.recv(4096).decode(errors="replace"):
            number = asked.lower().partition("cseq:")[2].split("\r\n")[0].strip()
            login = '\r\nWWW-Authenticate: Basic realm="camera"' if "401" in self.status else ""
            self.request.sendall(f"RTSP/1.0 {self.status}\r\nCSeq: {number}{login}\r\n\r\n".encode())


@pytest.mark.parametrize(
    ("status", "login", "found"),
    [
        ("401 Unauthorized", "", "one that wants a login (answer 401)"),
        ("401 Unauthorized", "ana:geheim@", "one that wants another login (answer 401)"),
        ("404 Not Found", "ana:geheim@", "the answer 404"),
    ],
)
def test_an_rtsp_camera_that_lets_nobody_in_says_why(status: str, login: str, found: str) -> None:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), type("Camera", (Rtsp,), {"status": status})) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            refusal = open_stream(f"rtsp://{login}127.0.0.1:{server.server_address[1]}/stream")
        finally:
            server.shutdown()
            thread.join()
    assert refusal is not None
    assert refusal.found == found
    assert ("rtsp://USER:PASSWORD@HOST" in refusal.cure) == status.startswith("401")
    assert "geheim" not in refusal.cure
