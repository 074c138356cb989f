"""Bots of hoeg1/en-garde are asked through Node.js; here a checkout of a stranger's own stands in for that project."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from outsiders.lv3 import HoegBot

from engine.players.players import Bot, RandomBot
from engine.players.simulation import new_match, play_round
from engine.rules.events import Event, YieldEvent
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js answers for these bots")

ENGARDE = """
export class Hand { constructor(data) { this.data = data; } }
export class Board {
  static KindPosition = 1;
  constructor(turn, pos0, pos1, ph0, ph1, deck, parry, jump, count, draws, winner, kind, used, indirect) {
    Object.assign(this, { turn, pos: [pos0, pos1], ph: [ph0, ph1], deck, parry, jump, count, draws, used, indirect });
  }
}
"""
RAND = "export class Rand { constructor(seed) { this.seed = seed; } }"
LEVEL = """
const has = (data, value) => {
  let found = 0;
  for (let copy = 0; copy < 5; copy += 1) found += (data >> ((value - 1) * 5 + copy)) & 1;
  return found;
};
export default class {
  constructor(rnd, side) { if (!(rnd.seed >= 1)) throw new Error("no seed"); this.side = side; }
  think(board) {
    const cards = this.hand.data, distance = board.pos[1] - board.pos[0];
    let held = 0, there = 0;
    for (let value = 1; value <= 5; value += 1) { held += has(cards, value); there += has(board.used.data, value); }
    if (held !== board.ph[this.side]) throw new Error("hand of another size");
    if (there !== board.deck + board.ph[0] + board.ph[1]) throw new Error("cards do not add up");
    if (board.turn !== this.side) throw new Error("out of turn");
    const room = this.side === 0 ? board.pos[0] : 22 - board.pos[1];
    if (board.parry || board.jump) {
      if (has(cards, distance) >= board.count) return { type: 5, card_rank: distance, count: board.count };
      for (let value = 1; board.jump && value <= Math.min(5, room); value += 1)
        if (has(cards, value)) return { type: 2, card_rank: value, count: 1 };
      return { type: 0 };
    }
    for (let value = 1; value <= 5; value += 1) {
      const left = distance - value, same = left === value ? 1 : 0;
      if (board.indirect && left >= 1 && left <= 5 && has(cards, value) && has(cards, left) > same)
        return { type: 4, jump_rank: value, card_rank: left, count: 1 };
    }
    if (distance <= 5 && has(cards, distance)) return { type: 3, card_rank: distance, count: has(cards, distance) };
    for (let value = 5; value >= 1; value -= 1)
      if (value < distance && has(cards, value)) return { type: 1, card_rank: value, count: 1 };
    for (let value = 1; value <= Math.min(5, room); value += 1)
      if (has(cards, value)) return { type: 2, card_rank: value, count: 1 };
    return { type: 0 };
  }
}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src" / "cpu").mkdir(parents=True)
    for name, text in (("engarde", ENGARDE), ("rand", RAND), ("cpu/cpu3", LEVEL)):
        (tmp_path / "src" / f"{name}.js").write_text(text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


@pytest.fixture
def bot(checkout: Path) -> Iterator[HoegBot]:
    bot = HoegBot(checkout)
    yield bot
    bot.close()


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_kind_of_turn_is_understood(bot: HoegBot, rules: str) -> None:
    """The stand-in throws where cards do not add up, and the referee refuses nothing of its turns."""
    seen: list[tuple[PlayerView, Event]] = []
    other = RandomBot()
    for deal in range(30):
        both: tuple[BySide[Bot], ...] = (BySide(bot, other), BySide(other, bot))
        for bots in both:
            play_round(new_match(rules, 2), bots, Random(deal), seen)
    parried = [event for view, event in seen if view.public.attack is not None and not isinstance(event, YieldEvent)]
    assert len(parried) > 10


def test_a_folder_that_is_no_checkout_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"src/engarde\.js"):
        HoegBot(tmp_path)


@pytest.mark.slow
def test_a_bot_that_fails_is_told(checkout: Path) -> None:
    (checkout / "src" / "cpu" / "cpu3.js").write_text("export default class { think() { throw new Error('no'); } }")
    failing = HoegBot(checkout)
    with pytest.raises(ValueError, match=r"Node\.js"):
        play_round(new_match("ferti-classic", 2), BySide(failing, failing), Random(1))
    failing.close()
