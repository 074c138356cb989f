"""Puzzles in words: every key said, whole sentences, and by ear alone every answer found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from display.i18n import LANGUAGES, Words, words
from display.menu.model import Goto, Menu, MenuPlace, is_card
from display.menu.reading import menu_aloud
from display.words.puzzles import answer_text, line_texts, play_text, puzzle_text, why_text
from engine.lessons.lesson import Position, Threat
from engine.lessons.positions import state_of
from engine.players.bots.options import INDEX, attack_number
from engine.puzzles.collection import PUZZLES
from engine.puzzles.hidden import CERTAIN, Goal, cases, favourable, fitting, worths
from engine.puzzles.puzzle import (
    AIMS,
    Puzzle,
    PuzzleTheme,
    answer,
    ending_of,
    explain,
    judge_answer,
    objection,
    opened,
    solutions,
)
from engine.puzzles.solver import Duel, Solver, in_any_order
from engine.rules.cards import LETTERS, VALUES, Card
from engine.rules.legal import Play, counts_of
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.state import Attack, AttackKind, Phase, PlayerView, Reason, room_behind
from engine.rules.track import BySide, Side
from tests.display.menu_showcase import MenuContext, page_of

MOVES = "+5a +5b +4a +4b"
MINE = tuple(map(Card.parse, ("1a", "2a", "4c", "4d", "4e")))
OTHERS = tuple(map(Card.parse, ("1b", "2b", "3b", "5c", "5d")))
SURE: tuple[Puzzle, ...] = tuple(
    Puzzle("own-1", 2, PuzzleTheme.SURE_HIT, "ferti-advanced", Side.WHITE, MOVES, BySide(MINE, other), True, True)
    for other in ((), OTHERS)
)
"""Which turn wins at once: against a hidden hand, and an open one."""


FEW: Final = (*PUZZLES[::8], *{(each.theme, each.public.phase): each for each in PUZZLES}.values())
"""Enough for the same sentences in another language: every theme in every phase, and some more."""


def say_everything(say: Words, puzzles: Sequence[Puzzle] = PUZZLES) -> list[str]:
    texts: list[str] = []
    for puzzle in (*puzzles, *SURE):
        asked = puzzle_text(say, puzzle)
        texts += [asked.title, asked.grade, asked.task]
        for solved in solutions(puzzle):
            told = answer_text(say, puzzle, judge_answer(puzzle, solved.play))
            texts += [told.headline, told.worth, told.why]
            texts += [text for text in (told.reply, told.best, asked.hint) if text]
        if puzzle.aim is None and not puzzle.certain:
            texts += line_texts(say, puzzle, explain(puzzle, answer(puzzle)))
    for theme in set(PuzzleTheme) - set(AIMS):
        about = replace(PUZZLES[0], theme=theme)
        texts += [why_text(say, about, answer(about)), puzzle_text(say, about).title]
    return [*texts, why_text(say, ROOM, answer(ROOM))]


ROOM = replace(next(puzzle for puzzle in PUZZLES if puzzle.theme is PuzzleTheme.LAST_CARD), theme=PuzzleTheme.STUCK)
"""No puzzle of the collection leaves room behind the one who is stuck; one of somebody's own rounds may."""


def test_the_room_behind_somebody_is_told_and_that_there_is_none() -> None:
    say = words("en")
    opponent = ROOM.side.other
    room = room_behind(ROOM.public.spaces, opponent)
    assert room > 1
    told = f"with {room} spaces free behind {opponent.value.capitalize()}."
    assert told in why_text(say, ROOM, answer(ROOM))
    for puzzle in PUZZLES:
        if puzzle.theme is PuzzleTheme.STUCK:
            assert "with no space free behind" in why_text(say, puzzle, answer(puzzle))


def test_a_turn_that_always_draws_is_no_half_a_win() -> None:
    for puzzle in PUZZLES:
        if puzzle.aim is Goal.BEST and puzzle.public.pile:
            for solved in solutions(puzzle):
                told = answer_text(words("en"), puzzle, judge_answer(puzzle, solved.play)).worth
                won, drawn = cases(puzzle.view, solved.play)
                assert ("the round is a draw" in told) is (not won and drawn == len(puzzle.unseen)), told


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_sentences_with_their_facts(language: str) -> None:
    for text in say_everything(words(language), PUZZLES if language == "en" else FEW):
        assert text
        assert "{" not in text
        assert "None" not in text


@pytest.mark.slow
def test_the_answer_is_told_as_it_is_judged() -> None:
    say = words("en")
    for puzzle in PUZZLES:
        best = answer_text(say, puzzle, judge_answer(puzzle, answer(puzzle)))
        assert best.headline == f"Right: {play_text(say, puzzle, answer(puzzle))}."
        assert best.reply == best.best == ""
        for solved in solutions(puzzle)[1:]:
            told = answer_text(say, puzzle, judge_answer(puzzle, solved.play))
            assert told.headline == f"Not the best turn: {play_text(say, puzzle, solved.play)}."
            assert told.best == f"The best turn: {play_text(say, puzzle, answer(puzzle))}."
            if solved.value == 0 and puzzle.aim in (None, Goal.BEST):
                assert told.worth == "If both play their best, this always loses the round."


