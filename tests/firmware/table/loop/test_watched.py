"""What may come late or go away: the rules, the state machine, the runner; with parts that come, go, raise and hang."""

from __future__ import annotations

import math
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from display.i18n import LANGUAGES, words
from display.view import DeviceSituation, MissingPart, Situation
from display.words.present import present
from engine.table.desk import Desk
from firmware.cli.main import entry, main
from firmware.core.errors import TEMPORARY_FAILURE, EngardeError
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import GRACE_S, RULES, TOLD_S, Part, PartLostError, Rule, Search, Watch, Watched
from firmware.table.service.watchdog import LAST_RESORT_S, Notifier, WatchdogAudience
from tests.firmware.conftest import SetClock
from vision.frame import Frame
from vision.look import Look

ANYTHING = [OSError("gone"), RuntimeError("x"), AttributeError("allocator"), KeyError("main"), ValueError("YUV420")]


def _moment(*, held: bool = False) -> Moment:
    return cast(Moment, SimpleNamespace(frame=Frame(0, 0.0, np.zeros((2, 2), np.uint8)), held=held))


def _shown(watch: Watch) -> Situation:
    return watch.advise(Situation(None), cast(Look, None), Desk())


class Device:
    """Something that can be looked for: it is ``there`` or not, raises, or hangs until it is let go."""

    def __init__(self) -> None:
        self.there = False
        self.raises: Exception | None = None
        self.hangs = False
        self.looks: list[float] = []
        self.at_once = 0

    def look(self) -> bool:
        if self.raises is not None:
            raise self.raises
        return self.there


class Threads:
    """Runs looks aside: at once, or, while the device hangs, only when it is let go."""

    def __init__(self, device: Device, clock: SetClock) -> None:
        self._device, self._clock = device, clock
        self.waiting: list[Callable[[], None]] = []

    def __call__(self, run: Callable[[], None]) -> None:
        self._device.looks.append(self._clock.now)
        assert not self.waiting, "never two looks at once"
        if self._device.hangs:
            self.waiting.append(run)
        else:
            run()

    def let_go(self) -> None:
        waiting, self.waiting = self.waiting, []
        for run in waiting:
            run()


class WatchedPart(RuleBasedStateMachine):
    """One part of any rule through an evening of coming, going, raising and hanging."""

    @initialize(
        first_s=st.floats(0.5, 10),
        times=st.floats(1, 20),
        ends_s=st.none() | st.floats(20, 100),
        restarted=st.booleans(),
    )
    def begin(self, first_s: float, times: float, ends_s: float | None, restarted: bool) -> None:
        self.rule = Rule(first_s, first_s * times, ends_s)
        self.restarted = restarted
        self.now_s = 0.0
        self.state = Watched(self.rule).lost(0.0)
        self.failures = 0
        self.last_try_s = 0.0

    @rule(by_s=st.floats(0.01, 30))
    def time_passes(self, by_s: float) -> None:
        self.now_s += by_s

    @precondition(lambda self: self.state.due(self.now_s))
    @rule()
    def it_is_looked_for(self) -> None:
        self.state = self.state.looking(self.now_s)
        assert not self.state.due(self.now_s + 1e6), "a look under way is waited for"

    @precondition(lambda self: self.state.looking_since_s is not None)
    @rule()
    def it_is_not_there(self) -> None:
        before = self.state
        self.state = self.state.failed(self.now_s)
        self.failures += 1
        wait_s = self.state.next_s - self.now_s
        assert self.rule.first_s - 1e-6 <= wait_s <= self.rule.longest_s + 1e-6
        assert math.isclose(wait_s, min(self.rule.first_s * 2**self.failures, self.rule.longest_s), rel_tol=1e-6)
        assert self.state.missing_since_s == before.missing_since_s

    @precondition(lambda self: self.state.looking_since_s is not None)
    @rule()
    def it_is_found(self) -> None:
        self.state = self.state.found()
        self.failures = 0
        assert not self.state.is_missing

    @rule()
    def it_is_lost(self) -> None:
        before = self.state
        self.state = self.state.lost(self.now_s)
        if before.is_missing:
            assert self.state == before, "being told twice changes nothing"
        else:
            assert self.state.next_s == self.now_s + self.rule.first_s

    @invariant()
    def a_part_that_is_there_ends_nothing_and_is_not_looked_for(self) -> None:
        if not hasattr(self, "state"):
            return
        ends = self.state.ends_program(self.now_s, restarted=self.restarted)
        if not self.state.is_missing:
            assert not ends
            assert not self.state.due(self.now_s)
        if self.rule.ends_after_s is None:
            assert not ends
        if ends:
            looking, missing = self.state.looking_since_s, self.state.missing_since_s
            hangs = looking is not None and self.now_s - looking >= cast(float, self.rule.ends_after_s)
            assert missing is not None
            assert hangs or (self.restarted and self.state.was_there)


