"""A hall and tables on machines of their own, as far as one machine can be several: network namespaces, false clocks.

    sudo .venv/bin/python tests/bench/bench_club_apart.py [--tables 4] [--rate 4] [--seconds 90]

Each machine has a network of its own, joined by cables to one switch: broker and hall are on one, each table on
another, a phone on the last. TLS with certificates, made by ``engarde club init``. The tables' clocks are wrong by
hours each way: fast ones for the whole process (libfaketime), slow ones for what the table tells, as no process of a
machine that has just started can be put so far back. Cables are pulled while matches are fenced: one table's, the
hall's, and one table's until after the end. Root, iproute2, mosquitto, curl and faketime are needed; the networks are
taken away again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final

LAN: Final = "engarde-lan"
HALL: Final = "10.77.0.1"
CLOCKS_H: Final = (5, -7, 26, -9600)
"""By how much each table's clock is wrong, in turn."""
PORT: Final = 8883
WALL: Final = 8766


def sh(*words: str) -> str:
    """Run it to its end; what it said. Raises CalledProcessError."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def machine(name: str, address: str) -> str:
    """A machine with a cable to the switch: its namespace."""
    space = f"engarde-{name}"
    sh("ip", "netns", "add", space)
    sh("ip", "link", "add", f"cable-{name}", "netns", LAN, "type", "veth", "peer", "name", "eth0", "netns", space)
    sh("ip", "-n", LAN, "link", "set", f"cable-{name}", "master", "switch", "up")
    sh("ip", "-n", space, "address", "add", f"{address}/24", "dev", "eth0")
    for device in ("lo", "eth0"):
        sh("ip", "-n", space, "link", "set", device, "up")
    return space


def cable(name: str, state: str) -> None:
    """Pull it or put it back: ``down`` or ``up``."""
    sh("ip", "-n", LAN, "link", "set", f"cable-{name}", state)


def at(space: str, *words: str, **more: Any) -> subprocess.Popen[str]:
    """Start something on that machine."""
    return subprocess.Popen(["ip", "netns", "exec", space, *words], text=True, **more)


def play(card: Path, folder: Path, rate: float, seconds: float, slow_h: int) -> None:
    """A table, in a process of its own: matches of bots as they are told; prints how many events it told."""
    from engine.rules.track import BySide
    from firmware.extras.club.card import read_card
    from firmware.extras.club.demo import judged_match, shown_step, told_step
    from firmware.extras.club.publisher import Publisher
    from firmware.table.loop.moment import People
    from tests.waiting import all_sent

    mine = read_card(card)
    names = BySide(f"Anna {mine.table}", f"Ben {mine.table}")
    publisher = Publisher(
        mine, folder / f"{mine.table}.sqlite", People(names, "en"), wall_s=lambda: time.time() - 3600 * slow_h
    )
    publisher.start()
    rng, told, end = Random(mine.table), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for number, step in enumerate(judged_match(rng)):
            publisher.tell(told_step(step, names), shown_step(step, names, number))
            told += 1
            time.sleep(1.0 / rate)
            if time.monotonic() >= end:
                break
    print(json.dumps({"told": told, "clock": time.time() - 3600 * slow_h}), flush=True)
    kept = all_sent(publisher)
    print(json.dumps({"told": told, "all_sent": kept}), flush=True)
    sys.stdin.readline()  # until whoever started it has seen the hall have everything
    publisher.close()


class Wall:
    """What a phone in the room reads there."""

    def __init__(self, space: str) -> None:
        self._space = space

    def doubts(self) -> dict[str, list[str]]:
        """Of each table what the hall does not know; empty where the hall does not answer."""
        fetched = subprocess.run(
            ["ip", "netns", "exec", self._space, "curl", "-sm", "2", f"http://{HALL}:{WALL}/wall.json"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        told = json.loads(fetched.stdout) if fetched.returncode == 0 and fetched.stdout else {}
        return {piste["table"]: piste["doubts"] for piste in told.get("pistes", ())}

    def after_s(self, table: str, code: str, holds: bool, most_s: float) -> float | None:
        """After how many seconds that was on the wall, or gone from it; None where it was not within ``most_s``."""
        began = time.monotonic()
        while time.monotonic() - began < most_s:
            told = self.doubts()
            if table in told and (code in told[table]) == holds:
                return round(time.monotonic() - began, 1)
            time.sleep(0.3)
        return None


def in_book(path: Path) -> dict[str, tuple[int, int]]:
    """Of each table how many events are in the book, and how many different ones."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as book:
        rows = [(json.loads(text)["table"], match, seq) for match, seq, text in book.execute(
            "SELECT match, seq, event FROM events")]  # fmt: skip
    tables = {table for table, _, _ in rows}
    return {
        table: (sum(row[0] == table for row in rows), len({row for row in rows if row[0] == table})) for table in tables
    }


