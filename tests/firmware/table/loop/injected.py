"""A match that goes on whatever is done to its parts: what the eyes saw and who pressed is recorded once, then told
again to the program while its parts fail.

``Match`` is a loop with parts of a test's own beside it, ``played_whole`` a whole ``engarde play``: everything asked of
a part goes through the guard, and ``FailingGuard`` has it fail there.
"""

from __future__ import annotations

import importlib
import io
import pkgutil
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, redirect_stdout
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import pygame

import firmware
from display.window import Window
from engine.players.players import GreedyBot
from engine.record.course import JournalEntry
from engine.rules.events import MatchEvent
from engine.rules.rulings import Ruling
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.observation import TableObservation
from engine.table.presses import Press
from firmware.book.scorebook.book import read_scorebook
from firmware.cli.commands import play as play_command
from firmware.cli.commands.declared import parsed
from firmware.cli.sitting.sitting import Sitting
from firmware.extras.club.card import JoinCard, write_card
from firmware.extras.simulation.actors import Shown
from firmware.extras.simulation.director import Director
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.remembered_lens import EyesTold, RememberedLens
from firmware.table.camera.setup import TABLE_FILE, Setup
from firmware.table.loop import guard as guard_module
from firmware.table.loop.guard import Guard
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.tidy import Tidy
from firmware.table.loop.watched import Rule, Watch
from firmware.table.panel.buttons import RecordedPresses
from firmware.table.panel.devices import Panel, Sounder
from firmware.table.panel.patterns import PanelAudience
from firmware.table.readers.progress import Limits, Sample
from firmware.table.service.watchdog import Notifier, WatchdogAudience
from firmware.table.sound.sound import SoundAudience, open_player
from firmware.table.sound.voice import open_voice
from firmware.ui.screen.printers import JsonPrinter
from firmware.ui.screen.recall import Recall
from tests.firmware.conftest import PerfectEyes
from vision.camera.settling import CameraFeedback
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import Table

T = TypeVar("T")

TICK_S: Final = 0.25  # exact, so that a later time is as far from another one as before
SHORT: Final = Limits(cpu_s=10.0, asleep_s=0.2, wait_s=0.0)
"""What hangs here sleeps for ever: nobody has to wait long to be sure."""
KINDS: Final = ("raises", "hangs", "gives nonsense")
NONSENSE: Final[tuple[object, ...]] = (None, 7, "nonsense", object(), (None,), [])


class InjectedError(Exception):
    """What fails here."""


def parts() -> list[type]:
    """Every class of the program that attends the loop, but those of benches, doctors and simulated players."""
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(firmware.__path__, "firmware."):
        if ".workshop" in module.name or module.name.endswith("__main__"):
            continue
        for each in vars(importlib.import_module(module.name)).values():
            if isinstance(each, type) and each.__module__ == module.name and callable(getattr(each, "attend", None)):
                found[each.__qualname__] = each
    without = ("Helper", "Audience")
    return [each for name, each in sorted(found.items()) if name not in without and not getattr(each, "vital", False)]


@dataclass
class Fault:
    """Fails from the ``after``-th call on, ``times`` times."""

    kind: str
    after: int = 10
    times: int = 1
    nonsense: object = None
    hits: int = 0
    hanging: set[int] = field(default_factory=set)
    """The threads that hang in it."""
    _calls: int = 0
    _never: threading.Event = field(default_factory=threading.Event)

    def instead(self, does: Callable[..., Any]) -> Callable[..., Any]:
        """This method, which fails so."""

        def failing(*given: Any, **named: Any) -> Any:
            self._calls += 1
            if self._calls <= self.after or self.hits >= self.times:
                return does(*given, **named)
            return self._fail()

        return failing

    def _fail(self) -> object:
        self.hits += 1
        if self.kind == "raises":
            raise InjectedError(f"time {self.hits}")
        if self.kind == "hangs":
            thread = threading.get_native_id()
            self.hanging.add(thread)
            try:
                self._never.wait()
            finally:
                self.hanging.discard(thread)
        return self.nonsense

    def let_go(self) -> None:
        """End what hangs."""
        self._never.set()


def be_sure(changed: Any, fault: Callable[[], Fault]) -> None:
    """Whoever hangs is known at once, on any machine, and nobody else is taken for it; what failed is tried soon."""

    def sample(thread: int, _: Path) -> Sample:
        return Sample(thread not in fault().hanging, 0.0, 0)

    changed.setattr(guard_module, "GUARDED", Rule(0.2, 0.2))
    changed.setattr(guard_module, "SAMPLE_EVERY_S", 0.01)
    changed.setattr(guard_module, "sample_of", sample)
    changed.setattr("firmware.core.io.files.MAX_KEPT", 1000)


