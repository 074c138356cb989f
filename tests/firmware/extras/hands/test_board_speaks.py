"""The simulated table speaks: cards are played where they lead, the one button says what it does, the end is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame
import pytest

from display.draw.canvas import DrawnText
from display.draw.parts import draw_parts
from display.draw.pictures import new_surface
from display.menu.model import Act
from display.tabletop.places import figure_box, space_box
from engine.rules.state import Phase
from engine.rules.track import Side

pytestmark = pytest.mark.slow
Opens = Callable[..., Any]
AGAINST = ("--against", "novice", "--white", "Anna")


def tapped(me: Any, card: Any) -> Any:
    """Play this card by two taps: on it, and on the first place that it leads to."""
    top, at = me.hands.view, me.hands.places
    target = top.targets(card)[0]
    yield from me.tap(me.in_hand(card))
    opponent = figure_box(at, *top.figures[Side.BLACK]).center
    yield from me.tap(opponent if target is None else space_box(at, target).center)


def keyed(me: Any, card: Any) -> Any:
    """The same by two keys."""
    me.key(pygame.K_1 + me.cards.index(card))
    yield
    me.key(pygame.K_RETURN)
    yield


def dragged(me: Any, card: Any) -> Any:
    top, at = me.hands.view, me.hands.places
    target = top.targets(card)[0]
    box = figure_box(at, *top.figures[Side.BLACK]) if target is None else space_box(at, target)
    yield from me.drag(me.in_hand(card), box.center)


@pytest.mark.parametrize("plays", [tapped, keyed, dragged])
def test_a_round_is_played_by_what_is_lit_and_the_one_button(
    at_window: Opens, play: Callable[..., int], plays: Any
) -> None:
    refused: list[str] = []
    ready: list[str] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        while me.state.phase in (Phase.TURN, Phase.FINAL):
            state, top = me.state, me.hands.view
            begun = any(each.card not in state.played for each in top.cards)
            assert not (begun and top.stuck), "whoever has begun a turn is not asked to give up"
            refused.extend([] if me.view.verdict.tone.value != "refused" else [me.view.verdict.headline])
            led = [card for card in me.cards if top.targets(card)]
            if state.to_act is not Side.WHITE or top.player is not Side.WHITE:
                yield from me.wait(1)
            elif led and not me.view.act.ready:
                yield from plays(me, led[0])
                yield from me.wait(6)
            else:
                assert top.act
                ready.append(top.act)
                yield from me.tap(me.hands.places.act.center)
                yield from me.wait(8)
        yield from me.wait(2)
        if me.state.phase is Phase.REVEAL:
            yield from me.accept()
        yield from me.until(lambda view: view.phase is Phase.ROUND_OVER)
        yield from me.wait(40)
        held = me.hands.view.ended
        assert held is not None
        assert all(len(held[side]) <= 5 for side in Side)
        drawn = [text.text for text in texts_of(me)]
        assert me.view.ending is not None
        assert {me.view.ending.because, *me.view.ending.working} <= {*drawn}, "why it ended is told at the table"

    at_window(person)
    assert play(*AGAINST, "--points", "5") == 0
    assert not refused
    assert ready
    assert all(any(letter.isdigit() for letter in text) or "give up" in text.lower() for text in ready)


def texts_of(me: Any) -> list[DrawnText]:
    """Every text of the picture as it is drawn now."""
    size = me.window.surface.get_size()
    return draw_parts(new_surface(*size), me.hands.parts(size, 30, me.view, me.window.theme), me.window.theme)


def test_a_round_told_again_moves_the_board_and_the_button_closes_it(
    at_window: Opens, play: Callable[..., int]
) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        while me.state.phase is Phase.TURN:
            led = [card for card in me.cards if me.hands.view.targets(card)]
            if me.hands.view.player is Side.WHITE and led and not me.view.act.ready and not me.state.played:
                yield from tapped(me, led[0])
                yield from me.wait(6)
            elif me.hands.view.player is Side.WHITE:
                yield from me.tap(me.hands.places.act.center)
                yield from me.wait(8)
            else:
                yield from me.wait(1)
        yield from me.until(lambda view: view.can_retell)
        me.key(pygame.K_e)
        yield from me.until(lambda view: view.retold)
        shown = set()
        for _ in range(3):
            shown.add(me.view.piste.fencers.map(lambda fencer: fencer.space))
            me.key(pygame.K_RIGHT)
            yield from me.wait(3)
        assert len(shown) > 1
        yield from me.tap(me.hands.places.act.center)
        yield from me.until(lambda view: not view.retold)
        assert me.state.phase is Phase.ROUND_OVER, "nothing was dealt"

    at_window(person)
    assert play(*AGAINST, "--points", "5") == 0


def test_pressing_twice_where_the_next_round_is_dealt_refuses_nothing(
    at_window: Opens, play: Callable[..., int]
) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from tapped(me, me.cards[0])
        yield from me.wait(6)
        yield from me.tap(me.hands.places.act.center)
        yield from me.until(lambda _: me.state.to_act is Side.WHITE and len(me.state.played) > 1)
        yield from given_up(me)
        yield from me.until(lambda view: me.offered)
        yield from me.wait(4)
        me.said.clear()
        for _ in range(3):
            yield from me.tap(me.hands.places.act.center)
            yield from me.wait(1)
        yield from me.until(lambda view: me.state.round == 2)
        yield from me.wait(4)
        assert not [told for told in me.said if "not set up" in told or "no card" in told]

    at_window(person)
    assert play(*AGAINST, "--points", "5") == 0


def given_up(me: Any) -> Any:
    """Give the round up by two presses with nothing laid."""
    yield from me.wait(6)
    for _ in range(2):
        me.key(pygame.K_SPACE)
        yield from me.wait(12)
    yield from me.until(lambda view: view.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER))


def test_a_round_given_up_at_once_is_followed_by_one_with_other_cards(
    at_window: Opens, play: Callable[..., int]
) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        table = me.hands._pointing._does.__self__._table
        before = table.top.deck
        yield from given_up(me)
        yield from me.until(lambda _: me.state.round == 2 and len(me.cards) == 5)
        yield from me.wait(6)
        assert table.top.deck != before

    at_window(person)
    assert play(*AGAINST, "--points", "5") == 0


def test_a_rematch_is_dealt_by_itself(at_window: Opens, play: Callable[..., int]) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from tapped(me, me.cards[0])
        yield from me.wait(6)
        yield from me.tap(me.hands.places.act.center)
        yield from me.until(lambda _: me.state.to_act is Side.WHITE and len(me.state.played) > 1)
        yield from given_up(me)
        yield from me.until(lambda _: me.offered)
        yield from me.accept()
        yield from me.until(lambda _: me.window.page is not None)
        yield from me.choose(Act("begin"))
        yield from me.until(lambda view: view.phase is Phase.TURN and not me.state.played)
        assert me.state.round == 1
        yield from me.wait(4)
        assert not [card for card in me.hands.view.cards if card.card in me.cards]

    at_window(person)
    assert play(*AGAINST, "--points", "1") == 0


def test_finished_turns_square_up_and_the_last_stays_apart(at_window: Opens, play: Callable[..., int]) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        while me.state.to_act is not Side.WHITE or len(me.state.played) < 4:
            yield from me.play_one()
        yield from me.wait(12)
        top, played = me.hands.view, me.state.played
        apart = {each.card for each in top.cards}
        assert apart
        assert top.discards
        assert top.discards == played[: -len(apart)]
        assert apart == {*played[-len(apart) :]}, "the bot's last turn"

    at_window(person)
    assert play(*AGAINST, "--points", "5") == 0
