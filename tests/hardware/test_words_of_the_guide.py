"""What the guide says the program says, the program says; what it tells to run and to change is there."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from firmware.tools.guide import HARDWARE

ROOT = HARDWARE.parent
README = (HARDWARE / "README.md").read_text(encoding="utf-8")
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in chain(
        sorted((ROOT / "vision").rglob("*.py")),
        sorted((ROOT / "firmware").rglob("*.py")),
        sorted((ROOT / "display" / "locales" / "en").glob("*.toml")),
    )
)
IMAGERS = {"App Options", "Content Repository"}
"""Pages of Raspberry Pi Imager."""
TROUBLE = README[README.index("## Troubleshooting") :]
ROWS = [line.split("|")[1:-1] for line in TROUBLE.splitlines() if line.startswith("| ")]
QUOTED = re.findall(r"\*([^*|]+)\*", "\n".join(row[0] for row in ROWS))


def test_there_is_trouble_to_look_up() -> None:
    assert len(ROWS) > 30
    assert len(QUOTED) > 15


@pytest.mark.parametrize("words", sorted(set(QUOTED)))
def test_a_quoted_symptom_is_the_programs_own(words: str) -> None:
    assert words in SOURCES


def test_a_button_or_page_that_is_named_is_called_so() -> None:
    told = re.sub(r"\*\*[^*]+\*\*|^\*Photograph wanted.*$", "", README.removesuffix(TROUBLE), flags=re.MULTILINE)
    named = set(re.findall(r"\*([A-Z][^*\n]+)\*", told))
    assert len(named) > 12
    assert [words for words in sorted(named - IMAGERS) if words not in SOURCES] == []


def test_every_row_has_a_cause_and_a_cure() -> None:
    assert all(len(row) == 3 and all(cell.strip() for cell in row) for row in ROWS)


def test_what_is_to_be_measured_has_its_place_in_the_table_file() -> None:
    text = (HARDWARE / "table.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    named = re.findall(r"`\[(\w+)\] (\w+)`", README)
    assert len(named) >= 8
    for section, key in named:
        if section in table:
            assert key in table[section] or key == "spaces_mm" or f"\n# {key} = " in text, (section, key)


PAGES = sorted(page for page in HARDWARE.glob("*.md") if page.name != "PLATFORM.md")  # which nobody builds by
COMMANDS = {"demo", "play", "teach", "judge", "calibrate", "watch", "print", "scores", "doctor", "book", "setup"}
"""Every command there is to be. Source: FORMATS.md, "Starting"."""


def _in_code(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(r"`([^`\n]+)`", text) + re.findall(r"^\.venv/bin/.*$", text, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_is_named_is_there(page: Path) -> None:
    named = {path for code in _in_code(page) for path in re.findall(r"(?:firmware|vision|display)/[\w./]+\w", code)}
    assert named != set() or page.name == "camera.md"
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_named_is_one_of_ours(page: Path) -> None:
    named = {name for code in _in_code(page) for name in re.findall(r"\bengarde (\w+)", code)}
    assert named - {"engarde"} <= COMMANDS
    assert named != set()
