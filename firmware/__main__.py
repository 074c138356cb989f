"""``python -m firmware``: the same as ``engarde``."""

from __future__ import annotations

import sys

from firmware.cli import main

if __name__ == "__main__":
    sys.exit(main())
