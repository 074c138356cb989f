"""``python -m firmware.tools.guide``: writes what depends on the table file into ``hardware/``.

That are the tables of camera.md and layout.md, and the printed parts' measures. ``--check`` writes nothing
and tells which files differ from what would be written.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from firmware.tools.guide.files import HARDWARE, guide_files


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 when ``--check`` finds a file that is not what it would be."""
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.guide", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hardware", type=Path, default=HARDWARE, metavar="DIR", help="the guide's folder")
    parser.add_argument("--check", action="store_true", help="write nothing, tell what differs")
    asked = parser.parse_args(arguments)
    stale = [
        (path, text) for path, text in guide_files(asked.hardware).items() if not path.exists() or _read(path) != text
    ]
    for path, text in stale:
        print(f"{path} {'is not what it would be' if asked.check else 'written'}")
        if not asked.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    if not stale:
        print("Everything is as it would be.")
    return 1 if stale and asked.check else 0


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
