"""What goes wrong, and when: drawn from the seed, one thing after the other and often several at once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Final

from fault_disk import Disk, DiskState
from fault_world import World

KILLED_AT: Final = (
    *("a frame is read", "a frame is looked at", "before a write", "in a write", "before the write is done"),
    *("after the write is done", "while it is shown", "after it is shown"),
)


class Fault(Enum):
    """Everything that can fail."""

    CAMERA_GONE = "the camera is gone"
    CAMERA_LATE = "a frame is late"
    CAMERA_REPEATS = "the camera repeats a frame"
    FRAME_TORN = "a frame is torn"
    READER_HANGS = "a reader hangs"
    DISK_FULL = "the disk is full"
    DISK_READ_ONLY = "the disk is read-only"
    DISK_SLOW = "the disk is slow"
    SYNC_FAILS = "a sync fails"
    SYNC_FAILS_LATE = "a sync fails after the write was done"
    CALENDAR_JUMPS = "the calendar jumps"
    PRESS_LOST = "a press is lost"
    PRESS_DOUBLED = "a press is doubled"
    BUTTON_STUCK = "a button is stuck"
    WIRE_SPIKE = "a spike on a wire"
    KILLED = "the program is killed"
    WEB_CROWD = "a crowd on the web"


_DISK: Final = {
    Fault.DISK_FULL: DiskState.FULL,
    Fault.DISK_READ_ONLY: DiskState.READ_ONLY,
    Fault.DISK_SLOW: DiskState.SLOW,
    Fault.SYNC_FAILS: DiskState.NO_SYNC,
    Fault.SYNC_FAILS_LATE: DiskState.LATE_SYNC,
}


class Injector:
    """Lets things fail, ``share`` of the ticks. ``counted`` are the faults so far; ``busy`` tells whether any lasts."""

    def __init__(self, world: World, disk: Disk, rng: random.Random, share: float, crowd: Callable[[], None]) -> None:
        self._world, self._disk, self._rng, self._share, self._crowd = world, disk, rng, share, crowd
        self._disk_until_s = 0.0
        self.counted: Counter[Fault] = Counter()

    def tick(self) -> None:
        """Maybe let one more thing fail."""
        if self._disk.state is not DiskState.WELL and self._world.now_s >= self._disk_until_s:
            self._disk.state = DiskState.WELL
        if self._rng.random() < self._share:
            fault = self._rng.choice(list(Fault))
            if self._fails(fault):
                self.counted[fault] += 1

    def _fails(self, fault: Fault) -> bool:
        world, rng, now_s = self._world, self._rng, self._world.now_s
        trouble = world.trouble
        match fault:
            case Fault.CAMERA_GONE:
                trouble.gone_until_s = now_s + rng.uniform(0.5, 20.0)
            case Fault.CAMERA_LATE:
                world.now_s += rng.uniform(0.5, 6.0)
            case Fault.CAMERA_REPEATS:
                trouble.repeats_until_s = now_s + rng.uniform(0.3, 12.0)
            case Fault.FRAME_TORN:
                trouble.torn_frames = rng.randint(1, 3)
            case Fault.READER_HANGS:
                world.now_s += 0.75
                cards = sorted(world.scene.cards)
                world.scene = replace(world.scene, unread=frozenset(rng.sample(cards, rng.randint(0, len(cards)))))
                trouble.unread_until_s = now_s + rng.uniform(0.2, 5.0)
            case Fault.CALENDAR_JUMPS:
                world.wall_off_s = rng.choice((-1e9, -3600.0, 0.0, 3600.0, 1e9, 2.6e11, rng.uniform(-1e6, 1e6)))
            case Fault.PRESS_LOST:
                trouble.swallowed = 1
            case Fault.PRESS_DOUBLED:
                trouble.doubled = 1
            case Fault.BUTTON_STUCK if now_s >= trouble.stuck_until_s >= 0:
                trouble.stuck_until_s = -rng.uniform(2.0, 30.0)  # from the next press on
            case Fault.WIRE_SPIKE:
                world.spike()
            case Fault.KILLED if self._disk.kill_at is None:
                self._disk.kill_at = rng.choice(KILLED_AT)
            case Fault.WEB_CROWD:
                self._crowd()
            case _ if fault in _DISK and self._disk.state is DiskState.WELL:
                self._disk.state = _DISK[fault]
                self._disk_until_s = now_s + rng.uniform(0.5, 20.0)
            case _:
                return False
        return True
