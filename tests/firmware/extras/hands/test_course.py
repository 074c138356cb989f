"""The whole course as clumsy beginners take it: every likely mistake is made once, and put right.

Three times: alone by pointer, alone by keys, where the teacher sets up and plays the other side, and two at one screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from engine.lessons.lesson import (
    LESSON_BY_ID,
    LESSONS,
    WRONG,
    Deed,
    PracticeRound,
    Question,
    Step,
    StepStage,
    Telling,
    Values,
)
from engine.rules.state import Phase
from engine.rules.track import START, Side
from firmware.cli.commands import teach
from firmware.cli.main import main
from firmware.cli.sitting.lessons import give_lessons
from firmware.extras.hands.played_table import last_turn
from firmware.ui.lessons.progress import FILE, Progress

pytestmark = pytest.mark.slow

Opens = Callable[..., Any]


class Pupil:
    """Somebody at the window alone, who does what the teacher ``told``; ``made`` are the mistakes made so far."""

    def __init__(self, folder: Path, *, keys: bool) -> None:
        self.told: Telling | None = None
        self.made: list[tuple[str, str, str]] = []
        self.seen: list[str] = []
        self._folder, self._keys = folder, keys

    def look(self, told: Telling, over: bool) -> None:
        self.told = told

    def takes(self, me: Any, lessons: set[str]) -> Any:
        """Take lessons until all of these are learned."""
        yield from me.until(lambda view: view.panel is not None)
        for _ in range(60 * len(lessons)):
            if Progress(self._folder / FILE).of("Lou").lessons >= lessons:
                return
            told = self.told
            assert told is not None
            assert told.pupil is not None
            self._hears(me)
            if told.stage is StepStage.ASK:
                yield from self._answers(me, told)
            elif told.stage is StepStage.DO and isinstance(told.step, PracticeRound):
                yield from self._plays(me, told)
            elif told.stage is StepStage.DO and isinstance(told.step, Step) and not told.looks_on:
                yield from self._does(me, told, told.step)
            elif told.stage in (StepStage.WHY, StepStage.DONE):
                me.key(pygame.K_SPACE)
            yield from self._told_more(me, told, 6)
        raise AssertionError(f"not learned: {self.made}, {self.told}, {self.seen[-6:]}")

    def _told_more(self, me: Any, told: Telling, pictures: int) -> Any:
        """Wait until the teacher says something else, but no longer than so many pictures."""
        for _ in range(pictures):
            yield from me.wait(1)
            if self.told != told:
                yield from me.wait(1)
                return

    def _hears(self, me: Any) -> None:
        """Nobody is asked for what only two can do, and never by a bot's name."""
        lines = [line.text for line in me.view.panel.lines]
        assert not [line for line in lines if "count aloud" in line or "Bot (" in line or "pick up" in line], lines
        self.seen.append(me.view.verdict.headline)
        top, panel = me.hands.view, me.view.panel
        if panel.goes_on:
            assert (top.act, top.ready) == ("Go on", True)
        elif self.told is not None and self.told.looks_on and self.told.stage is StepStage.DO:
            assert "give up" not in top.act.lower(), "the teacher's turn is not ended by whoever looks on"
        assert not {"white", "black"} & {*me.window.buttons} or panel.asks, "nobody sits at the other side"

    def _answers(self, me: Any, told: Telling) -> Any:
        assert isinstance(told.step, Question)
        mistake = (told.lesson.id, told.step.id, WRONG)
        side = told.step.right if mistake in self.made else told.step.right.other
        self.made.append(mistake)
        me.key(pygame.K_LEFT if side is Side.WHITE else pygame.K_RIGHT)
        yield from me.wait(2)

    def _plays(self, me: Any, told: Telling) -> Any:
        """A turn of the round, as a careful beginner plays it, or what is left to do."""
        state = me.state
        if state.to_act is told.pupil and told.state.to_act is told.pupil and me.cards:
            yield from me.wait(2)
            lying = {each.card for each in me.hands.view.cards} - {*me.cards}
            assert lying <= {*last_turn(state)}, "finished turns are squared up, but for the last"
            if "parry" in told.step.without and state.attack is not None:  # type: ignore[union-attr]
                for _ in range(2):
                    me.key(pygame.K_SPACE)
                    yield from me.wait(8)
            else:
                yield from me.play_turn(state, told.pupil)
        elif state.phase is Phase.REVEAL and me.cards:
            assert told.pupil is not None
            yield from me.show_hand(told.pupil)
        yield from me.wait(4)

    def _does(self, me: Any, told: Telling, step: Step) -> Any:
        """The first mistake of the step that was not made yet, else what is asked for, from what lies there on."""
        side = told.pupil
        assert side is not None
        if told.state.to_act not in (side, None):
            yield from me.wait(2)
            return
        new = [each for each in step.mistakes if (told.lesson.id, step.id, each.name) not in self.made]
        deed = new[0].deed if new else step.deed
        yield from self._lays(me, told, deed)
        if told.state.phase is not Phase.REVEAL or new:
            if deed.gives_up:
                me.key(pygame.K_SPACE)
                yield from me.wait(8)
            me.key(pygame.K_SPACE)
            yield from self._told_more(me, told, 8)
        if new:
            yield from me.until(lambda _: self.told is not None and bool(self.told.answer))
            assert self.told is not None
            assert self.told.answer == new[0].name, (step.id, new[0].name, self.told.answer)
            assert self.told.stage is StepStage.DO, "it is put right where it was made"
            assert not me.view.remedies, "one voice says one thing"
            self.made.append((told.lesson.id, step.id, new[0].name))
        else:
            yield from me.until(lambda _: self.told is not None and self.told.stage is StepStage.WHY)

    def _lays(self, me: Any, told: Telling, deed: Deed) -> Any:
        """Have just these cards lie there, and both fencers where this deed leads."""
        assert told.pupil is not None
        if told.state.phase is Phase.REVEAL:
            hand = told.hands[told.pupil]
            wanted = list(hand if deed is told.step.deed else hand[1:])  # type: ignore[union-attr]
        else:
            wanted = list(deed.values)
        mine = self._mine(me, told)
        for card in mine:
            if card.value in wanted:
                wanted.remove(card.value)
            else:
                yield from self._takes_back(me, card)
                yield from me.wait(2)
        for value in wanted:
            card = next(card for card in me.cards if card.value == value)
            yield from self._lays_one(me, told, card)
            yield from me.wait(2)
        if told.state.to_act is None:
            return
        side = told.pupil
        for mover, forward in ((side, deed.forward), (side.other, deed.other)):
            yield from self._moves(me, mover, told.state.spaces[mover] + mover.forward * forward)
        yield from me.wait(6)

    def _mine(self, me: Any, told: Telling) -> list[Any]:
        """The cards that were laid in this turn and not taken back."""
        before = {*told.state.played}
        theirs = {card.card for card in me.hands.view.cards} & before
        mine = [card.card for card in me.hands.view.cards if card.card not in theirs]
        return [card for card in mine if told.state.phase is not Phase.REVEAL or not self._opposite(me, told, card)]

    def _opposite(self, me: Any, told: Telling, card: Any) -> bool:
        """Whether the teacher laid this card to show it: it lies in the other half."""
        [lying] = [each for each in me.hands.view.cards if each.card == card]
        return (lying.x_mm < 308.0) is (told.pupil is Side.BLACK)

    def _lays_one(self, me: Any, told: Telling, card: Any) -> Any:
        x_mm, y_mm = me.free_place()
        if told.state.phase is Phase.REVEAL:
            row = sum(each.card.value > 0 for each in me.hands.view.cards)
            x_mm, y_mm = (102.0 if told.pupil is Side.WHITE else 366.0) + 24.0 * (row % 8), -208.0
        if not self._keys:
            yield from me.lay(card, x_mm, y_mm)
            return
        yield from self._carried(me, pygame.K_1 + me.cards.index(card), x_mm, y_mm)

    def _takes_back(self, me: Any, card: Any) -> Any:
        if not self._keys:
            yield from me.take_back(card)
            return
        for _ in range(12):
            me.key(pygame.K_TAB)
            yield from me.wait(1)
            held = me.hands._pointing._hold
            if held is not None and held.card is not None and held.card.card == card:
                break
        else:
            raise AssertionError(f"{card} is not reached by Tab")
        me.key(pygame.K_BACKSPACE)
        yield from me.wait(1)

    def _carried(self, me: Any, key: int, x_mm: float, y_mm: float) -> Any:
        """Take up with this key, carry by the arrows as near as steps lead, and put down."""
        me.key(key)
        yield from me.wait(1)
        if me.hands._pointing._hold is None:  # it shows where it leads to, until it is held
            me.key(pygame.K_UP)
            yield from me.wait(1)
        for _ in range(60):
            at = me.hands._pointing._hold.at_mm
            if abs(at[0] - x_mm) > 12.0:
                me.key(pygame.K_RIGHT if x_mm > at[0] else pygame.K_LEFT)
            elif abs(at[1] - y_mm) > 12.0:
                me.key(pygame.K_UP if y_mm > at[1] else pygame.K_DOWN)
            else:
                break
            yield from me.wait(1)
        me.key(pygame.K_RETURN)
        yield from me.wait(1)

    def _moves(self, me: Any, side: Side, space: int) -> Any:
        x_mm, _ = me.hands.view.figures[side]
        steps = space - (round(x_mm / 28.0) + 1)
        if not steps:
            return
        if not self._keys:
            yield from me.move(side, space)
            return
        own = me.hands.view.fans[0].owner if me.hands.view.fans else Side.WHITE
        me.key(pygame.K_f if side is own else pygame.K_g)
        yield from me.wait(1)
        for _ in range(abs(steps)):
            me.key(pygame.K_RIGHT if steps > 0 else pygame.K_LEFT)
            yield from me.wait(1)
        me.key(pygame.K_RETURN)
        yield from me.wait(1)


