"""What keeps the parts apart, read from the files themselves."""

from __future__ import annotations

import ast
import importlib
import os
import re
import sys
import tokenize
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "vision", "display", "firmware")

# What only firmware/club does, for its broker, its certificates, its cards and its results.
CLUB = {"paho", "cryptography", "segno", "reportlab"}
# Each package with what it may import besides the standard library.
LAYERS = {
    "engine": {"engine"},
    "vision": {
        "vision",
        "engine",
        "numpy",
        "cv2",
        "zxingcpp",
        "pyzbar",
        "segno",
        "picamera2",
        "libcamera",
        "reportlab",
    },
    "display": {"display", "engine", "pygame", "babel"},
    "firmware": {*PACKAGES, "numpy", "cv2", "pygame", "gpiozero", "lgpio", "platformdirs", "fsrs"} | CLUB,
}

# The rooms of a package from the ground up: each needs only those named before it.
# fmt: off
ROOMS = {
    "vision": (
        "printed", "camera", "marks", "change", "board", "sights", "reading", "agree", "why", "recording",
        "sheets", "synthetic",
    ),
    "display": ("draw", "words", "menu", "screens", "tabletop", "page", "workshop"),
    "engine": (
        "rules", "chances", "players", "record", "table", "companion", "puzzles", "lessons", "competition",
        "review",
    ),
    "firmware": (
        "readers",
        "scorebook",
        "scores",
        "loop",
        "panel",
        "sound",
        "web",
        "service",
        "camera",
        "recording",
        "club",
        "companion",
        "coach",
        "lessons",
        "menu",
        "screen",
        "simulation",
        "hands",
        "doctor",
        "sitting",
        "first_start",
        "commands",
        "workshop",
    ),
}
# fmt: on
# What stands in no room: the ground on which all of them are built, and the door, which opens any.
GROUND = {
    "engine": {"__init__"},
    "vision": {"__init__", "frame", "geometry", "limits", "memo", "ranks"},
    "display": {"__init__", "view", "spots", "i18n", "lamps"},
    "firmware": {"__init__", "errors", "names", "clock", "config"},
}
# A room on which the ground itself stands, so that it needs nobody.
CELLAR = {"engine": ("strict",), "firmware": ("io",)}
DOOR: dict[str, set[str]] = {
    "engine": set(),
    "vision": {"look", "eyes", "steps", "overlay"},
    "display": {"window"},
    "firmware": {"__main__", "cli"},
}

# What else stands beside the ground: the doors for a shell, and the settings as they are before anybody changes them.
SCRIPTS_AND_SETTINGS = {"firmware": {"setup.sh", "install.sh", "start.sh", "defaults.toml"}}

# Of the standard library the engine has only what computes, and importlib for the tables that come with it.
# fmt: off
ENGINE_STDLIB = {
    "__future__", "codecs", "collections", "dataclasses", "difflib", "enum", "fractions", "functools", "importlib",
    "itertools", "json",
    "math", "operator", "random", "re", "tomllib", "types", "typing",
}
# fmt: on
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint"}


def sources(*folders: str) -> list[Path]:
    """Every Python file under these folders of the project."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All of a file's syntax tree: walked once, for to walk takes longer than all that is asked of it."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))


def imports_of(path: Path) -> Iterator[str]:
    """The full names of the modules imported anywhere in the file, also inside functions."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            assert node.module is not None
            yield node.module


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def needed_by(path: Path) -> set[Path]:
    """The project's other files this one imports, wherever in it."""
    modules: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            modules |= {module for module in whole if file_of(module)} or {node.module}
    return {file for module in modules if (file := file_of(module)) is not None and file != path}


def file_of(module: str) -> Path | None:
    """The project's file of this module or package; None where it is none of ours."""
    base = ROOT.joinpath(*module.split("."))
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)


