"""Where frames come from: a folder of images, a video file; and what every source shares.

Recordings run on their own clock, whatever the machine's speed: a picture's time is its number divided by the pictures
a second, a video's frame has that of ``VideoClock``. Source: FORMATS.md, "Cameras".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from vision.camera.decoding import Decoder, DecodesHere, NotDecodedError
from vision.frame import Frame, Picture
from vision.limits import MAX_PIXELS

IMAGE_SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".pgm", ".ppm"})
DEFAULT_FPS: Final = 10.0  # of a folder of pictures, which tells no clock; the loop looks so often
PERIOD_S: Final = 0.1
"""How far the pictures of a live camera are apart."""
_MAX_SKIPPED: Final = 12  # as many as a camera of 120 a second gives meanwhile
_TRIES: Final = 3  # frames in a row that cannot be decoded: a scratch costs one or two; chosen
_TOLD_EACH: Final = 20  # pictures that cannot be read; a folder may hold a hundred thousand
_AS_FILM: Final = "convert it to MP4 or AVI"
_ROUNDING_S: Final = 0.002
"""Matroska and FLV round their stamps to a millisecond, and the rate that is made from two of them errs by as much."""
_MAX_GAP_S: Final = 3600.0  # between two frames; nobody pauses a match for longer, damaged stamps do
_START_CODES: Final = b"\0\0\1", b"\0\0\0\1"  # of H.264 and H.265, ITU-T H.264 Annex B
_PACK_HEADER: Final = b"\0\0\1\xba"  # of an MPEG program stream, which has stamps
_JPEG: Final = b"\xff\xd8"


class SourceError(ValueError):
    """A camera or recording that cannot be used; the message says what was expected, found, and the cure."""


class Source(Protocol):
    """A camera. ``read`` gives the next frame, None at the end of a recording.

    A frame whose ``y`` is empty says that the camera is gone for the moment; reading on waits for it.
    """

    def read(self) -> Frame | None: ...

    def close(self) -> None: ...


class LiveSource(Source, Protocol):
    """A camera that may fail. ``read`` raises SourceError, or whatever its driver does, once it has to be reopened."""

    def reopen(self) -> None:
        """Let go of it and open it again, in whatever state it is. Raises as opening it does."""
        ...


class Pace:
    """Which pictures of a camera are taken: ten a second, however many it gives."""

    def __init__(self, now_s: float) -> None:
        self._due_s, self._skipped = now_s, 0

    def takes(self, now_s: float) -> bool:
        """Whether the picture of this moment is taken, the next one being farther from when it is due."""
        if now_s < self._due_s - PERIOD_S / 2 and self._skipped < _MAX_SKIPPED:
            self._skipped += 1
            return False
        self._due_s, self._skipped = max(self._due_s + PERIOD_S, now_s + PERIOD_S / 2), 0
        return True


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
        return _coloured(grey) if image is None else image


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
        return _coloured(grey) if timed is None else timed[0]


def frame_of(image: Picture, index: int, t_s: float) -> Frame:
    """A frame from a BGR or grey image."""
    if image.ndim == 2:
        return Frame(index, t_s, image, partial(_coloured, image))
    y = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return Frame(index, t_s, y, lambda: image)


def _coloured(grey: Picture) -> Picture:
    """A grey image as (height, width, 3)."""
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def _checked_fps(fps: float) -> float:
    if not 0.0 < fps < 1000.0:
        raise SourceError(f"--fps: expected frames a second above 0 and below 1000, found {fps:g}; a usual value is 10")
    return fps