TestWatchedPart = WatchedPart.TestCase


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.mark.parametrize("part", list(RULES))
@pytest.mark.parametrize("raises", [None, *ANYTHING], ids=lambda each: type(each).__name__)
def test_a_part_that_comes_late_is_found_whatever_its_driver_raised_before(
    part: Part, raises: Exception | None, clock: SetClock
) -> None:
    device, said = Device(), list[str]()
    device.raises = raises
    threads = Threads(device, clock)
    watch = Watch(said.append, clock.now_s, aside=threads)
    watch.missing(part, device.look, "It is not there.", "7")
    told = (MissingPart(part.value, "7"),) if RULES[part].told else ()
    for _ in range(500):
        clock.now += 0.5
        watch.attend(_moment())
        assert _shown(watch).devices.missing == told
    if not RULES[part].here:
        gaps = np.diff([0.0, *device.looks])
        assert len(gaps) > 5
        assert max(gaps) <= RULES[part].longest_s + 0.5
        assert gaps[0] <= gaps[-1]
    device.there, device.raises = True, None
    for _ in range(math.ceil(RULES[part].longest_s / 0.5) + 2):
        clock.now += 0.5
        watch.attend(_moment())
    assert _shown(watch) == Situation(None)
    assert said[0] == "It is not there."
    assert len(said) == 2, "it is said once that it is missing, and once that it came"


@pytest.mark.parametrize("part", [part for part in RULES if not RULES[part].here])
def test_a_part_whose_driver_hangs_holds_nobody_up_and_ends_the_program_only_where_its_rule_says_so(
    part: Part, clock: SetClock
) -> None:
    device = Device()
    device.hangs = True
    threads = Threads(device, clock)
    watch, limit_s = Watch(now_s=clock.now_s, aside=threads), RULES[part].ends_after_s
    watch.missing(part, device.look)
    ended_s, told_s = None, None
    while clock.now < 300.0 and ended_s is None:
        clock.now += 0.5
        try:
            watch.attend(_moment())
        except PartLostError:
            ended_s = clock.now
        if _shown(watch).devices.restarts and told_s is None:
            told_s = clock.now
    assert len(device.looks) == 1
    if limit_s is None:
        assert ended_s is told_s is None
        device.hangs, device.there = False, True
        threads.let_go()
        watch.attend(_moment())
        assert not _shown(watch).devices.missing
    else:
        assert told_s is not None
        assert ended_s is not None
        assert ended_s - told_s >= TOLD_S
        assert limit_s <= ended_s <= limit_s + RULES[part].first_s + TOLD_S + 2.0


@pytest.mark.parametrize("part", list(RULES))
@pytest.mark.parametrize("restarted", [True, False])
@pytest.mark.parametrize("held", [True, False])
def test_a_part_that_was_there_and_stays_away_ends_what_somebody_starts_anew(
    part: Part, restarted: bool, held: bool, clock: SetClock
) -> None:
    device = SimpleNamespace(there=True)
    watch = Watch(now_s=clock.now_s, restarted=restarted)
    watch.there(part, lambda: device.there)
    watch.attend(_moment())
    device.there = False
    ended = False
    while clock.now < 200.0 and not ended:
        clock.now += 1.0
        try:
            watch.attend(_moment(held=held))
        except PartLostError:
            ended = True
        assert not watch.fails or clock.now >= GRACE_S
        if clock.now > GRACE_S + 2 * RULES[part].first_s:
            assert watch.fails is (restarted and RULES[part].ends_after_s is not None)
    assert ended is (restarted and not held and RULES[part].ends_after_s is not None)


