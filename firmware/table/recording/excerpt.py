"""One turn out of a recording, as a recording of its own: small enough to be sent to whoever is asked about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.rules.events import MatchEvent, RoundEvent
from firmware.core.errors import EngardeError
from firmware.core.io.files import write_new
from firmware.table.camera.recorded import RecordedCamera
from vision.recording.codec import Copier
from vision.recording.recording import FrameNote, RecordedFrames, frame_bytes, header_bytes, note_bytes

# The turns among what was ruled in a recording, as people number them.

_TURNS: Final = ("turn", "yield", "reveal")
"""The events that are counted: what players do."""


def turns_of(verdicts: Sequence[FrameNote]) -> list[FrameNote]:
    """The verdicts on turns, in order; refused ones count too."""
    return [verdict for verdict in verdicts if verdict["event"]["event"] in _TURNS]


def numbered_turn(verdicts: Sequence[FrameNote], number: int) -> FrameNote:
    """The verdict on turn ``number``, from 1. Raises EngardeError where there is no such turn."""
    turns = turns_of(verdicts)
    if not 1 <= number <= len(turns):
        has = f"turns 1 to {len(turns)}" if turns else "no turns: it was not made by engarde play --record"
        raise EngardeError(f"--turn {number}: this recording has {has}; --turns lists them.")
    return turns[number - 1]


MAX_BYTES: Final = 20_000_000
_LEAD_S: Final = 4.0
"""So long before a turn was opened the eyes begin: they know the table by then."""


class Excerpt(NamedTuple):
    """A written excerpt: ``frames`` in ``size_bytes``; ``left_out_s`` of the turn's beginning found no room."""

    frames: int
    size_bytes: int
    left_out_s: float


def cut_out(recording: Path, number: int, out: Path, most_bytes: int = MAX_BYTES) -> Excerpt:
    """Write turn ``number`` of a recording to ``out``, a recording whose frames are the same to the pixel.

    It begins with the turn's round, because what lies covered now was seen when it was laid; with a later turn, or in
    the midst of this one, where all of that would take more than ``most_bytes``. Raises EngardeError where there is no
    such turn or no match, or for a file that is there; OSError; RecordingError for a damaged recording.
    """
    with closing(RecordedCamera(recording)) as camera, RecordedFrames(recording) as source:
        header, notes, sizes = source.header, list(camera.all_notes()), list(source.frame_sizes())
    turn = numbered_turn([note["verdict"] for note in notes if "verdict" in note], number)
    if header.get("match") is None:
        raise EngardeError(f"--turn {number}: this recording has no match; it was not made by engarde play --record.")
    opened_s, judged_s = round(float(turn.get("opened_s", 0.0)), 3), round(float(turn["t"]), 3)
    for begins_s in _beginnings(notes, turn, opened_s, judged_s):
        if sum(size for t_s, size in sizes if begins_s - _LEAD_S <= t_s <= judged_s) > most_bytes:
            continue
        match = {**header["match"], "entries": _entries_before(header, notes, begins_s), "opened": True}
        parts = [header_bytes({**header, "match": match}), *_parts(recording, begins_s, judged_s)]
        if sum(map(len, parts)) <= most_bytes:
            break
    else:
        raise EngardeError(f"--turn {number}: not even its last seconds fit into {most_bytes / 1e6:g} MB.")
    try:
        write_new(out, parts, private=True)
    except FileExistsError:
        raise EngardeError(
            f"--record {out}: there is such a file already and it is left as it is; name another one, or remove it."
        ) from None
    return Excerpt(len(parts) - 1, sum(map(len, parts)), max(0.0, begins_s - opened_s))


def _beginnings(notes: Sequence[FrameNote], turn: FrameNote, opened_s: float, judged_s: float) -> Iterator[float]:
    """When the excerpt may begin, the best first."""
    accepted: list[float] = []
    for note in notes:
        verdict = note.get("verdict")
        if verdict is turn:
            break
        if verdict is not None and verdict["ruling"]["ok"]:
            t_s = round(float(verdict["t"]), 3)
            accepted = [t_s] if verdict["event"]["event"] == RoundEvent.name else [*accepted, t_s]
    yield from (t_s for t_s in accepted if t_s <= opened_s)
    yield opened_s
    late_s = opened_s
    while judged_s - late_s > _LEAD_S:
        late_s += (judged_s - late_s) / 2
        yield late_s


def _parts(recording: Path, begins_s: float, judged_s: float) -> Iterator[bytes]:
    """The frames, each with the notes that belong to it."""
    copier = Copier()
    with RecordedFrames(recording) as source:
        while (frame := source.read()) is not None:
            t_s = round(frame.t_s, 3)
            if t_s < begins_s - _LEAD_S:
                continue
            # What was done before is in the match that the header has.
            notes = source.notes if t_s > begins_s else ()
            patch = copier.copied(frame.y) if frame.y.size else None
            yield frame_bytes(frame.index, frame.t_s, patch) + b"".join(note_bytes(note) for note in notes)
            if t_s >= judged_s:
                return


def _entries_before(header: Mapping[str, Any], notes: Sequence[FrameNote], begins_s: float) -> list[Any]:
    """The match's entries accepted by then; those of a match that was begun in the midst, if there was one."""
    entries = list(header["match"]["entries"])
    for note in notes:
        verdict = note.get("verdict")
        if verdict is not None and float(verdict["t"]) > begins_s:
            break
        if verdict is not None and verdict["ruling"]["ok"]:
            event = verdict["event"]
            entries = [event] if event["event"] == MatchEvent.name else [*entries, event]
        elif "begin" in note:
            entries = [note["begin"]["match"]]
    return entries
