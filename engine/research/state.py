"""A round of En Garde as a game tree, in the manner of OpenSpiel: players 0 (White) and 1 (Black), and chance.

Chance deals and draws card by card, by value: cards of one value are alike, and cards drawn together come in order, the
lowest first, so that a hand is dealt in one way only. The referee says what is legal and
what follows (``engine.rules``). A player who can do nothing gives up and hands are compared automatically, so that
every decision has a choice. Source of the names: M. Lanctot and others, OpenSpiel (2019), ``pyspiel.State``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from random import Random
from typing import Final

from engine.players.bots.options import HANDS, SIZES, attack_number
from engine.players.players import give_up
from engine.rules.cards import DECK, HAND_SIZE, LETTERS, VALUES, Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, YieldEvent
from engine.rules.legal import Play, counts_of, legal_plays, play_event, plays_at, turn_of
from engine.rules.possible import unseen_cards
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.state import Attack, AttackKind, Phase, PlayerView, PublicState, room_behind
from engine.rules.track import SPACES, BySide, Side

CHANCE: Final = -1
TERMINAL: Final = -4
ACTION_COUNT: Final = 110
"""The plays there are under any rules, by values: ``plays()`` numbers them."""
INFORMATION_SIZE: Final = 5 + 5 + 2 * SPACES + 4 + 2 * HAND_SIZE
_SIDES: Final = (Side.WHITE, Side.BLACK)
_OF_EACH: Final = len(DECK) // len(VALUES)
WHOLE_DECK: Final = (_OF_EACH,) * len(VALUES)
BOTH_ENDS: Final = 1, SPACES


@cache
def plays() -> tuple[Play, ...]:
    """Every play there is, in the order of its number."""
    found: set[Play] = set()
    full = [hand for hand, size in zip(HANDS, SIZES, strict=True) if size == HAND_SIZE]
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


def new_game(
    rules: str = DEFAULT_RULES.name,
    starter: int = 0,
    unplayed: Sequence[int] = WHOLE_DECK,
    spaces: tuple[int, int] = BOTH_ENDS,
) -> State:
    """A round before the first card is dealt, or a cut-down one.

    ``unplayed``: how many cards of each value are dealt and drawn, the others count as played. ``spaces``: where White
    and Black stand. Raises KeyError for rules that are no preset's, ValueError for cards or spaces that cannot be.
    """
    public, _ = judge(judge(None, MatchEvent(rules, _SIDES[starter], 1))[0], RoundEvent())
    assert public is not None
    pile = sum(unplayed) - 2 * HAND_SIZE
    if len(unplayed) != len(VALUES) or not all(0 <= count <= _OF_EACH for count in unplayed) or pile < 1:
        raise ValueError(
            f"the cards not played must be {len(VALUES)} counts from 0 to {_OF_EACH} that add up to more than two "
            f"hands of {HAND_SIZE}, not {tuple(unplayed)}"
        )
    white, black = spaces
    if not 1 <= white < black <= SPACES:
        raise ValueError(f"White must stand before Black on spaces 1 to {SPACES}, not on {white} and {black}")
    played = tuple(card for card in DECK if LETTERS.index(card.letter) >= unplayed[card.value - 1])
    at = BySide(white, black)
    return State(public._replace(previous=None, played=played, pile=pile, spaces=at, distance=black - white))


class State:
    """A node of the game tree. ``apply_action`` changes it, ``child`` gives another."""

    def __init__(self, public: PublicState) -> None:
        """``public``: the table as a round begins; nobody holds a card yet."""
        self._public = public
        self._hands: BySide[tuple[Card, ...]] = BySide((), ())
        self._owed = [_SIDES[0]] * HAND_SIZE + [_SIDES[1]] * HAND_SIZE
        """Who draws the next cards, the last first."""
        self._seen: BySide[tuple[str, ...]] = BySide((), ())
        self._history: tuple[int, ...] = ()
        self._lowest: tuple[int, int] = (0, 0)
        """Of the cards drawn together so far the highest value less one, and how many of it were drawn."""

    @property
    def public(self) -> PublicState:
        """What both see."""
        return self._public

    def view(self, player: int) -> PlayerView:
        """What this player sees, as bots take it; without what was done before."""
        side = _SIDES[player]
        return PlayerView(self._public, side, self._hands[side])

    def current_player(self) -> int:
        """0 or 1, ``CHANCE`` where a card is dealt or drawn, ``TERMINAL`` at the end."""
        if self._owed:
            return CHANCE
        side = self._public.to_act
        return TERMINAL if side is None else _SIDES.index(side)

    def is_chance_node(self) -> bool:
        """Whether a card is dealt or drawn now."""
        return bool(self._owed)

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.current_player() == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The values that can come now, less one, with their chances. Raises ValueError where nothing is drawn."""
        if not self._owed:
            raise ValueError("no card is drawn here: chance_outcomes is for a chance node")
        there, owed = counts_of(self._pile()), self._drawn_together()
        place, drawn = self._lowest
        # In how many ways the cards drawn together can be chosen, for each value that may come next.
        ways = {}
        for value in range(place, len(VALUES)):
            before, higher = drawn if value == place else 0, sum(there[value + 1 :])
            among, wanted = there[value] + before, owed + before
            chosen = sum(comb(among, each) * comb(higher, wanted - each) for each in range(before + 1, wanted + 1))
            if value > place:
                chosen *= comb(there[place] + drawn, drawn)
            if chosen:
                ways[value] = chosen
        return [(value, chosen / sum(ways.values())) for value, chosen in ways.items()]

    def legal_actions(self) -> list[int]:
        """The numbers of what can be done now, in order: plays, or values less one at a chance node."""
        if self._owed:
            return [value for value, _ in self.chance_outcomes()]
        side = self._public.to_act
        if side is None:
            return []
        return sorted(_numbers()[play] for play in legal_plays(self._public, counts_of(self._hands[side])))

    def legal_actions_mask(self) -> list[int]:
        """1 for every play that can be made now, 0 for the others."""
        mask = [0] * ACTION_COUNT
        if not self._owed:
            for number in self.legal_actions():
                mask[number] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Do this, or let this card be drawn. Raises ValueError for an illegal one."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not one of those that are legal here: {self.legal_actions()}")
        if self._owed:
            self._draw(action)
        else:
            self._play(plays()[action])
        self._history = (*self._history, action)
        if not self._owed:
            self._settle()

    def child(self, action: int) -> State:
        """The state after this, beside this one. Raises ValueError as ``apply_action`` does."""
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self) -> State:
        """A state of its own, the same as this one."""
        copy = State(self._public)
        copy._hands, copy._owed = self._hands, list(self._owed)
        copy._seen, copy._history, copy._lowest = self._seen, self._history, self._lowest
        return copy

    def __deepcopy__(self, _: object) -> State:
        return self.clone()

    def history(self) -> list[int]:
        """Every action since the beginning, chance's among them."""
        return list(self._history)

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser; nothing but 0 before the end and after a draw."""
        result = self._public.result
        if result is None or result.winner is None:
            return [0.0, 0.0]
        return [1.0 if side is result.winner else -1.0 for side in _SIDES]

    def action_to_string(self, action: int) -> str:
        """The action in words."""
        if self._owed:
            return f"draws {action + 1}"
        parry, move, attack = plays()[action]
        said = [f"parries with {parry}"] if parry else []
        said += [f"advances {move}" if move > 0 else f"retreats {-move}"] if move else []
        said += [f"attacks with {attack}"] if attack else []
        return ", ".join(said)

    def information_state_string(self, player: int) -> str:
        """All this player has seen: their draws and every turn, in order. Nothing else tells states apart."""
        return " ".join((self._public.rules.name, *self._seen[_SIDES[player]]))

    def information_state_tensor(self, player: int) -> list[float]:
        """The position as this player sees it, ``INFORMATION_SIZE`` numbers from 0 to 1; what was done before is left
        out.

        The player's cards by value, the unseen cards by value, the spaces both have come forward (one of 23 each), the
        cards in the pile, whether the player is to act, whether this is the last defence, how many cards the other
        holds, and the attack that waits: direct or indirect with one to five cards.
        """
        side, public = _SIDES[player], self._public
        unseen = counts_of(unseen_cards(public, self._hands[side]))
        mine, theirs = room_behind(public.spaces, side), room_behind(public.spaces, side.other)
        number = attack_number(public.attack)
        return [
            *(held / _OF_EACH for held in counts_of(self._hands[side])),
            *(there / _OF_EACH for there in unseen),
            *(float(space == mine) for space in range(SPACES)),
            *(float(space == theirs) for space in range(SPACES)),
            public.pile / len(DECK),
            float(public.to_act is side),
            float(public.phase is Phase.FINAL),
            len(self._hands[side.other]) / HAND_SIZE,
            *(float(each == number) for each in range(1, 2 * HAND_SIZE + 1)),
        ]

    def resample_from_infostate(self, player: int, rng: Random) -> State:
        """A state that looks the same to this player: unseen cards are dealt anew, every layout as likely.

        Of the other's past only the hand held now is known there. Raises ValueError while cards are dealt or drawn.
        """
        if self._owed:
            raise ValueError("cards are being drawn: resample_from_infostate is for a player's turn or the end")
        side = _SIDES[player]
        hidden = rng.sample(unseen_cards(self._public, self._hands[side]), len(self._hands[side.other]))
        copy = self.clone()
        copy._hands = self._hands.put(side.other, tuple(hidden))
        copy._seen = self._seen.put(side.other, tuple(f"+{card.value}" for card in hidden))
        return copy

    def __str__(self) -> str:
        hands = " / ".join(" ".join(str(card.value) for card in sorted(self._hands[side])) for side in _SIDES)
        return f"{self._public.spaces.white}-{self._public.spaces.black} pile {len(self._pile())} hands {hands}"

    def _pile(self) -> Sequence[Card]:
        return unseen_cards(self._public, (*self._hands.white, *self._hands.black))

    def _drawn_together(self) -> int:
        """How many cards come together now, to one player."""
        return sum(side is self._owed[-1] for side in self._owed)

    def _draw(self, place: int) -> None:
        last, drawn = self._lowest
        self._lowest = (0, 0) if self._drawn_together() == 1 else (place, drawn + 1 if place == last else 1)
        side = self._owed.pop()
        card = next(card for card in self._pile() if card.value == place + 1)
        self._hands = self._hands.put(side, (*self._hands[side], card))
        self._see(side, f"+{card.value}")

    def _play(self, chosen: Play) -> None:
        side = self._public.to_act
        assert side is not None
        turn = turn_of(self._public, self._hands[side], chosen)
        self._judged(play_event(self._public, self._hands[side], chosen), turn.cards, side)
        for each in _SIDES:
            self._see(each, f"{side.value[0]}{chosen.parry}{chosen.move:+}{chosen.attack}")

    def _settle(self) -> None:
        """Give up for who can do nothing, and compare hands at the end of the pile."""
        side = self._public.to_act
        if self._public.phase is Phase.REVEAL:
            self._judged(RevealEvent(self._hands.white, self._hands.black), (), None)
        elif side is not None and not legal_plays(self._public, counts_of(self._hands[side])):
            given = give_up(PlayerView(self._public, side, self._hands[side]))
            self._judged(YieldEvent(given.cards), given.cards, None)

    def _judged(self, event: Event, laid: Sequence[Card], draws: Side | None) -> None:
        public, ruling = judge(self._public, event)
        if public is None or not ruling.ok:
            raise ValueError(f"the referee refuses {event}: {ruling}")
        before, side = self._public, self._public.to_act
        self._public = public._replace(previous=None)
        if side is not None:
            self._hands = self._hands.put(side, tuple(card for card in self._hands[side] if card not in laid))
        if draws is not None:
            self._owed = [draws] * (before.pile - public.pile)

    def _see(self, side: Side, what: str) -> None:
        self._seen = self._seen.put(side, (*self._seen[side], what))
