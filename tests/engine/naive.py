"""A second, naive referee, written from engine/RULES.md and FORMATS.md alone, to hold the real one against.

States are the JSON objects of FORMATS.md with a little more in them, copied whole at every event; a turn is legal when
some order of its cards, split in some way into parry, move card and attack cards, obeys every rule. Nothing is shared
with ``engine``. Refusals carry a code only where the order of the checks leaves no choice (cards and figures).
"""

from __future__ import annotations

import copy
import json
from itertools import combinations, permutations
from typing import Any, TypeAlias

JSON: TypeAlias = dict[str, Any]

NAMES = [f"{value}{letter}" for value in "12345" for letter in "abcde"]
PRESETS = {"ferti-classic": (False, True), "ferti-advanced": (True, True), "brettspielnetz": (True, False)}


def value_of(card: str) -> int:
    return int(card[0])


def other(side: str) -> str:
    return "black" if side == "white" else "white"


class Naive:
    """One match. ``judge`` takes an event object and gives the answer of FORMATS.md (without ``message``)."""

    def __init__(self) -> None:
        self.state: Any = None
        self.history: list[JSON | None] = []

    def line(self, text: str) -> str:
        return json.dumps(self.judge(json.loads(text)))

    def judge(self, event: JSON) -> JSON:
        name = event["event"]
        before = copy.deepcopy(self.state)
        try:
            extra = getattr(self, f"on_{name}")(event)
        except RefusedError as refused:
            self.state = before
            return {"ok": False, "code": refused.code, "state": self.public()}
        if name == "match":
            self.history = []
        elif name != "undo":
            self.history.append(before)
        return {"ok": True, "ruling": name, **(extra or {}), "state": self.public()}

    def public(self) -> JSON | None:
        if self.state is None:
            return None
        hidden = ("rules", "points", "starter", "played", "back_from_final")
        return copy.deepcopy({key: value for key, value in self.state.items() if key not in hidden})

    def on_match(self, event: JSON) -> None:
        self.state = {
            "rules": event["rules"],
            "points": event.get("points", 5),
            "starter": event.get("starter", "white"),
            "played": [],
            "back_from_final": False,
            "round": 0,
            "phase": "setup",
            "to_act": None,
            "white": 1,
            "black": 23,
            "distance": 22,
            "pile": 15,
            "hands": {"white": 5, "black": 5},
            "attack": None,
            "score": {"white": 0, "black": 0},
            "result": None,
        }

    def on_round(self, event: JSON) -> None:
        self.need("setup", "round_over")
        state = self.state
        if state["round"] > 0:
            state["starter"] = other(state["starter"])
        state.update(round=state["round"] + 1, phase="turn", to_act=state["starter"], white=1, black=23, distance=22)
        state.update(pile=15, hands={"white": 5, "black": 5}, attack=None, result=None, played=[])

    def on_undo(self, event: JSON) -> None:
        if not self.history:
            raise RefusedError("not_now")
        self.state = self.history.pop()

    def on_time(self, event: JSON) -> None:
        self.need("turn", "round_over")
        state = self.state
        if state["attack"]:
            raise RefusedError("not_now")
        white, black = state["score"]["white"], state["score"]["black"]
        ahead = "white" if white > black else "black" if black > white else None
        winner = ahead or event.get("priority")
        if winner is None and not event.get("drawn"):
            state["points"] = white + 1
            return
        result = {"winner": winner, "reason": "priority" if winner and not ahead else "time"}
        state.update(phase="match_over", to_act=None, result=result)

    def on_yield(self, event: JSON) -> JSON | None:
        self.need("turn", "final")
        cards = event.get("cards", [])
        self.check_cards(cards)
        state = self.state
        side, attack = state["to_act"], state["attack"]
        if len(cards) > state["hands"][side]:
            raise RefusedError("hand_exceeded")
        parried = attack and [value_of(card) for card in cards] == [attack["value"]] * attack["count"]
        if parried and state["phase"] == "final":  # the parry is the whole turn
            turn = {"event": "turn", "cards": cards, "white": state["white"], "black": state["black"]}
            return {"ruling": "turn", **self.on_turn(turn)}
        state["hands"][side] -= len(cards)
        state["played"] += cards
        self.finish(other(side), "hit" if attack and not parried else "no_legal_move")
        return None

    def on_reveal(self, event: JSON) -> None:
        self.need("reveal")
        self.check_cards(event["white"] + event["black"])
        for side in ("white", "black"):
            if len(event[side]) != self.state["hands"][side]:
                raise RefusedError("hand_size")
        self.compare(event["white"], event["black"])

    def on_turn(self, event: JSON) -> JSON:
        self.need("turn", "final")
        state = self.state
        side, cards = state["to_act"], event["cards"]
        self.check_cards(cards)
        if not cards:
            raise RefusedError("no_cards")
        if len(cards) > state["hands"][side]:
            raise RefusedError("hand_exceeded")
        if event[other(side)] != state[other(side)]:
            raise RefusedError("opponent_moved")
        if event[side] not in range(1, 24):
            raise RefusedError("off_track")
        if event["white"] >= event["black"]:
            raise RefusedError("passed_opponent")
        step = (event[side] - state[side]) * (1 if side == "white" else -1)
        found = explanations(state, [value_of(card) for card in cards], step)
        if not found:
            raise RefusedError(None)
        assert len(found) == 1, found
        ((parry, action, attacking),) = found
        state["white"], state["black"] = event["white"], event["black"]
        state["distance"] = event["black"] - event["white"]
        state["played"] += cards
        state["hands"][side] -= len(cards)
        while state["hands"][side] < 5 and state["pile"] > 0:
            state["hands"][side] += 1
            state["pile"] -= 1
        was_attack, was_final = state["attack"], state["phase"] == "final"
        state["attack"] = None
        state["to_act"] = other(side)
        if attacking:
            kind = "direct" if action == "direct_attack" else "indirect"
            state["attack"] = {"by": side, "kind": kind, "value": state["distance"], "count": attacking}
        state["back_from_final"] = was_final and action == "retreat"
        self.go_on(side)
        shown_parry = {"value": was_attack["value"], "count": parry} if parry else None
        return {"player": side, "action": action, "parry": shown_parry}

    def go_on(self, side: str) -> None:
        state = self.state
        unseen = [value_of(card) for card in NAMES if card not in state["played"]]
        opponent = other(side)
        if state["attack"] or state["pile"] > 0:
            # Some hand of five could hold all the cards it takes, so asking the unseen cards together is enough.
            possible = legal_values(state, opponent, unseen)
            if not possible:
                self.finish(side, "hit" if state["attack"] else "no_legal_move")
            elif state["pile"] == 0:
                state["phase"] = "final"
            return
        state["to_act"] = None
        pointless = state["distance"] > 5 or state["distance"] not in unseen
        if pointless or (state["back_from_final"] and not PRESETS[state["rules"]][1]):
            self.compare([], [])
        else:
            state["phase"] = "reveal"

    def compare(self, white: list[str], black: list[str]) -> None:
        state = self.state
        distance = state["distance"]
        w = sum(value_of(card) == distance for card in white)
        b = sum(value_of(card) == distance for card in black)
        if w != b:
            self.finish("white" if w > b else "black", "more_attack_cards")
        elif state["white"] - 1 != 23 - state["black"]:
            self.finish("white" if state["white"] - 1 > 23 - state["black"] else "black", "further_advanced")
        else:
            self.finish(None, "draw")

    def finish(self, winner: str | None, reason: str) -> None:
        state = self.state
        state.update(phase="round_over", to_act=None, attack=None, result={"winner": winner, "reason": reason})
        if winner:
            state["score"][winner] += 1
            if state["score"][winner] == state["points"]:
                state["phase"] = "match_over"

    def need(self, *phases: str) -> None:
        if self.state is None or self.state["phase"] not in phases:
            raise RefusedError("not_now")

    def check_cards(self, cards: list[str]) -> None:
        for card in cards:
            if card not in NAMES:
                raise RefusedError("unknown_card")
        for card in cards:
            if cards.count(card) > 1:
                raise RefusedError("repeated_card")
        for card in cards:
            if card in self.state["played"]:
                raise RefusedError("card_already_played")


