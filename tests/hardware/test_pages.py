"""The guide's pages: every drawing opens, every link leads somewhere, and what the program says it says so."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.tools.guide import HARDWARE
from tests.hardware.drawings import DRAWINGS

ROOT = HARDWARE.parent
WIDTH_MM, HEIGHT_MM = 297, 210  # A4, lying
SVG = "{http://www.w3.org/2000/svg}"
MADE = ("stripboard.svg", "stripboard-cuts.svg", "table-above.svg", "table-side.svg")
PAGES = sorted(HARDWARE.rglob("*.md"))


def test_no_drawing_is_left_over_from_before() -> None:
    assert {path.name for path in (HARDWARE / "drawings").iterdir()} == {*DRAWINGS, *MADE}


@pytest.mark.parametrize("name", [*DRAWINGS, *MADE])
def test_a_drawing_opens_and_stays_on_its_paper(name: str) -> None:
    root = ElementTree.fromstring((HARDWARE / "drawings" / name).read_bytes())
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {WIDTH_MM} {HEIGHT_MM}"
    outside = []
    for shape in root:
        outside += [
            (shape.text, shape.attrib) for x, y in _points(shape) if not (0 <= x <= WIDTH_MM and 0 <= y <= HEIGHT_MM)
        ]
    assert outside == []


def _points(shape: ElementTree.Element) -> list[tuple[float, float]]:
    """The corners of a shape; a text's from what its letters take at most."""
    get = {name: float(value) for name, value in shape.attrib.items() if re.fullmatch(r"-?[\d.]+", value)}
    if shape.tag == f"{SVG}rect":
        return [(get["x"], get["y"]), (get["x"] + get["width"], get["y"] + get["height"])]
    if shape.tag == f"{SVG}circle":
        return [(get["cx"] - get["r"], get["cy"] - get["r"]), (get["cx"] + get["r"], get["cy"] + get["r"])]
    if shape.tag in (f"{SVG}polyline", f"{SVG}polygon"):
        return [(float(x), float(y)) for x, y in (pair.split(",") for pair in shape.attrib["points"].split())]
    if shape.tag == f"{SVG}text":
        wide = 0.62 * get["font-size"] * len(shape.text or "")
        start = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.get("text-anchor", "start")]
        return [(get["x"] - start * wide, get["y"]), (get["x"] + (1 - start) * wide, get["y"])]
    assert shape.tag == f"{SVG}title"
    return []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    broken = []
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert broken == []
    assert links != []


def _anchors(page: Path) -> set[str]:
    """What a Markdown page's headings can be linked by."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


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
