"""A panel's parts, each on pins of its own: one that cannot be opened costs no other, and is tried again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, Protocol, TypeVar

from firmware.table.panel.header import OURS, Header, HeaderError, PinFactory, PinProblem, PinTrouble


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
        """Those that are there now."""
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


def missing_parts(*devices: object) -> tuple[MissingParts, ...]:
    """What is missing of these lights, buttons and buzzers."""
    parts = [part for device in devices if isinstance(device, PinParts) for part in device.parts if part.problem]
    return tuple(
        MissingParts(problem, tuple(group)) for problem, group in groupby(parts, key=lambda each: each.problem)
    )
