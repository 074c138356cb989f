"""Bots. They see what a player sees (PlayerView) and choose a turn or give up. Seeded through the ``rng`` handed in."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from engine.rules.events import Event, YieldEvent
from engine.rules.legal import Counts, GiveUp, Play, Turn, counts_of, legal_plays, turn_event, turn_of
from engine.rules.state import AttackKind, Phase, PlayerView, PublicState, room_behind


class Bot(Protocol):
    """Somebody who plays."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        """A legal turn for the player to act (``view.side``), or giving up where there is none."""


def choice_event(public: PublicState, choice: Turn | GiveUp) -> Event:
    """The table event a choice is."""
    return YieldEvent(choice.cards) if isinstance(choice, GiveUp) else turn_event(public, choice)


def give_up(view: PlayerView) -> GiveUp:
    """How a player without a legal turn gives up: with the parry laid where only a parry is possible (ruling 3)."""
    attack = view.public.attack
    if attack is None or view.public.phase is Phase.FINAL:
        return GiveUp()
    parry = tuple(card for card in view.hand if card.value == attack.value)[: attack.count]
    return GiveUp(parry if len(parry) == attack.count else ())


class RandomBot:
    """Chooses evenly among the legal turns."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        plays = legal_plays(view.public, counts_of(view.hand))
        if not plays:
            return give_up(view)
        return turn_of(view.public, view.hand, rng.choice(plays))


class GreedyBot:
    """Plays like a careful beginner: hits when the hit is sure or likely, keeps cards to parry with, and closes in.

    Each play gets a price: how likely the attack is to hit, how open to a riposte or an attack the player stands
    afterwards, the ground gained, and the cards of worth spent.
    """

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        plays = legal_plays(view.public, counts_of(view.hand))
        if not plays:
            return give_up(view)
        left = tuple(view.public.unseen_counts.values())
        return turn_of(view.public, view.hand, max(plays, key=lambda play: (worth(view, play, left), rng.random())))


class Glance(NamedTuple):
    """All that the greedy bot looks at: its cards by value, where both stand, and whether it answers an indirect
    attack."""

    hand: Counts
    distance: int
    room: int
    pile: int
    indirect: bool


def worth(view: PlayerView, play: Play, left: Sequence[int]) -> float:
    """The greedy bot's price of a play, in points of no meaning. ``left``: the cards of each value not played yet."""
    public = view.public
    indirect = public.attack is not None and public.attack.kind is AttackKind.INDIRECT
    room = room_behind(public.spaces, view.side)
    return price(Glance(counts_of(view.hand), public.distance, room, public.pile, indirect), play, left)


def price(seen: Glance, play: Play, left: Sequence[int]) -> float:
    """``worth`` by values, for bots that try out what another may do."""
    counts = _after(seen, play)
    distance = seen.distance - play.move
    unseen = [there - held for there, held in zip(left, seen.hand, strict=True)]
    last = seen.pile <= play.laid
    if play.attack:
        # Threes cannot be parried; below that it is a question of what is left for the opponent to hold.
        chance = _chance_of(unseen[distance - 1], sum(unseen), play.attack)
        escape = 0.4 if play.move else 0.0
        if not chance and not escape:
            return 100.0 + play.attack
        return 100 * (1 - chance) * (1 - escape) + 8 * counts[distance - 1] - 12 * (play.attack - 1)
    danger = _danger(unseen, counts, distance)
    ground = play.move * (1.5 if last else 0.6)
    near = 6.0 if distance <= 5 and last and counts[distance - 1] else 0.0
    cornered = -2.0 * max(0, 4 - seen.room) if play.move < 0 else 0.0
    answered = 4.0 if seen.indirect and play.parry else 0.0
    return ground + near + cornered + answered - 30 * danger


def _after(seen: Glance, play: Play) -> Counts:
    """The player's cards by value after the play, before the draw."""
    counts = list(seen.hand)
    if play.parry:  # what attacks from here has the value of the distance
        counts[seen.distance - 1] -= play.parry
    if play.move:
        counts[abs(play.move) - 1] -= 1
    if play.attack:
        counts[seen.distance - play.move - 1] -= play.attack
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def _chance_of(good: int, unseen: int, count: int) -> float:
    """Roughly how likely five of the unseen cards hold ``count`` good ones: exact odds live in engine.odds."""
    if good < count or unseen <= 0:
        return 0.0
    expected = min(5, unseen) * good / unseen
    return min(1.0, expected / (count + 0.5))


def _danger(unseen: list[int], counts: Counts, distance: int) -> float:
    """How exposed the player stands: 0 out of reach, towards 1 where an attack is likely and cannot be parried."""
    total = sum(unseen)
    if distance > 10 or total == 0:
        return 0.0
    if distance > 5:
        steps = [(unseen[step - 1], distance - step) for step in range(1, 6) if 1 <= distance - step <= 5]
        exposed = [good * _danger(unseen, counts, left) for good, left in steps]
        return 0.5 * sum(exposed) / total if exposed else 0.0
    likely = _chance_of(unseen[distance - 1], total, 1)
    parries = counts[distance - 1]
    return likely / (1.0 + 2.0 * parries)
