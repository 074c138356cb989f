"""Past matches in the menu: opened turn by turn, reviewed beside the game, and taken home on a stick."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from display.i18n import Words
from display.menu.model import Goto, Item, Mistake, PastRound, PastTurn
from display.page.story import Chapter, story
from display.words.retelling import moment_text
from display.words.review import review_view, signed
from display.words.sentences import score_text, side_name, words_for
from engine.puzzles.puzzle import Puzzle
from engine.record.course import CourseStep
from engine.record.retelling import RetoldPage, finished_rounds, retell
from engine.review.own_puzzle import own_puzzle
from engine.review.review import Reviewed, review
from engine.rules.events import RevealEvent
from engine.rules.track import BySide
from firmware.book.scorebook.book import Played
from firmware.book.scorebook.file import ScorebookError
from firmware.book.scorebook.records import record_text
from firmware.book.scores.history import summarise
from firmware.book.scores.telling import facts_of, round_told
from firmware.core.clock import day_number
from firmware.ui.companion.opponents import is_a_bot
from firmware.ui.lessons.lost_rounds import Lost, keep_mistake
from firmware.ui.lessons.progress import OWN, Progress, called
from firmware.ui.menu.errand import Making
from firmware.ui.menu.machine import Household, PastLine
from firmware.web.address import address_of


@dataclass(frozen=True, slots=True)
class PastMatch:
    """An open match: its line, and a line for each finished round.

    ``busy``: something is made of it. ``over``: it has a result. ``facts``: date, rules and length. ``coded``: the
    picture of its result has a code to its page; None if that is switched off.
    """

    line: PastLine
    rounds: tuple[Item, ...]
    busy: bool = False
    over: bool = True
    facts: tuple[str, ...] = ()
    coded: bool | None = False


class Reviewing:
    """Reviews a round in a thread, turn by turn; ``found`` has the results so far."""

    def __init__(self, steps: Sequence[CourseStep]) -> None:
        self._steps = tuple(steps)
        self._found: list[Reviewed] = []
        self._stopped = threading.Event()
        threading.Thread(target=self._work, name="review", daemon=True).start()

    @property
    def found(self) -> tuple[Reviewed, ...]:
        """The turns that are worked out."""
        return tuple(self._found)

    def stop(self) -> None:
        """Stop after the turn being worked out: nobody looks at this round any more."""
        self._stopped.set()

    def _work(self) -> None:
        for each in review(self._steps):
            if self._stopped.is_set():
                return
            self._found.append(each)


_MADE: Final = {"film": ("film", "mp4"), "gif": ("film", "gif"), "page": ("html", "html"), "card": ("card", "png")}
"""For each thing to take home: the option of ``engarde scores`` that makes it, and its file's extension."""


