"""The menu's pages for learning: lessons, exercises with positions made anew, and counting from memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from display.i18n import Words
from display.menu.model import Act, Board, Goto, HandView, Item, Menu, MenuPlace, Open, Page, leave, stay
from display.view import NO_NAMES, FencerView, Mark, PisteView, Pose
from display.words.sentences import listed, shown_name, side_name
from display.words.verdicts import play_sentence
from engine.lessons.exercises import (
    ANSWERS,
    EACH,
    CountingDrill,
    Exercise,
    Option,
    Principle,
    drill_alone,
    drill_of_round,
    exercise,
)
from engine.lessons.lesson import LESSON_BY_ID, LESSONS, Lesson
from engine.rules.cards import LETTERS, Card
from engine.rules.legal import Play
from engine.rules.track import BySide, Side
from firmware.core.clock import day_number
from firmware.ui.companion.opponents import is_a_bot, is_a_person
from firmware.ui.lessons.progress import Progress, Pupil, due, recall_of
from firmware.ui.lessons.solving import WARM_UP_AT, answering
from firmware.ui.menu.page import MenuPage, PrintingPage, line, pages_under
from firmware.ui.menu.state import MenuState

STAR: Final = "\u2605"
PATH_COLUMNS: Final = 4


def to_warm_up(say: Words, now: MenuState) -> list[Item]:
    """The line that begins the warm-up, where something is due and nothing is taught."""
    count = 0 if now.teaching else now.warm_up
    if not count:
        return []
    text, note = say.say("lessons.menu.warm_up", count=count), say.say("lessons.menu.warm_up_note")
    return [Item(Act("lesson", WARM_UP_AT), text, note=note, does=now.lesson_at(WARM_UP_AT))]


def who(say: Words, names: BySide[str], sides: Iterable[Side]) -> str:
    """These players by name or colour."""
    return listed(say, [shown_name(say, side, names[side]) for side in sides], "and")


def stars_of(pupils: Mapping[Side, Pupil], lesson: Lesson) -> int:
    """The most stars that this lesson has earned any of these."""
    return max((pupil.stars.get(lesson.id, 0) for pupil in pupils.values()), default=0)


def taught(progress: Progress, names: BySide[str]) -> tuple[str, ...]:
    """Names of the players who have learned all lessons; sides without a name are left out."""
    people = (name for _, name in names.items() if is_a_person(name))
    return tuple(name for name in people if progress.of(name).lessons.issuperset(LESSON_BY_ID))


class LearnPage(PrintingPage, id="learn"):
    """The lesson to go on with, the puzzles, and all lessons with who has learned them."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, pupils = self.now, self.now.pupils
        items = to_warm_up(say, now)
        if now.next_lesson and not now.teaching:
            title = say.say(f"lessons.{now.next_lesson}.title")
            does = leave(now.learn_on)
            items.append(Item(Act("learn_on"), say.say("lessons.menu.learn_on", title=title), does=does))
        if pupils:
            items += [line(say, Goto.PUZZLES, "lessons.menu.puzzles"), *pages_under(say, self.id)]
            items.append(line(say, Goto.PATH, "lessons.menu.path"))
        if any(pupil.lessons.issuperset(LESSON_BY_ID) for pupil in pupils.values()):
            names = taught(now.kept, now.names)
            made = stay(lambda: now.print_sheet("certificate", names))
            items.append(line(say, Act("certificate"), "lessons.menu.certificate", made))
        rows = {shown_name(say, side, now.names[side]): each for side, each in pupils.items() if each.longest_row}
        streaks = tuple(
            say.say("lessons.menu.streak", name=name, count=each.row, longest=each.longest_row)
            for name, each in rows.items()
        )
        return Page(say.say("lessons.menu.learn"), tuple(items), streaks)


