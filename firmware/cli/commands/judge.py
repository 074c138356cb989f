"""``engarde judge``: table events in, rulings out, one JSON object a line.

Lives through any line: what is no JSON object or no known event is answered ``bad_event`` and changes nothing. Holds
one line and one match in memory, never more.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from engine.record.answers import answer_text, state_text
from engine.record.notation import parse_record, replay
from engine.rules.events import Event, EventError, event_from_json
from engine.rules.referee import judge, judge_unreadable
from engine.rules.state import PublicState
from engine.strict.text import MalformedError, unbounded_json_of
from firmware.cli.commands.declared import option, switch
from firmware.core.errors import EngardeError
from firmware.core.io.files import MAX_LIST, expect_file, text_of

MAX_LINE_BYTES: Final = 1 << 20
"""A line longer than this is answered without being held: the longest real event has about 250 bytes."""

FLUSH_BYTES: Final = 1 << 16
PIECE_BYTES: Final = 1 << 14
"""Chunk size for discarding over-long lines: larger chunks are allocated anew by the system, which is slower."""
BUFFER_BYTES: Final = 1 << 20
"""Read of a file at once: a piece that lies whole in the buffer is found in a quarter of the time."""
MAX_SKIPPED_BYTES: Final = 1 << 30
"""Discarded of one line at most, in some three seconds; a longer one has no end."""
MAX_REFUSED: Final = 256
"""So many refused lines are remembered with their answers, until a line is accepted, ..."""
MAX_REFUSED_BYTES: Final = 1000
"""... each of at most so many bytes: a quarter of a megabyte in all."""

_HANDED_OVER: Final = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""Descriptors that a shell hands over; opening any other named pipe could block for ever."""


def run_judge(stream_in: BinaryIO, stream_out: BinaryIO) -> int:
    """Answers every line of ``stream_in`` on ``stream_out`` until it ends; exit status 0.

    Each answer is flushed before the next line is read, unless ``stream_in`` is a file on disk: there nobody waits
    for an answer before writing the next line, so answers leave in larger pieces. A reader who hangs up raises
    BrokenPipeError. Raises EngardeError, with all before it answered, for a line that does not end.
    """
    referee = LineReferee()
    at_once = stream_in.isatty() or not stream_in.seekable()
    waiting: list[bytes] = []
    size = 0
    lines = _Lines(stream_in)
    for line in lines:
        answer = referee.answer(line)
        waiting.append(answer)
        size += len(answer)
        if at_once or size >= FLUSH_BYTES:
            stream_out.write(b"".join(waiting))
            stream_out.flush()
            waiting.clear()
            size = 0
    stream_out.write(b"".join(waiting))
    stream_out.flush()
    if lines.endless:
        raise EngardeError(f"a line has more than {MAX_SKIPPED_BYTES} bytes and no end: expected events, one a line.")
    return 0


class _Lines:
    """The lines of a stream; None for one that is too long, whose rest is discarded.

    ``endless``: the last line had no end in ``MAX_SKIPPED_BYTES``; nothing more is read.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.endless = False

    def __iter__(self) -> Iterator[bytes | None]:
        while not self.endless and (line := self._stream.readline(MAX_LINE_BYTES)):
            if len(line) < MAX_LINE_BYTES or line.endswith(b"\n"):
                yield line
                continue
            self.endless = not self._read_past()
            yield None

    def _read_past(self) -> bool:
        """Discard the rest of a line; False where it has no end in ``MAX_SKIPPED_BYTES``."""
        for _ in range(MAX_SKIPPED_BYTES // PIECE_BYTES):
            rest = self._stream.readline(PIECE_BYTES)
            if not rest or rest.endswith(b"\n"):
                return True
        return False


class LineReferee:
    """One match refereed line by line.

    A refused line changes nothing, so the same one is refused in the same words: repeated ones are looked up.
    """

    def __init__(self) -> None:
        self.state: PublicState | None = None
        self._text = state_text(None)
        self._refused: dict[bytes | None, bytes] = {}

    def answer(self, line: bytes | None) -> bytes:
        """The answer to one line (None: one too long to hold), with its newline."""
        if self._refused and (before := self._refused.get(line)) is not None:
            return before
        try:
            event = parse_event(line)
        except EventError as error:
            ruling = judge_unreadable(self.state, error)
        else:
            state, ruling = judge(self.state, event)
            if state is not self.state:
                self.state = state
                self._text = state_text(state)
                if self._refused:
                    self._refused.clear()
        answer = f"{answer_text(self._text, ruling)}\n".encode("ascii")
        if not ruling.ok and len(self._refused) < MAX_REFUSED and (line is None or len(line) <= MAX_REFUSED_BYTES):
            self._refused[line] = answer
        return answer


def parse_event(line: bytes | None) -> Event:
    """The event a line of UTF-8 JSON is. Raises EventError for anything else, whatever it is."""
    if line is None:
        raise EventError(f"it has more than {MAX_LINE_BYTES} bytes")
    try:
        return event_from_json(unbounded_json_of(line.decode()))
    except UnicodeDecodeError:
        raise EventError("it is not UTF-8 text") from None
    except MalformedError as error:
        if line.startswith(codecs.BOM_UTF8):
            raise EventError("it begins with a byte-order mark; save it as UTF-8 without one") from None
        raise EventError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Judge:
    """Table events in, rulings out, one JSON object a line."""

    file: str = option(
        "events, one JSON object a line (default: standard input)", "file", default="-", nargs="?", metavar="FILE"
    )
    record: bool = switch("FILE is a game record, as engarde scores --record prints")

    def do(self) -> int:
        """Judge a file, or standard input, on standard output.

        Raises OSError for a file that cannot be read, EngardeError where a standard stream was closed before we began.
        """
        if sys.stdout is None or (sys.stdin is None and self.file == "-"):
            raise EngardeError("standard input or output is closed: open both, or name a FILE to read.")
        with ExitStack() as held:
            if self.file == "-":
                stream: BinaryIO = sys.stdin.buffer
            else:
                if not self.file.startswith(_HANDED_OVER):
                    expect_file(Path(self.file), None)
                stream = held.enter_context(open(self.file, "rb", buffering=BUFFER_BYTES))
            if not self.record:
                return run_judge(stream, sys.stdout.buffer)
            data = stream.read(MAX_LIST)
        if len(data) == MAX_LIST:
            found = f"found {MAX_LIST} bytes and more; name another file."
            raise EngardeError(f"{self.file}: expected a game record, {found}")
        return judge_record(text_of(data, "standard input" if self.file == "-" else self.file), sys.stdout)


def judge_record(text: str, out: TextIO) -> int:
    """Referees a game record and prints an answer for each of its events, as for lines of events; exit status 0.

    Raises RecordError, with the line or the move, for a record that cannot be read or that the referee refuses.
    """
    for _, state, ruling in replay(parse_record(text)):
        print(answer_text(state_text(state), ruling), file=out)
    return 0
