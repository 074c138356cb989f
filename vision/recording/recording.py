"""The recording: one file with the frames that were looked at, their times, and notes on what happened between them.

Its first line and the header after it are text anybody can read: what is needed to look at the frames again (the
table, the calibration) and whatever the program put there. Then come blocks, each with its length and a checksum:
frames (``FRAM``) and notes (``NOTE``, a JSON object) in the order in which they fell. Blocks of another kind are left
out. A file is only ever added to, so one that was cut off in the middle is good up to its last whole block.
"""

from __future__ import annotations

import json
import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from engine.strict.text import MalformedError, json_of
from vision.camera.sources import SourceError
from vision.frame import GONE, Frame
from vision.recording.codec import CodecError, Patch, Restorer

VERSION: Final = 2  # of the format (FORMATS.md)
_FIRST_WORDS: Final = b"engarde recording, version "
_FIRST_LINE: Final = re.compile(
    rb"engarde recording, version (\d{1,9}), header of (\d{1,9}) bytes, checksum ([0-9a-f]{8})\n"
)
_MAX_FIRST_LINE: Final = 100  # bytes: both numbers of nine digits, and the checksum
_BLOCK: Final = struct.Struct(">4sII")
_FRAME: Final = struct.Struct(">Id")
_MAX_BLOCK_BYTES: Final = (
    1 << 26
)  # 64 MB, more than any frame that may be kept (codec.py) has pixels: else it is damage
_MAX_TEXT_BYTES: Final = 1 << 20  # of a header or a note, in which some kilobytes stand: more is damage
_MAX_NOTES: Final = 5000  # with one frame: nobody presses, and no menu asks, so often in a moment

FRAME: Final = b"FRAM"
NOTE: Final = b"NOTE"

FrameNote = Mapping[str, Any]


class RecordingError(SourceError):
    """A recording that cannot be read, or not beyond some place; the message says which, where, and the cure."""


class Block(NamedTuple):
    """One block of the file: where it begins, its kind, and what it holds."""

    offset: int
    kind: bytes
    payload: bytes


def is_recording(path: Path) -> bool:
    """Whether this is a file that begins as a recording does, whatever its name and version."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_FIRST_WORDS)) == _FIRST_WORDS


def header_bytes(header: Mapping[str, Any]) -> bytes:
    """The beginning of a recording with this header, a JSON object."""
    text = json.dumps(header, indent=1, ensure_ascii=False).encode() + b"\n"
    return b"%s%d, header of %d bytes, checksum %08x\n%s" % (_FIRST_WORDS, VERSION, len(text), zlib.crc32(text), text)


def frame_bytes(index: int, t_s: float, patch: Patch | None) -> bytes:
    """A frame as a block. ``patch`` None: the camera was gone."""
    return _block(FRAME, _FRAME.pack(index, t_s) + (b"" if patch is None else patch.packed()))


def note_bytes(note: FrameNote) -> bytes:
    """A note as a block; it belongs to the frame before it."""
    return _block(NOTE, json.dumps(note, separators=(",", ":")).encode())


class RecordedFrames:
    """The frames of a recording, on their own clock: a ``Source``.

    ``header`` is what the recording was begun with. ``notes`` are those that fell with the frame just read.
    ``cut_off`` is empty, or says in a sentence that the file ends in the middle of a block and what is left.
    Raises RecordingError for a file that is none, is damaged in its header, or of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("rb")
        try:
            self.header = _read_header(self._file, path)
            self._end, self.cut_off = _whole_blocks(self._file, path)
        except BaseException:
            self._file.close()
            raise
        self._blocks = self._read_blocks()
        self._next: Block | None = None
        self._restorer = Restorer()
        self.notes: tuple[FrameNote, ...] = ()

    def read(self) -> Frame | None:
        """The next frame, None after the last. Raises RecordingError for a damaged one."""
        first = self._next if self._next is not None else next(self._blocks, None)
        self._next = None
        notes: list[FrameNote] = []
        while first is not None and first.kind != FRAME:
            notes += self._noted(first)  # before the first frame
            first = next(self._blocks, None)
        if first is None:
            self.notes = tuple(notes)
            return None
        frame = self._frame(first)
        for block in self._blocks:
            if block.kind == FRAME:
                self._next = block
                break
            notes += self._noted(block)
            if len(notes) > _MAX_NOTES:
                raise self._damaged(block.offset, f"one frame has more than {_MAX_NOTES} notes")
        self.notes = tuple(notes)
        return frame

    def all_notes(self) -> Iterator[FrameNote]:
        """Every note of the recording, without unpacking a frame; reading on is not disturbed."""
        with RecordedFrames(self._path) as other:
            for block in other._read_blocks():
                yield from other._noted(block)

    def frame_sizes(self) -> Iterator[tuple[float, int]]:
        """Every frame's time and the bytes it takes in the file, without unpacking it; reading on is not disturbed."""
        with RecordedFrames(self._path) as other:
            for block in other._read_blocks():
                if block.kind == FRAME and len(block.payload) >= _FRAME.size:
                    yield _FRAME.unpack_from(block.payload)[1], len(block.payload)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> RecordedFrames:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _frame(self, block: Block) -> Frame:
        try:
            index, t_s = _FRAME.unpack_from(block.payload)
            data = block.payload[_FRAME.size :]
            return Frame(index, t_s, self._restorer.restored(data) if data else GONE)
        except (CodecError, struct.error) as error:
            raise self._damaged(block.offset, str(error)) from error

    def _noted(self, block: Block) -> list[FrameNote]:
        if block.kind != NOTE:
            return []
        if len(block.payload) > _MAX_TEXT_BYTES:
            raise self._damaged(block.offset, f"a note has {len(block.payload)} bytes")
        try:
            note = json_of(block.payload)
        except MalformedError as error:
            raise self._damaged(block.offset, f"a note cannot be read: {error}") from error
        if not isinstance(note, dict):
            raise self._damaged(block.offset, "a note is no JSON object")
        return [note]

    def _read_blocks(self) -> Iterator[Block]:
        while (offset := self._file.tell()) < self._end:
            kind, length, checksum = _BLOCK.unpack(self._file.read(_BLOCK.size))
            payload = self._file.read(length)
            if zlib.crc32(payload, zlib.crc32(kind)) != checksum:
                raise self._damaged(offset, "its checksum is wrong")
            yield Block(offset, kind, payload)

    def _damaged(self, offset: int, what: str) -> RecordingError:
        return RecordingError(
            f"{self._path}: the block at byte {offset} is damaged: {what}; what came before it was read, what follows "
            "cannot be: take another copy of the file if there is one"
        )


