"""The game record: matches as text that people read, write by hand and mail, as PGN is for chess.

README.md has the grammar and an example. ``parse_record`` and ``print_record`` are inverse: printing a parsed record
and parsing a printed one change nothing but layout and comments. ``replay`` gives every state, refereed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from engine.record.corrections import CorrectionError, Setting, Won, set_outright
from engine.record.course import CORRECTED, CourseStep
from engine.rules.cards import CARD_BY_NAME, Card
from engine.rules.events import (
    MAX_POINTS,
    MAX_TIME_S,
    Event,
    Limit,
    MatchEvent,
    RevealEvent,
    RoundEvent,
    TimeEvent,
    TurnEvent,
    YieldEvent,
)
from engine.rules.legal import Turn, turn_event
from engine.rules.messages import message
from engine.rules.reading import explain
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_POINTS, DEFAULT_RULES, RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState, Reason
from engine.rules.track import BySide, Side
from engine.strict.text import json_of

Move: TypeAlias = Turn | YieldEvent | RevealEvent | Setting | TimeEvent
"""A ``Setting`` is no move of a player: from here on figures, score or cards are as it says, set by a correction. Nor
is a ``TimeEvent``: the match's time was up."""


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """How a round ended and what the match stood at then."""

    winner: Side | None
    reason: Reason
    score: BySide[int]


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round: its moves in turn, and its outcome; None while it is being played."""

    moves: tuple[Move, ...]
    outcome: RoundOutcome | None


NO_NAMES: Final = BySide("White", "Black")


@dataclass(frozen=True, slots=True)
class Record:
    """One match. ``date`` is ``YYYY-MM-DD``, or empty when nobody wrote it down."""

    names: BySide[str] = NO_NAMES
    date: str = ""
    rules: str = DEFAULT_RULES.name
    points: int = DEFAULT_POINTS
    starter: Side = Side.WHITE
    rounds: tuple[RoundRecord, ...] = ()
    limit: Limit | None = None


class RecordError(ValueError):
    """A record that cannot be read or cannot be: ``line`` counts from 1 (0: no line of the text)."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.line = line
        self.problem = problem


_TAG: Final = re.compile(r'\[([A-Z][a-z]*) ("(?:[^"\\]|\\.)*")\]')
_ROUND: Final = re.compile(r"Round ([1-9][0-9]{0,5})")
_OUTCOME: Final = re.compile(r"(White|Black|Nobody) \((\w+)\) ([0-9]{1,10})-([0-9]{1,10})")
_CARDS: Final = r"(?:[1-5][a-e])"
_TURN: Final = re.compile(rf"(?:=({_CARDS}+))?(?:\+({_CARDS})(?:x({_CARDS}+))?|-({_CARDS})|x({_CARDS}+))?")
_GIVE_UP: Final = re.compile(rf"#({_CARDS}*)")
_SHOWN: Final = re.compile(rf"\?({_CARDS}*)/({_CARDS}*)")
_SET: Final = re.compile(
    rf"!(?:([0-9]{{1,2}})/([0-9]{{1,2}}))?,?(?:([0-9]{{1,10}})-([0-9]{{1,10}}))?,?({_CARDS}*),?(white|black|nobody)?"
)
_TIME: Final = re.compile(r"@(?:(white|black)|(drawn))?")
_LIMIT: Final = re.compile(r"([1-9][0-9]{0,4})(?:\+([1-9][0-9]{0,4}))?(?: (?:(white|black)|(drawn)))?")
_TAGS: Final = ("White", "Black", "Date", "Rules", "Points", "Starter", "Time", "Leg")
"""``Leg`` was written of a team relay's legs until version 1; it is read and left out."""
_MOVES_A_LINE: Final = 2


