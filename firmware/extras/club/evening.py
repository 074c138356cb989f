"""An evening's competition on the club's tables: its log on disk, who fences where, and results that are believed."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engine.competition.bouts import Bout, CompetitionError, Score
from engine.competition.competition import Competition
from engine.competition.events import (
    CompetitionEvent,
    Corrected,
    Entered,
    FencedAgain,
    Log,
    Lost,
    MatchFenced,
    TakenBack,
    event_from_json,
    event_to_json,
    holding,
)
from engine.strict.text import MalformedError, json_of
from engine.strict.values import read
from firmware.core.clock import Clock, SystemClock, day_text
from firmware.core.io.files import edit_stream, expect_file, make_folder, write_state
from firmware.core.names import BadNameError, clean_name, person_key
from firmware.extras.club.messages import ClubError

MAX_OF_A_BOUT: Final = 40
"""Results of one bout that are taken by themselves, those taken back among them: a table that takes back without end
fills no log."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The event of the log with which a match counts, its ``number`` there, and the how manyth of its bout it is."""

    event: MatchFenced
    number: int
    at: int


def fenced_of(now: Competition, bout: Bout, event: Mapping[str, Any]) -> MatchFenced | None:
    """How a match of this bout ended; None where it is nobody's. ``event`` is its last, and of the two of that bout."""
    score = event["score"]
    winner = None if event["result"] is None else event["result"]["winner"]
    level = score["white"] == score["black"]
    first = "white" if now.fencers[bout.first or ""].name == event["names"]["white"] else "black"
    other = "black" if first == "white" else "white"
    if level and winner is None:
        return None  # a match of a competition is somebody's
    won = winner == first if level else score[first] > score[other]
    return MatchFenced(bout.id, score[first], score[other], won, event["match"])


def counted(log: Log, match: str) -> Counted | None:
    """With what this match counts now; None where it does not."""
    found: Counted | None = None
    at: dict[str, int] = {}
    for number, (event, holds) in enumerate(zip(log.events, holding(log.events), strict=True), 1):
        if not holds:
            continue
        if isinstance(event, FencedAgain):
            at[event.bout] = 0
            found = None if found is not None and found.event.bout == event.bout else found
        elif isinstance(event, MatchFenced):
            at[event.bout] = at.get(event.bout, 0) + 1
            if event.match == match:
                found = Counted(event, number, at[event.bout])
    return found


def put_right(log: Log, event: Mapping[str, Any]) -> tuple[CompetitionEvent, ...]:
    """Events that make a counted match stand as its table tells it now; none where it stands so."""
    now = log.now
    if now is None or event["match"] not in now.matches:
        return ()
    before = counted(log, event["match"])
    if before is None:
        return ()
    bout, back = now.bout(before.event.bout), TakenBack(before.number)
    after = fenced_of(now, bout, event) if event["phase"] == "match_over" else None
    if after is None:
        return (back,)
    score = Score(after.first, after.second, after.first_won)
    if bout.scores[before.at - 1] == score:
        return ()
    why = f"put right at table {event['table']}"
    return (Corrected(bout.id, before.at, after.first, after.second, after.first_won, why),)


def is_taken(log: Log, bout: str) -> bool:
    """Whether another result of this bout is taken by itself: not after too many."""
    return sum(isinstance(each, MatchFenced | Corrected) and each.bout == bout for each in log.events) < (MAX_OF_A_BOUT)


MAX_LOG_BYTES: Final = 1 << 24


