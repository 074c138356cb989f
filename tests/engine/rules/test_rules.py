"""engine/RULES.md, sentence by sentence: "The game", "When the last card is drawn", "Presets" and the rulings.

A story of ``rules.txt`` is a position and what happens there, line by line:

- ``4 9`` is where the fencers stand; then what ``Position`` takes: ``unseen=11223344555``, ``attack=direct,5,1``, ...;
  ``match`` is a match whose first round has begun;
- ``5a 1a +1``: the player to act lays these and moves on (``-1``: back, ``black=22``: that fencer to there). It is
  accepted, or with ``! must_parry`` refused for that reason, which leaves the state as it was;
- ``yield 5a``, ``reveal 5e / 5d``, ``round``, ``undo``, ``match ferti-classic``: other events, accepted or refused in
  the same way;
- ``= hit`` after any of these, or ``now hit`` alone: what is so now, of the state, the last ruling or how the end was
  decided, see ``facts``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

from engine.rules.cards import DECK, HAND_SIZE
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.legal import counts_of, legal_plays
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import Phase
from engine.rules.track import Side
from tests.engine.conftest import Table, new_match, position
from tests.matches import cards

STORIES: Final[dict[str, tuple[str, ...]]] = {
    title: tuple(line for line in steps.splitlines() if line and not line.startswith("#"))
    for title, _, steps in (
        scene.partition("\n")
        for scene in re.split("^= ", Path(__file__).with_name("rules.txt").read_text("utf-8"), flags=re.MULTILINE)[1:]
    )
}


def told(story: tuple[str, ...]) -> None:
    """Play this story; whatever is not as it says raises AssertionError."""
    table, ruling = begun(story[0]), Ruling(True, "")
    for step in story[1:]:
        doing, _, so = (" ", "", step[4:]) if step.startswith("now ") else step.partition(" = ")
        doing, _, code = (each.strip() for each in doing.partition("!"))
        if doing:
            before = table.state
            ruling = table.do(event_of(table, doing))
            assert (ruling.code.value if ruling.code else "") == code, (step, ruling)
            assert not code or table.state is before
        unlike = {*so.split()} - facts(table, ruling)
        assert not unlike, (step, unlike, facts(table, ruling))


def begun(place: str) -> Table:
    if place == "match":
        return new_match()
    white, black, *options = place.split()
    given: dict[str, Any] = dict(option.split("=") for option in options)
    given["attack"] = given.get("attack", "").replace(",", " ")
    return position(int(white), int(black), **{**given, "to_act": Side(given.get("to_act", "white"))})


def event_of(table: Table, doing: str) -> Event:
    name, *_ = doing.split()
    if name == "match":
        return MatchEvent(doing.removeprefix(name).strip())
    if name in ("round", "undo"):
        return RoundEvent() if name == "round" else UndoEvent()
    if name == "yield":
        return YieldEvent(cards(doing.removeprefix(name)))
    if name == "reveal":
        white, black = doing.removeprefix(name).split("/")
        return RevealEvent(cards(white), cards(black))
    side = table.state.to_act or Side.WHITE
    move = sum(int(each) for each in re.findall(r"[+-]\d+", doing))
    spaces = table.state.spaces.put(side, table.state.spaces[side] + side.forward * move)
    for fencer, space in re.findall(r"(white|black)=(\d+)", doing):
        spaces = spaces.put(Side(fencer), int(space))
    return TurnEvent(cards(" ".join(re.findall(r"\b\d[a-e]\b", doing))), spaces.white, spaces.black)


def facts(table: Table, ruling: Ruling) -> set[str]:
    """What is so now: phase, winner and reason, action, and facts such as ``pile:13``."""
    state, working, parry, attack = table.state, ruling.working, ruling.parry, table.state.attack
    winner, reason = table.result or ("", "goes_on")
    found: dict[str, Any] = {
        "at": state.spaces,
        "hands": state.hands,
        "score": state.score,
        "pile": state.pile,
        "distance": state.distance,
        "to_act": state.to_act.value if state.to_act else "no",
        "attack": f"{attack.kind.value},{attack.value},{attack.count},{attack.by.value}" if attack else "no",
        "parry": f"{parry.value},{parry.count}" if parry else "no",
        "action": ruling.action.value if ruling.action else "no",
        "event": ruling.event,
        "top": state.top_discard or "no",
        "unseen": ",".join(map(str, state.unseen_counts.values())),
        "by": working.decided_by.replace(" ", "_") if working else "",
        "source": working.source if working else "",
        "counts": (working.counts or "no") if working else "",
        "advances": working.advances if working else "",
    }
    pairs = {f"{name}:{f'{of.white}-{of.black}' if hasattr(of, 'white') else of}" for name, of in found.items()}
    return {state.phase.value, winner or "nobody", reason, str(found["action"]), *pairs}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_it_is_as_the_rules_say(story: tuple[str, ...]) -> None:
    told(story)


def test_there_are_25_cards_five_of_each_value() -> None:
    assert len(set(DECK)) == 25
    assert all(sum(card.value == value for card in DECK) == HAND_SIZE for value in range(1, 6))


@pytest.mark.parametrize("starter", list(Side))
def test_ruling_9_the_starter_alternates_every_round_whoever_won(starter: Side) -> None:
    table = new_match(starter=starter, points=5)
    for number in range(1, 6):
        assert table.state.to_act is table.state.starter is (starter if number % 2 else starter.other)
        if number % 3 == 0:
            table.turn("1a", 1)
        table.give_up()
        table.round()


@pytest.mark.parametrize("points", [1, 5])
def test_points_win_the_match(points: int) -> None:
    table = new_match(points=points)
    for played in range(points):
        if played:
            table.round()
        loser = table.state.to_act
        table.give_up()
        if loser is Side.WHITE and played < points - 1:
            assert table.state.phase is Phase.ROUND_OVER
    while table.state.phase is Phase.ROUND_OVER:
        table.round()
        table.give_up()
    assert table.state.phase is Phase.MATCH_OVER
    assert max(table.state.score.white, table.state.score.black) == points
    assert not table.round().ok


def test_ruling_4_an_attack_counts_as_a_legal_action() -> None:
    """Distance 1, no room behind: only the one can be played, and it attacks."""
    state = position(1, 2).state
    assert legal_plays(state, counts_of(cards("2a 3a 4a 5a 5b"))) == ()
    assert len(legal_plays(state, counts_of(cards("1a 3a 4a 5a 5b")))) == 1


@pytest.mark.parametrize(
    ("name", "indirect", "compares", "unseen_counts"),
    [
        ("ferti-classic", False, True, False),
        ("ferti-advanced", True, True, False),
        ("brettspielnetz", True, False, True),
    ],
)
def test_the_presets(name: str, indirect: bool, compares: bool, unseen_counts: bool) -> None:
    rules = RULE_SETS[name]
    assert (rules.indirect_attacks, rules.compare_hands_after_final_retreat) == (indirect, compares)
    assert rules.shows_unseen_counts is unseen_counts
    assert len(RULE_SETS) == 3


def test_what_holds_unless_the_match_says_otherwise() -> None:
    opening = MatchEvent("brettspielnetz")
    assert (opening.points, opening.starter, DEFAULT_RULES.name) == (5, Side.WHITE, "ferti-advanced")
    assert new_match(starter=Side.BLACK).state.to_act is Side.BLACK
