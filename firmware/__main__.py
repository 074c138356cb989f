"""``python -m firmware``: the same as ``engarde``."""

from __future__ import annotations

from firmware.cli.main import entry

if __name__ == "__main__":
    entry()