class Pair(Pupil):
    """Ana and Ben at one screen: both set up, each plays a side, and both put back what was wrong."""

    NAMES = ("Ana", "Ben")

    def takes(self, me: Any, lessons: set[str]) -> Any:
        yield from me.until(lambda view: view.panel is not None)
        for _ in range(150):
            learned = Progress(self._folder / FILE)
            if all(learned.of(name).lessons >= lessons for name in self.NAMES):
                return
            told = self.told
            assert told is not None
            assert told.pupil is None
            self.seen.append(me.view.verdict.headline)
            if me.offered:
                yield from me.accept()
            elif told.stage is StepStage.ASK:
                yield from self._answers(me, told)
            elif told.stage is StepStage.BACK:
                yield from self._puts_back(me, told)
            elif told.stage is not StepStage.DO:
                me.key(pygame.K_SPACE)
            elif isinstance(told.step, PracticeRound):
                yield from self._plays(me, told)
            elif isinstance(told.step, Step):
                yield from self._does(me, told, told.step)
            yield from self._told_more(me, told, 6)
        raise AssertionError(f"not learned: {self.made}, {self.told}, {self.seen[-6:]}")

    def _plays(self, me: Any, told: Telling) -> Any:
        state = me.state
        if state.to_act is not None and state.to_act is told.state.to_act and me.cards:
            if "parry" in told.step.without and state.attack is not None:  # type: ignore[union-attr]
                for _ in range(2):
                    yield from me.press(state.to_act)
                    yield from me.wait(8)
            else:
                yield from me.play_turn(state, state.to_act)
        elif state.phase is Phase.REVEAL:
            for side in Side:
                yield from me.show_hand(side)
        yield from me.wait(4)

    def _does(self, me: Any, told: Telling, step: Step) -> Any:
        new = [each for each in step.mistakes if (told.lesson.id, step.id, each.name) not in self.made]
        deed, state = new[0].deed if new else step.deed, told.state
        side = state.to_act or Side.WHITE
        if state.phase is Phase.REVEAL:
            yield from self._shows(me, told, deed)
        elif state.phase is Phase.ROUND_OVER:
            for lying in me.hands.view.cards:
                yield from me.take_back(lying.card)
            for mover, space in START.items():
                yield from self._moves(me, mover, space)
        else:
            yield from self._lays_of(me, side, deed.values, iter(me.free_place, None))
            for mover, forward in ((side, deed.forward), (side.other, deed.other)):
                if forward:
                    yield from me.move(mover, state.spaces[mover] + mover.forward * forward)
        yield from me.wait(6)
        if state.phase is not Phase.REVEAL or new:
            if deed.gives_up:
                yield from me.press(side)
                yield from me.wait(8)
            yield from me.press(side)
            yield from self._told_more(me, told, 8)
        if new:
            yield from me.until(lambda _: self.told is not None and bool(self.told.answer))
            assert self.told is not None
            assert self.told.answer == new[0].name, (step.id, new[0].name, self.told.answer)
            self.made.append((told.lesson.id, step.id, new[0].name))
            yield from self._puts_back(me, told)
        else:
            yield from me.until(lambda _: self.told is not None and self.told.stage is StepStage.WHY)

    def _shows(self, me: Any, told: Telling, deed: Deed) -> Any:
        for side in Side:
            values = deed.values if side is Side.WHITE and deed.values else told.hands[side]
            first_mm = 102.0 if side is Side.WHITE else 366.0
            places = iter([(first_mm + 24.0 * number, -208.0) for number in range(len(values))])
            yield from self._lays_of(me, side, values, places)

    def _lays_of(self, me: Any, side: Side, values: Values, places: Iterator[tuple[float, float]]) -> Any:
        for value in values:
            [hand] = [fan.cards for fan in me.hands.view.fans if fan.owner is side]
            yield from me.lay(next(card for card in hand if card.value == value), *next(places))
            yield from me.wait(2)

    def _puts_back(self, me: Any, told: Telling) -> Any:
        for card in reversed(self._mine(me, told)):  # the last one may lie over the others
            yield from me.take_back(card)
            yield from me.wait(2)
        for side, space in told.state.spaces.items():
            yield from self._moves(me, side, space)
        yield from me.wait(6)

    def _opposite(self, me: Any, told: Telling, card: Any) -> bool:
        return False


