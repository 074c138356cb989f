"""``python -m engine.research``: what is offered, and a round played at random."""

from __future__ import annotations

import sys
from random import Random

from engine.research.round import ACTION_COUNT, OBSERVATION_SIZE, Round, told
from engine.rules.rulesets import RULE_SETS

OFFER = f"""engine.research: En Garde by numbers, under {", ".join(RULE_SETS)}.

  Round(rules)           player, actions, act, returns, view as bots take it, observation ({OBSERVATION_SIZE} numbers)
  {ACTION_COUNT} actions            plays()[number] is (cards to parry with, spaces, cards to attack with)
  pettingzoo_env(rules)  an AEC environment; takes pettingzoo, gymnasium and numpy
  endgames.jsonl         positions with what every turn is worth, a JSON object a line (BENCHMARK.md)

A round at random (seed 1):"""


def main() -> int:
    """Print the offer and the round."""
    rng = Random(1)
    round_, lines = Round(rng=rng), [OFFER]
    while round_.player is not None:
        action = rng.choice(round_.actions())
        lines.append(f"  player {round_.player}: {told(action)}")
        round_.act(action)
    lines.append(f"  returns: {round_.returns()}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
