"""A program of its own: prints the page of one match that is over, for a scoreboard that has a game to go on with.

``python -m firmware.web.page_maker BOOK NUMBER LANGUAGE``. It ends with ``NOT_OVER``, and prints nothing, for a match
that is not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from firmware.book.scorebook.book import read_scorebook
from firmware.book.scores.reviewing import page_of, those_like
from firmware.book.scores.summaries import read_summaries
from firmware.core.errors import EngardeError

NOT_OVER: Final = 3
"""The exit status that says so: 1 and 2 are failures of any program."""


def main(arguments: Sequence[str]) -> int:
    """Print the page; the exit status."""
    path, number, language = Path(arguments[0]), int(arguments[1]), arguments[2]
    try:
        book = read_scorebook(path)
        if book is None:
            return NOT_OVER
        with book:
            played = book.replay(number)
            if not played.finished:
                return NOT_OVER
            page = page_of(played, those_like(played.match, read_summaries(book)[0]), language)
    except (EngardeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.buffer.write(page.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
