"""A score is written alike wherever one reads it, and without blanks at a terminal and where it is read aloud."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from display.words.sentences import score_text

ROOT = Path(__file__).parents[3]
WRITES = "display/words/sentences.py"
TERMINAL_OR_ALOUD = {
    *("firmware/extras/club/publisher.py", "firmware/book/scores/telling.py", "firmware/book/scores/reviewing.py"),
    *("firmware/ui/screen/printers.py", "firmware/book/scorebook/correction.py", "firmware/cli/commands/demo.py"),
    "firmware/cli/commands/play.py",
}
TWO = re.compile(r"\}( ?): ?\{[^{}]*(?:white|black|score|points_against|touches|won\.other|theirs)")
"""A score as an f-string puts it together; the blank before the colon tells which way."""
JOINED = re.compile(r"""(?:score|touches)[^\n]*(?:join\(|\+ )"( ?): ?\"""")


def sources(ending: str) -> list[Path]:
    return sorted(path for package in ("display", "firmware") for path in (ROOT / package).rglob(f"*.{ending}"))


def test_a_score_has_blanks_around_its_colon() -> None:
    assert score_text(5, 4) == "5 : 4"


def test_nobody_else_writes_one() -> None:
    found: dict[str, set[str]] = {}
    for path in sources("py"):
        for blank in TWO.findall(path.read_text(encoding="utf-8")):
            found.setdefault(path.relative_to(ROOT).as_posix(), set()).add(blank)
    assert found.pop(WRITES) == {" "}
    assert found == {file: {""} for file in TERMINAL_OR_ALOUD}


def test_pages_in_the_browser_write_it_the_same_way() -> None:
    found = {
        (path.name, blank)
        for path in sources("html")
        for blank in (*JOINED.findall(path.read_text(encoding="utf-8")), *_filled(path))
    }
    assert {name for name, _ in found} == {"scoreboard.html", "wall.html", "fencer.html"}
    assert {blank for _, blank in found} == {" "}


def _filled(path: Path) -> list[str]:
    return re.findall(r"score\.white\}( ?): ?\$\{", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "source", ['f"{score.white}:{score.black}"', 'f"{score.white} : {score.black}"', 'f"{touches[0]}:{touches[1]}"']
)
def test_one_that_is_written_would_be_found(source: str) -> None:
    assert TWO.search(source)
