"""What an event of a table is in one plain sentence, for whoever listens to the broker and reads no JSON.

It is made of the event alone, so that it says no more than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from display.i18n import Words, words
from engine.rules.state import PILE_SIZE, Phase
from engine.rules.track import SPACES


def said(event: Mapping[str, Any], language: str) -> str:
    """What happened, how the round or the match ended by it, and who is to play at what distance."""
    say = words(language)
    names, spaces = event["names"], event["spaces"]
    parts = [_happened(say, event)]
    goes_on = event["kind"] == "time" and event["phase"] != Phase.MATCH_OVER.value
    if event["result"] is not None and event["kind"] != "undo" and not goes_on:
        parts += _ended(say, event)
    elif event["to_act"] is not None:
        distance = spaces["black"] - spaces["white"]
        parts.append(say.say("club.said_to_act", name=names[event["to_act"]], distance=distance))
    return " ".join(parts)


def _happened(say: Words, event: Mapping[str, Any]) -> str:
    names, score, kind = event["names"], event["score"], event["kind"]
    both = {"white": names["white"], "black": names["black"], "score": f"{score['white']}:{score['black']}"}
    match kind:
        case "match":
            return say.say("club.said_match", points=event["points"], **both)
        case "resumed":
            return say.say("club.said_resumed", **both)
        case "round":
            return say.say("club.said_round", round=event["round"], **both)
        case "correct" if event["round"] == 1 and _nobody_moved(event):
            return say.say("club.said_ahead", **both)  # a handicap
        case "undo" | "correct":
            spaces = {f"{side}_space": space for side, space in event["spaces"].items()}
            return say.say(f"club.said_{kind}", **both, **spaces)
        case "time":
            over = event["phase"] == Phase.MATCH_OVER.value
            return say.say("club.said_time" if over else "club.said_time_level", **both)
        case "turn" if event["action"] is not None:
            return _turn(say, event)
    return say.say(f"club.said_{kind}", name=names.get(event["player"], ""))


def _turn(say: Words, event: Mapping[str, Any]) -> str:
    name, attack = event["names"][event["player"]], event["attack"]
    facts = {"name": name, "space": event["spaces"][event["player"]]}
    parts = [say.say("club.said_parry", name=name)] if event["parried"] else []
    if attack is None:
        # An attack that ended the round stands in no state any more.
        ended = "club.said_attack" if event["action"].endswith("attack") else f"club.said_{event['action']}"
        return " ".join([*parts, say.say(ended, **facts)])
    if event["action"] == "indirect_attack":
        parts.append(say.say("club.said_advance", **facts))
    much = say.say("club.attack", much=attack["count"], worth=attack["value"])
    return " ".join([*parts, say.say("club.said_attack_with", name=name, attack=much)])


def _ended(say: Words, event: Mapping[str, Any]) -> list[str]:
    names, score, result = event["names"], event["score"], event["result"]
    told = f"{score['white']}:{score['black']}"
    winner = result["winner"]
    over = event["phase"] == Phase.MATCH_OVER.value
    if winner is None and over:
        return [say.say("club.said_level", score=told)]
    if winner is None:
        return [say.say("club.said_draw", score=told)]
    loser = names["black" if winner == "white" else "white"]
    facts = {"winner": names[winner], "loser": loser}
    why = say.say(f"club.said_by_{result['reason']}", **facts)
    if over:
        return [why, say.say("club.said_won", score=told, **facts)]
    return [why, f"{names['white']} {told} {names['black']}."]


def _nobody_moved(event: Mapping[str, Any]) -> bool:
    """Whether nobody has moved in this round, and nothing was ruled on it."""
    placed = event["spaces"] == {"white": 1, "black": SPACES} and event["pile"] == PILE_SIZE
    return bool(placed and event["to_act"] is not None)
