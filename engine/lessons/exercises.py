"""An exercise in playing well: a principle, a position made for it from a seed, answers to choose from, the right one.

The right answer is computed and never written down: turns by the learned judgement, where it and the principle agree;
counts, draws and places exactly; what a retreat tells by how players of that judgement answer attacks; the last cards
by what each turn wins with hidden hands (``engine.players.bots.hidden_end``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Final

from engine.players.bots.endgame import Endgame, layouts
from engine.players.bots.hidden_end import Rest, Work
from engine.players.bots.judgement import chance_of
from engine.players.bots.options import HANDS, INDEX, INDIRECT, PACKED, packed
from engine.players.bots.sparring import Stand, can_do, sparring
from engine.rules.cards import DECK, HAND_SIZE, LETTERS, VALUES, Card
from engine.rules.legal import Counts, Play, counts_of, minus, plus, values_in
from engine.rules.possible import HiddenHand
from engine.rules.rulesets import FERTI_ADVANCED
from engine.rules.state import advanced, room_behind
from engine.rules.track import SPACES, BySide, Side

REACH: Final = 2 * HAND_SIZE
"""An indirect attack reaches no farther: a step of five, and fives."""
MIDDLE: Final = (3, 12), 16
"""Cards in the pile, and the greatest distance, where a round is not near its end."""
LAST_CARDS: Final = (1, 2), REACH
"""Likewise where it is."""
LEAD: Final = 0.04
"""The right turn is judged better than every other by this much."""
LIKELY: Final = 0.75
"""What a retreat tells holds at least with this chance."""
PRICE_LEAD: Final = 0.10
"""With the last cards the right turn wins this much more of the rounds than every other."""
NO_BOUND: Final = 10**9
"""Of the work for a price: with two cards in the pile a few thousand ends of a round are worked out."""
MAX_TURNS: Final = 7
"""Turns to choose from: a screen has no room for more."""
MAX_TRIES: Final = 4000
"""Positions tried for one exercise; a few dozen are enough."""
EACH: Final = 3
"""Positions a principle is shown by."""


class Principle(Enum):
    """What somebody learns to play by."""

    PAIR = "pair"
    ELEVEN = "eleven"
    NO_PARRY = "no_parry"
    KEEP_SAFE = "keep_safe"
    LAST_CARD = "last_card"
    FURTHER = "further"
    COUNT_ONE = "count_one"
    COUNT_ALL = "count_all"
    RETREAT = "retreat"
    ENDING = "ending"


Option = Play | int | Side | None
"""An answer: a turn, a number, a side; None for neither, or none."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position and its question. ``side`` is to act and holds ``hand``, by values; ``played`` are known to both.

    ``facts``: the numbers that the question and the reason name. ``right``: the place of the answer in ``options``.
    """

    principle: Principle
    spaces: BySide[int]
    side: Side
    hand: tuple[int, ...]
    pile: int
    played: Counts
    options: tuple[Option, ...]
    right: int
    facts: Mapping[str, int] = field(default_factory=dict)

    @property
    def distance(self) -> int:
        return self.spaces.black - self.spaces.white

    @property
    def cards_played(self) -> tuple[Card, ...]:
        """The cards that were played, by value; which of a value they are does not matter."""
        return tuple(
            Card(value, letter) for value, count in zip(VALUES, self.played, strict=True) for letter in LETTERS[:count]
        )


def exercise(principle: Principle, seed: str) -> Exercise:
    """The exercise of this principle that this seed gives, the same every time."""
    rng = Random(f"{principle.value} {seed}")
    dealt = LAST_CARDS if principle is Principle.ENDING else MIDDLE
    for _ in range(MAX_TRIES):
        found = _MAKERS[principle](_dealt(rng, *dealt), rng)
        if found is not None:
            return found
    raise ValueError(f"no exercise of {principle.value} was found from the seed {seed!r} in {MAX_TRIES} positions")


@dataclass(frozen=True, slots=True)
class _Deal:
    """A table dealt at random, with no attack to answer, and what the judgement makes of it."""

    side: Side
    spaces: BySide[int]
    hand: Counts
    pile: int
    played: Counts

    @property
    def distance(self) -> int:
        return self.spaces.black - self.spaces.white

    @property
    def unseen(self) -> Counts:
        return minus(counts_of(DECK), plus(self.played, self.hand))

    @property
    def stand(self) -> Stand:
        return Stand(INDEX[self.hand], self.distance, room_behind(self.spaces, self.side), 0, self.pile)

    def judged(self) -> dict[Play, float]:
        """Every turn with its chance by the learned judgement."""
        valued = sparring(FERTI_ADVANCED.name).valued(self.stand, packed(self.unseen))
        return {option.play: chance_of(logit) for option, logit in valued}

    def exercise(
        self, principle: Principle, options: tuple[Option, ...], right: Option, facts: Mapping[str, int]
    ) -> Exercise:
        hand, place = values_in(self.hand), options.index(right)
        return Exercise(principle, self.spaces, self.side, hand, self.pile, self.played, options, place, {**facts})


def _dealt(rng: Random, piles: tuple[int, int], farthest: int) -> _Deal:
    cards = [value for value in VALUES for _ in LETTERS]
    rng.shuffle(cards)
    pile = rng.randint(*piles)
    hand, played = cards[:HAND_SIZE], cards[2 * HAND_SIZE + pile :]
    distance = rng.randint(1, farthest)
    white = rng.randint(1, SPACES - distance)
    spaces = BySide(white, white + distance)
    return _Deal(rng.choice(list(Side)), spaces, _counts(hand), pile, _counts(played))


def _counts(values: list[int]) -> Counts:
    one, two, three, four, five = (values.count(value) for value in VALUES)
    return one, two, three, four, five


def _best(deal: _Deal, plays: list[Play]) -> Play | None:
    """The turn of these that is judged best, where it stands out among them and among all turns."""
    judged = deal.judged()
    best = max(plays, key=lambda play: judged[play])
    others = [judged[play] for play in plays if play != best]
    clear = bool(others) and judged[best] >= max(others) + LEAD
    return best if clear and judged[best] >= max(judged.values()) - LEAD else None


def _steps(deal: _Deal) -> list[Play]:
    """The steps forward, and nothing with them."""
    return [option.play for option in can_do(deal.stand, FERTI_ADVANCED) if option.play.move > 0 == option.play.attack]


def _pair(deal: _Deal, rng: Random) -> Exercise | None:
    """Far apart, every step is safe: the one that breaks no pair."""
    pairs = [value for value, count in zip(VALUES, deal.hand, strict=True) if count == 2]
    plays = [play for play in _steps(deal) if deal.distance - play.move > REACH]
    if len(pairs) != 1 or max(deal.hand) > 2 or len(plays) < 3 or pairs[0] not in [play.move for play in plays]:
        return None
    best = _best(deal, plays)
    if best is None or best.move == pairs[0]:
        return None
    return deal.exercise(Principle.PAIR, tuple(plays), best, {"value": pairs[0], "move": best.move})


def _eleven(deal: _Deal, rng: Random) -> Exercise | None:
    """A step that stops just where no attack reaches, among others that stop nearer or farther."""
    plays = _steps(deal)
    safe = [play for play in plays if deal.distance - play.move in (REACH + 1, REACH + 2)]
    if deal.distance <= REACH + 2 or not safe or len(safe) == len(plays) or len(plays) < 3:
        return None
    best = _best(deal, plays)
    if best not in safe:
        return None
    facts = {"left": deal.distance - best.move, "move": best.move}
    return deal.exercise(Principle.ELEVEN, tuple(plays), best, facts)


def _no_parry(deal: _Deal, rng: Random) -> Exercise | None:
    """Of the steps into reach, the one that keeps a card to parry with."""
    plays = [play for play in _steps(deal) if deal.distance - play.move <= HAND_SIZE]
    kept = {play: _kept(deal, play) for play in plays}
    if len(plays) < 2 or deal.distance <= HAND_SIZE:
        return None
    best = _best(deal, plays)
    bare = [play for play in plays if not kept[play]]
    if best is None or not kept[best] or not bare:
        return None
    facts = {"left": deal.distance - best.move, "bare": deal.distance - bare[0].move, "move": best.move}
    return deal.exercise(Principle.NO_PARRY, tuple(plays), best, facts)


def _keep_safe(deal: _Deal, rng: Random) -> Exercise | None:
    """Of steps that all stop within reach, the one that keeps as many cards as the other can attack with there."""
    left = {play: deal.distance - play.move for play in _steps(deal)}
    if len(left) < EACH or max(left.values()) > HAND_SIZE or deal.stand.gained < HAND_SIZE:
        return None  # with less room behind an indirect attack may touch, too: nobody could go back
    safe = [play for play in left if _kept(deal, play) >= deal.unseen[left[play] - 1]]
    if len(safe) != 1:
        return None
    [best] = safe
    facts = {"left": left[best], "unseen": deal.unseen[left[best] - 1], "held": _kept(deal, best)}
    return deal.exercise(Principle.KEEP_SAFE, tuple(left), best, facts)


def _kept(deal: _Deal, play: Play) -> int:
    """Cards of the new distance that are left in the hand."""
    left = deal.distance - play.move
    return deal.hand[left - 1] - (play.move == left)


def _last_card(deal: _Deal, rng: Random) -> Exercise | None:
    """Draws by turns: the first takes as many as were laid, then both one each."""
    count = rng.randint(1, 3)
    if deal.pile <= count:
        return None
    side, left = deal.side, deal.pile - count
    while left:
        side, left = side.other, left - 1
    facts = {"pile": deal.pile, "count": count, "left": deal.pile - count}
    return deal.exercise(Principle.LAST_CARD, tuple(Side), side, facts)


def _further(deal: _Deal, rng: Random) -> Exercise | None:
    """Each from their own end."""
    ahead = advanced(deal.spaces)
    if abs(ahead.white - ahead.black) > 3:
        return None
    right = None if ahead.white == ahead.black else Side.WHITE if ahead.white > ahead.black else Side.BLACK
    facts = {"white": ahead.white, "black": ahead.black}
    return deal.exercise(Principle.FURTHER, (*Side, None), right, facts)


def _count_one(deal: _Deal, rng: Random) -> Exercise | None:
    value = rng.choice(VALUES)
    left = min(HAND_SIZE, deal.unseen[value - 1])
    played, held = deal.played[value - 1], deal.hand[value - 1]
    if not held or not played:
        return None
    facts = {"value": value, "played": played, "held": held, "left": left}
    return deal.exercise(Principle.COUNT_ONE, tuple(range(HAND_SIZE)), left, facts)


def _count_all(deal: _Deal, rng: Random) -> Exercise | None:
    """The fewest cards with which an attack touches whatever the other holds, or none."""
    value = deal.distance
    if value > HAND_SIZE or not deal.hand[value - 1]:
        return None
    endgame, sure = Endgame(FERTI_ADVANCED, 0), None
    plays = [each for each in can_do(deal.stand, FERTI_ADVANCED) if each.play.attack and not each.play.move]
    for each in sorted(plays, key=lambda one: one.play.attack):
        if sure is None and endgame.wins_at_once(deal.stand, each, deal.unseen):
            sure = each.play
    if len(plays) < 2 or (sure is None and rng.random() < LIKELY):
        return None
    options = (*sorted((each.play for each in plays), key=lambda play: play.attack), None)
    facts = {"value": value, "unseen": deal.unseen[value - 1], "held": deal.hand[value - 1]}
    return deal.exercise(Principle.COUNT_ALL, options, sure, facts)


def _retreat(deal: _Deal, rng: Random) -> Exercise | None:
    """The other retreated from an indirect attack of ``side``: most likely for want of parries."""
    value, count = deal.distance, rng.randint(1, 2)
    behind = room_behind(deal.spaces, deal.side.other)
    if value > HAND_SIZE or behind < HAND_SIZE or deal.unseen[value - 1] < count:
        return None
    mind, all_ways, short = sparring(FERTI_ADVANCED.name), 0.0, 0.0
    unplayed = packed(tuple(held + there for held, there in zip(deal.hand, deal.unseen, strict=True)))
    for hand, ways in HiddenHand(deal.unseen, HAND_SIZE).hands():
        stand = Stand(INDEX[hand], value, behind, INDIRECT + count, deal.pile)
        likely = mind.likelihoods(stand, unplayed - PACKED[stand.hand], spread=1.0)
        retreats = ways * sum(chance for play, chance in likely.items() if play.move < 0 and not play.parry)
        all_ways += retreats
        short += retreats * (HANDS[stand.hand][value - 1] < count)
    if not all_ways or short / all_ways < LIKELY:
        return None
    facts = {"value": value, "count": count, "most": count - 1, "percent": round(100 * short / all_ways)}
    return deal.exercise(Principle.RETREAT, (0, 1, 2, 3), count - 1, facts)


def _ending(deal: _Deal, rng: Random) -> Exercise | None:
    """One or two cards in the pile: every turn is priced, and one stands out."""
    options = can_do(deal.stand, FERTI_ADVANCED)
    if not EACH <= len(options) <= MAX_TURNS:
        return None
    endgame, lying = Endgame(FERTI_ADVANCED, NO_BOUND), layouts(deal.unseen, deal.pile)
    rests = [Rest(endgame, deal.stand, option, lying, Work(NO_BOUND)) for option in options]
    best = max(range(len(rests)), key=lambda place: rests[place].low)
    following = max(rest.high for rest in rests if rest is not rests[best])
    if rests[best].low < following + PRICE_LEAD or (options[best].play.attack and rests[best].low == 1.0):
        return None  # not clear, or a sure touch, which is another principle
    facts = {"pile": deal.pile, "best": round(100 * rests[best].low), "next": round(100 * following)}
    plays = tuple(option.play for option in options)
    return deal.exercise(Principle.ENDING, plays, plays[best], facts)


_MAKERS: Final[Mapping[Principle, Callable[[_Deal, Random], Exercise | None]]] = {
    Principle.PAIR: _pair,
    Principle.ELEVEN: _eleven,
    Principle.NO_PARRY: _no_parry,
    Principle.KEEP_SAFE: _keep_safe,
    Principle.LAST_CARD: _last_card,
    Principle.FURTHER: _further,
    Principle.COUNT_ONE: _count_one,
    Principle.COUNT_ALL: _count_all,
    Principle.RETREAT: _retreat,
    Principle.ENDING: _ending,
}


# Counting from memory: how many cards of a value are still unseen, asked once the cards played are covered.

ANSWERS: Final = tuple(range(len(LETTERS) + 1))
FEWEST: Final = 6
"""Cards to remember at first; one more for each right answer in a row, until ten are left."""
MOST: Final = len(DECK) - 10


@dataclass(frozen=True, slots=True)
class CountingDrill:
    """The cards that were played, in their order, and the value that is asked for."""

    played: tuple[Card, ...]
    value: int

    @property
    def left(self) -> int:
        """How many of the value were not played."""
        return len(LETTERS) - sum(card.value == self.value for card in self.played)


def drill_alone(seed: str, row: int) -> CountingDrill:
    """Cards dealt from a seed, the more of them the longer the ``row`` of right answers is."""
    rng = Random(f"counting {seed}")
    cards = rng.sample(DECK, min(MOST, FEWEST + row))
    return CountingDrill(tuple(cards), rng.choice(VALUES))


def drill_of_round(played: tuple[Card, ...], seed: str) -> CountingDrill:
    """The cards of a round that is over."""
    return CountingDrill(played, Random(f"counting {seed}").choice(VALUES))
