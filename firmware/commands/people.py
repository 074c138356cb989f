"""A name in the scorebook corrected, two made one, or one taken out: asked about first, where nobody agreed to it."""

from __future__ import annotations

import sys
from pathlib import Path

from firmware.commands.options import say
from firmware.lessons.progress import Progress, progress_path
from firmware.names import person_key
from firmware.scorebook import people as people_edits
from firmware.scorebook.book import open_scorebook, read_scorebook
from firmware.scorebook.file import ScorebookError, is_there
from firmware.scorebook.rolling import copies_of


def edit_people(path: Path, old: str, new: str | None, *, agreed: bool, copies: bool) -> int:
    """Rename or forget somebody (``new`` None), once whoever typed it has said yes. 0 when done, 1 when not wanted.

    ``agreed``: nobody is asked. ``copies``: those are deleted, too.
    """
    progress = Progress(progress_path(path))
    say(progress.notice)
    if new is None and progress.knows(old) and not _has_played(path, old):
        return _forget_pupil(path, old, progress, agreed=agreed)
    if not is_there(path):
        raise ScorebookError(f"there is no scorebook {path} yet, so nobody is named in it.")
    with open_scorebook(path) as book:
        change = people_edits.plan_forget(book, old) if new is None else people_edits.plan_rename(book, old, new)
        print(_what_will_happen(path, change, new is None))
        if not agreed and not _agreed():
            print("Nothing was changed.")
            return 1
        people_edits.make_change(book, change)
        if new is None:
            progress.forget(old)
        else:
            progress.rename(old, change.new)
    print(f"Done: {change.new} it is.")
    if new is None:
        _say_where_else(path, change, delete=copies)
    return 0


def _has_played(path: Path, name: str) -> bool:
    """Whether a match in this book names him."""
    book = read_scorebook(path)
    if book is None:
        return False
    with book:
        keys = {person_key(each) for row in book.matches() for _, each in row.names.items()}
    return person_key(name) in keys


def _forget_pupil(path: Path, name: str, progress: Progress, *, agreed: bool) -> int:
    """Forget somebody who took lessons and is in no match."""
    print(f"{name} has taken lessons and is named in no match of {path}: what was learned is deleted.")
    if not agreed and not _agreed():
        print("Nothing was changed.")
        return 1
    progress.forget(name)
    print("Done.")
    return 0


def _what_will_happen(path: Path, change: people_edits.RenamePlan, forget: bool) -> str:
    names = " and ".join(change.spellings)
    count = f"{len(change.matches)} {'match' if len(change.matches) == 1 else 'matches'}"
    lines = [f"{names} becomes {change.new} in {count} of {path}."]
    if change.joins:
        lines.append(f"There is a {change.new} already: from then on they are one player, which cannot be undone.")
    if forget:
        lines.append("The results stay under that name; the old name is overwritten and cannot be brought back.")
    return "\n".join(lines)


def _agreed() -> bool:
    """Whether whoever sits there says yes; nobody there means no."""
    print("Go on? Type yes: ", end="", flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _say_where_else(path: Path, change: people_edits.RenamePlan, *, delete: bool) -> None:
    own = copies_of(path)
    for file in people_edits.copies_with(path, change):
        if delete or file in own:
            file.unlink()
            print(f"{file} held the name: deleted.")
        else:
            print(f"{file} may hold the name still: delete it if you do not need it, or say --copies.")
    print(
        "Out of reach, and yours to delete: backups on other disks, records, pages and pictures you had written, "
        "and the name in the settings file."
    )
