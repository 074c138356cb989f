"""A match that goes on whatever is done to its parts: what the eyes saw and who pressed is recorded once, then told
again to the program with a fault put in.

``Injector`` makes one public method after the other fail, ``WholeTable`` is the camera, the eyes and the people of a
whole ``engarde play``.
"""

from __future__ import annotations

import importlib
import io
import pkgutil
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
import pygame

import firmware
from display.draw.theme import DEFAULT
from display.menu.lines import Do, Goto, Of, Pick
from display.screens.menu import MenuPart, draw_menu
from display.window import Window
from engine.players.players import GreedyBot
from engine.record.course import JournalEntry
from engine.rules.events import MatchEvent
from engine.rules.rulings import Ruling
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.observation import TableObservation
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import read_scorebook
from firmware.cli.commands import play as play_command
from firmware.cli.commands.declared import parsed
from firmware.cli.sitting.sitting import Sitting
from firmware.core.config import SETTINGS
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
from firmware.table.loop.watched import Rule
from firmware.table.panel.buttons import RecordedPresses
from firmware.table.panel.devices import NoPart, Panel
from firmware.table.panel.patterns import AllPresses, PanelAudience
from firmware.table.readers.progress import Limits, Sample
from firmware.table.recording import recorder as recorder_module
from firmware.table.service.retry import Watch
from firmware.table.service.watchdog import Notifier, WatchdogAudience
from firmware.table.sound.sound import SoundAudience, open_player
from firmware.table.sound.voice import open_voice
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.printers import JsonPrinter
from firmware.ui.screen.recall import Recall
from tests.firmware.conftest import PerfectEyes
from vision.camera.settling import CameraFeedback
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import Table

TICK_S: Final = 0.25  # exact, so that a later time is as far from another one as before
SHORT: Final = Limits(cpu_s=10.0, asleep_s=0.2, wait_s=0.0)
"""What hangs here sleeps for ever: nobody has to wait long to be sure."""
CALLED: Final = ("asks", "sift", "hear", "advise", "attend", "anew")
"""What the loop and its guard call of a part."""
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
    hits: int = 0
    hanging: set[int] = field(default_factory=set)
    """The threads that hang in it."""
    nonsense: object = None
    _calls: int = 0
    _never: threading.Event = field(default_factory=threading.Event)

    def instead(self, does: Callable[..., Any]) -> Callable[..., Any]:
        """This method, which fails so."""

        def failing(*given: Any, **named: Any) -> Any:
            self._calls += 1
            if self._calls <= self.after or self.hits >= self.times:
                return does(*given, **named)
            return self.fail()

        return failing

    def fail(self) -> object:
        """Fail now."""
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


@dataclass(frozen=True)
class Script:
    """What the eyes saw of a match and who pressed, a look each; ``turns`` are the looks at which something fell."""

    table: Table
    looks: tuple[tuple[TableObservation, tuple[Press, ...]], ...]
    turns: tuple[int, ...]


