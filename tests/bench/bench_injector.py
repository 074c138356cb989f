"""Everything that the game asks of its parts fails in the middle of a match: what became of it, a line each.

``PYTHONPATH=. .venv/bin/python tests/bench/bench_injector.py``. The whole program plays a recorded match while one part
after the other raises, hangs and gives nonsense. Of each way three columns: whether the match was ruled on and
written down as the undisturbed one, whether it was told, and whether a report was kept; neither where nobody asks for
the answer. Status 1 for a match that was not ruled on. The same runs in ``make test``. Takes ten seconds.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.loop.guard import part_of
from tests.firmware.table.loop.injected import KINDS, Disturbed, Key, disturbed_matches, recorded


def became(each: Disturbed, key: Key) -> str:
    """What this failing led to, in three words for three columns: ruled on, told, kept."""
    ruled = "on" if each.after == each.before else "NOT"
    if key not in each.guard.blamed:
        return f"{ruled:3} -    -"
    return f"{ruled:3} told {'kept' if f'{part_of(key[0]).part}-{key[1]}' in each.kept else '-'}"


def main() -> int:
    rows: dict[Key, list[str]] = {}
    ruled = True
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as changed:
        script = recorded(table_of(TABLE_FILE))
        for each in disturbed_matches(script, Path(folder), changed):
            same = each.after == each.before
            ruled &= same
            print(f"{each.kind}: {len(each.after)} rulings, {'as' if same else 'NOT as'} the undisturbed match")
            for key in each.asked:
                rows.setdefault(key, []).append(became(each, key))
    print(f"{'part':22} {'method':18} " + " ".join(f"{kind:15}" for kind in KINDS))
    for (part, name), columns in sorted(rows.items(), key=lambda row: (row[0][0].__name__, row[0][1])):
        print(f"{part.__name__:22} {name:18} " + " ".join(f"{column:15}" for column in columns))
    return 0 if ruled else 1


if __name__ == "__main__":
    raise SystemExit(main())
