"""The simulated table that people play at, as an ordinary camera with ordinary buttons.

Whatever is done there becomes part of the scene and nothing else: frames and presses are all that anybody gets. Its
clock goes on by one picture at a time, so that the same acts at the same times are the same frames to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Final

from engine.record.course import Course
from engine.rules.cards import Card
from engine.rules.state import PublicState
from engine.rules.track import Side
from engine.table.presses import Button
from firmware.extras.hands.pictures import table_pictures
from firmware.extras.hands.table_top import (
    Act,
    ActWriter,
    Cover,
    Deal,
    MoveTo,
    PressButton,
    TableTop,
    Take,
    TimedAct,
    after,
    open_new,
    read_acts,
    table_top,
)
from firmware.extras.simulation.camera import TICK_S, backs_by_lot, unwatched_table
from firmware.table.camera.camera import HandsWanted, OpenCamera
from firmware.table.camera.meanwhile import PacedSource
from firmware.table.panel.buttons import LivePresses
from vision.frame import Frame
from vision.printed.table import Table
from vision.synthetic.disturbances import TYPICAL
from vision.synthetic.poses import camera_variant
from vision.synthetic.renderer import Renderer

_STANDS_MM: Final = 14.0  # half a space


def undos_to_own_turn(course: Course, persons: Collection[Side]) -> int:
    """How many entries are undone until a person is to act again in this round: the own turn and what answered it.

    0 where no person has acted in it.
    """
    count, earlier = 0, course.earlier
    while earlier is not None and earlier.state.round == course.state.round:
        count += 1
        if earlier.state.to_act in persons:
            return count
        earlier = earlier.earlier
    return 0


def before(course: Course, undos: int) -> PublicState:
    """The state after so many entries are undone."""
    for _ in range(undos):
        course = course.earlier or course
    return course.state


def last_turn(state: PublicState) -> tuple[Card, ...]:
    """The cards of the last turn of this round."""
    earlier = state.previous
    while earlier is not None and earlier.round == state.round and earlier.played == state.played:
        earlier = earlier.previous
    begun = 0 if earlier is None or earlier.round != state.round else len(earlier.played)
    return state.played[begun:]


def discarded(top: TableTop, state: PublicState) -> tuple[Act, ...]:
    """Acts that take the cards of all turns but the last off the play area: nobody needs them, and they hide others."""
    kept = last_turn(state)
    return tuple(Take(card.card) for card in top.cards if card.card in state.played and card.card not in kept)


def put_back(top: TableTop, deck: tuple[Card, ...], state: PublicState) -> tuple[Act, ...]:
    """Acts that make the table show this state of a round dealt from ``deck``; none where it does."""
    dealt = () if top.deck == deck else (Deal(deck),)
    taken = tuple(Take(card.card) for card in top.cards if card.card not in state.played and card.face_up)
    moved = tuple(MoveTo(side, state.spaces[side]) for side in Side if not _stands(top, side, state))
    return (*dealt, *taken, *moved)


def _stands(top: TableTop, side: Side, state: PublicState) -> bool:
    place, figure = top.table.space_mm(state.spaces[side]), top.figures[side]
    return math.hypot(figure.x_mm - place.x, figure.y_mm - place.y) < _STANDS_MM


AFTERWARDS_S: Final = 10.0
"""So long a table that only a file acts at is looked at after the last act: everything has been ruled on by then."""


class PlayedTable(LivePresses):
    """A ``Source`` of rendered frames and the ``Presses`` made at that table, by hands and by a ``script``.

    Acts may be done in another thread than frames are read in. ``ends``: nobody is there to go on after the script.
    The ``writer`` writes every act
    down. ``hold`` is a hand that is over the table now: it is acted anew for every picture.
    """

    def __init__(
        self,
        top: TableTop,
        renderer: Renderer,
        *,
        tick_s: float,
        script: Iterable[TimedAct] = (),
        ends: bool = False,
        writer: ActWriter | None = None,
    ) -> None:
        super().__init__()
        self.top = top
        self.tick_s = tick_s
        self.hold: Cover | None = None
        self._renderer = renderer
        self._script = sorted(script, key=lambda timed: timed.t_s)
        self._last_s = self._script[-1].t_s + AFTERWARDS_S if ends and self._script else None
        self._writer = writer
        self._index = 0
        self._lock = Lock()

    @property
    def next_s(self) -> float:
        """When the next picture is taken: the time of what is done now."""
        return round(self._index * self.tick_s, 6)

    @property
    def busy(self) -> bool:
        """Whether anything is still to be done that was planned."""
        return bool(self._script)

    def do(self, *acts: Act) -> None:
        """Do this now: the next picture shows it."""
        with self._lock:
            for act in acts:
                self._done(TimedAct(self.next_s, act))

    def plan(self, acts: Iterable[TimedAct]) -> None:
        """Do this when its time comes."""
        with self._lock:
            self._script = sorted([*self._script, *acts], key=lambda timed: timed.t_s)

    def drop_plan(self) -> None:
        """Nothing that was planned is done any more."""
        with self._lock:
            self._script = []

    def post(self, button: Button) -> None:
        """Press this button now."""
        self.do(PressButton(button))

    def read(self) -> Frame | None:
        """The next frame; None where nobody is left who could do anything."""
        with self._lock:
            index, t_s = self._index, self.next_s
            if self._last_s is not None and t_s > self._last_s:
                return None
            while self._script and self._script[0].t_s <= t_s:
                self._done(self._script.pop(0))
            if self.hold is not None:
                self._done(TimedAct(t_s, self.hold))
            self._index += 1
            scene = self.top.scene(t_s)
        return self._renderer.render(scene, index, t_s)

    def close(self) -> None:
        """Let go of the file that acts are written to."""
        if self._writer is not None:
            self._writer.close()

    def _done(self, timed: TimedAct) -> None:
        if self._writer is not None:
            self._writer(timed)
        self.top = after(self.top, timed.act, timed.t_s)
        if isinstance(timed.act, PressButton):
            super().post(timed.act.button)


def open_simulated(table: Table, seed: int, wanted: HandsWanted | None) -> OpenCamera:
    """The simulated table: for people where a window shows it, for a file's hands, else for two bots.

    None is ``wanted`` where nobody looks on: two bots play, as fast as pictures are read.

    Raises EngardeError or OSError for files of acts that cannot be read or written.
    """
    if wanted is None or (wanted.acts is None and (wanted.watch or not wanted.shown)):
        bots = unwatched_table(table, seed)
        paced = wanted is not None and wanted.shown
        return OpenCamera(PacedSource(bots) if paced else bots, bots, live=False, agree=bots.agree)
    script = () if wanted.acts is None else read_acts(wanted.acts)
    top = table_top(table, backs_by_lot(seed))
    with ThreadPoolExecutor(1, "pictures") as beside:
        # What the window shows of the table is drawn meanwhile; the seat there asks for it next.
        drawn = beside.submit(table_pictures, table) if wanted.shown else None
        renderer = Renderer(table, camera_variant(table, seed), TYPICAL, seed)
    if drawn is not None:
        drawn.result()
    writer = None if wanted.acts_out is None else ActWriter(open_new(wanted.acts_out))
    played = PlayedTable(top, renderer, tick_s=TICK_S, script=script, ends=not wanted.shown, writer=writer)
    return OpenCamera(PacedSource(played) if wanted.shown else played, played, live=wanted.shown, played=True)
