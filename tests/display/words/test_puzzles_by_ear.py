"""Puzzles by ear: somebody who hears the page, line by line, and sees nothing can find every answer."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from display.i18n import words
from display.menu.model import Goto, Menu, MenuPlace, is_card
from display.menu.reading import menu_aloud
from engine.lessons.lesson import Position, Threat
from engine.lessons.positions import state_of
from engine.players.bots.options import INDEX, attack_number
from engine.puzzles.collection import PUZZLES
from engine.puzzles.hidden import Goal, worths
from engine.puzzles.puzzle import Puzzle, answer
from engine.puzzles.solver import Duel, Solver, in_any_order
from engine.rules.cards import LETTERS, Card
from engine.rules.legal import Play, counts_of
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.state import Attack, AttackKind, Phase, PlayerView, room_behind
from engine.rules.track import BySide, Side
from tests.display.menu_showcase import MenuContext, page_of

COUNTS = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
SIDES = {"White": Side.WHITE, "Black": Side.BLACK}
AIMS = {
    "touches": Goal.TOUCH,
    "After which turn": Goal.SAFE,
    "How far forward": Goal.FORWARD,
    "equally likely": Goal.BEST,
    "can be counted": Goal.BEST,
}
# Every theme and both games, easy and hard: all would take a minute.
SOME = [*PUZZLES[::9], *[puzzle for puzzle in PUZZLES if puzzle.hidden][::3]]
HEARD = [
    pytest.param(puzzle, id=puzzle.id, marks=[pytest.mark.slow] if number % 4 else [])
    for number, puzzle in enumerate(SOME)
]


def heard(puzzle: Puzzle) -> str:
    """All that is said of its page, going down its lines."""
    say = words("en")
    context = MenuContext("en")
    page = page_of(Menu((MenuPlace(Goto.PUZZLE.of(puzzle.id)),)), context)
    said: list[str] = []
    for at in range(len(page.items)):
        here = Menu((MenuPlace(Goto.PUZZLE.of(puzzle.id), at),))
        said += [text for text in menu_aloud(say, here, page_of(here, context)) if text and text not in said]
    own = [item.text for item in page.items if is_card(item.key)]
    return "\n".join((*said, f"own cards: {', '.join(own)}"))


def numbers(text: str, found: str) -> tuple[int, ...]:
    """The cards in what is said after this."""
    match = re.search(found, text)
    return () if match is None else tuple(map(int, re.findall(r"[1-5]", match[1])))


def cards(values: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(Card(value, letter) for value, count in Counter(values).items() for letter in LETTERS[:count])


def solved_by_ear(text: str) -> Play:
    """The answer, from these sentences and the rules alone."""
    spaces = re.search(r"White on (\d+), Black on (\d+), distance (\d+)", text)
    assert spaces is not None
    white, black = int(spaces[1]), int(spaces[2])
    assert black - white == int(spaces[3])
    asked = re.search(r"(White|Black)(?: to play|’s turn\. (?:White|Black)’s cards| makes the last defence)", text)
    assert asked is not None
    side = SIDES[asked[1]]
    final = "last defence" in text
    rules = RULE_SETS["ferti-classic"] if "Ferti, classic" in text else DEFAULT_RULES
    threat = re.search(r"(Direct|Indirect) attack: (?:White|Black) attacks with (a|two|three|four|five) ([1-5])", text)
    attack = None
    if threat is not None:
        attack = Attack(side.other, AttackKind(threat[1].lower()), int(threat[3]), COUNTS[threat[2]])
    own = numbers(text, r"own cards: (.*)")
    aim = next((aim for part, aim in AIMS.items() if part in text), None) if "cards are hidden" in text else None
    if aim is None:
        other = numbers(text, rf"{side.other.value.capitalize()} holds: (.*)")
        pile = () if final else tuple(sorted(numbers(text, r"draw pile[^:]*: (.*)\. What")))
        gained = room_behind(BySide(white, black), side)
        mine, his = INDEX[counts_of(cards(own))], INDEX[counts_of(cards(other))]
        duel = Duel(mine, his, black - white, gained, attack_number(attack), pile)
        return Solver(rules, in_any_order).plays(duel)[0].play
    played = numbers(text, r"Played so far: (.*)")
    pile_size = 0 if final else 25 - len(played) - 10
    position = Position(
        white,
        black,
        side,
        pile=pile_size,
        attack=None if attack is None else Threat(attack.kind, attack.count),
        phase=Phase.FINAL if final else Phase.TURN,
        rules=rules,
    )
    public = state_of(position)
    gone = cards(played)
    free = [card for value in own for card in (Card(value, letter) for letter in LETTERS) if card not in gone]
    hand: list[Card] = []
    for value in own:
        hand.append(next(card for card in free if card.value == value and card not in hand))
    left = 25 - len(played) - pile_size
    sizes = BySide(len(own), left - len(own)) if side is Side.WHITE else BySide(left - len(own), len(own))
    public = public._replace(played=gone, hands=sizes, pile=pile_size)
    return worths(PlayerView(public, side, tuple(hand)), aim)[0].play


@pytest.mark.parametrize("puzzle", HEARD)
def test_a_puzzle_is_solved_by_what_is_said_of_it(puzzle: Puzzle) -> None:
    assert solved_by_ear(heard(puzzle)) == answer(puzzle), heard(puzzle)
