"""How many whole random rounds a second: deal, legal turns, choice, judge, outcome. Run it as a script.

Also plays the same kind of rounds with the naive referee of tests/engine/naive.py and prints the ratio. CPU time of one
core; the best of three runs, because other work on the machine only ever slows one down. Exit status 1 below the aim.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

from engine.players.players import give_up
from engine.players.simulation import play, reveal, start_round
from engine.rules.events import Event, MatchEvent, YieldEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState, Reason

AIM_ROUNDS_PER_S = 3000


def load_naive() -> ModuleType:
    path = Path(__file__).parents[1] / "engine" / "naive.py"
    spec = spec_from_file_location("naive_referee", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play_rounds(rounds: int, rng: Random) -> dict[Reason, int]:
    """Plays whole rounds with the engine; how they ended."""
    outcomes = dict.fromkeys(Reason, 0)
    state = new_match()
    for _ in range(rounds):
        full = start_round(state, rng)
        while True:
            public = full.public
            side = public.to_act
            event: Event
            if side is None:
                event = reveal(full)
            else:
                hand = full.hands[side]
                plays = legal_plays(public, counts_of(hand))
                if plays:
                    event = play_event(public, hand, rng.choice(plays))
                else:
                    event = YieldEvent(give_up(full.view(side)).cards)
            full, ruling = play(full, event)
            assert ruling.ok
            if full.public.result is not None:
                outcomes[full.public.result.reason] += 1
                break
        # Without its past a match of any length costs the same.
        state = full.public._replace(previous=None)
    return outcomes


def new_match() -> PublicState:
    state, _ = judge(None, MatchEvent("ferti-advanced", points=10**9))
    assert state is not None
    assert state.phase is Phase.SETUP
    return state


def play_naive_rounds(naive: ModuleType, rounds: int, rng: Random) -> dict[str, int]:
    """The same with the naive referee: every choice of cards and every step is tried to find the legal turns."""
    outcomes: dict[str, int] = {}
    referee = naive.Naive()
    referee.judge({"event": "match", "rules": "ferti-advanced", "points": 10**9})
    for _ in range(rounds):
        assert referee.judge({"event": "round"})["ok"]
        cards = rng.sample(naive.NAMES, 25)
        hands = {"white": cards[:5], "black": cards[5:10]}
        pile = cards[10:]
        while referee.state["result"] is None:
            side = referee.state["to_act"]
            if side is None:
                event = {"event": "reveal", **hands}
            else:
                events = naive.legal_events(referee.state, hands[side])
                event = rng.choice(events) if events else {"event": "yield", "cards": []}
                for card in event["cards"]:
                    hands[side].remove(card)
                while len(hands[side]) < 5 and pile and events:
                    hands[side].append(pile.pop())
            assert referee.judge(event)["ok"], event
        reason = referee.state["result"]["reason"]
        outcomes[reason] = outcomes.get(reason, 0) + 1
        referee.history.clear()
    return outcomes


def best_rate(work: Callable[[], object], amount: int, runs: int = 3) -> float:
    """Units a second of CPU time in the best of some runs."""
    best = 0.0
    for _ in range(runs):
        begun = time.process_time()
        work()
        best = max(best, amount / (time.process_time() - begun))
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6000)
    rounds = parser.parse_args().rounds
    few = max(rounds // 60, 20)
    naive = load_naive()
    rate = best_rate(lambda: play_rounds(rounds, Random(1)), rounds)
    naive_rate = best_rate(lambda: play_naive_rounds(naive, few, Random(1)), few, runs=1)
    print(f"engine {rate:8.0f} rounds/s  (aim {AIM_ROUNDS_PER_S})")
    print(f"naive  {naive_rate:8.0f} rounds/s")
    print(f"ratio  {rate / naive_rate:8.1f}")
    return 0 if rate >= AIM_ROUNDS_PER_S else 1


if __name__ == "__main__":
    sys.exit(main())