def print_move(move: Move) -> str:
    """One move as written: ``+3b``, ``-2a``, ``x5a5b``, ``=4a+3bx2c``, ``#``, ``?1a2b/3c``, ``!9/21``, ``@``."""
    match move:
        case TimeEvent(priority, drawn):
            return f"@{_tie_text(priority, drawn)}"
        case Setting(figures, score, cards, won):
            parts = (
                f"{figures.white}/{figures.black}" if figures is not None else "",
                f"{score.white}-{score.black}" if score is not None else "",
                _names(cards),
                won.value if won is not None else "",
            )
            return f"!{','.join(part for part in parts if part)}"
        case YieldEvent(cards=cards):
            return f"#{_names(cards)}"
        case RevealEvent(white=white, black=black):
            return f"?{_names(white)}/{_names(black)}"
    parry = f"={_names(move.parry)}" if move.parry else ""
    step = f"{'-' if move.back else '+'}{move.step}" if move.step else ""
    return f"{parry}{step}{f'x{_names(move.attack)}' if move.attack else ''}"


def parse_move(text: str) -> Move:
    """The move this token is. Raises ValueError for any other text."""
    if found := _TIME.fullmatch(text):
        return TimeEvent(Side(found[1]) if found[1] else None, bool(found[2]))
    if found := _SHOWN.fullmatch(text):
        return RevealEvent(_cards(found[1]), _cards(found[2]))
    if found := _GIVE_UP.fullmatch(text):
        return YieldEvent(_cards(found[1]))
    if (found := _SET.fullmatch(text)) and (setting := _setting(found)) is not None and print_move(setting) == text:
        return setting
    found = _TURN.fullmatch(text)
    if not text or found is None:
        raise ValueError(
            f"{text[:40]!r} is no move: a move is such as +3b, -2a, x5a5b, +3bx2c, =4a+3b, #, ?1a2b/3c, !9/21 or @"
        )
    parry, step, indirect, back, direct = found.groups()
    moved = CARD_BY_NAME[step or back] if step or back else None
    return Turn(_cards(parry or ""), moved, _cards(indirect or direct or ""), bool(back))


def _setting(found: re.Match[str]) -> Setting | None:
    """The setting behind an exclamation mark; None for an empty one."""
    white, black, white_points, black_points, cards, won = found.groups()
    figures = BySide(int(white), int(black)) if white else None
    score = BySide(int(white_points), int(black_points)) if white_points else None
    setting = Setting(figures, score, _cards(cards), Won(won) if won else None)
    return None if setting.empty else setting


def print_record(record: Record, notes: Iterable[str] = ()) -> str:
    """The record as text: tags, then each round with two moves a line and its outcome.

    ``notes`` become comments under the tags: for whoever reads it, and left out when it is parsed.
    """
    tags = [
        ("White", record.names.white),
        ("Black", record.names.black),
        ("Date", record.date),
        ("Rules", record.rules),
        ("Points", str(record.points)),
        ("Starter", record.starter.value),
    ]
    tags += [] if record.limit is None else [("Time", _limit_text(record.limit))]
    lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags]
    lines += [f"; {' '.join(note.split())}" for note in notes]
    for number, played in enumerate(record.rounds, 1):
        lines += ["", f"Round {number}"]
        for first in range(0, len(played.moves), _MOVES_A_LINE):
            moves = played.moves[first : first + _MOVES_A_LINE]
            lines.append(f"{first // _MOVES_A_LINE + 1}. {' '.join(map(print_move, moves))}")
        if played.outcome is not None:
            lines.append(print_outcome(played.outcome))
    return "\n".join(lines) + "\n"


def _limit_text(limit: Limit) -> str:
    """``180``, ``180+60 white``: the seconds, those of one more touch, and who has the priority or ``drawn``."""
    extra = f"+{limit.extra_s}" if limit.extra_s else ""
    return f"{limit.time_s}{extra} {_tie_text(limit.priority, limit.drawn)}".rstrip()


def _tie_text(priority: Side | None, drawn: bool) -> str:
    if drawn:
        return "drawn"
    return "" if priority is None else priority.value


def _read_limit(text: str) -> Limit:
    found = _LIMIT.fullmatch(text)
    if found is None or max(int(found[1]), int(found[2] or 0)) > MAX_TIME_S or (found[2] and not found[3]):
        raise RecordError(0, f"Time is such as 180, 180 white, 180+60 white or 180 drawn, found {text[:40]!r}")
    return Limit(int(found[1]), int(found[2] or 0), Side(found[3]) if found[3] else None, bool(found[4]))


