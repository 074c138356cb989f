"""engine/RULES.md, sentence by sentence: "The game", "When the last card is drawn", "Presets" and the rulings.

A story is a position and what happens there, step by step:

- ``4 9`` is where the fencers stand; then what ``Position`` takes: ``unseen=11223344555``, ``attack=direct,5,1``, ...;
  ``match`` is a match whose first round has begun;
- ``5a 1a +1``: the player to act lays these and moves on (``-1``: back, ``black=22``: that fencer to there). It is
  accepted, or with ``! must_parry`` refused for that reason, which leaves the state as it was;
- ``yield 5a``, ``reveal 5e / 5d``, ``round``, ``undo``, ``match ferti-classic``: other events, accepted or refused in
  the same way;
- ``= hit``: what is so now, of the state, the last ruling or how the end was decided, see ``facts``.
"""

from __future__ import annotations

import re
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

LAST: Final = "unseen=11223344555"
"""One card in the pile."""
FINAL: Final = f"4 9 {LAST}", "5e"
"""White attacked with the last card."""
FINAL_INDIRECT: Final = "4 9 unseen=11223344455", "2e 3e +2 = indirect_attack final", "2d -2 = retreat"
"""White on 6 attacked Black on 9 with the last cards, who went back to 11: White is 5 forward, Black 12."""
DRAWN: Final = "11 14 unseen=11133344455 to_act=black", "1e +1 = nobody draw score:0-0"
STUCK_PARRY: Final = "4 5 unseen=1112222333344445555 to_act=black attack=direct,1,1"

GAME: Final[dict[str, tuple[str, ...]]] = {
    "White starts on 1 and Black on 23 of 23 spaces": (
        *("match", "= at:1-23 hands:5-5 pile:15", "1a white=0 ! off_track", "1a +1"),
        *("1b black=24 ! off_track", "1b black=22"),
    ),
    "distance is the difference of the positions": ("8 13", "4a ! attack_value", "5a"),
    "a turn may advance by exactly one card": ("6 20", "3a +3 = advance at:9-20"),
    "or retreat by one": ("6 20", "3a -3 = retreat at:3-20"),
    "Black moves the other way": ("4 20 to_act=black", "3a +3 = advance at:4-17"),
    **{
        f"a direct attack is {count} cards equal to the distance": ("6 9", f"{laid} = direct_attack")
        for count, laid in enumerate(("3a", "3a 3b", "3a 3b 3c", "3a 3b 3c 3d", "3a 3b 3c 3d 3e"), 1)
    },
    "nobody moves in a direct attack": ("6 9", "3a -1 ! wrong_distance", "3a black=10 ! opponent_moved"),
    "an indirect attack is one card forward, then cards equal to what remains": (
        *("4 11", "2a 5a 5b +2 = indirect_attack attack:indirect,5,2,white"),
    ),
    "it moves by exactly one card": ("4 11", "1a 1b 5a +2 ! wrong_distance"),
    "it may attack with what it moved with": ("4 10", "3a 3b 3c +3 = indirect_attack attack:indirect,3,2,white"),
    "it is for the advanced rules only": ("4 11 rules=ferti-classic", "2a 5a +2 ! indirect_not_allowed"),
    "of brettspielnetz too": ("4 11 rules=brettspielnetz", "2a 5a +2"),
    "White does not leave the track": ("3 20", "3a -3 ! off_track"),
    "nor one who has room": ("4 20", "3a -3"),
    "nor does Black": ("3 21 to_act=black", "3a -3 ! off_track"),
    "who has it at his end": ("3 20 to_act=black", "3a -3"),
    "nobody lands on the opponent or passes": (
        *("6 9", "3a +3 ! passed_opponent", "4a +4 ! passed_opponent", "2a +2"),
    ),
    "nor does Black land there": ("6 9 to_act=black", "3a +3 ! passed_opponent"),
    "the turn ends by refilling to five": ("6 9", "3a 3b = hands:5-5 pile:13"),
    "with all that are left": ("6 9 unseen=333344455511", "3e 3d = hands:5-5 pile:0"),
    "or as many as there are": ("6 9 unseen=33334445551", "3e 3d = hands:4-5 pile:0"),
    "a parry takes as many cards of the same value": (
        *("4 9 attack=direct,5,2", "5a 1a +1 ! must_parry", "5a 5b 1a +1 = parry:5,2"),
    ),
    "no other value parries": ("4 9 attack=direct,5,1", "4a 1a +1 ! must_parry"),
    # Parry and turn come out of one hand: six cards are too many, although five minus the parry were drawn.
    "no refill after the parry": (
        *("4 9 attack=direct,5,1", "5a 1a 4a 4b 4c 4d +1 ! hand_exceeded", "5a 1a 4a 4b +1 = hands:5-5 pile:11"),
    ),
    "the defender goes on with an advance": ("4 9 attack=direct,5,1", "5a 1a +1 = advance to_act:black"),
    "or a retreat": ("4 9 attack=direct,5,1", "5a 2a -2 = retreat to_act:black"),
    "or a direct attack": ("4 9 attack=direct,5,1", "5a 5b = direct_attack to_act:black"),
    "or an indirect one": ("4 9 attack=direct,5,1", "5a 1a 4a +1 = indirect_attack to_act:black"),
    "from the cards that are left": ("4 9 attack=direct,5,1", "5a ! no_action_after_parry"),
    "and refills at its end": ("4 9 attack=direct,5,2", "5a 5b 1a +1 = hands:5-5 pile:12"),
    "an indirect attack may be retreated from by one card, which is the turn": (
        *("4 9 attack=indirect,5,1", "3a 1a -3 ! too_many_cards", "3a -3 = retreat parry:no attack:no to_act:black"),
    ),
    "a direct one may not": ("4 9 attack=direct,5,1", "3a -3 ! must_parry"),
    "nor by the card that would parry": ("7 12 attack=direct,5,1", "5a -5 ! must_parry"),
    "who does not answer is hit and loses the round at once": (
        *("4 9 attack=direct,5,1", "yield = black hit round_over"),
    ),
    "who has no legal action loses the round": ("4 9", "yield = black no_legal_move round_over"),
}

