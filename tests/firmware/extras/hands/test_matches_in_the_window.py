"""Matches at the simulated table in a window, by nothing but pointer and keys: turns, mistakes, what is taken back."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pygame
import pytest

from display.draw.canvas import DrawnText
from display.draw.parts import draw_parts
from display.draw.pictures import new_surface
from display.menu.model import Act
from display.tabletop.places import figure_box, pile_box, space_box
from engine.companion.companion import CompanionWish
from engine.players.bots.people import Person
from engine.rules.cards import Card
from engine.rules.state import Phase, PlayerView
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.ui.lessons.progress import FILE, Progress
from tests.firmware.extras.hands.conftest import Sits
from vision.synthetic.scene import CARD_WIDTH_MM

pytestmark = pytest.mark.slow
AGAINST = ("--against", "novice", "--white", "Anna")
TWO = ("--white", "Anna", "--black", "Ben")


def score(tmp_path: Path) -> BySide[int]:
    with open_scorebook(tmp_path / "book.sqlite", alone=True) as book:
        [match] = book.replay_all(last=1)
        assert match.state is not None
        return match.state.score


@pytest.mark.parametrize("dealt", ["0", "6", "11"])  # ends by counting after a last turn, by a touch, by no parry
def test_a_match_to_one_point_against_the_fencer(
    sit: Sits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dealt: str
) -> None:
    known: list[tuple[PlayerView, set[Card]]] = []
    mine: set[Card] = set()
    chooses = Person.choose

    def choose(self: Person, view: PlayerView, rng: Random) -> Any:
        known.append((view, set(mine)))
        return chooses(self, view, rng)

    monkeypatch.setattr(Person, "choose", choose)

    def person(me: Any) -> Any:
        for _ in me.play_match(Side.WHITE):
            mine.clear()
            mine.update(me.cards)
            yield
        assert me.hands.view.offer == "Rematch or review"
        yield from me.wait(30)  # it stays until somebody does something
        me.key(pygame.K_u)
        yield from me.until(lambda view: me.window.page is not None)
        assert me.view.phase is Phase.MATCH_OVER, "a stray press undoes nothing"
        yield from me.wait(30)
        yield from me.choose(Act("undo"))
        yield from me.until(lambda view: view.phase is not Phase.MATCH_OVER)
        yield from me.play_match(Side.WHITE)

    sit(person, "--against", "fencer", "--white", "Anna", "--points", "1", "--seed", dealt)
    assert sorted((score(tmp_path).white, score(tmp_path).black)) == [0, 1]
    assert known
    for view, hidden in known:
        assert view.side is Side.BLACK
        assert len(view.hand) == view.public.hands.black
        assert not {*view.hand} & hidden, "the bot was told a card of the other hand"


def test_a_match_to_one_point_against_a_second_person(sit: Sits, tmp_path: Path) -> None:
    shown: list[tuple[Side | None, bool]] = []

    def person(me: Any) -> Any:
        for _ in me.play_match(Side.WHITE, Side.BLACK):
            for fan in me.hands.view.fans:
                if me.state.phase is not Phase.REVEAL and me.state.to_act is not None:
                    shown.append((me.state.to_act, fan.owner is me.state.to_act))
            yield

    sit(person, *TWO, "--points", "1", size=(1280, 720))
    assert sorted((score(tmp_path).white, score(tmp_path).black)) == [0, 1]
    assert {side for side, _ in shown} == {Side.WHITE, Side.BLACK}
    assert all(own for _, own in shown), "the other player's cards were to be seen"


def test_a_rule_of_the_later_lessons_is_explained_when_it_first_happens(sit: Sits, tmp_path: Path) -> None:
    """A round given up, and the next one begun by the other: who stopped before the lessons on that is told so."""
    Progress(tmp_path / FILE).learned(["Anna"], "counter")
    panels: list[str] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        while me.state.round < 2 or me.state.phase is not Phase.TURN:
            for _ in range(2 if me.state.to_act is Side.WHITE else 0):
                yield from me.press(Side.WHITE)
                yield from me.wait(8)
            if me.offered:
                yield from me.accept()
            yield from me.wait(2)
        yield from me.until(lambda view: view.panel is not None and view.match.round == 2)
        panels.append(me.view.panel.title)
        yield from me.wait(4)

    sit(person, *AGAINST, "--points", "3")
    assert panels == ["New: Points and rounds"]
    assert Progress(tmp_path / FILE).of("Anna").explained == {"stuck", "starter"}


def test_mistakes_are_made_seen_refused_and_put_right(sit: Sits, tmp_path: Path) -> None:
    """With the real eyes: a step too far is refused; the card is turned and half covered, and still counts."""

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        first, second = me.cards[:2]
        yield from me.lay(first, 210.0, -150.0, notches=-3)
        yield from me.lay(second, 210.0 + CARD_WIDTH_MM * 0.8, -150.0, notches=1)
        yield from me.wait(4)
        yield from me.take_back(second)
        assert second in me.cards
        yield from me.move(Side.WHITE, 2 + first.value)
        yield from me.wait(8)
        yield from me.press(Side.WHITE)
        yield from me.until(lambda view: "moved" in view.verdict.headline)
        yield from me.move(Side.WHITE, 1 + first.value)
        yield from me.wait(8)
        me.key(pygame.K_a)
        yield from me.until(lambda view: view.piste.to_act is Side.BLACK)
        assert len(me.cards) == 5

    acts = tmp_path / "acts.jsonl"
    sit(person, *AGAINST, "--acts-out", str(acts), plain=False)
    done = [json.loads(line)["do"] for line in acts.read_text().splitlines()]
    assert done[:2] == ["clear", "deal"]
    assert {"lay", "take", "move", "cover", "press"} <= {*done}


def test_the_companions_cards_are_dealt_into_its_slots_and_played_for_it(sit: Sits) -> None:
    seen: list[str] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        for _ in range(400):
            top, said, state = me.hands.view, me.view.companion, me.state
            wanted = None if said is None else said.asked
            if top.to_deal:
                lying = [(card.x_mm, card.y_mm) for card in top.cards]
                free = [slot for slot in top.slots_mm if all(math.dist(slot, other) > 30.0 for other in lying)]
                yield from me.drag(pile_box(me.hands.places).center, me.px(*free[0]))
                yield from me.wait(2)
            elif state.to_act is Side.WHITE and state.played:
                return
            elif state.to_act is Side.WHITE:
                card = me.cards[0]
                yield from me.lay(card, 120.0, -112.0)
                yield from me.move(Side.WHITE, 1 + card.value)
                yield from me.wait(6)
                yield from me.press(Side.WHITE)
                yield from me.until(lambda view: view.piste.to_act is Side.BLACK)
            elif wanted is not None and wanted.wish is CompanionWish.TURN and wanted.plan is not None:
                for number, slot in enumerate(wanted.slots):
                    yield from me.drag(me.px(*top.slots_mm[slot - 1]), me.px(200.0 + 70.0 * number, -112.0))
                    yield from me.wait(2)
                seen.extend(str(card.card) for card in me.hands.view.cards if card.face_up)
                yield from me.move(Side.BLACK, wanted.plan.spaces.black)
                yield from me.wait(6)
                yield from me.press(Side.BLACK)
                yield from me.until(lambda view: view.piste.to_act is Side.WHITE)
            else:
                yield from me.wait(1)
        raise AssertionError(f"the companion never played; the screen said {me.said[-5:]}")

    sit(person, "--bot", "black", "--white", "Anna")
    assert len(seen) == 2


def test_a_match_is_begun_in_the_menu(at_window: Callable[..., Any], tmp_path: Path) -> None:
    def person(me: Any) -> Any:
        yield from me.wait(3)
        me.key(pygame.K_RETURN)  # the page that begins a match, on the line that does
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        yield from me.accept()
        yield from me.wait(2)
        assert len(me.cards) == 5

    at_window(person)
    assert main(["play", "--camera", "synthetic", "--scorebook", str(tmp_path / "book.sqlite")]) == 0


def test_escape_asks_and_the_match_goes_on_where_nobody_means_it(sit: Sits) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        for key in (pygame.K_ESCAPE, pygame.K_ESCAPE, pygame.K_q, pygame.K_RETURN):
            me.key(key)
            yield from me.wait(2)
        yield from me.accept()
        yield from me.wait(2)
        assert len(me.cards) == 5
        for key in (pygame.K_ESCAPE, pygame.K_DOWN, pygame.K_RETURN):
            me.key(key)
            yield from me.wait(2)
        raise AssertionError("it was meant to end here")

    sit(person, *TWO)


def test_a_hand_on_the_board_and_a_finger_instead_of_the_mouse(sit: Sits) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        width, height = me.window.surface.get_size()
        x, y = me.px(300.0, -150.0)
        at = {"finger_id": 7, "x": x / width, "y": y / height}
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, **at))
        yield from me.until(lambda view: view.eyes.why is not None)
        pygame.event.post(pygame.event.Event(pygame.FINGERUP, **at))
        yield from me.until(lambda view: view.eyes.why is None)

    sit(person, "--against", "novice")


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
def test_a_round_is_played_by_what_is_lit_and_the_one_button(sit: Sits, plays: Any) -> None:
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

    sit(person, *AGAINST, "--points", "5")
    assert not refused
    assert ready
    assert all(any(letter.isdigit() for letter in text) or "give up" in text.lower() for text in ready)


def texts_of(me: Any) -> list[DrawnText]:
    """Every text of the picture as it is drawn now."""
    size = me.window.surface.get_size()
    return draw_parts(new_surface(*size), me.hands.parts(size, 30, me.view, me.window.theme), me.window.theme)


def test_a_round_told_again_moves_the_board_and_the_button_closes_it(sit: Sits) -> None:
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

    sit(person, *AGAINST, "--points", "5")


def test_pressing_twice_where_the_next_round_is_dealt_refuses_nothing(sit: Sits) -> None:
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

    sit(person, *AGAINST, "--points", "5")


def given_up(me: Any) -> Any:
    """Give the round up by two presses with nothing laid."""
    yield from me.wait(6)
    for _ in range(2):
        me.key(pygame.K_SPACE)
        yield from me.wait(12)
    yield from me.until(lambda view: view.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER))


def test_a_round_given_up_at_once_is_followed_by_one_with_other_cards(sit: Sits) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        table = me.hands._pointing._does.__self__._table
        before = table.top.deck
        yield from given_up(me)
        yield from me.until(lambda _: me.state.round == 2 and len(me.cards) == 5)
        yield from me.wait(6)
        assert table.top.deck != before

    sit(person, *AGAINST, "--points", "5")


def test_a_rematch_is_dealt_by_itself(sit: Sits) -> None:
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

    sit(person, *AGAINST, "--points", "1")


def test_finished_turns_square_up_and_the_last_stays_apart(sit: Sits) -> None:
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

    sit(person, *AGAINST, "--points", "5")


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


def test_one_press_takes_back_the_own_turn_and_the_bots_answer(sit: Sits) -> None:
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

    sit(person, *AGAINST)


@pytest.mark.parametrize("pictures", [1, 9])
def test_a_turn_is_taken_back_while_the_bot_moves(sit: Sits, pictures: int) -> None:
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

    sit(person, *AGAINST)


def test_what_is_begun_goes_back_first_and_before_that_there_is_nothing(sit: Sits) -> None:
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

    sit(person, *AGAINST)


def test_a_card_of_the_bot_stays_where_it_lies(sit: Sits) -> None:
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

    sit(person, *AGAINST)


def test_a_second_person_at_the_screen_takes_back_one_turn(sit: Sits) -> None:
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

    sit(person, *TWO)
