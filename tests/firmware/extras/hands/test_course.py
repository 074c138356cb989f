"""The whole course as clumsy beginners take it: every likely mistake is made once, and put right.

Three times: alone by pointer, alone by keys, where the teacher sets up and plays the other side, and two at one screen.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from engine.lessons.lesson import (
    LESSON_BY_ID,
    LESSONS,
    WRONG,
    PracticeRound,
    Question,
    Step,
    StepStage,
    Telling,
    Values,
)
from engine.rules.state import Phase
from engine.rules.track import START, BySide, Side
from firmware.cli.commands import teach
from firmware.cli.main import main
from firmware.cli.sitting.lessons import give_lessons
from firmware.extras.hands.played_table import last_turn
from firmware.ui.lessons.progress import FILE, Progress

pytestmark = pytest.mark.slow

Opens = Callable[..., Any]


class Pupils:
    """Somebody alone at the window, or two at one screen, who do what the teacher ``told``.

    Two set up themselves, each plays a side, and both put back what was wrong. ``made`` are the mistakes made so far.
    """

    def __init__(self, folder: Path, names: tuple[str, ...], *, keys: bool) -> None:
        self.told: Telling | None = None
        self.made: list[tuple[str, str, str]] = []
        self.seen: list[str] = []
        self.names, self.alone = names, len(names) == 1
        self._folder, self._keys = folder, keys

    def look(self, told: Telling, over: bool) -> None:
        self.told = told

    def takes(self, me: Any, lesson: str) -> Any:
        """Take this lesson until it is learned."""
        yield from me.until(lambda view: view.panel is not None)
        for _ in range(150):
            learned = Progress(self._folder / FILE)
            if all(lesson in learned.of(name).lessons for name in self.names):
                return
            told = self.told
            assert told is not None
            assert (told.pupil is not None) is self.alone
            self.seen.append(me.view.verdict.headline)
            if self.alone:
                self._hears(me, told)
            if me.offered and not self.alone:
                yield from me.accept()
            elif told.stage is StepStage.ASK:
                yield from self._answers(me, told)
            elif told.stage is StepStage.BACK:
                yield from self._puts_back(me, told)
            elif told.stage is StepStage.DO and isinstance(told.step, PracticeRound):
                yield from self._plays(me, told, told.step)
            elif told.stage is StepStage.DO and isinstance(told.step, Step) and not told.looks_on:
                yield from self._does(me, told, told.step)
            elif told.stage in (StepStage.WHY, StepStage.DONE) or not self.alone:
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

    def _hears(self, me: Any, told: Telling) -> None:
        """Nobody is asked for what only two can do, and never by a bot's name."""
        lines = [line.text for line in me.view.panel.lines]
        assert not [line for line in lines if "count aloud" in line or "Bot (" in line or "pick up" in line], lines
        top, panel = me.hands.view, me.view.panel
        if panel.goes_on:
            assert (top.act, top.ready) == ("Go on", True)
        elif told.looks_on and told.stage is StepStage.DO:
            assert "give up" not in top.act.lower(), "the teacher's turn is not ended by whoever looks on"
        assert not {"white", "black"} & {*me.window.buttons} or panel.asks, "nobody sits at the other side"

    def _answers(self, me: Any, told: Telling) -> Any:
        assert isinstance(told.step, Question)
        mistake = (told.lesson.id, told.step.id, WRONG)
        side = told.step.right if mistake in self.made else told.step.right.other
        self.made.append(mistake)
        me.key(pygame.K_LEFT if side is Side.WHITE else pygame.K_RIGHT)
        yield from me.wait(2)

    def _plays(self, me: Any, told: Telling, practice: PracticeRound) -> Any:
        """A turn of the round, as a careful beginner plays it, or what is left to do."""
        state, side = me.state, me.state.to_act
        if side is told.state.to_act and side is not None and told.pupil in (None, side) and me.cards:
            yield from me.wait(2)
            lying = {each.card for each in me.hands.view.cards} - {*me.cards}
            assert lying <= {*last_turn(state)}, "finished turns are squared up, but for the last"
            if "parry" in practice.without and state.attack is not None:
                for _ in range(2):
                    yield from self._presses(me, side)
                    yield from me.wait(8)
            else:
                yield from me.play_turn(state, side)
        elif state.phase is Phase.REVEAL and me.cards:
            for each in self._sides(told):
                yield from me.show_hand(each)
        yield from me.wait(4)

    def _sides(self, told: Telling) -> tuple[Side, ...]:
        return tuple(Side) if told.pupil is None else (told.pupil,)

    def _presses(self, me: Any, side: Side) -> Any:
        if self.alone:
            me.key(pygame.K_SPACE)
        else:
            yield from me.press(side)

    def _does(self, me: Any, told: Telling, step: Step) -> Any:
        """The first mistake of the step that was not made yet, else what is asked for, from what lies there on."""
        state = told.state
        side = told.pupil or state.to_act or Side.WHITE
        if state.to_act not in (side, None):
            yield from me.wait(2)
            return
        new = [each for each in step.mistakes if (told.lesson.id, step.id, each.name) not in self.made]
        deed = new[0].deed if new else step.deed
        if state.phase is Phase.REVEAL:
            for each in self._sides(told):
                hand = told.hands[each]
                shown = deed.values or hand if each is Side.WHITE and not self.alone else hand
                yield from self._lays(me, told, each, hand[1:] if new and self.alone else shown)
        elif state.phase is Phase.ROUND_OVER:
            yield from self._puts_back(me, told, START)
        else:
            yield from self._lays(me, told, side, deed.values)
            for mover, forward in ((side, deed.forward), (side.other, deed.other)):
                yield from self._moves(me, mover, state.spaces[mover] + mover.forward * forward)
        yield from me.wait(6)
        if state.phase is not Phase.REVEAL or new:
            if deed.gives_up:
                yield from self._presses(me, side)
                yield from me.wait(8)
            yield from self._presses(me, side)
            yield from self._told_more(me, told, 8)
        if not new:
            yield from me.until(lambda _: self.told is not None and self.told.stage is StepStage.WHY)
            return
        yield from me.until(lambda _: self.told is not None and bool(self.told.answer))
        assert self.told is not None
        assert self.told.answer == new[0].name, (step.id, new[0].name, self.told.answer)
        self.made.append((told.lesson.id, step.id, new[0].name))
        if self.alone:
            assert self.told.stage is StepStage.DO, "it is put right where it was made"
            assert not me.view.remedies, "one voice says one thing"
        else:
            yield from self._puts_back(me, told)

    def _lays(self, me: Any, told: Telling, side: Side, values: Values) -> Any:
        """Have just these cards of this side lie there, beside those of finished turns and of the teacher."""
        wanted = list(values)
        for card in self._laid(me, told, side):
            if card.value in wanted:
                wanted.remove(card.value)
            else:
                yield from self._takes_back(me, card)
                yield from me.wait(2)
        for value in wanted:
            [hand] = [fan.cards for fan in me.hands.view.fans if fan.owner is side]
            x_mm, y_mm = me.free_place()
            if told.state.phase is Phase.REVEAL:
                row = len(self._laid(me, told, side))
                x_mm, y_mm = (102.0 if side is Side.WHITE else 366.0) + 24.0 * row, -208.0
            yield from self._lays_one(me, next(card for card in hand if card.value == value), x_mm, y_mm)
            yield from me.wait(2)

    def _laid(self, me: Any, told: Telling, side: Side | None = None) -> list[Any]:
        """The cards that were laid in this turn and not taken back; in a reveal those in the half of this side."""
        mine = [each for each in me.hands.view.cards if each.card not in told.state.played]
        if told.state.phase is Phase.REVEAL and side is not None:
            mine = [each for each in mine if (each.x_mm < 308.0) is (side is Side.WHITE)]
        return [each.card for each in mine]

    def _puts_back(self, me: Any, told: Telling, spaces: BySide[int] | None = None) -> Any:
        """Take back what was laid, everything where ``spaces`` are those of a round's beginning."""
        cards = self._laid(me, told) if spaces is None else [each.card for each in me.hands.view.cards]
        for card in reversed(cards):  # the last one may lie over the others
            yield from self._takes_back(me, card)
            yield from me.wait(2)
        for side, space in (spaces or told.state.spaces).items():
            yield from self._moves(me, side, space)

    def _lays_one(self, me: Any, card: Any, x_mm: float, y_mm: float) -> Any:
        if not self._keys:
            yield from me.lay(card, x_mm, y_mm)
            return
        me.key(pygame.K_1 + me.cards.index(card))
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


