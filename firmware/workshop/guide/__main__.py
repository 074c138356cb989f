"""``python -m firmware.workshop.guide``: writes tables, parts list and measures into ``hardware/``.

It also tells what the drawings, which are kept by hand, lack of the pin table. ``--check`` writes nothing and tells
which files differ from what would be written.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from firmware.panel.pin_check import check_pins
from firmware.panel.pins import WIRES
from firmware.workshop.guide.drawings import lacking
from firmware.workshop.guide.files import HARDWARE, guide_files


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 when a drawing lacks something or ``--check`` finds a file that is not what it would be."""
    parser = argparse.ArgumentParser(
        prog="python -m firmware.workshop.guide", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--hardware", type=Path, default=HARDWARE, metavar="DIR", help="the guide's folder")
    parser.add_argument("--check", action="store_true", help="write nothing, tell what differs")
    asked = parser.parse_args(arguments)
    check_pins(WIRES)
    stale = [
        (path, text) for path, text in guide_files(asked.hardware).items() if not path.exists() or _read(path) != text
    ]
    for path, text in stale:
        print(f"{path} {'is not what it would be' if asked.check else 'written'}")
        if not asked.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    undrawn = lacking(asked.hardware / "drawings")
    for sentence in undrawn:
        print(sentence)
    if not stale and not undrawn:
        print("Everything is as it would be.")
    return 1 if undrawn or (stale and asked.check) else 0


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
