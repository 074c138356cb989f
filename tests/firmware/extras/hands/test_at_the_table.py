"""Matches at the simulated table in a window, played by nothing but pointer and keys."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pygame
import pytest

from display.menu.model import Act
from display.tabletop.places import pile_box
from engine.companion.companion import CompanionWish
from engine.players.bots.people import Person
from engine.rules.cards import Card
from engine.rules.state import Phase, PlayerView
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.ui.lessons.progress import FILE, Progress
from vision.synthetic.scene import CARD_WIDTH_MM

pytestmark = pytest.mark.slow
Opens = Callable[..., Any]


def score(tmp_path: Path) -> BySide[int]:
    with open_scorebook(tmp_path / "book.sqlite", alone=True) as book:
        [match] = book.replay_all(last=1)
        assert match.state is not None
        return match.state.score


@pytest.mark.parametrize("dealt", ["0", "6", "11"])  # ends by counting after a last turn, by a touch, by no parry
def test_a_match_to_one_point_against_the_fencer(
    at_window: Opens, play: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dealt: str
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

    at_window(person)
    assert play("--against", "fencer", "--white", "Anna", "--points", "1", "--seed", dealt) == 0
    assert sorted((score(tmp_path).white, score(tmp_path).black)) == [0, 1]
    assert known
    for view, hidden in known:
        assert view.side is Side.BLACK
        assert len(view.hand) == view.public.hands.black
        assert not {*view.hand} & hidden, "the bot was told a card of the other hand"


def test_a_match_to_one_point_against_a_second_person(
    at_window: Opens, play: Callable[..., int], tmp_path: Path
) -> None:
    shown: list[tuple[Side | None, bool]] = []

    def person(me: Any) -> Any:
        for _ in me.play_match(Side.WHITE, Side.BLACK):
            for fan in me.hands.view.fans:
                if me.state.phase is not Phase.REVEAL and me.state.to_act is not None:
                    shown.append((me.state.to_act, fan.owner is me.state.to_act))
            yield

    at_window(person, (1280, 720))
    assert play("--white", "Anna", "--black", "Ben", "--points", "1") == 0
    assert sorted((score(tmp_path).white, score(tmp_path).black)) == [0, 1]
    assert {side for side, _ in shown} == {Side.WHITE, Side.BLACK}
    assert all(own for _, own in shown), "the other player's cards were to be seen"


def test_a_rule_of_the_later_lessons_is_explained_when_it_first_happens(
    at_window: Opens, play: Callable[..., int], tmp_path: Path
) -> None:
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

    at_window(person)
    assert play("--against", "novice", "--white", "Anna", "--points", "3") == 0
    assert panels == ["New: Points and rounds"]
    assert Progress(tmp_path / FILE).of("Anna").explained == {"stuck", "starter"}


def test_mistakes_are_made_seen_refused_and_put_right(
    at_window: Opens, play: Callable[..., int], tmp_path: Path
) -> None:
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

    at_window(person, plain=False)
    acts = tmp_path / "acts.jsonl"
    assert play("--against", "novice", "--white", "Anna", "--acts-out", str(acts)) == 0
    done = [json.loads(line)["do"] for line in acts.read_text().splitlines()]
    assert done[:2] == ["clear", "deal"]
    assert {"lay", "take", "move", "cover", "press"} <= {*done}


def test_the_companions_cards_are_dealt_into_its_slots_and_played_for_it(
    at_window: Opens, play: Callable[..., int]
) -> None:
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

    at_window(person)
    assert play("--bot", "black", "--white", "Anna") == 0
    assert len(seen) == 2


def test_a_match_is_begun_in_the_menu(at_window: Opens, tmp_path: Path) -> None:
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


def test_a_turn_with_keys_alone(at_window: Opens, play: Callable[..., int]) -> None:
    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        me.key(pygame.K_RETURN)  # takes the screen
        yield from me.wait(2)
        card = me.cards[1]
        for key in (
            pygame.K_2,
            pygame.K_DOWN,
            pygame.K_LEFT,
            pygame.K_LEFT,
            pygame.K_DOWN,
            pygame.K_COMMA,
            pygame.K_RETURN,
        ):
            me.key(key)
            yield from me.wait(1)
        lying = me.hands.view.cards[0]
        assert (lying.card, lying.turn_deg) == (card, 15.0)
        assert (lying.x_mm, lying.y_mm) == (308.0 - 16.0, -158.0)
        me.key(pygame.K_f)
        for _ in range(card.value):
            me.key(pygame.K_RIGHT)
            yield from me.wait(1)
        me.key(pygame.K_RETURN)
        yield from me.wait(8)
        me.key(pygame.K_SPACE)
        yield from me.until(lambda view: view.piste.to_act is Side.BLACK)
        me.key(pygame.K_TAB)  # takes the card up again, and it goes back where it was
        yield from me.wait(1)
        assert me.hands._pointing.holding
        me.key(pygame.K_ESCAPE)
        yield from me.wait(1)
        assert not me.hands._pointing.holding

    at_window(person)
    assert play("--white", "Anna", "--black", "Ben") == 0


def test_escape_asks_and_the_match_goes_on_where_nobody_means_it(at_window: Opens, play: Callable[..., int]) -> None:
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

    at_window(person)
    assert play("--white", "Anna", "--black", "Ben") == 0


def test_a_hand_on_the_board_and_a_finger_instead_of_the_mouse(at_window: Opens, play: Callable[..., int]) -> None:
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

    at_window(person)
    assert play("--against", "novice") == 0
