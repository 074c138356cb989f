"""A round reviewed, in words: the graph's points, a sign for each turn, the turns that decided, and what was better.

Nobody is mocked. Two words are never mixed: a mistake is a turn worse than another by what its player could know, and
then the better one is what is said; what only the cards decided is luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from display.i18n import Words
from display.view import Mark, PanelLine
from display.words.sentences import side_name, with_capital
from display.words.verdicts import play_sentence, step_text
from engine.review.chance import Chance
from engine.review.judging import Kind, Sign
from engine.review.proof import Basis, Better
from engine.review.review import Reviewed, Why, deciding, to_the_end, turning_points
from engine.rules.events import TurnEvent, YieldEvent
from engine.rules.state import Phase, Reason
from engine.rules.track import Side

NBSP: Final = "\u00a0"
MISTAKES: Final = (Kind.MISTAKE, Kind.LIKELY_MISTAKE)


@dataclass(frozen=True, slots=True)
class GraphPoint:
    """One moment of the round: White's chance and its limits, after turn ``number`` (0: as it began).

    ``decided``: the round turned on that turn. ``better``: it was a mistake, or likely one. ``shown``: the chance with
    the hands that were shown at the end, the least of it and the most, where it can be told.
    """

    number: int
    white: float
    low: float
    high: float
    decided: bool = False
    better: bool = False
    shown: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A round as it is reviewed. ``of``: the turns it has; there are fewer points while it is still worked out.

    ``scale``: the chances that are marked at the graph's side, each as its language writes it. ``lines``: what is to be
    said of the round, ``note`` how the chances are to be read.
    """

    title: str
    axis: str
    scale: tuple[tuple[float, str], ...]
    points: tuple[GraphPoint, ...]
    of: int
    lines: tuple[PanelLine, ...]
    note: str
    progress: str = ""


def review_view(say: Words, round_number: int, reviewed: Sequence[Reviewed], of: int) -> ReviewView:
    """What is known so far of a round of so many turns."""
    decided = {each.number for each in deciding(reviewed)} if len(reviewed) == of else set()
    points = [_point(0, reviewed[0].before, reviewed[0].shown_before)] if reviewed else []
    for each in reviewed:
        marks = each.number in decided, each.kind in MISTAKES
        points.append(_point(each.number, each.after, each.shown_after, *marks))
    progress = "" if len(reviewed) == of else say.say("review.working", number=len(reviewed), of=of)
    title = say.say("review.title", round=round_number)
    axis = say.say("review.axis", side=side_name(say, Side.WHITE))
    lines = _lines(say, reviewed, decided) if not progress else ()
    note = f"{say.say('review.how')}. {say.say('review.note')} {say.say('review.note_signs')}"
    if any(point.shown is not None for point in points):
        note = f"{note} {say.say('review.note_shown')}"
    return ReviewView(title, axis, scale_of(say), tuple(points), of, lines, note, progress)


def note_on(views: Iterable[ReviewView]) -> str:
    """How the chances of these rounds are to be read: more is to be said where hands were shown in any of them."""
    return max((view.note for view in views), key=len)


def scale_of(say: Words) -> tuple[tuple[float, str], ...]:
    """None, half and all of the chances, from 0 to 1."""
    return tuple((share / 100, say.percent(share)) for share in (0, 50, 100))


def review_lines(say: Words, round_number: int, reviewed: Sequence[Reviewed]) -> tuple[str, ...]:
    """A whole round as lines of text, where there is no graph: every turn with its chances, and what was better."""
    told = [say.say("review.title", round=round_number)]
    for each in reviewed:
        told.append(_turn(say, each))
        if judged := _judged(say, each):
            told.append(f"    {judged}")
    if not any(each.kind in MISTAKES for each in reviewed):
        told.append(say.say("review.no_mistake"))
    return tuple(told)


def turning_lines(say: Words, rounds: Sequence[tuple[int, Sequence[Reviewed]]]) -> tuple[str, ...]:
    """The turns on which a match turned, a line each; ``rounds`` with their numbers. Empty for none."""
    return tuple(
        say.say("review.turning", round=rounds[place][0], number=each.number, told=_turned(say, each))
        for place, each in turning_points([found for _, found in rounds])
    )


def _turned(say: Words, each: Reviewed) -> str:
    """The better turn if there was one; else the chances after this one, and why they changed."""
    if each.better is not None and each.kind in MISTAKES:
        return better_text(say, each, each.better)
    return _changed(say, each, with_capital(step_text(say, each.step)))


def _changed(say: Words, each: Reviewed, turn: str) -> str:
    """The turn with how the chances changed by it, and whose doing that was."""
    side = _gaining(each)
    chances = {"before": share(_of(each.before.white, side)), "after": share(_of(each.after.white, side))}
    opponent = side_name(say, (each.side or side).other)
    key = f"review.turned{_how_it_turned(each)}"
    return say.say(key, turn=turn, side=side_name(say, side), opponent=opponent, **chances)


def _how_it_turned(each: Reviewed) -> str:
    """The end of the sentence's key: what ended the round, or whose doing it was; empty for the player's own."""
    state, judged = each.step.state, each.judged
    if each.end is not None and isinstance(each.end.entry, YieldEvent):
        return "_given_up"
    if each.end is not None or state.result is not None:
        if state.phase is Phase.REVEAL:
            return "_hands"
        hit = state.result is not None and state.result.reason is Reason.HIT
        return "_touch" if hit or state.attack is not None else "_last"
    if judged is None or _gaining(each) is each.side:
        return ""
    return {Sign.OK: "_luck", None: "_open"}.get(judged.sign, "")


