"""The guide's files are what the tables say now, every drawing opens, and every link leads somewhere."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.tools.guide import HARDWARE, filled, guide_files, main, markdown_table
from tests.hardware.drawings import DRAWINGS

WIDTH_MM, HEIGHT_MM = 297, 210  # A4, lying
SVG = "{http://www.w3.org/2000/svg}"
MADE = ("stripboard.svg", "stripboard-cuts.svg", "table-above.svg", "table-side.svg")
PAGES = sorted(HARDWARE.rglob("*.md"))


@pytest.fixture(scope="module")
def made() -> dict[Path, str]:
    return guide_files()


@pytest.mark.slow
def test_every_file_is_what_it_would_be(made: dict[Path, str]) -> None:
    """After a change of the table file: python -m firmware.tools.guide."""
    stale = [path.name for path, text in made.items() if path.read_bytes().decode("utf-8") != text]
    assert stale == []
    assert len(made) == 3


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


@pytest.mark.slow
def test_the_command_writes_what_is_missing_and_tells_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("table.toml", "camera.md", "layout.md", "printables/mast.scad"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((HARDWARE / name).read_bytes())
    shutil.copytree(HARDWARE / "drawings", tmp_path / "drawings")
    arguments = ["--hardware", str(tmp_path)]
    assert main([*arguments, "--check"]) == 1
    assert not (tmp_path / "printables" / "measures.scad").exists()
    assert main(arguments) == 0
    assert (tmp_path / "printables" / "measures.scad").read_bytes() == (
        HARDWARE / "printables" / "measures.scad"
    ).read_bytes()
    capsys.readouterr()
    assert main([*arguments, "--check"]) == 0
    assert capsys.readouterr().out == "Everything is as it would be.\n"
    (tmp_path / "printables" / "measures.scad").write_text("", encoding="utf-8")
    assert main([*arguments, "--check"]) == 1
    assert "measures.scad is not what it would be" in capsys.readouterr().out


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    assert filled("a\n<!-- table: one -->\nold\n<!-- end -->\nb", {"one": "new\n"}) == (
        "a\n<!-- table: one -->\nnew\n<!-- end -->\nb"
    )
    for tables in ({"one": "", "two": ""}, {"three": ""}):
        with pytest.raises(ValueError, match="places for the tables one; there are"):
            filled("<!-- table: one -->\n<!-- end -->", tables)
    assert markdown_table(("a", "b"), [(1, "x")]) == "| a | b |\n| --- | --- |\n| 1 | x |\n"


def test_there_are_pages() -> None:
    assert {"README.md", "wiring.md", "camera.md", "layout.md"} <= {page.name for page in PAGES}


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
