"""How many events a second `engarde judge` answers from a file. Run it as a script.

Writes a file of random matches, every fifth event preceded by a faulty one, and has it answered by the command's own
function; then the first of the lines by the naive referee of tests/engine/naive.py (json in, json out, a copy of the
state at each event), and prints the ratio. CPU time of one core, best of three. Exit status 1 below the aim.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

from engine.players.players import RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.cards import DECK
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, YieldEvent, event_to_json
from engine.rules.referee import judge
from engine.rules.state import Phase
from firmware.cli.commands.judge import run_judge

AIM_EVENTS_PER_S = 30_000


def load_naive() -> ModuleType:
    path = Path(__file__).parents[1] / "engine" / "naive.py"
    spec = spec_from_file_location("naive_referee", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fault(event: Event, rng: Random) -> Event:
    """Something that is refused most of the time."""
    if not isinstance(event, TurnEvent):
        return YieldEvent() if isinstance(event, RoundEvent) else RoundEvent()
    faults = (
        TurnEvent(event.cards, event.white + 1, event.black),
        TurnEvent((*event.cards, rng.choice(DECK)), event.white, event.black),
        TurnEvent(tuple(rng.sample(DECK, rng.randint(0, 6))), event.white, event.black),
        RevealEvent((), ()),
    )
    return rng.choice(faults)


def event_lines(least: int, rng: Random) -> list[str]:
    """At least this many lines of whole matches, faults among them."""
    lines: list[str] = []

    def put(event: Event) -> None:
        lines.append(json.dumps(event_to_json(event)))

    while len(lines) < least:
        opening = MatchEvent(rng.choice(("ferti-classic", "ferti-advanced", "brettspielnetz")))
        put(opening)
        state, _ = judge(None, opening)
        assert state is not None
        while state.phase is not Phase.MATCH_OVER:
            put(RoundEvent())
            full = start_round(state, rng)
            while full.public.result is None:
                side = full.public.to_act
                event = (
                    reveal(full)
                    if side is None
                    else choice_event(full.public, RandomBot().choose(full.view(side), rng))
                )
                wrong = fault(event, rng)
                if rng.random() < 0.2 and not judge(full.public, wrong)[1].ok:
                    put(wrong)
                put(event)
                full, _ = play(full, event)
            state = full.public
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=60_000)
    lines = event_lines(parser.parse_args().events, Random(1))
    rate = 0.0
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "events.jsonl", Path(folder) / "answers.jsonl"
        source.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        for _ in range(3):
            with source.open("rb") as stream_in, target.open("wb") as stream_out:
                begun = time.process_time()
                run_judge(stream_in, stream_out)
                rate = max(rate, len(lines) / (time.process_time() - begun))
        with target.open("rb") as stream:
            answers = [json.loads(line) for line in stream]
    assert len(answers) == len(lines)
    few = lines[: len(lines) // 20]
    naive = load_naive().Naive()
    begun = time.process_time()
    for line in few:
        naive.line(line)
    naive_rate = len(few) / (time.process_time() - begun)
    refused = sum(not answer["ok"] for answer in answers)
    print(f"judge  {rate:8.0f} events/s  (aim {AIM_EVENTS_PER_S}; {len(lines)} events, {refused} refused)")
    print(f"naive  {naive_rate:8.0f} events/s")
    print(f"ratio  {rate / naive_rate:8.1f}")
    return 0 if rate >= AIM_EVENTS_PER_S else 1


if __name__ == "__main__":
    sys.exit(main())