def _block(kind: bytes, payload: bytes) -> bytes:
    return _BLOCK.pack(kind, len(payload), zlib.crc32(payload, zlib.crc32(kind))) + payload


def _read_header(file: BinaryIO, path: Path) -> dict[str, Any]:
    """The header; the file stands behind it then."""
    line = file.readline(_MAX_FIRST_LINE)
    cure = "take another copy of the file if there is one"
    if not line.startswith(_FIRST_WORDS) and not _FIRST_WORDS.startswith(line):
        raise RecordingError(f"{path}: expected a recording of engarde, found another kind of file; name one")
    found = _FIRST_LINE.fullmatch(line)
    if found is None:
        raise RecordingError(f"{path}: expected a recording, found one that is damaged in its first line; {cure}")
    version, length, checksum = int(found[1]), int(found[2]), int(found[3], 16)
    if version != VERSION:
        cure = "a newer En Garde Companion wrote it: bring this one up to date"
        if version < VERSION:
            cure = "it is older than the first release, and nothing reads it any more: record anew"
        raise RecordingError(f"{path}: expected a recording of version {VERSION}, found version {version}; {cure}")
    if length > _MAX_TEXT_BYTES:
        raise RecordingError(f"{path}: expected a recording, found one with a header of {length} bytes; {cure}")
    text = file.read(length)
    if len(text) < length or zlib.crc32(text) != checksum:
        how = "cut off in its header" if len(text) < length else "damaged in its header"
        raise RecordingError(f"{path}: expected a recording, found one that is {how}; {cure}")
    try:
        header = json_of(text)
    except MalformedError as error:
        raise RecordingError(f"{path}: this recording's header cannot be used: {error}; {cure}") from error
    if not isinstance(header, dict):
        raise RecordingError(f"{path}: expected a recording, found one whose header is no JSON object; {cure}")
    return header


def _whole_blocks(file: BinaryIO, path: Path) -> tuple[int, str]:
    """Where the whole blocks end, and the sentence about what follows. The file stands where it stood then."""
    start = file.tell()
    size = os.fstat(file.fileno()).st_size
    end, frames, t_s = start, 0, 0.0
    while end < size:
        file.seek(end)
        head = file.read(_BLOCK.size + _FRAME.size)
        if len(head) < _BLOCK.size:
            break
        kind, length, checksum = _BLOCK.unpack_from(head)
        after = end + _BLOCK.size + length
        # Behind the last whole block a card that lost its power may hold anything, often zeros.
        if not kind.isalpha() or length > _MAX_BLOCK_BYTES or after > size:
            break
        if after == size:
            file.seek(end + _BLOCK.size)
            if zlib.crc32(file.read(length), zlib.crc32(kind)) != checksum:
                break
        if kind == FRAME and length >= _FRAME.size:
            frames, t_s = frames + 1, _FRAME.unpack_from(head, _BLOCK.size)[1]
        end = after
    file.seek(start)
    if end == size:
        return end, ""
    whole = f"its {frames} whole frames, up to {t_s:.1f} s, are good" if frames else "it holds no whole frame"
    return end, f"{path} was cut off while it was written: {whole}."