class Match:
    """A match before eyes that see everything, with these parts beside it: of two bots, or told from a script."""

    vital = True

    def __init__(
        self,
        table: Table,
        guard: Guard,
        members: Sequence[Any] = (),
        script: Script | None = None,
        journal: Any = None,
    ) -> None:
        self.table, self.run, self.back_areas, self.back_tokens = table, None, (), ()
        self.looks: list[tuple[TableObservation, tuple[Press, ...]]] = []
        self.turns: list[int] = []
        self.kept: list[tuple[JournalEntry, Ruling, float]] = []
        self.told: list[str] = []
        self._journal = journal
        self._script = script
        self._frames = 0
        self._shown: Shown | None = None
        self._tick: Any = None
        match = MatchEvent("ferti-advanced", Side.WHITE, 1)
        bots: Any = BySide(GreedyBot(), GreedyBot())
        self._eyes = PerfectEyes(table)
        self._director = Director(table, match, bots, random.Random(3), tick_s=TICK_S)
        helpers = [each for each in members if isinstance(each, Helper)]
        audience = [each for each in members if not isinstance(each, Helper)]
        myself: Any = self
        given = (myself, myself, myself, myself, (*audience, myself), Settings(settle_s=1.0))
        self.loop = Loop(*given, People(BySide("Ana", "Bo"), "en"), helpers, mode="play", guard=guard)
        self.loop.open(match)

    def read(self) -> Frame | None:
        t_s = round(self._frames * TICK_S, 6)
        if self._script is None:
            self._tick = self._director.tick(t_s, self._shown)
        self._frames += 1
        over = self._tick is None if self._script is None else self._frames > len(self._script.looks)
        return None if over else Frame(self._frames, t_s, np.zeros((4, 4), np.uint8))

    def look(self, frame: Frame) -> Look:
        if self._script is None:
            seen = self._eyes.look(self._tick.scene, frame.t_s), self._tick.presses
        else:
            seen = self._script.looks[frame.index - 1]
        self.looks.append(seen)
        return Look(Seen(), seen[0], Drawn(), None, self.table)

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None:
        pass

    def due(self, now_s: float) -> tuple[Press, ...]:
        if self._script is None:
            return self.looks[-1][1]
        return self._script.looks[self._frames - 1][1]

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        self.kept.append((entry, ruling, t_s))
        self.turns.append(self._frames)
        if self._journal is not None:
            self._journal.append(entry, ruling, t_s)

    def attend(self, moment: Moment) -> None:
        self._shown = Shown.of(moment.desk, moment.view)
        self.told.append(moment.view.eyes.text)

    def close(self) -> None:
        pass


def recorded(table: Table) -> Script:
    """A whole match of two bots."""
    guard = Guard()
    match = Match(table, guard)
    match.loop.run()
    guard.close()
    assert len(match.kept) > 5
    return Script(table, tuple(match.looks), tuple(match.turns))


def stand_in(part: type, doing: str, fault: Fault) -> Any:
    """One of this class as the loop meets it, whose other methods do what those of any helper do."""
    base = Helper if issubclass(part, Helper) else object
    silent = {name: getattr(Helper, name) for name in CALLED if base is Helper}
    if base is object:
        silent = {"attend": lambda self, moment: None, "anew": lambda self: None}
    members = {**silent, "__init__": lambda self: setattr(self, "_asked", []), "__module__": part.__module__}
    made = type(part.__name__, (part,), members)()
    setattr(made, doing, fault.instead(getattr(made, doing)))
    return made


Key = tuple[type, str]
"""A public method, or what is asked like a value, of a class."""


class Injector:
    """Calls of all public methods of all parts pass here: ``armed`` fails at its next call."""

    def __init__(self) -> None:
        self.counted: dict[str, Counter[Key]] = {}
        self.phase = "start"
        self.armed: Key | None = None
        self._then: tuple[Key, Fault] | None = None
        self.fault = Fault("raises")
        self._looks_on = threading.local()
        self.gives: set[Key] = set()
        """Those that give something."""
        self.made: dict[type, Any] = {}
        """The last of each class that was called."""

    def public(self) -> Iterator[Key]:
        """All there are."""
        for part in parts():
            inherited = ("asks", "anew") if issubclass(part, Helper) else ()
            for name in dict.fromkeys((*vars(part), *inherited)):
                found = part.__dict__.get(name, getattr(Helper, name, None))
                if not name.startswith("_") and (isinstance(found, property) or hasattr(found, "__code__")):
                    yield part, name

    def install(self, changed: Any) -> None:
        """Put itself in the place of all of them. ``changed`` is pytest's monkeypatch."""
        for key in [*self.public()]:
            part, name = key
            found: Any = part.__dict__.get(name, getattr(Helper, name, None))
            if isinstance(found, property):
                changed.setattr(part, name, property(self._instead(key, found.fget)))
            else:
                changed.setattr(part, name, self._instead(key, found))

    def _instead(self, key: Key, does: Any) -> Any:
        def called(its: Any, *given: Any, **named: Any) -> Any:
            if getattr(self._looks_on, "on", False):
                return does(its, *given, **named)
            self.made[key[0]] = its
            self.counted.setdefault(self.phase, Counter())[key] += 1
            if self.armed == key:
                return self._fails()
            answer = does(its, *given, **named)
            if answer is not None:
                self.gives.add(key)
            return answer

        return called

    def arm(self, key: Key, fault: Fault) -> None:
        """Have this fail so at its next call; ``anew`` is only called where the part failed before."""
        self.armed, self.fault, self._then = key, fault, None
        if key[1] == "anew":
            self.armed, self.fault, self._then = (key[0], "asks"), Fault("raises"), (key, fault)

    def _fails(self) -> object:
        fault, self.armed = self.fault, None
        if self._then is not None:
            (self.armed, self.fault), self._then = self._then, None
        return fault.fail()

    @contextmanager
    def looking_on(self) -> Iterator[None]:
        """What is called here is the test's own."""
        self._looks_on.on = True
        yield
        self._looks_on.on = False


