"""``python -m engine.research``: what is offered, and a round played at random."""

from __future__ import annotations

import sys
from random import Random

from engine.research.state import ACTION_COUNT, INFORMATION_SIZE, new_game
from engine.rules.rulesets import RULE_SETS

OFFER = f"""engine.research: En Garde by numbers, under {", ".join(RULE_SETS)}.

  new_game(rules)        a State: current_player, legal_actions, legal_actions_mask, chance_outcomes, apply_action,
                         child, clone, is_terminal, returns, information_state_string, information_state_tensor
                         ({INFORMATION_SIZE} numbers), resample_from_infostate, action_to_string, history
  {ACTION_COUNT} actions            plays()[number] is (cards to parry with, spaces, cards to attack with)
  openspiel_game(rules)  the same as a pyspiel.Game; takes open_spiel
  pettingzoo_env(rules)  an AEC environment; takes pettingzoo, gymnasium and numpy
  rounds.Rounds(decks)   many rounds at once, some 70 times as fast; takes numpy (engine.research.rounds)
  endgames.jsonl         positions with what every turn is worth, a JSON object a line (BENCHMARK.md)

A round at random (seed 1):"""


def main() -> int:
    """Print the offer and the round."""
    rng, state = Random(1), new_game()
    lines = [OFFER]
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(rng.choices([each for each, _ in outcomes], [chance for _, chance in outcomes])[0])
            continue
        action = rng.choice(state.legal_actions())
        lines.append(f"  player {state.current_player()}: {state.action_to_string(action)}")
        state.apply_action(action)
    lines.append(f"  returns: {state.returns()}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
