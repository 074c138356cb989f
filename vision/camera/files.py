"""Frames from files: a folder of images, or a video.

They run on their own clock, whatever the machine's speed: a picture's time is its number divided by the pictures a
second, a video's frame has that of ``VideoClock``. Other people's code decodes them, as plain functions of plain values
(``Decoder``), so that it can be run in another process and given up on. Source: FORMATS.md, "Cameras".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision.camera.sources import SourceError
from vision.frame import Frame, Picture, coloured
from vision.limits import MAX_PIXELS

IMAGE_SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".pgm", ".ppm"})
DEFAULT_FPS: Final = 10.0  # of a folder of pictures, which tells no clock; the loop looks so often
_TRIES: Final = 3  # frames in a row that cannot be decoded: a scratch costs one or two; chosen
_TOLD_EACH: Final = 20  # pictures that cannot be read; a folder may hold a hundred thousand
_AS_FILM: Final = "convert it to MP4 or AVI"
_ROUNDING_S: Final = 0.002
"""Matroska and FLV round their stamps to a millisecond, and the rate that is made from two of them errs by as much."""
_MAX_GAP_S: Final = 3600.0  # between two frames; nobody pauses a match for longer, damaged stamps do
_START_CODES: Final = b"\0\0\1", b"\0\0\0\1"  # of H.264 and H.265, ITU-T H.264 Annex B
_PACK_HEADER: Final = b"\0\0\1\xba"  # of an MPEG program stream, which has stamps
_JPEG: Final = b"\xff\xd8"

PICTURE: Final = "picture"
VIDEO_FPS: Final = "video_fps"
VIDEO_FRAME: Final = "video_frame"


class NotDecodedError(Exception):
    """The decoder hung or crashed; the message says which."""


class Decoder(Protocol):
    """Decodes picture files and videos, named by their paths. Each raises NotDecodedError where no answer comes."""

    def picture(self, path: str, colour: bool) -> Picture | None:
        """A picture file, (height, width), or in BGR (height, width, 3).

        None for one that is damaged, gone, or larger than any camera's.
        """

    def video_fps(self, path: str) -> float | None:
        """How many frames a second the video has as it says itself, 0 where it does not.

        None where it is no video, or one whose frames are larger than any camera's.
        """

    def video_frame(self, path: str, index: int, colour: bool) -> tuple[Picture, float] | None:
        """Frame ``index`` of a video, (height, width), or in BGR (height, width, 3), and its own time in seconds.

        The time is whatever the container says. None past the end. Cheap for one frame after the other, and for the one
        that was given last.
        """

    def close(self) -> None: ...


@dataclass(slots=True)
class _Open:
    """A video that is open, which of its frames it gives next, and the one before that, in BGR with its time."""

    capture: Any
    next: int = 0
    last: Picture | None = None
    stamp_s: float = 0.0


class DecodesHere:
    """Decodes in this very process, whatever comes of that."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    def picture(self, path: str, colour: bool) -> Picture | None:
        try:
            image = cv2.imread(path, cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE)
        except cv2.error:
            return None
        if image is None or image.shape[0] * image.shape[1] > MAX_PIXELS:
            return None
        return np.asarray(image, dtype=np.uint8)

    def video_fps(self, path: str) -> float | None:
        capture = self._video(path).capture
        pixels = float(capture.get(cv2.CAP_PROP_FRAME_WIDTH)) * float(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if not capture.isOpened() or pixels > MAX_PIXELS:
            return None
        return float(capture.get(cv2.CAP_PROP_FPS))

    def video_frame(self, path: str, index: int, colour: bool) -> tuple[Picture, float] | None:
        video = self._video(path)
        if video.next != index + 1 or video.last is None:
            if video.next != index:
                video.capture.set(cv2.CAP_PROP_POS_FRAMES, index)
            video.last = None  # two large ones would need more memory than there may be
            ok, image = video.capture.read()
            video.next = index + 1
            video.last = np.asarray(image, dtype=np.uint8) if ok else None
            video.stamp_s = float(video.capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
        if video.last is None:
            return None
        if colour or video.last.ndim == 2:
            return video.last, video.stamp_s
        return np.asarray(cv2.cvtColor(video.last, cv2.COLOR_BGR2GRAY), dtype=np.uint8), video.stamp_s

    def close(self) -> None:
        for video in self._open.values():
            video.capture.release()
        self._open.clear()

    def _video(self, path: str) -> _Open:
        if path not in self._open:
            self._open[path] = _Open(cv2.VideoCapture(path))
        return self._open[path]


_HERE: Final = DecodesHere()

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    PICTURE: _HERE.picture,
    VIDEO_FPS: _HERE.video_fps,
    VIDEO_FRAME: _HERE.video_frame,
}


class ImageFolder:
    """The images of a folder, sorted by name, ``fps`` a second. Raises SourceError when there are none.

    Hidden files are no images: some systems leave one beside every picture they copy, under its name with a dot. Nor is
    anything but a file: reading from a pipe would never end. A picture that cannot be read is left out, its time with
    it; of the first twenty each is ``told`` of in a sentence.
    """

    def __init__(
        self,
        folder: Path,
        fps: float = DEFAULT_FPS,
        told: Callable[[str], None] = lambda sentence: None,
        decoder: Decoder | None = None,
    ) -> None:
        """``decoder`` decodes the images, and is closed with this; None: here and now."""
        self._fps, self._folder, self._told = _checked_fps(fps), folder, told
        self._decoder: Decoder = decoder or DecodesHere()
        visible = (path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
        self._paths = sorted(path for path in visible if path.suffix.lower() in IMAGE_SUFFIXES)
        if not self._paths:
            kinds = ", ".join(sorted(suffix[1:] for suffix in IMAGE_SUFFIXES))
            raise SourceError(f"{folder}: expected images ({kinds}), found none; name the folder that holds the frames")
        self._next = self._read = self._left_out = 0

    def read(self) -> Frame | None:
        """The next image that can be read. Raises SourceError where not one of them can."""
        while self._next < len(self._paths):
            path, index = self._paths[self._next], self._next
            self._next += 1
            try:
                grey = self._decoder.picture(str(path), colour=False)
                found = "something unreadable"
            except NotDecodedError as error:
                grey, found = None, f"one that cannot be decoded: {error}"
            if grey is not None:
                self._read += 1
                return Frame(index, index / self._fps, grey, partial(self._in_colour, path, grey))
            self._left_out += 1
            if self._left_out <= _TOLD_EACH:
                most = f"{MAX_PIXELS / 1e6:g} million pixels"
                after = "" if self._left_out < _TOLD_EACH else ", and so are others that come, without a word"
                self._told(f"{path}: expected an image of at most {most}, found {found}; it is left out{after}")
        if not self._read and self._paths:
            raise SourceError(f"{self._folder}: not one of its {len(self._paths)} images can be read; write them again")
        return None

    def close(self) -> None:
        self._paths = []
        self._decoder.close()

    def _in_colour(self, path: Path, grey: Picture) -> Picture:
        """The picture in colour; as it was read before where that cannot be done (any more)."""
        try:
            image = self._decoder.picture(str(path), colour=True) if self._paths else None
        except NotDecodedError:
            image = None
        return coloured(grey) if image is None else image


class VideoClock:
    """Times that never go back, from frames asked for in order."""

    def __init__(self, fps: float, *, counts: bool) -> None:
        """``counts``: frames are counted at ``fps``, whatever their stamps say."""
        self._fps, self._counts = fps, counts
        self._first_s: float | None = None
        self._stamp_s = 0.0  # the last that is after the one before
        self._t_s, self._step_s = 0.0, 1.0 / fps
        self._varies = False

    def time_s(self, index: int, stamp_s: float) -> float:
        """When frame ``index`` was taken, seconds from the first frame.

        ``stamp_s`` is its container's time. OpenCV 4.6 gives 0 for the last frames of some videos, and for all of a
        stream without stamps: such a frame follows the one before as that one did.
        """
        if self._counts:
            return index / self._fps
        if self._first_s is None:
            self._first_s = stamp_s if abs(stamp_s) <= _MAX_GAP_S else 0.0
        own_s = stamp_s - self._first_s
        stamped = math.isfinite(own_s) and 0.0 < own_s - self._stamp_s <= _MAX_GAP_S
        self._stamp_s = own_s if stamped else self._stamp_s
        counted_s = index / self._fps
        self._varies |= stamped and abs(own_s - counted_s) > _ROUNDING_S
        before_s = self._t_s
        self._t_s = counted_s if not self._varies else max(before_s, own_s) if stamped else before_s + self._step_s
        self._step_s = self._t_s - before_s or self._step_s
        return self._t_s


def is_raw_stream(path: Path) -> bool:
    """Whether a video is a bare stream of pictures without times, such as rpicam-vid writes. Raises OSError."""
    with path.open("rb") as file:
        beginning = file.read(len(_PACK_HEADER))
    return beginning.startswith((*_START_CODES, _JPEG)) and beginning != _PACK_HEADER


class VideoFile:
    """A video's frames, on the clock of ``fps`` frames a second (None: ``VideoClock`` of the file).

    A frame that cannot be decoded is ``told`` of in a sentence and left out, its time with it; so is told that the
    rate of a raw stream is a guess.
    """

    def __init__(
        self,
        path: Path,
        fps: float | None = None,
        told: Callable[[str], None] = lambda sentence: None,
        decoder: Decoder | None = None,
    ) -> None:
        """``decoder`` decodes the frames, and is closed with this; None: here and now. Raises SourceError."""
        self._path, self._told = path, told
        self._decoder: Decoder = decoder or DecodesHere()
        try:
            own_fps = self._decoder.video_fps(str(path))
        except NotDecodedError as error:
            raise SourceError(
                f"{path}: expected a video, found one that cannot be decoded: {error}; {_AS_FILM}"
            ) from error
        if own_fps is None:
            raise SourceError(
                f"{path}: expected a video OpenCV can read, with at most {MAX_PIXELS / 1e6:g} million pixels a "
                f"frame, found none in it; {_AS_FILM}, or make it smaller"
            )
        self._fps = _checked_fps(fps if fps is not None else own_fps if own_fps > 0 else DEFAULT_FPS)
        raw = is_raw_stream(path)
        self._clock = VideoClock(self._fps, counts=raw or fps is not None)
        if raw and fps is None:
            told(
                f"{path}: expected a video with times, found a raw stream, which has none; it is taken to have "
                f"{self._fps:g} frames a second, which is a guess: give the rate it was recorded at, such as --fps 30"
            )
        self._index = 0
        self._closed = False

    def read(self) -> Frame | None:
        """The next frame, None at the end. Raises SourceError where several one after the other cannot be decoded."""
        for left in reversed(range(_TRIES)):
            index = self._index
            self._index += 1
            try:
                timed = self._decoder.video_frame(str(self._path), index, colour=False)
            except NotDecodedError as error:
                said = f"{self._path}: expected a picture as frame {index}, found one that cannot be decoded: {error}"
                if not left:
                    raise SourceError(f"{said}, as the {_TRIES - 1} before it; {_AS_FILM}") from error
                self._told(f"{said}; it is left out")
            else:
                if timed is None:
                    return None
                grey, stamp_s = timed
                return Frame(index, self._clock.time_s(index, stamp_s), grey, partial(self._in_colour, index, grey))
        return None

    def close(self) -> None:
        self._closed = True
        self._decoder.close()

    def _in_colour(self, index: int, grey: Picture) -> Picture:
        """The frame in colour; as it was read before where that cannot be done (any more)."""
        try:
            timed = None if self._closed else self._decoder.video_frame(str(self._path), index, colour=True)
        except NotDecodedError:
            timed = None
        return coloured(grey) if timed is None else timed[0]


def _checked_fps(fps: float) -> float:
    if not 0.0 < fps < 1000.0:
        raise SourceError(f"--fps: expected frames a second above 0 and below 1000, found {fps:g}; a usual value is 10")
    return fps