@dataclass(frozen=True)
class Calls:
    """What is called in a match: at every moment, seldom, and only at a visit (which)."""

    always: tuple[Key, ...]
    seldom: tuple[Key, ...]
    visited: dict[Key, str]

    @classmethod
    def of(cls, counted: dict[str, Counter[Key]]) -> Calls:
        played = counted["play"]
        often = played[TableMenu, "asks"] // 2
        visited: dict[Key, str] = {}
        for visit in VISITS:
            for key in counted.get(visit, ()):
                if key not in played:
                    visited.setdefault(key, visit)
        # A part that is asked for something may fail, and is begun anew then.
        begun = tuple((part, "anew") for part, name in played if name == "asks")
        always = tuple(key for key, count in played.items() if count >= often)
        return cls((*always, *begun), tuple(key for key, count in played.items() if count < often), visited)

    @property
    def all(self) -> set[Key]:
        return {*self.always, *self.seldom, *self.visited}


KINDS: Final = ("raises", "hangs", "gives nonsense")


def be_sure(changed: Any, faults: Callable[[], Iterable[Fault]]) -> None:
    """Whoever hangs is known at once, on any machine, and nobody else is taken for it; what failed is tried soon."""

    def sample(thread: int, _: Path) -> Sample:
        return Sample(not any(thread in fault.hanging for fault in faults()), 0.0, 0)

    changed.setattr(guard_module, "GUARDED", Rule(0.2, 0.2))
    changed.setattr(guard_module, "SAMPLE_EVERY_S", 0.01)
    changed.setattr(guard_module, "sample_of", sample)
    changed.setattr("firmware.core.io.kept.MAX_KEPT", 1000)


@dataclass(frozen=True)
class Disturbed:
    """A match in which every public method of every part failed so, beside the undisturbed one."""

    kind: str
    before: WholeTable
    after: WholeTable
    calls: Calls
    kept: frozenset[str]
    """The reports that were kept, each by its part and what that did: ``lamps-attend``."""