def test_turns_name_who_does_what() -> None:
    say = words("en")
    puzzle = next(each for each in PUZZLES if each.public.attack is None and each.aim is None)
    name = say.say(f"name.{puzzle.side.value}")
    distance = puzzle.public.distance
    assert play_text(say, puzzle, Play(0, -2, 0)) == f"{name} retreats 2"
    assert play_text(say, puzzle, Play(0, 1, 0)) == f"{name} advances 1"
    assert play_text(say, puzzle, Play(1, 1, 2)).startswith(f"{name} parries, advances 1 and attacks with two ")
    assert str(distance - 1) in play_text(say, puzzle, Play(0, 1, 2))


def test_the_last_defence_is_announced() -> None:
    say = words("en")
    final = [each for each in PUZZLES if each.public.phase is Phase.FINAL]
    assert final != []
    for puzzle in final:
        assert "last defence" in puzzle_text(say, puzzle).task
        assert puzzle_text(say, puzzle).hint.startswith("Last defence")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_why_is_told_by_the_puzzles_own_line_and_numbers(language: str) -> None:
    """No two open puzzles have one explanation but those that are short, and each number is the solver's."""
    say = words(language)
    told = {}
    for puzzle in (each for each in PUZZLES if each.aim is None):
        best, solved = answer(puzzle), solutions(puzzle)
        why = told[puzzle.id] = why_text(say, puzzle, best)
        goes_on(say, puzzle, best, why)
        lower = [each.value for each in solved if each.value < solved[0].value]
        assert (say.say("puzzle.why.only") in why) is (lower[0] == 0)
    assert len(set(told.values())) > len(told) - 20


def goes_on(say: Words, puzzle: Puzzle, best: Play, why: str) -> None:
    """The best turn's line is told to its end, and with the numbers that decide."""
    line = explain(puzzle, best)
    for turn in line_texts(say, puzzle, line)[1:]:
        assert turn in why
    ending = ending_of(puzzle, line)
    for reasons, key, numbers in (
        ((Reason.MORE_ATTACK_CARDS, Reason.DRAW), "counts", ending.counts),
        ((Reason.FURTHER_ADVANCED, Reason.DRAW), "advances", ending.advances),
    ):
        if ending.reason in reasons and (key == "advances" or ending.distance <= max(VALUES)):
            told = say.say(f"working.{key}", value=ending.distance, white=numbers.white, black=numbers.black)
            assert told in why


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_a_hidden_hand_is_what_was_counted(language: str) -> None:
    """Nothing hidden is shown before it is answered, what was played is said, and every number is the proof's own."""
    say = words(language)
    whys = []
    for puzzle in (each for each in (PUZZLES if language == "en" else FEW) if each.aim is not None):
        whys.append(why_text(say, puzzle, answer(puzzle)))
        asked = puzzle_text(say, puzzle)
        assert re.findall(r"\d", asked.played) == [str(card.value) for card in sorted(puzzle.public.played)]
        distance = puzzle.public.distance - answer(puzzle).move
        numbers = set(map(int, re.findall(r"\d+", why_text(say, puzzle, answer(puzzle)))))
        unseen = [card.value for card in puzzle.unseen]
        if puzzle.aim is Goal.TOUCH:
            assert unseen.count(distance) < answer(puzzle).attack
            assert {unseen.count(distance), answer(puzzle).attack} <= numbers
        elif puzzle.aim is Goal.BEST:
            assert set(unseen) <= numbers
            best = answer(puzzle)
            goes_on(say, opened(puzzle, favourable(puzzle.view, best)), best, whys[-1])
        else:
            assert {fitting(puzzle.view), distance} <= numbers
        for solved in solutions(puzzle)[1:]:
            told = answer_text(say, puzzle, judge_answer(puzzle, solved.play))
            assert told.reply or solved.value == CERTAIN or not solved.play.attack
            assert not re.search(r"\b(0|100) (of|von|fois|van) ", told.worth)
        # What the next best turn fails against is told wherever there is such a hand.
        failing = next((each for each in solutions(puzzle)[1:] if objection(puzzle, each.play)), None)
        if failing is not None and puzzle.aim in (Goal.TOUCH, Goal.SAFE):
            assert play_text(say, puzzle, failing.play) in whys[-1]
    assert len(set(whys)) > len(whys) - 5


@pytest.mark.parametrize("puzzle", SURE)
def test_what_wins_at_once_is_said_by_what_can_be_seen(puzzle: Puzzle) -> None:
    say = words("en")
    hidden = not puzzle.hand(Side.BLACK)
    assert ("hidden" in puzzle_text(say, puzzle).task) is hidden
    right = answer_text(say, puzzle, judge_answer(puzzle, Play(0, 0, 2)))
    assert (right.best, right.reply) == ("", "")
    assert right.worth == "Whatever Black holds, there is no answer to that."
    assert right.why == (
        "Count the 4s, played and in hand: 0 are left for Black."
        if hidden
        else "Black holds no 4, so there is no parry."
    )
    wrong = answer_text(say, puzzle, judge_answer(puzzle, Play(0, -1, 0)))
    assert wrong.worth == "Black may have an answer to that."


COUNTS = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
SIDES = {"White": Side.WHITE, "Black": Side.BLACK}
GOALS = {
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
    aim = next((aim for part, aim in GOALS.items() if part in text), None) if "cards are hidden" in text else None
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
