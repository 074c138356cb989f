"""Many simulated tables against a real Mosquitto and a hall: what is lost, doubled, how far behind the wall is.

    python tests/bench/bench_club.py [--tables 1,8,40,100,200] [--rate 10] [--seconds 30] [--chaos]

Tables are fed with matches that the referee judged, and have outbox and line of a real one; what a real one does in a
thread of its own is done here by one thread for many, for they share a machine. Their outboxes are in --shm, because
two hundred tables have two hundred disks. Broker and hall are processes by themselves.
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
from queue import SimpleQueue
from random import Random
from typing import Any

from engine.rules.track import BySide
from firmware.extras.club.broker import Broker, Founding, found, free_port
from firmware.extras.club.card import JoinCard
from firmware.extras.club.demo import judged_match, shown_step, told_step
from firmware.extras.club.hall_book import HallBook
from firmware.extras.club.link import Link
from firmware.extras.club.messages import OFFLINE, ONLINE, dumped, state_message, topic
from firmware.extras.club.publisher import Outbox, Publisher, said
from firmware.table.loop.moment import People

PROCESSES = 2
TICK = os.sysconf("SC_CLK_TCK")
Told = tuple[dict[str, Any], dict[str, Any], str]


def matches(count: int, names: BySide[str]) -> list[list[Told]]:
    """Some matches as they are told and shown, and in words."""
    return [
        [
            (told_step(step, names), shown_step(step, names, at), said(step.ruling, step.state, names, "en"))
            for at, step in enumerate(judged_match(Random(seed)))
        ]
        for seed in range(count)
    ]


class Table:
    """A table's outbox and line. What is sent is noted together, once in a while: noted later, it is sent again."""

    def __init__(self, card: JoinCard, folder: Path) -> None:
        self._outbox = Outbox(folder / f"{card.table}.sqlite", card.table)
        self._topics = {what: topic(card.club, card.table, what) for what in ("event", "said", "state", "status")}
        self._name = card.table
        self._keys: dict[int, int] = {}
        self._done: SimpleQueue[int] = SimpleQueue()
        self._fresh = False
        self._shown: dict[str, Any] = {}
        self.asked: SimpleQueue[tuple[str, int]] = SimpleQueue()
        will = self._topics["status"], OFFLINE
        ask = topic(card.club, card.table, "hall/ask")
        self.link = Link(
            card, will=will, topics=(ask,), on_message=self._heard, on_change=self._changed, on_sent=self._done.put
        )
        self.link.start()

    def _changed(self, up: bool) -> None:
        self._fresh = up

    def _heard(self, _topic: str, payload: bytes, _number: int) -> None:
        heard = json.loads(payload)
        self.asked.put((heard["match"], heard["after"]))

    def tell(self, body: dict[str, Any], sentence: str) -> None:
        self._publish(*self._outbox.tell(body, time.time()), sentence)

    def show(self, shown: dict[str, Any]) -> None:
        self._shown = shown
        box = self._outbox
        message = state_message(self._name, box.match, box.seq, time.monotonic(), shown, box.told_so_far)
        self.link.publish(self._topics["state"], dumped(message), keep=True)

    def _publish(self, key: int, text: str, sentence: str = "") -> None:
        number = self.link.publish(self._topics["event"], text) if not self._fresh else None
        if number is not None:
            self._keys[number] = key
            if sentence:
                self.link.publish(self._topics["said"], sentence)

    def settle(self) -> None:
        """Note what is sent; send again what is not, after the line was down or somebody asked."""
        done = []
        while not self._done.empty():
            key = self._keys.pop(self._done.get(), None)
            done += [] if key is None else [key]
        self._outbox.sent(done)
        again = self._fresh
        while not self.asked.empty():
            again = self._outbox.send_again(*self.asked.get()) > 0 or again
        if again and self.link.up:
            self._fresh = False
            self.link.publish(self._topics["status"], ONLINE, keep=True)
            self._keys.clear()
            for key, text in self._outbox.unsent(0, 100_000):
                self._publish(key, text)
            self.show(self._shown)

    def waiting(self) -> int:
        return self._outbox.waiting()


def run_tables(
    cards: list[JoinCard], folder: Path, rate: float, seconds: float, begin: Any, chaos: bool, result: Any
) -> None:
    """Tell ``rate`` events a second at each of these tables for so long, then wait until all of it is sent."""
    told = matches(6, BySide("Anna", "Ben"))
    tables = [Table(card, folder) for card in cards]
    while not all(table.link.up for table in tables):
        time.sleep(0.05)
    for table in tables:
        table.settle()
    rng = Random(cards[0].table)
    streams = [[each for match in rng.sample(told, len(told)) for each in match] for _ in tables]
    begin.wait()
    start, sent = time.monotonic(), [0] * len(tables)
    late = 0.0
    while (now := time.monotonic() - start) < seconds:
        for at, table in enumerate(tables):
            due = (sent[at] + at / len(tables)) / rate
            if due <= now:
                late = max(late, now - due)
                body, shown, sentence = streams[at][sent[at] % len(streams[at])]
                table.tell(body, sentence)
                sent[at] += 1
                if sent[at] % max(1, round(rate / 2)) == 0:
                    table.settle()
                    table.show(shown)
            if chaos and rng.random() < 0.0005:
                table.link._client._sock_close()  # the cable is out
        time.sleep(0.002)
    until = time.monotonic() + 90
    while time.monotonic() < until and any(table.waiting() for table in tables):
        time.sleep(0.2)
        for table in tables:
            table.settle()
    cpu_s = time.process_time()
    result.put((sum(sent), sum(table.waiting() > 0 for table in tables), late, cpu_s))
    until = time.monotonic() + 20
    while time.monotonic() < until:  # the hall may ask again
        for table in tables:
            table.settle()
        time.sleep(0.2)


def flood(card: JoinCard, folder: Path, stop: Any) -> None:
    """Lies, rubbish and other tables' topics, as fast as they go."""
    table = Publisher(card, folder / "liar.sqlite", People(BySide("A", "B"), "en"))
    table.start()
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
            workers.append(spawn.Process(target=flood, args=(cards[-2], Path(fast), stop)))
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
        sent, unsent = sum(each[0] for each in told), sum(each[1] for each in told)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and _events(folder / "hall" / "club.sqlite") < sent:
            time.sleep(0.3)
        time.sleep(0.5)
        watch.stop = True
        broker_s = usage(broker.pid)[0]
        stop.set()
        hall.terminate()
        hall.wait()
        for worker in workers:
            worker.kill()
        broker.stop()
        return {
            "tables": tables,
            **_judged(HallBook(folder / "hall" / "club.sqlite"), sent, Watch() if chaos else watch),
            "unsent_tables": unsent,
            "table_late_s": round(max(each[2] for each in told), 3),
            "tables_cpu_s": round(sum(each[3] for each in told), 1),
            "broker_cpu_s": round(broker_s, 1),
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
