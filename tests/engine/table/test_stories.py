"""Stories of a table as text, a line for each thing that is done there (``AtTheTable.did``): what is ruled, noted and
proposed then.

``begun``: how a round begins; ``ruled``: presses and what they end; ``asked_about``: cards that nobody read;
``compared``: a match that is taken up again; ``offered``: a turn that the eyes cannot see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.engine.table.conftest import AtTheTable, Partly, Resumed, laid, told
from tests.scenes import ChangingScene, played, scenes


def begun() -> AtTheTable:
    at = AtTheTable()
    at.wait(1.2)
    return at


TABLES: Final[dict[str, Callable[[], AtTheTable]]] = {
    "begun": AtTheTable,
    "ruled": begun,
    "asked_about": begun,
    "compared": Resumed,
    "offered": Partly,
}
FILES: Final = {name: Path(__file__).with_name("stories") / f"{name}.txt" for name in TABLES}


class Story(ChangingScene):
    def __init__(self, at: AtTheTable) -> None:
        self.at = at
        self.fell: list[str] = []

    def facts(self) -> Iterator[tuple[str, object]]:
        yield "ruled", self.fell
        yield "note", self.at.noted
        yield "proposed", self.at.proposed and laid(self.at.proposed)

    def carry_out(self, word: str, *rest: str) -> None:
        self.fell = [told(entry) for entry in self.at.did((word, *rest))]


@pytest.mark.parametrize(
    ("name", "scene"),
    [pytest.param(name, *each.values, id=f"{name}: {each.id}") for name in FILES for each in scenes(FILES[name])],
)
def test_it_goes_as_told(name: str, scene: str, request: pytest.FixtureRequest) -> None:
    assert played(FILES[name], scene, Story(TABLES[name]()), request) == scene
