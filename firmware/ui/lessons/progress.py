"""Each player's progress, in a file beside the scorebook: lessons, puzzles, bookmark, portrait, and what is due again.

People are known as in the scorebook: another spelling of a name is the same person. A theme, the kind of a puzzle or a
step of a lesson, comes back spaced by its misses. The spacing is FSRS, as its Python library has it:
https://github.com/open-spaced-repetition/py-fsrs
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from display.draw.pictures import PORTRAITS
from engine.lessons.lesson import LESSONS
from engine.lessons.occasions import Occasion
from engine.puzzles.collection import PUZZLES, parse_puzzles, print_puzzles
from engine.puzzles.puzzle import Attempt, Puzzle, PuzzleTheme, solutions
from engine.rules.track import BySide
from engine.strict.text import MAX_NUMBER, MalformedError, json_of
from engine.strict.values import AsList, Converter, Range, plain, read
from firmware.book.scores.ratings import Rating
from firmware.core.io.files import MAX_LIST, read_text, sync, write_state
from firmware.core.names import clean_name, person_key
from firmware.ui.companion.opponents import is_a_person

if TYPE_CHECKING:  # it takes a tenth of a second to load, and not every start learns
    from fsrs import Scheduler


_LAST_DAY: Final = date(9000, 1, 1).toordinal()
"""FSRS counts on from it by a hundred years at most, and Python's calendar ends with the year 9999."""
WARM_UP: Final = 3
"""So many positions warm up for an evening."""
MAX_DAYS: Final = 90
"""Nothing rests for longer than a season: chosen, for FSRS alone would let a theme rest for years."""


class RecallGrade(Enum):
    """How well a theme was met, by FSRS's number; its two other grades, of how hard it was, are asked of nobody."""

    MISSED = 1  # a wrong try, or a hint
    KNEW = 3


@dataclass(frozen=True, slots=True)
class Remembered:
    """One theme in a player's memory, as FSRS counts it.

    ``stability`` is in days, ``difficulty`` 1 to 10. ``due_day``, when it is due again, and ``last_day``, when it was
    met, are days of the calendar (``firmware.core.clock.day_number``).
    """

    stability: Annotated[float, Range(0.0001, 1e9)]
    difficulty: Annotated[float, Range(1, 10)]
    due_day: Annotated[int, Range(1, date.max.toordinal())]
    last_day: Annotated[int, Range(1, _LAST_DAY)]


Memories: TypeAlias = Mapping[str, Annotated[Remembered, AsList()]]
"""Themes by their keys, see ``firmware.ui.lessons.solving``."""


def recall_of(tries: int, *, helped: bool = False) -> RecallGrade:
    """The grade after so many wrong tries: anything not right at once was forgotten."""
    return RecallGrade.MISSED if tries or helped else RecallGrade.KNEW


def load_schedule() -> None:
    """Import FSRS ahead of time, in a thread."""
    import fsrs  # noqa: F401


def remembered(before: Remembered | None, recall: RecallGrade, day: int) -> Remembered:
    """The theme in memory after it was met like this on this day; ``before`` None: for the first time."""
    from fsrs import Card, Rating, State

    card = Card(card_id=1)
    if before is not None:
        card = Card(
            card_id=1,
            state=State.Review,
            stability=before.stability,
            difficulty=before.difficulty,
            due=_midnight(before.due_day),
            last_review=_midnight(min(before.last_day, day)),
        )
    after, _ = _scheduler().review_card(card, Rating(recall.value), _midnight(day))
    assert after.stability is not None
    assert after.difficulty is not None
    due_day = (after.due + timedelta(hours=12)).toordinal()
    return Remembered(round(after.stability, 4), round(after.difficulty, 4), due_day, day)


def due(memories: Iterable[Memories], day: int, most: int | None = WARM_UP) -> tuple[str, ...]:
    """Keys due on this day for any of these memories, the longest overdue first. Nothing is met twice on one day."""
    overdue: dict[str, int] = {}
    for memory in memories:
        for key, each in memory.items():
            # A clock that was years ahead wrote days to come: what was met then is due now.
            if each.last_day > day or (each.due_day <= day and each.last_day < day):
                overdue[key] = max(day - each.due_day, overdue.get(key, 0))
    return tuple(sorted(overdue, key=lambda key: (-overdue[key], key)))[:most]


