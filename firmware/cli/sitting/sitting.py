"""A session: opens the devices once; matches and lessons share them, each with a loop of its own."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from display.window import Window
from engine.rules.track import BySide
from engine.table.desk import Settings
from engine.table.presses import Presses
from firmware.cli.sitting.cameras import TableWish, open_with_table
from firmware.core.clock import SystemClock
from firmware.core.config import Config, PanelSettings, in_home
from firmware.core.io.files import reports_beside
from firmware.table.camera.camera import CameraWanted, OpenCamera
from firmware.table.camera.live_camera import LiveCamera, Meanwhile
from firmware.table.camera.remembered_lens import EyesTold, RememberedLens, remembered_lens
from firmware.table.camera.setup import Setup
from firmware.table.loop.guard import Guard
from firmware.table.loop.loop import Loop, at_once
from firmware.table.loop.moment import Audience, Helper, Journal, People, there
from firmware.table.loop.tidy import Tidy
from firmware.table.loop.watched import Part, Watch
from firmware.table.panel.buttons import LivePresses, TakesPresses
from firmware.table.panel.devices import Panel, menu_is_held, open_panel
from firmware.table.panel.header import MissingParts
from firmware.table.panel.patterns import AllPresses, PanelAudience
from firmware.table.readers.guard import guard_beside
from firmware.table.service.extras import extra
from firmware.table.service.watchdog import Notifier, WatchdogAudience, ends_in_time
from firmware.table.sound.sound import Layer, SoundAudience, open_player
from firmware.table.sound.voice import open_voice
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.recall import Recall
from firmware.ui.screen.screens import WindowAudience, screen_notice, window_as_set
from firmware.web.switched import SwitchedScoreboard
from vision.camera.sources import Source
from vision.eyes import Eyes

if TYPE_CHECKING:  # a real table starts without the simulated one
    from firmware.extras.hands.lesson_hands import Told
    from firmware.extras.hands.seat import Seat

Notify: TypeAlias = Callable[[str], None]
"""Told in whole sentences what works and what does not; nothing for an empty one."""
OpensCamera: TypeAlias = Callable[[CameraWanted], tuple[OpenCamera, Setup]]


@dataclass(slots=True)
class Sitting:
    """The open devices. ``wish`` is what was opened; ``eyes`` are those that know this table.

    ``presses`` are those of all buttons; ``lamps``, ``sound`` and ``watchdog`` attend every moment, in every activity
    the same, so that what they remember goes on. The watchdog comes last. ``lens`` is what is remembered of a live
    camera's, and to be kept of it; None for any other camera, and where a calibration was given. ``tidy`` attends every
    moment too, before the watchdog, as does ``told``, which tells a live camera what it shows. ``seat`` is where people
    play at a simulated table, None at any other. ``board`` is the scoreboard of the match that is played, None without
    one. ``watch`` looks again for what is missing. ``window`` may wait for its screen, None: none is wanted. ``guard``
    calls the parts of every activity.
    """

    wish: TableWish
    panel: Panel
    lamps: PanelAudience
    window: Window | None
    camera: OpenCamera
    setup: Setup
    sound: SoundAudience | None
    presses: Presses
    eyes: Eyes
    recall: Recall
    watchdog: WatchdogAudience
    lens: RememberedLens | None = None
    tidy: Tidy | None = None
    told: EyesTold | None = None
    seat: Seat | None = None
    board: SwitchedScoreboard | None = None
    watch: Watch = field(default_factory=Watch)
    guard: Guard = field(default_factory=Guard)

    @property
    def shown(self) -> bool:
        return self.window is not None and self.window.alive

    @property
    def is_new_camera(self) -> bool:
        """Whether a camera looks at a board for the first time, and somebody sees its picture."""
        return self.shown and self.lens is not None and self.lens.lens is None

    @property
    def at_real_table(self) -> bool:
        """Whether people play at a real table, before a camera that is there now or may come."""
        return self.camera.live and self.seat is None

    def loop(
        self,
        held: ExitStack,
        journal: Journal,
        audience: Sequence[Audience],
        settings: Settings,
        people: People,
        helpers: Sequence[Helper],
        *,
        mode: str,
        source: Source | None = None,
        new_journal: Callable[[BySide[str]], Journal] | None = None,
    ) -> Loop:
        """A loop at these devices; ``source`` is read in the camera's place. ``held`` closes what that takes.

        In a window before a live camera, moves are animated while the next frame is waited for.
        """
        frames, aside = source or self.camera.source, None
        if self.window is not None and self.camera.live:
            frames = meanwhile = Meanwhile(frames, self.window, self.guard)
            held.callback(meanwhile.close)
            aside = None if self.seat is None else meanwhile.aside
        given = (frames, self.eyes, self.presses, journal, audience, settings, people, helpers)
        return Loop(*given, mode=mode, new_journal=new_journal, aside=aside or at_once, guard=self.guard)

    def screen(self, people: People, menu: TableMenu | None = None, told: Told | None = None) -> tuple[Helper, ...]:
        """The window, and the watch that tells there what is missing, as helpers in one activity with this menu.

        Before it the seat at a table that people play at; with what a teacher has ``told``, in lessons.
        """
        if self.window is None:
            return (self.watch,)
        seat = None if self.seat is None else self.seat.sit(people, told)
        live = self.camera.presses if isinstance(self.camera.presses, LivePresses) else None
        posted: TakesPresses | None = seat or live
        return there(seat, WindowAudience(self.window, posted, people, self.recall, menu, self.guard), self.watch)


def open_sitting(
    wish: TableWish, held: ExitStack, say: Notify, opens: OpensCamera = open_with_table, window: Window | None = None
) -> Sitting:
    """Open what is wished for; ``held`` closes it in the right order.

    ``opens`` opens the camera; ``window`` is one that is open already. Holding the menu button meanwhile shows the
    doctor's findings first. Raises what ``opens`` raises, PinError for a panel that cannot be wired.
    """
    share_one_heap()
    clock, config, live = SystemClock(), wish.settings, wish.camera.spec.live
    notifier = Notifier(os.environ)
    held.callback(notifier.close)
    panel = open_panel(config.panel if live else PanelSettings(pins="off"), clock.now_s)
    held.enter_context(ends_in_time(panel.close))
    held.callback(panel.close)
    if window is None and not wish.headless:
        window = window_as_set(config, waits=True)
    if window is not None:
        window.animator.on = config.moves == "shown"
        held.callback(window.close)
        window.has_panel = panel.has_buttons
        window.show_still(config.language)  # until the first frame, which takes a while
    if live:
        say(panel.notice)
    if not wish.headless:
        say(screen_notice(window, pictures=wish.pictures is not None))
    shown = window is not None and window.alive
    # Its process loads the readers' libraries while the camera is opened.
    readers = held.enter_context(ThreadPoolExecutor(1, "readers")).submit(guard_beside, wish.scorebook, say)
    held.callback(lambda: readers.result().close())
    # A service waits for its camera too: its journal says so, and being started again would bring no camera.
    wanted = replace(wish.camera, waits=shown or panel.wired or notifier.is_heard)
    if wanted.hands is not None:
        wanted = replace(wanted, hands=replace(wanted.hands, shown=shown))
    camera, setup = opens(wanted)
    held.callback(camera.source.close)
    if isinstance(camera.source, LiveCamera) and camera.source.problem:
        say(f"There is no camera yet: {camera.source.problem}. It is waited for.")
    seat = _seat(camera, window, wish.camera, held)
    if camera.recorded is not None:
        say(camera.recorded.notice)
    sound, silence = _sound(config, held, say) if live or shown else (None, "")
    watch = Watch(say, restarted=notifier.is_heard)
    _follow(watch, panel, camera, window, sound if config.volume_percent else None)
    run = readers.result()
    if menu_is_held(panel.buttons, clock.now_s, time.sleep):
        from firmware.cli.doctor.checkup import examine

        examine(wish, say, panel, window, camera, setup, silence, run)
    lens = None
    if live and setup.calibration is None:
        size, lenses = setup.table.camera, wish.scorebook.with_name("lenses")
        lens = remembered_lens(lenses, wish.camera.spec.name, size.width, size.height, setup.table_text)
        say(lens.notice)
    eyes = Eyes(setup.table, setup.calibration, None if lens is None else lens.lens, run)
    if lens is not None:
        held.callback(lambda: lens.keep(eyes.best_calibration))
    return Sitting(
        wish,
        panel,
        PanelAudience(panel.lights, panel.sounder),
        window,
        camera,
        setup,
        sound,
        AllPresses(camera.presses, panel.buttons, clock.now_s),
        eyes,
        Recall(config.dispute_keep_s, config.dispute_keep_mb),
        WatchdogAudience(notifier, lambda: watch.fails, clock.now_s),
        lens,
        held.enter_context(closing(Tidy())),
        EyesTold(wish.camera.feedback) if live else None,
        seat,
        watch=watch,
        guard=held.enter_context(closing(Guard(say, reports_beside(wish.scorebook)))),
    )


def _follow(watch: Watch, panel: Panel, camera: OpenCamera, window: Window | None, sound: SoundAudience | None) -> None:
    """Have camera, screen, sound and pins of the panel looked for again where they are missing."""
    if isinstance(camera.source, LiveCamera):
        watch.follow(Part.CAMERA, camera.source)
    if window is not None:
        begins = watch.there if window.alive else watch.missing
        begins(Part.SCREEN, look=window.reopen, there=lambda: window.has_screen)
    if sound is not None and sound.silent:
        watch.missing(Part.SOUND, sound.reopen)
    for missing in panel.missing:  # already said, with the panel's notice
        part = Part.PIN if missing.name else Part.PANEL
        watch.missing(part, partial(_look_for_pins, missing, panel, window), name=missing.name)


def _look_for_pins(missing: MissingParts, panel: Panel, window: Window | None) -> bool:
    """Whether all of these are there now; the window has fewer buttons of its own where a panel has some."""
    found = missing.look()
    if window is not None:
        window.has_panel = panel.has_buttons
    return found


def _seat(camera: OpenCamera, window: Window | None, wanted: CameraWanted, held: ExitStack) -> Seat | None:
    """The seat of people at a simulated table in this window; None at any other."""
    if window is None or not camera.played:
        return None
    dealt = wanted.hands.dealt if wanted.hands is not None else None
    seat: Seat = extra("hands.seat").Seat(camera.presses, Random(dealt))
    held.callback(seat.close)
    window.hands = seat.hands
    return seat


def _sound(config: Config, held: ExitStack, say: Notify) -> tuple[SoundAudience, str]:
    """Sounds and the voice, and why nothing is heard, if so; what of them is missing is said."""
    recordings = in_home(config.recordings) if config.recordings else None
    layers = {layer: getattr(config, f"{layer.value}_percent") for layer in Layer}
    opens = partial(open_player, recordings=recordings)
    player = opens(config.volume_percent, layers=layers)
    voices = partial(open_voice, recordings=recordings)
    sound = SoundAudience(player, voices, config.voice, opens, config.volume_percent, layers)
    held.callback(sound.close)
    say(player.notice)
    say(sound.notice)
    return sound, player.notice


_ARENA_MAX: Final = -8
"""``M_ARENA_MAX`` of glibc's ``malloc.h``."""


def share_one_heap() -> None:
    """Have threads that begin from now on take memory from the same heap as the first.

    By itself glibc gives each thread one of its own, and memory freed in a camera's thread is lost to the others: some
    ten megabytes. With another C library nothing happens.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