class Evening:
    """The competition and its log. Every event is on disk before it holds."""

    def __init__(self, path: Path, clock: Clock | None = None) -> None:
        """Goes on with the log that is there; ``clock`` says on which day a match counts, None for the machine's own.

        A line that cannot be used is left out and told in ``skipped``; what was told after it may not hold without it,
        and is left out too. Raises ClubError where the file cannot be read at all.
        """
        self.path = path
        self._clock = clock or SystemClock()
        self.log = Log()
        self.placed: dict[str, str] = {}
        """The bout that each table is to fence, by table."""
        self.skipped: list[str] = []
        """A sentence for each line that was left out."""
        self._whole_bytes = 0
        if path.exists():
            self._read()
            self.placed = _read_placed(self._placed_path, self.log)

    def _read(self) -> None:
        try:
            expect_file(self.path, MAX_LOG_BYTES)
            content = self.path.read_bytes()
        except OSError as error:
            raise ClubError(f"the competition's log {self.path} cannot be read: {error}.") from error
        whole, cut = content[: content.rfind(b"\n") + 1], content[content.rfind(b"\n") + 1 :]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                self.log = self.log.and_then(_event_of(line))
            except ValueError as error:
                self.skipped.append(f"{self.path.name}, line {number} is left out: {error}.")
                self.log = self.log.and_then(Lost(str(error)[:100]))
        if cut:  # by a power cut, before it was told to anybody
            self.skipped.append(f"{self.path.name}: its last line was cut off and is left out.")
        self._whole_bytes = len(whole)

    @property
    def now(self) -> Competition | None:
        """The competition as it stands; None before it was opened."""
        return self.log.now

    def add(self, event: CompetitionEvent) -> None:
        """Judge an event and keep it. Raises CompetitionError, and OSError with nothing changed."""
        event = self._callable(event) if isinstance(event, Entered) else event
        if isinstance(event, MatchFenced) and not event.day:
            event = replace(event, day=day_text(self._clock.wall_s()))
        after = self.log.and_then(event)
        make_folder(self.path.parent, private=True)
        text = json.dumps(event_to_json(event), ensure_ascii=False).encode()
        line = b"%s\t%08x\n" % (text, zlib.crc32(text))
        with edit_stream(self.path) as stream:
            stream.truncate(self._whole_bytes)
            stream.seek(self._whole_bytes)
            stream.write(line)
            os.fsync(stream.fileno())
        self._whole_bytes += len(line)
        self.log = after
        self.placed = _still_due(self.placed, after)

    def _callable(self, event: Entered) -> Entered:
        """The same with names as tables write them, which nobody else here has. Raises CompetitionError."""
        fencer = event.fencer
        try:
            name = clean_name(fencer.name)
        except BadNameError as error:
            raise CompetitionError(str(error).rstrip(".")) from error
        there = [] if self.now is None else [each for each in self.now.fencers.values() if each.id not in self.now.left]
        alike = next((each for each in there if person_key(each.name) == person_key(name)), None)
        if alike is not None and alike.id != fencer.id:
            raise CompetitionError(f"{name} is the name of {alike.id} too, and a table calls by names: add an initial")
        return Entered(replace(fencer, name=name))

    @property
    def waiting(self) -> list[Bout]:
        """The bouts that can be fenced now and have no table yet, in the order they are called."""
        due = self.now.due() if self.now is not None else ()
        return [bout for bout in due if bout.id not in self.placed.values()]

    def place(self, free: Iterable[str]) -> dict[str, Bout]:
        """Give the next bouts to these free tables: nobody stands at two of them. What was given now, by table."""
        if self.now is None:
            return {}
        given: dict[str, Bout] = {}
        bouts = self.now.by_name
        busy = {fencer for name in self.placed.values() for fencer in (bouts[name].first, bouts[name].second)}
        waiting = self.waiting
        for table in free:
            if table in self.placed:
                continue
            bout = next((each for each in waiting if not {each.first, each.second} & busy), None)
            if bout is None:
                break
            waiting.remove(bout)
            busy |= {bout.first, bout.second}
            self.placed[table], given[table] = bout.id, bout
        if given:
            self._keep_placed()
        return given

    def _keep_placed(self) -> None:
        with suppress(OSError):  # on a full disk bouts are called anew after a restart, no more
            write_state(self._placed_path, json.dumps(self.placed))

    @property
    def _placed_path(self) -> Path:
        return self.path.with_name(f"{self.path.stem}-placed.json")

    def call_of(self, table: str) -> dict[str, Any] | None:
        """The call for this table's next match; None for none.

        Colours change from match to match of a bout.
        """
        now, name = self.now, self.placed.get(table)
        if now is None or name is None:
            return None
        bout, terms = now.bout(name), now.terms_of(name)
        pair = [now.fencers[each or ""] for each in (bout.first, bout.second)]
        at = len(bout.scores) + 1
        white, black = pair if at % 2 else pair[::-1]
        return {
            "version": 1,
            "bout": bout.id,
            "match": at,
            "names": {"white": white.name, "black": black.name},
            "handicap": {"white": white.handicap, "black": black.handicap},
            "points": terms.points,
            "best_of": terms.best_of,
            "time_s": terms.time_s,
            "tie": terms.tie.value,
        }

    def result_of(self, event: Mapping[str, Any]) -> MatchFenced | None:
        """The result that a table's last event brings for the bout it was given; None where it brings none.

        Only the bout that was called, by that pair and at those terms, counts: whatever else a table says is its own
        game.
        """
        call = self.call_of(event["table"])
        if call is None or self.now is None or event["phase"] != "match_over":
            return None
        if event["match"] in self.now.matches or event["names"] != call["names"] or event["bout"] != call["bout"]:
            return None
        if event["points"] != call["points"] and not _by_one_more_touch(event, call):
            return None
        return fenced_of(self.now, self.now.bout(call["bout"]), event)

    def stand_again(self, table: str, bout: str, begun: Collection[str]) -> None:
        """What was fenced of this bout was taken back, and goes on at this table: whom else its two were called to
        waits, unless that is ``begun``."""
        now = self.now
        if now is None or not now.bout(bout).due:
            return
        both = {now.bout(bout).first, now.bout(bout).second}
        apart = {
            at: name
            for at, name in self.placed.items()
            if at != table and (name in begun or not both & {now.bout(name).first, now.bout(name).second})
        }
        self.placed = {**apart, table: bout}
        self._keep_placed()

    def fencer_told(self, fencer: str) -> dict[str, Any] | None:
        """The page of a fencer's phone as values; None for an unknown fencer."""
        now = self.now
        if now is None or fencer not in now.fencers:
            return None
        bouts = now.by_name
        at = next((t for t, name in self.placed.items() if fencer in (bouts[name].first, bouts[name].second)), None)
        mine = [bout for bout in now.due() if fencer in (bout.first, bout.second)]
        nearest = bouts[self.placed[at]] if at is not None else mine[0] if mine else None
        other = None if nearest is None else nearest.against(fencer)
        places = {name: place for place, name in now.ranking()} if now.scores else {}
        return {
            "fencer": fencer,
            "name": now.fencers[fencer].name,
            "competition": now.name,
            "piste": at,
            "against": None if other is None else now.fencers[other].name,
            "before": None if at is not None or nearest is None else self.waiting.index(nearest),
            "left": fencer in now.left,
            "place": places.get(fencer),
            "bouts": [
                {
                    "bout": bout.id,
                    "against": now.fencers[bout.against(fencer) or ""].name,
                    "score": bout.touches if bout.first == fencer else bout.touches[::-1],
                    "won": bout.winner == fencer,
                }
                for bout in now.bouts
                if bout.known and bout.scores and fencer in (bout.first, bout.second) and not bout.annulled
            ],
        }


def _by_one_more_touch(event: Mapping[str, Any], call: Mapping[str, Any]) -> bool:
    """Whether time made this match one to fewer points: nobody has more than one touch more than the other."""
    low, high = sorted(event["score"].values())
    return call["time_s"] is not None and low + 1 == event["points"] < call["points"] and high - low <= 1


def _read_placed(path: Path, log: Log) -> dict[str, str]:
    """Where the bouts were called to before the hall was started again, as far as they are still to be fenced."""
    try:
        placed = read(Mapping[str, str], json_of(path.read_bytes()))
    except (OSError, MalformedError):
        return {}
    return _still_due(placed, log)


def _still_due(placed: Mapping[str, str], log: Log) -> dict[str, str]:
    due = {bout.id for bout in log.now.due()} if log.now is not None else set()
    return {table: bout for table, bout in placed.items() if bout in due}


def _event_of(line: bytes) -> CompetitionEvent:
    """The event of a line: JSON, a tab and its CRC-32, which older logs do not have. Raises ValueError."""
    text, tab, total = line.partition(b"\t")
    if tab and total != b"%08x" % zlib.crc32(text):
        raise MalformedError("its checksum does not hold")
    return event_from_json(json_of(text))