def _scheduler() -> Scheduler:
    from fsrs import Scheduler

    # Evenings are days apart: nothing is learned by minutes here, and nothing is left to chance.
    return Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=MAX_DAYS, enable_fuzzing=False)


def _midnight(day: int) -> datetime:
    return datetime.fromordinal(max(1, min(day, _LAST_DAY))).replace(tzinfo=UTC)


OWN: Final = "own-"
"""What the id of such a puzzle begins with."""
MAX_OWN: Final = 50
"""So many are kept of each player; then the oldest makes way."""


def called(puzzle: Puzzle) -> Puzzle:
    """The same puzzle with an id that comes of what it is: one mistake makes one puzzle, however often it is kept."""
    text = print_puzzles((replace(puzzle, id=OWN),))
    return replace(puzzle, id=f"{OWN}{sha256(text.encode()).hexdigest()[:10]}")


def with_another(kept: Sequence[Puzzle], puzzle: Puzzle) -> tuple[Puzzle, ...]:
    """These with one more, the newest last."""
    return (*(each for each in kept if each.id != puzzle.id), puzzle)[-MAX_OWN:]


def _puzzle(text: str) -> Puzzle:
    [puzzle] = parse_puzzles(text)
    if not puzzle.id.startswith(OWN) or not solutions(puzzle):
        raise ValueError
    return puzzle


OwnPuzzle: TypeAlias = Annotated[
    Puzzle, Converter(_puzzle, lambda puzzle: print_puzzles((puzzle,)), f"a puzzle called {OWN}... with a turn to make")
]
"""As it is kept in a file."""


FILE: Final = "lessons.json"
PUZZLES_AT: Final = "puzzle:"
"""What a bookmark of a puzzle begins with."""
THEME: Final = "theme:"
"""What the key of a puzzle's theme begins with."""
_NEWCOMER: Final = Rating()
_Count: TypeAlias = Annotated[int, Range(0, MAX_NUMBER)]


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where lessons were left: a lesson's id, and a step of it, from 0."""

    lesson: str
    place: _Count = 0


@dataclass(frozen=True, slots=True)
class Solved:
    """A player's puzzle record: ``tried`` ones count in the ``rating``; ``streak`` of solved, and the ``longest``."""

    tried: frozenset[str] = frozenset()
    rating: Annotated[Rating, AsList()] = _NEWCOMER
    streak: _Count = 0
    longest: _Count = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """A player's counting record: right answers in a ``row``, ``longest`` row, fastest one, 0 before the first."""

    row: _Count = 0
    longest: _Count = 0
    fastest_s: Annotated[float, Range(0, MAX_NUMBER)] = 0.0


@dataclass(frozen=True, slots=True)
class Pupil:
    """One player's progress.

    ``at``: the bookmark, None before the first lesson. ``row``: steps right at the first try one after the other until
    now, ``longest_row`` the most ever. ``puzzles``: solved unaided. ``portrait``: the chosen picture, empty for none.
    ``stars``: the most earned by lesson, 1 to 3. ``memory``: themes met. ``own``: puzzles made of this player's
    mistakes, the newest last. ``explained``: rules that a match explained, as ``Occasion`` has them.
    """

    name: Annotated[str, Converter(clean_name, str, "a name")]
    lessons: frozenset[str] = frozenset()
    puzzles: frozenset[str] = frozenset()
    at: Bookmark | None = None
    solving: Solved = Solved()
    portrait: str = ""
    stars: Mapping[str, Annotated[int, Range(1, 3)]] = field(default_factory=dict)
    memory: Memories = field(default_factory=dict)
    own: tuple[OwnPuzzle, ...] = ()
    row: _Count = 0
    longest_row: _Count = 0
    counting: Counted = Counted()
    explained: frozenset[str] = frozenset()


class _File(NamedTuple):
    version: Literal[1]
    people: tuple[Pupil, ...]
    looked: _Count = 0


def progress_path(book: Path) -> Path:
    """The file of progress, beside this scorebook."""
    return book.with_name(FILE)