class Past:
    """Contents and actions of the pages of past matches."""

    def __init__(self, machine: Household, progress: Progress | None = None) -> None:
        """``progress`` keeps the puzzles made of players' mistakes; None if nobody learns here."""
        self._machine = machine
        self._progress = progress
        self._mistakes: dict[int, tuple[str, Puzzle]] = {}
        """The mistakes in the round shown, by turn number: the player's name, and the puzzle the mistake makes."""
        self._played: Played | None = None
        self._at: tuple[int, int, str] | None = None
        self._chapter: Chapter | None = None
        self._notes: tuple[str, ...] = ()
        self._reviewing: Reviewing | None = None
        self.making = Making(machine)

    def look_again(self) -> None:
        """Read the open match again: it may have gone on, or its players may have been renamed."""
        self.leave()
        self._played = None

    def match(self, number: int, language: str) -> PastMatch | None:
        """This match of the scorebook; None where there is none."""
        played, line = self._found(number), self._machine.line_of(number, language)
        if played is None or line is None:
            return None
        say = words_for(language, played.match.names)
        rounds, summary = [], summarise(played)
        facts = () if summary is None else summary.ended
        for place, steps in enumerate(finished_rounds(played.course)):
            state = steps[-1].state
            score = score_text(state.score.white, state.score.black)
            text = say.say("past.round", round=state.round, score=score)
            told = round_told(say, facts[place], played.match.names) if place < len(facts) else ""
            rounds.append(Item(Goto.ROUND.of(number, state.round), text, note=told))
        told_facts = () if summary is None else facts_of(say, summary)
        at = self._machine.pages_at
        return PastMatch(
            line, tuple(rounds), self.making.busy, played.finished, told_facts, coded=None if at is None else bool(at)
        )

    def _found(self, number: int) -> Played | None:
        if self._played is None or self._played.match.id != number:
            try:
                self._played = self._machine.book.replay(number)
            except ScorebookError:
                self._played = None
        return self._played

    def round(self, number: int, place: int, language: str) -> PastRound | None:
        """A round of this match with as much of its review as is worked out by now; None if there is no such round."""
        played = self._found(number)
        rounds = [] if played is None else finished_rounds(played.course)
        steps = next((each for each in rounds if each[-1].state.round == place), ())
        if played is None or played.course is None or not steps:
            return None
        if self._at != (number, place, language):
            if self._at is None or self._at[:2] != (number, place):
                self.leave()
                self._reviewing = Reviewing(steps)
            told = story(
                ((step.entry, step.state, step.ruling) for step in played.course.steps), played.match.names, language
            )
            self._chapter = next(each for each in told.chapters if each.begun.match.round == place)
            say = words_for(language, played.match.names)
            self._notes = tuple(note_of(say, page) for page in retell(steps))
            self._at = number, place, language
        assert self._chapter is not None
        assert self._reviewing is not None
        found = self._reviewing.found
        view = review_view(words_for(language, played.match.names), place, found, len(steps))
        begun = self._chapter.begun
        turns = [PastTurn(self._chapter.starts, begun.piste)]
        for shot, note in zip(self._chapter.shots, self._notes, strict=True):
            turns.append(PastTurn(f"{len(turns)}. {shot.text}", shot.view.piste, note=note))
        turns[1 : len(found) + 1] = [
            replace(turn, text=signed(turn.text, each)) for turn, each in zip(turns[1:], found, strict=False)
        ]
        return PastRound(tuple(turns), view, mistakes=tuple(self._told_mistakes(played, steps, found)))

    def _told_mistakes(
        self, played: Played, steps: Sequence[CourseStep], found: Sequence[Reviewed]
    ) -> Iterator[Mistake]:
        """The mistakes of people, not of bots, whose positions can be set up as puzzles."""
        progress = self._progress
        for each in () if progress is None else found:
            better = each.better
            if better is None or is_a_bot(played.match.names[better.side]):
                continue
            if each.number not in self._mistakes:
                puzzle = own_puzzle(steps, each.number - 1, better, OWN)
                if puzzle is not None:
                    self._mistakes[each.number] = played.match.names[better.side], called(puzzle)
        for number, (name, puzzle) in sorted(self._mistakes.items()):
            assert progress is not None
            yield Mistake(number, name, any(kept.id == puzzle.id for kept in progress.of(name).own))

    def keep(self, number: int) -> None:
        """Keep the mistake in this turn as a puzzle of the player who made it."""
        if self._progress is not None and number in self._mistakes:
            keep_mistake(self._progress, Lost(*self._mistakes[number], day_number()))

    def leave(self) -> None:
        """Close the round that was open."""
        if self._reviewing is not None:
            self._reviewing.stop()
        self._reviewing = self._chapter = self._at = None
        self._mistakes = {}

    def record(self, number: int) -> Callable[[str], str]:
        """The errand that writes a match's game record to the newest stick."""
        played = self._found(number)
        assert played is not None  # else there is no line that asks for it
        return partial(self._machine.onto_stick, {f"engarde-match-{number}.txt": record_text(played)})

    def make(self, do: str, number: int, language: str) -> None:
        """Have a film, a page or a picture of a match made."""
        what, ending = _MADE[do]
        name, machine = f"engarde-match-{number}.{ending}", self._machine
        asked = ["scores", "--scorebook", str(machine.book.path), "--match", str(number), "--language", language]
        if what == "card" and (pages := machine.pages_at):
            asked += ["--link", f"{pages}{address_of(number)}"]
        if what == "film":
            asked += ["--percents", *([] if machine.recording is None else ["--recording", str(machine.recording)])]
        self.making.begin(name, lambda stick: [*asked, f"--{what}", str(stick / name)])


def note_of(say: Words, page: RetoldPage) -> str:
    """The hands shown in a turn, and what is worth telling of it."""
    entry = page.step.entry
    hands = BySide(entry.white, entry.black).items() if isinstance(entry, RevealEvent) else ()
    shown = (
        say.say("past.showed", side=side_name(say, side), cards=" ".join(str(card.value) for card in sorted(hand)))
        for side, hand in hands
    )
    return " ".join((*shown, *(moment_text(say, moment) for moment in page.moments)))
