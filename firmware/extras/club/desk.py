"""The desk's questions and the hall's answers, so that no answer is taken for another and no command comes too late.

A command needs a ticket that the hall gave out a moment ago, and each ticket is good for one command: what waited at
the broker, or comes a second time, is refused. Time is the hall's own: clocks of two machines are never compared.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.competition.bouts import CompetitionError
from engine.competition.events import CompetitionEvent, event_from_json, event_to_json
from engine.strict.text import Bounds, MalformedError, json_of
from engine.strict.values import Length, Pattern, Range, plain, read
from firmware.extras.club.telling import dumped

TICKET_S: Final = 8.0
"""A ticket's life at the hall, and how long the desk waits for the answer to its command, less ``MARGIN_S``."""
MARGIN_S: Final = 2.0
"""For an answer to travel."""
MAX_KEPT: Final = 200
"""Tickets, and answers that are given again to a question that comes again."""
MAX_QUESTION: Final = Bounds(bytes=65_536, depth=6)
_Name: TypeAlias = Annotated[str, Pattern("[0-9a-f]{32}", "32 hexadecimal digits")]


@dataclass(frozen=True, slots=True)
class Question:
    """``show`` asks how the evening stands, ``ticket`` for a ticket, ``do`` to have an ``event`` done with one."""

    id: _Name
    ask: Literal["show", "ticket", "do"]
    ticket: _Name | None = None
    event: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """To the question ``id``, None where that could not be read. ``events``: how many the evening has now."""

    id: _Name | None
    ok: bool
    message: Annotated[str, Length(0, 1000)] = ""
    lines: tuple[str, ...] = ()
    ticket: _Name | None = None
    events: Annotated[int, Range(0, 10**9)] = 0


class AnsweringDesk:
    """The hall's side. ``do`` has an event done and gives how many there are; ``show`` gives lines."""

    def __init__(self, do: Callable[[CompetitionEvent], int], show: Callable[[], list[str]]) -> None:
        self._do, self._show = do, show
        self._tickets: dict[str, float] = {}
        self._given: dict[str, Answer] = {}

    def answer(self, payload: bytes, now_s: float) -> str:
        """The answer to these bytes, which never raise: what cannot be read is answered as well."""
        try:
            question = read(Question, json_of(payload, MAX_QUESTION))
        except MalformedError as error:
            return dumped(plain(Answer, Answer(None, False, f"the hall cannot read that ({error})"[:1000])))
        if question.id not in self._given:
            self._given[question.id] = self._answer(question, now_s)
            _forget_first(self._given)
        return dumped(plain(Answer, self._given[question.id]))

    def _answer(self, question: Question, now_s: float) -> Answer:
        if question.ask == "show":
            return Answer(question.id, True, lines=tuple(self._show()))
        if question.ask == "ticket":
            ticket = secrets.token_hex(16)
            self._tickets[ticket] = now_s
            _forget_first(self._tickets)
            return Answer(question.id, True, ticket=ticket)
        since_s = self._tickets.pop(question.ticket or "", None)
        if since_s is None or now_s - since_s > TICKET_S:
            return Answer(question.id, False, "that came too late and was not done; say it again")
        try:
            return Answer(question.id, True, events=self._do(event_from_json(question.event)))
        except (CompetitionError, OSError) as error:
            return Answer(question.id, False, str(error)[:1000])


def _forget_first(kept: dict[str, Any]) -> None:
    while len(kept) > MAX_KEPT:
        del kept[next(iter(kept))]


class AskingDesk:
    """The desk's side of one command; ``event`` None asks how the evening stands. ``answer`` is there once it came."""

    def __init__(self, event: CompetitionEvent | None) -> None:
        self._event = event
        self._waits_for = ""
        self.answer: Answer | None = None

    def first(self) -> str:
        """The first message to send."""
        return self._question("show" if self._event is None else "ticket")

    def hear(self, payload: bytes) -> str | None:
        """The next message to send; None for nothing. Answers to other questions are passed over."""
        try:
            answer = read(Answer, json_of(payload))
        except MalformedError:
            return None
        if self.answer is not None or answer.id != self._waits_for:
            return None
        if answer.ticket is None or self._event is None:
            self.answer = answer
            return None
        return self._question("do", answer.ticket, event_to_json(self._event))

    def _question(self, ask: Literal["show", "ticket", "do"], ticket: str | None = None, event: Any = None) -> str:
        self._waits_for = secrets.token_hex(16)
        return dumped(plain(Question, Question(self._waits_for, ask, ticket, event)))