def print_outcome(outcome: RoundOutcome) -> str:
    """How a round ended as the record writes it: ``White (hit) 1-0``."""
    winner = "Nobody" if outcome.winner is None else outcome.winner.value.capitalize()
    return f"{winner} ({outcome.reason.value}) {outcome.score.white}-{outcome.score.black}"


def parse_record(text: str) -> Record:
    """The record a text holds. A line that begins with ``;`` is a comment. Raises RecordError naming the line.

    Reads the shape only; whether the moves are legal and the outcomes true is ``replay``'s to say.
    """
    tags: dict[str, str] = {}
    rounds: list[RoundRecord] = []
    moves: list[Move] | None = None
    # Not splitlines: that also breaks at characters a name may hold.
    for number, raw in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("["):
            if moves is not None or rounds:
                raise RecordError(number, "tags come before the first round")
            _read_tag(number, line, tags)
        elif line.startswith("Round"):
            if moves is not None:
                rounds.append(RoundRecord(tuple(moves), None))
            _read_round(number, line, len(rounds) + 1)
            moves = []
        elif moves is None:
            raise RecordError(number, f"expected a tag or a line such as Round {len(rounds) + 1}, found {line[:40]!r}")
        elif line[0].isalpha():
            rounds.append(RoundRecord(tuple(moves), _read_outcome(number, line)))
            moves = None
        else:
            _read_moves(number, line, moves)
    if moves is not None:
        rounds.append(RoundRecord(tuple(moves), None))
    return _record(tags, tuple(rounds))


def _read_tag(number: int, line: str, tags: dict[str, str]) -> None:
    found = _TAG.fullmatch(line)
    if found is None or found[1] not in _TAGS:
        raise RecordError(number, f'a tag is [Name "value"] with a name of {", ".join(_TAGS)}, found {line[:40]!r}')
    if found[1] in tags:
        raise RecordError(number, f"the tag {found[1]} is there twice")
    try:
        tags[found[1]] = str(json_of(found[2]))
    except ValueError:
        raise RecordError(number, f"the value of {found[1]} is no quoted text: {found[2][:40]}") from None


def _read_round(number: int, line: str, expected: int) -> None:
    found = _ROUND.fullmatch(line)
    if found is None or int(found[1]) != expected:
        raise RecordError(number, f"expected Round {expected}, found {line[:40]!r}")


def _read_outcome(number: int, line: str) -> RoundOutcome:
    found = _OUTCOME.fullmatch(line)
    reasons = [reason.value for reason in Reason]
    if found is None or found[2] not in reasons:
        raise RecordError(
            number, f"an outcome is such as White (hit) 1-0, with a reason of {', '.join(reasons)}; found {line[:40]!r}"
        )
    winner = None if found[1] == "Nobody" else Side(found[1].lower())
    return RoundOutcome(winner, Reason(found[2]), BySide(int(found[3]), int(found[4])))


def _read_moves(number: int, line: str, moves: list[Move]) -> None:
    first, *tokens = line.split()
    expected = f"{len(moves) // _MOVES_A_LINE + 1}."
    if first != expected or len(moves) % _MOVES_A_LINE or not 1 <= len(tokens) <= _MOVES_A_LINE:
        raise RecordError(number, f"expected {expected} and one or two moves, found {line[:40]!r}")
    for token in tokens:
        try:
            moves.append(parse_move(token))
        except ValueError as error:
            raise RecordError(number, str(error)) from None


def _record(tags: dict[str, str], rounds: tuple[RoundRecord, ...]) -> Record:
    blank = Record()
    rules, points, starter = tags.get("Rules", blank.rules), tags.get("Points", ""), tags.get("Starter", "white")
    date = tags.get("Date", blank.date)
    if rules not in RULE_SETS:
        raise RecordError(0, f"Rules is one of {', '.join(RULE_SETS)}, found {rules[:40]!r}")
    if points and not (re.fullmatch(r"[1-9][0-9]{0,9}", points) and int(points) <= MAX_POINTS):
        raise RecordError(0, f"Points is a whole number from 1, found {points[:40]!r}")
    if starter not in ("white", "black"):
        raise RecordError(0, f"Starter is white or black, found {starter[:40]!r}")
    if date and not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", date):
        raise RecordError(0, f"Date is such as 2026-11-21, found {date[:40]!r}")
    names = BySide(tags.get("White", blank.names.white), tags.get("Black", blank.names.black))
    limit = _read_limit(tags["Time"]) if "Time" in tags else None
    whole = int(points) if points else blank.points
    return Record(names, date, rules, whole, Side(starter), rounds, limit)


