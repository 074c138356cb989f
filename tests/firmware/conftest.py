"""What the firmware's tests share."""

from __future__ import annotations

import io
import json
import shutil
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from display.lamps import LAMPS
from engine.record.answers import ruling_to_json
from engine.record.corrections import Correction, Setting
from engine.record.course import Course, JournalEntry, follow
from engine.rules.events import Event, MatchEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import SPACES, BySide, Side
from engine.table.desk import EndTurn
from engine.table.observation import CardReading, FigureProblem, FigureReading, Sight, TableObservation, Why
from firmware.book.scorebook.book import MatchJournal, MatchRow, Row, Scorebook
from firmware.table.panel.devices import Lights
from tests.matches import match_of
from tests.tables import SMALL_TABLE, SMALL_TABLE_TEXT, TABLE
from vision.printed.table import Table
from vision.synthetic.scene import Scene


@pytest.fixture
def small_table(tmp_path: Path) -> list[str]:
    """Options for a command at the simulated table: its camera gives smaller pictures."""
    (tmp_path / "small.toml").write_text(SMALL_TABLE_TEXT, encoding="utf-8")
    return ["--camera", "synthetic", "--table", str(tmp_path / "small.toml")]


@pytest.fixture(scope="session")
def table() -> Table:
    return TABLE


@pytest.fixture(autouse=True, scope="session")
def folders_of_our_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What commands keep for the next time stays out of the user's own cache folder, and the user's settings and table
    file, which would change what they do, are not found. Gives the folder for settings.
    """
    settings = tmp_path_factory.mktemp("settings")
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        changed.setenv("XDG_CONFIG_HOME", str(settings))
        yield settings


@pytest.fixture(autouse=True)
def what_a_test_sets_ends_with_it(folders_of_our_own: Path) -> Iterator[None]:
    """What was set in the menu is not in force in the next test, whichever that is."""
    yield
    shutil.rmtree(folders_of_our_own / "engarde", ignore_errors=True)


@pytest.fixture
def port() -> Iterator[int]:
    """A port for a server of this test. It is held meanwhile: Linux gives it to nobody who asks for any port, and lets
    those have it who ask for it by its number with SO_REUSEADDR, as servers do."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("", 0))
        yield int(held.getsockname()[1])


@pytest.fixture
def taken_port(port: int) -> Iterator[tuple[int, socket.socket]]:
    """A port of this machine that somebody listens at, and who does: once closed, nobody else has taken it."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        yield port, other


@pytest.fixture(autouse=True, scope="session")
def books_are_waited_for() -> Iterator[None]:
    """However slow a day is, the menu shows what is in the book."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("firmware.ui.menu.machine.SOON_S", 60.0)
        yield


@dataclass(slots=True)
class SetClock:
    """A clock that stands still until it is set."""

    now: float = 0.0
    wall: float = 0.0

    def now_s(self) -> float:
        return self.now

    def wall_s(self) -> float:
        return self.wall


