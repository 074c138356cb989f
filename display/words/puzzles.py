"""Puzzles in words: what is asked, what a chosen turn is worth, and why the best is the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final

from display.i18n import Words
from display.words.sentences import listed, preset_name, side_name
from display.words.verdicts import answer_hint, play_sentence
from engine.puzzles.hidden import CERTAIN, Goal, cases, favourable, fitting
from engine.puzzles.puzzle import (
    Answer,
    Ending,
    Puzzle,
    PuzzleTheme,
    ending_of,
    explain,
    objection,
    opened,
    refutation,
    solutions,
)
from engine.puzzles.solver import BestLineTurn, Solved
from engine.rules.cards import VALUES
from engine.rules.legal import Counts, Play
from engine.rules.possible import hidden_hand
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.state import Phase, Reason, room_behind
from engine.rules.track import Side


@dataclass(frozen=True, slots=True)
class PuzzleText:
    """What is asked. ``hint``: how the attack that waits can be answered; ``played``: the cards that were played, where
    the answer depends on them. Both empty where there is none."""

    title: str
    grade: str
    task: str
    hint: str
    played: str = ""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """What is said of a turn. ``reply`` is the opponent's best answer to a wrong one, if any is needed; ``best`` and
    ``why`` tell the right one, ``best`` empty where it was chosen."""

    headline: str
    worth: str
    reply: str
    best: str
    why: str


def puzzle_text(words: Words, puzzle: Puzzle) -> PuzzleText:
    """The puzzle's title and task."""
    played = ""
    if puzzle.counts and puzzle.hidden:
        cards = _cards(words, sorted(card.value for card in puzzle.public.played))
        played = words.say("aloud.told", what=words.say("solve.played"), told=cards)
    return PuzzleText(
        words.say(f"puzzle.title.{puzzle.theme.value}"),
        with_rules(words, puzzle, words.say("puzzle.grade", grade=puzzle.grade)),
        _task(words, puzzle),
        answer_hint(words, puzzle.public, counted=False),
        played,
    )


def with_rules(words: Words, puzzle: Puzzle, text: str) -> str:
    """The text with the name of its rules unless they are the usual ones, because the answer depends on them."""
    return text if puzzle.rules == DEFAULT_RULES.name else f"{text} · {preset_name(words, puzzle.rules)}"


def _task(words: Words, puzzle: Puzzle) -> str:
    public = puzzle.public
    side, opponent = side_name(words, puzzle.side), side_name(words, puzzle.side.other)
    final = public.phase is Phase.FINAL
    if puzzle.certain:
        key = "puzzle.task_certain" if puzzle.hidden else "puzzle.task_at_once"
        return words.say(key, side=side, opponent=opponent)
    if puzzle.aim is not None:
        name = "counted" if final else puzzle.aim.value
        return words.say(f"puzzle.task_{name}", side=side, opponent=opponent)
    if final:
        return words.say("puzzle.task_final", side=side)
    pile = _cards(words, sorted(card.value for card in puzzle.unseen))
    return words.say("puzzle.task", side=side, count=public.pile, pile=pile)


def answer_text(words: Words, puzzle: Puzzle, answer: Answer) -> AnswerText:
    """What there is to say of a turn somebody chose."""
    best = "" if answer.right else words.say("puzzle.best", turn=play_text(words, puzzle, answer.best))
    if puzzle.aim is None:
        line = refutation(puzzle, answer.play)
        if puzzle.certain:
            key = "puzzle.certain" if answer.value else "puzzle.not_certain"
            worth = words.say(key, opponent=side_name(words, puzzle.side.other))
        else:
            worth = _worth(words, answer, line)
        reply = ""
        if not answer.right and len(line) > 1:
            reply = words.say("puzzle.reply", turn=line_texts(words, puzzle, line[:2])[1])
    else:
        worth = _worth_hidden(words, puzzle, answer)
        reply = "" if answer.right else _objected(words, puzzle, answer.play)
    return AnswerText(
        words.say("puzzle.right" if answer.right else "puzzle.wrong", turn=play_text(words, puzzle, answer.play)),
        worth,
        reply,
        best,
        why_text(words, puzzle, answer.best),
    )


def play_text(words: Words, puzzle: Puzzle, play: Play) -> str:
    """A turn in this position: ``White parries and advances 3``."""
    return play_sentence(words, puzzle.side, puzzle.public.distance, play)


def line_texts(words: Words, puzzle: Puzzle, line: Sequence[BestLineTurn]) -> tuple[str, ...]:
    """Each turn of a line in words."""
    side, distance = puzzle.side, puzzle.public.distance
    texts = []
    for step in line:
        texts.append(play_sentence(words, side if step.mine else side.other, distance, step.play))
        distance -= step.play.move
    return tuple(texts)


def why_text(words: Words, puzzle: Puzzle, best: Play) -> str:
    """Why the best turn is the best."""
    if puzzle.aim is not None:
        return " ".join(_why_hidden(words, puzzle, best))
    public = puzzle.public
    distance = public.distance - best.move
    if puzzle.certain and puzzle.hidden:
        opponent = hidden_hand(public, puzzle.side.other, puzzle.hand(puzzle.side))
        names = {"side": side_name(words, puzzle.side), "opponent": side_name(words, puzzle.side.other)}
        return words.say("puzzle.why_certain", count=opponent.most(distance), value=distance, **names)
    return " ".join(_why_open(words, puzzle, best))


