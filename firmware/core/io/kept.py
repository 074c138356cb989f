"""Files kept for reports of failures: few, private, beside the scorebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.core.io.files import write_state

MAX_KEPT: Final = 20
REPORTS: Final = "reports"
MAX_REPORT_LETTERS: Final = 200_000


def reports_beside(book: Path) -> Path:
    """The folder for reports of what failed in the middle of a game, beside this scorebook."""
    return book.with_name(REPORTS)


def keep_among(folder: Path, name: str, files: Mapping[str, bytes]) -> Path | None:
    """Keep these files, by their endings, for their owner alone; the first one's path, None where that cannot be.

    Of each ending the oldest give way.
    """
    try:
        for ending, data in files.items():
            path = folder / f"{name}{ending}"
            write_state(path, data)
            # The newest by what was written last: a clock may have been years ahead once.
            for old in [each for each in kept_in(folder, ending) if each != path][: 1 - MAX_KEPT]:
                old.unlink(missing_ok=True)
    except OSError:
        return None
    return folder / f"{name}{next(iter(files))}"


def kept_in(folder: Path, ending: str = ".png") -> list[Path]:
    """The kept files of this ending, the oldest first; none where nothing was ever kept."""
    return sorted(folder.glob(f"*{ending}"))
