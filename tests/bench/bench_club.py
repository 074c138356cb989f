"""Many simulated tables against a real Mosquitto and a hall: what is lost, doubled, how far behind the wall is.

    python tests/bench/bench_club.py [--tables 1,8,40,100,200] [--rate 10] [--seconds 30] [--chaos]

Tables are real publishers with outboxes, fed with matches that the referee judged; they run in processes of their own,
their outboxes in --shm, because two hundred tables have two hundred disks. Broker and hall are processes by themselves.
--chaos kills broker and hall without a word, cuts tables off, and has one table flood with lies.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from engine.rules.track import BySide
from firmware.club.broker import Broker, free_port
from firmware.club.card import JoinCard
from firmware.club.founding import Founding, found
from firmware.club.hall_book import HallBook
from firmware.club.publisher import Publisher
from firmware.club.simulated import judged_match, shown_step, told_step
from firmware.club.topics import topic
from firmware.loop.moment import People

PROCESSES = 4
TICK = os.sysconf("SC_CLK_TCK")
Told = tuple[dict[str, Any], dict[str, Any]]


def matches(count: int, names: BySide[str]) -> list[list[Told]]:
    """Some matches as they are told and shown."""
    return [
        [(told_step(step, names), shown_step(step, names, at)) for at, step in enumerate(judged_match(Random(seed)))]
        for seed in range(count)
    ]


def run_tables(
    cards: list[JoinCard], folder: Path, rate: float, seconds: float, begin: Any, chaos: bool, result: Any
) -> None:
    """Tell ``rate`` events a second at each of these tables for so long, then wait until all of it is sent."""
    people = People(BySide("Anna", "Ben"), "en")
    told = matches(6, people.names)
    tables = [Publisher(card, folder / f"{card.table}.sqlite", people) for card in cards]
    while not all(table.up for table in tables):
        time.sleep(0.05)
    rng = Random(cards[0].table)
    streams = [[each for match in rng.sample(told, len(told)) for each in match] for _ in tables]
    begin.wait()
    start, sent = time.monotonic(), [0] * len(tables)
    while (now := time.monotonic() - start) < seconds:
        for at, table in enumerate(tables):
            while sent[at] < now * rate:
                body, shown = streams[at][sent[at] % len(streams[at])]
                table.tell(body, shown)
                sent[at] += 1
            if chaos and rng.random() < 0.0005:
                table._link._client._sock_close()  # the cable is out
        time.sleep(0.01)
    left = sum(not table.idle(90.0) for table in tables)
    result.put((sum(sent), left))
    time.sleep(3.0)
    for table in tables:
        table._link._client.disconnect()


def flood(card: JoinCard, folder: Path, stop: Any) -> None:
    """Lies, rubbish and other tables' topics, as fast as they go."""
    table = Publisher(card, folder / "liar.sqlite", People(BySide("A", "B"), "en"))
    text, at = json.dumps({"version": 1, "table": "1", "match": "0" * 32, "seq": 1}), 0
    while not stop.is_set():
        if table.up:
            name = (card.table, "1", "2")[at % 3]
            table._link.publish(topic(card.club, name, "event"), text if at % 2 else "[" * 500)
            at += 1
        time.sleep(0.002)
    table.close()


@dataclass
class Watch:
    """What a browser at the wall saw: when each table's newest event was there."""

    seen: dict[str, list[tuple[float, str, int]]] = field(default_factory=dict)
    stop: bool = False

    def run(self, url: str) -> None:
        while not self.stop:
            try:
                with urllib.request.urlopen(f"{url}events", timeout=5) as stream:
                    for line in stream:
                        if self.stop:
                            return
                        if line.startswith(b"data: "):
                            self._take(json.loads(line[6:]))
            except OSError:
                time.sleep(0.1)

    def _take(self, told: dict[str, Any]) -> None:
        now = time.time()
        for piste in told.get("pistes", ()):
            rows = self.seen.setdefault(piste["table"], [])
            if piste["match"] is not None and (not rows or rows[-1][1:] != (piste["match"], piste["seq"])):
                rows.append((now, piste["match"], piste["seq"]))


def start_hall(card: Path, folder: Path, port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "firmware", "club", "hall", "--card", str(card), "--folder", str(folder)]
    return subprocess.Popen([*command, "--web", str(port)], stderr=subprocess.DEVNULL)