class LampRecord(Lights):
    """Keeps what was shown, as text: one entry for every change, the names of the lamps that shine."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def show(self, lamps: Mapping[str, bool]) -> None:
        text = " ".join(name for name in LAMPS if lamps[name])
        if not self.shown or self.shown[-1] != text:
            self.shown.append(text)

    def close(self) -> None:
        self.show(dict.fromkeys(LAMPS, False))

    @property
    def devices(self) -> list[Any]:
        return [self]


RECORDED_FRAMES: Final = 110
RECORDED_MATCH: Final = MatchEvent("ferti-advanced", Side.WHITE, 2)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """The beginning of a match with mistakes, corrected once: its recording, and what was printed of it."""
    from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
    from firmware.table.camera.recorded import header_of
    from firmware.table.camera.setup import RecordedMatch, Setup
    from firmware.table.loop.moment import NoJournal, People
    from firmware.table.loop.requests import Enter
    from firmware.table.recording.recorder import Recorder
    from firmware.ui.screen.printers import JsonPrinter
    from vision.synthetic.camera import PRESETS

    path, live = tmp_path_factory.mktemp("recorded") / "match.rec", io.StringIO()
    plan = MatchPlan(RECORDED_MATCH, seed=5, mistakes=0.6, disturbances=PRESETS["typical"])
    people = People(BySide("Anna", "Ben"), "en")
    match = SimulatedMatch(plan, SMALL_TABLE, NoJournal(), (JsonPrinter(live),), people)
    begun = RecordedMatch((plan.match,), people.names, EndTurn.BUTTON, plan.settle_s, opened=True)
    recorder = Recorder(path, header_of(Setup(SMALL_TABLE, SMALL_TABLE_TEXT, None, begun)), 1000, pytest.fail)
    match.loop._source = recorder.source(match.loop._source)
    match.loop.helpers = (*match.loop.helpers, recorder)
    for number in range(RECORDED_FRAMES):
        if number == RECORDED_FRAMES - 5:
            match.loop.ask(Enter(Correction((Setting(score=BySide(1, 0)),), "the table is right")))
        assert match.loop.advance() is not None
    recorder.close()
    return path, [json.loads(line) for line in live.getvalue().splitlines()]


BotMatch = Callable[..., tuple[Event, ...]]
Keep = Callable[..., PublicState]


@lru_cache(maxsize=256)
def events_of(seed: int, rules: str, points: int, starter: Side) -> tuple[Event, ...]:
    return tuple(each.event for each in match_of(MatchEvent(rules, starter, points), Random(seed)))


def whole_match(seed: int, points: int = 2) -> tuple[Event, ...]:
    """Every event of a random match."""
    return events_of(seed, "ferti-advanced", points, Side.WHITE)


@pytest.fixture(scope="session", name="whole_match")
def whole_match_fixture() -> Callable[..., tuple[Event, ...]]:
    return whole_match


def keep(journal: MatchJournal, events: Iterable[Event], state: PublicState | None = None) -> PublicState | None:
    """Judge these events from this state on and put each into the journal; the state after them."""
    for number, event in enumerate(events):
        state, ruling = judge(state, event)
        assert ruling.ok, (event, ruling)
        journal.append(event, ruling, float(number))
    return state


@pytest.fixture(scope="session", name="keep")
def keep_fixture() -> Callable[..., PublicState | None]:
    return keep


def fill(book: Scorebook, names: BySide[str], entries: Iterable[JournalEntry], wall_s: float = 1_800_000_000.0) -> int:
    """Put a match with these entries into the book at once, which is faster than one by one; gives its number."""
    course: Course | None = None
    rows = []
    for seq, entry in enumerate(entries, 1):
        course, ruling = follow(course, entry)
        assert ruling.ok, (entry, ruling)
        rows.append(Row(seq, entry, ruling_to_json(ruling), float(seq), wall_s + seq))
    return book.add_all([(MatchRow(0, names, "play", None, wall_s), rows)])[0]


@pytest.fixture(scope="session", name="fill")
def fill_fixture() -> Callable[..., int]:
    return fill


def bot_match(
    seed: int, rules: str = "ferti-advanced", points: int = 2, starter: Side = Side.WHITE
) -> tuple[Event, ...]:
    """The events of a whole match of two random bots: the same for the same seed."""
    return events_of(seed, rules, points, starter)


@pytest.fixture(scope="session", name="bot_match")
def bot_match_fixture() -> BotMatch:
    return bot_match


def keep_match(book: Scorebook, white: str, black: str, events: Iterable[Event], mode: str = "play") -> PublicState:
    """Put a match's events into a book; the state it ends in."""
    book.connection.execute("PRAGMA synchronous = OFF")  # nobody pulls the plug on a test
    state = keep(book.begin(BySide(white, black), mode=mode), events)
    assert state is not None
    return state


@pytest.fixture(scope="session", name="keep_match")
def keep_match_fixture() -> Keep:
    return keep_match


HOLD_TICKS = 3


class PerfectEyes:
    """Agreement as vision promises it, from the scene instead of from pixels."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._laid_at_s: dict[tuple[object, float, float], float] = {}
        self._agreed: tuple[tuple[CardReading, ...], BySide[FigureReading]] | None = None
        self._since_s = 0.0
        self._clear_ticks = 0

    def look(self, scene: Scene, t_s: float) -> TableObservation:
        self._clear_ticks = 0 if scene.hands else self._clear_ticks + 1
        if self._agreed is None or self._clear_ticks >= HOLD_TICKS:
            agreed = self._cards(scene, t_s), self._figures(scene)
            if agreed != self._agreed:
                self._agreed, self._since_s = agreed, t_s
        cards, figures = self._agreed
        steady = self._clear_ticks >= HOLD_TICKS
        sight, why = (Sight.STEADY, None) if steady else (Sight.CHECKING, Why.HAND)
        return TableObservation(t_s, self._since_s, figures, cards, sight, why)

    def _cards(self, scene: Scene, t_s: float) -> tuple[CardReading, ...]:
        here = {(card.card, card.x_mm, card.y_mm) for card in scene.cards}
        self._laid_at_s = {key: at for key, at in self._laid_at_s.items() if key in here}
        return tuple(
            CardReading(
                card.card, card.x_mm, card.y_mm, self._laid_at_s.setdefault((card.card, card.x_mm, card.y_mm), t_s)
            )
            for card in sorted(scene.cards, key=lambda card: card.level)
        )

    def _figures(self, scene: Scene) -> BySide[FigureReading]:
        def read(side: Side) -> FigureReading:
            figure = scene.white if side is Side.WHITE else scene.black
            if figure is None:
                return FigureReading(None, FigureProblem.HIDDEN)
            x_mm = figure.x_mm
            space = min(range(1, SPACES + 1), key=lambda space: abs(self._table.space_mm(space).x - x_mm))
            return FigureReading(space, None, x_mm)

        return BySide(read(Side.WHITE), read(Side.BLACK))


@pytest.fixture(scope="session")
def perfect_eyes() -> Callable[[Table], PerfectEyes]:
    """Eyes that see a simulated table as it is."""
    return PerfectEyes