Hears = Callable[[type[Pupil], bool], Any]


@pytest.fixture
def pupil_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Hears:
    """Somebody who hears the teacher, alone or as a pair."""

    def pupil(kind: type[Pupil], keys: bool) -> Pupil:
        somebody = kind(tmp_path, keys=keys)

        def gives(*given: Any, **more: Any) -> Any:
            return give_lessons(*given, **{**more, "look": somebody.look})

        monkeypatch.setattr(teach, "give_lessons", gives)
        return somebody

    return pupil


def mistakes_of(lesson: str, *, alone: bool) -> set[tuple[str, str, str]]:
    """Every likely mistake of a lesson that somebody can make, alone those of the teacher's steps left out."""
    found = set()
    for step in LESSON_BY_ID[lesson].steps:
        if isinstance(step, Question):
            found.add((lesson, step.id, WRONG))
        elif isinstance(step, Step) and not (alone and step.shown):
            found |= {(lesson, step.id, mistake.name) for mistake in step.mistakes}
    return found


COURSE = [lesson.id for lesson in LESSONS]


@pytest.mark.parametrize(("lesson", "keys"), [(lesson, bool(place % 2)) for place, lesson in enumerate(COURSE)])
def test_every_lesson_is_learned_alone_with_each_likely_mistake_made_once(
    at_window: Opens, tmp_path: Path, pupil_of: Hears, lesson: str, keys: bool
) -> None:
    """By pointer and by keys in turn; two at one screen, below, take each by pointer."""
    lou = pupil_of(Pupil, keys)
    at_window(lambda me: lou.takes(me, {lesson}))
    words = ["teach", "--camera", "synthetic", "--player", "Lou", "--lesson", lesson, "--no-game"]
    assert main([*words, "--language", "en", "--seed", "5", "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    learned = Progress(tmp_path / FILE)
    assert learned.of("Lou").lessons == {lesson}
    assert learned.of("Lou").stars[lesson] in (1, 2, 3)
    assert not learned.knows("Black"), "nobody but people learns"
    assert {*lou.made} == mistakes_of(lesson, alone=True)


@pytest.mark.parametrize("lesson", COURSE)
def test_two_at_one_screen_learn_every_lesson_with_each_likely_mistake_made_once(
    at_window: Opens, tmp_path: Path, pupil_of: Hears, lesson: str
) -> None:
    both = pupil_of(Pair, False)
    at_window(lambda me: both.takes(me, {lesson}))
    players = [word for name in Pair.NAMES for word in ("--player", name)]
    words = ["teach", "--camera", "synthetic", *players, "--lesson", lesson, "--no-game"]
    assert main([*words, "--language", "en", "--seed", "5", "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    learned = Progress(tmp_path / FILE)
    assert [learned.of(name).lessons for name in Pair.NAMES] == [{lesson}] * 2
    assert {*both.made} == mistakes_of(lesson, alone=False)