def _point(
    number: int, chance: Chance, shown: Chance | None, decided: bool = False, better: bool = False
) -> GraphPoint:
    known = None if shown is None else (shown.white, shown.low, shown.high)
    return GraphPoint(number, chance.white, chance.low, chance.high, decided, better, known)


def _lines(say: Words, reviewed: Sequence[Reviewed], decided: set[int]) -> tuple[PanelLine, ...]:
    """The turns that decided, and below each, or on its own, what was better."""
    lines: list[PanelLine] = []
    with_end = {each.number: each for each in to_the_end(reviewed)}
    for each in reviewed:
        if each.number in decided or each.better is not None:
            mark = Mark.NOW if each.number in decided else Mark.PLAIN
            cards = each.step.entry.cards if isinstance(each.step.entry, TurnEvent) else ()
            turn = signed(with_capital(step_text(say, each.step)), each)
            is_told = mark is Mark.NOW and each.kind not in MISTAKES
            told = _changed(say, with_end[each.number], turn) if is_told else turn
            lines.append(PanelLine(f"{each.number}. {told}", mark, cards))
        if judged := _judged(say, each):
            lines.append(PanelLine(judged, Mark.PLAIN if each.better is None else Mark.GOOD))
    if not any(each.kind in MISTAKES for each in reviewed):
        lines.append(PanelLine(say.say("review.no_mistake")))
    return tuple(lines)


def _judged(say: Words, each: Reviewed) -> str:
    """The better turn, or that a player who gave up may have had an answer in hand; empty for neither."""
    if each.better is not None:
        return better_text(say, each, each.better)
    if isinstance(each.step.entry, YieldEvent) and each.judged is not None:
        return say.say("review.gave_up_open", turn=with_capital(step_text(say, each.step)))
    return ""


def signed(text: str, each: Reviewed) -> str:
    """The text with the turn's sign in brackets, where it has one."""
    sign = None if each.judged is None else each.judged.sign
    return text if sign is None else f"{text}{NBSP}[{sign.value}]"


def _turn(say: Words, each: Reviewed) -> str:
    """``11. Anna advances 3 [ok]: Anna from 28 (23–33) to 48 %``, told for whoever gained by it.

    Where the chances did not change by more than their limits, only who is ahead now and by how much.
    """
    turn = f"{each.number}. {signed(with_capital(step_text(say, each.step)), each)}"
    if each.is_certain:
        side = _gaining(each)
        turn = say.say("review.turn", turn=turn, side=side_name(say, side), **_both(each.before, each.after, side))
    elif not each.after.exact:
        ahead = Side.WHITE if each.after.white >= 0.5 else Side.BLACK
        turn = say.say(
            "review.turn_level", turn=turn, side=side_name(say, ahead), share=share(_of(each.after.white, ahead))
        )
    before, after = each.shown_before, each.shown_after
    if before is None or after is None or not (before.high < after.low or after.high < before.low):
        return turn
    side = Side.WHITE if after.white >= before.white else Side.BLACK
    return say.say("review.turn_shown", told=turn, side=side_name(say, side), **_both(before, after, side))


def _gaining(each: Reviewed) -> Side:
    return Side.WHITE if each.change >= 0 else Side.BLACK


def _both(before: Chance, after: Chance, side: Side) -> dict[str, str]:
    return {"before": _limited(before, side), "after": _limited(after, side)}


def better_text(say: Words, each: Reviewed, better: Better) -> str:
    """The turn that was better by what the player could know, and why; or one that only luck would have rewarded."""
    before = each.step.state.previous
    assert before is not None
    turn = play_sentence(say, better.side, before.distance, better.play)
    if better.play.move and not better.play.attack:
        turn = say.say("review.to_distance", turn=turn, distance=before.distance - better.play.move)
    worth = {"value": share(better.value or 0.0), "taken": share(better.taken_value or 0.0)}
    if better.basis is Basis.LUCK:
        won = better.value is not None and better.value >= 1.0
        return say.say("review.luck_won", turn=turn) if won else say.say("review.luck", turn=turn, **worth)
    why = say.say(
        f"review.why.{(each.why or Why.DISTANCE).value}",
        side=side_name(say, better.side),
        value=before.distance - better.taken.move,
    )
    if better.basis is Basis.ANY_TURN:
        return say.say("review.mistake_any", why=why, value=worth["value"])
    if better.basis is Basis.EVERY_HAND:
        return say.say("review.mistake_touch", why=why, turn=turn)
    key = "mistake" if better.basis is Basis.SHOWN else "likely"
    return say.say(f"review.{key}", why=why, turn=turn, **worth)


def share(chance: float) -> int:
    """Whole percent, never rounded to what is certain or impossible."""
    return round(100 * chance) if chance in (0.0, 1.0) else min(99, max(1, round(100 * chance)))


def _of(white: float, side: Side) -> float:
    return white if side is Side.WHITE else 1 - white


def _limited(chance: Chance, side: Side) -> str:
    """The side's chance in whole percent, with its limits where it is no exact one."""
    least, most = sorted((_of(chance.low, side), _of(chance.high, side)))
    limits = f"{NBSP}({floor(100 * least)}\u2013{ceil(100 * most)})"
    return f"{share(_of(chance.white, side))}{'' if chance.exact else limits}"


def share_text(say: Words, what: str) -> str:
    """What a code at the table opens: the ``scoreboard``, the page of the ``match``, or the ``play`` to be logged."""
    return say.say(f"share.{what}")
