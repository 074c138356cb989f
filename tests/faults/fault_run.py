"""Whole matches through ``engarde play``'s own function, in virtual time, while everything fails that can.

One seed is one run, exactly: a seed that breaks a promise breaks it again.
"""

from __future__ import annotations

import contextlib
import io
import random
import socket
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest import mock

from fault_checks import BrokenPromise, Checker
from fault_disk import Disk, DiskState, Killed
from fault_injector import Fault, Injector
from fault_world import TABLE, TICK_S, People, TableEyes, World

from firmware.cli.commands import play as play_command
from firmware.cli.commands.declared import parsed
from firmware.cli.sitting.cameras import TableWish
from firmware.cli.sitting.sitting import Sitting
from firmware.core.clock import SystemClock
from firmware.core.errors import EngardeError
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.live_camera import FreshCamera
from firmware.table.camera.setup import TABLE_FILE, Setup
from firmware.table.loop.moment import Moment
from firmware.table.panel.buttons import RecordedPresses
from firmware.table.panel.devices import Panel, Sounder
from firmware.table.panel.patterns import LAMP_TEST_S, AllPresses, PanelAudience
from firmware.table.service.watchdog import Notifier, WatchdogAudience
from firmware.ui.screen.recall import Recall
from firmware.web.address import LOOPBACK
from firmware.web.scoreboard import Scoreboard, WebServer, public
from vision.frame import Frame

MAX_STILL_S: Final = 1500.0
"""How long nothing at all may come of whatever the people do. What fails is well again in half a minute at most, but
where something fails every second it may take many tries."""
CROWD: Final = 100
_RESTART_S: Final = 3.0


@dataclass(slots=True)
class Report:
    """How a run went. ``broken``: empty, or the promise that was broken, at ``ticks``."""

    seed: int
    faults: Counter[Fault] = field(default_factory=Counter)
    ticks: int = 0
    lives: int = 0
    ended_by_itself: int = 0
    accepted: int = 0
    refused: int = 0
    matches: int = 0
    ahead: int = 0
    virtual_s: float = 0.0
    broken: str = ""


class Enough(BaseException):
    """The run is over."""


