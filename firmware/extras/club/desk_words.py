"""Commands of an evening's desk, as words: ``open "Autumn cup" points=5``. Each word has a type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, Final

from engine.competition.bouts import MAX_POINTS, Bout, Entrant, Terms, Tie
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
    holding,
)
from engine.rules.events import MAX_TIME_S
from engine.strict.text import shown
from engine.strict.values import did_you_mean
from firmware.extras.club.evening import Evening
from firmware.extras.club.topics import ClubError

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
    placed = {bout: table for table, bout in evening.placed.items()}
    here = [f"  piste {placed[bout.id]}: {_pair(bout, now)}" for bout in now.due() if bout.id in placed]
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