def test_a_part_that_comes_back_in_the_last_moment_ends_nothing(clock: SetClock) -> None:
    device = SimpleNamespace(there=True)
    watch = Watch(now_s=clock.now_s, restarted=True)
    watch.there(Part.CAMERA, lambda: device.there)
    watch.attend(_moment())
    device.there = False
    while not _shown(watch).devices.restarts:
        clock.now += 1.0
        watch.attend(_moment())
    device.there = True
    for _ in range(100):
        clock.now += 1.0
        watch.attend(_moment())
        assert not _shown(watch).devices.restarts


@pytest.mark.parametrize("part", [part for part in RULES if RULES[part].ends_after_s is None])
def test_a_part_that_goes_away_and_is_brought_back_by_looking(part: Part, clock: SetClock) -> None:
    device = Device()
    device.there = True
    state = SimpleNamespace(open=True)

    def look() -> bool:
        state.open = device.there
        return bool(state.open)

    watch = Watch(now_s=clock.now_s, aside=lambda run: run())
    watch.there(part, lambda: state.open, look)
    for _ in range(20):
        clock.now += 1.0
        watch.attend(_moment())
        assert not watch.is_missing(part)
    state.open = device.there = False
    for _ in range(100):
        clock.now += 1.0
        watch.attend(_moment())
    assert watch.is_missing(part)
    device.there = True
    for _ in range(int(RULES[part].longest_s) + 2):
        clock.now += 1.0
        watch.attend(_moment())
    assert state.open
    assert not watch.is_missing(part)


def test_what_is_no_longer_wanted_is_not_looked_for_and_not_told(clock: SetClock) -> None:
    device = Device()
    watch = Watch(now_s=clock.now_s, aside=Threads(device, clock))
    watch.missing(Part.PORT, device.look)
    watch.missing(Part.PIN, device.look, name="GPIO 4")
    watch.attend(_moment())
    watch.forget(Part.PORT)
    assert _shown(watch).devices.missing == (MissingPart("pin", "GPIO 4"),)
    watch.forget(Part.PIN, "GPIO 4")
    clock.now = 100.0
    watch.attend(_moment())
    assert device.looks == []


def test_the_program_ends_then_with_a_status_of_its_own() -> None:
    assert PartLostError("gone").status == TEMPORARY_FAILURE not in (0, 1, 2)


def test_every_rule_grows_to_a_bound_that_somebody_waits_for() -> None:
    for each in RULES.values():
        assert 0 < each.first_s <= each.longest_s <= 30.0
        assert each.ends_after_s in (None, 60.0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", [part for part in RULES if RULES[part].told])
def test_the_screen_says_what_is_missing_in_every_language(part: Part, language: str) -> None:
    situation = Situation(
        None, language=language, devices=DeviceSituation(missing=(MissingPart(part.value, "GPIO 17"),))
    )
    named = words(language).say(f"missing.{part.value}", name="GPIO 17")
    view = present(situation)
    assert named in view.eyes.text
    assert any(named in sentence for sentence in view.heard.aloud)
    restarting: Any = present(
        Situation(
            None,
            language=language,
            devices=DeviceSituation(missing=situation.devices.missing, restarts=True),
        )
    )
    assert named in restarting.eyes.text != view.eyes.text


def test_a_command_that_ends_so_tells_it_in_a_sentence_and_its_own_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(_: object) -> int:
        raise PartLostError("The camera stays away.")

    monkeypatch.setattr("firmware.cli.commands.judge.Judge.do", lost)
    assert main(["judge"]) == TEMPORARY_FAILURE
    assert capsys.readouterr().err == "engarde judge: The camera stays away.\n"
    ended: list[int] = []
    monkeypatch.setattr("sys.argv", ["engarde", "judge"])
    monkeypatch.setattr("os._exit", ended.append)
    with pytest.raises(SystemExit):
        entry()
    assert ended == [TEMPORARY_FAILURE], "a driver that hangs is not waited for in leaving"


def test_a_failure_of_ours_is_told_once_and_another_one_too(clock: SetClock) -> None:
    device, said = Device(), list[str]()
    search = Search(RULES[Part.PORT], 0.0, device.look, aside=lambda run: run(), told=said.append)
    for error in (EngardeError("The port is taken."), OSError("never mind"), EngardeError("It is another's.")):
        device.raises = error
        for _ in range(100):
            clock.now += 1.0
            assert search.watched(clock.now).is_missing
    assert said == ["The port is taken.", "It is another's."]


MINUTE = {"WATCHDOG_USEC": "60000000"}


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The service manager's end of the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def _heard(manager: socket.socket) -> list[str]:
    heard = []
    while True:
        try:
            heard.append(manager.recv(4096).decode())
        except BlockingIOError:
            return heard


def _now(*, held: bool = False) -> Moment:
    return cast(Moment, SimpleNamespace(held=held))


@pytest.fixture
def feeding(manager: socket.socket) -> Iterator[tuple[Callable[..., list[str]], Any]]:
    """A function that attends a moment at a time and gives what was heard; and a part to take away."""
    clock, parts = SetClock(), SimpleNamespace(fail=False)
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname()), **MINUTE})
    audience = WatchdogAudience(notifier, lambda: parts.fail, clock.now_s)

    def at(now_s: float, *, held: bool = False) -> list[str]:
        clock.now = now_s
        audience.attend(_now(held=held))
        return _heard(manager)

    yield at, parts
    notifier.close()
    assert _heard(manager) == ["STOPPING=1"]


