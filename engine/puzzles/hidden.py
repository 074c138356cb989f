"""What a turn does against a hidden hand: exact chances, over every hand that fits what is open.

Every set of unseen cards is an equally likely hand: how the opponent played is not weighed. All questions
can be counted to the end: whether this turn touches, whether the opponent can touch with the next one, and who wins
where this turn draws the last card. After that the pile is empty, so that the last defence is made with both hands
known by counting, and the solver's value of each deal is the game's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from engine.odds import can_answer, opponent_hand
from engine.players.bots.options import APART, HANDS, INDEX, SIZES, Option, drawn_to
from engine.players.bots.sparring import Stand, after_drawing, can_do, stand_of
from engine.puzzles.solver import Duel, Pile, Solved, in_any_order, solver_of
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Counts, Play, counts_of, minus, values_in
from engine.rules.possible import unseen_cards
from engine.rules.state import PlayerView, room_behind

CERTAIN: Final = Fraction(1)


class Goal(Enum):
    """The question about a turn against a hidden hand."""

    TOUCH = "touch"  # whatever the opponent holds, they cannot answer the attack
    SAFE = "safe"  # whatever they hold, they cannot touch with the next turn
    FORWARD = "forward"  # likewise, and as far forward as that allows
    BEST = "best"  # the most rounds won; this turn draws the last card, or is the last defence


class Counterexample(NamedTuple):
    """A hand that shows why a turn is not the answer, and what its owner does with it; ``reply`` None: nothing."""

    hand: Counts
    reply: Play | None


class _Deal(NamedTuple):
    """One way the unseen cards can lie, by values: ``drawn`` is what the player to act draws, ``left`` the pile."""

    other: int
    drawn: Pile
    left: Pile
    chance: Fraction


@lru_cache(maxsize=256)
def worths(view: PlayerView, aim: Goal) -> tuple[Solved, ...]:
    """Every legal play with the chance that it answers the question, the best first; for ``BEST``: that it wins.

    Of those that are safe alike the furthest forward comes first for ``FORWARD``. A drawn round counts half. Raises
    ValueError for ``BEST`` where more than one card is left in the pile.
    """
    if aim is Goal.BEST and view.public.pile > 1:
        raise ValueError(f"the best turn is counted out with one card in the pile at most, found {view.public.pile}")
    solved = [Solved(option.play, _worth(view, aim, option)) for option in can_do(stand_of(view), view.public.rules)]
    return tuple(sorted(solved, key=lambda each: (-each.value, -each.play.move if aim is Goal.FORWARD else 0)))


def answers(view: PlayerView, aim: Goal) -> tuple[Play, ...]:
    """The plays that answer the question; a puzzle has exactly one."""
    solved = worths(view, aim)
    if not solved or (aim is not Goal.BEST and solved[0].value != CERTAIN):
        return ()
    best = [each.play for each in solved if each.value == solved[0].value]
    return tuple(play for play in best if aim is not Goal.FORWARD or play.move == best[0].move)


def against(view: PlayerView, aim: Goal, play: Play) -> Counterexample | None:
    """The likeliest hand against which this play does worst; None where it always answers the question.

    For ``TOUCH`` only an attack can be answered: None for any other play, too.
    """
    option = _option(view, play)
    if aim is Goal.TOUCH:
        return _answered(view, option) if play.attack else None
    if aim is Goal.BEST:
        worst = max(_deals(view, option), key=lambda deal: (-_won(view, option, deal), deal.chance))
        if _won(view, option, worst) == CERTAIN:
            return None
        _, *replies = solver_of(view.public.rules.name).line(_duel(view, worst), play)
        return Counterexample(HANDS[worst.other], replies[0].play if replies else None)
    touched = [(deal.chance, deal.other, reply) for deal, reply in _touches(view, option)]
    if not touched:
        return None
    _, other, reply = max(touched)
    return Counterexample(HANDS[other], reply)


def favourable(view: PlayerView, play: Play) -> Counts:
    """For ``BEST``: the likeliest hand of those against which this play does best."""
    option = _option(view, play)
    return HANDS[max(_deals(view, option), key=lambda deal: (_won(view, option, deal), deal.chance)).other]


def fitting(view: PlayerView) -> int:
    """How many different hands, by values, the opponent may hold."""
    return sum(1 for _ in opponent_hand(view).hands())


def cases(view: PlayerView, play: Play) -> tuple[int, int]:
    """For ``BEST``: with how many of the unseen cards as the last one in the pile this play wins the round, and with
    how many it is drawn."""
    option = _option(view, play)
    found = {CERTAIN: Fraction(0), Fraction(1, 2): Fraction(0), Fraction(0): Fraction(0)}
    for deal in _deals(view, option):
        found[_won(view, option, deal)] += deal.chance
    size = len(unseen_cards(view.public, view.hand))
    return int(found[CERTAIN] * size), int(found[Fraction(1, 2)] * size)


def _option(view: PlayerView, play: Play) -> Option:
    return next(each for each in can_do(stand_of(view), view.public.rules) if each.play == play)


def _worth(view: PlayerView, aim: Goal, option: Option) -> Fraction:
    if aim is Goal.TOUCH:
        if not option.play.attack:
            return Fraction(0)
        value = view.public.distance - option.play.move
        return 1 - can_answer(view, value, option.play.attack, indirect=option.play.move > 0)
    if aim is Goal.BEST:
        return sum((deal.chance * _won(view, option, deal) for deal in _deals(view, option)), Fraction(0))
    return 1 - sum((deal.chance for deal, _ in _touches(view, option)), Fraction(0))


def _deals(view: PlayerView, option: Option) -> Iterator[_Deal]:
    """Every hand of the opponent with every draw of the player, by values, after this play."""
    unseen = counts_of(unseen_cards(view.public, view.hand))
    hand = opponent_hand(view)
    wanted = HAND_SIZE - SIZES[option.left]
    for other, ways in hand.hands():
        for draw in in_any_order(values_in(minus(unseen, other)), wanted):
            yield _Deal(INDEX[other], draw.drawn, draw.left, Fraction(ways, hand.ways()) * draw.chance)


def _touches(view: PlayerView, option: Option) -> Iterator[tuple[_Deal, Play]]:
    """The deals in which the opponent can touch with the next turn, each with one that does it."""
    rules, stand = view.public.rules, stand_of(view)
    distance = stand.distance - option.play.move
    gained = stand.gained + option.play.move
    for deal in _deals(view, option):
        pile = len(deal.left)
        if not pile and not option.attack:
            continue  # the round is over: there is no next turn
        own = drawn_to(option.left, deal.drawn)
        for reply in can_do(Stand(deal.other, distance, APART - distance - gained, option.attack, pile), rules):
            left = after_drawing(reply.left, pile)
            answers = Stand(own, distance - reply.play.move, gained, reply.attack, left)
            if reply.attack and not can_do(answers, rules):
                yield deal, reply.play
                break


def _answered(view: PlayerView, option: Option) -> Counterexample | None:
    """The likeliest hand that answers this attack, and how: by a parry, or by a retreat."""
    stand, play = stand_of(view), option.play
    distance, room = stand.distance - play.move, room_behind(view.public.spaces, view.side.other)
    left = after_drawing(option.left, stand.pile)
    found = []
    for other, ways in opponent_hand(view).hands():
        replies = can_do(Stand(INDEX[other], distance, room, option.attack, left), view.public.rules)
        if replies:
            found.append((ways, other, replies[-1].play))
    return Counterexample(*max(found)[1:]) if found else None


def _won(view: PlayerView, option: Option, deal: _Deal) -> Fraction:
    """What the play is worth in this deal: it empties the pile, so that nothing more is drawn or hidden."""
    solved = solver_of(view.public.rules.name).plays(_duel(view, deal))
    return next(each.value for each in solved if each.play == option.play)


def _duel(view: PlayerView, deal: _Deal) -> Duel:
    stand = stand_of(view)
    pile = tuple(sorted((*deal.drawn, *deal.left)))
    return Duel(stand.hand, deal.other, stand.distance, stand.gained, stand.attack, pile)
