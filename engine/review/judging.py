"""A turn judged by what its player could know: their hand, as far as later turns tell it, and the cards played.

With ``MAX_PILE`` cards in the pile or fewer every turn is priced with hidden hands
(``engine.players.bots.hidden_end``): what it wins for certain against an opponent who even knows the player's hand.
Only there, and where an attack wins against every hand there can be, is a turn called a mistake. Earlier it is judged
by the learned judgement and tried in rounds played to their end in the head; then it is at most a likely mistake. A
turn is worse only where that holds for the hands the player may have held, which later turns narrow down. What only the
cards nobody could see made better is luck, and no mistake. The work for a turn is bounded and counted, so that it comes
out the same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import sqrt
from random import Random
from typing import Final

from engine.players.bots.endgame import Endgame, OutOfBudgetError, layouts
from engine.players.bots.hidden_end import Rest, Work
from engine.players.bots.judgement import chance_of
from engine.players.bots.options import APART, HANDS, INDEX, Option, attack_number, hand_of, packed
from engine.players.bots.sparring import Sparring, Stand, after_drawing, can_do, is_last, last_chance, sparring
from engine.record.course import CourseStep
from engine.review.own_puzzle import Hands
from engine.review.proof import GIVES_UP, Basis, Better, Fitting, hindsight, play_of
from engine.rules.legal import Counts, Play, counts_of, minus
from engine.rules.possible import HiddenHand, unseen_cards
from engine.rules.state import PublicState, room_behind
from engine.rules.track import Side

MAX_PILE: Final = 3
"""The largest pile with which turns are priced: the solver's own limit (``engine.players.bots.hidden_end.SOLVED``)."""
MAX_WORK: Final = 200_000
"""Ends of a round worked out to price one turn: 0.3 s on a desktop core."""
MAX_HANDS: Final = {3: 12}
"""Hands that are tried at all, by the pile: one takes 25,000 of that work with three cards, 600 with two."""
MAX_POSITIONS: Final = 40_000
"""Positions with open hands counted to price one turn."""
GAP: Final = 0.01
"""A price is known within this."""
MAX_LEARNING: Final = 200
"""Rounds of learning for one price; a few dozen close the gap."""

LOSS: Final = 0.08
"""A turn that loses this much of the round is worse (``?``). Prices against an opponent who knows the hand differ from
those against one who does not by less in all but one of 90 positions that were solved both ways."""
BLUNDER: Final = 0.25
"""A turn that loses this much is a blunder (``??``)."""
GOOD: Final = 0.10
"""A turn ahead of every other by this much is good (``!``)."""
BRILLIANT: Final = 0.25
"""A turn ahead of every other by this much is very good (``!!``)."""

AGREEING: Final = 0.9
"""By judgement a turn is worse, or good, only if it is in this share of the hands the player may have held."""
MOSTLY: Final = 0.6
"""A turn is ``ok`` if it is in this share. A hand counts as often as a player of the judgement makes the turn with it:
the choice was made seeing the hand."""
TRIALS: Final = 120
"""Rounds played in the head with each of two turns: about 25 ms on a desktop core."""
TRIED_TURNS: Final = 60
"""Turns after which such a round is judged instead of played on: few are that long."""
DECIDED: Final = 0.95
"""A chance from which on nothing is called worse by judgement: the round is won."""
SURE_OF: Final = 2.0
"""Standard errors that the gain of the better turn must exceed."""


class Sign(Enum):
    """How good a turn was, as chess writes it."""

    BRILLIANT = "!!"
    GOOD = "!"
    OK = "ok"
    WORSE = "?"
    BLUNDER = "??"


class Kind(Enum):
    """What another turn being better means."""

    MISTAKE = "mistake"
    LIKELY_MISTAKE = "likely_mistake"
    LUCK = "luck"


class Method(Enum):
    """How a turn was judged."""

    PRICED = "priced"
    JUDGED = "judged"