def test_a_sitting_that_is_followed_by_another_is_not_the_end(manager: socket.socket) -> None:
    """The manager kills, after five seconds, what said that it ends: a book brought back, or the first start."""
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname()), **MINUTE})
    WatchdogAudience(notifier, lambda: False, SetClock().now_s).goes_on()
    notifier.close()
    assert _heard(manager) == []


def test_ready_once_and_fed_four_times_a_period(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, _ = feeding
    assert at(0.0) == ["READY=1\nSTATUS=Refereeing", "WATCHDOG=1"]
    assert [at(now_s) for now_s in (1.0, 14.9, 15.0, 29.0, 30.0)] == [[], [], ["WATCHDOG=1"], [], ["WATCHDOG=1"]]


def test_while_a_part_fails_it_is_not_told_that_all_is_well_and_gives_time_for_an_orderly_end(
    feeding: tuple[Callable[..., list[str]], Any],
) -> None:
    at, parts = feeding
    at(0.0)
    parts.fail = True
    (told,) = at(10.0)
    assert f"WATCHDOG_USEC={round(LAST_RESORT_S * 1e6)}" in told.splitlines()
    assert "WATCHDOG=1" not in told.splitlines()
    assert LAST_RESORT_S > 60.0 + TOLD_S
    assert [at(now_s) for now_s in (20.0, 40.0, 60.0)] == [[], [], []]
    parts.fail = False
    told, fed = at(61.0)
    assert told.splitlines() == ["STATUS=Refereeing", f"WATCHDOG_USEC={MINUTE['WATCHDOG_USEC']}"]
    assert fed == "WATCHDOG=1"
    assert at(76.0) == ["WATCHDOG=1"]


def test_who_plays_by_hand_meanwhile_is_not_thrown_out(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, parts = feeding
    at(0.0)
    parts.fail = True
    assert [at(now_s, held=True) for now_s in (20.0, 400.0)] == [["WATCHDOG=1"]] * 2


def test_where_nobody_listens_nothing_happens(tmp_path: Path) -> None:
    for environ in ({}, MINUTE, {"NOTIFY_SOCKET": str(tmp_path / "nobody")}):
        notifier = Notifier(environ)
        notifier.tell("READY=1")
        notifier.close()
    assert list(tmp_path.iterdir()) == []


def test_an_abstract_socket_is_found_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"engarde-test-{id(manager)}"
        manager.bind(f"\0{name}")
        manager.setblocking(False)
        notifier = Notifier({"NOTIFY_SOCKET": f"@{name}"})
        notifier.tell("READY=1")
        assert _heard(manager) == ["READY=1"]
        notifier.close()
