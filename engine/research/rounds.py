"""Many rounds at once in NumPy arrays: the rules of ``engine.rules`` for learners that play millions of rounds.

The legal turns are looked up in tables made by ``engine.rules.legal``; what follows a turn is worked out here and held
against the referee, round by round, in ``tests/engine/research/test_rounds.py``. Takes NumPy, and nothing else of the
program imports it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

from engine.players.bots.options import APART, BY_PACKED, HANDS, INDIRECT, SIZES, options, packed
from engine.research.state import ACTION_COUNT, INFORMATION_SIZE, plays
from engine.rules.cards import DECK, HAND_SIZE, VALUES
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.track import SPACES

np: Any = import_module("numpy")
Array = Any
"""A NumPy array. The engine is typed without NumPy, which it does not ask for."""

FAR: Final = 2 * HAND_SIZE + 1
"""From this distance on the legal turns are the same."""
_ATTACKS: Final = 2 * HAND_SIZE + 1
_OF_EACH: Final = len(DECK) // len(VALUES)
_BITS: Final = 3
"""A hand is one number with so many bits for each value, as ``engine.players.bots.options.packed`` writes it."""
_PLAYS: Final = np.array(plays(), np.int64)
_PARRY, _MOVE, _ATTACK = _PLAYS.T
_MADE: Final = _ATTACK + INDIRECT * ((_ATTACK > 0) & (_MOVE != 0))
"""The number of the attack that each action makes, as ``engine.players.bots.options`` counts them."""
_HAND_OF: Final = np.zeros(1 << _BITS * len(VALUES), np.int64)
_HAND_OF[list(BY_PACKED)] = list(BY_PACKED.values())
_SIZES: Final = np.array(SIZES)


def _laid() -> Array:
    """The cards that each action lays at each distance, as a packed hand."""
    one = np.zeros(SPACES + HAND_SIZE, np.int64)
    one[1 : HAND_SIZE + 1] = [1 << _BITS * place for place in range(len(VALUES))]
    laid = np.zeros((SPACES, ACTION_COUNT), np.int64)
    for distance in range(SPACES):
        left = np.clip(distance - _MOVE, 0, len(one) - 1)
        laid[distance] = _PARRY * one[distance] + one[abs(_MOVE)] + _ATTACK * one[left]
    return laid


_LAID: Final = _laid()


@cache
def _turns(indirect: bool) -> tuple[Array, Array]:
    """How many turns are legal, and which, the rest -1: by ``_key``."""
    shape = (len(HANDS), FAR, HAND_SIZE + 1, _ATTACKS, 2)
    numbers = {play: number for number, play in enumerate(plays())}
    found = {}
    for hand, far, room, attack, final in np.ndindex(shape):
        if far < HAND_SIZE if attack else not final:
            legal = options(hand, far + 1, room, attack, bool(final), indirect)
            if legal:
                found[hand, far, room, attack, final] = sorted(numbers[option.play] for option in legal)
    count = np.zeros(shape, np.int64)
    actions = np.full((*shape, max(map(len, found.values()))), -1, np.int8)
    for key, legal_actions in found.items():
        count[key] = len(legal_actions)
        actions[key][: len(legal_actions)] = legal_actions
    return count.ravel(), actions.reshape(-1, actions.shape[-1])


def decks(count: int, rng: Any) -> Array:
    """So many shuffled decks, by value; ``rng`` is a ``numpy.random.Generator``."""
    return rng.permuted(np.tile(np.repeat(np.array(VALUES), _OF_EACH), (count, 1)), axis=1)


class Rounds:
    """Rounds under way, all one turn further with each ``step``. Players are 0 (White) and 1 (Black).

    Every round has its place in all arrays until the end: ``player`` is -1 once it is over. ``distance``, ``pile`` and
    ``advanced`` (spaces each has come forward) are as at the table, ``attack`` is 0 for none, 1 to 5 for a direct one
    with so many cards, 6 to 10 for an indirect one with that many less five. ``white`` is what the round brought White:
    1, 0 or -1.
    """

    def __init__(self, dealt: Array, rules: str = DEFAULT_RULES.name, starter: Array | int = 0) -> None:
        """``dealt``: decks by value, a row each: White's five cards, Black's five, then the pile, the next card first.

        ``starter``: who begins, for all rounds or for each. Raises KeyError for rules that are no preset's and
        ValueError for rows that are no decks.
        """
        self.rules = RULE_SETS[rules]
        dealt = np.asarray(dealt, np.int64)
        whole = np.repeat(np.array(VALUES), _OF_EACH)
        if dealt.ndim != 2 or dealt.shape[1:] != whole.shape or (np.sort(dealt, axis=1) != whole).any():
            raise ValueError(f"each row must be a deck of {len(DECK)} values, {_OF_EACH} of each from 1 to 5")
        count = len(dealt)
        ones = np.int64(1) << _BITS * (dealt - 1)
        self._drawn = np.concatenate([np.zeros((count, 1), np.int64), ones.cumsum(1)], 1)
        """Of the first cards of each deck, the sum as a packed hand."""
        first, second = self._drawn[:, HAND_SIZE], self._drawn[:, 2 * HAND_SIZE]
        self._hands = np.stack([first, second - first], 1)
        self._unplayed = np.full(count, packed((_OF_EACH,) * len(VALUES)), np.int64)
        self.distance = np.full(count, APART, np.int64)
        self.pile = np.full(count, len(DECK) - 2 * HAND_SIZE, np.int64)
        self.advanced = np.zeros((count, 2), np.int64)
        self.attack = np.zeros(count, np.int64)
        self.player = np.zeros(count, np.int64) + starter
        self.white = np.zeros(count, np.int64)
        self._count, self._actions = _turns(self.rules.indirect_attacks)

    def __len__(self) -> int:
        return len(self.player)

    @property
    def going(self) -> Array:
        """The places of the rounds that are not over."""
        return np.flatnonzero(self.player >= 0)

    def hands(self, player: int) -> Array:
        """How many cards of each value this player holds, a row for each round."""
        return self._by_value(self._hands[:, player])

    def returns(self) -> Array:
        """A row for each round: 1 for the winner, -1 for the loser, 0 for both after a draw or before the end."""
        return np.stack([self.white, -self.white], 1).astype(np.float64)

    def legal_actions_mask(self) -> Array:
        """A row of 110 for each round, True for what its player can do; none where it is over."""
        mask = np.zeros((len(self), ACTION_COUNT + 1), bool)
        going = self.going
        mask[going[:, None], self._actions[self._key(going)]] = True
        return mask[:, :ACTION_COUNT]  # the last column is where no action is

    def random_actions(self, rng: Any) -> Array:
        """A legal action for each round, every one as likely; -1 where it is over."""
        actions = np.full(len(self), -1, np.int64)
        going = self.going
        key = self._key(going)
        actions[going] = self._actions[key, (rng.random(len(going)) * self._count[key]).astype(np.int64)]
        return actions

    def step(self, actions: Array) -> None:
        """Make these turns, one for each round; what stands for a round that is over is not looked at.

        Raises ValueError, changing nothing, where one is not legal.
        """
        going = self.going
        action = np.asarray(actions)[going]
        wrong = ~((self._actions[self._key(going)] == action[:, None]) & (action[:, None] >= 0)).any(1)
        if wrong.any():
            place = int(np.flatnonzero(wrong)[0])
            raise ValueError(f"action {action[place]} is not legal in round {going[place]}")
        mover, distance, pile = self.player[going], self.distance[going], self.pile[going]
        laid = _LAID[distance, action]
        left = self._hands[going, mover] - laid
        drawn = np.minimum(pile, HAND_SIZE - _SIZES[_HAND_OF[left]])
        top = len(DECK) - pile
        self._hands[going, mover] = left + self._drawn[going, top + drawn] - self._drawn[going, top]
        self._unplayed[going] -= laid
        self.pile[going] = pile - drawn
        move = _MOVE[action]
        self.distance[going] = distance - move
        self.advanced[going, mover] += move
        self.attack[going] = _MADE[action]
        self.player[going] = 1 - mover
        self._finish(going, mover, (pile == 0) & (move < 0))

    def information_state_tensor(self) -> Array:
        """A row for each round: what its player sees, as ``State`` tells it; zeros where the round is over."""
        told = np.zeros((len(self), INFORMATION_SIZE))
        going = self.going
        mover, rows = self.player[going], np.arange(len(going))
        own, other = self._hands[going, mover], self._hands[going, 1 - mover]
        mine, theirs = self.advanced[going, mover], self.advanced[going, 1 - mover]
        part = np.zeros((len(going), INFORMATION_SIZE))
        part[:, :5] = self._by_value(own) / _OF_EACH
        part[:, 5:10] = self._by_value(self._unplayed[going] - own) / _OF_EACH
        part[rows, 10 + mine] = 1.0
        part[rows, 10 + SPACES + theirs] = 1.0
        place = 10 + 2 * SPACES
        part[:, place] = self.pile[going] / len(DECK)
        part[:, place + 1] = 1.0
        part[:, place + 2] = self.pile[going] == 0
        part[:, place + 3] = _SIZES[_HAND_OF[other]] / HAND_SIZE
        attacked = np.flatnonzero(self.attack[going])
        part[attacked, place + 3 + self.attack[going][attacked]] = 1.0
        told[going] = part
        return told

    def _key(self, rounds: Array) -> Array:
        """Where the tables tell of the player to act in these rounds."""
        player = self.player[rounds]
        hand = _HAND_OF[self._hands[rounds, player]]
        far = np.minimum(self.distance[rounds], FAR) - 1
        room = np.minimum(self.advanced[rounds, player], HAND_SIZE)
        last = (self.pile[rounds] == 0).astype(np.int64)
        return (((hand * FAR + far) * (HAND_SIZE + 1) + room) * _ATTACKS + self.attack[rounds]) * 2 + last

    def _finish(self, rounds: Array, mover: Array, final_retreat: Array) -> None:
        """End those that the turns of ``mover`` ended: nothing left to draw, or nothing that the other can do."""
        drawn_out = (self.pile[rounds] == 0) & (self.attack[rounds] == 0)
        distance = self.distance[rounds]
        shift = _BITS * (np.minimum(distance, HAND_SIZE) - 1)
        own, other = ((self._hands[rounds, side] >> shift) & 7 for side in (mover, 1 - mover))
        hands_count = (distance <= HAND_SIZE) & (self.rules.compare_hands_after_final_retreat | ~final_retreat)
        more = np.where(hands_count, own - other, 0)
        further = self.advanced[rounds, mover] - self.advanced[rounds, 1 - mover]
        stuck = np.zeros(len(rounds), bool)
        stuck[~drawn_out] = self._count[self._key(rounds[~drawn_out])] == 0
        won = np.where(drawn_out, np.sign(np.where(more, more, further)), 1)
        over = drawn_out | stuck
        self.white[rounds[over]] = np.where(mover == 0, won, -won)[over]
        self.player[rounds[over]] = -1

    @staticmethod
    def _by_value(hands: Array) -> Array:
        return (hands[:, None] >> _BITS * np.arange(len(VALUES))) & 7


def play_at_random(count: int, seed: int, rules: str = DEFAULT_RULES.name) -> Rounds:
    """So many rounds, both players choosing evenly among the legal turns, White and Black beginning by turns."""
    rng = np.random.default_rng(seed)
    rounds = Rounds(decks(count, rng), rules, np.arange(count) % 2)
    while len(rounds.going):
        rounds.step(rounds.random_actions(rng))
    return rounds