class Run:
    """One seed. It is the camera, and the last of the audience: all the rest is the program's own."""

    def __init__(self, seed: int, faults: int, folder: Path, share: float | None = None) -> None:
        """``share`` of the ticks in which something fails; None: as the seed has it."""
        rng = random.Random(seed)
        self._faults, self._folder = faults, folder
        self.world = World(random.Random(rng.random()))
        self.disk = Disk(folder, self._slowly)
        self.world.reaches = self.disk.reaches
        ends_by_button = rng.random() < 0.8
        self.people = People(self.world, random.Random(rng.random()), presses=ends_by_button)
        self.checker = Checker(self.world, self.people, random.Random(rng.random()))
        often = rng.choice((0.03, 0.1, 0.25)) if share is None else share
        self.injector = Injector(self.world, self.disk, random.Random(rng.random()), often, self._crowd)
        self.report = Report(seed)
        self._options = ["--rules", "ferti-advanced", "--points", "2"]
        self._options += ["--end-turn", "button" if ends_by_button else "auto", "--settle", "2"]
        self._out = io.StringIO()
        self._moment: Moment | None = None
        self._index = 0
        self._scoreboard, self._port = Scoreboard(), 0
        self._phones: list[socket.socket] = []
        self._still_since_s = self._lit_s = 0.0
        self._book: sqlite3.Connection | None = None

    def go(self) -> Report:
        """Run until so many faults were survived, or a promise was broken."""
        server = WebServer(self._scoreboard, LOOPBACK, 0)
        self._port = int(server.url.rstrip("/").rpartition(":")[2])
        try:
            with self._stands_in(), contextlib.suppress(Enough):
                while True:
                    self._live()
        finally:
            self._hang_up()
            server.close()
        report, checker = self.report, self.checker
        report.faults, report.virtual_s = self.injector.counted, self.world.now_s
        report.accepted, report.refused, report.matches = checker.accepted, checker.refused, checker.matches
        return report

    # -- one life of the program -----------------------------------------------------------------------------------

    def _live(self) -> None:
        """The program is started, and lives until it is killed, or ends with a sentence because of the disk."""
        world, report = self.world, self.report
        report.lives += 1
        self._out, self._moment, self._index = io.StringIO(), None, 0
        world.forget_presses()
        self.people.starts_anew()
        try:
            with ExitStack() as held, contextlib.redirect_stdout(self._out):
                wish = _wish(self._folder, self.disk.book, self._options)
                play_command.play(wish, self._sitting(wish.table), held, (self, self._scoreboard))
            raise BrokenPromise("the program ended without a word")
        except Killed:
            pass
        except EngardeError as error:
            if self.disk.state is DiskState.WELL and "in use" not in str(error):
                self._breaks(f"ended by itself: {error}")
            report.ended_by_itself += 1
        except BrokenPromise as found:
            self._breaks(str(found))
        except Exception as error:
            self._breaks(f"{type(error).__name__}: {error}")
        finally:
            if self._book is not None:
                self._book.close()
                self._book = None
        try:
            self._hear()
            with self.disk.well():
                report.ahead += self.checker.taken_up(self.disk.book)
        except BrokenPromise as found:
            self._breaks(f"after a death: {found}")
        world.now_s += _RESTART_S
        self.tick()

    def _sitting(self, wish: TableWish) -> Sitting:
        began_s = self.world.now_s
        world: Any = self.world
        return Sitting(
            wish,
            Panel(world, world, Sounder(), ""),
            PanelAudience(world, Sounder()),
            None,
            OpenCamera(FreshCamera(self), RecordedPresses(), live=True),
            Setup(TABLE, TABLE_FILE.read_text(encoding="utf-8")),
            None,
            AllPresses(RecordedPresses(), world, lambda: world.now_s),
            TableEyes(world),  # type: ignore[arg-type]
            Recall(0.0, 0.0),
            WatchdogAudience(Notifier({}), lambda: False, lambda: world.now_s - began_s),
        )

    # -- the camera and the audience -------------------------------------------------------------------------------

    def read(self) -> Frame | None:
        """The moment before is checked, people and faults have their tick, and a frame is taken."""
        self.disk.reaches("after it is shown")
        self._check()
        self.tick()
        self.world.now_s += TICK_S
        self.people.act(self._moment)
        self.disk.reaches("a frame is read")
        frame = self.world.photograph(self._index)
        self._index += 1
        return frame

    def attend(self, moment: Moment) -> None:
        """Printed is what was ruled by now; lamps were lit; the web comes after."""
        self._lit_s = moment.frame.t_s if self._moment is None else self._lit_s
        self._moment = moment
        self.checker.ruled(moment.entries)
        if moment.entries:
            self._still_since_s = self.world.now_s

    def reopen(self) -> None:
        pass

    def close(self) -> None:
        """Nothing to let go of."""

    def _check(self) -> None:
        self._hear()
        if self._moment is None:
            return
        if self._book is None:
            self._book = sqlite3.connect(f"file:{self.disk.book}?mode=ro", uri=True)
        if self.disk.state in (DiskState.WELL, DiskState.SLOW, DiskState.NO_SYNC, DiskState.LATE_SYNC):
            self.checker.kept(self._book, in_doubt=self.disk.in_doubt)
        self.checker.shown(self._moment, public(self._moment.match))
        if self._moment.frame.t_s - self._lit_s > LAMP_TEST_S:
            self.checker.lit()
        if self.world.now_s - self._still_since_s > MAX_STILL_S:
            raise BrokenPromise(f"nothing has come of anything for {MAX_STILL_S:g} s: {self._moment.desk}")

    def _hear(self) -> None:
        """What the program printed since. A line is printed whole: a kill comes before or after it."""
        text = self._out.getvalue()
        self._out.seek(0)
        self._out.truncate()
        for line in text.splitlines():
            self.checker.printed(line)

    def tick(self) -> None:
        """A step is over: count it, and maybe let something fail."""
        self.report.ticks += 1
        self.injector.tick()
        if self.injector.counted.total() >= self._faults:
            raise Enough

    def _breaks(self, promise: str) -> None:
        self.report.broken = promise
        raise Enough

    def _wall_s(self) -> float:
        return 1.8e9 + self.world.now_s + self.world.wall_off_s

    def _slowly(self) -> None:
        self.world.now_s += self.world.rng.uniform(0.3, 5.0)

    def _crowd(self) -> None:
        """A hundred phones ask for the score, half of them without ever ending their question."""
        self._hang_up()
        for number in range(CROWD):
            with contextlib.suppress(OSError):
                phone = socket.create_connection((LOOPBACK, self._port), timeout=0.2)
                self._phones.append(phone)
                phone.sendall(f"GET /events HTTP/1.1\r\nHost: {LOOPBACK}:{self._port}\r\n".encode())
                if number % 2:
                    phone.sendall(b"\r\n")

    def _hang_up(self) -> None:
        for phone in self._phones:
            phone.close()
        self._phones.clear()

    @contextlib.contextmanager
    def _stands_in(self) -> Iterator[None]:
        """The calendar and the disk are the world's, and nothing is said on stderr."""
        with (
            self.disk.under_sqlite(),
            mock.patch.object(SystemClock, "wall_s", self._wall_s),
            mock.patch.dict("os.environ", {"ENGARDE_DECKS": str(self._folder / "decks")}),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            yield


def _wish(folder: Path, book: Path, options: list[str]) -> Any:
    config = folder / "config.toml"
    config.write_text("", encoding="utf-8")
    own = ["--camera", "0", "--headless", "--json", "--config", str(config), "--scorebook", str(book)]
    return parsed(play_command.Play, [*own, *options]).wish()


def run_seed(seed: int, faults: int) -> Report:
    """One run in a folder of its own, in memory where there is one."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="engarde-faults-", dir=memory if memory.is_dir() else None) as folder:
        return Run(seed, faults, Path(folder)).go()
