"""The desk of an evening: its commands as words, what it is shown, its questions and the hall's answers.

A command such as ``open "Autumn cup" points=5`` is words, each of a type. No answer is taken for another and no command
comes too late: a command needs a ticket that the hall gave out a moment ago, and each ticket is good for one command.
What waited at the broker, or comes a second time, is refused. Time is the hall's own: clocks of two machines are never
compared.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.competition.bouts import MAX_POINTS, Bout, CompetitionError, Entrant, Terms, Tie
from engine.competition.competition import Competition
from engine.competition.events import (
    CompetitionEvent,
    Corrected,
    Entered,
    FencedAgain,
    LeagueBegun,
    Left,
    LotsDrawn,
    MatchFenced,
    Opened,
    PoolsBegun,
    RoundPaired,
    SwissBegun,
    TableauBegun,
    TakenBack,
    event_from_json,
    event_to_json,
    holding,
)
from engine.rules.events import MAX_TIME_S
from engine.strict.text import Bounds, MalformedError, json_of, shown
from engine.strict.values import Length, Pattern, Range, did_you_mean, plain, read
from firmware.extras.club.evening import Evening
from firmware.extras.club.messages import ClubError, dumped

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


MAX_NUMBER: Final = 10**6 - 1
MAX_WORD: Final = 200
_YES: Final = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Word:
    """One word's type: what it is read by, how it is said, and an example. ``read`` raises ValueError."""

    read: Callable[[str], Any]
    said: str
    example: str = ""


def whole(low: int, high: int, example: str = "") -> Word:
    """A whole number within these."""

    def read(word: str) -> int:
        if not word.isascii() or not word.isdigit() or len(word) > len(str(MAX_NUMBER)) or not low <= int(word) <= high:
            raise ValueError
        return int(word)

    return Word(read, f"a whole number from {low} to {high}", example)


def one_of(known: Mapping[str, Any], said: str, example: str = "") -> Word:
    """One of these words, in small or capital letters."""

    def read(word: str) -> Any:
        if word.lower() not in known:
            raise ValueError
        return known[word.lower()]

    return Word(read, said, example)


def _text(word: str) -> str:
    if not word.strip() or len(word) > MAX_WORD:
        raise ValueError
    return word.encode().decode()  # ValueError for bytes of a command line that are no UTF-8