def _names(cards: Iterable[Card]) -> str:
    return "".join(str(card) for card in cards)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(CARD_BY_NAME[text[place : place + 2]] for place in range(0, len(text), 2))


# Replaying a record gives every state; accepted events give a record.


def replay(record: Record) -> Iterator[tuple[Event | Setting, PublicState, Ruling]]:
    """Every event of the record, the state after it and the ruling on it, from the match event on.

    A ``Setting`` stands where a correction set figures, score or cards.

    Raises RecordError where the referee refuses an event or a round ended otherwise than the record says.
    """
    state: PublicState | None = None
    opening = MatchEvent(record.rules, record.starter, record.points, record.limit)
    state, ruling = judge(None, opening)
    assert state is not None
    yield opening, state, ruling
    for number, played in enumerate(record.rounds, 1):
        state, ruling = _accepted(state, RoundEvent(), f"Round {number}")
        yield RoundEvent(), state, ruling
        for place, move in enumerate(played.moves, 1):
            where = f"Round {number}, move {place}"
            event = _event(state, move, where)
            state, ruling = _accepted(state, event, where)
            yield event, state, ruling
        _check_outcome(state, played.outcome, f"Round {number}")


def _event(state: PublicState, move: Move, where: str) -> Event | Setting:
    if not isinstance(move, Turn):
        return move
    if state.to_act is None:
        raise RecordError(0, f"{where}: nobody is to act, the phase is {state.phase.value}")
    return turn_event(state, move)


def _accepted(state: PublicState, event: Event | Setting, where: str) -> tuple[PublicState, Ruling]:
    if isinstance(event, Setting):
        try:
            return set_outright(state, event), CORRECTED
        except CorrectionError as error:
            raise RecordError(0, f"{where}: {error}") from error
    following, ruling = judge(state, event)
    if following is None or not ruling.ok:
        raise RecordError(0, f"{where}: {message(ruling)}")
    return following, ruling


def _check_outcome(state: PublicState, told: RoundOutcome | None, where: str) -> None:
    found = outcome_of(state)
    if told is not None and told != found:
        ruled = "that it goes on" if found is None else print_outcome(found)
        raise RecordError(0, f"{where}: the record says {print_outcome(told)}, the referee {ruled}")


def outcome_of(state: PublicState) -> RoundOutcome | None:
    """How the round of this state ended; None while it is being played."""
    if state.result is None:
        return None
    return RoundOutcome(state.result.winner, state.result.reason, state.score)


def record_of_steps(steps: Sequence[CourseStep], names: BySide[str] = NO_NAMES, date: str = "") -> Record:
    """The record of what stands: ``Course.steps``, from the match event on."""
    opening = steps[0].state
    rounds: list[RoundRecord] = []
    moves: list[Move] = []
    for before, step in pairwise(steps):
        if isinstance(step.entry, RoundEvent):
            moves = []
            rounds.append(RoundRecord((), None))
        else:
            moves.append(_move(before.state, step.entry))
            rounds[-1] = RoundRecord(tuple(moves), outcome_of(step.state))
    begun = steps[0].entry
    limit = begun.limit if isinstance(begun, MatchEvent) else None
    return Record(names, date, opening.rules.name, opening.points, opening.starter, tuple(rounds), limit)


def _move(before: PublicState, entry: Event | Setting) -> Move:
    if isinstance(entry, Setting | TimeEvent | YieldEvent | RevealEvent):
        return entry
    assert isinstance(entry, TurnEvent)
    turn = explain(before, entry)
    assert isinstance(turn, Turn)
    return turn
