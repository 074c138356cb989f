"""A whole evening on one machine: a broker of its own on loopback, a hall, tables with bots, and the wall."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from display.view import Situation
from display.words.present import present
from engine.competition.bouts import Entrant, Terms
from engine.competition.events import CompetitionEvent, Entered, LotsDrawn, Opened, PoolsBegun, TableauBegun
from engine.competition.phases import Pools, Tableau
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import deal, play, reveal
from engine.record.corrections import Correction, Setting, set_outright
from engine.record.course import CORRECTED
from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide, Side
from firmware.core.io.files import make_folder, write_whole
from firmware.core.io.spreadsheet import csv_bytes
from firmware.extras.club.at_table import HANDICAP
from firmware.extras.club.broker import Broker, Founding, found, free_port
from firmware.extras.club.card import JoinCard
from firmware.extras.club.hall import Hall
from firmware.extras.club.messages import NO_HANDICAP, NextCall, told_state, topic
from firmware.extras.club.publisher import Publisher, said
from firmware.extras.club.results import results_csv, results_html, results_pdf
from firmware.extras.club.server import WallServer
from firmware.table.loop.moment import People
from firmware.web.public import public

# Tables without a camera: bots whose matches the referee judges, and nothing rendered. They tell what a real table
# tells, through the same publisher, outbox and line.


@dataclass(frozen=True, slots=True)
class SimulatedStep:
    """One event of a match that was judged, or the correction that gives a handicap."""

    event: Event | Correction
    ruling: Ruling
    state: PublicState


def judged_match(
    rng: Random, rules: str = "ferti-advanced", points: int = 5, ahead: BySide[int] = NO_HANDICAP
) -> Iterator[SimulatedStep]:
    """A whole match of two bots, step by step, reveals included.

    ``ahead``: touches they begin with, told as a real table tells them: the match begins at 0:0, and the score is put
    right as soon as there is a round.
    """
    opening = MatchEvent(rules, rng.choice(list(Side)), points)
    state, ruling = judge(None, opening)
    assert state is not None
    yield SimulatedStep(opening, ruling, state)
    bot = GreedyBot()
    while state.phase is not Phase.MATCH_OVER:
        started, ruling = judge(state._replace(previous=None), RoundEvent())
        assert started is not None
        full: FullState = deal(started, rng)
        yield SimulatedStep(RoundEvent(), ruling, started)
        if started.round == 1 and ahead != NO_HANDICAP:
            handicap = Setting(score=ahead)
            full = replace(full, public=set_outright(full.public, handicap))
            yield SimulatedStep(Correction((handicap,), HANDICAP), CORRECTED, full.public)
        while full.public.result is None:
            side = full.public.to_act
            event = reveal(full) if side is None else choice_event(full.public, bot.choose(full.view(side), rng))
            full, ruling = play(full, event)
            yield SimulatedStep(event, ruling, full.public)
        state = full.public


def told_step(step: SimulatedStep, names: BySide[str], bout: str = "", t_s: float = 0.0) -> dict[str, Any]:
    """A table's message about this step, at ``t_s`` of a clock that its match's steps have in common."""
    return told_state(step.ruling, step.state, names, t_s, bout)


def shown_step(step: SimulatedStep, names: BySide[str], verdicts: int) -> dict[str, Any]:
    """The scoreboard after this step."""
    situation = Situation(
        state=step.state, ruling=step.ruling, verdict_age_s=0.0, verdicts=verdicts, names=names, language="en"
    )
    return public(present(situation))


_IDLE_S: Final = 0.02
_REST_STEPS: Final = 6
"""Between two matches, so that the end of one can be read on the wall."""


class DemoTable:
    """One table: bots confirm the call after a moment's rest and fence it, an event at each ``step``."""

    def __init__(self, card: JoinCard, folder: Path, seed: str) -> None:
        self.table, self._began_s = card.table, time.monotonic()
        self._said: NextCall | None = None
        self._done = ""
        self._rng = Random(f"{seed}:{card.table}")
        people = People(BySide("White", "Black"), "en")
        self.publisher = Publisher(card, folder / f"outbox-{card.table}.sqlite", people, on_next=self._on_next)
        self.publisher.start()
        self._match: Iterator[SimulatedStep] | None = None
        self._names = people.names
        self._bout = ""
        self._verdicts = self._rest = 0
        self.events = 0

    def _on_next(self, said: NextCall | None) -> None:
        self._said = said

    def step(self) -> bool:
        """Tell the next event; False where nothing is being fenced."""
        if self._rest:
            self._rest -= 1
            return False
        if self._match is None and not self._begin():
            return False
        assert self._match is not None
        step = next(self._match, None)
        if step is None:
            self._match, self._rest = None, _REST_STEPS
            return False
        self._verdicts += 1
        self.events += 1
        shown = shown_step(step, self._names, self._verdicts)
        t_s = time.monotonic() - self._began_s
        sentence = said(step.ruling, step.state, self._names, "en")
        self.publisher.tell(told_step(step, self._names, self._bout, t_s), shown, sentence)
        return True

    def _begin(self) -> bool:
        said = self._said
        if said is None:
            self._done = ""  # what is called after that is called anew
            return False
        key = f"{said.bout} {said.match}"
        if key == self._done:
            return False
        self._done, self._bout, self._names = key, said.bout, said.names
        self.publisher.confirmed(said.bout, said.names)
        self._match = judged_match(self._rng, points=said.points, ahead=said.handicap)
        return True


class SimulatedTables:
    """Many of them, each telling an event every ``pace_s``, until ``close``."""

    def __init__(self, cards: list[JoinCard], folder: Path, seed: str, pace_s: float) -> None:
        self.tables = [DemoTable(card, folder, seed) for card in cards]
        self._pace_s = pace_s
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tables", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        due = [time.monotonic() + self._pace_s * at / len(self.tables) for at in range(len(self.tables))]
        while not self._closing.is_set():
            now = time.monotonic()
            for at, table in enumerate(self.tables):
                if now >= due[at]:
                    table.step()
                    due[at] = max(due[at] + self._pace_s, now)
            self._closing.wait(max(0.001, min(min(due) - time.monotonic(), _IDLE_S)))

    def close(self) -> None:
        """Stop fencing, and part from the broker."""
        self._closing.set()
        self._thread.join()
        closing = [threading.Thread(target=table.publisher.close) for table in self.tables]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()


def until(holds: Callable[[], object], wait_s: float) -> bool:
    """Wait for it; whether it came."""
    end = time.monotonic() + wait_s
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(_IDLE_S)
    return bool(holds())


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
    """An evening: so many ``tables``, each telling an event every ``pace_s``; ``out`` takes pictures and results."""

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
    program = browser()
    if not program:
        say(f"No browser on this machine draws {path.name}: chromium would.")
        return
    make_folder(path.parent)
    with tempfile.TemporaryDirectory(prefix="engarde-browser-") as profile:
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=4000")
        what = (f"--user-data-dir={profile}", f"--window-size={width},{height}", f"--screenshot={path.absolute()}")
        command = [program, *options, *what, url]
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_SHOT_S, check=True)
        except (subprocess.SubprocessError, OSError) as error:
            say(f"{path.name} could not be drawn ({type(error).__name__}).")