TEXT: Final = Word(_text, f"1 to {MAX_WORD} characters", "NAME")
TOUCHES: Final = whole(0, MAX_POINTS)
NUMBER: Final = whole(1, MAX_NUMBER)
DAY: Final = Word(lambda word: date.fromisoformat(word).isoformat(), "a day such as 2026-11-24", "2026-11-24")
POINTS: Final = whole(1, MAX_POINTS, "5")
BEST_OF: Final = one_of({str(odd): odd for odd in (1, 3, 5, 7, 9)}, "1, 3, 5, 7 or 9", "3")
YES: Final = one_of(_YES, "yes or no", "yes")
TIES: Final = one_of({tie.value: tie for tie in Tie}, "extra, touch or lot", "extra|touch|lot")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A command: the words it needs, those it may have, those of the form ``name=value``, single ones, and the rest.

    ``rest`` names what any further words are; empty: there are none.
    """

    made: Callable[..., CompetitionEvent]
    needed: Mapping[str, Word] = field(default_factory=dict)
    further: Mapping[str, Word] = field(default_factory=dict)
    given: Mapping[str, Word] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    rest: str = ""


def _fenced(bout: str, touches: int, against: int, first: bool = False, day: str = "") -> MatchFenced:
    if first and touches < against:
        raise ClubError(f"result: first is for a level score, and {against} touches beat {touches}; leave it out.")
    return MatchFenced(bout, touches, against, first or touches > against, day=day)


def _corrected(bout: str, match: int, touches: int, against: int, why: tuple[str, ...]) -> Corrected:
    return Corrected(bout, match, touches, against, touches > against, " ".join(why))


def _entered(id: str, name: str, club: str = "", seed: int | None = None, handicap: int = 0) -> Entered:
    return Entered(Entrant(id, name, club, seed, handicap))


def _opened(name: str, points: int = 5, best_of: int = 1, time: int | None = None, tie: Tie = Tie.EXTRA) -> Opened:
    return Opened(name, Terms(points, best_of, time, tie))


_MATCH: Final = {"touches": TOUCHES, "against": TOUCHES}
_TERMS: Final = {"points": POINTS, "best_of": BEST_OF}
SENTENCES: Final[Mapping[str, Sentence]] = {
    "open": Sentence(_opened, {"name": TEXT}, given={**_TERMS, "time": whole(1, MAX_TIME_S, "180"), "tie": TIES}),
    "enter": Sentence(
        _entered,
        {"id": TEXT, "name": TEXT},
        given={"club": TEXT, "seed": whole(1, MAX_NUMBER, "1"), "handicap": whole(0, MAX_POINTS - 1, "1")},
    ),
    "left": Sentence(lambda id, why: Left(id, " ".join(why)), {"id": TEXT}, rest="why"),
    "pools": Sentence(PoolsBegun, {"count": NUMBER}),
    "tableau": Sentence(TableauBegun, given={"cut": whole(2, MAX_NUMBER, "16"), "third": YES, **_TERMS}),
    "swiss": Sentence(SwissBegun),
    "round": Sentence(RoundPaired),
    "league": Sentence(LeagueBegun, further={"legs": whole(1, 4)}),
    "result": Sentence(_fenced, {"bout": TEXT, **_MATCH}, given={"day": DAY}, flags=("first",)),
    "correct": Sentence(_corrected, {"bout": TEXT, "match": whole(1, 9), **_MATCH}, rest="why"),
    "again": Sentence(lambda bout, why: FencedAgain(bout, " ".join(why)), {"bout": TEXT}, rest="why"),
    "lots": Sentence(lambda id, more: LotsDrawn((id, *more)), {"id": TEXT}, rest="more"),
    "back": Sentence(TakenBack, {"number": NUMBER}),
}
"""All commands but ``show``. ``first`` of a result: it was level, and the first had priority."""


def usage(word: str) -> str:
    """How a command is said: ``open NAME [points=5] …``."""
    sentence = SENTENCES[word]
    parts = [word, *(name.upper() for name in sentence.needed), *(f"[{name.upper()}]" for name in sentence.further)]
    parts += [f"[{flag}]" for flag in sentence.flags]
    parts += [f"[{name}={each.example}]" for name, each in sentence.given.items()]
    return " ".join([*parts, *([f"[{sentence.rest.upper()} ..]"] if sentence.rest else [])])


def event_of_words(words: list[str]) -> CompetitionEvent:
    """The event of these words. Raises ClubError that names the word, what was expected and the nearest known one."""
    command, *others = words
    sentence = SENTENCES.get(command.lower())
    if sentence is None:
        known = ["show", *SENTENCES]
        raise ClubError(f"{command[:40]}: expected one of {', '.join(known)}{did_you_mean(command.lower(), known)}.")
    return sentence.made(**_members(command.lower(), sentence, others))


def _members(command: str, sentence: Sentence, words: list[str]) -> dict[str, Any]:
    left, found = list(words), dict[str, Any]()
    for name, word in {**sentence.needed, **sentence.further}.items():
        if left:
            found[name] = _read(command, name, word, left.pop(0))
        elif name in sentence.needed:
            raise ClubError(f"{command}: {name.upper()} is missing; expected: {usage(command)}.")
    if sentence.rest:
        return {**found, sentence.rest: tuple(_read(command, sentence.rest, TEXT, each) for each in left)}
    for each in left:
        name, sign, value = each.partition("=")
        known = list(sentence.given) if sign else list(sentence.flags)
        if name in found:
            raise ClubError(f"{command}: expected {name} once, found it twice.")
        if name not in known:
            guess = did_you_mean(name, [*sentence.given, *sentence.flags])
            raise ClubError(f"{command}: {shown(each)} means nothing here{guess}; expected: {usage(command)}.")
        found[name] = _read(command, name, sentence.given[name], value) if sign else True
    return found


def _read(command: str, name: str, word: Word, text: str) -> Any:
    try:
        return word.read(text)
    except ValueError as error:
        raise ClubError(f"{command}: {name} is {word.said}, not {shown(text)}.") from error


MAX_EVENTS: Final = 25
MAX_WAITING: Final = 25
MAX_REASONS: Final = 5
_SENTENCES: Final[Mapping[str, str]] = {
    "opened": "open {name}",
    "entered": "enter {fencer.id} {fencer.name}",
    "left": "left {fencer} {why}",
    "pools": "pools {count}",
    "tableau": "tableau{cut}",
    "league": "league {legs}",
    "fenced": "result {bout} {first}:{second}",
    "corrected": "correct {bout} match {at}: {first}:{second} {why}",
    "again": "again {bout} {why}",
    "lots": "lots {order}",
    "taken_back": "back {number}",
}
"""An event as the desk would say it, by its members; one that has none is its name."""


def overview(evening: Evening, refusals: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Lines of plain English, as the desk's other answers are: the numbers are those that ``back`` takes.

    ``refusals``: how often what was not believed, by table.
    """
    return [*_evening(evening), *_not_believed(refusals)]


