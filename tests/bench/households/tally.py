"""What became of the turns of a sitting, and why, as far as the table that was agreed on tells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from households.room import Room

from engine.rules.track import Side
from engine.table.observation import Sight, TableObservation
from vision.look import Look


class Fate(Enum):
    """What became of something that happened at the table."""

    RIGHT = "right"
    WRONG = "wrong"
    ASKED = "asked about"
    MISSING = "not ruled"


@dataclass(frozen=True, slots=True)
class Happening:
    """A turn, an illegal turn, a round's beginning or two hands shown, with its fate; why, where it is not right."""

    kind: str
    number: int
    fate: Fate
    what: str
    cause: str = ""
    details: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.number} {self.fate.value}: {self.what} [{self.cause}] {self.details}"


@dataclass
class Tally:
    """The happenings of one sitting or many, with the seeds they are of."""

    happenings: list[tuple[int, Happening]] = field(default_factory=list)
    frames: int = 0
    took_s: float = 0.0
    broken: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.happenings += other.happenings
        self.frames += other.frames
        self.took_s += other.took_s
        self.broken += other.broken

    def counts(self, kind: str) -> Counter[Fate]:
        return Counter(one.fate for _, one in self.happenings if one.kind == kind)

    def line(self) -> str:
        """The counts of every kind in one line."""
        parts = []
        for kind in ("round", "turn", "illegal", "reveal"):
            counts = self.counts(kind)
            if counts:
                told = ", ".join(f"{counts[fate]} {fate.value}" for fate in Fate if counts[fate] or fate is Fate.RIGHT)
                parts.append(f"{kind}s {sum(counts.values())}: {told}")
        return "; ".join(parts)

    def causes(self) -> Counter[str]:
        """How often each cause kept a happening of each kind from being right."""
        return Counter(
            f"{one.kind} {one.fate.value}: {one.cause}" for _, one in self.happenings if one.fate is not Fate.RIGHT
        )


def cause_of(look: Look | None, room: Room) -> tuple[str, str]:
    """The cause in a word or two, and all that differs from the truth in this moment."""
    if look is None:
        return "nothing looked at", ""
    table = look.table
    found = [*_figures(table, room), *_cards(look, room)]
    if table.unread:
        found.append(("code nobody can read", f"{len(table.unread)} unread codes"))
    if table.glimpsed:
        found.append(("glimpsed", f"glimpsed {' '.join(map(str, table.glimpsed))}"))
    sight = "" if table.why is None else f"{table.sight.value}: {table.why.value}"
    if table.sight is Sight.BLIND:
        found.insert(0, (sight, ""))
    elif sight and not found:
        found.append((sight, ""))
    elif not found:
        found.append(("table right and steady", ""))
    details = [text for _, text in found if text]
    details += [sight, f"unchanged for {table.t_s - table.since_s:.1f} s"]
    return found[0][0], "; ".join(each for each in details if each)


def _figures(table: TableObservation, room: Room) -> list[tuple[str, str]]:
    found = []
    for side in Side:
        reading, true = table.figures[side], room.figures.get(side)
        space = None if true is None else true.space
        if reading.space == space:
            continue
        if reading.space is None:
            problem = "unseen" if reading.problem is None else reading.problem.value
            found.append((f"fencer {problem}", f"{side.value} {problem}, stands on {space}"))
        else:
            found.append(("fencer on another space", f"{side.value} on {reading.space}, stands on {space}"))
    return found


def _cards(look: Look, room: Room) -> list[tuple[str, str]]:
    agreed = {reading.card for reading in look.table.cards}
    lying, seen = set(room.cards), set(look.seen.cards)
    found = []
    if agreed - lying:
        found.append(("card that is not there", f"ghosts {' '.join(map(str, sorted(agreed - lying)))}"))
    newest = sorted(room.cards.values(), key=lambda laid: laid.level)
    missing = [laid.card for laid in newest if laid.card not in agreed]
    top = [card for card in missing if card in {laid.card for laid in newest[-4:]}]
    if top:
        read = [card for card in top if card in seen]
        name = "card seen and not agreed on" if read else "card unread"
        found.append((name, f"missing {' '.join(map(str, missing))}"))
    return found