class Progress:
    """The file, read once and written with every change.

    ``notice`` is empty, or says that it cannot be read, is kept aside and lessons begin anew, or that it cannot be
    written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.notice = ""
        self.attempts: dict[str, Attempt] = {}
        """How each puzzle stands this evening; of that nothing is written."""
        self.looked = 0
        """The last match of the scorebook in which mistakes were looked for, by its number."""
        self._pupils: dict[str, Pupil] = {}
        self._gathers = self._changed = False
        try:
            kept = read(_File, json_of(read_text(path, MAX_LIST)), others=True)
        except FileNotFoundError:
            return
        except (OSError, MalformedError) as error:
            self._keep_aside(str(error))
            return
        for each in kept.people:
            pupil = replace(each, memory=_by_theme(each.memory, each.own))
            self._pupils[person_key(each.name)] = pupil
        self.looked = kept.looked

    def of(self, name: str) -> Pupil:
        """This player's progress."""
        return self._pupils.get(person_key(name), Pupil(name))

    def knows(self, name: str) -> bool:
        """Whether anything is kept of this player."""
        return person_key(name) in self._pupils

    @property
    def portraits(self) -> dict[str, str]:
        """Everybody who chose a picture, by name, with that picture."""
        return {each.name: each.portrait for each in self._pupils.values() if each.portrait in PORTRAITS}

    def portrait_of(self, name: str) -> str:
        """The picture this player chose; empty for none, and for one that is gone."""
        chosen = self.of(name).portrait
        return chosen if chosen in PORTRAITS else ""

    def pictured(self, name: str, portrait: str) -> None:
        """This player has chosen this picture."""
        self._change((name,), lambda each: replace(each, portrait=portrait))

    def learned(self, names: Iterable[str], lesson: str, stars: int = 1) -> None:
        """These players have done this lesson, and it earned so many stars; the most it ever earned are kept."""

        def changed(each: Pupil) -> Pupil:
            most = max(stars, each.stars.get(lesson, 0))
            return replace(each, lessons=each.lessons | {lesson}, stars={**each.stars, lesson: most})

        self._change(names, changed)

    def explained(self, names: Iterable[str], occasion: Occasion) -> None:
        """This rule was explained to these players."""
        self._change(names, lambda each: replace(each, explained=each.explained | {occasion.value}))

    def rowed(self, names: Iterable[str], row: int) -> None:
        """So many steps in a row were right at the first try for these players until now."""
        self._change(names, lambda each: replace(each, row=row, longest_row=max(row, each.longest_row)))

    def met(self, names: Iterable[str], key: str, recall: RecallGrade, day: int) -> None:
        """These players met this theme on this day, and did so well."""

        def changed(each: Pupil) -> Pupil:
            return replace(each, memory={**each.memory, key: remembered(each.memory.get(key), recall, day)})

        self._change(names, changed)

    def tried(self, names: Iterable[str], puzzle: str, solved: bool, rating: Callable[[Pupil], Rating]) -> None:
        """These players have solved this puzzle unaided, or can no more; ``rating`` is each one's after it."""

        def changed(each: Pupil) -> Pupil:
            before = each.solving
            streak = before.streak + 1 if solved else 0
            now = Solved(before.tried | {puzzle}, rating(each), streak, max(before.longest, streak))
            return replace(each, puzzles=each.puzzles | {puzzle} if solved else each.puzzles, solving=now)

        self._change(names, changed)

    def counted(self, name: str, right: bool, took_s: float) -> None:
        """This player counted right, or not, and took so long."""

        def changed(each: Pupil) -> Pupil:
            before = each.counting
            if not right:
                return replace(each, counting=replace(before, row=0))
            row, took = before.row + 1, round(took_s, 1)
            fastest = min(before.fastest_s, took) if before.longest else took
            return replace(each, counting=Counted(row, max(row, before.longest), fastest))

        self._change((name,), changed)

    def kept(self, name: str, puzzle: Puzzle) -> None:
        """This puzzle was made of a mistake of this player's."""
        self._change((name,), lambda each: replace(each, own=with_another(each.own, puzzle)))

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write all changes made inside once, at the end: a memory card takes some hundredths of a second each time."""
        self._gathers, self._changed = True, False
        try:
            yield
        finally:
            self._gathers = False
            if self._changed:
                self._keep()

    def looked_at(self, match: int) -> None:
        """Mistakes were looked for in every match up to the one with this number."""
        self.looked = match
        self._keep()

    def left_at(self, names: Iterable[str], at: Bookmark) -> None:
        """Keep the bookmark of these players."""
        self._change(names, lambda each: replace(each, at=at))

    def forget(self, name: str) -> bool:
        """Take this player out; False for one who is not in it. Raises OSError where that cannot be written."""
        if self._pupils.pop(person_key(name), None) is None:
            return False
        self._write()
        return True

    def rename(self, old: str, new: str) -> None:
        """Add the progress of one name to that of another. Raises OSError."""
        pupil = self._pupils.pop(person_key(old), None)
        if pupil is None:
            return
        other = self.of(new)
        one, two = pupil.solving, other.solving
        more = pupil if len(one.tried) > len(two.tried) else other  # whose rating says more
        joined = replace(
            more,
            name=new,
            lessons=pupil.lessons | other.lessons,
            puzzles=pupil.puzzles | other.puzzles,
            at=other.at or pupil.at,
            solving=replace(more.solving, tried=one.tried | two.tried, longest=max(one.longest, two.longest)),
            portrait=other.portrait or pupil.portrait,
            memory={**pupil.memory, **other.memory},
            longest_row=max(pupil.longest_row, other.longest_row),
            explained=pupil.explained | other.explained,
            counting=max(pupil.counting, other.counting, key=lambda each: each.longest),
            own=(*pupil.own, *(each for each in other.own if each not in pupil.own)),
            stars={
                lesson: max(pupil.stars.get(lesson, 0), other.stars.get(lesson, 0))
                for lesson in {**pupil.stars, **other.stars}
            },
        )
        self._pupils[person_key(new)] = joined
        self._write()

    def _change(self, names: Iterable[str], change: Any) -> None:
        before = dict(self._pupils)
        for name in names:
            self._pupils[person_key(name)] = change(self.of(name))
        if self._pupils != before:
            self._keep()

    def _keep(self) -> None:
        if self._gathers:
            self._changed = True
            return
        try:
            self._write()
        except OSError as error:
            self.notice = self.notice or f"What was learned cannot be kept: {self._path}: {error.strerror}."

    def _write(self) -> None:
        told = plain(_File, _File(1, tuple(self._pupils.values()), self.looked))
        write_state(self._path, json.dumps(told, ensure_ascii=False, indent=1))

    def _keep_aside(self, why: str) -> None:
        number = 1
        while (aside := self._path.with_name(f"{self._path.stem}.damaged-{number}.json")).exists():
            number += 1
        try:
            os.replace(self._path, aside)
            sync(aside.parent)
        except OSError as error:
            self.notice = f"{self._path} cannot be read ({why}) nor moved ({error.strerror}): lessons begin anew."
            return
        self.notice = f"{self._path} cannot be read ({why}): it is kept as {aside.name}, and lessons begin anew."


def next_lesson(progress: Progress, names: BySide[str]) -> Bookmark:
    """The bookmark for two players: where both left off, else the first lesson that one of them has not done.

    Bots and sides without a name are left out.
    """
    known = [name for _, name in names.items() if progress.knows(name) or is_a_person(name)]
    pupils = [progress.of(name) for name in known]
    places = {pupil.at for pupil in pupils}
    if len(places) == 1 and (at := places.pop()) is not None and at.place > 0:
        return at
    done = frozenset[str]().union(*(each.lessons for each in pupils)).intersection(*(each.lessons for each in pupils))
    return Bookmark(next((lesson.id for lesson in LESSONS if lesson.id not in done), LESSONS[0].id))


def theme_key(theme: PuzzleTheme) -> str:
    """The key of a puzzle's theme in a memory."""
    return f"{THEME}{theme.value}"


def _by_theme(memory: Memories, own: Iterable[Puzzle]) -> dict[str, Remembered]:
    """A memory in which a file of before kept single puzzles: of a theme the one that is due first counts."""
    themes = {f"{PUZZLES_AT}{puzzle.id} 0": theme_key(puzzle.theme) for puzzle in (*PUZZLES, *own)}
    found: dict[str, Remembered] = {}
    for key, each in memory.items():
        theme = themes.get(key, key)
        if theme not in found or each.due_day < found[theme].due_day:
            found[theme] = each
    return found