def trial(tables: int, rate: float, seconds: float) -> dict[str, Any]:
    """The whole of it. Raises CalledProcessError where something is missing."""
    python = [sys.executable, "-m", "firmware", "club"]
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "PYTHONPATH": str(root)}
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="engarde-apart-")))
        sh("ip", "netns", "add", LAN)
        held.callback(sh, "ip", "netns", "delete", LAN)
        sh("ip", "-n", LAN, "link", "add", "switch", "type", "bridge")
        sh("ip", "-n", LAN, "link", "set", "switch", "up")
        hall_at = machine("hall", HALL)
        held.callback(sh, "ip", "netns", "delete", hall_at)
        phone = machine("phone", "10.77.0.9")
        held.callback(sh, "ip", "netns", "delete", phone)
        club = folder / "club"
        init = [*python, "init", "apart", "--tables", str(tables), "--host", HALL, "--certificates"]
        subprocess.run([*init, "--out", str(club)], check=True, env=env, stdout=subprocess.DEVNULL)

        def stop(process: subprocess.Popen[str]) -> None:
            process.terminate()
            process.wait(10.0)

        broker = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        held.callback(stop, at(hall_at, broker, "-c", str(club / "mosquitto.conf"), stderr=subprocess.DEVNULL))
        cards = club / "cards"
        hall = [*python, "hall", "--card", str(cards / "hall.toml"), "--folder", str(folder / "hall")]
        with open(folder / "hall.log", "w", encoding="utf-8") as log:
            held.callback(stop, at(hall_at, *hall, "--web-host", "0.0.0.0", env=env, stderr=log, stdout=log))
        wall = Wall(phone)
        playing = []
        for number in range(1, tables + 1):
            space = machine(str(number), f"10.77.0.{10 + number}")
            held.callback(sh, "ip", "netns", "delete", space)
            clock_h = CLOCKS_H[(number - 1) % len(CLOCKS_H)]
            wrong = ["faketime", "-f", f"+{clock_h}h"] if clock_h > 0 else []
            card = str(cards / f"{number}.toml")
            words = [
                __file__,
                "--play",
                card,
                "--folder",
                str(folder),
                "--rate",
                str(rate),
                "--seconds",
                str(seconds),
                "--slow-h",
                str(max(0, -clock_h)),
            ]
            process = at(space, *wrong, sys.executable, *words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            held.callback(process.send_signal, signal.SIGKILL)
            playing.append(process)
        there_s = {str(each): wall.after_s(str(each), "gone", False, 40.0) for each in range(1, tables + 1)}
        began = time.monotonic()
        cable("1", "down")
        gone_s = wall.after_s("1", "gone", True, 40.0)
        cable("hall", "down")
        time.sleep(seconds / 8)
        cable("hall", "up")
        cable("1", "up")
        back_s = wall.after_s("1", "gone", False, 60.0)
        cable("2", "down")
        time.sleep(max(0.0, seconds - (time.monotonic() - began)))
        first = [json.loads(process.stdout.readline()) for process in playing if process.stdout is not None]
        without = in_book(folder / "hall" / "club.sqlite")
        cable("2", "up")
        last = [json.loads(process.stdout.readline()) for process in playing if process.stdout is not None]
        told = {str(number): each["told"] for number, each in enumerate(last, 1)}
        until = time.monotonic() + 60.0
        while time.monotonic() < until and sum(in_book(folder / "hall" / "club.sqlite")[t][1] for t in told) < sum(
            told.values()
        ):
            time.sleep(0.5)
        book = in_book(folder / "hall" / "club.sqlite")
        doubts = wall.doubts()
        for process in playing:
            process.communicate("done\n", timeout=20.0)
        return {
            "clocks_wrong_by_h": [round((each["clock"] - time.time()) / 3600) for each in first],
            "there_after_s": there_s,
            "told_gone_after_s": gone_s,
            "back_after_s": back_s,
            "table_2_missed_while_away": told["2"] - without.get("2", (0, 0))[1],
            "told": told,
            "in_book": {table: book[table][0] for table in told},
            "doubled": sum(whole - different for whole, different in book.values()),
            "lost": sum(told.values()) - sum(different for _, different in book.values()),
            "doubts_left": {table: codes for table, codes in doubts.items() if codes},
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--rate", type=float, default=4.0)
    parser.add_argument("--seconds", type=float, default=90.0)
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--slow-h", type=int, default=0, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.play is not None:
        play(args.play, args.folder, args.rate, args.seconds, args.slow_h)
        return
    if args.tables < 2:
        parser.error("--tables is at least 2: one is away, one stays away")
    print(json.dumps(trial(args.tables, args.rate, args.seconds), indent=1))


if __name__ == "__main__":
    main()