def _not_believed(refusals: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for table, reasons in sorted(refusals.items()):
        yield f"Not believed of piste {table}, {sum(reasons.values())} in all:"
        for why, count in sorted(reasons.items(), key=lambda each: -each[1])[:MAX_REASONS]:
            yield f"  {count} times: {why}"


def _evening(evening: Evening) -> list[str]:
    now, events = evening.now, evening.log.events
    if now is None:
        return ["Nothing is open yet: open NAME begins."]
    found = [now.name]
    if len(events) > MAX_EVENTS:
        found.append(f"  (the last {MAX_EVENTS} of {len(events)} events)")
    numbered = list(enumerate(zip(events, holding(events), strict=True), 1))
    for number, (event, holds) in numbered[-MAX_EVENTS:]:
        found.append(f"{number:>4}  {_told(event, now)}{'' if holds else '  (taken back)'}")
    piste_of = {bout: table for table, bout in evening.placed.items()}
    here = [f"  piste {piste_of[bout.id]}: {_pair(bout, now)}" for bout in now.due() if bout.id in piste_of]
    waiting = [f"  {_pair(bout, now)}" for bout in evening.waiting]
    found += ["Called:", *here] if here else []
    if waiting:
        found += ["Waiting:", *waiting[:MAX_WAITING]]
    if len(waiting) > MAX_WAITING:
        found.append(f"  and {len(waiting) - MAX_WAITING} more")
    for group in now.level() if now.over else ():
        names = ", ".join(_name(each, now) for each in group)
        found.append(f"Level, lots are to be drawn among them before the next phase: {names}")
    if now.over:
        found.append("All of this phase is fenced.")
    return found


def _told(event: CompetitionEvent, now: Competition) -> str:
    members = {each.name: getattr(event, each.name) for each in fields(event)}
    for name, value in members.items():
        match name, value:
            case "bout", str():
                members[name] = _bout(value, now)
            case "fencer", str():
                members[name] = _name(value, now)
            case "order", _:
                members[name] = ", ".join(_name(each, now) for each in value)
            case "cut", _:
                members[name] = "" if value is None else f" cut={value}"
    from_desk = isinstance(event, MatchFenced) and not event.match
    return _SENTENCES.get(event.what, event.what).format(**members).rstrip() + (", from the desk" if from_desk else "")


def _bout(bout: str, now: Competition) -> str:
    found = now.by_name.get(bout)
    return bout if found is None else _pair(found, now)


def _pair(bout: Bout, now: Competition) -> str:
    return f"{bout.id} {_name(bout.first, now)} – {_name(bout.second, now)}"


def _name(fencer: str | None, now: Competition) -> str:
    found = now.fencers.get(fencer or "")
    return "?" if found is None else f"{found.name} ({found.id})"
