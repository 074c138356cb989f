"""The computer players of hoeg1/en-garde on GitHub, who answer through Node.js from a checkout of that project.

They lay a parry and go on as two choices, and see the cards unplayed, all hands' sizes and their own hand.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from engine.players.players import give_up
from engine.rules.cards import HAND_SIZE, LETTERS, VALUES, Card
from engine.rules.legal import GiveUp, Play, Turn, counts_of, legal_plays, turn_of
from engine.rules.state import AttackKind, Phase, PlayerView
from engine.rules.track import Side

BRIDGE: Final = Path(__file__).with_name("lv3_bridge.mjs")
LEVELS: Final = (0, 1, 2, 3)
RESIGN, FORWARD, BACKWARD, ATTACK, JUMP, PARRY = range(6)
"""The kinds of choices, as that project numbers them."""
SEEDS: Final = 1 << 31


class Choice(NamedTuple):
    """What the bot says: a kind; the value and number of the cards that move, attack or parry; the step before an
    indirect attack."""

    kind: int
    value: int
    cards: int
    step: int


class HoegBot:
    """A bot of that project, drawn anew (its character with it) at the first turn of each round.

    Raises ValueError where Node.js ends, or the bot chooses what the referee does not allow.
    """

    def __init__(self, checkout: Path, level: int = LEVELS[-1]) -> None:
        """``checkout``: its folder. Raises FileNotFoundError where it is none."""
        if not (checkout / "src" / "engarde.js").is_file():
            raise FileNotFoundError(f"{checkout} is no checkout of hoeg1/en-garde: src/engarde.js is not there")
        command = ["node", str(BRIDGE), str(checkout), str(level)]
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self) -> None:
        """End Node.js."""
        self._node.communicate()

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        public = view.public
        fresh = rng.randrange(1, SEEDS) if _first_turn(view) else None
        chosen = self._asked(view, view.hand, "fresh", fresh)
        parry = 0
        if chosen.kind == PARRY:
            parry = chosen.cards
            if public.phase is not Phase.FINAL:
                kept = [card for card in view.hand if card.value != chosen.value]
                same = [card for card in view.hand if card.value == chosen.value]
                chosen = self._asked(view, (*kept, *same[parry:]), "parried", parry)
        if chosen.kind == RESIGN:
            return give_up(view)
        play = _play(parry, chosen)
        if play not in legal_plays(public, counts_of(view.hand)):
            raise ValueError(f"the bot chose {chosen} with {view.hand}, which is no legal turn")
        return turn_of(public, view.hand, play)

    def _asked(self, view: PlayerView, hand: tuple[Card, ...], word: str, number: int | None) -> Choice:
        public, white = view.public, view.side is Side.WHITE
        parried = number if word == "parried" and number else 0
        unplayed = dict(public.unseen_counts)
        attack = None if parried else public.attack
        if parried and public.attack is not None:
            unplayed[public.attack.value] -= parried
        sizes = public.hands.put(view.side, len(hand))
        position = {
            "side": 0 if white else 1,
            "places": [public.spaces.white - 1, public.spaces.black - 1],
            "hands": [sizes.white, sizes.black],
            "pile": public.pile,
            "attack": None if attack is None else "direct" if attack.kind is AttackKind.DIRECT else "indirect",
            "count": 0 if attack is None else attack.count,
            "parried": parried > 0,
            "unplayed": [(value, copy) for value in VALUES for copy in range(HAND_SIZE - unplayed[value], HAND_SIZE)],
            "indirect": public.rules.indirect_attacks,
            "hand": [(card.value, LETTERS.index(card.letter)) for card in hand],
        }
        if word == "fresh" and number is not None:
            position["fresh"] = number
        said = json.loads(self._answer(json.dumps(position)))
        return Choice(said["type"], said.get("value") or 0, said.get("count") or 0, said.get("step") or 0)

    def _answer(self, position: str) -> str:
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        try:
            print(position, file=self._node.stdin, flush=True)
            line = self._node.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise ValueError(f"Node.js ended before it answered {position}: see what it printed")
        return line


def _first_turn(view: PlayerView) -> bool:
    """Whether this player has made no turn in the round."""
    before = view.public.previous
    return before is None or before.to_act is None or before.previous is None or before.previous.to_act is None


def _play(parry: int, chosen: Choice) -> Play:
    moves = {FORWARD: chosen.value, BACKWARD: -chosen.value, JUMP: chosen.step}
    attack = chosen.cards if chosen.kind in (ATTACK, JUMP) else 0
    return Play(parry, moves.get(chosen.kind, 0), attack)
