"""What is cited can be looked up: the files, sections and rulings that code, tests and documents name are in a clone.

And the documents name what there is: every code, command and preset.
"""

from __future__ import annotations

import ast
import os
import re
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import ActionKind, RulingCode
from engine.rules.state import Phase, Reason
from engine.table.observation import Sight, Why
from engine.table.presses import Button
from firmware.cli.doctor.findings import CheckResult
from firmware.cli.main import COMMANDS
from tests.engine.lessons.test_lessons import RULES_TAUGHT
from vision.camera.sources import IMAGE_SUFFIXES
from vision.printed.tags import TOKEN_LETTERS

ROOT: Final = Path(__file__).parents[1]
RULES: Final = ROOT / "engine" / "RULES.md"
FORMATS: Final = ROOT / "FORMATS.md"
FOLDERS: Final = ("engine", "vision", "display", "firmware", "hardware", "tests")

MADE_LATER: Final = {
    "fight.html": "the page of a match, as the README writes one",
    "match.mp4.buttons.json": "the presses beside somebody's video",
    "hall.toml": "the hall's card, as engarde club init writes it",
    "desk.toml": "the desk's card",
    "3.toml": "the card of table 3",
    "lessons.json": "what was learned, beside the scorebook",
    "clock.json": "what was used of a club match's time, in the data folder",
    "wall.json": "no file: the address of what a club's wall shows",
    "words.json": "no file: the address of what the wall's pages say",
    "fencers.json": "no file: the address of who fences",
    "results.html": "no file: the address of a competition's results",
    "results.csv": "no file: the address of a competition's results",
    "survey.json": "the truth beside a survey's pictures, as engarde watch --survey writes it",
    "state.json": "no file: the address of the scoreboard's state",
}
"""Names of files that no clone has, because somebody makes them, each with what it is."""

NAMED: Final = re.compile(
    r"(?<![\w./~<{-])[\w./-]*\w\.(?:md|toml|json|py|sh|sql|lock|html|csv|svg|scad|service)(?![\w/]|\.\w)"
)
A_STAND_IN: Final = re.compile(r"(?:^|[-./_])[A-Z]{3,}(?=[-./_]).*(?<!\.md)$")
"""``NAME.buttons.json``: capitals stand for any name. The documents are the other ones written so."""

A_HASH: Final = re.compile(r"(?:^|\s)#(.*)")
CITED_SECTION: Final = re.compile(r'(\w+\.md),? \(?("[^"]+"(?:(?:, | and )"[^"]+")*)')
CITED_RULING: Final = re.compile(r"\b[Rr]ulings? (\d+(?:(?:, | and | to )\d+)*)|\bruling_(\d+)")
CITED_STEP: Final = re.compile(r"\blast card (\d+)")