def _why_open(words: Words, puzzle: Puzzle, best: Play) -> Iterator[str]:
    """Why a turn is the best where all cards lie open: what can answer it, how the round goes on and ends by it, and
    what the next best is worth."""
    solved = solutions(puzzle)
    lower = [each for each in solved if each.value < solved[0].value]
    yield from _fact(words, puzzle, best)
    if puzzle.certain:
        return
    yield from _goes_on(words, puzzle, best)
    attack = next((each for each in lower if each.play.attack), None)
    if lower and lower[0].value and puzzle.theme is PuzzleTheme.HOLD_BACK and attack is not None:
        yield _rated(words, puzzle, attack, "other_attack") if attack.value else words.say("puzzle.why.no_attack")
    else:
        yield from _beside(words, puzzle, lower)


def _beside(words: Words, puzzle: Puzzle, lower: Sequence[Solved]) -> Iterator[str]:
    if lower:
        yield _rated(words, puzzle, lower[0], "next_best") if lower[0].value else words.say("puzzle.why.only")


def _goes_on(words: Words, puzzle: Puzzle, best: Play) -> Iterator[str]:
    """What follows on the best turn where all cards lie open, and how the round ends then."""
    line = explain(puzzle, best)
    ending = ending_of(puzzle, line)
    if len(line) > 1:
        _, first, *more = line_texts(words, puzzle, line)
        turns = reduce(lambda told, turn: words.say("puzzle.why.next", turns=told, turn=turn), more, first)
        yield words.say("puzzle.why.then" if ending.sure else "puzzle.why.likely", turns=turns)
    if len(line) > 1 or ending.winner is not None:
        yield _ended(words, ending)
    yield from _numbers(words, ending)


def _fact(words: Words, puzzle: Puzzle, best: Play) -> Iterator[str]:
    """What decides: how many cards the defender has to answer an attack with, or the room behind the opponent."""
    public = puzzle.public
    opponent, distance = puzzle.side.other, public.distance - best.move
    if best.attack:
        yield _parry(words, puzzle, opponent, distance, best.attack)
    elif public.attack is not None and not best.parry:
        yield _parry(words, puzzle, puzzle.side, public.attack.value, public.attack.count)
    elif puzzle.theme is PuzzleTheme.STUCK or puzzle.certain:
        cards = _cards(words, sorted(card.value for card in puzzle.hand(opponent)))
        room = room_behind(public.spaces, opponent)
        name = side_name(words, opponent)
        facts = {"opponent": name, "cards": cards, "distance": distance}
        yield (
            words.say("puzzle.why.stuck", count=room, **facts) if room else words.say("puzzle.why.stuck_edge", **facts)
        )


def _parry(words: Words, puzzle: Puzzle, holder: Side, value: int, needed: int) -> str:
    held = sum(card.value == value for card in puzzle.hand(holder))
    key = "attacked" if held else "attacked_none"
    name = side_name(words, holder)
    parry = words.say(f"number.{needed}")
    return words.say(f"puzzle.why.{key}", opponent=name, count=held, value=value, needed=parry)


def _ended(words: Words, ending: Ending) -> str:
    names = {"winner": side_name(words, ending.winner)}
    if ending.winner is not None:
        names["loser"] = side_name(words, ending.winner.other)
    return words.say(f"reason.{ending.reason.value}", value=ending.distance, **names) + "."


def _numbers(words: Words, ending: Ending) -> Iterator[str]:
    for key in _NUMBERS.get(ending.reason, ()):
        if key == "counts" and ending.distance > max(VALUES):
            continue
        numbers = ending.counts if key == "counts" else ending.advances
        yield words.say(f"working.{key}", value=ending.distance, white=numbers.white, black=numbers.black)


_NUMBERS: Final[Mapping[Reason, Sequence[str]]] = {
    Reason.MORE_ATTACK_CARDS: ("counts",),
    Reason.FURTHER_ADVANCED: ("advances",),
    Reason.DRAW: ("counts", "advances"),
}
"""Endings that numbers decide, and what those are called."""


def _rated(words: Words, puzzle: Puzzle, solved: Solved, key: str) -> str:
    turn = play_text(words, puzzle, solved.play)
    return words.say(f"puzzle.why.{key}", turn=turn, count=_of_hundred(solved.value))


def _worth(words: Words, answer: Answer, line: Sequence[BestLineTurn]) -> str:
    if answer.value in (0, 1):
        return words.say("puzzle.always" if answer.value == 1 else "puzzle.never")
    if line[-1].end is Reason.DRAW and all(step.chance == 1 for step in line):
        return words.say("puzzle.drawn")
    return words.say("puzzle.part", count=round(100 * answer.value))