def usage(pid: int) -> tuple[float, float]:
    """Seconds of processor and megabytes of memory of a process so far."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return (int(stat[11]) + int(stat[12])) / TICK, pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(tables: int, rate: float, seconds: float, chaos: bool, shm: Path) -> dict[str, Any]:
    names = tuple(str(number) for number in range(1, tables + 1 + chaos))
    with tempfile.TemporaryDirectory() as text, tempfile.TemporaryDirectory(dir=shm) as fast:
        folder, port, web = Path(text), free_port(), free_port()
        wanted = Founding("bench", folder / "club", "127.0.0.1", names, port, tls=False, address="127.0.0.1")
        cards = found(wanted)
        broker = Broker(folder / "club", port)
        hall = start_hall(folder / "club" / "cards" / "hall.toml", folder / "hall", web)
        watch, url = Watch(), f"http://127.0.0.1:{web}/"
        threading.Thread(target=watch.run, args=(url,), daemon=True).start()
        spawn = multiprocessing.get_context("spawn")
        begin, results, stop = spawn.Event(), spawn.Queue(), spawn.Event()
        honest = list(cards[2 : 2 + tables])
        shares = [share for at in range(PROCESSES) if (share := honest[at::PROCESSES])]
        args = [(share, Path(fast), rate, seconds, begin, chaos, results) for share in shares]
        workers = [spawn.Process(target=run_tables, args=each) for each in args]
        if chaos:
            workers.append(spawn.Process(target=flood, args=(cards[-1], Path(fast), stop)))
        for worker in workers:
            worker.start()
        time.sleep(4.0 + tables / 40)
        before, began = usage(hall.pid), time.monotonic()
        begin.set()
        if chaos:
            rng = Random(1)
            while time.monotonic() - began < seconds:
                time.sleep(rng.uniform(3.0, 6.0))
                if rng.random() < 0.5:
                    broker.stop(at_once=True)
                    time.sleep(rng.uniform(0.2, 2.0))
                    broker.start()
                else:
                    hall.send_signal(signal.SIGKILL)
                    hall.wait()
                    time.sleep(rng.uniform(0.2, 2.0))
                    hall = start_hall(folder / "club" / "cards" / "hall.toml", folder / "hall", web)
        else:
            time.sleep(max(0.0, seconds - (time.monotonic() - began)))
        after, took = usage(hall.pid), time.monotonic() - began
        told = [results.get() for _ in shares]
        sent, unsent = sum(count for count, _ in told), sum(left for _, left in told)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and _events(folder / "hall" / "club.sqlite") < sent:
            time.sleep(0.3)
        time.sleep(0.5)
        watch.stop = True
        stop.set()
        hall.terminate()
        hall.wait()
        for worker in workers:
            worker.join(20)
            worker.kill()
        broker.stop()
        return {
            "tables": tables,
            **_judged(HallBook(folder / "hall" / "club.sqlite"), sent, watch),
            "unsent_tables": unsent,
            "rate": round(sent / tables / seconds, 2),
            "hall_cpu_percent": round(100 * (after[0] - before[0]) / took, 1) if not chaos else None,
            "hall_mb": round(after[1], 1),
        }


def _events(path: Path) -> int:
    import sqlite3

    with sqlite3.connect(path) as book:
        return int(book.execute("SELECT count(*) FROM events").fetchone()[0])


def _judged(book: HallBook, sent: int, watch: Watch) -> dict[str, Any]:
    rows = book._connection.execute("SELECT match, seq, event FROM events ORDER BY match, seq").fetchall()
    doubled = len(rows) - len({(match, seq) for match, seq, _ in rows})
    order = {match: number for number, (match,) in enumerate(book._connection.execute("SELECT match FROM matches"))}
    lags = []
    for match, seq, text in rows:
        event = json.loads(text)
        place = (order[match], seq)
        shown = next((at for at, m, s in watch.seen.get(event["table"], ()) if (order[m], s) >= place), None)
        if shown is not None:
            lags.append(shown - event["wall_s"])
    lags.sort()
    refused = {table: sum(whys.values()) for table, whys in book.refusals().items()}
    return {
        "sent": sent,
        "in_book": len(rows),
        "lost": sent - len(rows),
        "doubled": doubled,
        "wall_s_p50": round(lags[len(lags) // 2], 3) if lags else None,
        "wall_s_p99": round(lags[int(len(lags) * 0.99)], 3) if lags else None,
        "wall_s_most": round(lags[-1], 3) if lags else None,
        "never_on_wall": len(rows) - len(lags),
        "refused": refused,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", default="1,8,40,100,200")
    parser.add_argument("--rate", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--chaos", action="store_true")
    parser.add_argument("--shm", type=Path, default=Path("/dev/shm"))
    args = parser.parse_args()
    for tables in map(int, args.tables.split(",")):
        print(json.dumps(measure(tables, args.rate, args.seconds, args.chaos, args.shm)), flush=True)


if __name__ == "__main__":
    main()