LESSONS_TAKEN = [lesson.id for lesson in LESSONS]
ALONE = [
    pytest.param(lesson, ("Lou",), bool(place % 2), id=f"{lesson}-alone") for place, lesson in enumerate(LESSONS_TAKEN)
]
TWO = [pytest.param(lesson, ("Ana", "Ben"), False, id=f"{lesson}-two") for lesson in LESSONS_TAKEN]


def mistakes_of(lesson: str, *, alone: bool) -> set[tuple[str, str, str]]:
    """Every likely mistake of a lesson that somebody can make, alone those of the teacher's steps left out."""
    found = set()
    for step in LESSON_BY_ID[lesson].steps:
        if isinstance(step, Question):
            found.add((lesson, step.id, WRONG))
        elif isinstance(step, Step) and not (alone and step.shown):
            found |= {(lesson, step.id, mistake.name) for mistake in step.mistakes}
    return found


@pytest.mark.parametrize(("lesson", "names", "keys"), [*ALONE, *TWO])
def test_every_lesson_is_learned_with_each_likely_mistake_made_once(
    at_window: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lesson: str, names: tuple[str, ...], keys: bool
) -> None:
    """Alone by pointer and by keys in turn, and two at one screen by pointer."""
    pupils = Pupils(tmp_path, names, keys=keys)
    monkeypatch.setattr(teach, "give_lessons", lambda *a, **more: give_lessons(*a, **{**more, "look": pupils.look}))
    at_window(lambda me: pupils.takes(me, lesson))
    players = [word for name in names for word in ("--player", name)]
    words = ["teach", "--camera", "synthetic", *players, "--lesson", lesson, "--no-game"]
    assert main([*words, "--language", "en", "--seed", "5", "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    learned = Progress(tmp_path / FILE)
    for name in names:
        assert learned.of(name).lessons == {lesson}
        assert learned.of(name).stars[lesson] in (1, 2, 3)
    assert not learned.knows("Black"), "nobody but people learns"
    assert {*pupils.made} == mistakes_of(lesson, alone=pupils.alone)
