"""A camera in the network: a phone's camera program, an IP camera, by the address that it gives its pictures at.

Bytes from the network are read and decoded in another process, which has the ``FUNCTIONS`` of this module and is ended
where it is late: a silent, slow or hostile server costs that process, and libraries print no address with its password.

HTTP brings JPEG pictures in a multipart stream, or one of them each time it is asked; every other stream, and RTSP, is
read by OpenCV's FFmpeg. Between two questions pictures are read and passed over: whoever asks gets one that came after
the question.
"""

from __future__ import annotations

import hashlib
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPException, HTTPMessage, HTTPResponse
from socket import create_connection
from ssl import SSLCertVerificationError
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import (
    BaseHandler,
    HTTPBasicAuthHandler,
    HTTPDefaultErrorHandler,
    HTTPDigestAuthHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPPasswordMgrWithDefaultRealm,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
)

import cv2
import numpy as np

from firmware.table.readers.apart import START_S, Apart, NoAnswerError
from firmware.table.readers.progress import Limits
from vision.camera.settling import CameraFeedback
from vision.camera.sources import PERIOD_S, OneSize, SourceError, frame_of
from vision.frame import Frame, Picture
from vision.limits import MAX_PIXELS

OPEN: Final = "open_stream"
NEXT: Final = "next_picture"
SILENCE_S: Final = 4.0
"""So long nothing may come over a connection; a phone that changes its access point takes two or three. Chosen."""
_MAX_JPEG_BYTES: Final = MAX_PIXELS  # one byte a pixel: the best quality of a camera takes a third of that
_MAX_LINE_BYTES: Final = 65_536
_MAX_HEADER_LINES: Final = 50
_RTSP_PORT: Final = 554
_RTSP_S: Final = 1.0  # OpenCV has had its answer already; chosen
_POLL_S: Final = 0.1  # between two questions for a single picture
_JPEG: Final = b"\xff\xd8"
_HASHES: Final = {"MD5": "md5", "SHA-256": "sha256"}
"""Hash functions of digest logins."""
_SAFE: Final = "/%:;,=&?~#+!$'@()*[]-._"

Decode = Callable[[], Picture | None]
"""Gives the picture that was just read; None for a damaged one."""


class Refusal(NamedTuple):
    """Why there is no stream: what was found there, and the cure."""

    found: str
    cure: str


class _Digest(HTTPDigestAuthHandler):
    """Logs in as cameras want it, where urllib does not: the algorithm in small letters (libmicrohttpd 0.9.75, Motion
    4.5.1), SHA-256 (RFC 7616; urllib from Python 3.14), several offers. A wrong password is tried once: cameras lock
    out whoever goes on."""

    def get_algorithm_impls(self, algorithm: str) -> tuple[Callable[[str], str], Callable[[str, str], str]]:
        def hashed(text: str) -> str:
            return hashlib.new(_HASHES[algorithm.upper()], text.encode()).hexdigest()

        return hashed, lambda secret, data: hashed(f"{secret}:{data}")

    def http_error_auth_reqed(self, auth_header: str, host: str, req: Request, headers: HTTPMessage) -> Any:
        if req.has_header(self.auth_header):
            raise ValueError("another login is wanted")
        for offer in headers.get_all(auth_header, []):
            named = re.search(r'\balgorithm="?([\w-]+)', offer)
            if offer.lower().startswith("digest ") and (named is None or named[1].upper() in _HASHES):
                return self.retry_http_digest_auth(req, offer)
        return None


class _Reading:
    """Reads a stream to its end in a thread, and decodes what is asked for."""

    def __init__(self) -> None:
        self.wanted = threading.Event()
        self._brought: queue.SimpleQueue[Picture | None] = queue.SimpleQueue()

    def begin(self, pictures: Iterator[Decode]) -> None:
        threading.Thread(target=self._read, args=(pictures,), name="stream", daemon=True).start()

    def next(self, within_s: float) -> Picture | None:
        """A picture that comes from now on; None where none came in time, or the stream has ended."""
        self.wanted.set()
        with suppress(queue.Empty):
            return self._brought.get(timeout=within_s)
        return None

    def _read(self, pictures: Iterator[Decode]) -> None:
        with suppress(OSError, HTTPException, ValueError, cv2.error):
            for decode in pictures:
                if self.wanted.is_set() and (picture := decode()) is not None:
                    self.wanted.clear()
                    self._brought.put(picture)
        self._brought.put(None)


_reading = _Reading()


