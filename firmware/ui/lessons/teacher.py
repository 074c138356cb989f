"""The teacher: takes two players through lessons at the real table, beside the referee who rules on what they do.

At ``StepStage.DO`` the desk works as in a match, on the lesson's position; at all others the teacher holds the game
and takes the presses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from display.view import Situation
from display.words.lessons import in_his_place, lesson_panel, lesson_verdict, task_end, task_text
from display.words.sentences import words_for
from engine.lessons.classic import CLASSIC
from engine.lessons.lesson import WRONG, Lesson, PracticeRound, Question, Step, StepStage, Telling, Values
from engine.lessons.lessons import LESSONS
from engine.lessons.outcome import RIGHT, done_well, is_over, on_the_way, outcome, too_early
from engine.lessons.positions import rebound
from engine.puzzles.puzzle import Attempt, Puzzle, judge_answer
from engine.rules.cards import Card
from engine.rules.events import RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.legal import Play
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, Entry, Settings
from engine.table.notes import Note, NoteKind
from engine.table.observation import Sight, TableObservation
from engine.table.presses import Button, Press
from engine.table.sight import is_quiet
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.requests import LESSON, Hold, Release, Request, Stop, TakeUp
from firmware.table.loop.watched import Part
from firmware.ui.lessons.memory import RecallGrade, recall_of
from firmware.ui.lessons.progress import Bookmark
from firmware.ui.lessons.solving import after_puzzle, bookmark_of, play_of
from firmware.ui.lessons.steps import (
    course_of,
    leads_on,
    left_over,
    news,
    still_wrong,
    telling_after,
    telling_at,
    to_put_back,
)
from firmware.ui.lessons.warm_up import opened_by
from vision.look import Look


class Teacher(Helper):
    """Gives lessons, one after the other, from a bookmark on. ``told`` is what it says now.

    A bookmark of ``puzzle:ID`` is a puzzle to set up on the board, and those after it. ``kept`` is told the bookmark
    of every step, ``learned`` every lesson that is done, and its stars, ``answered`` every turn at a puzzle, and says
    how it stands then. ``met`` is told how well a position was met, and by which side. With a ``warm_up`` these
    positions are given, one after the other, and no more. ``own`` puzzles can be set up like those that come with the
    program. ``row``: so many steps were right at the first try until now, one after the other; ``rowed`` is told how
    many whenever that changes. ``alone``: one learns, at a table that sets itself up and at which the teacher's
    hands play the other side. ``finished``: all lessons were given, ``warmed_up``: these were; ``plays``: a whole game
    is next. ``shown``: what was said when last shown.
    """

    part: Final = Part.TEACHER

    def __init__(
        self,
        at: Bookmark,
        *,
        kept: Callable[[Bookmark], None],
        learned: Callable[[Lesson, int], None],
        answered: Callable[[Puzzle, Play], Attempt],
        met: Callable[[Bookmark, RecallGrade, Side | None], None] = lambda at, recall, side: None,
        warm_up: tuple[Bookmark, ...] = (),
        own: tuple[Puzzle, ...] = (),
        row: int = 0,
        rowed: Callable[[int], None] = lambda row: None,
        alone: bool = False,
    ) -> None:
        super().__init__()
        self._alone = alone
        self._kept = kept
        self._met = met
        self._warm_up, self._warmed = warm_up, 0
        self._own, self._row, self._rowed = own, row, rowed
        self._learned = learned
        self._answered = answered
        self._settings = Settings()
        self._pressed: list[Press] = []
        self._pressed_s: float | None = None
        self._note: Note | None = None
        self._laid: tuple[Card, ...] = ()
        self._now_s = 0.0
        self._serial = 0
        self._saying = ""
        self._before: PublicState | None = None
        self._acting: Side | None = None
        self._late: tuple[Press, ...] = ()
        self.finished = self.warmed_up = self.plays = False
        self.told = self.shown = self._next_to_warm_up() if warm_up else self._opened(at)
        self._enter(self.told)

    @property
    def at(self) -> Bookmark:
        """The bookmark of this step."""
        if self.told.puzzle is not None:
            return bookmark_of(self.told.puzzle)
        return Bookmark(self.told.lesson.id, self.told.place)

    def go_to(self, at: Bookmark) -> None:
        """Leave this lesson for another one."""
        self._enter(self._opened(at))

    def again(self) -> None:
        """The step that is taught once more, from its position on; what went wrong in the lesson stays counted."""
        told = self.told
        anew = self._opened(self.at)
        number = told.number if told.warming else anew.number
        self._enter(replace(anew, slips=told.slips, warming=told.warming, number=number))

    def prove(self) -> None:
        """Have this lesson shown by the deed it is about, and those that follow on it: done right at once, all of it
        is learned.
        """
        lesson = self.told.lesson
        if self.told.puzzle is None and lesson.proof is not None:
            self._enter(replace(self._opened(Bookmark(lesson.id, lesson.proof)), proving=True))

    def skip(self) -> None:
        """Go on to the next lesson, which is not learned by that, or the next puzzle; after the last to the first."""
        if self.told.puzzle is not None:
            self.go_to(bookmark_of(after_puzzle(self.told.puzzle)))
            return
        self.go_to(Bookmark(LESSONS[self.told.number % len(LESSONS)].id))

    # -- what the loop asks ----------------------------------------------------------------------------------------

    def asks(self) -> tuple[Request, ...]:
        """The game is held while it is the teacher who waits for something."""
        return (*super().asks(), Release(LESSON) if self.told.stage is StepStage.DO else Hold(LESSON))

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """The presses the desk is to judge: none while it is the teacher who waits for them."""
        presses, self._late = (*(Press(now_s, press.button) for press in self._late), *presses), ()
        if self.told.stage is StepStage.DO and isinstance(self.told.step, PracticeRound):
            return presses
        passed = tuple(press for press in presses if press.button is not Button.UNDO)
        if len(passed) < len(presses):
            self._pressed.append(Press(now_s, Button.UNDO))
            return ()
        if self.told.stage is StepStage.DO:
            return passed
        self._pressed += passed
        return ()

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The lesson's words on the screen, and its position where only that is talked about."""
        told = self.told
        if told.pupil is not None:
            situation = in_his_place(situation, told.pupil)
        say = words_for(situation.language, situation.names)
        self.shown = told
        situation = replace(
            situation,
            helped=replace(situation.helped, panel=lesson_panel(say, told)),
            verdicts=situation.verdicts + self._serial,
        )
        if self._saying:
            situation = replace(situation, helped=replace(situation.helped, call=self._saying))
        if told.stage is StepStage.DO or situation.paused:
            situation = replace(
                situation,
                helped=replace(situation.helped, asked=task_text(say, told), asked_end=task_end(say, told)),
            )
            if told.pupil is None or not told.answer or situation.paused:
                return situation
            # One voice alone answers a mistake: what the referee would have put back, the teacher wants put forward.
            return replace(
                situation,
                helped=replace(situation.helped, verdict=lesson_verdict(say, told)),
                table=replace(situation.table, note=None, remedies=(), confirm_give_up=None),
            )
        seen = look.table
        unread = seen.sight is Sight.STEADY and any(figure.problem for _, figure in seen.figures.items())
        own = self._note is None and not (unread and told.stage in (StepStage.SETUP, StepStage.BACK))
        if isinstance(told.step, Question):
            figures = told.state.spaces
            stood = {side: replace(figure, space=figures[side], problem=None) for side, figure in seen.figures.items()}
            seen = replace(seen, figures=BySide(stood[Side.WHITE], stood[Side.BLACK]))
        return replace(
            situation,
            table=replace(
                situation.table,
                observation=seen,
                open_turn=None,
                note=self._note,
                remedies=told.remedies or () if told.stage in (StepStage.SETUP, StepStage.BACK) else (),
            ),
            helped=replace(situation.helped, verdict=lesson_verdict(say, told) if own else None),
        )

    def attend(self, moment: Moment) -> None:
        """Answer what was done, and go on with presses."""
        self._now_s, self._settings = moment.frame.t_s, moment.settings
        pressed, self._pressed = self._pressed, []
        self._saying = ""
        if any(press.button is Button.UNDO for press in pressed):
            self.again()
            return
        seen = moment.look.table
        if not moment.entries and not self._asked:  # else that desk is none to go on from
            self._make_way(moment.desk, seen)
        quiet = is_quiet(seen, self._settings.quiet_s)
        stage = self.told.stage
        if stage is StepStage.DO:
            for entry in moment.entries:
                self._answer(entry)
        elif stage is StepStage.SETUP:
            self._set_up(seen, pressed, quiet=quiet)
        elif stage is StepStage.BACK:
            self._put_back(seen, pressed, quiet=quiet)
        elif stage is StepStage.ASK:
            self._hear(pressed)
        elif pressed:
            self._go_on()

    def _make_way(self, desk: Desk, seen: TableObservation) -> None:
        """Cards that are only said to be gone get out of the way of those that lie there."""
        state = desk.state
        if state is not None and state.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            moved = rebound(state, self._laid, {reading.card for reading in seen.cards} | {*seen.glimpsed})
            if moved is not state:
                self._asked.append(TakeUp(replace(desk, course=course_of(moved))))
                self.told = replace(self.told, state=moved)
                self._before = moved

    # -- the stages ------------------------------------------------------------------------------------------------

    def _opened(self, at: Bookmark) -> Telling:
        return telling_at(at, self._own, self._row, alone=self._alone)

    def _next_to_warm_up(self) -> Telling:
        told = self._opened(self._warm_up[self._warmed])
        return replace(told, warming=len(self._warm_up), number=self._warmed + 1)

    def _enter(self, told: Telling) -> None:
        """Begin a step: its position becomes the desk's."""
        if told.step.position is not None or told.puzzle is not None:
            self._laid = ()
        self._pressed.clear()
        self._pressed_s = None
        self._note = None
        self._put(told.state)
        if told.puzzle is None and not told.warming:
            self._kept(Bookmark(told.lesson.id, told.place))
        self._say(told)

    def _put(self, state: PublicState) -> None:
        """The desk as it stands before the step."""
        self._before = state
        self._asked.append(TakeUp(Desk(course_of(state), verdict_s=self._now_s, opened_s=self._now_s)))

    def _say(self, told: Telling) -> None:
        if news(told) != news(self.told) or self._serial == 0:
            self._serial += 1
            self._saying = told.spoken if told.puzzle is None else ""
        if told.row != self._row and told.puzzle is None:
            self._row = told.row
            self._rowed(told.row)
        self.told = told

    def _answer(self, entry: Entry) -> None:
        """Something was done: right, or a mistake that is answered and put back."""
        told, before = self.told, self._before
        if before is None or told.stage is not StepStage.DO:
            return
        if isinstance(told.step, PracticeRound):
            self._play(told, told.step, before, entry)
            return
        if not isinstance(told.step, Step):
            return
        if not isinstance(entry.event, TurnEvent | YieldEvent | RevealEvent | RoundEvent):
            return
        if told.puzzle is not None:
            self._solve(told, told.puzzle, before, entry)
            return
        if on_the_way(told.step, entry.ruling):
            return
        found = outcome(told.step, before, told.hands, entry.event, entry.ruling)
        if found == RIGHT:
            assert entry.state is not None
            self._laid += entry.state.played[len(before.played) :]
            self._acting = before.to_act
            self._right(told, entry.state, left_over(told, entry), done_well(entry.ruling))
            return
        told = replace(told, tries=told.tries + 1, slips=told.slips + 1, row=0, answer=found)
        if entry.ruling.ok:
            self._put(before)
            self._say(told if self._alone else replace(told, stage=StepStage.BACK, remedies=None))
        else:
            self._say(told)

    def _right(self, told: Telling, state: PublicState, hands: BySide[Values], praise: str) -> None:
        """This step is done."""
        row = told.row if told.tries or told.looks_on else told.row + 1
        told = replace(told, state=state, answer="", remedies=None, hands=hands, praise=praise, row=row)
        if isinstance(told.step, Step) and not told.looks_on:
            self._met(opened_by(told.lesson, told.place), recall_of(told.tries), self._acting)
        self._say(replace(told, stage=StepStage.WHY))

    def _play(self, told: Telling, practice: PracticeRound, before: PublicState, entry: Entry) -> None:
        """A turn in a practice round. What was not learned yet is put back and said kindly, and is no mistake."""
        if not entry.ruling.ok or entry.state is None:
            return
        early = too_early(practice, entry.ruling)
        if early:
            self._put(before)
            self._say(replace(told, stage=StepStage.BACK, answer=early, remedies=None))
            return
        self._laid += entry.state.played[len(before.played) :]
        self._before = entry.state
        if is_over(practice, entry.state):
            self._right(told, entry.state, told.hands, "practice")
        else:
            self.told = replace(told, state=entry.state, answer="")

    def _solve(self, told: Telling, puzzle: Puzzle, before: PublicState, entry: Entry) -> None:
        """Judge a turn at a puzzle. Giving up begins the puzzle again."""
        if isinstance(entry.event, TurnEvent) and entry.ruling.ok:
            play = play_of(before, entry.event)
            attempt = self._answered(puzzle, play)
            reply = judge_answer(puzzle, play)
            self._say(replace(told, stage=StepStage.WHY, reply=reply, remedies=None, once_more=not attempt.over))
        elif entry.ruling.ok:
            self.again()

    def _set_up(self, seen: TableObservation, pressed: list[Press], *, quiet: bool) -> None:
        """The position is looked at; a press says that it stands and that the cards are in the hands."""
        missing = self.told.remedies
        if quiet:
            missing = still_wrong(self.told.state, seen)
            self.told = replace(self.told, remedies=missing, pressed=self.told.pressed and missing != ())
        if pressed or (self._alone and missing == ()):  # nobody alone has to say that the table has set itself up
            self._pressed_s, self._note = self._now_s, None
        if self._pressed_s is None:
            return
        if not quiet:
            if self._now_s - self._pressed_s > self._settings.patience_s:
                self._note = Note(NoteKind.CANNOT_SEE, self._now_s, side=seen.why_side, why=seen.why)
                self._pressed_s = None
            return
        self._pressed_s, self._note = None, None
        if missing or missing is None:
            self.told = replace(self.told, pressed=True)
            return
        self._put(self.told.state)
        self._say(replace(self.told, stage=StepStage.DO, pressed=False))

    def _put_back(self, seen: TableObservation, pressed: list[Press], *, quiet: bool) -> None:
        """Nothing has to be pressed: once the table is as it was, it is done again.

        A press says that what lies there now is the turn: the third of three cards need not go back with two others.
        """
        if pressed:
            self._put(self.told.state)
            self._late = tuple(pressed)
            self.told = replace(self.told, stage=StepStage.DO, remedies=None)
            return
        if not quiet:
            return
        remedies = to_put_back(self.told.state, seen)
        unread = any(figure.space is None for _, figure in seen.figures.items())
        if remedies or unread:
            self.told = replace(self.told, remedies=remedies)
            return
        self._put(self.told.state)
        self.told = replace(self.told, stage=StepStage.DO, remedies=None)

    def _hear(self, pressed: list[Press]) -> None:
        """An answer by White's or Black's button."""
        step = self.told.step
        assert isinstance(step, Question)
        for press in pressed:
            if press.button.side is None:
                continue
            told = self.told
            if press.button.side is step.right:
                self._right(told, told.state, told.hands, "" if told.tries else "knew")
            else:
                self._say(replace(told, tries=told.tries + 1, slips=told.slips + 1, row=0, answer=WRONG))
            return

    def _go_on(self) -> None:
        """Go on to the next step, to the end of the lesson, or to the next lesson."""
        told = self.told
        if told.warming and not told.once_more:
            self._warmed += 1
            if self._warmed < len(self._warm_up):
                self._enter(self._next_to_warm_up())
            else:
                self.warmed_up = True
                self._asked.append(Stop())
            return
        if told.puzzle is not None:
            if told.reply is not None and not told.reply.right:
                self.again()
            elif 0 < told.number < told.lessons:
                self.go_to(bookmark_of(after_puzzle(told.puzzle)))
            else:
                self.finished = True
                self._asked.append(Stop())
            return
        if told.stage is StepStage.DONE:
            if self._alone and told.number == len(CLASSIC):
                self.plays = True
                self._kept(Bookmark(told.following.id if told.following is not None else told.lesson.id))
                self._asked.append(Stop())
            elif told.following is None:
                self.finished = True
                self._asked.append(Stop())
            else:
                self._enter(self._opened(Bookmark(told.following.id)))
            return
        if told.proving and told.tries:
            self.go_to(Bookmark(told.lesson.id))
            return
        if told.place + 1 == len(told.lesson.steps) or (told.proving and not leads_on(told)):
            self._learned(told.lesson, told.stars)
            self._say(replace(told, stage=StepStage.DONE))
            return
        self._enter(telling_after(told))
