"""Matches in virtual time while everything fails that can, for as many faults as one likes. Run it as a script.

    .venv/bin/python tests/bench/bench_faults.py --faults 10000

Each seed is one run through ``engarde play``'s own function; after every step the rules' truth, the scorebook, the
screen and the lamps have to agree, and nothing that was acknowledged may be lost. Prints a line for every broken
promise with the seed that breaks it again (``--seed N``), and what was survived. The exit status is 1 where one broke.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "faults"))

from fault_injector import Fault
from fault_run import Report, run_seed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=1000, help="how many in all (default: %(default)s)")
    parser.add_argument("--each", type=int, default=200, help="how many in the run of one seed (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (%(default)s)")
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--jobs", type=int, default=2, help="processes (%(default)s)")
    given = parser.parse_args()
    seeds = range(given.first, given.first + -(-given.faults // given.each)) if given.seed is None else (given.seed,)
    began_s = time.perf_counter()
    reports: list[Report] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for report in pool.map(run_seed, seeds, [given.each] * len(seeds)):
            reports.append(report)
            if report.broken:
                print(f"seed {report.seed}, after {report.ticks} steps: {report.broken[:1000]}", flush=True)
    faults = sum((report.faults for report in reports), Counter[Fault]())
    print(f"{faults.total()} faults in {time.perf_counter() - began_s:.0f} s, {len(reports)} seeds:")
    for fault, count in faults.most_common():
        print(f"{count:8}  {fault.value}")
    total = {
        "steps": sum(report.ticks for report in reports),
        "hours of play": round(sum(report.virtual_s for report in reports) / 3600),
        "lives of the program": sum(report.lives for report in reports),
        "of them ended with a sentence": sum(report.ended_by_itself for report in reports),
        "matches": sum(report.matches for report in reports),
        "entries accepted": sum(report.accepted for report in reports),
        "of them booked before they were shown": sum(report.ahead for report in reports),
        "verdicts refused": sum(report.refused for report in reports),
        "promises broken": sum(bool(report.broken) for report in reports),
    }
    for name, number in total.items():
        print(f"{number:8}  {name}")
    return 1 if total["promises broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