def open_stream(url: str) -> Refusal | None:
    """Begin to read the stream at this address; why that cannot be, where it cannot. Once in a process."""
    try:
        pictures = _over_http(url) if urlsplit(url).scheme.lower().startswith("http") else None
    except (OSError, HTTPException, ValueError) as error:
        return _refusal(error)
    if isinstance(pictures, Refusal):
        return pictures
    if pictures is None:
        capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG)
        pixels = capture.get(cv2.CAP_PROP_FRAME_WIDTH) * capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if not capture.isOpened() or not 0 < pixels <= MAX_PIXELS:
            return (None if capture.isOpened() else _rtsp_refusal(url)) or Refusal(
                f"none that OpenCV can read with at most {MAX_PIXELS / 1e6:g} million pixels a picture",
                "look up the whole address with user and password in the camera's manual, and try it in a video player",
            )
        pictures = _of_capture(capture)
    _reading.begin(pictures)
    return None


def next_picture(within_s: float) -> Picture | None:
    """The next picture of the stream, in BGR; None where none came in so many seconds, or the stream has ended."""
    return _reading.next(within_s)


def _over_http(url: str) -> Iterator[Decode] | Refusal | None:
    """The pictures at this address; None where what is there is no JPEG. Raises OSError, HTTPException, ValueError."""
    answer = _asked(url)
    kind = answer.headers.get_content_type()
    if kind.startswith("multipart/"):
        return (_decoding(jpeg) for jpeg in parts_of(answer))
    if kind == "image/jpeg":
        return (_decoding(jpeg) for jpeg in _polled(url, answer))
    answer.close()
    if kind == "text/html":
        return Refusal("a page", "give the address of its video alone, such as …/video or …/stream")
    return None


def _asked(url: str) -> HTTPResponse:
    """The answer to a question for this address, logged in with its user and password, without any proxy."""
    parts = urlsplit(url)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()
    plain = HTTPHandler, HTTPSHandler, HTTPErrorProcessor, HTTPDefaultErrorHandler, HTTPRedirectHandler
    handlers: list[BaseHandler] = [kind() for kind in plain]
    if parts.username is not None:
        logins = HTTPPasswordMgrWithDefaultRealm()
        whole_host = urlsplit(bare)._replace(path="/", query="").geturl()  # but no other one it may lead to
        logins.add_password(None, whole_host, unquote(parts.username), unquote(parts.password or ""))
        handlers += [_Digest(logins), HTTPBasicAuthHandler(logins)]
    opener = OpenerDirector()
    for handler in handlers:
        opener.add_handler(handler)
    answer: HTTPResponse = opener.open(quote(bare, safe=_SAFE), timeout=SILENCE_S)
    return answer


def _rtsp_refusal(url: str) -> Refusal | None:
    """The refusal of an RTSP server to a question without a login, None where it gives none: OpenCV does not tell it.
    Source: RFC 2326, section 10.2."""
    parts = urlsplit(url)
    if parts.scheme.lower() != "rtsp":
        return None
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()
    asked = f"DESCRIBE {quote(bare, safe=_SAFE)} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n"
    try:
        with create_connection((parts.hostname or "", parts.port or _RTSP_PORT), timeout=_RTSP_S) as server:
            server.sendall(asked.encode())
            answer = re.match(rb"RTSP/1\.\d (\d{3})\b", server.recv(_MAX_LINE_BYTES))
    except (OSError, ValueError) as error:
        return _refusal(error) if isinstance(error, OSError) else None
    if answer is None or answer[1] == b"200":
        return None
    return _refused(int(answer[1]), parts.scheme, given=parts.username is not None)


def _refused(status: int, scheme: str, *, given: bool) -> Refusal:
    """The refusal that a server's answer means; ``given``: with a user and a password."""
    if status in (401, 403):
        cure = f"write user and password into the address, {scheme}://USER:PASSWORD@HOST/…, with %40 for @ in them"
        return Refusal(f"one that wants {'another' if given else 'a'} login (answer {status})", cure)
    return Refusal(f"the answer {status}", "look up what follows the host in the camera's address")


def _refusal(error: Exception) -> Refusal:
    """The refusal that an error means. Its own words may hold the address: they are left out."""
    reason = error.reason if isinstance(error, URLError) else error
    status = error.code if isinstance(error, HTTPError) else 401 if isinstance(error, ValueError) else None
    if status is not None:  # urllib has a ValueError for a kind of login that is neither basic nor digest
        return _refused(status, "http", given=True)
    if isinstance(reason, SSLCertVerificationError):
        return Refusal("a certificate that this machine does not trust", "use http:// where the camera offers it")
    if isinstance(reason, TimeoutError):
        said = "nobody who answers in time"
    elif isinstance(reason, OSError):
        said = f"nobody who answers ({reason.strerror or 'Connection closed'})"
    else:
        said = "an answer that is no HTTP"
    return Refusal(said, "start its camera program, check host and port, and have both in the same network")