def _worth_hidden(words: Words, puzzle: Puzzle, answer: Answer) -> str:
    """In how many of all cases a turn does what is asked of it; never told as certain if it is not."""
    names = {"side": side_name(words, puzzle.side), "opponent": side_name(words, puzzle.side.other)}
    value = answer.value
    if puzzle.aim is Goal.BEST:
        if value in (0, 1):
            return words.say("puzzle.always" if value == 1 else "puzzle.never")
        won, drawn = cases(puzzle.view, answer.play)
        if drawn and not won and value == Fraction(1, 2):
            return words.say("puzzle.drawn")
        return words.say("puzzle.part", count=_of_hundred(value))
    if puzzle.aim is Goal.TOUCH:
        if value == 0:
            return words.say("puzzle.touch_none")
        name = "touch_always" if value == CERTAIN else "touch_part"
        return words.say(f"puzzle.{name}", worth=_of_hundred(value), **names)
    if value == CERTAIN:
        return words.say("puzzle.safe_always" if answer.right else "puzzle.safe_shorter", **names)
    return words.say("puzzle.safe_part", worth=_of_hundred(1 - value), **names)


def _of_hundred(value: Fraction) -> int:
    """So many cases of a hundred; what may happen is never told as none of them, nor as all."""
    return min(99, max(1, round(100 * value)))


def _objected(words: Words, puzzle: Puzzle, play: Play) -> str:
    """A hand against which the turn fails, and what its owner does then; empty where there is none."""
    told = _objection(words, puzzle, play)
    if not told:
        return ""
    if puzzle.aim is not Goal.BEST:
        return words.say("puzzle.may_hold", **told)
    worst = words.say("puzzle.worst", **told)
    return f"{worst} {words.say('puzzle.reply', turn=told['turn'])}" if told["turn"] else worst


def _objection(words: Words, puzzle: Puzzle, play: Play) -> dict[str, str]:
    found = objection(puzzle, play)
    if found is None:
        return {}
    opponent = puzzle.side.other
    turn = (
        "" if found.reply is None else play_sentence(words, opponent, puzzle.public.distance - play.move, found.reply)
    )
    return {"opponent": side_name(words, opponent), "cards": _held(words, found.hand), "turn": turn}


def _why_hidden(words: Words, puzzle: Puzzle, best: Play) -> Iterator[str]:
    """Why a turn is the answer whatever the opponent holds, from what was counted."""
    names = {"side": side_name(words, puzzle.side), "opponent": side_name(words, puzzle.side.other)}
    unseen = sorted(card.value for card in puzzle.unseen)
    distance = puzzle.public.distance - best.move
    if puzzle.aim is Goal.TOUCH:
        left, needed = unseen.count(distance), best.attack
        yield words.say(
            "puzzle.why.counted_touch", count=len(VALUES), value=distance, left=left, needed=needed, **names
        )
        if best.move:
            yield words.say("puzzle.why.no_way_back", **names)
    elif puzzle.aim is Goal.BEST:
        yield from _why_best(words, puzzle, best)
    else:
        yield words.say("puzzle.why.keep_safe", count=fitting(puzzle.view), distance=distance, **names)
    if puzzle.aim is not Goal.BEST:
        yield from _why_not(words, puzzle, best)


def _why_not(words: Words, puzzle: Puzzle, best: Play) -> Iterator[str]:
    """What the next best turn fails against, where it can be shown; where ``FORWARD`` is asked the next one forward."""
    others = [each.play for each in solutions(puzzle) if each.play != best]
    if puzzle.aim is Goal.FORWARD:
        others = sorted((play for play in others if play.move > best.move), key=lambda play: (play.move, play.attack))
    for play in others:
        if told := _objection(words, puzzle, play):
            yield words.say("puzzle.why.other_way", other=play_text(words, puzzle, play), **told)
            return


def _why_best(words: Words, puzzle: Puzzle, best: Play) -> Iterator[str]:
    """Why a turn is the best against all the hands there may be: in how many it wins, and how in one of them."""
    names = {"side": side_name(words, puzzle.side), "opponent": side_name(words, puzzle.side.other)}
    unseen = sorted(card.value for card in puzzle.unseen)
    hand = favourable(puzzle.view, best)
    if puzzle.public.pile:
        yield words.say("puzzle.why.hidden_hand", cards=_cards(words, unseen), **names)
        for key, found in zip(("wins_in", "draws_in"), cases(puzzle.view, best), strict=True):
            if found:
                yield words.say(f"puzzle.why.{key}", found=found, number=len(unseen))
        yield words.say("puzzle.why.example", cards=_held(words, hand), **names)
    else:
        yield words.say("puzzle.why.counted_hand", cards=_cards(words, unseen), **names)
    yield from _goes_on(words, opened(puzzle, hand), best)
    solved = solutions(puzzle)
    yield from _beside(words, puzzle, [each for each in solved if each.value < solved[0].value])


def _held(words: Words, hand: Counts) -> str:
    """A hand known by how many it has of each value, card by card."""
    return _cards(words, [value for value, count in zip(VALUES, hand, strict=True) for _ in range(count)])


def _cards(words: Words, values: Sequence[int]) -> str:
    return listed(words, values, "and")
