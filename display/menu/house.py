"""Those who play here, as the menu shows them: two rivals, everybody, and one of them with all there is to tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rules.track import BySide


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Two who play against each other. ``won`` are the matches each has won of those between them,
    as the ``label`` says.

    ``portraits`` are empty for who has none. ``met`` says when they last met and how it ended, or that they never did.
    """

    names: BySide[str]
    portraits: BySide[str]
    won: BySide[int]
    label: str
    met: str


@dataclass(frozen=True, slots=True)
class Feat:
    """Something earned: what it is called, what it takes, and the match it was earned in, 0 for not yet."""

    id: str
    title: str
    how: str
    match: int = 0


@dataclass(frozen=True, slots=True)
class Against:
    """How somebody stands with one opponent: in figures, and in words as the line is chosen."""

    name: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A player's page. ``rating`` in words, and ``curve`` after each of his matches, with the limits of each.

    ``form``: the last matches, the newest last, True for one won. ``standing``: won and lost, ``against``: head to
    head. ``numbers``: all else there is to tell, a line each. The titles are those of curve and form.
    ``named``: somebody chose this name, and it can be corrected.
    """

    name: str
    portrait: str
    rating: str
    curve: tuple[tuple[float, float, float], ...]
    form: tuple[bool, ...]
    standing: str
    against: tuple[Against, ...]
    feats: tuple[Feat, ...]
    numbers: tuple[str, ...]
    curve_title: str = ""
    form_title: str = ""
    named: bool = True


@dataclass(frozen=True, slots=True)
class Housemate:
    """One of those who play here, with his picture and his rating, in words."""

    name: str
    portrait: str
    rating: str


@dataclass(frozen=True, slots=True)
class HouseView:
    """Everybody, the best rated first, and what all matches have in common, in words; nobody, where none was played."""

    mates: tuple[Housemate, ...] = ()
    told: tuple[str, ...] = ()


NOBODY: Final = HouseView()