class RefusedError(Exception):
    def __init__(self, code: str | None) -> None:
        self.code = code


def legal_values(state: JSON, side: str, unseen: list[int]) -> bool:
    """Whether any cards among the unseen answer the attack, or move or attack when there is none."""
    attack, distance = state["attack"], state["distance"]
    room = state["white"] - 1 if side == "white" else 23 - state["black"]
    if attack:
        if unseen.count(attack["value"]) >= attack["count"]:
            return True
        return attack["kind"] == "indirect" and any(value <= room for value in unseen)
    return any(value <= distance or value <= room for value in unseen)


def explanations(state: JSON, values: list[int], step: int) -> set[tuple[int, str | None, int]]:
    """Every way to see the cards and the step as a legal turn: (cards that parry, action, cards that attack)."""
    indirect_allowed = PRESETS[state["rules"]][0]
    attack, distance = state["attack"], state["distance"]
    found: set[tuple[int, str | None, int]] = set()
    for order in set(permutations(values)):
        if attack and attack["kind"] == "indirect" and len(order) == 1 and step == -order[0]:
            found.add((0, "retreat", 0))
        count = attack["count"] if attack else 0
        if attack and (len(order) < count or any(value != attack["value"] for value in order[:count])):
            continue
        rest = order[count:]
        if attack and state["phase"] == "final":
            if not rest and step == 0:
                found.add((count, None, 0))
            continue
        if not rest:
            continue
        if step == 0 and all(value == distance for value in rest):
            found.add((count, "direct_attack", len(rest)))
        if len(rest) == 1 and step == rest[0]:
            found.add((count, "advance", 0))
        if len(rest) == 1 and step == -rest[0]:
            found.add((count, "retreat", 0))
        follow = rest[1:]
        if indirect_allowed and follow and step == rest[0] and all(value == distance - step for value in follow):
            found.add((count, "indirect_attack", len(follow)))
    return found


def legal_events(state: JSON, hand: list[str]) -> list[JSON]:
    """Every legal turn event with these cards (names), by trying every choice of cards and every step."""
    side = state["to_act"]
    events = []
    for size in range(1, len(hand) + 1):
        for cards in combinations(sorted(hand), size):
            for step in range(-5, 6):
                own = state[side] + (step if side == "white" else -step)
                event = {"event": "turn", "cards": list(cards), "white": state["white"], "black": state["black"]}
                event[side] = own
                if not 1 <= own <= 23 or event["white"] >= event["black"]:
                    continue
                if explanations(state, [value_of(card) for card in cards], step):
                    events.append(event)
    return events
