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
from engine.lessons.lesson import (
    CLASSIC,
    LESSONS,
    WRONG,
    Lesson,
    PracticeRound,
    Question,
    Step,
    StepStage,
    Telling,
    Values,
)
from engine.lessons.outcome import RIGHT, done_well, is_over, on_the_way, outcome, too_early
from engine.lessons.positions import rebound, state_of
from engine.puzzles.puzzle import Attempt, Puzzle, judge_answer
from engine.record.course import Course
from engine.record.course import CourseStep as Judged
from engine.rules.cards import Card
from engine.rules.events import RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.legal import Play
from engine.rules.rulings import Remedy, RemedyKind, Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.comparison import compare, put_back
from engine.table.desk import Desk, Entry, Settings
from engine.table.observation import Sight, TableObservation, is_quiet
from engine.table.presses import Button, Note, NoteKind, Press
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.requests import LESSON, Hold, Release, Request, Stop, TakeUp
from firmware.table.loop.watched import Part
from firmware.ui.lessons.progress import Bookmark, RecallGrade, recall_of
from firmware.ui.lessons.solving import after_puzzle, bookmark_of, opened_by, play_of, puzzle_at, puzzle_told
from vision.look import Look

BEGUN: Final = Ruling(True, RoundEvent.name)


def news(told: Telling) -> tuple[object, ...]:
    """The parts of a telling that make it a new one when they change."""
    return told.lesson, told.place, told.stage, told.answer, told.tries, told.proving


def first_stage(step: Step | Question | PracticeRound) -> StepStage:
    return StepStage.ASK if isinstance(step, Question) else StepStage.SETUP


def course_of(state: PublicState) -> Course:
    """A match that stands like this, whatever came before."""
    return Course((Judged(RoundEvent(), BEGUN, state),))


def still_wrong(state: PublicState, seen: TableObservation) -> tuple[Remedy, ...]:
    """Fencers still to be moved, and cards to be taken off."""
    figures = tuple(
        Remedy(RemedyKind.MOVE_FIGURE, side=side, space=state.spaces[side])
        for side, figure in seen.figures.items()
        if figure.space != state.spaces[side]
    )
    return (*figures, *((Remedy(RemedyKind.CLEAR_CARDS, count=len(seen.cards)),) if seen.cards else ()))


def to_put_back(state: PublicState, seen: TableObservation) -> tuple[Remedy, ...]:
    """Fencers and cards still to be put back after a wrong turn."""
    remedies = put_back(compare(state, seen))
    if state.phase is Phase.REVEAL and seen.cards:
        return (*remedies, Remedy(RemedyKind.CLEAR_CARDS, count=len(seen.cards)))
    return remedies


def left_over(told: Telling, entry: Entry) -> BySide[Values]:
    """The cards the players still hold of those they took."""
    side = entry.ruling.player
    if side is None or not isinstance(entry.event, TurnEvent | YieldEvent):
        return told.hands
    hand = list(told.hands[side])
    for card in entry.event.cards:
        if card.value in hand:
            hand.remove(card.value)
    return told.hands.put(side, tuple(hand))


def telling_at(at: Bookmark, own: tuple[Puzzle, ...], row: int, *, alone: bool) -> Telling:
    """The step of a bookmark, or the last one before it with a position; or its puzzle, one of ``own`` too.

    ``row``: steps right at the first try until now. ``alone``: one learns, and the teacher plays the other side.
    """
    puzzle = puzzle_at(at, own)
    if puzzle is not None:
        return replace(puzzle_told(puzzle), pupil=puzzle.side if alone else None)
    number = next((place for place, lesson in enumerate(LESSONS) if lesson.id == at.lesson), 0)
    lesson = LESSONS[number]
    place = min(at.place, len(lesson.steps) - 1) if lesson.id == at.lesson else 0
    while lesson.steps[place].position is None:
        place -= 1
    position = lesson.steps[place].position
    assert position is not None
    following = LESSONS[number + 1] if number + 1 < len(LESSONS) else None
    state, stage = state_of(position), first_stage(lesson.steps[place])
    hands, all_ = position.hands, len(LESSONS)
    pupil = lesson.pupil(place) if alone else None
    return Telling(lesson, number + 1, all_, place, stage, state, hands, following=following, row=row, pupil=pupil)


def leads_on(told: Telling) -> bool:
    """Whether the step after this one is a deed that goes on from where it ends."""
    after = told.lesson.steps[told.place + 1 : told.place + 2]
    return any(isinstance(step, Step) and step.position is None for step in after)


def telling_after(told: Telling) -> Telling:
    """The step after this one, of the same lesson: at its own position, or where this one has led to."""
    place = told.place + 1
    step = told.lesson.steps[place]
    position = step.position
    stage = first_stage(step)
    if position is None and stage is StepStage.SETUP:
        stage = StepStage.DO
    state = told.state if position is None else state_of(position)
    hands = told.hands if position is None else position.hands
    pupil = None if told.pupil is None else told.lesson.pupil(place)
    told = replace(told, place=place, stage=stage, state=state, hands=hands, pupil=pupil)
    return replace(told, remedies=None, tries=0, praise="")


class Teacher(Helper):
    """Gives lessons, one after the other, from a bookmark on. ``told`` is said now, ``shown`` was when last shown.

    A bookmark ``puzzle:ID`` is a puzzle to set up on the board, one of ``own`` too, and those after it. Callbacks:
    ``kept`` gets the bookmark of every step, ``learned`` every finished lesson and its stars, ``answered`` every turn
    at a puzzle and returns the attempt, ``met`` the grade of a position and its side, ``rowed`` the row of steps right
    at the first try whenever it changes; it begins at ``row``. With ``warm_up`` only these positions are given.
    ``alone``: one learns at a table that sets itself up, and the teacher's hands play the other side. At the end
    ``finished``, ``warmed_up``, or ``plays`` (a whole game comes next) is True.
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
        """Ask for the lesson's last deed, and those that follow on it: done right at once, the lesson is learned."""
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
        situation = replace(situation, verdicts=situation.verdicts + self._serial)
        helped, table = replace(situation.helped, panel=lesson_panel(say, told)), situation.table
        if self._saying:
            helped = replace(helped, call=self._saying)
        if told.stage is StepStage.DO or situation.paused:
            helped = replace(helped, asked=task_text(say, told), asked_end=task_end(say, told))
            if told.pupil is not None and told.answer and not situation.paused:
                # One voice answers a mistake: what the referee would have put back, the teacher wants put forward.
                helped = replace(helped, verdict=lesson_verdict(say, told))
                table = replace(table, note=None, remedies=(), confirm_give_up=False)
            return replace(situation, helped=helped, table=table)
        seen, places = look.table, told.stage in (StepStage.SETUP, StepStage.BACK)
        unread = seen.sight is Sight.STEADY and any(figure.problem for _, figure in seen.figures.items())
        verdict = lesson_verdict(say, told) if self._note is None and not (unread and places) else None
        if isinstance(told.step, Question):
            figures = told.state.spaces
            stood = {side: replace(figure, space=figures[side], problem=None) for side, figure in seen.figures.items()}
            seen = replace(seen, figures=BySide(stood[Side.WHITE], stood[Side.BLACK]))
        remedies = told.remedies or () if places else ()
        table = replace(table, observation=seen, open_turn=None, note=self._note, remedies=remedies)
        return replace(situation, table=table, helped=replace(helped, verdict=verdict))

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
        """Do the step again once the table is as it was; nothing has to be pressed.

        A press says that the cards there are the turn: the third of three cards need not go back with two others.
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
