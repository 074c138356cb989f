"""A round of En Garde by numbers, for players who learn: 0 is White, 1 is Black, every turn has a number.

It is played on the table that the bots play on (``engine.players.simulation``). A player who can do nothing gives up
and hands are compared automatically, so that every decision has a choice.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

from engine.players.players import choice_event, give_up
from engine.players.simulation import play, reveal, start_round
from engine.rules.cards import DECK, HAND_SIZE, VALUES
from engine.rules.events import Event, MatchEvent
from engine.rules.legal import Play, counts_of, legal_plays, play_event, plays_at
from engine.rules.possible import unseen_cards
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.state import Attack, AttackKind, FullState, Phase, PlayerView
from engine.rules.track import SPACES, Side

ACTION_COUNT: Final = 110
"""The plays there are under any rules, by values: ``plays()`` numbers them."""
OBSERVATION_SIZE: Final = 5 + 5 + 2 * SPACES + 4 + 2 * HAND_SIZE
_SIDES: Final = (Side.WHITE, Side.BLACK)
_OF_EACH: Final = len(DECK) // len(VALUES)


@cache
def plays() -> tuple[Play, ...]:
    """Every play there is, in the order of its number."""
    found: set[Play] = set()
    full = tuple(
        (one, two, three, four, HAND_SIZE - one - two - three - four)
        for one in range(HAND_SIZE + 1)
        for two in range(HAND_SIZE + 1 - one)
        for three in range(HAND_SIZE + 1 - one - two)
        for four in range(HAND_SIZE + 1 - one - two - three)
    )
    for distance in range(1, 2 * HAND_SIZE + 1):
        attacks: list[Attack | None] = [None]
        if distance <= HAND_SIZE:
            attacks += [Attack(Side.WHITE, AttackKind.INDIRECT, distance, count) for count in range(1, HAND_SIZE + 1)]
        for attack in attacks:
            for final in (False, True):
                for counts in full:
                    found.update(plays_at(counts, distance, HAND_SIZE, attack, final, True))
    return tuple(sorted(found))


@cache
def _numbers() -> dict[Play, int]:
    return {play: number for number, play in enumerate(plays())}


class Round:
    """A round from its deal to its end; ``act`` changes it."""

    def __init__(self, rules: str = DEFAULT_RULES.name, starter: int = 0, rng: Random | None = None) -> None:
        """Dealt by ``rng``. Raises KeyError for rules that are no preset's."""
        match, _ = judge(None, MatchEvent(rules, _SIDES[starter], 1))
        assert match is not None
        self._full = start_round(match, rng or Random())
        self._settle()

    def __str__(self) -> str:
        public, hands = self._full.public, self._full.hands
        told = " / ".join(" ".join(str(card.value) for card in sorted(hands[side])) for side in _SIDES)
        return f"{public.spaces.white}-{public.spaces.black} pile {public.pile} hands {told}"

    def view(self, player: int) -> PlayerView:
        """What this player sees, as bots take it."""
        return self._full.view(_SIDES[player])

    @property
    def player(self) -> int | None:
        """Who is to act; None at the end."""
        side = self._full.public.to_act
        return None if side is None else _SIDES.index(side)

    def actions(self) -> list[int]:
        """The numbers of the plays that can be made now, in order."""
        if self.player is None:
            return []
        view = self.view(self.player)
        return sorted(_numbers()[play] for play in legal_plays(view.public, counts_of(view.hand)))

    def act(self, action: int) -> None:
        """Make the play of this number, and draw. Raises ValueError for an illegal one."""
        legal = self.actions()
        if action not in legal:
            raise ValueError(f"action {action} is not one of those that are legal here: {legal}")
        public = self._full.public
        assert public.to_act is not None
        self._play(play_event(public, self._full.hands[public.to_act], plays()[action]))
        self._settle()

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser; nothing but 0 before the end and after a draw."""
        result = self._full.public.result
        if result is None or result.winner is None:
            return [0.0, 0.0]
        return [1.0 if side is result.winner else -1.0 for side in _SIDES]

    def observation(self, player: int) -> list[float]:
        """The position as this player sees it, ``OBSERVATION_SIZE`` numbers from 0 to 1, without what was done before.

        The player's cards by value, the unseen cards by value, the spaces both have come forward (one of 23 each), the
        cards in the pile, whether the player is to act, whether this is the last defence, how many cards the other
        holds, and the attack that waits: direct or indirect with one to five cards.
        """
        side, public, hands = _SIDES[player], self._full.public, self._full.hands
        white, black = public.spaces.white - 1, SPACES - public.spaces.black
        mine, theirs = (white, black) if side is Side.WHITE else (black, white)
        attack = [0.0] * (2 * HAND_SIZE)
        if public.attack is not None:
            attack[public.attack.count - 1 + (HAND_SIZE if public.attack.kind is AttackKind.INDIRECT else 0)] = 1.0
        return [
            *(held / _OF_EACH for held in counts_of(hands[side])),
            *(there / _OF_EACH for there in counts_of(unseen_cards(public, hands[side]))),
            *(float(space == mine) for space in range(SPACES)),
            *(float(space == theirs) for space in range(SPACES)),
            public.pile / len(DECK),
            float(public.to_act is side),
            float(public.phase is Phase.FINAL),
            len(hands[side.other]) / HAND_SIZE,
            *attack,
        ]

    def _settle(self) -> None:
        """Give up for who can do nothing, and compare hands at the end of the pile."""
        public = self._full.public
        if public.phase is Phase.REVEAL:
            self._play(reveal(self._full))
        elif self.player is not None and not self.actions():
            self._play(choice_event(public, give_up(self.view(self.player))))
            self._settle()

    def _play(self, event: Event) -> None:
        full, ruling = play(self._full, event)
        if not ruling.ok:
            raise ValueError(f"the referee refuses {event}: {ruling}")
        self._full = FullState(full.public._replace(previous=None), full.hands, full.pile)


def told(action: int) -> str:
    """The play of this number in words."""
    parry, move, attack = plays()[action]
    said = [f"parries with {parry}"] if parry else []
    said += [f"advances {move}" if move > 0 else f"retreats {-move}"] if move else []
    said += [f"attacks with {attack}"] if attack else []
    return ", ".join(said)