def disturbed_matches(script: Script, folder: Path, injector: Injector, changed: Any) -> Iterator[Disturbed]:
    """The whole program, undisturbed once and then disturbed in each way. ``changed`` is pytest's monkeypatch."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ENGARDE_DECKS"):
        changed.setenv(name, str(folder))
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER"):
        changed.setenv(name, "dummy")
    changed.setattr(recorder_module, "READY_WITHIN_S", 0.1)
    pygame.display.init()
    injector.install(changed)
    be_sure(changed, lambda: (injector.fault,))
    before = WholeTable(script, folder / "before", injector)
    before.play(before.undisturbed())
    calls = Calls.of(injector.counted)
    for kind in KINDS:
        after = WholeTable(script, folder / kind, injector)
        after.play(after.disturbed(kind, calls))
        reports = (folder / kind / "reports").glob("*.txt")
        yield Disturbed(kind, before, after, calls, frozenset(path.stem.split("-", 2)[2] for path in reports))
    pygame.display.quit()


RECOVERS_FRAMES: Final = 3
"""A part that failed is begun anew in the first, is on trial in the second, and as before in the third."""


class WholeTable:
    """The camera, the eyes and the people of a whole ``engarde play`` at which ``faults`` are put in.

    The people do what the script says, and between turns what is named in ``visits``, at the menu. ``rulings`` are what
    is in the book on the disk in the end.
    """

    vital = True
    run = None
    back_areas = back_tokens = ()
    calibration = best_calibration = None

    def __init__(self, script: Script, folder: Path, injector: Injector) -> None:
        self.script, self.table, self._folder, self._injector = script, script.table, folder, injector
        self.said: list[str] = []
        self.blamed: list[tuple[str, str]] = []
        self.ended: list[str] = []
        """Parts that ended by themselves for good, and said so."""
        self.done: list[tuple[Key, str, str]] = []
        self._index, self._at, self._fresh, self._holds, self._over = -1, -1, False, False, False
        self._moment: Moment | None = None
        self._people = self.undisturbed()
        self._pressed: list[Button] = []
        self._when_s = {0.0: 0.0}
        self.rulings: list[tuple[object, object]] = []

    # -- camera, eyes, buttons and lamps

    def read(self) -> Frame | None:
        self._index += 1
        return None if self._over else Frame(self._index, round(self._index * TICK_S, 6), np.zeros((4, 4), np.uint8))

    def look(self, frame: Frame) -> Look:
        self._fresh = not self._holds and self._at + 1 < len(self.script.looks)
        self._at += self._fresh
        seen = self.script.looks[self._at][0]
        if self._fresh:
            self._when_s[seen.t_s] = frame.t_s
        when_s = self._when_s
        cards = tuple(replace(each, laid_at_s=when_s[each.laid_at_s]) for each in seen.cards)
        seen = replace(seen, t_s=frame.t_s, since_s=when_s[seen.since_s], cards=cards)
        return Look(Seen(), seen, Drawn(), None, self.table)

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed = [each.button for each in self.script.looks[self._at][1]] if self._fresh else self._pressed
        self._pressed = []
        return tuple(Press(now_s, each) for each in pressed)

    def gestures(self, now_s: float) -> tuple[Any, ...]:
        return ()

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None:
        pass

    def show(self, lamps: Any) -> None:
        pass

    def close(self) -> None:
        pass

    def reopen(self) -> None:
        pass

    # -- people

    def attend(self, moment: Moment) -> None:
        self._moment = moment
        if next(self._people, "over") == "over":
            self._over, self._injector.phase = True, "end"

    def undisturbed(self) -> Iterator[None]:
        """Nobody disturbs it, and every visit is paid once."""
        visits = [*VISITS]
        for at in range(1, len(self.script.looks)):
            self._holds = False
            yield
            while at + 1 in self.script.turns[2:] and visits:
                self._injector.phase = visits.pop(0)
                yield from self._visit(self._injector.phase)
                self._injector.phase = "play"
            self._injector.phase = "play"
        assert not visits

    def disturbed(self, kind: str, calls: Calls) -> Iterator[None]:
        """All these are disturbed, one after the other, while it is played and at visits."""
        todo: list[tuple[Key, object]] = []
        for key in calls.always:
            all_of_it = kind == "gives nonsense" and key in self._injector.gives
            values = NONSENSE if all_of_it and key[1] in CALLED else NONSENSE[:3] if all_of_it else (None,)
            todo += [(key, value) for value in values]
        seldom, paid = [*calls.seldom], [*calls.visited.items()]
        steps = range(10, len(self.script.looks))
        each, share = -(-len(todo) // (len(steps) // 2)), -(-len(paid) // 10)
        for _ in range(1, steps.start):
            yield
        waits = False
        for at in steps:
            self._holds = False
            if seldom and at + 7 in self.script.turns:  # it is called when something falls, if at all
                waits = True
                self._arm(kind, seldom.pop(0))
            if waits:
                yield
            elif todo:
                if kind == "gives nonsense":  # a wrong yes or no may open a menu: nobody is to press just then
                    yield
                    self._holds = True
                for key, value in todo[:each]:
                    self._arm(kind, key, value)
                    yield
                    yield from self._recover()
                del todo[:each]
            else:
                yield
            if at + 1 in self.script.turns[2:]:
                if waits:
                    waits = False
                    yield from self._recover()
                for key, visit in paid[:share]:
                    self._arm(kind, key)
                    yield from self._visit(visit)
                    yield from self._recover()
                del paid[:share]
        assert (todo, seldom, paid) == ([], [], [])

    def _arm(self, kind: str, key: Key, nonsense: object = None) -> None:
        """Have it fail at its next call; one that is only called when its part begins anew, after that has failed."""
        self.blamed.clear()
        self.ended.clear()
        self._injector.arm(key, Fault(kind, nonsense=nonsense))
        self._key = key

    def _recover(self) -> Iterator[None]:
        self._holds = True
        for _ in range(RECOVERS_FRAMES):
            if self._injector.armed is not None:
                yield
        missed = self._injector.armed is not None
        self._injector.armed = None
        yield
        self._injector.fault.let_go()
        for _ in range(RECOVERS_FRAMES):
            yield
        yield from self._leave()
        told = ", ".join([*(f"{name}.{doing}" for name, doing in self.blamed), *self.ended])
        self.done.append((self._key, self._injector.fault.kind, "never called" if missed else told))

    def _visit(self, name: str) -> Iterator[None]:
        """Somebody does this at the menu, and leaves it."""
        self._holds = True
        yield
        for step in VISITS[name]:
            with self._injector.looking_on():
                self._do(step)
            yield
        yield from self._leave()

    def _leave(self) -> Iterator[None]:
        """Leave the menu, if it is open."""
        for _ in range(30):
            if self._moment is None or not self._moment.held:
                break
            post(pygame.K_ESCAPE)
            yield

    def _do(self, step: Any) -> None:
        """A button of the panel, a key, letters, a line of the page by the keys, or a place of one by a finger."""
        if isinstance(step, Button):
            self._pressed.append(step)
        elif isinstance(step, int):
            post(step)
        elif isinstance(step, str):
            for letter in step:
                post(ord(letter), letter)
        else:
            menu: TableMenu | None = self._injector.made.get(TableMenu)
            page = menu.page if menu is not None else None
            if menu is None or menu.menu is None or page is None:
                return
            part, line = step if isinstance(step, tuple) else (None, step)
            lines = [item.key for item in page.items]
            if line not in lines:
                return
            number = lines.index(line)
            if part is None:
                for _ in range((number - menu.menu.here.at) % len(lines)):
                    post(pygame.K_RIGHT if page.columns > 1 else pygame.K_DOWN)
                post(pygame.K_RETURN)
                return
            drawn = draw_menu(pygame.Surface(SIZE_PX), page, menu.menu, "en")
            box = next((each.box for each in drawn.targets if each.part is part and each.number == number), None)
            if box is not None:
                pygame.event.post(
                    pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(box.left + 2, box.centery), button=1, touch=False)
                )

    def play(self, people: Iterator[None]) -> None:
        """The whole program plays it, with every part that it has."""
        self._people = people
        self._folder.mkdir()
        book, config, card = (self._folder / name for name in ("book.sqlite", "config.toml", "card.toml"))
        config.write_text('[events]\nat_turn = "true"\n[home]\nbroker = "127.0.0.1:9"\n', encoding="utf-8")
        write_card(card, JoinCard("club", "one", "127.0.0.1", 9))
        options = ["--camera", "0", "--config", config, "--scorebook", book, "--club", card, "--web", "0"]
        options += ["--out", self._folder / "out", "--record", self._folder / "recording", "--settle", "1"]
        options += ["--white", "Ana", "--black", "Bo", "--rules", "ferti-advanced", "--starter", "white"]
        wish = parsed(play_command.Play, [str(word) for word in (*options, "--points", "1")]).wish()
        window = Window(pygame.display.set_mode(SIZE_PX))
        myself: Any = self
        with ExitStack() as held, redirect_stdout(io.StringIO()):
            guard = held.enter_context(closing(Guard(self.said.append, self._folder / "reports", SURE)))
            blame = guard.blame

            def blamed(member: object, doing: str, error: BaseException) -> None:
                self.blamed.append((getattr(member, "value", type(member).__name__), doing))
                blame(member, doing, error)

            def said(sentence: str) -> None:
                self.ended += ["recording.frame"] if " has stopped: " in sentence else []

            guard.blame = blamed  # type: ignore[method-assign]
            held.enter_context(mock.patch.object(play_command, "say", said))
            sitting = Sitting(
                True,
                DEFAULT,
                Panel(myself, myself, NoPart(), ""),
                PanelAudience(myself, NoPart()),
                window,
                OpenCamera(myself, RecordedPresses(), live=True),
                Setup(self.table, TABLE_FILE.read_text(encoding="utf-8")),
                SoundAudience(open_player(50), open_voice, "off", open_player, 50),
                AllPresses(RecordedPresses(), myself, lambda: 0.0),
                myself,
                Recall(10.0, 10.0),
                WatchdogAudience(Notifier({}), lambda: False, lambda: 0.0),
                RememberedLens(self._folder / "lens.toml", "# lens"),
                held.enter_context(closing(Tidy())),
                EyesTold(CameraFeedback()),
                wish=wish.table,
                watch=Watch(self.said.append, lambda: self._index * TICK_S),
                guard=guard,
            )
            play_command.play(wish, sitting, held, (JsonPrinter(io.StringIO()), myself))
        found = read_scorebook(book)
        assert found is not None
        with found:
            (played,) = found.replay_all()
        self.rulings = [(row.event, row.ruling) for row in played.rows]


SIZE_PX: Final = (800, 480)
SURE: Final = Limits(cpu_s=10.0, asleep_s=0.0, wait_s=0.0)


def post(key: int, letter: str = "") -> None:
    """A key goes down."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letter))