@cache
def files() -> tuple[str, ...]:
    """Every file of a clone, from the root: ``engine/RULES.md``."""
    found = [path.name for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        for place, folders, names in os.walk(ROOT / folder):
            folders[:] = [each for each in folders if each != "__pycache__"]
            found += [str((Path(place) / name).relative_to(ROOT)) for name in names]
    return tuple(found)


def texts_of_code(path: Path) -> Iterator[str]:
    """The comments of a Python file, and its texts that nobody uses: docstrings."""
    with tokenize.open(path) as stream:
        yield from (each.string for each in tokenize.generate_tokens(stream.readline) if each.type == tokenize.COMMENT)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


@cache
def prose() -> tuple[tuple[str, str], ...]:
    """Everything written for readers, as one line each: the file's name and the text."""
    told = []
    for name in files():
        path = ROOT / name
        if path.suffix == ".py":
            told += [(name, text) for text in texts_of_code(path)]
        elif path.suffix == ".md":
            told.append((name, path.read_text(encoding="utf-8")))
        elif path.suffix in (".toml", ".sh", ".service") or name == "Makefile":
            told += [(name, text) for text in A_HASH.findall(path.read_text(encoding="utf-8"))]
    return tuple((name, " ".join(text.split())) for name, text in told)


def whole_files(*endings: str) -> Iterator[tuple[str, str]]:
    """All files that end so, with everything in them."""
    for name in files():
        if name.endswith(endings):
            yield name, (ROOT / name).read_text(encoding="utf-8")


def headings(path: Path) -> list[str]:
    """A document's headings without the marks in them."""
    return [
        line.lstrip("#").strip().replace("`", "")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("#")
    ]


def section(path: Path, heading: str) -> str:
    """What stands under a heading of a document, up to the next one of its rank."""
    _, _, after = path.read_text(encoding="utf-8").partition(f"## {heading}\n")
    assert after, f"{path.name} has no section {heading}"
    return after.partition("\n## ")[0]


def numbers(path: Path, heading: str) -> list[int]:
    """The numbers of the list in a section."""
    return [int(number) for number in re.findall(r"^(\d+)\. ", section(path, heading), re.MULTILINE)]


def rulings() -> list[int]:
    return numbers(RULES, "Rulings on what the texts leave open")


def is_there(name: str) -> bool:
    """Whether a clone has a file that is called so, or whose path ends so."""
    end = name.removeprefix("./")
    while end.startswith("../"):
        end = end.removeprefix("../")
    return any(each == end or each.endswith(f"/{end}") for each in files())


def not_in_a_clone(text: str) -> list[str]:
    """The files this text names that nobody finds in a clone."""
    return [name for name in NAMED.findall(text) if not is_there(name) and A_STAND_IN.search(name) is None]


def missing(text: str) -> list[str]:
    """Those of them that nobody makes either."""
    return [name for name in not_in_a_clone(text) if Path(name).name not in MADE_LATER]


def sections_missing(text: str) -> list[str]:
    """The sections this text cites that are not in the document it names."""
    wrong = []
    for document, cited in CITED_SECTION.findall(text):
        there = [heading for each in files() if each.endswith(document) for heading in headings(ROOT / each)]
        for title in re.findall('"([^"]+)"', cited):
            if not any(re.fullmatch(rf"{re.escape(title)}([,:] .*)?", heading) for heading in there):
                wrong.append(f'{document}, "{title}"')
    return wrong


def rulings_missing(text: str) -> list[str]:
    """The rulings and steps this text cites that the rules do not have."""
    cited = [number for found in CITED_RULING.findall(text) for number in re.findall(r"\d+", "".join(found))]
    cited_steps = CITED_STEP.findall(text)
    if not cited and not cited_steps:
        return []  # most files
    known, steps = rulings(), numbers(RULES, "When the last card is drawn")
    wrong = [f"ruling {number}" for number in cited if int(number) not in known]
    return wrong + [f"last card {number}" for number in cited_steps if int(number) not in steps]


@pytest.mark.slow
def test_every_file_that_is_named_is_in_a_clone() -> None:
    assert [f"{where}: {name}" for where, text in prose() for name in missing(text)] == []


@pytest.mark.slow
def test_every_section_that_is_cited_is_there() -> None:
    assert [f"{where}: {cited}" for where, text in prose() for cited in sections_missing(text)] == []


def test_every_ruling_that_is_cited_is_in_the_rules() -> None:
    """In code and catalogues too, where it is a value: the screen names it."""
    everything = list(whole_files(".py", ".md", ".toml", ".states"))
    own = Path(__file__).name
    assert [f"{name}: {cited}" for name, text in everything if own not in name for cited in rulings_missing(text)] == []
    assert sum(len(CITED_RULING.findall(text)) for _, text in everything) > 100


@pytest.mark.parametrize(
    ("find", "text"),
    [
        (missing, "Source: ../shared/NOWHERE.md."),
        (missing, "see engine/refere.py for it"),
        (missing, "as `hardware/tabel.toml` says"),
        (sections_missing, 'Source: engine/RULES.md, "The gamme".'),
        (sections_missing, 'Source: FORMATS.md, "Starting" and "Printing".'),
        (rulings_missing, "for good (ruling 99)"),
        (rulings_missing, "rulings 1, 3 and 16"),
        (rulings_missing, 'ruling_0 = "?"'),
        (rulings_missing, "last card 5"),
    ],
)
def test_what_is_not_there_is_found_out(find: Callable[..., Any], text: str) -> None:
    assert len(find(text)) == 1


def test_what_is_there_is_found() -> None:
    text = 'Source: RULES.md, "The game" and "Presets"; FORMATS.md, "Cards" (the codes); rulings 4 and 13; NAME.json.'
    assert missing(text) + sections_missing(text) + rulings_missing(text) == []


@pytest.mark.slow
def test_no_name_is_kept_for_a_file_that_nobody_names() -> None:
    assert {Path(name).name for _, text in prose() for name in not_in_a_clone(text)} == set(MADE_LATER)


def test_the_rules_are_numbered_through_and_lessons_teach_each() -> None:
    taught = [int(name.split()[1]) for name in RULES_TAUGHT if name.startswith("ruling ")]
    assert rulings() == [*range(1, len(rulings()) + 1)] == sorted(taught)
    steps = [int(name.split()[1]) for name in RULES_TAUGHT if name.startswith("last ")]
    assert numbers(RULES, "When the last card is drawn") == sorted(steps)


def test_the_rules_have_every_preset_and_every_text_that_is_cited() -> None:
    told = RULES.read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)`", section(RULES, "Presets"), re.MULTILINE) == [*RULE_SETS]
    texts = set(re.findall(r"^\| ([A-Z, -]+) \|", told, re.MULTILINE))
    cited = {name for where, text in whole_files(".py") if where.startswith("engine") for name in SHORT.findall(text)}
    assert cited | set(SHORT.findall(told)) == texts


SHORT: Final = re.compile(r"\b(?:FERTI|BSN|JIJ)-[A-Z]{2}\b")


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("Starting", [f"`engarde {name}" for name in COMMANDS]),
        ("Cameras", sorted(suffix[1:] for suffix in IMAGE_SUFFIXES)),
        ("Cards, `engarde judge`", [f"`{code.value}`" for code in RulingCode]),
        ("Cards, `engarde judge`", [f"`{each.value}`" for kind in (Phase, Reason, ActionKind) for each in kind]),
        ("Cards, `engarde judge`", [f"`{name}`" for name in RULE_SETS]),
        ("Cameras see: `engarde watch --json`", [f"`{each.value}`" for kind in (Sight, Why) for each in kind]),
        ("Presses beside a video or a folder", [f"`{button.value}`" for button in Button]),
        ("Printed codes", [f"`{TOKEN_LETTERS}`"]),
        ("Doctor", [f"`{verdict.value}`" for verdict in CheckResult]),
    ],
)
def test_the_formats_name_every_word(heading: str, words: list[str]) -> None:
    told = section(FORMATS, heading)
    assert [word for word in words if word not in told] == []


