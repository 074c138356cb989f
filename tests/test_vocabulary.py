"""One word is one thing, and one thing has one word: in the names of what the code says in public."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("engine", "vision", "display", "firmware")
_CLASS: Final = re.compile(r"^class ([A-Z]\w*)", re.MULTILINE)
_ALIAS: Final = re.compile(r"^([A-Z]\w*[a-z]\w*)(?:: TypeAlias)? = (?!TypeVar|ParamSpec)", re.MULTILINE)


def test_no_two_classes_share_a_name() -> None:
    """Nor does what is merely called so, like ``Floats``: who meets a name knows which thing it is."""
    classes: dict[str, list[str]] = defaultdict(list)
    aliases: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
        for name in _CLASS.findall(text):
            classes[name].append(place)
        for name in _ALIAS.findall(text):
            aliases[name].append(place)
    assert len(classes) > 700
    assert len(aliases) > 80
    shared = {name: [*places, *aliases.get(name, ())] for name, places in classes.items()}
    assert {name: places for name, places in shared.items() if len(places) > 1} == {}
