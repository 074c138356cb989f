"""When a live camera's exposure, white balance and focus are left to its automatics, and when they are locked.

One state machine for every driver: ``Settling.step`` takes what the driver and the eyes tell of a moment, and gives
orders, which the driver translates into its own controls. A picture that changes under a hand is read wrongly, so
everything is locked once it has settled; when the light has changed for good, exposure is unlocked for a moment.
Source: hardware/PLATFORM.md, "Cameras".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from vision.cells import median
from vision.frame import Picture

SETTLE_S: Final = 2.0  # before that the automatics have hardly begun, or tell of what was before; chosen
LATEST_LOCK_S: Final = 10.0  # what has not settled by then would hunt all evening; chosen
DIMMED_S: Final = 5.0  # a shadow that passes is gone by then; chosen
BARE_S: Final = 1.0  # so long after a hand its shadow is gone too; chosen
REFUSED_S: Final = 0.5  # the same right after it was locked: its driver did not keep what it was given; chosen
STOP: Final = 2 ** (1 / 2.2)
"""One stop, half or double the light, as a factor of luminance: pictures are gamma-coded with about 2.2 (sRGB)."""
BRIEF_S: Final = DIMMED_S + SETTLE_S  # a lock that held no longer did not help: the next is waited for twice as long
MAX_SETTLE_S: Final = 300.0  # between two tries in a room where no lock holds; chosen
HAND_KEPT_S: Final = 10.0  # while the eyes are blind the hand they saw last is believed in; chosen
SAME_DISTANCE: Final = 1.05
"""Focus set within this factor of the distance is left alone: a Camera Module 3 at 0.6 m is sharp over a tenth of it
either way (4.74 mm at f/1.8, two pixels of blur)."""


class Focus(Enum):
    """The state of a driver's autofocus. ``NONE``: there is none. ``UNTOLD``: it focuses, and tells nothing."""

    NONE = "none"
    UNTOLD = "untold"
    SEARCHING = "searching"
    SHARP = "sharp"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Automatics:
    """A driver's automatics in a frame. ``exposed``: its exposure has converged; False too where it does not tell."""

    exposed: bool = False
    focus: Focus = Focus.NONE


Area: TypeAlias = tuple[float, float, float, float]
"""A part of the picture: left, top, right, bottom, each from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The eyes' report on the pictures. ``distance_mm``: from the lens to the table. ``area``: where cards lie."""

    hand: bool = False
    distance_mm: float | None = None
    area: Area | None = None


class CameraFeedback:
    """Passes the game's reports to its live camera, which reads them with each frame.

    ``shown`` is what the eyes tell, ``expected_mm`` the camera's distance from the table as the table file implies it,
    None where nobody knows. ``turned``: the camera hangs upside down. ``settling`` is that of a camera which has
    automatics, None for any other.
    """

    def __init__(self, expected_mm: float | None = None, *, turned: bool = False) -> None:
        self.shown = Shown()
        self.expected_mm, self.turned = expected_mm, turned
        self.settling: Settling | None = None
        self.asked = 0

    def settle_again(self) -> None:
        """Have the camera focus and expose anew, as soon as no hand is in view."""
        self.asked += 1


class Do(Enum):
    """Orders to a driver about its automatics; exposure stands for white balance too."""

    OPEN_EXPOSURE = "open exposure"
    LOCK_EXPOSURE = "lock exposure"  # as it is now
    FOCUS_ONCE = "focus once"  # in the order's area, where it names one
    KEEP_FOCUSING = "keep focusing"
    LOCK_FOCUS = "lock focus"  # with the lens where it is now
    FOCUS_AT = "focus at"  # the order's distance, and keep the lens there


class Order(NamedTuple):
    """One thing to do."""

    do: Do
    area: Area | None = None
    distance_mm: float = 0.0


class _Lens(Enum):
    CONTINUOUS = "continuous"
    ONCE = "once"
    LOCKED = "locked"
    PLACED = "placed"


@dataclass(frozen=True, slots=True)
class _Exposure:
    """``reference``: the brightness it was locked at. ``sure``: no hand was in view then. ``dimmed_s``: since when not
    as bright. ``settle_s``: how long it is left to settle at least.
    """

    since_s: float
    locked: bool = False
    reference: float = 0.0
    sure: bool = True
    dimmed_s: float | None = None
    settle_s: float = SETTLE_S

    def step(self, converged: bool, hand: bool, brightness: float, now_s: float) -> tuple[_Exposure, Order | None]:
        age_s = now_s - self.since_s
        if not self.locked:
            settled = converged and not hand and age_s >= self.settle_s
            if not settled and age_s < max(self.settle_s, LATEST_LOCK_S):
                return self, None
            return _Exposure(now_s, True, brightness, not hand, settle_s=self.settle_s), Order(Do.LOCK_EXPOSURE)
        if hand:  # in a quick match there is hardly a moment without one: what was seen between them counts
            since_s = None if self.dimmed_s is None else max(self.dimmed_s, now_s - DIMMED_S + BARE_S)
            return replace(self, dimmed_s=since_s), None
        if self.sure and not _differs(brightness, self.reference):
            return replace(self, dimmed_s=None), None
        since_s = now_s if self.dimmed_s is None else self.dimmed_s
        if now_s - since_s < (DIMMED_S if age_s > SETTLE_S else REFUSED_S):
            return replace(self, dimmed_s=since_s), None
        longer_s = min(2 * self.settle_s, MAX_SETTLE_S) if age_s < BRIEF_S else SETTLE_S
        return _Exposure(now_s, settle_s=longer_s), Order(Do.OPEN_EXPOSURE)