def test_the_formats_name_every_key_of_the_table_file() -> None:
    told = section(FORMATS, "The table file")
    table = tomllib.loads((ROOT / "hardware" / "table.toml").read_text(encoding="utf-8"))
    rows = {name: told.partition(f"| `[{name}]` |")[2].partition("\n")[0] for name in table}
    wrong = [f"[{name}] {key}" for name in table for key in table[name] if not re.search(rf"`{key}\b", rows[name])]
    assert wrong == []


@pytest.mark.parametrize("package", ["vision", "display", "firmware"])
def test_the_readme_of_a_package_names_every_room_and_door(package: str) -> None:
    """So does whoever adds one: its line says in a few words what belongs into it."""
    folder, text = ROOT / package, (ROOT / package / "README.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| `(\w+)/` \| \w", text, re.MULTILINE)
    assert sorted(rooms) == sorted(path.parent.name for path in folder.glob("*/__init__.py"))
    ground = re.findall(r"`(\w+)\.py`", text[text.index("On the ground:") :].split("\n\n")[0])
    assert sorted([*ground, "__init__"]) == sorted(path.stem for path in folder.glob("*.py"))


PLACED: Final = re.compile(r"`(?:\w+\.)?(\w+)`\s*(?:\(|of|in)\s*`([\w/]+\.py)`")


@pytest.mark.parametrize("package", ["engine", "vision", "display", "firmware"])
def test_what_a_readme_says_is_in_a_file_is_made_there(package: str) -> None:
    placed = PLACED.findall((ROOT / package / "README.md").read_text(encoding="utf-8"))
    for name, path in placed:
        file = next(found for found in (ROOT / package / path, ROOT / path) if found.is_file())
        made = re.compile(rf"^\s*(?:def|class) {name}\b|^{name}\b[^\n]*=", re.MULTILINE)
        assert made.search(file.read_text(encoding="utf-8")), f"{name} is not made in {path}"
    assert placed or package == "engine"


MADE: Final = re.compile(r"\b(?:def|class) (\w+)|^ *(?:self\.)?(\w+)(?:: [^=\n]+)?(?: = |$)|^ *(\w+): ", re.MULTILINE)
PLACEHOLDERS: Final = {"xx", "NAME_wish"}
"""What stands in a README for any of its kind: a language, a command's wish."""


@cache
def names_made() -> frozenset[str]:
    """What the code makes: functions, classes, values, fields, modules and rooms."""
    made: set[str] = set()
    for package in ("engine", "vision", "display", "firmware"):
        for path in (ROOT / package).rglob("*.py"):
            made |= {path.stem, path.parent.name}
            made |= {name for found in MADE.findall(path.read_text(encoding="utf-8")) for name in found}
    return frozenset(made)


def walk_of(text: str) -> str:
    """Without what is typed or drawn, which has signs of its own."""
    return re.sub(r"^(?: {4}|```).*$", "", text, flags=re.MULTILINE)


def unmade(text: str) -> list[str]:
    """The names in a text for programmers that no code makes: what it walks through is gone, or is called otherwise."""
    named = re.findall(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?`", walk_of(text))
    files = (".md", ".py", ".toml", ".sh", ".html", ".json", ".pdf", ".txt", ".lock")
    return [
        name for name in named if not name.endswith(files) and not set(name.split(".")) <= names_made() | PLACEHOLDERS
    ]


@pytest.mark.parametrize("package", ["vision", "display", "firmware"])
def test_the_way_a_readme_tells_is_the_way_of_the_code(package: str) -> None:
    """One frame, one card, one refusal, one press, one event of the scorebook: each name on the way is made by code."""
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    assert unmade(text) == []
    assert len(re.findall(r"^## One ", text, re.MULTILINE)) == 1


def test_a_name_that_nobody_makes_is_found_out() -> None:
    assert unmade("`Eyes.look` hands `xx` to `Loop._no_such_step`, in `look.py`") == ["Loop._no_such_step"]
