"""The novice: an eager child who often thinks of one thing at a time and remembers three cards."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from engine.players.bots.novice import EAGER, SEEN, Novice
from engine.rules.actions import IndirectAttack, Turn
from engine.rules.legal import Play, counts_of, legal_plays, turn_of
from engine.rules.state import PlayerView
from engine.rules.track import Side

if TYPE_CHECKING:
    from tests.engine.conftest import Cards, Position

TIMES = 400


def test_the_novice_plays_like_an_eager_child(position: Position, cards: Cards) -> None:
    """Attacks nearly whenever it sees that it can, gladly with all it has; hardly ever goes back from afar; never
    counts what is left."""

    def chosen(white: int, black: int, hand: str, played: str = "1122", attack: str = "") -> list[Play]:
        state = position(white, black, played, to_act=Side.WHITE, attack=attack).state
        view = PlayerView(state, Side.WHITE, cards(hand))
        turns = {turn_of(view.public, view.hand, play): play for play in legal_plays(view.public, counts_of(view.hand))}
        choices = [Novice().choose(view, Random(seed)) for seed in range(TIMES)]
        return [turns[choice] for choice in choices if isinstance(choice, Turn)]

    near = chosen(8, 11, "3a 3b 3c 4d 5d")
    assert near_to(sum(play.attack > 0 for play in near), EAGER)
    assert sum(play.attack == 3 for play in near) > sum(0 < play.attack < 3 for play in near)
    assert chosen(8, 11, "3a 3b 3c 4d 5d", "1111122244") == near
    far = chosen(6, 20, "1d 2d 3c 4d 5d")
    assert 0 < sum(play.move < 0 for play in far) < TIMES // 20
    assert sum(play.move >= 4 for play in far) > TIMES // 2
    stepping = chosen(8, 16, "3a 5d 1d 1e 2d")
    assert near_to(sum(play.attack > 0 for play in stepping), SEEN * EAGER), "after a step it often does not see it"
    parrying = chosen(8, 11, "3a 3b 1d 1e 5d", attack="direct 3 1")
    assert near_to(sum(play.attack > 0 for play in parrying), SEEN * EAGER), "nor after a parry"
    only = chosen(1, 2, "1a 1b 5d 5c 4d", attack="direct 1 1")
    assert {play.attack for play in only} == {1}, "where nothing else can be done it is seen"


def near_to(count: int, share: float) -> bool:
    return abs(count / TIMES - share) < 0.06


def test_the_novice_still_knows_three_cards_that_were_played(position: Position, cards: Cards) -> None:
    """At distance 8 it can attack with a 3 or a 5, and fears to meet what it has just seen."""

    def threes(*played: str) -> int:
        public = position(8, 16).state._replace(played=cards(" ".join(played)))
        view = PlayerView(public, Side.WHITE, cards("3a 4d 5d 1d 1e"))
        chosen = [Novice().choose(view, Random(seed)) for seed in range(4 * TIMES)]
        return sum(isinstance(each, Turn) and each.action == IndirectAttack(*attack) for each in chosen)

    attack = cards("5d")[0], cards("3a")
    nothing = threes("1a", "1b", "2a", "2b")
    assert threes("3b", "3c", "2c", "1a", "1b") == nothing, "what was played before the last three it has forgotten"
    assert threes("2c", "1a", "3b", "3c") < 0.8 * nothing
    assert threes("2c", "1a", "5b", "5c") > 1.2 * nothing
