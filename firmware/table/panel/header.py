"""The pins of the header: the GPIO chip that drives them, found by its label, and who holds each line.

Kernels number the chips as they like: on a Pi 5 the header was gpiochip4, then 0, and is one of 11 to 15 since kernel
6.12.96+rpt. The label is given by the driver and stays. gpiozero opens 4 or 0 by its own guess (2.0 and 2.0.1 whatever
they are told), so the factory here is handed an open chip.

Source: joan2937/lg v0.2.2 (lgGpio.c); gpiozero 2.0 to 2.0.1.post3, LGPIOFactory; the kernel's
pinctrl-rp1.c and pinctrl-bcm2835.c; gpiozero#1166 and #1216, Adafruit_Blinka#1119.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from display.i18n import words
from firmware.core.errors import EngardeError

PinFactory = Any
"""A gpiozero pin factory; the library has no types."""

HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the header's chip: of a Pi 5, a Pi 4, and all earlier ones."""
OURS: Final = "engarde"
"""The holder of a line that this program has claimed itself."""

_HEADER: Final = re.compile(r"pinctrl-(rp|bcm2)\d+")  # those above, and what the next models are likely to be called
_MAX_CHIPS: Final = 64  # a Pi 5 has six, from number 10 on; each expander on I2C or SPI adds one
_USED: Final = 1 << 0
_CLAIMED: Final = 0xF00  # input, output, alert or group, by this very handle


class PinTrouble(Enum):
    """Why pins cannot be used; the values are keys under ``doctor.pins`` in the catalogue, each with its ``_cure``."""

    NO_LGPIO = "no_lgpio"
    EMPTY_LGPIO = "empty_lgpio"
    NO_ACCESS = "no_access"
    NO_CHIP = "no_chip"
    NO_HEADER = "no_header"
    HELD = "held"
    BROKEN = "broken"


_BY: Final[Mapping[PinTrouble, str]] = {
    PinTrouble.NO_LGPIO: "sudo apt-get install python3-lgpio",
    PinTrouble.EMPTY_LGPIO: "pip uninstall lgpio; sudo apt-get install python3-lgpio",
    PinTrouble.NO_ACCESS: "sudo usermod -aG gpio USER",
    PinTrouble.NO_HEADER: "sudo apt-get full-upgrade",
    PinTrouble.HELD: "gpioinfo; /boot/firmware/config.txt",
}
"""The command that cures it, where there is one."""


@dataclass(frozen=True, slots=True)
class PinProblem:
    """Why a part of the panel is missing, to be told in any language."""

    trouble: PinTrouble
    facts: Mapping[str, str] = field(default_factory=dict)

    def found(self, say: Callable[..., str]) -> str:
        """The problem in one sentence; ``say`` gives sentences of the catalogue."""
        return say(f"doctor.pins.{self.trouble.value}", **self.facts)

    def cure(self, say: Callable[..., str]) -> str:
        """The cure in one sentence."""
        return say(f"doctor.pins.{self.trouble.value}_cure")

    @property
    def by(self) -> str:
        """The command with which a helper does that at a terminal; may be empty."""
        return _BY.get(self.trouble, "")

    def __str__(self) -> str:
        say = words("en").say
        return f"{self.found(say)} {self.cure(say)}{f' [{self.by}]' if self.by else ''}"