def circle_in(graph: Mapping[Path, set[Path]]) -> list[str]:
    """One way along it that ends where it began; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return [named(path) for path in found.args[1]]
    return []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_layer_imports_only_what_lies_under_it(package: str) -> None:
    allowed = LAYERS[package] | set(sys.stdlib_module_names)
    wrong = [
        f"{named(path)} imports {module}"
        for path in sources(package)
        for module in imports_of(path)
        if module.split(".")[0] not in allowed
    ]
    assert wrong == []
    assert sources(package) != []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_files_need_each_other(package: str) -> None:
    graph = {path: needed_by(path) for path in sources(package)}
    assert sum(map(len, graph.values())) > 50
    assert circle_in(graph) == []


@pytest.mark.parametrize("package", ROOMS)
def test_no_folders_need_each_other(package: str) -> None:
    graph: dict[Path, set[Path]] = {}
    for path in sources(package):
        here = room_of(path)
        graph[here] = graph.get(here, set()) | ({room_of(file) for file in needed_by(path)} - {here})
    assert len(graph) > len(ROOMS[package])
    assert circle_in(graph) == []


@pytest.mark.parametrize("package", ROOMS)
def test_a_room_needs_only_those_under_it(package: str) -> None:
    rooms = ROOMS[package]
    wrong = []
    for path in sources(package):
        floor = floor_of(path)
        wrong += [
            f"{named(path)} imports {named(file)}"
            for file in needed_by(path)
            if file.relative_to(ROOT).parts[0] == package and floor_of(file) > floor
        ]
    assert wrong == []
    there = [path.name for path in (ROOT / package).iterdir() if (path / "__init__.py").exists()]
    assert sorted([*rooms, *CELLAR.get(package, ())]) == sorted(there)


def room_of(path: Path) -> Path:
    """Its folder; a door stands for itself, being above what it opens."""
    package, *rest = path.relative_to(ROOT).with_suffix("").parts
    return path if len(rest) == 1 and rest[0] in DOOR.get(package, ()) else path.parent


def floor_of(path: Path) -> int:
    """How high in its package a file stands: the cellar under the ground, which is 0, the door above all rooms."""
    package, *rest = path.relative_to(ROOT).with_suffix("").parts
    if rest[0] in CELLAR.get(package, ()):
        return -1
    if len(rest) > 1:
        return 1 + ROOMS[package].index(rest[0])
    return 1 + len(ROOMS[package]) if rest[0] in DOOR[package] else 0


@pytest.mark.parametrize("package", ROOMS)
def test_nobody_stands_outside_the_rooms(package: str) -> None:
    loose = {path.name for path in (ROOT / package).iterdir() if path.suffix in (".py", ".sh", ".toml")}
    modules = {f"{name}.py" for name in GROUND[package] | DOOR[package]}
    assert loose == modules | SCRIPTS_AND_SETTINGS.get(package, set())


def test_only_commands_and_scripts_know_of_arguments() -> None:
    """Whatever a command starts is told what is wanted by a frozen value."""
    may = re.compile(r"firmware/(cli|commands/\w+|workshop/.*)\.py|display/workshop/\w+\.py")
    needing = [named(path) for path in sources(*PACKAGES) if "argparse" in set(imports_of(path))]
    assert [name for name in needing if not may.fullmatch(name)] == []
    assert len(needing) > 10


def test_nobody_needs_the_workshop() -> None:
    """It is no part of what runs at a table."""
    workshops = {ROOT / "firmware" / "workshop", ROOT / "display" / "workshop"}
    wrong = [
        f"{named(path)} imports {named(file)}"
        for path in sources(*PACKAGES)
        if not workshops & set(path.parents)
        for file in needed_by(path)
        if workshops & set(file.parents)
    ]
    assert wrong == []


def test_the_engine_is_pure() -> None:
    wrong = []
    for path in sources("engine"):
        wrong += [
            f"{named(path)} imports {module}"
            for module in imports_of(path)
            if module.split(".")[0] not in {"engine", *ENGINE_STDLIB}
        ]
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
                wrong.append(f"{named(path)}:{node.lineno} calls {node.func.id}")
            if isinstance(node, ast.Global | ast.Nonlocal):
                wrong.append(f"{named(path)}:{node.lineno} changes a name outside")
            # random.Random is handed in, as a type; the module's own generator has a seed nobody knows.
            if _of_random(node) and not (isinstance(node, ast.Attribute) and node.attr == "Random"):
                wrong.append(f"{named(path)} uses random's hidden generator")
            if isinstance(node, ast.Call) and _of_random(node.func):
                wrong.append(f"{named(path)}:{node.lineno} makes a generator of its own")
    assert wrong == []


def _of_random(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "random" and {alias.name for alias in node.names} != {"Random"}
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random"


def test_the_engines_values_are_frozen() -> None:
    wrong = []
    for path in sources("engine"):
        for node in nodes_of(path):
            if not isinstance(node, ast.ClassDef):
                continue
            for decorator in node.decorator_list:
                text = ast.unparse(decorator)
                if text.startswith("dataclass") and "frozen=True" not in text:
                    wrong.append(f"{named(path)}: {node.name}")
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_tested_is_this_checkout(package: str) -> None:
    """An installed copy, or another project's package of the same name, would be tested instead without a word."""
    file = importlib.import_module(package).__file__
    assert file is not None
    assert Path(file).parent == ROOT / package


