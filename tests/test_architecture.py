"""Limits that no linter holds: the engine is pure, who uses which library, what the project's texts name.

Which package and which room may import which stands in pyproject.toml, under tool.importlinter.
"""

from __future__ import annotations

import ast
import importlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "vision", "display", "firmware")
# What each package may import besides the standard library and the project.
LIBRARIES = {
    "engine": set(),
    "vision": {"numpy", "cv2", "zxingcpp", "pyzbar", "segno", "picamera2", "libcamera", "reportlab"},
    "display": {"pygame", "babel"},
    "firmware": {"numpy", "cv2", "pygame", "gpiozero", "lgpio", "platformdirs", "fsrs"}
    | {"paho", "cryptography", "segno", "reportlab"},  # the club: broker, certificates, cards, results
}
# Of the standard library the engine has only what computes, and importlib for the tables that come with it.
# fmt: off
ENGINE_STDLIB = {
    "__future__", "codecs", "collections", "dataclasses", "difflib", "enum", "fractions", "functools", "importlib",
    "itertools", "json", "math", "operator", "random", "re", "string", "tomllib", "types", "typing",
}
# fmt: on
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint"}


def sources(*folders: str) -> list[Path]:
    """Every Python file under these folders of the project."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree; kept, because walking takes longer than what is asked of it."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))


def imports_of(path: Path) -> Iterator[str]:
    """The full names of the modules imported anywhere in the file, also inside functions."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_uses_only_its_own_libraries(package: str) -> None:
    allowed = {*PACKAGES, *LIBRARIES[package], *sys.stdlib_module_names}
    wrong = [
        f"{named(path)} imports {module}"
        for path in sources(package)
        for module in imports_of(path)
        if module.split(".")[0] not in allowed
    ]
    assert wrong == []
    assert sources(package) != []


def test_only_commands_and_scripts_know_of_arguments() -> None:
    """Commands hand on frozen values instead."""
    may = re.compile(r"firmware/(cli/main|cli/commands/\w+|tools/.*)\.py|display/workshop/\w+\.py")
    needing = [named(path) for path in sources(*PACKAGES) if "argparse" in set(imports_of(path))]
    assert [name for name in needing if not may.fullmatch(name)] == []
    assert needing != []


def test_the_engine_is_pure() -> None:
    wrong = []
    for path in sources("engine"):
        if path.name == "__main__.py":
            continue  # what is typed prints
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


# Who reads what comes from outside, and who opens a connection or a port, by what does it: a module, one of its names
# (with () where that is called), or a star for whatever has this method. Nothing leaves the machine without a wish.
DOORS: dict[str, set[str]] = {
    "json.load": set(),
    "json.loads": set(),
    "json.JSONDecoder": {"engine/strict/text.py"},
    "json.decoder": set(),
    "json.scanner": set(),
    "tomllib": {
        "engine/strict/text.py",
        "display/i18n.py",  # the catalogues that the program brings
    },
    "sqlite3.connect": {"firmware/core/io/database.py"},
    "sqlite3.Connection()": set(),
    "sqlite3.dbapi2": set(),
    "_sqlite3": set(),
    "xml": {"vision/sheets/pictures.py"},  # drawings that the program brings
    "pickle": set(),
    "marshal": {"firmware/book/scorebook/salvage.py"},  # rows that the same run packed a moment before
    "shelve": set(),
    "dbm": set(),
    "plistlib": set(),
    "configparser": set(),
    "yaml": set(),
    "ast.literal_eval": set(),
    "csv.reader": set(),
    "csv.DictReader": set(),
    "numpy.load": set(),
    "numpy.loadtxt": set(),
    "numpy.fromfile": set(),
    "cv2.FileStorage": set(),
    "urllib.request": {
        "firmware/table/camera/stream.py",  # the camera whose address was given
        "firmware/extras/club/hooks.py",  # the addresses that stand under [events] in the settings
    },
    "http.client": {"firmware/table/camera/stream.py"},
    "paho.mqtt": {"firmware/extras/club/link.py"},  # the broker of the club whose card was shown to this table
    "webbrowser": {"firmware/cli/commands/club.py"},  # the wall of engarde club demo, on this machine
    "*.connect()": {
        *(
            "firmware/core/io/database.py",
            "firmware/book/scorebook/book.py",
            "firmware/book/scorebook/salvage.py",
        ),  # files
        "firmware/web/address.py",  # of a datagram socket: which of its addresses this machine would use
    },
    "*.create_connection()": {
        "firmware/extras/club/broker.py",  # whether the broker that was just started here answers
        "firmware/table/camera/stream.py",  # the camera whose address was given
    },
    "*.sendto()": {"firmware/table/service/watchdog.py"},  # systemd's own socket on this machine: a file
    "*.create_server()": {"firmware/web/serving.py"},
}
# Nobody: what of the standard library opens connections or ports for whoever imports it, and calls that do.
NOBODYS = "socketserver ftplib smtplib imaplib poplib telnetlib"
DOORS |= {name: set() for name in (*NOBODYS.split(), "xmlrpc.client", "http.server")}
DOORS |= {f"*.{name}()": set() for name in ("connect_ex", "open_connection", "sock_connect", "getaddrinfo")}
DOORS |= {f"*.{name}()": set() for name in ("listen", "start_server", "HTTPServer", "TCPServer")}