@dataclass(frozen=True, slots=True)
class _Focus:
    """``since_s``: of this state. ``at_mm``: the distance at which the lens was placed."""

    since_s: float
    lens: _Lens = _Lens.CONTINUOUS
    at_mm: float = 0.0

    def step(self, told: Focus, shown: Shown, now_s: float) -> tuple[_Focus, Order | None]:
        distance_mm, age_s = shown.distance_mm, now_s - self.since_s
        if told is Focus.NONE:  # it stays as somebody turned it
            return replace(self, lens=_Lens.LOCKED), None
        if self.lens is _Lens.LOCKED:
            return self, None
        if self.lens is _Lens.PLACED:
            if distance_mm is None or 1 / SAME_DISTANCE < distance_mm / self.at_mm < SAME_DISTANCE:
                return self, None
            return _Focus(now_s, _Lens.PLACED, distance_mm), Order(Do.FOCUS_AT, distance_mm=distance_mm)
        late = age_s >= LATEST_LOCK_S
        if age_s < SETTLE_S or (shown.hand and not late):  # it may be the hand that is sharp
            return self, None
        if told is Focus.SHARP or (told is Focus.UNTOLD and late):
            return _Focus(now_s, _Lens.LOCKED), Order(Do.LOCK_FOCUS)
        if told is Focus.FAILED or late:
            if distance_mm is not None:
                return _Focus(now_s, _Lens.PLACED, distance_mm), Order(Do.FOCUS_AT, distance_mm=distance_mm)
            if self.lens is _Lens.ONCE:
                return _Focus(now_s), Order(Do.KEEP_FOCUSING)
        return self, None


class Settling:
    """The automatics of one opened camera, from the moment it was started with all of them on."""

    def __init__(self, feedback: CameraFeedback, now_s: float) -> None:
        self._feedback = feedback
        self._done = feedback.asked
        self._shown, self._shown_s = feedback.shown, now_s
        self._exposure, self._focus = _Exposure(now_s), _Focus(now_s)

    @property
    def exposure_locked(self) -> bool:
        """Whether exposure and white balance are locked."""
        return self._exposure.locked

    @property
    def focus_locked(self) -> bool:
        """Whether the lens is kept where it is."""
        return self._focus.lens in (_Lens.LOCKED, _Lens.PLACED)

    def step(self, told: Automatics, y: Picture, now_s: float) -> tuple[Order, ...]:
        """The orders at this frame, whose luminance is ``y``."""
        area_before = self._shown.area
        shown = self._seen(now_s)
        brightness = brightness_of(y, shown.area)
        if shown.area != area_before:  # another part of the picture has another brightness in the same light
            share = brightness / max(1.0, brightness_of(y, area_before))
            self._exposure = replace(self._exposure, reference=self._exposure.reference * share)
        if self._done != self._feedback.asked and not shown.hand:
            self._done = self._feedback.asked
            self._exposure, self._focus = _Exposure(now_s), _Focus(now_s, _Lens.ONCE)
            scan = () if told.focus is Focus.NONE else (Order(Do.FOCUS_ONCE, shown.area),)
            return (Order(Do.OPEN_EXPOSURE), *scan)
        self._exposure, exposes = self._exposure.step(told.exposed, shown.hand, brightness, now_s)
        self._focus, focuses = self._focus.step(told.focus, shown, now_s)
        return tuple(order for order in (exposes, focuses) if order is not None)

    def _seen(self, now_s: float) -> Shown:
        """The eyes' last report; a hand in it counts as long as they may be blind."""
        feedback = self._feedback
        if feedback.shown is not self._shown:
            self._shown, self._shown_s = feedback.shown, now_s
        shown = self._shown
        if shown.distance_mm is None:
            shown = replace(shown, distance_mm=feedback.expected_mm)
        return shown if now_s - self._shown_s < HAND_KEPT_S else replace(shown, hand=False)


def brightness_of(y: Picture, area: Area | None) -> float:
    """The median luminance of this part of a picture, or of all of it: 0 to 255. Every sixteenth row and column counts:
    some thousand pixels of a table.
    """
    height, width = y.shape
    left, top, right, bottom = area or (0.0, 0.0, 1.0, 1.0)
    part = y[int(top * height) : int(bottom * height) : 16, int(left * width) : int(right * width) : 16]
    return float(median(part)) if part.size else 0.0


def _differs(brightness: float, reference: float) -> bool:
    """Whether the light has changed by a stop, or has burnt half of what was left up to white."""
    return not reference / STOP <= brightness <= min(reference * STOP, (reference + 255) / 2)