@dataclass(frozen=True)
class Script:
    """What the eyes saw of a match and who pressed, a look each."""

    table: Table
    looks: Sequence[tuple[TableObservation, tuple[Press, ...]]]


class Devices:
    """The camera, the eyes, buttons and lamps of a table at which a script is told."""

    vital = True
    run = calibration = best_calibration = None
    back_areas = back_tokens = ()
    parts = devices = ()  # of a panel

    def __init__(self, script: Script) -> None:
        self.script, self.table, self._frames = script, script.table, 0

    def read(self) -> Frame | None:
        self._frames += 1
        if self._frames > len(self.script.looks):
            return None
        return Frame(self._frames, self.script.looks[self._frames - 1][0].t_s, np.zeros((4, 4), np.uint8))

    def look(self, frame: Frame) -> Look:
        return Look(Seen(), self.script.looks[frame.index - 1][0], Drawn(), None, self.table)

    def due(self, now_s: float) -> tuple[Press, ...]:
        return self.script.looks[round(now_s / TICK_S)][1]

    def gestures(self, now_s: float) -> tuple[Any, ...]:
        return ()

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None:
        pass

    def show(self, lamps: Any) -> None:
        pass

    def close(self) -> None:
        pass


class Match(Devices):
    """A match with these parts beside it. ``kept`` is its journal, ``told`` what stood beside the eyes' sign."""

    def __init__(self, guard: Guard, script: Script, members: Sequence[Any] = (), journal: Any = None) -> None:
        super().__init__(script)
        self.kept: list[tuple[JournalEntry, Ruling, float]] = []
        self.told: list[str] = []
        self._journal = journal
        helpers = [each for each in members if isinstance(each, Helper)]
        audience = [each for each in members if not isinstance(each, Helper)]
        myself: Any = self
        given = (myself, myself, myself, myself, (*audience, myself), Settings(settle_s=1.0))
        self.loop = Loop(*given, People(BySide("Ana", "Bo"), "en"), helpers, mode="play", guard=guard)
        self.loop.open(MATCH)

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        self.kept.append((entry, ruling, t_s))
        if self._journal is not None:
            self._journal.append(entry, ruling, t_s)

    def attend(self, moment: Moment) -> None:
        self.told.append(moment.view.eyes.text)


MATCH: Final = MatchEvent("ferti-advanced", Side.WHITE, 1)


def recorded(table: Table) -> Script:
    """A whole match of two bots, which see what is ruled at every look before they make the next one."""
    bots: Any = BySide(GreedyBot(), GreedyBot())
    director, eyes = Director(table, MATCH, bots, random.Random(3), tick_s=TICK_S), PerfectEyes(table)
    looks: list[tuple[TableObservation, tuple[Press, ...]]] = []

    def go_on(shown: Shown | None) -> None:
        t_s = len(looks) * TICK_S
        if (tick := director.tick(t_s, shown)) is not None:
            looks.append((eyes.look(tick.scene, t_s), tick.presses))

    class Bots:
        def attend(self, moment: Moment) -> None:
            go_on(Shown.of(moment.desk, moment.view))

    guard = Guard()
    go_on(None)
    match = Match(guard, Script(table, looks), [Bots()])
    match.loop.run()
    guard.close()
    assert len(match.kept) > 5
    return match.script


Key = tuple[type, str]
"""What is asked of a part: its class, and what it does."""