LAST_CARD: Final[dict[str, tuple[str, ...]]] = {
    # Distance 8: nothing to compare, White stands on 6 (5 forward) against 14 (9 forward).
    "the round ends when the last card is taken even if every hand is full": (
        *(f"4 14 {LAST}", "2e +2 = pile:0 hands:5-5 black further_advanced"),
    ),
    "it does not with one card left": (f"4 14 {LAST}1", "2e +2 = pile:1 turn"),
    "an attack that takes the last card leaves one defence": (*FINAL, "= final to_act:black attack:direct,5,1,white"),
    "that defence parries with exactly those cards": (
        *(*FINAL, "4e ! must_parry", "5d 5c ! final_parry_only", "5d = parry:5,1 action:no"),
    ),
    "and takes no turn after it and no refill": (
        *(*FINAL, "5d 1e +1 ! final_parry_only", "5d +1 ! final_parry_only", "5d = hands:5-4 pile:0 reveal"),
    ),
    "or retreats from an indirect attack": (
        *(f"4 11 {LAST}", "2e 5e +2", "4e 1e -4 ! too_many_cards", "4e -4 = retreat"),
    ),
    "a direct one may not be retreated from even now": (*FINAL, "4e -4 ! must_parry", "5d -5 ! must_parry"),
    "otherwise the defender is hit": (*FINAL, "yield = white hit by:ruling_5"),
    # White on 1, Black on 6 after White's retreat: Black is far ahead, the cards decide all the same.
    "more cards equal to the distance win": (
        *(
            f"3 6 {LAST}",
            "2e -2 = reveal to_act:no",
            "reveal 5e 5d 1e 1d 2d / 5c 3d 3e 4d 4e = white more_attack_cards",
        ),
    ),
    "for either side": (f"3 6 {LAST}", "2e -2", "reveal 5e 3d 1e 1d 2d / 5c 5d 3e 4d 4e = black more_attack_cards"),
    "level hands leave it to who is further forward": (
        *("3 7 unseen=11223344455", "1e -1"),
        "reveal 5e 1d 2e 3e 4e / 5d 2d 3d 4d 4c = black further_advanced distance:5 counts:1-1 advances:1-16",
    ),
    # White's 11 - 1 = 10 against Black's 23 - 13 = 10.
    "level again is a draw and nobody scores": (
        *("10 13 unseen=11223344455", "1e +1"),
        "reveal 5e 1d 2e 3e 4e / 5d 2d 3d 4d 4c = nobody draw score:0-0 round_over",
    ),
    "preset ferti-advanced compares hands at the new distance after the final retreat": (
        *(*FINAL_INDIRECT, "= reveal"),
        "reveal 5e 5d 1e 1d / 3d 4c 4d 4e = white more_attack_cards by:preset source:FERTI-FR",
    ),
    "and then position": (*FINAL_INDIRECT, "reveal 5e 1d 1e 4c / 5d 3d 4d 4e = black further_advanced"),
    "preset brettspielnetz looks at position only": (
        *("4 9 unseen=11223344455 rules=brettspielnetz", "2e 3e +2"),
        "2d -2 = black further_advanced round_over by:preset source:BSN-DE counts:no",
    ),
}

