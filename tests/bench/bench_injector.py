"""Every public method of every part fails in the middle of a match: what became of it, a line each.

``PYTHONPATH=. .venv/bin/python tests/bench/bench_injector.py``. The whole program plays a recorded match while one
method after the other raises, hangs and gives nonsense. Of each way three columns: whether the match was ruled on and
written down as the undisturbed one, whether it was told, and whether a report was kept; neither where nobody asks for
the answer, or where the part said itself that it has ended. Status 1 for a match that was not ruled on.
The same runs in ``make test``. Takes a minute.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.loop.watched import Part
from tests.firmware.table.loop.injected import KINDS, Disturbed, Injector, Key, disturbed_matches, parts, recorded


def became(each: Disturbed, key: Key) -> str:
    """What this method's failing led to, in three words for three columns: ruled on, told, kept."""
    ruled = "on" if each.after.rulings == each.before.rulings else "NOT"
    told = ", ".join(told for tried, _, told in each.after.done if tried == key and told)
    if told in ("", "never called"):
        return f"{ruled:3} {told or '-    -'}"
    named = {part.__name__: getattr(part, "part", Part.OTHER).value for part in parts()}
    failed = (who.split(".") for who in told.split(", "))  # who it was called by, where nobody else calls it
    kept = all(f"{named.get(name, name)}-{doing}" in each.kept for name, doing in failed)
    return f"{ruled:3} told {'kept' if kept else '-'}"


def main() -> int:
    rows: dict[Key, list[str]] = {}
    ruled = True
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as changed:
        script = recorded(table_of(TABLE_FILE))
        for each in disturbed_matches(script, Path(folder), Injector(), changed):
            same = each.after.rulings == each.before.rulings
            ruled &= same
            print(f"{each.kind}: {len(each.after.rulings)} rulings, {'as' if same else 'NOT as'} the undisturbed match")
            for key in each.calls.all:
                rows.setdefault(key, []).append(became(each, key))
    print(f"{'part':22} {'method':18} " + " ".join(f"{kind:15}" for kind in KINDS))
    for (part, name), columns in sorted(rows.items(), key=lambda row: (row[0][0].__name__, row[0][1])):
        print(f"{part.__name__:22} {name:18} " + " ".join(f"{column:15}" for column in columns))
    return 0 if ruled else 1


if __name__ == "__main__":
    raise SystemExit(main())