class HeaderError(EngardeError):
    """The header's pins cannot be used at all; ``problem`` says why."""

    def __init__(self, problem: PinProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Chip:
    """One GPIO chip as the kernel lists it."""

    number: int
    label: str
    lines: int

    def __str__(self) -> str:
        return f"gpiochip{self.number} ({self.label}, {self.lines})"


class Header:
    """The header's pins, opened when first needed; looked for again while they cannot be opened."""

    def __init__(self, opens: Callable[[], PinFactory]) -> None:
        """``opens`` gives the pin factory: ``real_pins``, or pretended ones."""
        self._opens, self._lock = opens, threading.Lock()
        self._pins: PinFactory = None
        self._problem: PinProblem | None = None

    def pins(self, *, again: bool) -> PinFactory:
        """The pin factory, always the same; ``again``: tried once more where it could not be opened.

        Raises HeaderError, or whatever gpiozero and lgpio do.
        """
        with self._lock:
            if self._pins is None:
                if self._problem is not None and not again:
                    raise HeaderError(self._problem)
                try:
                    self._pins = self._opens()
                except HeaderError as error:
                    self._problem = error.problem
                    raise
            return self._pins

    def holder(self, gpio: int) -> str:
        """The holder of this line: ``OURS``, or a name of the kernel's; empty for nobody, and on pretended pins."""
        holder = getattr(self._pins, "holder", None)
        return "" if holder is None else str(holder(gpio))

    def chips(self) -> tuple[Chip, ...]:
        """Every chip that can be opened; none on pretended pins. Takes 0.1 s a chip, in which lgpio closes it."""
        chips = getattr(self._pins, "chips", None)
        return () if chips is None else tuple(chips())

    def close(self) -> None:
        """Let go of the chip; without waiting for a look that is under way, for the program may be ending."""
        pins, self._pins = self._pins, None
        if pins is not None:
            pins.close()


def real_pins(dev: Path = Path("/dev")) -> PinFactory:
    """The pin factory of this Raspberry Pi's header. Raises HeaderError with the reason, and its own cure.

    ``dev`` is where the chips' files lie, by which is told whether a chip is missing or forbidden.
    """
    lgpio = _lgpio()
    number, handle = _open_header(lgpio, dev)
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

    class HeaderPins(LGPIOFactory):  # type: ignore[misc]
        """gpiozero's own factory on the chip that was found."""

        def __init__(self) -> None:
            super(LGPIOFactory, self).__init__()
            self._handle, self._chip, self.pin_class = handle, number, LGPIOPin

        def holder(self, gpio: int) -> str:
            _, _, flags, _, user = lgpio.gpio_get_line_info(handle, gpio)
            return "" if not flags & _USED else OURS if flags & _CLAIMED else user or "the kernel"

        def chips(self) -> Iterator[Chip]:
            for chip, opened in _chips(lgpio):
                lgpio.gpiochip_close(opened)
                yield chip

    return HeaderPins()


def _lgpio() -> Any:
    """The library. Raises HeaderError where it is missing, broken or empty."""
    # lgpio makes a file where it stands unless it is told otherwise, and fails where it cannot.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        import lgpio
    except Exception as error:  # its C part raises what it likes
        said = f"{type(error).__name__}: {error}"
        raise HeaderError(PinProblem(PinTrouble.NO_LGPIO, {"said": said})) from error
    if not hasattr(lgpio, "gpiochip_open"):  # PyPI's lgpio 0.0.0.2, which pip takes where no wheel fits
        raise HeaderError(PinProblem(PinTrouble.EMPTY_LGPIO, {"file": str(lgpio.__file__)}))
    return lgpio


def _open_header(lgpio: Any, dev: Path) -> tuple[int, int]:
    """The header's chip and lgpio's handle of it. Raises HeaderError where no chip has the label of one."""
    seen = []
    for chip, handle in _chips(lgpio):
        if _HEADER.fullmatch(chip.label):
            return chip.number, handle
        lgpio.gpiochip_close(handle)
        seen.append(chip)
    locked = [path.name for path in sorted(dev.glob("gpiochip*")) if not os.access(path, os.R_OK | os.W_OK)]
    if locked:
        problem = PinProblem(PinTrouble.NO_ACCESS, {"chips": ", ".join(locked)})
    elif seen:
        facts = {"labels": ", ".join(HEADER_LABELS), "chips": ", ".join(map(str, seen))}
        problem = PinProblem(PinTrouble.NO_HEADER, facts)
    else:
        problem = PinProblem(PinTrouble.NO_CHIP)
    raise HeaderError(problem)


def _chips(lgpio: Any) -> Iterator[tuple[Chip, int]]:
    """Every chip that lgpio opens, with its handle, which is the caller's to close."""
    for number in range(_MAX_CHIPS):
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:  # the same for a chip that is not there and one that is forbidden
            continue
        try:
            _, lines, _, label = lgpio.gpio_get_chip_info(handle)
        except Exception:  # a chip that does not tell its label is not taken for the header's
            lines, label = 0, "?"
        yield Chip(number, str(label), int(lines)), handle


# A panel's parts, each on pins of its own: one that cannot be opened costs no other, and is tried again.


class Closes(Protocol):
    def close(self) -> None: ...


Device = TypeVar("Device", bound=Closes)


class PinPart(Generic[Device]):
    """One lamp, button, buzzer, or the row of shift registers: its device, or the problem that keeps it away."""

    def __init__(
        self,
        title: str,
        names: tuple[str, ...],
        gpios: tuple[int, ...],
        header: Header,
        opens: Callable[[PinFactory], Device],
    ) -> None:
        """``names``: the lamps, button or buzzer that are gone while it is missing."""
        self.title, self.names, self.gpios = title, names, gpios
        self.device: Device | None = None
        self.problem: PinProblem | None = None
        self._header, self._opens, self._closed = header, opens, False
        self.look(again=False)

    def look(self, *, again: bool = True) -> bool:
        """Open it unless it is open. Gives whether it is there now; no longer after ``close``.

        ``again``: a header that could not be opened is tried once more, which takes 0.1 s for each of its chips.
        """
        if self.device is None and not self._closed:
            try:
                self.device = self._opens(self._header.pins(again=again))
                self.problem = None
            except HeaderError as error:
                self.problem = error.problem
            except Exception as error:  # whatever gpiozero and lgpio raise: this part is missing, the others are not
                self.problem = self._problem(f"{type(error).__name__}: {error}")
        return self.device is not None

    def close(self) -> None:
        device, self.device, self._closed = self.device, None, True
        if device is not None:
            device.close()

    def _problem(self, said: str) -> PinProblem:
        """The pin that somebody else holds, where it is one of them; else what was said of them all."""
        for gpio in self.gpios:
            if (holder := self._header.holder(gpio)) not in ("", OURS):
                return PinProblem(PinTrouble.HELD, {"gpio": str(gpio), "part": self.title, "holder": holder})
        pins = ", ".join(map(str, self.gpios))
        return PinProblem(PinTrouble.BROKEN, {"gpio": pins, "part": self.title, "said": said})


class PinParts(Generic[Device]):
    """Parts of one kind."""

    def __init__(self, *parts: PinPart[Device]) -> None:
        self.parts = parts

    @property
    def devices(self) -> list[Device]:
        """The devices that are there now."""
        return [part.device for part in self.parts if part.device is not None]

    def close(self) -> None:
        """Everything off, every pin let go of, whatever happens on the way."""
        with ExitStack() as closing:
            for part in self.parts:
                closing.callback(part.close)


@dataclass(frozen=True, slots=True)
class MissingParts:
    """Parts that are missing for the same reason."""

    problem: PinProblem
    parts: tuple[PinPart[Closes], ...]

    @property
    def name(self) -> str:
        """The pins' numbers, such as ``17``; empty where it is the whole header that is missing."""
        return self.problem.facts.get("gpio", "")

    def look(self) -> bool:
        """Try all of them again; whether all are there now."""
        there = [part.look(again=part is self.parts[0]) for part in self.parts]
        return all(there)


def missing_parts(*devices: PinParts[Any]) -> tuple[MissingParts, ...]:
    """The missing parts of these lights, buttons and buzzers, by their problem."""
    parts = [part for device in devices for part in device.parts if part.problem]
    return tuple(
        MissingParts(problem, tuple(group)) for problem, group in groupby(parts, key=lambda each: each.problem)
    )