RULINGS: Final[dict[str, tuple[str, ...]]] = {
    **{
        f"1 hands are compared after a retreat that draws the last card, preset {rules}": (
            *(f"6 9 {LAST} attack=indirect,3,1 rules={rules}", "2e -2 = reveal"),
            "reveal 5e 5d 1e 1d 2d / 5c 3d 3e 4d 4e = white more_attack_cards by:ruling_1",
        )
        for rules in ("ferti-advanced", "brettspielnetz")
    },
    "1 so they are after a retreat without an attack": (f"6 9 {LAST} rules=brettspielnetz", "2e -2 = reveal"),
    "2 no turn after parrying the final attack": (*FINAL, "5d 1e +1 ! final_parry_only", "5d = to_act:no"),
    # The cards are the whole legal last defence: nothing has to follow them.
    "2 giving up with exactly the last parry is that parry": (
        *FINAL,
        "yield 5d = event:turn parry:5,1 hands:5-4 reveal",
    ),
    "2 with other cards it is a hit": (*FINAL, "yield = white hit"),
    "3 a parry that leaves no legal action loses with no legal move": (
        *(STUCK_PARRY, "1e ! no_action_after_parry", "yield 1e = white no_legal_move by:ruling_3"),
    ),
    **{
        f"3 a yield with {laid or 'nothing'}, not with the parry, is a hit": (STUCK_PARRY, f"yield {laid} = white hit")
        for laid in ("", "2e", "1e 2e", "1e 1d")
    },
    # White steps to 21 before Black on 22, who has one space behind: an unseen one attacks.
    "4 an unseen attack card keeps the round going": ("18 22 unseen=1122222333334444455555", "3e +3 = turn"),
    "5 a declaration needs no proof": ("8 13 attack=direct,5,1", "yield = black hit"),
    "5 nor does one without an attack": ("8 18", "yield = black no_legal_move"),
    **{
        f"5 between parry and retreat the choice is free: {step}": ("8 13 attack=indirect,5,1", step)
        for step in ("5a 1a +1", "5a -5", "2a -2")
    },
    # 11 against 14: distance 3.
    **{
        f"6 {laid} can never be parried": (
            *("match", "5a +5", "5b +5", "5c +5", "4a +4", f"{laid} = white hit by:ruling_13"),
        )
        for laid in ("3a 3b 3c", "3a 3b 3c 3d", "3a 3b 3c 3d 3e")
    },
    "7 the defender refills at the end of the own turn": ("4 9 attack=direct,5,1", "5a 1a +1 = hands:5-5 pile:13"),
    "7 after a retreat too": ("4 9 attack=indirect,5,1", "1a -1 = hands:5-5 pile:14"),
    "8 the attacker refills before the defence": (*FINAL, "= hands:5-5 pile:0 final"),
    "9 the starter alternates after drawn rounds too": (*DRAWN, "round = to_act:black"),
    "10 fewer cards than needed leave the hand short and the round ends": (
        *("4 9 unseen=11223345555", "5e 5d = pile:0 hands:4-5 final"),
    ),
    "11 only the top discard and the pile are shown": (
        *("match", "= top:no", "3a +3", "4b +4 = top:4b pile:13 unseen:5,5,4,4,5"),
    ),
    "12 hands are not shown beyond distance five": (f"6 13 {LAST}", "1e +1 = distance:6 round_over"),
    "12 at five they are": (f"6 12 {LAST}", "1e +1 = distance:5 reveal"),
    "12 nor when all five of that value were played": (
        *("6 10 unseen=11122555444", "1e +1 = distance:3 black further_advanced by:ruling_12 counts:no"),
    ),
    "12 the last one counts even when it was the parry": (
        *("6 11 unseen=11223344455", "5e = final", "5d = round_over black further_advanced"),
    ),
    "13 too few unseen to parry is a touch at once": ("6 11 unseen=11223344455555", "5a 5b 5c = white hit"),
    "13 with one left": ("6 11 unseen=112233444555", "5e 5d = white hit"),
    "13 not with two left": ("6 11 unseen=1122334445555", "5e 5d = goes_on"),
    "13 but a possible retreat keeps it open": (
        "6 13 unseen=1112223334445555",
        "2e 5e 5d 5c +2 = turn",
    ),
    "13 not a direct one": ("8 13 unseen=1112223334445555", "5e 5d 5c = white hit"),
    "13 no unseen card is short enough to retreat by": ("15 22 unseen=2223334445555", "2e 5e 5d 5c +2 = white hit"),
    "13 a one would be": ("15 22 unseen=12223334445555", "2e 5e 5d 5c +2 = goes_on"),
    "13 not at the end": ("16 23 unseen=12223334445555", "2e 5e 5d 5c +2 = white hit"),
    "13 also on the last card": (f"6 11 {LAST}", "5e 5d = white hit"),
    # Black on 23, White on 22: only a one could attack, and all are played.
    "13 no unseen card could give a legal action": (
        *("18 23 unseen=2223334445555", "4e +4 = white no_legal_move by:ruling_13"),
    ),
    "13 one unseen could": ("18 23 unseen=12223334445555", "4e +4 = turn"),
    "13 or with room behind any": ("18 21 unseen=2223334445555", "2e +2 = turn"),
    "13 is not asked of a hand when the pile is gone": (
        *("18 23 unseen=22333444555", "4e +4 = white further_advanced"),
    ),
    "14 an illegal turn costs nothing": ("6 11", "3a +4 ! wrong_distance", "4a +4"),
    "15 an advance alone": ("6 11", "2a +2 = advance"),
    "15 is an indirect attack once attack cards lie beside it": ("6 11", "2a 3a +2 = indirect_attack"),
}

