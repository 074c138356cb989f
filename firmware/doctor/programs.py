"""A library or program as it was found on this machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """A library or program: its version and where it lies, or the ``problem`` that keeps it from being used."""

    version: str = ""
    path: str = ""
    problem: str = ""
