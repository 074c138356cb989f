"""Taking back at the simulated table: the own turn with the bot's answer, in one press, at any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame
import pytest

from engine.rules.state import Phase
from engine.rules.track import BySide, Side

pytestmark = pytest.mark.slow
Opens = Callable[..., Any]


def advance(me: Any, number: int = 0) -> Any:
    """Play a card of the hand as a step forward, up to the press."""
    card = me.cards[number]
    yield from me.lay(card, *me.free_place())
    yield from me.wait(2)
    yield from me.move(Side.WHITE, me.state.spaces.white + card.value)
    yield from me.wait(6)
    me.key(pygame.K_SPACE)


def took_back(me: Any, hand: tuple[Any, ...]) -> Any:
    """It is White's first turn again, on both ends, and all cards are where they were."""
    yield from me.until(lambda view: me.state.to_act is Side.WHITE and not me.state.played)
    yield from me.wait(12)
    assert me.state.spaces == BySide(1, 23)
    assert me.view.piste.fencers.map(lambda fencer: fencer.space) == BySide(1, 23)
    assert me.cards == hand
    assert not me.hands.view.cards
    assert not any(word.startswith("It’s") for word in me.said), "nobody is told that it is not the own turn"


def test_one_press_takes_back_the_own_turn_and_the_bots_answer(at_window: Opens, play: Callable[..., int]) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        hand = me.cards
        yield from advance(me)
        yield from me.until(lambda view: me.state.to_act is Side.WHITE and len(me.state.played) > 1)
        me.said.clear()
        me.key(pygame.K_u)
        yield from took_back(me, hand)
        assert not [told for told in me.said if " lays " in told or "fencer" in told], "what was taken back is no turn"
        yield from advance(me, 1)  # and it goes on from there
        yield from me.until(lambda view: me.state.to_act is Side.WHITE and len(me.state.played) > 1)
        assert len(me.cards) == 5

    at_window(person)
    assert play("--against", "novice", "--white", "Anna") == 0


@pytest.mark.parametrize("pictures", [1, 9])
def test_a_turn_is_taken_back_while_the_bot_moves(at_window: Opens, play: Callable[..., int], pictures: int) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        hand = me.cards
        yield from advance(me)
        yield from me.until(lambda view: me.state.to_act is Side.BLACK)
        yield from me.wait(pictures)
        me.key(pygame.K_u)
        me.key(pygame.K_u)
        yield from took_back(me, hand)
        yield from me.wait(30)  # nor does the bot go on with what it was about
        assert me.state.to_act is Side.WHITE
        assert not me.hands.view.cards

    at_window(person)
    assert play("--against", "novice", "--white", "Anna") == 0


def test_what_is_begun_goes_back_first_and_before_that_there_is_nothing(
    at_window: Opens, play: Callable[..., int]
) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        hand = me.cards
        yield from me.lay(hand[0], *me.free_place())
        yield from me.move(Side.WHITE, 3)
        yield from me.wait(6)
        me.key(pygame.K_u)
        yield from took_back(me, hand)
        yield from me.wait(12)
        me.key(pygame.K_u)
        yield from me.wait(2)
        assert me.hands.view.ask
        assert me.state.phase is Phase.TURN

    at_window(person)
    assert play("--against", "novice", "--white", "Anna") == 0


def test_a_card_of_the_bot_stays_where_it_lies(at_window: Opens, play: Callable[..., int]) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        yield from advance(me)
        yield from me.until(lambda view: me.state.to_act is Side.WHITE and len(me.state.played) > 1)
        yield from me.wait(8)
        hand, card = me.cards, me.state.played[-1]
        yield from me.take_back(card)
        yield from me.wait(2)
        assert me.cards == hand
        assert card in [each.card for each in me.hands.view.cards]

    at_window(person)
    assert play("--against", "novice", "--white", "Anna") == 0


def test_a_second_person_at_the_screen_takes_back_one_turn(at_window: Opens, play: Callable[..., int]) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.accept()
        yield from me.wait(2)
        hand = me.cards
        yield from advance(me)
        yield from me.until(lambda view: me.state.to_act is Side.BLACK)
        me.key(pygame.K_u)
        yield from me.until(lambda view: me.state.to_act is Side.WHITE)
        yield from me.accept() if me.offered else me.wait(1)
        yield from me.wait(2)
        yield from took_back(me, hand)

    at_window(person)
    assert play("--white", "Anna", "--black", "Ben") == 0