class FailingGuard(Guard):
    """A guard whose parts fail in each of ``todo`` once, one after the other; ``asked`` is all that was asked of them.

    ``unguarded`` are public methods of parts that the loop's thread called past it.
    """

    def __init__(self, folder: Path, kind: str = "", todo: Iterable[Key] = ()) -> None:
        self.said: list[str] = []
        super().__init__(self.said.append, folder, Limits(cpu_s=10.0, asleep_s=0.0, wait_s=0.0))
        self._kind, self.todo, self._nonsense = kind, [*todo], cycle(NONSENSE)
        self.fault = Fault(kind)
        self.asked: Counter[Key] = Counter()
        self.blamed: list[Key] = []
        self.unguarded: set[Key] = set()
        self._within = threading.local()

    def call(self, member: object, doing: str, work: Callable[[], T], *given: Any, **named: Any) -> T:
        key = type(member), doing
        self.asked[key] += 1
        if self.todo[:1] == [key] and not self.is_out(member) and not self.fault.hanging:
            self.fault = Fault(self._kind, after=0, nonsense=next(self._nonsense))
            work = self.fault.instead(work)
            del self.todo[0]
        answer: T = super().call(member, doing, work, *given, **named)
        self.fault.let_go()
        return answer

    def attempt(self, work: Callable[[], T], **how: Any) -> T:
        def within() -> T:
            before, self._within.on = getattr(self._within, "on", False), True
            try:
                return work()
            finally:
                self._within.on = before

        return super().attempt(within, **how)

    def blame(self, member: object, doing: str, error: BaseException) -> None:
        self.blamed.append((type(member), doing))
        super().blame(member, doing, error)

    def look_on(self, changed: Any) -> None:
        """Note from now on what is called past it. ``changed`` is pytest's monkeypatch."""
        for part in parts():
            for name, found in vars(part).items():
                if not name.startswith("_") and hasattr(found, "__code__"):
                    changed.setattr(part, name, self._noting((part, name), found))

    def _noting(self, key: Key, does: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            here = threading.current_thread() is threading.main_thread()  # threads of its own are its own business
            if self.asked and here and not getattr(self._within, "on", False):
                self.unguarded.add(key)
            return does(*given, **named)

        return called


SIZE_PX: Final = (800, 480)


def played_whole(script: Script, folder: Path, guard: FailingGuard) -> list[tuple[object, object]]:
    """The rulings on the disk after a whole program played this, with every part that it has."""
    folder.mkdir()
    book, config, card = (folder / name for name in ("book.sqlite", "config.toml", "card.toml"))
    config.write_text('[events]\nat_turn = "true"\n[home]\nbroker = "127.0.0.1:9"\n', encoding="utf-8")
    write_card(card, JoinCard("club", "one", "127.0.0.1", 9))
    options = ["--camera", "0", "--config", config, "--scorebook", book, "--club", card, "--web", "0"]
    options += ["--out", folder / "out", "--record", folder / "recording", "--settle", "1"]
    options += ["--white", "Ana", "--black", "Bo", "--rules", "ferti-advanced", "--starter", "white"]
    wish = parsed(play_command.Play, [str(word) for word in (*options, "--points", "1")]).wish()
    window = Window(pygame.display.set_mode(SIZE_PX))
    table: Any = Devices(script)
    with ExitStack() as held, redirect_stdout(io.StringIO()):
        held.enter_context(closing(guard))
        sitting = Sitting(
            wish.table,
            Panel(table, table, Sounder(), ""),
            PanelAudience(table, Sounder()),
            window,
            OpenCamera(table, RecordedPresses(), live=True),
            Setup(table.table, TABLE_FILE.read_text(encoding="utf-8")),
            SoundAudience(open_player(50), open_voice, "off", open_player, 50),
            table,
            table,
            Recall(10.0, 10.0),
            WatchdogAudience(Notifier({}), lambda: False, lambda: 0.0),
            RememberedLens(folder / "lens.toml", "# lens"),
            held.enter_context(closing(Tidy())),
            EyesTold(CameraFeedback()),
            watch=Watch(guard.said.append, lambda: 0.0),
            guard=guard,
        )
        play_command.play(wish, sitting, held, (JsonPrinter(io.StringIO()),))
    found = read_scorebook(book)
    assert found is not None
    with found:
        (played,) = found.replay_all()
    return [(row.event, row.ruling) for row in played.rows]


@dataclass(frozen=True)
class Disturbed:
    """A match in which all that is asked of each part failed so once: its rulings, beside the undisturbed ones."""

    kind: str
    before: list[tuple[object, object]]
    after: list[tuple[object, object]]
    asked: list[Key]
    guard: FailingGuard
    kept: frozenset[str]
    """The reports that were kept, each by its part and what that did: ``lamps-attend``."""


def disturbed_matches(script: Script, folder: Path, changed: Any) -> Iterator[Disturbed]:
    """The whole program, undisturbed once and then disturbed in each way. ``changed`` is pytest's monkeypatch."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ENGARDE_DECKS"):
        changed.setenv(name, str(folder))
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER"):
        changed.setenv(name, "dummy")
    # A fifth of the time of these matches went into packing the pictures of their screens.
    changed.setattr("firmware.ui.screen.screens.png_of", lambda surface: b"a picture of the screen")
    pygame.display.init()
    guard = FailingGuard(folder / "reports")
    be_sure(changed, lambda: guard.fault)
    guard.look_on(changed)
    before = played_whole(script, folder / "undisturbed", guard)
    assert (guard.blamed, guard.todo) == ([], [])
    # A recorder keeps frames where they are read, and stops by itself when that fails.
    unguarded = {name for _, name in guard.unguarded}
    assert unguarded <= {"close", "keep", "look_up"}, "the rest is called in the guard's sight"
    asked = [key for key in guard.asked if key[0] in parts()]
    for kind in KINDS:
        guard = FailingGuard(folder / kind / "reports", kind, asked)
        after = played_whole(script, folder / kind, guard)
        kept = (folder / kind / "reports").glob("*.txt")
        yield Disturbed(kind, before, after, asked, guard, frozenset(path.stem.split("-", 2)[2] for path in kept))
    pygame.display.quit()
