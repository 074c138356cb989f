"""What may come late or go away: the rules, the state machine, the runner; with parts that come, go, raise and hang."""

from __future__ import annotations

import math
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from display.i18n import LANGUAGES, words
from display.view import DeviceSituation, MissingPart, Situation
from display.words.present import present
from engine.table.desk import Desk
from firmware.cli.main import entry, main
from firmware.core.errors import TEMPORARY_FAILURE, EngardeError
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import GRACE_S, RULES, TOLD_S, Part, PartLostError, Search, Watch
from firmware.table.service.watchdog import LAST_RESORT_S, Notifier, WatchdogAudience
from tests.firmware.conftest import SetClock
from vision.frame import Frame
from vision.look import Look

TICK_S = 0.125
ANYTHING = [OSError("gone"), RuntimeError("x"), AttributeError("allocator"), KeyError("main"), ValueError("YUV420")]


def _moment(*, held: bool = False) -> Moment:
    return cast(Moment, SimpleNamespace(frame=Frame(0, 0.0, np.zeros((2, 2), np.uint8)), held=held))


def _shown(watch: Watch) -> Situation:
    return watch.advise(Situation(None), cast(Look, None), Desk())


class Device:
    """Something that can be looked for: it is ``there`` or not, raises, or hangs until it is let go."""

    def __init__(self) -> None:
        self.there = self.open = False
        self.raises: Exception | None = None
        self.hangs = False
        self.looks: list[float] = []

    def look(self) -> bool:
        if self.raises is not None:
            raise self.raises
        self.open = self.there
        return self.open


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


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.mark.parametrize("part", list(RULES))
def test_a_part_that_comes_late_and_goes_away_is_found_again_whatever_its_driver_raises(
    part: Part, clock: SetClock
) -> None:
    device, said, each = Device(), list[str](), RULES[part]
    assert 0 < each.first_s <= each.longest_s <= 30.0
    watch = Watch(said.append, clock.now_s, aside=Threads(device, clock))
    watch.missing(part, device.look, "It is not there.", "7", lambda: device.open)

    def go_on(for_s: float) -> tuple[MissingPart, ...]:
        for _ in range(math.ceil(for_s / TICK_S)):
            clock.now += TICK_S
            watch.attend(_moment())
        return _shown(watch).devices.missing

    for lost_s in (0.0, 1000.0):
        clock.now, device.there, device.open, device.looks = lost_s, False, False, []
        for device.raises in (None, *ANYTHING, None):
            assert go_on(50.0) == ((MissingPart(part.value, "7"),) if each.told else ())
        gaps = np.diff([lost_s, *device.looks]) if not each.here else np.array([])
        for number, gap_s in enumerate(gaps):
            # When it goes away, that is noticed at the next question.
            assert gap_s == pytest.approx(min(each.first_s * 2**number, each.longest_s), abs=2 * TICK_S + each.first_s)
        assert each.here or len(gaps) > 5
        device.there = True
        assert go_on(each.longest_s + 2 * TICK_S) == ()
        assert device.open
    assert said == ["It is not there.", f"Found: {part.value} 7.", said[2], f"Found: {part.value} 7."]
    assert said[2].startswith(f"Lost: {part.value} 7.")


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
    if ended:  # else the program would have ended, had it stayed away for so long
        device.there = True
        for _ in range(10):
            clock.now += 1.0
            watch.attend(_moment())
        assert not _shown(watch).devices.restarts


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
        Situation(None, language=language, devices=DeviceSituation(missing=situation.devices.missing, restarts=True))
    )
    assert named in restarting.eyes.text != view.eyes.text


def test_a_command_that_ends_so_tells_it_in_a_sentence_and_its_own_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(_: object) -> int:
        raise PartLostError("The camera stays away.")

    monkeypatch.setattr("firmware.cli.commands.judge.Judge.do", lost)
    assert main(["judge"]) == TEMPORARY_FAILURE not in (0, 1, 2)
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


@pytest.fixture
def feeding(manager: socket.socket) -> Iterator[tuple[Callable[..., list[str]], Any]]:
    """A function that attends a moment at a time and gives what was heard; and a part to take away."""
    clock, parts = SetClock(), SimpleNamespace(fail=False)
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname()), **MINUTE})
    audience = WatchdogAudience(notifier, lambda: parts.fail, clock.now_s)

    def at(now_s: float, *, held: bool = False) -> list[str]:
        clock.now = now_s
        audience.attend(_moment(held=held))
        return _heard(manager)

    yield at, parts
    notifier.close()
    assert _heard(manager) == ["STOPPING=1"]


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
    parts.fail = True
    assert [at(now_s, held=True) for now_s in (76.0, 400.0)] == [["WATCHDOG=1"]] * 2, "who plays by hand goes on"


def test_an_abstract_socket_is_found_and_one_where_nobody_listens_passed_over(tmp_path: Path) -> None:
    for environ in ({}, MINUTE, {"NOTIFY_SOCKET": str(tmp_path / "nobody")}):
        with closing(Notifier(environ)) as notifier:
            notifier.tell("READY=1")
    assert list(tmp_path.iterdir()) == []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"engarde-test-{id(manager)}"
        manager.bind(f"\0{name}")
        manager.setblocking(False)
        notifier = Notifier({"NOTIFY_SOCKET": f"@{name}"})
        notifier.tell("READY=1")
        # The manager kills, after five seconds, what said that it ends: a book brought back, or the first start.
        WatchdogAudience(notifier, lambda: False, SetClock().now_s).goes_on()
        notifier.close()
        assert _heard(manager) == ["READY=1"]