class PathPage(MenuPage, id="path"):
    """All lessons as stops of a path, each with its stars, and how long it takes."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        items, now, pupils = [], self.now, self.now.pupils
        for number, each in enumerate(LESSONS, start=1):
            title = say.say(f"lessons.{each.id}.title")
            learned = [side for side, pupil in pupils.items() if each.id in pupil.lessons]
            told = [say.say("lessons.alone.minutes", count=each.minutes), who(say, now.names, learned)]
            note = " \u00b7 ".join(filter(None, (say.say("lessons.said.title", number=number, title=title), *told)))
            stars, does = stars_of(pupils, each), now.lesson_at(each.id)
            items.append(Item(Act("lesson", each.id), title, str(number), note=note, stars=stars, does=does))
        return Page(say.say("lessons.menu.path"), tuple(items), columns=PATH_COLUMNS, gallery=True)


PLAY: Final = "play:"
"""What the key of a principle in a memory begins with."""
COUNTING: Final = f"{PLAY}counting"
"""Likewise of the counting drill."""
ALONE: Final = "alone"
ROUND: Final = "round"


def _another() -> str:
    """A seed nobody had before."""
    return str(time.time_ns())


class ExercisesPage(MenuPage, id="exercises", under="learn"):
    """Exercises: all principles, those due first, and a few positions of the chosen one."""

    def __init__(self, now: MenuState, seed: Callable[[], str] = _another) -> None:
        super().__init__(now)
        self._seed = seed
        self._exercise: Exercise | None = None
        self._number = 0
        self._answer: int | None = None

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        """All principles, or the position of this one that is asked now."""
        if not place.which:
            self._exercise = None
            return Page(say.say("exercises.title"), self._all(say), (say.say("exercises.lines"),))
        if self._exercise is None or self._exercise.principle.value != place.which:
            self._number = 0
            self._begin(Principle(place.which))
        assert self._exercise is not None
        return self._asked(say, self._exercise)

    def _answered(self, now: Exercise, number: int) -> None:
        self._answer = number
        names, recall = answering(self.now.people.names, now.side), recall_of(int(number != now.right))
        self.now.kept.met(names, _key(now.principle), recall, day_number())

    def _next(self, now: Exercise, menu: Menu) -> Menu:
        """The next position; after the last one the list of principles is shown again."""
        if self._number < EACH:
            self._begin(now.principle)
            return menu
        self._exercise = None
        return replace(menu, path=menu.path[:-1])

    def _all(self, say: Words) -> tuple[Item, ...]:
        people = [name for _, name in self.now.people.names.items() if not is_a_bot(name)]
        waiting = {key: _due(self.now.kept, people, key) for key in map(_key, Principle)}
        return tuple(
            Item(
                Open(self.id, principle.value),
                say.say(f"exercises.{principle.value}.title"),
                value=say.say("exercises.due") if waiting[_key(principle)] else "",
                note=say.say(f"exercises.{principle.value}.principle"),
            )
            for principle in sorted(Principle, key=lambda each: not waiting[_key(each)])
        )

    def _begin(self, principle: Principle) -> None:
        self._number += 1
        self._exercise, self._answer = exercise(principle, self._seed()), None

    def _asked(self, say: Words, now: Exercise) -> Page:
        name, answer = now.principle.value, self._answer
        player = self.now.people.names[now.side]
        who = shown_name(say, now.side, NO_NAMES[now.side] if is_a_bot(player) else player)  # a bot is asked nothing
        facts = {**now.facts, "side": who, "other": side_name(say, now.side.other)}
        right = _option(say, now, now.options[now.right])
        if answer is None:
            told, mark = say.say(f"exercises.{name}.principle"), Mark.PLAIN
            items = tuple(
                Item(Act("option", at), _option(say, now, option), does=stay(partial(self._answered, now, at)))
                for at, option in enumerate(now.options)
            )
        else:
            good = answer == now.right
            lead = say.say("exercises.right") if good else say.say("exercises.wrong", answer=right)
            told, mark = f"{lead} {say.say(f'exercises.{name}.why', **facts)}", Mark.GOOD if good else Mark.BAD
            after = say.say("exercises.next" if self._number < EACH else "exercises.done")
            items = (Item(Act("next"), after, does=partial(self._next, now)),)
        title = say.say("exercises.number", title=say.say(f"exercises.{name}.title"), number=self._number, of=EACH)
        return Page(title, items, board=_board(say, now, say.say(f"exercises.{name}.ask", **facts), told, mark))


def _key(principle: Principle) -> str:
    return f"{PLAY}{principle.value}"


def _due(progress: Progress, names: Iterable[str], key: str) -> bool:
    """Whether one of these is to meet this again."""
    return key in due([progress.of(name).memory for name in names], day_number(), most=None)


def _option(say: Words, now: Exercise, option: Option) -> str:
    match option:
        case Play(_, move, 0) if move > 0:
            return say.say("exercises.advance", moved=move)
        case Play(_, 0, attack) if attack:
            return say.say("exercises.attack", count=attack, value=now.distance)
        case Play():
            return play_sentence(say, now.side, now.distance, option)
        case Side():
            return side_name(say, option)
        case None:
            return say.say("exercises.nobody" if now.principle is Principle.FURTHER else "exercises.none")
    return str(option)


def _board(say: Words, now: Exercise, ask: str, told: str, mark: Mark) -> Board:
    fencers = now.spaces.map(lambda space: FencerView(space, None, Pose.GUARD, False))
    return Board(
        piste=PisteView(
            fencers=fencers, to_act=now.side, distance=now.distance, distance_text=say.say("label.distance")
        ),
        names=NO_NAMES,
        score=BySide(0, 0),
        ask=ask,
        told=told,
        mark=mark,
        hands=(HandView(now.side, say.say("lessons.said.holds", side=side_name(say, now.side)), now.hand),),
        played=now.cards_played,
        played_text=say.say("solve.played"),
    )


class CountingPage(MenuPage, id="counting", under="learn"):
    """Counting drill: how many of a value are left, after a round or with cards shown and covered."""

    def __init__(
        self, now: MenuState, seed: Callable[[], str] = _another, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(now)
        self._seed, self._now_s = seed, now_s
        self._drill: CountingDrill | None = None
        self._name = ""
        self._covered_s: float | None = None
        self._told: tuple[int, float] | None = None
        self._asked_of: tuple[Card, ...] = ()

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        """The choice of player and drill, the cards, the question, or the result."""
        title = say.say("counting.title")
        if not place.which:
            self._drill = None
            return Page(title, self._all(say), (say.say("counting.lines"), *self._standing(say)))
        how, _, side = str(place.which).partition(" ")
        name = self.now.people.names[Side(side)]
        if self._drill is None:
            self._begin(how, name)
        assert self._drill is not None
        if self._told is not None:
            again = Item(Act("next"), say.say("counting.again"), does=self._again)
            return Page(title, (again,), self._came_of_it(say, self._drill))
        if self._covered_s is None:
            cards = tuple(card.value for card in self._drill.played)
            cover = Item(Act("cover"), say.say("counting.cover"), does=stay(self._cover))
            return Page(title, (cover,), (say.say("counting.remember", count=len(cards)),), cards=cards)
        asked = say.say("counting.ask", value=self._drill.value)
        answered = partial(self._answered, self._drill, self._covered_s)
        items = tuple(Item(Act("option", at), str(at), does=stay(partial(answered, at))) for at in ANSWERS)
        return Page(title, items, (asked,), columns=3)

    def _cover(self) -> None:
        self._covered_s = self._now_s()

    def _answered(self, drill: CountingDrill, covered_s: float, number: int) -> None:
        took_s, right = self._now_s() - covered_s, number == drill.left
        self._told = number, took_s
        self.now.kept.counted(self._name, right, took_s)
        self.now.kept.met((self._name,), COUNTING, recall_of(int(not right)), day_number())

    def _again(self, menu: Menu) -> Menu:
        """Another drill; after one of a round the choice of drills."""
        self._drill = None
        return replace(menu, path=(*menu.path[:-2], MenuPlace(Open(self.id)))) if self._asked_of else menu

    def _begin(self, how: str, name: str) -> None:
        self._name, self._told = name, None
        self._asked_of = self.now.cards_of_round if how == ROUND else ()
        if self._asked_of:
            self._drill, self._covered_s = drill_of_round(self._asked_of, self._seed()), self._now_s()
        else:
            self._drill, self._covered_s = drill_alone(self._seed(), self.now.kept.of(name).counting.row), None

    def _all(self, say: Words) -> tuple[Item, ...]:
        found = []
        for side, name in self.now.people.names.items():
            if is_a_bot(name):
                continue
            who = shown_name(say, side, name)
            if self.now.cards_of_round:
                text, note = say.say("counting.round", name=who), say.say("counting.round_note")
                found.append(Item(Open(self.id, f"{ROUND} {side.value}"), text, note=note))
            text, note = say.say("counting.alone", name=who), say.say("counting.alone_note")
            again = say.say("exercises.due") if _due(self.now.kept, (name,), COUNTING) else ""
            found.append(Item(Open(self.id, f"{ALONE} {side.value}"), text, value=again, note=note))
        return tuple(found)

    def _standing(self, say: Words) -> tuple[str, ...]:
        kept = [(side, name, self.now.kept.of(name).counting) for side, name in self.now.people.names.items()]
        return tuple(
            say.say(
                "counting.standing",
                name=shown_name(say, side, name),
                count=counting.row,
                longest=counting.longest,
                seconds=say.decimal(counting.fastest_s),
            )
            for side, name, counting in kept
            if counting.longest
        )

    def _came_of_it(self, say: Words, drill: CountingDrill) -> tuple[str, ...]:
        assert self._told is not None
        number, took_s = self._told
        key = "counting.right" if number == drill.left else "counting.wrong"
        told = say.say(key, count=drill.left, played=len(LETTERS) - drill.left)
        row = self.now.kept.of(self._name).counting.row
        return told, say.say("counting.took", seconds=say.decimal(round(took_s, 1)), count=row)
