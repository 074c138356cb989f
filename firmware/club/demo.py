"""A whole evening on one machine: a broker of its own on loopback, a hall, tables with bots, and the wall."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from engine.competition.bouts import Entrant, Terms
from engine.competition.events import CompetitionEvent, Entered, LotsDrawn, Opened, PoolsBegun, TableauBegun
from engine.competition.pools import Pools
from engine.competition.tableau import Tableau
from firmware.club.broker import Broker, free_port
from firmware.club.demo_tables import SimulatedTables, until
from firmware.club.founding import Founding, found
from firmware.club.hall import Hall
from firmware.club.results import results_csv, results_html
from firmware.club.results_pdf import results_pdf
from firmware.club.server import WallServer
from firmware.club.topics import topic
from firmware.io.files import make_folder, write_whole
from firmware.io.spreadsheet import csv_bytes

NAMES: Final = (
    "Ana Lima", "Ben Okafor", "Chloé Martin", "Daan de Vries", "Emil Krüger", "Fatima Haddad", "Goran Petrović",
    "Hanna Nowak", "Ines Costa", "Jonas Weber", "Kaja Berg", "Luca Rossi", "Maya Singh", "Noor Jansen", "Oskar Lind",
    "Pia Schulz", "Quentin Roy", "Rosa Vega", "Sven Dahl", "Tara Quinn", "Uma Patel", "Viktor Novák", "Wim Peeters",
    "Xenia Popa", "Yara Silva", "Zoe Clark",
)  # fmt: skip
WIDTH: Final = 1920
HEIGHT: Final = 1080
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SHOT_S: Final = 30.0
FULL: Final = 0.9
"""As many of the tables fence when the wall is pictured: for the last of many there may be nobody who is free."""


@dataclass(frozen=True, slots=True)
class DemoEvening:
    """What to show: so many ``tables``, each telling an event every ``pace_s``; ``out`` takes pictures and results."""

    tables: int
    seed: int
    pace_s: float
    language: str
    port: int
    out: Path | None
    most_s: float
    points: int = 3


def run_demo(wanted: DemoEvening, say: Callable[[str], None], show: Callable[[str], None]) -> bool:
    """Fence the evening to its end; whether it came. ``show`` gets the wall's address. Raises ClubError, WebError."""
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="engarde-club-")))
        port = free_port()
        tables = tuple(str(number) for number in range(1, wanted.tables + 1))
        cards = found(Founding("demo", folder / "club", "127.0.0.1", tables, port, tls=False, address="127.0.0.1"))
        broker = Broker(folder / "club", port)
        held.callback(broker.stop)
        hall = Hall(cards[0], folder / "hall", said=say)
        for event in entries(wanted):
            hall.evening.add(event)
        hall.start()
        held.callback(hall.close)
        server = held.enter_context(closing(WallServer(hall, wanted.language, port=wanted.port)))
        playing = held.enter_context(
            closing(SimulatedTables(list(cards[2:-1]), folder, str(wanted.seed), wanted.pace_s))
        )
        say(server.where)
        listener = cards[-1]
        heard = f"-h {listener.host} -p {port} -u {listener.user} -P {listener.password}"
        say(f"To read every table's bout: mosquitto_sub {heard} -v -t '{topic(listener.club, '+', 'said')}'")
        show(server.url)
        over = _fence(hall, wanted, say, server.url)
        if wanted.out is not None:
            _results(hall, wanted)
        kept = until(lambda: hall.book.counts()[1] == sum(table.events for table in playing.tables), 10.0)
        told = sum(table.events for table in playing.tables)
        say(f"{told} events were told at {wanted.tables} tables, {hall.book.counts()[1]} are in the club's book.")
        return over and kept


def entries(wanted: DemoEvening) -> list[CompetitionEvent]:
    """The fencers of the evening: two for each table, and six at least."""
    rng = Random(wanted.seed)
    count = max(6, 2 * wanted.tables)
    names = [f"{name} {at}" if at > 1 else name for at in range(1, 5) for name in NAMES][:count]
    found: list[CompetitionEvent] = [Opened("Club evening", Terms(points=wanted.points))]
    found += [
        Entered(Entrant(str(number), name, seed=number)) for number, name in enumerate(rng.sample(names, count), 1)
    ]
    return [*found, PoolsBegun(max(1, count // 6))]


def _fence(hall: Hall, wanted: DemoEvening, say: Callable[[str], None], url: str) -> bool:
    """Pools, lots, a tableau: what whoever runs the evening would ask for. Pictures on the way."""
    began = asked = False
    rng = Random(wanted.seed)

    def on() -> bool:
        nonlocal began, asked
        now = hall.evening.now
        assert now is not None
        if (
            wanted.out is not None
            and not began
            and sum(piste.busy for piste in hall.wall.pistes.values()) >= FULL * min(wanted.tables, len(now.due()))
        ):
            began = True
            _picture(f"{url}still", wanted.out / "wall.png", say)
            _picture(f"{url}fencer/1", wanted.out / "phone.png", say, 480, 900)
        if not now.over:
            return False
        if isinstance(now.phase, Tableau):
            return True
        if isinstance(now.phase, Pools) and not asked:
            asked = True
            for group in now.level():
                hall.ask(LotsDrawn(tuple(rng.sample(group, len(group)))))
            hall.ask(TableauBegun(cut=min(16, len(now.fencers))))
        return False

    over = until(on, wanted.most_s)
    if wanted.out is not None:
        _picture(f"{url}still", wanted.out / "wall-end.png", say)
    return over


def _results(hall: Hall, wanted: DemoEvening) -> None:
    now, out = hall.evening.now, wanted.out
    assert out is not None
    make_folder(out)
    write_whole(out / "results.html", results_html(now, wanted.language))
    write_whole(out / "results.csv", csv_bytes(results_csv(now)))
    write_whole(out / "results.pdf", results_pdf(now, wanted.language))


def browser() -> str:
    """A browser that can draw without a screen; empty where there is none."""
    return next((found for name in _BROWSERS if (found := shutil.which(name))), "")


def _picture(url: str, path: Path, say: Callable[[str], None], width: int = WIDTH, height: int = HEIGHT) -> None:
    """What a real browser shows there; a sentence where there is none."""
    program = browser()
    if not program:
        say(f"No browser on this machine draws {path.name}: chromium would.")
        return
    make_folder(path.parent)
    with tempfile.TemporaryDirectory(prefix="engarde-browser-") as profile:
        command = [
            *(
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                f"--user-data-dir={profile}",
            ),
            *(f"--window-size={width},{height}", "--virtual-time-budget=4000", f"--screenshot={path.absolute()}", url),
        ]
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_SHOT_S, check=True)
        except (subprocess.SubprocessError, OSError) as error:
            say(f"{path.name} could not be drawn ({type(error).__name__}).")
