"""Reads one section of a table file and collects what is wrong with it instead of stopping at the first fault."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import Final

MOST: Final = 16_384
"""No table has so many millimetres, and no camera so many pixels."""


class TableError(ValueError):
    """A table file that cannot be used; the message lists every fault, one a line when there are several."""


def join_faults(faults: list[str]) -> None:
    """Raises TableError with all faults; does nothing when there are none."""
    if len(faults) == 1:
        raise TableError(faults[0])
    if faults:
        raise TableError(f"{len(faults)} faults:\n" + "\n".join(f"- {fault}" for fault in faults))


class Section:
    """A TOML table being read: a wrong or missing value notes a fault and gives a harmless stand-in."""

    def __init__(self, name: str, values: Mapping[str, object], faults: list[str], missing: bool = False) -> None:
        self._name = name
        self._values = values
        self._faults = faults
        self._missing = missing
        self._known: set[str] = set()

    @property
    def faults(self) -> int:
        """How many faults were noted so far, here and elsewhere in the file."""
        return len(self._faults)

    def has(self, key: str) -> bool:
        """Whether this key stands here; asked for, it is known, too."""
        self._known.add(key)
        return key in self._values

    def fault(self, key: str, what: str) -> None:
        self._faults.append(f"[{self._name}] {key}: {what}")

    def section(self, name: str) -> Section:
        """The section of this name; a missing one is one fault, not one for each of its keys."""
        self._known.add(name)
        value = self._values.get(name)
        if isinstance(value, dict):
            return Section(name, value, self._faults)
        found = "nothing" if value is None else repr(value)
        self._faults.append(f"[{name}]: expected this section, found {found}; see hardware/table.toml for one")
        return Section(name, {}, self._faults, missing=True)

    def no_others(self) -> None:
        """Notes a fault for every key nobody asked for, with the nearest known one."""
        for key in self._values:
            if key in self._known:
                continue
            near = difflib.get_close_matches(key, sorted(self._known), n=1)
            cure = f"did you mean {near[0]}?" if near else f"known here: {', '.join(sorted(self._known))}; remove it"
            where = f"[{self._name}] {key}" if self._name else f"[{key}]"
            self._faults.append(f"{where}: unknown; {cure}")

    def text(self, key: str) -> str:
        value = self._take(key, "text in quotes")
        if value is None:
            return ""
        if not isinstance(value, str) or not value:
            self.fault(key, f'expected text in quotes, found {value!r:.80}; write {key} = "..."')
            return ""
        return value

    def letter(self, key: str) -> str:
        value = self.text(key)
        if value and not (len(value) == 1 and "A" <= value <= "Z"):
            self.fault(key, f'expected one letter A to Z, found {value!r:.80}; write {key} = "A"')
        return value

    def integer(self, key: str, least: int) -> int:
        value = self._take(key, "a whole number")
        if value is None:
            return 0
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
            self.fault(
                key,
                f"expected a whole number from {least} to {MOST}, found {value!r:.80}; write it plainly",
            )
            return 0
        return value

    def positive(self, key: str, below: float = math.inf) -> float:
        value = self._take(key, "a number")
        if value is None:
            return 1.0
        if not _is_number(value) or not 0.0 < float(value) < below:  # type: ignore[arg-type]
            limit = "" if math.isinf(below) else f" and below {below:g}"
            self.fault(key, f"expected a number above 0{limit}, found {value!r:.80}; measure it and write it plainly")
            return 1.0
        return float(value)  # type: ignore[arg-type]

    def numbers(self, key: str, count: int, shape: str) -> tuple[float, ...]:
        value = self._take(key, shape)
        if value is None:
            return (0.0,) * count
        if not isinstance(value, list) or len(value) != count or not all(_is_number(part) for part in value):
            self.fault(
                key, f"expected {shape}, {count} numbers up to {MOST}, found {value!r:.80}; write {key} = {shape}"
            )
            return (0.0,) * count
        return tuple(float(part) for part in value)

    def interval(self, key: str) -> tuple[float, float]:
        faults_before = len(self._faults)
        low, high = self.numbers(key, 2, "[from, to]")
        if self.has(key) and len(self._faults) == faults_before and low >= high:
            self.fault(key, f"expected the smaller number first, found [{low:g}, {high:g}]; write [from, to]")
        return low, high

    def rows(self, key: str, shape: str, width: int, fewest: int, most: int | None = None) -> list[tuple[float, ...]]:
        """A list of equally long lists of numbers; a faulty row is noted and left out."""
        value = self._take(key, f"a list of {shape}")
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(key, f"expected a list of {shape}, found {value!r:.80}; write {key} = [{shape}, ...]")
            return []
        if len(value) < fewest or (most is not None and len(value) > most):
            wanted = f"exactly {fewest}" if most == fewest else f"at least {fewest}"
            self.fault(key, f"expected {wanted} of {shape}, found {len(value)}; add or remove some")
        good: list[tuple[float, ...]] = []
        for number, row in enumerate(value, start=1):
            if isinstance(row, list) and len(row) == width and all(_is_number(part) for part in row):
                good.append(tuple(float(part) for part in row))
            else:
                self.fault(
                    key,
                    f"row {number}: expected {shape}, {width} numbers up to {MOST}, found {row!r:.80}; correct it",
                )
        return good

    def rows_as_given(self, key: str) -> list[object]:
        """The list as it stands in the file; empty when it is missing or no list."""
        value = self._values.get(key)
        return list(value) if isinstance(value, list) else []

    def _take(self, key: str, expected: str) -> object | None:
        self._known.add(key)
        value = self._values.get(key)
        if value is None and not self._missing:
            self.fault(key, f"expected {expected}, found nothing; add {key} to [{self._name}]")
        return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST
