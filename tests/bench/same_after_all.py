"""Faults that ``bench_mutations.py`` puts into files and that change nothing anybody could notice, each with why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SAME: Final[Mapping[tuple[str, str, str], str]] = {}
"""By file, what the line says, and the change as the bench prints it."""