def used(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Modules and names of modules that are used here, by their full names however they were imported."""
    nodes, known = list(nodes), dict[str, str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
            known |= {each.asname or each.name.split(".")[0]: each.name for each in node.names if each.asname}
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{each.name}" for each in node.names))
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for node in nodes:
        called = isinstance(node, ast.Call)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr" and len(node.args) > 1:
            text = f"{ast.unparse(node.args[0])}.{ast.literal_eval(node.args[1]) if _is_text(node.args[1]) else ''}"
        elif isinstance(node, ast.Attribute | ast.Name | ast.Call):
            text = ast.unparse(node.func if isinstance(node, ast.Call) else node)
        else:
            continue
        first, dot, rest = text.partition(".")
        yield f"{known.get(first, first)}{dot}{rest}{'()' if called else ''}"
        if called:
            yield f"{known.get(first, first)}{dot}{rest}"


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@cache
def _used_in(path: Path) -> frozenset[str]:
    return frozenset(used(nodes_of(path)))


@pytest.mark.parametrize("door", DOORS)
def test_bytes_from_outside_have_one_door(door: str) -> None:
    found = {named(path) for path in sources(*PACKAGES) if _passes(door, _used_in(path))}
    assert found == DOORS[door]


def _passes(door: str, names: Iterable[str]) -> bool:
    if door.startswith("*"):
        return any(name.endswith(door[1:]) for name in names)
    return any(name == door or name.startswith(f"{door}.") for name in names)


@pytest.mark.parametrize(
    "code",
    [
        "import json\njson.loads(text)",
        "import json as j\nj.loads(text)",
        "from json import loads as take\ntake(text)",
        "from json.decoder import JSONDecoder",
        "import json\ngetattr(json, 'loads')(text)",
        "def read():\n    import tomllib",
        "import sqlite3 as sql\nsql.connect(path)",
        "import sqlite3\nsqlite3.Connection(path)",
        "from sqlite3 import Connection as Book\nBook(path)",
        "import numpy as np\nnp.load(path)",
        "from xml.etree import ElementTree",
        "from http import client",
        "import socket\nsocket.create_connection(('a', 1))",
        "def f(s):\n    s.connect(('1.1.1.1', 53))",
    ],
)
def test_whoever_goes_past_the_door_is_found(code: str) -> None:
    assert [door for door in DOORS if _passes(door, set(used(ast.walk(ast.parse(code)))))]


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


WRITING_MODES = re.compile(r"[rbt+]*[wax][rbt+]*|[rbt]*\+[rbt]*")
OPENERS = {"open", "fdopen", "FileIO"}
WRITERS = {"write_text", "write_bytes", "touch", "imwrite", "imwriteanimation", "VideoWriter", "NamedTemporaryFile"}
WRITERS |= {"mkstemp", "copyfile", "copytree"}
DOOR = ("firmware/core/io/files.py", "firmware/core/io/database.py")
# Makers' tools, which no player runs; a film, which OpenCV writes into a folder of the program's own; and a camera.
ELSEWHERE = re.compile(r"(display/workshop|firmware/tools)/.*|firmware/extras/film\.py|vision/camera/webcam\.py")


def writes(node: ast.AST) -> bool:
    """Whether this call opens a file for writing, by its name and the mode that stands in it."""
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    name = called.rpartition(".")[2]
    if called == "pygame.image.save":
        return len(node.args) < 3  # with a third it is written into a stream
    if called in ("os.open", "sqlite3.connect", "shutil.copy", "shutil.copy2", "shutil.move") or name in WRITERS:
        return name != "touch" or not node.args  # a map of places is touched there
    if name not in OPENERS or "memfd_create" in ast.unparse(node):
        return False
    texts = [
        each.value for each in (*node.args, *(each.value for each in node.keywords)) if isinstance(each, ast.Constant)
    ]
    modes = [each for each in texts if isinstance(each, str) and WRITING_MODES.fullmatch(each)]
    return bool(modes) and "devnull" not in ast.unparse(node)


def test_only_one_room_opens_files_for_writing_and_databases() -> None:
    """Elsewhere something would be written through a link, half or for all to read."""
    found = {
        f"{named(path)}:{node.lineno} {ast.unparse(node)[:60]}"
        for path in sources(*PACKAGES)
        if named(path) not in DOOR and not ELSEWHERE.fullmatch(named(path))
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and writes(node)
    }
    assert found == set()


@pytest.mark.parametrize(
    "text",
    [
        'open(p, "w")',
        'p.open("xb")',
        'p.open(mode="a")',
        'open(p, "r+b")',
        "p.write_text(x)",
        "p.write_bytes(x)",
        "p.touch()",
        "shutil.copyfile(a, b)",
        "shutil.copy(a, b)",
        "sqlite3.connect(p)",
        "cv2.imwrite(p, x)",
        "pygame.image.save(x, p)",
        "os.open(p, flags)",
    ],
)
def test_what_writes_is_known_by_its_call(text: str) -> None:
    assert any(writes(node) for node in ast.walk(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    ['open(p, "rb")', "p.open()", "frame.copy()", 'pygame.image.save(x, stream, "png")', 'open(os.devnull, "wb")'],
)
def test_what_does_not_write_is_let_be(text: str) -> None:
    assert not any(writes(node) for node in ast.walk(ast.parse(text)))