BOTH: Final = (Button.WHITE, Button.BLACK)
VOLUME: Final = SETTINGS["sound.volume_percent"]
VISITS: Final[dict[str, tuple[Any, ...]]] = {
    "tries lamps and sounds": (pygame.K_m, Goto.MORE, Goto.HEALTH, Do.TEST),
    "sets the volume": (pygame.K_m, Goto.MORE, Goto.SETTINGS, VOLUME, pygame.K_UP, pygame.K_RETURN, "", "", ""),
    "touches the menu": (
        pygame.K_m,
        Goto.MORE,
        Goto.START,
        (MenuPart.MORE, Pick.AGAINST),
        (MenuPart.ROW, Pick.AGAINST),
    ),
    "writes a name": (
        pygame.K_m,
        Goto.MORE,
        Goto.START,
        Of(Pick.NAME, Side.WHITE),
        pygame.K_UP,
        pygame.K_UP,
        pygame.K_RETURN,
        "Eva",
    ),
    "keeps by hand": (pygame.K_h,),
    "pauses": (pygame.K_m, Do.PAUSE, pygame.K_m, Do.RESUME),
    "wants hints": (pygame.K_m, Goto.MORE, Do.HINTS, *BOTH, pygame.K_m, Goto.MORE, Do.END_HINTS),
    "retells": (pygame.K_e,),
}
"""What somebody does at the menu: keys, letters, lines, places of lines under a finger, buttons of the panel."""
