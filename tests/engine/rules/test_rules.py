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
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.record.answers import answer_text, state_text
from engine.rules.events import Event, EventError, MatchEvent, RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.legal import counts_of, legal_plays
from engine.rules.messages import message
from engine.rules.referee import judge, judge_unreadable
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.rulings import RemedyKind, Ruling, RulingCode
from engine.rules.state import Phase
from engine.rules.track import Side
from tests.engine.conftest import Table, new_match, position, random_match
from tests.facts import FACTS
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


# The codes of FORMATS.md: each turn, the order of the checks, and what to do about each refusal.


def cases() -> Iterator[tuple[dict[str, Any], str, int, str]]:
    """The cases of ``codes.txt``: below a position what is laid there, how far who laid it moves, and why not."""
    where: dict[str, Any] = {}
    for line in Path(__file__).with_name("codes.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            white, black, *options = line.removeprefix("= ").split()
            where = {"white": int(white), "black": int(black), **dict(option.split("=") for option in options)}
            where |= {"attack": where.get("attack", "").replace(",", " "), "phase": Phase(where.get("phase", "turn"))}
        elif found := re.fullmatch(r"(.*?) ?([+-]\d+) ! (\w+)", line):
            yield where, found[1], int(found[2]), found[3]


CASES = tuple(cases())


@pytest.mark.parametrize(("where", "laid", "move", "code"), CASES)
@pytest.mark.parametrize("side", list(Side))
def test_turns_and_their_codes(where: dict[str, Any], laid: str, move: int, code: str, side: Side) -> None:
    if side is Side.BLACK:
        where = {**where, "white": 24 - where["black"], "black": 24 - where["white"]}
    table = position(**where, to_act=side)
    before = table.state
    ruling = table.turn(laid, move)
    assert ruling.code is not None
    assert ruling.code.value == code
    assert table.state is before
    assert set(ruling.facts) == set(FACTS[ruling.code])
    assert message(ruling).endswith(".")


def test_every_code_is_reached_by_a_turn_or_another_event() -> None:
    turns = {code for _, _, _, code in CASES}
    others = {"bad_event", "not_now", "unknown_card", "hand_size", "opponent_moved"}
    assert turns | others == {code.value for code in RulingCode}


@pytest.mark.parametrize(("white", "black"), [(6, 11), (6, 0), (9, 9), (0, 11), (30, 99), (10, 9)])
def test_the_other_figure_comes_first_among_the_figures(white: int, black: int) -> None:
    ruling = position(6, 10).turn("3a", white=white, black=black)
    assert ruling.code is RulingCode.OPPONENT_MOVED
    assert ruling.facts == {"side": "black", "expected": 10, "found": black}


def test_events_out_of_place_are_not_now() -> None:
    places = {
        Phase.SETUP: "round",
        Phase.TURN: "turn yield",
        Phase.FINAL: "turn yield",
        Phase.REVEAL: "reveal",
        Phase.ROUND_OVER: "round",
    }
    every = RoundEvent(), TurnEvent((), 0, 0), YieldEvent(), RevealEvent((), ())
    states = [None, *(state for seed in range(6) for _, _, state in random_match("ferti-advanced", Random(seed), 3))]
    assert {state.phase for state in states if state} == set(Phase)
    for state in states:
        for event in (each for each in every if each.name not in (places.get(state.phase, "") if state else "")):
            after, ruling = judge(state, event)
            assert (after, ruling.code) == (state, RulingCode.NOT_NOW)
            assert set(ruling.facts) == set(FACTS[RulingCode.NOT_NOW])
            assert ruling.remedies
            assert message(ruling).endswith(".")


def test_that_there_is_nothing_to_undo_is_said_of_a_match_that_has_only_begun() -> None:
    begun, _ = judge(None, MatchEvent("ferti-advanced"))
    nothing = "There is nothing to undo: the match has only begun."
    assert message(judge(begun, UndoEvent())[1]) == nothing
    assert message(judge(None, UndoEvent())[1]) != nothing
    assert message(judge(begun, YieldEvent())[1]) != nothing


@pytest.mark.parametrize(
    ("white", "black", "code"),
    [
        ("5e 5d 2d 2e", "1d 3d 3e 4d 4e", "hand_size"),
        ("5e 5d 2d 2e 1d 5c", "3d 3e 4d 4e", "hand_size"),
        ("5e 5d 2d 2e 1d", "5e 3d 3e 4d 4e", "repeated_card"),
        ("5e 5e 2d 2e 1d", "5c 3d 3e 4d 4e", "repeated_card"),
        ("5a 5d 2d 2e 1d", "5c 3d 3e 4d 4e", "card_already_played"),
        ("1e 5d 2d 2e 1d", "5c 3d 3e 4d 4e", "card_already_played"),
    ],
)
def test_hands_that_cannot_be(white: str, black: str, code: str) -> None:
    table = position(6, 12, "11223344555")
    table.turn("1e", 1)
    before = table.state
    ruling = table.reveal(white, black)
    assert ruling.code is not None
    assert ruling.code.value == code
    assert table.state is before
    assert [remedy.kind for remedy in ruling.remedies] == [RemedyKind.SHOW_HAND] * 2
    if code == "hand_size":
        shown = {*white.split(), *black.split()}
        missing = ruling.facts["missing"]
        assert isinstance(missing, tuple)
        assert len(missing) == 10 - len(shown)
    assert message(ruling).endswith(".")
    assert table.reveal("5e 5d 2d 2e 1d", "5c 3d 3e 4d 4e").ok


def test_an_unknown_card_waits_for_its_turn() -> None:
    error, shown = (EventError("", RulingCode.UNKNOWN_CARD, event, "'9z'") for event in ("turn", "reveal"))
    table = new_match()
    assert judge_unreadable(None, error).code is RulingCode.NOT_NOW
    assert judge_unreadable(table.state, error).code is RulingCode.UNKNOWN_CARD
    assert judge_unreadable(table.state, shown).code is RulingCode.NOT_NOW
    table.give_up()
    assert judge_unreadable(table.state, error).code is RulingCode.NOT_NOW
    unread = judge_unreadable(None, EventError("it is not JSON"))
    told = '"code":"bad_event","message":"This line isn\'t an event: it is not JSON.","state":null'
    assert answer_text(state_text(None), unread) == f'{{"ok":false,{told}}}'