# What the misreadings of ``test_misreadings`` break beside.
MORE: Final[dict[str, tuple[str, ...]]] = {
    "cards of an equal sum parry nothing": ("4 8 attack=direct,4,1", "1a 3a 2a +2 ! must_parry"),
    # Nearness to space 12 picks the same winner from any two spaces: the sum shown tells them apart.
    "position counts from each own end": (f"15 21 {LAST}", "1e -1 = white further_advanced advances:13-2"),
    "no attack after a step back": ("6 9", "2a 5a -2 ! attack_after_retreat"),
    # The last one attacks Black in the corner: it is a hit, not merely no move.
    "the attack is judged before being stuck": ("22 23 unseen=12223334445555", "1e = white hit"),
    "whoever begins, the starter alternates": (
        *("match", "yield", "round = to_act:black", "1a +1", "yield", "round = to_act:white"),
        *("yield", "round = to_act:black", "yield", "round = to_act:white"),
    ),
}
UNDO: Final[dict[str, tuple[str, ...]]] = {
    "an undo takes back the last accepted event, again and again, and play goes on from there": (
        *("match", "3a +3", "3a +3 ! card_already_played", "4a +4", "undo = at:4-23 pile:14 to_act:black", "4a +4"),
        *("undo", "undo = at:1-23 pile:15 to_act:white", "3a +3"),
    ),
    "it never reaches an earlier match": ("match", "match ferti-classic", "undo ! not_now", "1a 1b +1 ! not_now"),
}
STORIES: Final = {**GAME, **LAST_CARD, **RULINGS, **MORE, **UNDO}


def told(story: tuple[str, ...]) -> None:
    """Play this story; whatever is not as it says raises AssertionError."""
    table, ruling = begun(story[0]), Ruling(True, "")
    for step in story[1:]:
        doing, _, so = step.partition("=") if " = " in step or step.startswith("=") else (step, "", "")
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