KINDS: Final = {
    Basis.EVERY_HAND: Kind.MISTAKE,
    Basis.ANY_TURN: Kind.MISTAKE,
    Basis.SHOWN: Kind.MISTAKE,
    Basis.JUDGED: Kind.LIKELY_MISTAKE,
    Basis.LUCK: Kind.LUCK,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn and its sign; None where the possible hands disagree.

    ``better``: a turn that was better by what the player could know or, by luck, with what lay there; None for neither.
    ``price_taken`` and ``price_better``: the chances of the round by that knowledge with this turn and with the
    best, means over the possible hands, for a turn that was no worse over those with which it is likely; None where
    there is no sign.
    """

    side: Side
    taken: Play
    method: Method
    sign: Sign | None = None
    better: Better | None = None
    price_taken: float | None = None
    price_better: float | None = None

    @property
    def kind(self) -> Kind | None:
        """Mistake, likely mistake, luck, or None for nothing better."""
        return None if self.better is None else KINDS[self.better.basis]

    @property
    def loss(self) -> float:
        """How much of the round the turn gave away, 0 to 1."""
        if self.price_taken is None or self.price_better is None:
            return 0.0
        return max(0.0, self.price_better - self.price_taken)


Values = Mapping[Play, tuple[float, float]]
"""What each turn is worth at least and at most, with one hand."""
Weighed = Sequence[tuple[Counts, float, Values]]
"""Hands, the share of each, and what every turn is worth with it."""


def judged_turn(step: CourseStep, hands: Hands, fits: Sequence[Fitting] = (), *, likely: bool = True) -> Judged | None:
    """The turn that this step is, or the giving up, judged. None for other steps, and where nothing could be done.

    ``hands``: those the player may have held (``own_hands``). ``fits``: the ways all cards may have lain, where hands
    were shown later. ``likely``: whether to judge, too, where nothing can be priced.
    """
    before, taken = step.state.previous, play_of(step)
    if before is None or before.to_act is None or taken is None:
        return None
    position = _Position(before, taken, hands)
    if not position.hands:
        return None
    side = before.to_act
    if taken == GIVES_UP:
        return position.given_up(likely=likely)
    touch = position.sure_touch()
    method, weighed = position.weighed(likely=likely or touch is not None)
    if weighed is None:
        return Judged(side, taken, method)
    found = _compared(side, taken, method, weighed, position.chosen())
    if touch is not None and position.loses(found, weighed):
        value = found.price_taken
        sign = Sign.WORSE if value is not None and value > 1.0 - BLUNDER else Sign.BLUNDER
        return Judged(side, taken, method, sign, Better(side, Basis.EVERY_HAND, touch, taken), value, 1.0)
    if found.better is not None and method is Method.JUDGED:
        return position.tried(found, found.better)
    if found.sign in (Sign.OK, Sign.GOOD, Sign.BRILLIANT):
        return _with_luck(found, step, fits)
    return found


def _with_luck(found: Judged, step: CourseStep, fits: Sequence[Fitting]) -> Judged:
    lucky = hindsight(step, fits)
    if lucky is None:
        return found
    return Judged(found.side, found.taken, found.method, found.sign, lucky, found.price_taken, found.price_better)


def _compared(side: Side, taken: Play, method: Method, weighed: Weighed, chosen: Sequence[float]) -> Judged:
    """The turn beside the others, over all hands with their shares. ``chosen``: how likely it is made with each."""
    agreeing = 1.0 if method is Method.PRICED else AGREEING
    plays = {play for _, _, values in weighed for play in values}
    price = sum(share * _middle(values[taken]) for _, share, values in weighed)
    # A turn is better where it is with (nearly) every hand, by what is known of both.
    found: list[tuple[float, Play]] = []
    for play in plays - {taken}:
        gains = [(share, values[play][0] - values[taken][1]) for _, share, values in weighed if play in values]
        if _share(gains, LOSS - GAP if method is Method.PRICED else LOSS / 2) >= agreeing - 1e-9:
            mean = sum(share * gain for share, gain in gains) / sum(share for share, _ in gains)
            if mean >= LOSS - GAP:
                found.append((mean, play))
    if found and not (method is Method.JUDGED and price >= DECIDED):
        mean, play = max(found, key=lambda each: (each[0], tuple(each[1])))
        worth = sum(share * _middle(values.get(play, values[taken])) for _, share, values in weighed)
        basis = Basis.SHOWN if method is Method.PRICED else Basis.JUDGED
        better = Better(side, basis, play, taken, worth, price)
        return Judged(side, taken, method, _bad(worth - price), better, price, worth)
    likely = [share * chance for (_, share, _), chance in zip(weighed, chosen, strict=True)]
    believed = [(each / sum(likely), values) for each, (_, _, values) in zip(likely, weighed, strict=True)]
    losses = [(share, _middle(values[taken]) - max(map(_middle, values.values()))) for share, values in believed]
    if _share(losses, -LOSS) < MOSTLY:
        return Judged(side, taken, method)
    leads = [
        (
            share,
            _middle(values[taken])
            - max((_middle(worth) for play, worth in values.items() if play != taken), default=1.0),
        )
        for _, share, values in weighed
    ]
    sign = Sign.OK
    for good, lead in ((Sign.GOOD, GOOD), (Sign.BRILLIANT, BRILLIANT)):
        if _share(leads, lead) >= agreeing - 1e-9:
            sign = good
    price = sum(share * _middle(values[taken]) for share, values in believed)
    return Judged(side, taken, method, sign, None, price, price - sum(share * loss for share, loss in losses))


def _bad(loss: float) -> Sign:
    return Sign.BLUNDER if loss >= BLUNDER else Sign.WORSE


def _middle(worth: tuple[float, float]) -> float:
    return (worth[0] + worth[1]) / 2


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _share(gains: Sequence[tuple[float, float]], least: float) -> float:
    """In which share of the hands the gain is at least this."""
    return sum(share for share, gain in gains if gain >= least)


class _Position:
    """The position before a turn, with the hands its player may have held."""

    def __init__(self, before: PublicState, taken: Play, hands: Hands) -> None:
        side = before.to_act
        assert side is not None
        self._before, self._side, self._taken = before, side, taken
        self._distance, self._gained = before.distance, room_behind(before.spaces, side)
        self._attack = attack_number(before.attack)
        self._unplayed = counts_of(unseen_cards(before))
        size = before.hands[side]
        fitting = {
            hand: ways
            for hand, ways in hands.items()
            if sum(hand) == size
            and all(held <= there for held, there in zip(hand, self._unplayed, strict=True))
            and (taken == GIVES_UP or any(option.play == taken for option in self._options(hand)))
        }
        total = sum(fitting.values())
        self.hands = {hand: ways / total for hand, ways in fitting.items()}

    def _stand(self, hand: Counts) -> Stand:
        return Stand(INDEX[hand], self._distance, self._gained, self._attack, self._before.pile)

    def _options(self, hand: Counts) -> tuple[Option, ...]:
        return can_do(self._stand(hand), self._before.rules)

    def _unseen(self, hand: Counts) -> Counts:
        return minus(self._unplayed, hand)

    def chosen(self) -> list[float]:
        """How likely a player of the learned judgement makes the turn with each of the hands."""
        mind = sparring(self._before.rules.name)
        return [
            mind.likelihoods(self._stand(hand), packed(self._unseen(hand)), spread=1.0)[self._taken]
            for hand in self.hands
        ]

    def given_up(self, *, likely: bool) -> Judged | None:
        """A mistake where every hand had a turn; with no sign where it depends on the hand; None where none had one."""
        can = [bool(self._options(hand)) for hand in self.hands]
        if not any(can):
            return None
        method, weighed = self.weighed(likely=likely) if all(can) else (Method.JUDGED, None)
        if weighed is None:
            return Judged(self._side, GIVES_UP, method)
        best = [(share, max(values.items(), key=lambda each: _middle(each[1]))) for _, share, values in weighed]
        worth = sum(share * _middle(value) for share, (_, value) in best)
        _, (play, _) = max(best, key=lambda each: each[0])
        better = Better(self._side, Basis.ANY_TURN, play, GIVES_UP, worth, 0.0)
        return Judged(self._side, GIVES_UP, method, _bad(worth), better, 0.0, worth)

    def sure_touch(self) -> Play | None:
        """An attack possible with any of these hands that nobody could have answered."""
        options = [{option.play: option for option in self._options(hand)} for hand in self.hands]
        shared = set.intersection(*(set(each) for each in options))
        endgame = Endgame(self._before.rules, 0)
        for play in sorted(shared, key=lambda play: (play.attack, tuple(play))):
            if (
                play.attack
                and play != self._taken
                and all(
                    endgame.wins_at_once(self._stand(hand), each[play], self._unseen(hand))
                    for hand, each in zip(self.hands, options, strict=True)
                )
            ):
                return play
        return None

    def loses(self, found: Judged, weighed: Weighed) -> bool:
        """Whether the turn made is worth less than a touch: by price, by a hand with which the other touches next, or,
        with a large pile, where nothing is decided by the judgement of any hand."""
        if found.method is Method.PRICED:
            return found.better is not None
        if self._before.pile > MAX_PILE and all(values[self._taken][1] < DECIDED for _, _, values in weighed):
            return True
        return all(
            self._touched(hand, option)
            for hand in self.hands
            for option in self._options(hand)
            if option.play == self._taken
        )

    def _touched(self, hand: Counts, option: Option) -> bool:
        """Whether the other may hold a hand that touches next, whatever is drawn."""
        (_, move, _), left, attack = option
        pile = after_drawing(left, self._before.pile)
        if not pile:
            return False
        drawn = self._before.pile - pile
        distance, gained, kept = self._distance - move, self._gained + move, HANDS[left]
        unseen = self._unseen(hand)
        for other, _ in HiddenHand(unseen, self._before.hands[self._side.other]).hands():
            there = Stand(INDEX[other], distance, APART - distance - gained, attack, pile)
            for (parry, step, count), _, _ in can_do(there, self._before.rules):
                if count and not step and not parry and kept[distance - 1] < count:
                    rest = sum(unseen) - sum(other) - (unseen[distance - 1] - other[distance - 1])
                    if rest >= drawn:  # the draw can miss every parrying card
                        return True
        return False

    def weighed(self, *, likely: bool) -> tuple[Method, Weighed | None]:
        """Every turn with every hand: priced where that can be, else judged if what is only ``likely`` is wanted."""
        found = self.priced()
        if found is not None:
            return Method.PRICED, found
        return Method.JUDGED, self.judged() if likely else None

    def priced(self) -> Weighed | None:
        """Every turn with every hand, priced with hidden hands; None where the pile or the work is too large."""
        before = self._before
        if before.pile > MAX_PILE or len(self.hands) > MAX_HANDS.get(before.pile, len(HANDS)):
            return None
        endgame, work = Endgame(before.rules, MAX_POSITIONS), Work(MAX_WORK)
        found = []
        try:
            for hand, share in self.hands.items():
                stand, lying = self._stand(hand), layouts(self._unseen(hand), before.pile)
                values = {}
                for option in self._options(hand):
                    rest = Rest(endgame, stand, option, lying, work)
                    while rest.high - rest.low > GAP and rest.rounds < MAX_LEARNING:
                        rest.learn()
                    values[option.play] = rest.low, rest.high
                found.append((hand, share, values))
        except OutOfBudgetError:
            return None
        return found

    def judged(self) -> Weighed:
        """Every turn with every hand by the learned judgement, at one glance."""
        mind = sparring(self._before.rules.name)
        return [(hand, share, self._glance(mind, hand)) for hand, share in self.hands.items()]

    def _glance(self, mind: Sparring, hand: Counts) -> Values:
        stand, unseen = self._stand(hand), self._unseen(hand)
        values = {}
        for option, logit in mind.valued(stand, packed(unseen)):
            last = is_last(option, stand)
            chance = last_chance(mind.rules, stand, option, unseen) if last else chance_of(logit)
            values[option.play] = chance, chance
        return values

    def tried(self, found: Judged, better: Better) -> Judged:
        """Check the judgement's finding in rounds played in the head with both turns and the same cards."""
        before, mind = self._before, sparring(self._before.rules.name)
        rng = Random(f"{before.round} {before.pile} {before.spaces} {sorted(map(str, before.played))}")
        drawn = rng.choices(list(self.hands), list(self.hands.values()), k=TRIALS)
        gains, played, other = [], [], []
        for hand in drawn:
            unseen = [value for value, count in enumerate(self._unseen(hand)) for _ in range(count)]
            rng.shuffle(unseen)
            options = {option.play: option for option in self._options(hand)}
            if better.play not in options:
                continue
            size = before.hands[self._side.other]
            theirs, pile = hand_of(unseen[:size]), unseen[size:]
            one, two = (self._round(mind, hand, options[play], theirs, pile) for play in (found.taken, better.play))
            played.append(one)
            other.append(two)
            gains.append(two - one)
        gain = _mean(gains)
        error = sqrt(sum((each - gain) ** 2 for each in gains) / (len(gains) - 1) / len(gains))
        if gain < LOSS:
            return Judged(
                found.side, found.taken, found.method, Sign.OK, None, _mean(played), max(_mean(played), _mean(other))
            )
        if gain < SURE_OF * error:
            return Judged(found.side, found.taken, found.method)
        better = Better(better.side, Basis.JUDGED, better.play, better.taken, _mean(other), _mean(played))
        return Judged(found.side, found.taken, found.method, _bad(gain), better, _mean(played), _mean(other))

    def _round(self, mind: Sparring, hand: Counts, option: Option, theirs: int, pile: Sequence[int]) -> float:
        """How a round ends for the player with these cards after this turn, both going on by the judgement."""
        unplayed = packed(self._unplayed)
        return 1.0 - mind.play_out(self._stand(hand), theirs, pile, unplayed, TRIED_TURNS, option)