def test_every_package_folder_is_a_package_and_no_tests_folder_is() -> None:
    folders = {path.parent for path in sources(*PACKAGES)}
    assert sorted(named(folder) for folder in folders if not (folder / "__init__.py").exists()) == []
    assert [named(path) for path in sources("tests") if path.name == "__init__.py"] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_only_commands_printers_and_scripts_print(package: str) -> None:
    """Whatever else prints would break the lines that other programs read."""
    may = re.compile(r"firmware/(cli|screen/printers|commands/\w+|workshop/tournament/command)\.py")
    wrong = [
        f"{named(path)}:{node.lineno}"
        for path in sources(package)
        if not may.fullmatch(named(path)) and '__name__ == "__main__"' not in path.read_text(encoding="utf-8")
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "breakpoint")
    ]
    assert wrong == []


def test_nothing_is_left_for_later() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    wrong = []
    for path in sources(*PACKAGES, "tests"):
        if not re.search(r"TODO|FIXME|XXX|HACK|NotImplemented", path.read_text(encoding="utf-8")):
            continue  # most files: taking them apart costs seconds
        with tokenize.open(path) as stream:
            wrong += [
                f"{named(path)}:{token.start[0]}"
                for token in tokenize.generate_tokens(stream.readline)
                if token.type == tokenize.COMMENT and marks.search(token.string)
            ]
        wrong += [
            f"{named(path)}:{node.lineno}"
            for node in nodes_of(path)
            if isinstance(node, ast.Raise) and node.exc is not None and "NotImplemented" in ast.unparse(node.exc)
        ]
    assert wrong == []


def test_no_bare_except_and_nothing_swallowed() -> None:
    wrong = [
        f"{named(path)}:{node.lineno}"
        for path in sources(*PACKAGES)
        for node in nodes_of(path)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (ast.unparse(node.type) in ("Exception", "BaseException") and _does_nothing(node)))
    ]
    assert wrong == []


def _does_nothing(handler: ast.ExceptHandler) -> bool:
    return all(isinstance(statement, ast.Pass | ast.Continue) for statement in handler.body)


TEXT_NAMES = ("*.py", "*.toml", "*.md", "*.sh", "*.sql", "*.csv", "*.lock", "Makefile", "LICENSE", ".gitignore", "run")
SKIPPED = {".venv", ".git", "out", "build"}
MACHINE = re.compile(
    r"(?<![\w.])/(?:home|Users|root)/\w|/work/|[A-Za-z]:\\\\|https?://[\w.-]*(?:pypi|pythonhosted|mirror|artifact)|--index-url|"
    r"--extra-index-url|--find-links"
)


def texts() -> list[Path]:
    """The project's own text files, as far as the checkout holds them."""
    found = []
    for place, folders, names in os.walk(ROOT):
        folders[:] = [each for each in folders if each not in SKIPPED]
        found += [Path(place, name) for name in names if any(fnmatch(name, wanted) for wanted in TEXT_NAMES)]
    return sorted(found)


def test_no_file_names_one_machine_or_a_registry() -> None:
    wrong = [
        f"{named(path)}:{number}: {found[0]}"
        for path in texts()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (found := MACHINE.search(line))
    ]
    assert wrong == []


def test_every_locked_library_has_its_hashes() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.findall(r"^([A-Za-z0-9_.-]+)==(\S+).*\\\n((?: +--hash=sha256:[0-9a-f]{64}.*\n?)*)", lock, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^[A-Za-z0-9]", lock, re.MULTILINE)) > 10
    assert [name for name, _, hashes in entries if not hashes] == []