def parts_of(stream: Any) -> Iterator[bytes]:
    """The JPEG pictures of a multipart stream, until it ends. Raises OSError, HTTPException, ValueError.

    Parts are told apart by the line that the first of them begins with: servers announce another boundary than they
    send. Source: RFC 2046, section 5.1.
    """
    boundary = _before(stream, b"--", _MAX_LINE_BYTES)[1]
    while boundary:
        length = 0
        for _ in range(_MAX_HEADER_LINES):
            name, _, value = stream.readline(_MAX_LINE_BYTES).strip().partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
            if not name:
                break
        if not 0 <= length <= _MAX_JPEG_BYTES:
            raise ValueError(f"a picture of {length} bytes")
        body = stream.read(length)
        if length and body.startswith(_JPEG):  # at once: the next boundary comes only with the next picture
            yield body
        rest, found = _before(stream, boundary, _MAX_JPEG_BYTES)
        if not length and rest.startswith(_JPEG):
            yield rest
        boundary = found and boundary


def _before(stream: Any, mark: bytes, max_bytes: int) -> tuple[bytes, bytes]:
    """The bytes before a line that begins with this mark, and that line, which is empty at the stream's end."""
    read = bytearray()
    begins = True
    while line := stream.readline(_MAX_LINE_BYTES):
        if begins and line.startswith(mark):
            return bytes(read), line.strip()
        read += line
        begins = line.endswith(b"\n")
        if len(read) > max_bytes:
            raise ValueError(f"no boundary within {max_bytes} bytes")
    return bytes(read), b""


def _polled(url: str, answer: HTTPResponse) -> Iterator[bytes]:
    """The picture at this address, whenever one is wanted."""
    while True:
        with answer:
            yield answer.read(_MAX_JPEG_BYTES)
        time.sleep(_POLL_S)
        _reading.wanted.wait()
        answer = _asked(url)


def _decoding(jpeg: bytes) -> Decode:
    return lambda: _decoded(jpeg)


def _decoded(jpeg: bytes) -> Picture | None:
    with suppress(cv2.error):  # of one that is larger than any camera's, too
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg.startswith(_JPEG) else None
        if image is not None and image.shape[0] * image.shape[1] <= MAX_PIXELS:
            return np.asarray(image, dtype=np.uint8)
    return None


def _of_capture(capture: Any) -> Iterator[Decode]:
    """Pictures that OpenCV reads, each there until the next is asked for."""

    def picture() -> Picture | None:
        ok, image = capture.retrieve()
        return np.asarray(image, dtype=np.uint8) if ok else None

    while capture.grab():
        yield picture


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {OPEN: open_stream, NEXT: next_picture}


OPEN_S: Final = 7.0
"""RTSP cameras take two to four seconds; within what a camera has in all (``OPENS_WITHIN_S``)."""
_DECODE_S: Final = 1.0
_MAX_CORES: Final = 4  # on which a stream may be decoded at the same time


class StreamCamera:
    """A ``LiveSource``: the pictures at an address, each read after it was asked for.

    Pictures of another size than the first are made to fit it.
    """

    def __init__(self, url: str, shown: str, *, module: str = __name__, feedback: CameraFeedback | None = None) -> None:
        """``shown`` is the address as it may be told, ``feedback`` what the game tells meanwhile, ``module`` as in
        ``Apart``. Raises SourceError where there is no such stream.
        """
        self._url, self._shown = url, shown
        self._worker = Apart(module, START_S)
        self._sizes, self._feedback = OneSize(), feedback or CameraFeedback()
        self._due_s = time.monotonic()
        self._begin()
        self._began_s = time.monotonic()
        self._index = 0

    def read(self) -> Frame:
        """The next frame. Raises SourceError where none comes in time."""
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s = time.monotonic() + PERIOD_S
        image = self._picture()
        if image is None:
            self._worker.close()  # ends whatever it was waiting for
            raise SourceError(f"camera {self._shown}: expected a picture, found none; look at its network")
        frame = frame_of(image, self._index, time.monotonic() - self._began_s)
        self._index += 1
        return frame.turned() if self._feedback.turned else frame

    def reopen(self) -> None:
        """Ask for the stream again. Raises SourceError."""
        self._worker.close()
        self._begin()

    def close(self) -> None:
        self._worker.close()

    def _begin(self) -> None:
        refusal: tuple[str, str] | None
        try:
            refusal = self._worker.ask(_within(OPEN_S), OPEN, None, self._url)
        except NoAnswerError:
            refusal = (f"nobody who answers within {OPEN_S:g} s", "start its camera program, and look at its network")
        if refusal is not None:
            self._worker.close()
            raise SourceError(f"camera {self._shown}: expected a stream of pictures, found {refusal[0]}; {refusal[1]}")
        self._sizes.opened()

    def _picture(self) -> Picture | None:
        try:
            return self._sizes.fitted(self._worker.ask(_within(SILENCE_S + _DECODE_S), NEXT, None, SILENCE_S))
        except NoAnswerError:
            return None


def _within(wall_s: float) -> Limits:
    """Limits by the clock on the wall: a process that waits for the network sleeps."""
    return Limits(cpu_s=_MAX_CORES * wall_s, asleep_s=wall_s, wait_s=wall_s)
