"""Ends of rounds solved with hidden hands, as data: what every legal turn is worth, within a thousandth.

``endgames.jsonl`` is made by ``tests/bench/endgame_data.py``: a JSON object a line, with the fields of
``SolvedEndgame``. The hand of the player to act counts as known to the other; the other's hand and the order of the
pile are hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engine.players.bots.options import INDEX, packed
from engine.players.bots.sparring import Stand
from engine.rules.legal import Counts, Play
from engine.strict.text import json_of

FILE: Final = "endgames.jsonl"


@dataclass(frozen=True, slots=True)
class SolvedEndgame:
    """A position, as the player to act sees it, and the worth of each turn.

    ``advanced``: spaces come forward. ``attack``: 0 for none, 1 to 5 direct cards to be answered, 6 to 10
    indirect ones, five less. ``hand`` and ``unseen``: cards of the values 1 to 5; the other holds five of the unseen
    ones. ``turns``: the least and the most that each is worth, a round won 1, drawn a half, lost 0.
    """

    rules: str
    pile: int
    distance: int
    advanced: int
    attack: int
    hand: Counts
    unseen: Counts
    turns: Mapping[Play, tuple[float, float]]

    @property
    def stand(self) -> Stand:
        """The same as the bots take it."""
        return Stand(INDEX[self.hand], self.distance, self.advanced, self.attack, self.pile)

    def to_json(self) -> dict[str, Any]:
        """As in the file: a turn is ``parry move attack``."""
        turns = {" ".join(map(str, play)): [low, high] for play, (low, high) in sorted(self.turns.items())}
        told = {name: getattr(self, name) for name in ("rules", "pile", "distance", "advanced", "attack")}
        return {**told, "hand": list(self.hand), "unseen": list(self.unseen), "turns": turns}


@cache
def solved_endgames() -> tuple[SolvedEndgame, ...]:
    """All that are in the file."""
    text = files("engine.research").joinpath(FILE).read_text(encoding="utf-8")
    return tuple(_read(json_of(line)) for line in text.splitlines())


def _read(told: Any) -> SolvedEndgame:
    turns = {Play(*map(int, name.split())): (float(low), float(high)) for name, (low, high) in told["turns"].items()}
    return SolvedEndgame(**{**told, "hand": tuple(told["hand"]), "unseen": tuple(told["unseen"]), "turns": turns})


def position_key(solved: SolvedEndgame) -> tuple[object, ...]:
    """What tells positions apart."""
    return solved.rules, solved.stand, packed(solved.unseen)
